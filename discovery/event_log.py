"""What a source's own record of changes says since a mark, and when that is to be believed.

The events of a Hive Metastore from Hive 3 on have ids without a gap, in the order of their commits
(3.1.3, measured with two servers on one database; those of 2.3 are not unique, so that record is
never followed). A mark is the last event before a listing. What is kept of the record goes by age,
one day by default, and a database may be restored from a copy: what cannot be told from a loss is
one.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import astuple, dataclass
from typing import Final, Protocol, runtime_checkable

from discovery.errors import ReadError
from discovery.model import Identifier
from discovery.outcomes import Failure, Listed

Path = tuple[str, ...]

MOST: Final = 200_000
"""Events that are read at most: with more of them, an estate is cheaper read in full."""


class RecordError(ReadError):
    """What has changed at a source cannot be told: it is read in full, and no entry is amiss."""

    advice = ""


@dataclass(frozen=True, slots=True)
class LoggedEvent:
    """An event of a record.

    Attributes:
        id: Its number; the next event has the next one.
        time: When, in seconds since 1970, by the source's clock.
        kind: The source's word.
        names: The places that it is about, with the levels of their namespaces: two of a renamed
            object.
    """

    id: int
    time: int
    kind: str
    names: tuple[Path, ...]

    def to_text(self) -> str:
        """As a mark is kept."""
        return json.dumps(astuple(self))

    @classmethod
    def of_text(cls, text: str) -> "LoggedEvent":
        """The inverse of `to_text`."""
        number, time, kind, names = json.loads(text)
        return cls(number, time, kind, tuple(map(tuple, names)))


@runtime_checkable
class LoggedSource(Protocol):
    """A source that keeps a record of what changes in it."""

    def mark(self) -> LoggedEvent:
        """The last event of the record. Does I/O.

        Raises:
            BelvedereError: There is none, or none that can be followed.
        """

    def read_changes(self, since: LoggedEvent) -> Iterator[Identifier]:
        """What has changed since; one may come more than once. Does I/O.

        Raises:
            BelvedereError: It cannot be known, which may be seen after the first of them.
        """


@runtime_checkable
class SignalledSource(Protocol):
    """A source to which it is dear to tell by its listing whether an entry is another."""

    def list_with_signals(self) -> Iterator[Listed | Failure]:
        """The listing with the signals of its objects, made before any entry is read. Does I/O."""

    def check_signals(self) -> None:
        """See whether signals can be made. Does I/O.

        Raises:
            BelvedereError: They cannot; each crawl reads all.
        """


def read_after(mark: LoggedEvent, oldest: LoggedEvent | None, current: int) -> int | None:
    """The id after which events are read; None: nothing has happened since the mark.

    Args:
        mark: The last event that was seen.
        oldest: The first one that is kept; None: the record is empty.
        current: The id of the last event that ever was.

    Raises:
        RecordError: What has happened since cannot be known.
    """
    if current < mark.id:
        raise RecordError(f"its events end at {current}, and {mark.id} was seen: it was restored")
    if current - mark.id > MOST:
        raise RecordError(f"{current - mark.id:,} events since: reading all costs less")
    if oldest is None and current == mark.id:
        return None
    if oldest is None or oldest.id > mark.id + 1:
        raise RecordError(
            f"it does not keep its events from {mark.id + 1:,} on any more",
            hint="keep them for longer than from one crawl to the next: "
            "metastore.event.db.listener.timetolive, a day by default",
        )
    return mark.id - 1 if oldest.id <= mark.id else mark.id


def changed_names(
    mark: LoggedEvent, after: int, events: Iterable[LoggedEvent], current: int
) -> Iterator[Path]:
    """The places that events are about, which may be told more than once.

    Args:
        mark: The last event that was seen.
        after: What `read_after` said.
        events: Those behind that, by id.
        current: The id of the last event that has to be among them.

    Raises:
        RecordError: One is missing, or the mark is another event by now.
    """
    number = after
    for event in events:
        if event.id != number + 1:
            raise RecordError(f"its events jump from {number} to {event.id}")
        number = event.id
        if number == mark.id and event != mark:
            raise RecordError(f"its event {number} is another one than was seen: it was restored")
        if number > mark.id:
            yield from event.names
    if number < current:
        raise RecordError(f"its events end at {number}, before {current}, said to be the last")
