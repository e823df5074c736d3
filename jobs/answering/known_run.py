"""What is known of a run as a whole, from its files: views with standings, and what reads what.

The rules are those of the report; only keys, codes and names are kept, no texts.
"""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, NamedTuple

from discovery.judging.matrix import Cell
from discovery.judging.standing import Code, Stands
from discovery.lineage.order import Aside, Why
from discovery.model import dotted
from jobs.answering.naming import Askable, Key, by_name
from jobs.assessing import tables as assessed
from jobs.migrating.plans import NotedPlan
from jobs.reporting.in_memory import read_judged
from jobs.reporting.run_tables import RunTables
from jobs.reporting.workers import decided
from jobs.warehouse.runs import Run
from jobs.warehouse.warehouse import Warehouse
from reports.lines import Row

_CODE: Final = re.compile("[A-Z][A-Z0-9_]*")


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
        notes: Codes of what its source says and the model cannot hold.
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
    notes: tuple[str, ...]
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
    def names(self) -> frozenset[str]:
        """What people call it: with source and namespace, or less."""
        full_name = dotted((*self.namespace, self.name))
        return frozenset({self.title, full_name, self.name, "/".join(self.place)})

    @property
    def codes(self) -> frozenset[str]:
        """Every code that stands at it."""
        codes = {*(finding.code for finding in self.findings), *self.notes}
        codes |= {planned_change.code for planned_change in self.planned if planned_change.code}
        codes |= {code for cell in self.cells or () for code in (cell.reason or "").split(", ")}
        codes |= {
            code for code in (self.aside, self.stands.code, *(self.failure or ())[:1]) if code
        }
        return frozenset(filter(_CODE.fullmatch, codes))  # a cell may name what blocks it instead


@dataclass(frozen=True, slots=True)
class KnownReference:
    """Something that a view reads: in the estate, or under the name in its text."""

    source: str | None
    key: str | None
    title: str
    kind: str
    name: str = ""


@dataclass(frozen=True)
class KnownRun:
    """A run.

    Attributes:
        run: Its row.
        assessed: Whether anybody was asked who can read the views.
        views: What it saw, by source and key.
        reads: What each view reads.
        plan: The latest plan; None: nothing was planned.
    """

    run: Run
    assessed: bool
    views: Mapping[Key, KnownView]
    reads: Mapping[Key, Sequence[KnownReference]]
    plan: NotedPlan | None

    @cached_property
    def read_by(self) -> Mapping[Key, Sequence[Key]]:
        """What reads each thing, directly."""
        by_base: defaultdict[Key, set[Key]] = defaultdict(set)
        for reader, bases in self.reads.items():
            for known_reference in bases:
                if known_reference.source is not None and known_reference.key is not None:
                    by_base[known_reference.source, known_reference.key].add(reader)
        return {base: sorted(readers) for base, readers in by_base.items()}

    @cached_property
    def called(self) -> Mapping[str, Sequence[Askable]]:
        """Views by what people call them, whatever the case: with source and namespace, or less."""
        return by_name({view.place: view.names for view in self.views.values()})

    @cached_property
    def bases(self) -> Mapping[str, Sequence[Askable]]:
        """The same of views and of all that they read."""
        names: defaultdict[Key, set[str]] = defaultdict(set)
        for known_reference in {
            reference for references in self.reads.values() for reference in references
        }:
            if known_reference.source is not None and known_reference.key is not None:
                place = known_reference.source, known_reference.key
                title = known_reference.title
                names[place] |= {title, title.partition("/")[2], "/".join(place)}
                names[place] |= {known_reference.name} if known_reference.name else set()
        for view in self.views.values():
            names[view.place] |= view.names
        return by_name(names)

    @cached_property
    def engines(self) -> AbstractSet[str]:
        """The engines that somebody was asked about."""
        return {cell.engine for view in self.views.values() for cell in view.cells or ()}

    @cached_property
    def aside(self) -> Mapping[str, Aside[str]]:
        """What the order sets aside, and why, under the names that its reasons use."""
        reasons = {why.value: why for why in Why}
        return {
            "/".join(view.place): Aside(reasons[view.aside], view.because)
            for view in self.views.values()
            if view.aside is not None
        }


def read_known_run(warehouse: Warehouse, run: Run) -> KnownRun:
    """Read what is known of a run.

    Raises:
        EvidenceError: It is not as it was written.
    """
    tables = RunTables(warehouse, run.run_id)
    was_assessed = tables.is_written("matrix")
    known_views = (
        _known_view(decided(row), was_assessed=was_assessed) for row in read_judged(tables)
    )
    views = {known_view.place: known_view for known_view in known_views}
    return KnownRun(
        run, was_assessed, views, _read_references(warehouse, run.run_id), tables.latest
    )


def _known_view(row: Row, *, was_assessed: bool) -> KnownView:
    lost = row["outcome"] == "failure"
    cells = tuple(Cell(*(engine[name] for name in Cell._fields)) for engine in row["engines"] or ())
    findings = row["findings"] or ()
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
        cells=cells if was_assessed else None,
        findings=tuple(Code(*(finding[name] for name in Code._fields)) for finding in findings),
        notes=tuple(note["code"] for note in row["notes"] or ()),
        wave=row["wave"],
        aside=row["aside"],
        because=tuple(row["because"] or ()),
        planned=tuple(PlannedChange(**change) for change in row["plan"] or ()),
        stands=Stands(row["standing"], row["reason"]),
    )


_READ: Final = ("written", "base_source", "base_namespace", "base_name", "base_key", "base_kind")


def _read_references(warehouse: Warehouse, run_id: str) -> dict[Key, tuple[KnownReference, ...]]:
    by_view: defaultdict[Key, dict[KnownReference, None]] = defaultdict(dict)
    for row in warehouse.table(assessed.REFERENCES, run_id, columns=("source", "key", *_READ)):
        by_view[row["source"], row["key"]][_reference(row)] = None
    return {place: tuple(references) for place, references in by_view.items()}


def _reference(row: Mapping[str, Any]) -> KnownReference:
    kind = row["base_kind"] or "unknown"
    if row["base_source"] is None:
        return KnownReference(None, None, dotted(tuple(row["written"])), kind)
    levels = (*(row["base_namespace"] or ()), row["base_name"] or "")
    title = f"{row['base_source']}/{dotted(levels)}"
    return KnownReference(row["base_source"], row["base_key"], title, kind, row["base_name"] or "")
