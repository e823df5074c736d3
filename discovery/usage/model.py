"""What a line of a log comes to."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from typing import Any, NamedTuple

from discovery.ports import Name


@dataclass(frozen=True, slots=True)
class Query:
    """A statement that an engine has run, or tried to.

    Attributes:
        time: When it began, in UTC.
        user: Who ran it; None: the log does not say.
        catalog: The current one, or the database; None: the log does not say.
        schema: The current one; None: the log does not say.
        named: The tables and views that it names itself, as the engine has resolved them; None:
            there is only the text.
        below: Those that the engine has come to through the views of `named`.
        sql: The text, where `named` is None; empty: the log has none.
        tells_all: Whether the text says all that the statement reads.
        is_sampled: Whether the log may have it only because it was slow.
        shows_reads: Whether it shows that the log has statements that only read.
    """

    time: datetime
    user: str | None = None
    catalog: str | None = None
    schema: str | None = None
    named: tuple[Name, ...] | None = None
    below: tuple[Name, ...] = ()
    sql: str = field(default="", repr=False)
    tells_all: bool = True
    is_sampled: bool = False
    shows_reads: bool = True


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A line that cannot be read.

    Attributes:
        why: What is wrong; nothing of the line itself, which may hold a secret.
    """

    why: str


@dataclass(frozen=True, slots=True)
class StatedLog:
    """A log as the configuration states it.

    Attributes:
        kind: The engine whose log it is.
        paths: Of its files, with wildcards.
        source: The source that its names are of; None: that follows from `catalogs`.
        zone: Of times that do not say theirs.
        prefix: PostgreSQL's `log_line_prefix`.
        ignore_users: Users whose queries are no use.
    """

    kind: str
    paths: tuple[str, ...]
    source: str | None = None
    zone: str = "UTC"
    prefix: str = "%m [%p] "
    ignore_users: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """What it is called: its kind and its paths."""
        return f"{self.kind} {', '.join(self.paths)}"


class Logged(NamedTuple):
    """What some lines of a log come to.

    Attributes:
        line: Number of the first, from 1.
        lines: How many they are.
        found: The query; None: they are about something else.
    """

    line: int
    lines: int
    found: Query | Unreadable | None


Lines = Iterable[tuple[int, bytes]]
"""Numbers, from 1, and lines without their ends."""
Parse = Callable[[bytes], Any]
"""Reads JSON; raises ValueError."""
Reader = Callable[[Lines], Iterator[Logged]]


def logged_line(number: int, content: Query | Unreadable | None) -> Logged:
    """What a line comes to."""
    return Logged(number, 1, content)


def as_object(line: bytes, parse: Parse) -> dict[str, Any] | Unreadable:
    """The JSON object that a line is."""
    try:
        parsed = parse(line)
    except (ValueError, RecursionError):
        return Unreadable("is no JSON")
    return parsed if isinstance(parsed, dict) else Unreadable("is JSON, and no object")


def text(value: Any) -> str | None:  # noqa: ANN401 - of JSON
    """A text that is not empty; None: it is none."""
    return value if isinstance(value, str) and value else None


def of_milliseconds(value: Any) -> datetime | None:  # noqa: ANN401 - of JSON
    """A time that is a number of milliseconds since 1970; None: it is none."""
    try:
        return datetime.fromtimestamp(value / 1000, UTC)
    except (TypeError, ValueError, OverflowError, OSError):
        return None


def in_utc(written: str, zone: tzinfo) -> datetime | None:
    """A time as ISO 8601 or a log has it, of the zone if it does not say its own; None: it is none.

    Short names of zones, such as CST, are of several zones: only those of UTC are believed.
    """
    stamp, _, named = written.strip().replace(",", ".").partition(" ")
    if named:
        clock, _, named = named.partition(" ")
        stamp = f"{stamp}T{clock}"
    if named.upper() in {"UTC", "GMT", "Z"}:
        stamp += "+00:00"
    elif named[:1] in {"+", "-"}:
        stamp += named
    try:
        time = datetime.fromisoformat(stamp)
        return (time if time.tzinfo else time.replace(tzinfo=zone)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
