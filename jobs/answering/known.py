"""What is known of a run as a whole, from its files: views with standings, and what reads what.

The rules are those of the report; only keys, codes and names are kept, no texts.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, NamedTuple

from discovery.judging import standing
from discovery.judging.matrix import Cell
from discovery.judging.standing import Code, Facts, Stands
from discovery.lineage.order import Aside, Why
from discovery.migration.execution import EventResult
from discovery.model import dotted
from discovery.ports import ASIDE
from jobs.assessing import tables as assessed
from jobs.crawling import tables as crawled
from jobs.migrating import tables as planned
from jobs.migrating.journal import history
from jobs.migrating.plans import latest_plan
from jobs.warehouse.datasets import Dataset
from jobs.warehouse.warehouse import Run, Warehouse

Key = tuple[str, str]
"""Source and key."""

_OUTCOMES: Final = (
    *("source", "namespace", "name", "key", "entity", "outcome", "format", "dialects", "owner"),
    *("code", "message", "hint"),
)
_CODE: Final = re.compile("[A-Z][A-Z0-9_]*")
_WRITTEN: Final = frozenset({EventResult.DONE, EventResult.RECOVERED})


class PlannedChange(NamedTuple):
    """What the latest plan does with a view at a target."""

    target: str
    action: str
    code: str | None
    reason: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownView:
    """A view, or an object that could not be read.

    Attributes:
        source: Of it.
        namespace: Of it.
        name: Of it.
        key: Of it.
        outcome: `view` or `failure`.
        format: How its entry is stored; None of a failure.
        dialects: Of its texts.
        owner: Who owns it; None: nobody is known.
        failure: Code, message and hint of a failure; None of a view.
        cells: What engines can do with it; None: it was not assessed.
        findings: What the checks found.
        wave: Its wave; None: none, or not assessed.
        aside: Why it is set aside, as a code.
        because: What that is about.
        planned: What the latest plan does with it.
        stands: Its standing, and why.
    """

    source: str
    namespace: tuple[str, ...]
    name: str
    key: str
    outcome: str
    format: str | None
    dialects: tuple[str, ...]
    owner: str | None
    failure: tuple[str, str, str] | None
    cells: tuple[Cell, ...] | None
    findings: tuple[Code, ...]
    wave: int | None
    aside: str | None
    because: tuple[str, ...]
    planned: tuple[PlannedChange, ...]
    stands: Stands

    @property
    def place(self) -> Key:
        """What tells it from all others."""
        return self.source, self.key

    @property
    def title(self) -> str:
        """Its name for people, with its source."""
        return f"{self.source}/{dotted((*self.namespace, self.name))}"

    @property
    def codes(self) -> frozenset[str]:
        """Every code that stands at it."""
        found = {one.code for one in self.findings}
        found |= {one.code for one in self.planned if one.code}
        found |= {code for one in self.cells or () for code in (one.reason or "").split(", ")}
        found |= {one for one in (self.aside, self.stands.code, *(self.failure or ())[:1]) if one}
        return frozenset(filter(_CODE.fullmatch, found))  # a cell may name what blocks it instead


@dataclass(frozen=True, slots=True)
class KnownReference:
    """Something that a view reads: in the estate, or under the name in its text."""

    source: str | None
    key: str | None
    title: str
    kind: str


@dataclass(frozen=True)
class KnownRun:
    """A run.

    Attributes:
        run: Its row.
        assessed: Whether anybody was asked who can read the views.
        views: What it saw, by source and key.
        reads: What each view reads.
        plan: The latest plan's row; None: nothing was planned.
    """

    run: Run
    assessed: bool
    views: Mapping[Key, KnownView]
    reads: Mapping[Key, Sequence[KnownReference]]
    plan: Mapping[str, Any] | None

    @cached_property
    def read_by(self) -> Mapping[Key, Sequence[Key]]:
        """What reads each thing, directly."""
        found: defaultdict[Key, set[Key]] = defaultdict(set)
        for reader, bases in self.reads.items():
            for one in bases:
                if one.source is not None and one.key is not None:
                    found[one.source, one.key].add(reader)
        return {base: sorted(readers) for base, readers in found.items()}

    @cached_property
    def called(self) -> Mapping[str, Sequence[KnownView]]:
        """Views by what people call them, whatever the case: with source and namespace, or less."""
        found: defaultdict[str, list[KnownView]] = defaultdict(list)
        for one in self.views.values():
            whole = dotted((*one.namespace, one.name))
            for name in {one.title, whole, one.name, "/".join(one.place)}:
                found[name.casefold()].append(one)
        return found

    @cached_property
    def bases(self) -> Mapping[str, AbstractSet[Key]]:
        """What is read, by its name with the source or without, whatever the case."""
        found: defaultdict[str, set[Key]] = defaultdict(set)
        for one in {one for some in self.reads.values() for one in some}:
            if one.source is not None and one.key is not None:
                for name in (one.title, one.title.partition("/")[2]):
                    found[name.casefold()].add((one.source, one.key))
        return found

    @cached_property
    def aside(self) -> Mapping[str, Aside[str]]:
        """What the order sets aside, and why, under the names that its reasons use."""
        reasons = {one.value: one for one in Why}
        return {
            "/".join(view.place): Aside(reasons[view.aside], view.because)
            for view in self.views.values()
            if view.aside is not None
        }


@dataclass(slots=True)
class _Gathered:
    """The rows of a run's tables by view, while it is read."""

    cells: defaultdict[Key, list[Cell]] = field(default_factory=lambda: defaultdict(list))
    findings: defaultdict[Key, list[Code]] = field(default_factory=lambda: defaultdict(list))
    waves: dict[Key, Mapping[str, Any]] = field(default_factory=dict)
    planned: defaultdict[Key, list[PlannedChange]] = field(
        default_factory=lambda: defaultdict(list)
    )
    unplanned: defaultdict[Key, list[PlannedChange]] = field(
        default_factory=lambda: defaultdict(list)
    )
    different: set[Key] = field(default_factory=set)


def known_run(warehouse: Warehouse, run: Run) -> KnownRun:
    """Read what is known of a run.

    Raises:
        EvidenceError: It is not as it was written.
    """
    plan = latest_plan(warehouse, run.run_id)
    was_assessed = warehouse.written(assessed.MATRIX, run.run_id)
    gathered = _gathered(warehouse, run.run_id)
    if plan is not None:
        _gather_plan(warehouse, plan["plan"], gathered)
    rows = warehouse.table(
        crawled.OUTCOMES,
        run.run_id,
        where={"entity": ["object"], "outcome": ["view", "failure"]},
        columns=_OUTCOMES,
    )
    found = (_known(row, gathered, was_assessed=was_assessed) for row in rows)
    views = {one.place: one for one in found}
    return KnownRun(run, was_assessed, views, _references(warehouse, run.run_id), plan)


def _gathered(warehouse: Warehouse, run_id: str) -> _Gathered:
    found = _Gathered()
    for place, row in _rows(warehouse, assessed.MATRIX, run_id, Cell._fields):
        found.cells[place].append(Cell(*(row[name] for name in Cell._fields)))
    for place, row in _rows(warehouse, assessed.FINDINGS, run_id, Code._fields):
        found.findings[place].append(Code(*(row[name] for name in Code._fields)))
    for place, row in _rows(warehouse, assessed.WAVES, run_id, ("wave", "aside", "because")):
        found.waves[place] = row
    return found


def _gather_plan(warehouse: Warehouse, plan: str, found: _Gathered) -> None:
    """What a plan says of the views that its changes are made of.

    What it has blocked and was written since, as a person has adopted its draft, does not wait.
    """
    origins: dict[Key, list[Key]] = {}
    written = {
        (row["target"], row["key"])
        for run in history(warehouse).holding(plan)
        for row in warehouse.table(planned.EVENTS, run, columns=("target", "key", "result"))
        if row["result"] in _WRITTEN
    }
    columns = ("target", "key", "action", "code", "reason", "origins")
    for row in warehouse.table(planned.CHANGES, plan, columns=columns):
        if not row["target"]:
            continue
        at = row["target"], row["key"]
        change = PlannedChange(row["target"], row["action"], row["code"], row["reason"])
        origins[at] = [(one["source"], one["key"]) for one in row["origins"] or ()]
        for place in origins[at]:
            found.planned[place].append(change)
            if change.action in ASIDE and at not in written:
                found.unplanned[place].append(change)
    for row in warehouse.table(planned.VERIFIED, plan, columns=("target", "key", "differences")):
        if row["differences"]:
            found.different.update(origins.get((row["target"], row["key"]), ()))


def _known(row: Mapping[str, Any], gathered: _Gathered, *, was_assessed: bool) -> KnownView:
    place = row["source"], row["key"]
    lost = row["outcome"] == "failure"
    order = gathered.waves.get(place, {})
    cells = sorted(gathered.cells.get(place, ()), key=lambda one: one.engine)
    waiting = min(gathered.unplanned.get(place, ()), key=_first, default=None)
    facts = Facts(
        failure=row["code"] if lost else None,
        aside=order.get("aside"),
        unplanned=waiting.code if waiting else None,
        different=place in gathered.different,
        dialects=row["dialects"] or (),
        cells=cells or None,
        findings=gathered.findings.get(place, ()),
    )
    return KnownView(
        source=row["source"],
        namespace=tuple(row["namespace"]),
        name=row["name"],
        key=row["key"],
        outcome=row["outcome"],
        format=row["format"],
        dialects=tuple(row["dialects"] or ()),
        owner=row["owner"],
        failure=(row["code"], row["message"] or "", row["hint"] or "") if lost else None,
        cells=tuple(cells) if was_assessed else None,
        findings=tuple(gathered.findings.get(place, ())),
        wave=order.get("wave"),
        aside=order.get("aside"),
        because=tuple(order.get("because") or ()),
        planned=tuple(gathered.planned.get(place, ())),
        stands=standing.stands(facts),
    )


def _first(change: PlannedChange) -> tuple[str, str, str]:
    return change.target, change.action, change.code or ""


_READ: Final = ("written", "base_source", "base_namespace", "base_name", "base_key", "base_kind")


def _references(warehouse: Warehouse, run_id: str) -> dict[Key, tuple[KnownReference, ...]]:
    found: defaultdict[Key, dict[KnownReference, None]] = defaultdict(dict)
    for place, row in _rows(warehouse, assessed.REFERENCES, run_id, _READ):
        found[place][_reference(row)] = None
    return {place: tuple(some) for place, some in found.items()}


def _reference(row: Mapping[str, Any]) -> KnownReference:
    kind = row["base_kind"] or "unknown"
    if row["base_source"] is None:
        return KnownReference(None, None, dotted(tuple(row["written"])), kind)
    levels = (*(row["base_namespace"] or ()), row["base_name"] or "")
    title = f"{row['base_source']}/{dotted(levels)}"
    return KnownReference(row["base_source"], row["base_key"], title, kind)


def _rows(
    warehouse: Warehouse, dataset: Dataset, run_id: str, columns: Iterable[str]
) -> Iterator[tuple[Key, dict[str, Any]]]:
    for row in warehouse.table(dataset, run_id, columns=("source", "key", *columns)):
        yield (row["source"], row["key"]), row
