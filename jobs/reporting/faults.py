"""The faults of a run, as its tables have them, without Spark."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from discovery.acceptance import Baseline, Fault
from discovery.outcomes import Stage
from jobs.assessing.tables import FINDINGS, WAVES
from jobs.crawling.tables import OUTCOMES
from jobs.migrating import accepting
from jobs.migrating.plans import latest_plan
from jobs.warehouse.warehouse import Warehouse
from reports.codes import FAILURES, pages

_SKIPPED: Final = "Skipped objects"
_BLOCKED: Final = "Blocked"
_SUMMED: Final = frozenset({"Standing", "Engines"})
"""Groups of codes that only a report makes of what the tables have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """Which faults are looked for.

    Attributes:
        sources: Of these sources; none: of all.
        objects: At objects with these keys; none: at all.
        codes: With these codes, whatever they are; none: failures, errors, and what is set aside.
    """

    sources: tuple[str, ...] = ()
    objects: tuple[str, ...] = ()
    codes: tuple[str, ...] = ()

    def where(self, **others: Sequence[str]) -> dict[str, Sequence[str]]:
        """For a table of a run."""
        wanted = {"source": self.sources, "key": self.objects, "code": self.codes}
        return {**{name: values for name, values in wanted.items() if values}, **others}

    def has(self, fault: Fault) -> bool:
        """Whether a fault is looked for."""
        pairs = ((self.sources, fault.source), (self.objects, fault.object))
        return all(
            not values or value in values for values, value in (*pairs, (self.codes, fault.code))
        )


def faults(warehouse: Warehouse, run_id: str, choice: Choice) -> Iterator[Fault]:
    """The faults of a run; some of them more than once.

    Args:
        warehouse: Where it is.
        run_id: A committed run.
        choice: Which are looked for.
    """
    outcome = ("failure", "skipped") if choice.codes else ("failure",)
    yield from _faults_of(warehouse.table(OUTCOMES, run_id, where=choice.where(outcome=outcome)))
    if warehouse.is_written(FINDINGS, run_id):
        severity = {} if choice.codes else {"severity": ("error",)}
        yield from _faults_of(warehouse.table(FINDINGS, run_id, where=choice.where(**severity)))
        where = {name: values for name, values in choice.where().items() if name != "code"}
        aside = warehouse.table(WAVES, run_id, where=where)
        yield from filter(choice.has, _faults_of((row for row in aside if row["aside"]), "aside"))
    yield from filter(choice.has, _read_set_aside(warehouse, run_id))
    yield from _read_summed(warehouse, run_id, choice)


def find_met_faults(warehouse: Warehouse, run_id: str, baseline: Baseline) -> set[Fault]:
    """The faults of a baseline that a run has, or may have: not every stage may have run."""
    accepted = {acceptance.fault for acceptance in baseline.acceptances}
    if not accepted:
        return set()
    columns = [sorted(set(cells)) for cells in zip(*accepted, strict=True)]
    choice = Choice(sources=(*columns[0],), objects=(*columns[1],), codes=(*columns[2],))
    matching = set(faults(warehouse, run_id, choice))
    assessed = warehouse.is_written(FINDINGS, run_id)
    planned = latest_plan(warehouse, run_id) is not None
    unknown = _read_unknown_places(warehouse, run_id, choice.sources) if accepted - matching else []
    for fault in accepted - matching:
        page = pages().get(fault.code)
        group = page.group if page else ""
        of_stage = assessed if group not in {FAILURES, _SKIPPED, _BLOCKED} else True
        is_seen = not any(fault.is_below(*place) for place in unknown)
        if not (is_seen and of_stage and (planned or group != _BLOCKED)):
            matching.add(fault)
    return matching & accepted


def _read_unknown_places(
    warehouse: Warehouse, run_id: str, sources: Sequence[str]
) -> list[tuple[str, str]]:
    """Source and key of what could not be listed or read: nobody knows what is there."""
    where: dict[str, Sequence[str]] = {"outcome": ["failure"], "source": sources}
    columns = ("source", "key", "entity", "stage")
    return [
        (row["source"], "" if row["entity"] == "source" else row["key"])
        for row in warehouse.table(OUTCOMES, run_id, where=where, columns=columns)
        if row["stage"] in {Stage.LIST, Stage.READ}
    ]


def _faults_of(rows: Iterable[Mapping[str, Any]], code: str = "code") -> Iterator[Fault]:
    for row in rows:
        yield Fault(row["source"], row["key"], row[code])


def _read_set_aside(warehouse: Warehouse, run_id: str) -> Iterator[Fault]:
    """Why the latest plan sets views aside."""
    plan = latest_plan(warehouse, run_id)
    if plan is not None:
        for change in accepting.read_aside_changes(warehouse, plan.plan):
            yield from change.faults


def _read_summed(warehouse: Warehouse, run_id: str, choice: Choice) -> Iterator[Fault]:
    """Codes that no table has by itself, at objects that are named and that there are."""
    by_code = pages()
    codes = [code for code in choice.codes if code in by_code and by_code[code].group in _SUMMED]
    if codes and choice.objects:
        where = {name: values for name, values in choice.where().items() if name != "code"}
        for row in warehouse.table(OUTCOMES, run_id, where=where, columns=("source", "key")):
            yield from (Fault(row["source"], row["key"], code) for code in codes)
