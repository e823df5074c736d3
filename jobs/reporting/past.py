"""What the histories of views refer to: the latest runs, their latest plans, their executions."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from discovery.errors import ConfigurationError
from jobs.migrating import tables as migrating
from jobs.migrating.plans import read_plans
from jobs.warehouse.runs import Run
from jobs.warehouse.warehouse import Warehouse
from reports.histories import Past, PastPlan, PastRun, instant

RUNS: Final = 10  # that are looked at, the report's own among them
PLANS: Final = 10


@dataclass(frozen=True, slots=True)
class PastRuns:
    """The same with what finds their tables.

    Attributes:
        runs: The latest committed runs, oldest first; the one that is reported is the last.
        plans: The latest plans of all runs up to it, oldest first.
        applies: Execution of `apply` to the plan that it was of.
    """

    runs: Sequence[Run]
    plans: Sequence[PastPlan] = ()
    applies: Mapping[str, str] = field(default_factory=dict)

    def to_past(self) -> Past:
        """What entries say of them."""
        seen = [PastRun(run.run_id, instant(run.started)) for run in self.runs]
        return Past(seen, {plan.name: plan for plan in self.plans})


def runs_until(warehouse: Warehouse, run: Run) -> list[Run]:
    """The committed runs up to this one, but those that are damaged, or were judged by half.

    This one itself may be removed by a `prune` meanwhile: whoever reads it then says so.
    """
    before = (earlier for earlier in warehouse.whole_runs() if earlier.age < run.age)
    return [*(earlier for earlier in before if not warehouse.is_interrupted(earlier.run_id)), run]


def left_out(warehouse: Warehouse, runs: Sequence[Run]) -> tuple[str, ...]:
    """The damaged runs before the last of what `runs_until` gives, each with why."""
    known = {run.run_id for run in runs}
    others = (run for run in warehouse.runs() if run.run_id not in known)
    return tuple(
        run.describe_damage(why)
        for run in others
        if run.age < runs[-1].age and (why := warehouse.why_broken(run))
    )


def earlier_run(warehouse: Warehouse, run: Run, against: str | None) -> Run | None:
    """The run to compare a run with: the one that is named, or the one before it.

    Raises:
        ConfigurationError: There is none of that name, or it is the run itself.
    """
    if against == run.run_id:
        raise ConfigurationError(f"run {against} cannot be compared with itself")
    if against is not None:
        return warehouse.run(against)
    before = runs_until(warehouse, run)[:-1]
    return before[-1] if before else None


def past_of(warehouse: Warehouse, runs: Sequence[Run]) -> PastRuns:
    """What is to be told of the views of the last of some committed runs, oldest first."""
    run_ids = {run.run_id for run in runs}
    noted = [plan for plan in read_plans(warehouse) if plan.crawl in run_ids]
    latest = sorted(noted, key=lambda noted_plan: (noted_plan.created, noted_plan.plan))[-PLANS:]
    plans = [
        PastPlan(noted_plan.plan, instant(noted_plan.created), _unserved(noted_plan.targets))
        for noted_plan in latest
    ]
    names = {plan.name for plan in plans}
    applies = {
        row["run"]: row["plan"]
        for row in warehouse.table(migrating.APPLIES, "*")
        if row["plan"] in names
    }
    return PastRuns(runs[-RUNS:], plans, applies)


def _unserved(targets: str) -> frozenset[str]:
    return frozenset(name for name, load in json.loads(targets).items() if not load["served"])
