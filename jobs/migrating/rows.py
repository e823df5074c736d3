"""The edge of a migration's workers: its values as rows, and rows as its values, once a dataset.

Runs on executors; imports neither pydantic nor the configuration. Every view passes here, so rows
are read by hand, column by column.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

import pyarrow as pa

from connectors.clients import lines
from discovery import wire
from discovery.datatypes.widening import Widening
from discovery.lineage.kinds import BaseKind
from discovery.lineage.order import Aside, Why
from discovery.migration.deletion import Unseen, why_kept
from discovery.migration.execution import (
    Intent,
    Wrote,
    is_made_by_others,
    is_taken_back,
    left_whole,
)
from discovery.migration.lines import Line, line_of
from discovery.migration.mapping import Collisions
from discovery.migration.plan import Occupant, Planned, Written
from discovery.migration.unattended import Doubt, doubt
from discovery.migration.wanted import (
    Address,
    Barred,
    Candidate,
    Canonical,
    Code,
    Draft,
    Move,
    NameRead,
    Origin,
    SourceView,
    Wanted,
)
from discovery.model import Identifier, Representation, View
from discovery.outcomes import Kind
from discovery.patterns import Patterns
from discovery.ports import Action, Change
from jobs.migrating.tables import CANDIDATES, CHANGES, MOVES, WANTED
from jobs.warehouse.rows import to_batches

Value = TypeVar("Value")
Row = Mapping[str, Any]
"""A row as Arrow hands it over; nothing writes into it."""


@dataclass(frozen=True)
class Edge(Generic[Value]):
    """How values become rows of a dataset.

    Attributes:
        schema: Of the dataset.
        cells: What each of its columns gets of a value.
    """

    schema: pa.Schema
    cells: Mapping[str, Callable[[Value], object]]

    def batches(self, values: Iterable[Value]) -> Iterator[pa.RecordBatch]:
        """The rows of the values."""
        cells = [self.cells[name] for name in self.schema.names]
        return to_batches((tuple(cell(value) for cell in cells) for value in values), self.schema)


def rows(batches: Iterable[pa.RecordBatch]) -> Iterator[Row]:
    """The rows of some batches."""
    for batch in batches:
        yield from batch.to_pylist()


@dataclass(frozen=True, slots=True)
class DueChange:
    """A row of `CHANGES` that is to be written, looked for or read back: its columns.

    Beside these, `raw` is what the source of a new view says of it, as a line of JSON, where that
    is asked for, and `is_noted` whether an event says that it was written. `origins` are as the row
    has them.
    """

    target: str
    identifier: Identifier
    key: str
    action: Action
    fingerprint: str
    expected: str | None
    model: str
    before: str | None
    origins: object
    raw: str | None
    is_noted: bool

    @property
    def place(self) -> tuple[str, tuple[str, ...], str, str]:
        """The columns `PLACE`."""
        return self.target, self.identifier.namespace, self.identifier.name, self.key

    @property
    def view(self) -> View:
        """As the target shall hold it; read anew each time."""
        return wire.view_from_json(json.loads(self.model), self.identifier.namespace)

    @property
    def change(self) -> Change:
        """For a store."""
        seen = json.loads(self.before).get("audit", {}) if self.before else None
        return Change(
            self.action,
            self.view,
            self.fingerprint,
            self.expected,
            seen=None if seen is None else wire.audit_from_json(seen),
            raw=lines.read(self.raw.encode()).alone() if self.raw else None,
        )


def due(batch: pa.RecordBatch) -> Iterator[DueChange]:
    """The changes of a batch; nothing of their JSON is read yet."""
    for row in batch.to_pylist():
        place, action = Identifier(tuple(row["namespace"]), row["name"]), Action(row["action"])
        yield DueChange(
            *(row["target"], place, row["key"], action, row["fingerprint"], row["expected"]),
            *(row["model"], row["before"], row.get("origins")),
            *(row.get("raw"), bool(row.get("noted"))),
        )


_WANTED: Final[Mapping[str, Callable[[Wanted], object]]] = {
    "target": lambda view: view.address.target,
    "namespace": lambda view: view.address.identifier.namespace,
    "name": lambda view: view.address.identifier.name,
    "key": lambda view: view.address.key,
    "wave": lambda view: view.wave,
    "origins": lambda view: [
        {"source": origin.source, "key": origin.key, "at": origin.at} for origin in view.origins
    ],
    "code": lambda view: view.barred.code if view.barred is not None else None,
    "reason": lambda view: view.barred.reason if view.barred is not None else view.stays or None,
    "losses": lambda view: view.losses,
    "unsafe": lambda view: view.unsafe.reason if view.unsafe is not None else None,
    "unsafe_code": lambda view: view.unsafe.code if view.unsafe is not None else None,
    "fingerprint": lambda view: view.model.fingerprint,
    "model": lambda view: view.model.text,
    "drafts": lambda view: view.draft.dialects if view.draft is not None else (),
    "draft_fingerprint": lambda view: (
        view.draft.model.fingerprint if view.draft is not None else None
    ),
    "draft": lambda view: view.draft.model.text if view.draft is not None else None,
}
_CANDIDATE: Final[dict[str, Callable[[Candidate], object]]] = {
    "rank": lambda contender: contender.rank,
    "collisions": lambda contender: contender.collisions.value,
    "widen": lambda contender: [kind.value for kind in contender.widen],
    "query": lambda contender: contender.query,
}
_PLANNED: Final[dict[str, Callable[[Planned], object]]] = {
    "action": lambda change: change.action.value,
    "change": lambda change: (
        line_of(change).to_json()["change"] if change.writes or change.adoptable else None
    ),
    "reason": lambda change: change.reason_text,
    "expected": lambda change: change.present.fingerprint if change.present is not None else None,
    "before": lambda change: change.present.text if change.present is not None else None,
}


def _of_candidate(cell: Callable[[Wanted], object]) -> Callable[[Candidate], object]:
    return lambda contender: cell(contender.wanted)


def _of_planned(cell: Callable[[Wanted], object]) -> Callable[[Planned], object]:
    return lambda change: cell(change.wanted)


_MOVED: Final[dict[str, Callable[[tuple[Origin, Move]], object]]] = {
    "base_source": lambda pair: pair[0].source,
    "base_key": lambda pair: pair[0].key,
    "move": lambda pair: {
        "old_namespace": pair[1].old.namespace,
        "old_name": pair[1].old.name,
        "target": pair[1].address.target,
        "namespace": pair[1].address.identifier.namespace,
        "name": pair[1].address.identifier.name,
    },
}
MOVE_CELLS: Final = Edge(MOVES, _MOVED)
WANTED_CELLS: Final = Edge(WANTED, _WANTED)
CANDIDATE_CELLS: Final = Edge(
    CANDIDATES, {name: _of_candidate(cell) for name, cell in _WANTED.items()} | _CANDIDATE
)
CHANGE_CELLS: Final = Edge(
    CHANGES.schema, {name: _of_planned(cell) for name, cell in _WANTED.items()} | _PLANNED
)


def source_view(row: Row) -> SourceView:
    """A view of `outcomes`, with its place in the order and what it reads beside it."""
    aside = row["aside"]
    view_origin, identifier = origin(row)
    return SourceView(
        origin=view_origin,
        identifier=identifier,
        model=Canonical(row["model"], row["fingerprint"]),
        wave=row["wave"],
        aside=Aside(Why[aside], tuple(row["because"] or ())) if aside else None,
        reads=tuple(_name_read(read, row["source"]) for read in row["reads"] or ()),
        drafts=tuple(map(_proposed, row["proposed"] or ())),
    )


def _proposed(row: Row) -> Representation:
    """A text that a translator has proposed: of `drafts`."""
    text = Representation(
        dialect=row["dialect"], sql=row["sql"], default_catalog=row["default_catalog"]
    )
    return text.within(row["default_levels"] or ())


def origin(row: Row) -> tuple[Origin, Identifier]:
    """Which view a row of `outcomes` is about, and its place in its source."""
    place = Identifier(tuple(row["namespace"]), row["name"])
    return Origin(row["source"], row["key"], row["fingerprint"]), place


def _name_read(row: Row, source: str) -> NameRead:
    """A name that a text reads: of `references`, with where the plan moves its base beside it."""
    namespace, move = row["base_namespace"], row["move"]
    base = None if namespace is None else Identifier(tuple(namespace), row["base_name"])
    return NameRead(
        dialect=row["dialect"],
        written=tuple(row["written"]),
        catalog=row["catalog"],
        own=row["base_source"] == source,
        identifier=base,
        kind=BaseKind(row["base_kind"]) if row["base_kind"] else None,
        move=Move(Identifier(tuple(move["old_namespace"]), move["old_name"]), address(move))
        if move is not None
        else None,
    )


def wanted(row: Row) -> Wanted:
    """A row of `WANTED`, or of what has its columns."""
    code, reason = row["code"], row["reason"] or ""
    return Wanted(
        address=address(row),
        origins=tuple(
            Origin(entry["source"], entry["key"], entry["at"]) for entry in row["origins"] or ()
        ),
        model=Canonical(row["model"], row["fingerprint"]),
        wave=row["wave"],
        barred=Barred(Code(code), reason) if code else None,
        stays="" if code else reason,
        losses=tuple(row["losses"] or ()),
        unsafe=Barred(Code(row["unsafe_code"]), row["unsafe"]) if row["unsafe"] else None,
        draft=_draft(row),
    )


def candidate(row: Row) -> Candidate:
    """A row of `CANDIDATES`."""
    widen = tuple(Widening(word) for word in row["widen"])
    collisions = Collisions(row["collisions"])
    return Candidate(wanted(row), row["rank"], collisions, widen, row["query"])


def planned(row: Row) -> Planned:
    """A row of `CHANGES`."""
    reason = "" if row["code"] else row["reason"] or ""
    wanted_view = wanted({**row, "reason": row["reason"] if row["code"] else None, "unsafe": None})
    before = row["before"]
    present = Canonical(before, row["expected"]) if before is not None else None
    return Planned(Action(row["action"]), wanted_view, reason, present)


def address(row: Row) -> Address:
    """The place that a row is about."""
    return Address(row["target"], Identifier(tuple(row["namespace"]), row["name"]))


def occupant(
    row: Row,
    views: Mapping[Identifier, View],
    unread: str,
    *,
    audited: bool = False,
    unseen: Unseen,
) -> Occupant:
    """What stands where a view is wanted: what the target lists there, and the view that it holds.

    Args:
        row: A row of `WANTED` with `kinds` and `unlisted` of the target, and our `writes`, beside.
        views: The views that were read.
        unread: Why they could not be read.
        audited: Whether the target keeps who made a view, and when.
        unseen: What is made of what the run did not see.
    """
    view = views.get(address(row).identifier)
    left = left_whole(_writes(row))
    seen_whole = unseen.is_seen_whole(_origins(row))
    return Occupant(kinds(row), view, row["unlisted"] or unread, audited, left, seen_whole)


def doubt_of(row: Row) -> Doubt | None:
    """What speaks against a change of which nobody looks at the plan."""
    return doubt(Action(row["action"]), row["expected"], row["fingerprint"], _writes(row))


def is_of_others(row: Row) -> bool:
    """Whether others have made a change, by their `writes` since its execution began."""
    intent = Intent.of(row["action"], row["fingerprint"], None)
    return is_made_by_others(intent.wanted, _writes(row))


def kinds(row: Row) -> frozenset[Kind]:
    """What a target lists in a place."""
    return frozenset(Kind(kind) for kind in row["kinds"] or ())


def written(row: Row) -> Written:
    """A view that an earlier plan wrote, with our `writes`."""
    writes = _writes(row)
    return Written(address(row), left_whole(writes), is_taken_back(writes))


def kept_because(row: Row, asked: Mapping[str, Patterns]) -> str:
    """Why a view stays that we wrote and no rule leads to, by our `writes` and `is_at_source`."""
    return why_kept(_origins(row), asked, at_source=bool(row["is_at_source"]))


def line(row: Row) -> Line:
    """A row of `CHANGES`, or of the columns that a line shows."""
    return Line(
        target=row["target"],
        action=row["action"],
        namespace=tuple(row["namespace"]),
        name=row["name"],
        wave=row["wave"],
        reason=row["reason"],
        losses=tuple(row["losses"] or ()),
        origins=tuple(f"{entry['source']}/{entry['key']}" for entry in row["origins"] or ()),
        before=row["expected"],
        after=row["fingerprint"],
        drafts=tuple(row["drafts"] or ()),
    )


def _writes(row: Row) -> list[Wrote]:
    """Ours, as far as the row has them."""
    events = row["writes"] or ()
    return [Wrote(event["before"], event["after"], bool(event.get("undoes"))) for event in events]


def _origins(row: Row) -> list[Origin]:
    """Of which views our last write was made that says so."""
    made = [event["origins"] for event in row["writes"] or () if event["origins"]]
    latest = made[-1] if made else ()
    return [Origin(origin["source"], origin["key"], origin["at"]) for origin in latest]


def _draft(row: Row) -> Draft | None:
    if not row["drafts"]:
        return None
    return Draft(tuple(row["drafts"]), Canonical(row["draft"], row["draft_fingerprint"]))
