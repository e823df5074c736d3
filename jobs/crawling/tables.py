"""The rows of the warehouse: the model to Arrow and back, by hand, as every view passes here.

Runs on executors; imports neither pydantic nor the configuration.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

import pyarrow as pa

from connectors.clients.credentials import Secret, redacted
from discovery import wire
from discovery.crawl import Assigned
from discovery.model import Schema, View, encoded, owner_text
from discovery.outcomes import Failure, Kind, Listed, Outcome, Skipped, Stage
from discovery.ports import ViewSource
from discovery.rights.model import Grant, GrantSource, Membership
from jobs.warehouse.datasets import Dataset, Projection, StageTables
from jobs.warehouse.rows import MAX_BYTES, MAX_ROWS, batch_of, column, to_batches


def _without(schema: pa.Schema, *left_out: str) -> tuple[str, ...]:
    return tuple(name for name in schema.names if name not in left_out)


_TEXTS: Final = pa.list_(pa.string())
_NOTHING: Final[tuple[object, ...]] = (None, None, None, None)

_OF_ALL: Final = [
    pa.field("source", pa.string(), metadata={"doc": "Name of the source in the configuration."}),
    pa.field("entity", pa.string(), metadata={"doc": "`object`, `namespace`, or `source`."}),
    pa.field("namespace", _TEXTS, metadata={"doc": "Levels of the namespace, outermost first."}),
    pa.field("name", pa.string(), metadata={"doc": "Name as spelled; empty for a namespace."}),
    pa.field(
        "key",
        pa.string(),
        metadata={
            "doc": "Namespace and name, folded as the source folds names, `%` and `.` in a level "
            "percent-encoded, joined by dots. Stable between runs."
        },
    ),
    pa.field("kind", pa.string(), metadata={"doc": "What the listing says the object is."}),
]
_OF_FAILURES: Final = [
    pa.field(
        "stage", pa.string(), metadata={"doc": "Where it was lost: `list`, `read`, `decode`."}
    ),
    pa.field("code", pa.string(), metadata={"doc": "Code of the failure or of the skip reason."}),
    pa.field("message", pa.string(), metadata={"doc": "What was wrong and where."}),
    pa.field("hint", pa.string(), metadata={"doc": "What would be right."}),
]
_OF_OBJECTS: Final = pa.schema(
    [
        *_OF_ALL,
        pa.field(
            "handle",
            pa.string(),
            metadata={"doc": "How the source finds it again, or what the listing said of it."},
        ),
        pa.field("task", pa.int64(), metadata={"doc": "Number of the crawl task."}),
        pa.field("slot", pa.int32(), metadata={"doc": "Number of the connection that fetches it."}),
        *_OF_FAILURES,
        pa.field(
            "signal",
            pa.string(),
            metadata={"doc": "Another text whenever its entry is; null: the listing cannot tell."},
        ),
    ]
)
_OF_OUTCOMES: Final = pa.schema(
    [
        *_OF_ALL,
        pa.field(
            "outcome", pa.string(), metadata={"doc": "`view`, `schema`, `failure` or `skipped`."}
        ),
        pa.field("format", pa.string(), metadata={"doc": "How the entry is stored."}),
        *_OF_FAILURES,
        pa.field("dialects", _TEXTS, metadata={"doc": "SQL dialects of the representations."}),
        pa.field("columns", pa.int32(), metadata={"doc": "Number of columns."}),
        pa.field("security", pa.string(), metadata={"doc": "`DEFINER`, `INVOKER` or null."}),
        pa.field(
            "owner",
            pa.string(),
            metadata={
                "doc": "Who the source says owns it; `role:` or `group:` before what is no user."
            },
        ),
        pa.field(
            "notes",
            pa.list_(pa.struct([("code", pa.string()), ("message", pa.string())])),
            metadata={"doc": "What a reader must know of it."},
        ),
        pa.field(
            "fingerprint", pa.string(), metadata={"doc": "Of the content, without audit data."}
        ),
        pa.field("model", pa.string(), metadata={"doc": "The view or schema in canonical JSON."}),
        pa.field(
            "raw",
            pa.string(),
            metadata={"doc": "What the source said, verbatim, as one line of JSON."},
        ),
        pa.field(
            "seen_in",
            pa.string(),
            metadata={"doc": "The run that read it, where this one took it over; null: this one."},
        ),
    ]
)
_PLACE: Final = ("source", "entity", "namespace", "name", "key")
OBJECTS: Final = Dataset(
    "objects", _OF_OBJECTS, projections=(Projection("objects", entity="object"),)
)
OUTCOMES: Final = Dataset(
    "outcomes",
    _OF_OUTCOMES,
    projections=(
        Projection("namespaces", _without(_OF_OUTCOMES, "name", "kind", "raw"), "namespace"),
        Projection("outcomes", _without(_OF_OUTCOMES, "raw")),
        Projection("raw", (*_PLACE, "raw")),
    ),
)
GRANTS: Final = Dataset.of(
    "grants",
    [
        column("source", pa.string(), "Name of the source in the configuration."),
        column(
            "entity",
            pa.string(),
            "What the right is on: `object`, `namespace`, `source` or, of a membership, `role`; "
            "`model`: no right, but by whose rules (`word`) those of the source are meant.",
        ),
        column("namespace", _TEXTS, "Levels of the namespace, outermost first."),
        column("name", pa.string(), "Of the object or role; empty for a namespace."),
        column("key", pa.string(), "As in `outcomes`; empty for a source or role."),
        column(
            "column",
            pa.string(),
            "The only column that it is about, or of Lake Formation `* except …` or the cells of a "
            "filter; null: all.",
        ),
        column(
            "grantee",
            pa.string(),
            "Who has it; of MySQL's family `user@host`, of Lake Formation the principal.",
        ),
        column("grantee_kind", pa.string(), "`user`, `role`, `group` or `public`: everybody."),
        column(
            "privilege",
            pa.string(),
            "`SELECT`, `MODIFY`, `CREATE`, `ALTER`, `USAGE`, `ALL`, `OWN`, `MEMBER` (of a role) or "
            "`OTHER`.",
        ),
        column("word", pa.string(), "The source's own word for it."),
        column(
            "basis",
            pa.string(),
            "`granted`, `owner`, `system` (built in), `administrator` (of PostgreSQL; members do "
            "not inherit it), `revoked` (kept out of a right on the whole source), "
            "`overridden` (a right of a role that another row takes from this member), `within` "
            "(on all views of it), `undecided` (the source does not tell for whom or what it "
            "holds: who may read is not known there); of memberships "
            "`active`, `inherited` (the same, of a role that the member may not set) or `on "
            "demand` (once the role is set).",
        ),
        column("grantable", pa.bool_(), "Whether the grantee may hand it on."),
        column("granted_by", pa.string(), "Who has granted it, where the source says so."),
        column("role_kind", pa.string(), "Of a membership: `role`, or `user` where that is one."),
        column("code", pa.string(), "Code of why the rights of this place are not known."),
        column("message", pa.string(), "The same in words."),
    ],
)
"""Who may do what: rights on what the run has listed, none on tables."""

DATASETS: Final = (OBJECTS, OUTCOMES)
ARCHIVE: Final = "archive"
"""Folder of what the sources said, as the source `archive` replays it."""

STAGE: Final = StageTables(
    "crawl", DATASETS, "restore it from a copy of the warehouse, or crawl again", (ARCHIVE,)
)

GRANTING: Final = StageTables("grants", (GRANTS,), "crawl again, with `grants: true` below `crawl`")

OF_VIEWS: Final = [field for field in _OF_ALL if field.name not in {"entity", "kind"}]
VIEW_COLUMNS: Final = (*(field.name for field in OF_VIEWS), "model")
"""What of `outcomes` is needed to have the views again."""


def entity(kind: Kind) -> str:
    """What a row is about."""
    return kind.value if kind in (Kind.NAMESPACE, Kind.SOURCE) else "object"


def key(listed: Listed, fold: Callable[[str], str]) -> str:
    """The key of an object: stable between runs, equal where the source thinks names equal."""
    levels = (*listed.namespace, listed.name) if listed.name else listed.namespace
    return encoded([fold(level) for level in levels])


def object_batches(
    source: str, planned: Iterable[Assigned], fold: Callable[[str], str], secrets: Sequence[Secret]
) -> Iterator[pa.RecordBatch]:
    """Rows of the table `objects`."""

    def row(assigned: Assigned) -> tuple[object, ...]:
        if isinstance(assigned.answer, Failure):
            listed, why = assigned.answer.listed, _why(assigned.answer, secrets)
        else:
            listed, why = assigned.answer, _NOTHING
        place = (*_place_cells(source, listed, fold), listed.handle, assigned.task, assigned.slot)
        return (*place, *why, listed.signal or None)

    return to_batches(map(row, planned), OBJECTS.schema)


def planned_objects(batches: Iterable[pa.RecordBatch]) -> Iterator[tuple[str, Assigned]]:
    """The inverse of `object_batches`: source and planned object of each row."""
    place = ("source", "namespace", "name", "kind", "handle", "signal", "task", "slot")
    names = (*place, *_names(_OF_FAILURES))
    for batch in batches:
        columns = [batch.column(name).to_pylist() for name in names]
        for source, space, name, kind, handle, signal, task, slot, stage, *why in zip(
            *columns, strict=True
        ):
            listed = Listed(tuple(space), name, Kind(kind), handle, signal or "")
            answer = Failure(listed, Stage(stage), *why) if stage else listed
            yield source, Assigned(answer, task, slot)


def grant_batches(
    source: str,
    view_source: ViewSource,
    answers: Sequence[Grant | Membership | Failure],
    secrets: Sequence[Secret],
) -> Iterator[pa.RecordBatch]:
    """Rows of `grants`, behind the one that says by whose rules.

    Args:
        source: Its name.
        view_source: The source.
        answers: What it said; where it broke off, only why is kept.
        secrets: Values that no message may show.
    """
    broken = [
        answer
        for answer in answers
        if isinstance(answer, Failure) and answer.listed.kind is Kind.SOURCE
    ]
    lines = [_grant_row(source, answer, view_source.fold, secrets) for answer in broken or answers]
    if isinstance(view_source, GrantSource) and not broken:
        place = (source, "model", (), "", "")
        lines.insert(0, (*place, *[None] * 4, view_source.rights_model.value, *[None] * 6))
    return to_batches(lines, GRANTS.schema)


def _grant_row(
    source: str,
    answer: Grant | Membership | Failure,
    fold: Callable[[str], str],
    secrets: Sequence[Secret],
) -> tuple[object, ...]:
    match answer:
        case Failure(listed, _, code, message):
            place = (source, entity(listed.kind), listed.namespace, "", key(listed, fold))
            return (*place, *[None] * 9, code, redacted(message, secrets))
        case Membership(role, member):
            held = (None, member.name, member.kind.value, "MEMBER", "MEMBER", answer.basis.value)
            rest = (answer.grantable, answer.granted_by, role.kind.value, None, None)
            return (source, "role", (), role.name, "", *held, *rest)
        case Grant(namespace, name, who, privilege, word, column_name):
            kind = Kind.VIEW if name else Kind.NAMESPACE if namespace else Kind.SOURCE
            listed = Listed(namespace, name, kind)
            place = (source, entity(kind), namespace, name, key(listed, fold))
            right = (
                column_name,
                who.name,
                who.kind.value,
                privilege.value,
                word,
                answer.basis.value,
            )
            return (*place, *right, answer.grantable, answer.granted_by, None, None, None)


class OutcomeRows:
    """Gathers outcomes into batches of bounded size.

    Args:
        secrets: Values that no message may show.
    """

    def __init__(self, secrets: Sequence[Secret]) -> None:
        self._secrets = secrets
        self._rows: list[tuple[object, ...]] = []
        self._bytes = 0

    def add(
        self, source: str, outcome: Outcome, fold: Callable[[str], str]
    ) -> Iterator[pa.RecordBatch]:
        """Add an outcome; yields a batch when it is full."""
        self._rows.append(
            (
                *_place_cells(source, outcome.listed, fold),
                *_fate(outcome, self._secrets),
                outcome.raw,
                None,
            )
        )
        self._bytes += len(outcome.raw) + len(outcome.text)
        if len(self._rows) >= MAX_ROWS or self._bytes >= MAX_BYTES:
            yield from self.rest()

    def rest(self) -> Iterator[pa.RecordBatch]:
        """What is left."""
        if self._rows:
            yield batch_of(self._rows, OUTCOMES.schema)
        self._rows, self._bytes = [], 0


def views(batch: pa.RecordBatch) -> Iterator[tuple[tuple[str, list[str], str, str], View]]:
    """The views of a batch of `outcomes`, each behind what identifies its row."""
    columns = [batch.column(name).to_pylist() for name in VIEW_COLUMNS]
    for source, namespace, name, path, model in zip(*columns, strict=True):
        view = wire.view_from_json(json.loads(model), tuple(namespace))
        yield (source, namespace, name, path), view


def _place_cells(source: str, listed: Listed, fold: Callable[[str], str]) -> tuple[object, ...]:
    kind = listed.kind
    return source, entity(kind), listed.namespace, listed.name, key(listed, fold), kind.value


def _fate(outcome: Outcome, secrets: Sequence[Secret]) -> tuple[object, ...]:
    """The columns of `OUTCOMES` between `kind` and `raw`."""
    fate, why, described = _described(outcome.result, secrets)
    notes = [{"code": note.code, "message": note.message} for note in outcome.notes]
    model = (outcome.fingerprint or None, outcome.text or None)
    return fate, outcome.format or None, *why, *described, notes, *model


def _described(
    result: View | Schema | Failure | Skipped, secrets: Sequence[Secret]
) -> tuple[str, tuple[object, ...], tuple[object, ...]]:
    """What became of it, why it was lost, and its header: dialects, columns, security, owner."""
    match result:
        case View():
            security = result.security.mode.value if result.security else None
            owner = owner_text(result.audit.creator, result.audit.creator_kind)
            dialects = [representation.dialect for representation in result.representations]
            header = (dialects, len(result.columns), security, owner)
            return "view", _NOTHING, header
        case Schema():
            owner = owner_text(result.owner, result.owner_kind)
            return "schema", _NOTHING, (None, None, None, owner)
        case Failure():
            return "failure", _why(result, secrets), _NOTHING
        case Skipped(_, reason, detail):
            return "skipped", (None, reason.code, detail or reason.text, None), _NOTHING


def _why(failure: Failure, secrets: Sequence[Secret]) -> tuple[object, ...]:
    message = redacted(failure.message, secrets)
    return failure.stage.value, failure.code, message, redacted(failure.hint, secrets)


def _names(fields: Iterable[pa.Field]) -> list[str]:
    return [field.name for field in fields]
