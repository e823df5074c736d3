"""A crawl without Spark: the listing cut into tasks, and each object accounted for."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from discovery import wire
from discovery.asked import misplaced, unaskable
from discovery.errors import FileUnreadableError, UnknownKindError
from discovery.formats import KINDS
from discovery.model import View
from discovery.outcomes import (
    MATERIALIZED_VIEW,
    TABLE,
    VANISHED,
    Failure,
    Kind,
    Listed,
    Outcome,
    RawObject,
    Skipped,
    Stage,
)
from discovery.ports import CrawlTask, ViewSource

_ROUNDS: Final = 20
_IN_A_ROUND: Final = 10  # tasks of a connection: who is done early waits for the others
_COUNTED = {Kind.TABLE: TABLE, Kind.MATERIALIZED_VIEW: MATERIALIZED_VIEW}


@dataclass(frozen=True, slots=True)
class Assigned:
    """A listed object, or what could not be listed, with its place in the crawl.

    Attributes:
        answer: From the listing.
        task: Number of its task; the objects of a task are fetched together.
        slot: Number of the connection that will fetch it.
    """

    answer: Listed | Failure
    task: int
    slot: int


def assign(
    listing: Iterable[Listed | Failure], *, batch: int, connections: int
) -> Iterator[Assigned]:
    """Cut a listing into tasks of at most `batch` fetched objects, dealt round to the connections.

    A task ends with a namespace where it can, so that few namespaces are asked for twice. Objects
    that are only counted cost no fetch and do not fill a batch. What a listing has twice in a
    namespace, as pages have it that change while they are read, is one object, as in `crawl`.
    """
    task, fetched, within = 0, 0, None
    hashes: dict[tuple[str, Kind], int] = {}  # of what was listed of the namespace, without handles
    for given in listing:
        answer = _refuse_unaskable(given)
        listed = answer if isinstance(answer, Listed) else answer.listed
        if listed.namespace != within:
            hashes.clear()
        if isinstance(answer, Listed):
            known = hashes.get((listed.name, listed.kind))
            hashes[listed.name, listed.kind] = hash(listed)
            if known == hash(listed):
                continue
        if fetched >= batch or (fetched * 2 >= batch and listed.namespace != within):
            task, fetched = task + 1, 0
        within = listed.namespace
        fetched += isinstance(answer, Listed) and listed.is_read
        yield Assigned(answer, task, task % connections)


def _refuse_unaskable(answer: Listed | Failure) -> Listed | Failure:
    """What is listed; a failure where nobody can ask for it."""
    if isinstance(answer, Listed) and (error := unaskable(answer)) is not None:
        return Failure.of(answer, Stage.LIST, error)
    return answer


def rounds(tasks: int, connections: int) -> int:
    """Into how many jobs a crawl is cut that can keep whole jobs only.

    Args:
        tasks: How many it has.
        connections: Over how many they are dealt.
    """
    return max(1, min(_ROUNDS, tasks // (_IN_A_ROUND * connections)))


def crawl(task: CrawlTask, source: ViewSource) -> Iterator[Outcome]:
    """Exactly one outcome for each listed object, whatever the source does. Does I/O."""
    left = {listed: None for listed in task.objects if listed.is_read}  # an ordered set
    if len(left) < len(task.objects):
        for listed in task.objects:
            if not listed.is_read:
                yield Outcome(listed, Skipped(listed, _COUNTED[listed.kind]))
    wanted = CrawlTask(task.source, tuple(left))
    why: Exception | None = None
    try:
        for answer in source.load(wanted) if left else ():
            if answer.listed in left:  # a second or unasked answer is dropped
                del left[answer.listed]
                yield _outcome(answer, source.fold)
    except Exception as error:  # noqa: BLE001 - the task boundary: what is left becomes rows
        why = error
    for listed in left:
        gone = Skipped(listed, VANISHED) if why is None else Failure.of(listed, Stage.READ, why)
        yield Outcome(listed, gone)


def _outcome(answer: RawObject | Failure | Skipped, fold: Callable[[str], str]) -> Outcome:
    """What becomes of an object by what its source says of it."""
    if not isinstance(answer, RawObject):
        return Outcome(answer.listed, answer)
    if error := misplaced(answer, fold):
        failure = Failure.of(answer.listed, Stage.READ, error)
        return Outcome(answer.listed, failure, raw=answer.text)
    return normalize(answer)


def normalize(raw: RawObject) -> Outcome:
    """Detect who wrote an entry and read it, or say why it is no view or cannot be read."""
    name = ""
    try:
        kind = KINDS.get(raw.kind)
        if kind is None:
            raise UnknownKindError(f"{raw.kind!r} is none of {', '.join(KINDS)}", field="kind")
        entry = kind.read(raw)
        for sort in kind.not_views:
            if sort.matches(entry):
                skipped = Skipped(raw.listed, sort.reason, sort.detail(entry))
                return Outcome(raw.listed, skipped, sort.format, raw=raw.text)
        chosen = next(format_ for format_ in kind.formats if format_.matches(entry))
        name = chosen.name
        decoded = chosen.decode(entry)
        result = decoded.result
        line, fingerprint = (
            wire.view_text(result) if isinstance(result, View) else wire.schema_text(result)
        )
        return Outcome(raw.listed, result, name, line, fingerprint, raw.text, decoded.notes)
    except Exception as error:  # noqa: BLE001 - the row boundary: one entry costs no other
        stage = Stage.READ if isinstance(error, FileUnreadableError) else Stage.DECODE
        return Outcome(raw.listed, Failure.of(raw.listed, stage, error), name, raw=raw.text)
