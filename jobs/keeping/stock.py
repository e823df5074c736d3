"""What is in a warehouse: its runs, plans and executions, and what lies there without a row."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

from pyspark.sql import SparkSession

from discovery.errors import EvidenceError, UnknownLayoutError
from discovery.keeping import StoredPlan, StoredRun, lost_rows
from discovery.migration.deletion import SeenRun, believed_runs
from jobs.assessing.tables import STAGE as ASSESSING
from jobs.crawling.resuming import TASKS
from jobs.crawling.tables import ARCHIVE
from jobs.migrating.listings import confirmed_runs, seen_by
from jobs.migrating.stages import EXECUTING, VERIFYING
from jobs.migrating.tables import APPLIED, APPLIES, CHANGES, PLANS
from jobs.reporting.quality_tables import CHECKING
from jobs.tables import DATASETS
from jobs.using.tables import STAGE as USING
from jobs.warehouse.datasets import StageTables
from jobs.warehouse.inventory import Inventory
from jobs.warehouse.manifest import LAYOUT
from jobs.warehouse.runs import RUNS, Run
from jobs.warehouse.unread import is_unread
from jobs.warehouse.warehouse import Warehouse

_OF_RUNS: Final = (ASSESSING, USING, CHECKING)
"""The stages of runs that are committed."""
_RESTORE: Final = (
    "restore it from a copy of the warehouse; where there is none, remove the folders `run_id=` of "
    "that name from it: nothing goes while that is so"
)
_JOURNAL: Final = frozenset({*EXECUTING.names, APPLIED.name})


@dataclass(frozen=True, slots=True)
class Stock:
    """What is in a warehouse.

    Attributes:
        inventory: Its folders.
        runs: The committed runs, oldest first.
        broken: Name of each run that is not whole to why.
        plans: The plans.
        unreadable: Rows that are lost, or there and cannot be read, as `dataset name`.
        left: Names that have files and no row: of what was interrupted, or is at work.
        believed: The runs with which the next plan compares what it has not seen.
    """

    inventory: Inventory
    runs: tuple[Run, ...]
    broken: Mapping[str, str]
    plans: tuple[StoredPlan, ...]
    unreadable: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    believed: frozenset[str] = frozenset()
    _by_run: dict[str, list[StoredPlan]] = field(default_factory=dict)

    def plans_of(self, run_id: str) -> list[StoredPlan]:
        """The plans that stand on a run."""
        if not self._by_run:
            for plan in self.plans:
                self._by_run.setdefault(plan.run_id, []).append(plan)
        return self._by_run.get(run_id, [])

    def stored_runs(self) -> list[StoredRun]:
        """The runs, as a decision about them takes them."""
        return [
            StoredRun(
                run_id=run.run_id,
                started=run.started,
                broken=self.broken.get(run.run_id, ""),
                believed=run.run_id in self.believed,
                foreign=run.layout > LAYOUT,
            )
            for run in self.runs
        ]

    def insist_on_rows(self) -> None:
        """Refuse to judge what stands on what where a row cannot be read.

        Raises:
            EvidenceError: It names them.
        """
        if self.unreadable:
            message = f"{', '.join(self.unreadable)}: the row is lost, or cannot be read"
            raise EvidenceError(message, hint=_RESTORE)

    def insist_on_reading(self, warehouse: Warehouse) -> None:
        """Refuse to take a run for damaged of which the system does not give a file: that may pass.

        Raises:
            EvidenceError: It names the first.
        """
        for run_id in self.broken:
            try:
                warehouse.run(run_id)
            except UnknownLayoutError:
                continue
            except EvidenceError as error:
                if is_unread(error):
                    hint = f"{error.hint}: nothing goes while that is so"
                    raise EvidenceError(str(error), hint=hint) from error


def stock(place: str, warehouse: Warehouse, spark: SparkSession | None) -> Stock:
    """Look what is in a warehouse.

    Args:
        place: Of the warehouse.
        warehouse: Its tables.
        spark: Reaches it where it is not on this machine.
    """
    inventory = Inventory(place, (*DATASETS, ARCHIVE, TASKS), spark)
    runs = tuple(warehouse.runs())
    executions: dict[str, list[str]] = {}
    applied = list(warehouse.table(APPLIES, "*"))
    ended = {row["run"] for row in warehouse.table(APPLIED, "*")}
    for row in applied:
        executions.setdefault(row["plan"], []).append(row["run"])
    rows = list(warehouse.table(PLANS, "*"))
    plans = tuple(_stored_plan(row, executions, ended) for row in rows)
    readable = {
        RUNS.name: {run.run_id for run in runs},
        PLANS.name: {stored_plan.plan for stored_plan in plans},
        APPLIES.name: {row["run"] for row in applied},
        APPLIED.name: ended,
    }
    unreadable, left = _find_without_row(inventory, readable, plans, {*executions})
    broken = {run.run_id: why for run in runs if (why := warehouse.why_broken(run))}
    measures = believed_runs([*_seen_runs(runs)], confirmed_runs(rows))
    return Stock(
        *(inventory, runs, broken, plans, unreadable, left),
        frozenset(measure.run_id for measure in measures.values()),
    )


def _find_without_row(
    inventory: Inventory,
    readable: Mapping[str, set[str]],
    plans: Iterable[StoredPlan],
    executed: set[str],
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Rows that are lost or cannot be read, as `dataset name`, and names that never had one.

    Args:
        inventory: What lies there.
        readable: Dataset of few rows to the names of which a row was read.
        plans: Those of which one was.
        executed: The plans that executions name.
    """
    noted = {name: inventory.names_in(name) for name in readable}
    begun = (names for name, names in noted.items() if name != APPLIED.name)
    left = inventory.names.keys() - set().union(*begun)
    lost = _lost(inventory, left, plans, executed)
    wrong = {
        name: (noted[name] - readable[name]) | lost.get(name, frozenset()) for name in readable
    }
    unreadable = tuple(f"{name} {entry}" for name in readable for entry in sorted(wrong[name]))
    return unreadable, tuple(sorted(left.difference(*lost.values())))


def _lost(
    inventory: Inventory, left: Collection[str], plans: Iterable[StoredPlan], executed: set[str]
) -> dict[str, frozenset[str]]:
    """Dataset to the names of `left` whose row in it is lost: it was there once."""
    folders = inventory.names
    lost = lost_rows(
        left,
        journals={name for name in left if not _JOURNAL.isdisjoint(folders[name])},
        executed=executed | {name for name in left if _has_any(inventory, name, VERIFYING)},
        planned={
            stored_plan.run_id
            for stored_plan in plans
            if CHANGES.name in folders.get(stored_plan.plan, ())
        }
        | {name for name in left if _has_any(inventory, name, *_OF_RUNS)},
    )
    return {APPLIES.name: lost.executions, PLANS.name: lost.plans, RUNS.name: lost.runs}


def _has_any(inventory: Inventory, name: str, *stages: StageTables) -> bool:
    """Whether later stages have begun what has a name, of which a prune has not removed the row."""
    folders = {folder for stage in stages for folder in stage.names}
    return not inventory.is_going(name) and not folders.isdisjoint(inventory.names[name])


def _stored_plan(
    row: Mapping[str, Any], executions: Mapping[str, list[str]], ended: Collection[str]
) -> StoredPlan:
    runs = tuple(sorted(executions.get(row["plan"], [])))
    return StoredPlan(
        plan=row["plan"],
        run_id=row["crawl"] or "",
        created=row["created"],
        executions=runs,
        undoes=row["undoes"] or "",
        unended=tuple(run for run in runs if run not in ended),
    )


def _seen_runs(runs: Iterable[Run]) -> Iterator[SeenRun]:
    """What they saw; nothing of a run whose counts nobody understands."""
    for run in runs:
        with suppress(EvidenceError):
            yield seen_by(run)
