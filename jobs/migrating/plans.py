"""The plans of a warehouse, as its dataset `plans` has them."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from discovery.migration.execution import behind
from jobs.migrating.plan_folder import PlanHead
from jobs.migrating.tables import PLANS
from jobs.warehouse.runs import now
from jobs.warehouse.warehouse import Warehouse


@dataclass(frozen=True, slots=True)
class NotedPlan:
    """A row of `plans`; its columns say what they are."""

    plan: str
    crawl: str
    created: datetime
    undoes: str | None
    targets: str
    digest: str | None
    allow_shrink: bool | None


def note_plan(
    warehouse: Warehouse, head: PlanHead, *, digest: str | None = None, allow_shrink: bool = False
) -> None:
    """Make a plan known: as made after all that are there, though the clock was set back since.

    Args:
        warehouse: Where it is.
        head: What it is about.
        digest: Of its file; None: it has none.
        allow_shrink: Whether a person says that the sources have lost what its run lacks.
    """
    targets = json.dumps({name: target.to_json() for name, target in head.targets.items()})
    moment = now()
    created = moment + behind(moment, (plan.created for plan in read_plans(warehouse)))
    noted = NotedPlan(head.plan, head.crawl, created, head.undoes, targets, digest, allow_shrink)
    warehouse.note(PLANS, head.plan, tuple(getattr(noted, name) for name in PLANS.names))


def read_plans(warehouse: Warehouse) -> Iterator[NotedPlan]:
    """The plans of a warehouse."""
    return (NotedPlan(**row) for row in warehouse.table(PLANS, "*"))


def find_plan(warehouse: Warehouse, name: str) -> NotedPlan | None:
    """The plan of a name; None: there is none."""
    return next((plan for plan in read_plans(warehouse) if plan.plan == name), None)


def latest_plan(warehouse: Warehouse, run_id: str) -> NotedPlan | None:
    """The latest plan of a run that undoes nothing; None: no plan."""
    plans = [plan for plan in read_plans(warehouse) if plan.crawl == run_id and plan.undoes is None]
    return max(plans, key=lambda plan: (plan.created, plan.plan), default=None)
