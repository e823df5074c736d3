"""What runs on an executor, without Spark: fetch the objects of a task and account for each."""

from collections.abc import Iterator

from discovery import wire
from discovery.errors import FileUnreadableError, UnknownKindError
from discovery.formats import KINDS
from discovery.model import View
from discovery.outcomes import (
    MATERIALIZED_VIEW,
    TABLE,
    VANISHED,
    Failure,
    Kind,
    Outcome,
    RawObject,
    Skipped,
    Stage,
)
from discovery.ports import CrawlTask, ViewSource

_COUNTED = {Kind.TABLE: TABLE, Kind.MATERIALIZED_VIEW: MATERIALIZED_VIEW}


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
                yield (
                    normalize(answer)
                    if isinstance(answer, RawObject)
                    else Outcome(answer.listed, answer)
                )
    except Exception as error:  # noqa: BLE001 - the task boundary: what is left becomes rows
        why = error
    for listed in left:
        gone = Skipped(listed, VANISHED) if why is None else Failure.of(listed, Stage.READ, why)
        yield Outcome(listed, gone)


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
        chosen = next(one for one in kind.formats if one.matches(entry))
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
