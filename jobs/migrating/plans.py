"""The plans that were made of a run."""

from typing import Any

from jobs.migrating.tables import PLANS
from jobs.warehouse.warehouse import Warehouse


def latest_plan(warehouse: Warehouse, run_id: str) -> dict[str, Any] | None:
    """The latest plan of a run that undoes nothing, as a row of `plans`; None: no plan."""
    mine = [
        row
        for row in warehouse.table(PLANS, "*")
        if row["crawl"] == run_id and row["undoes"] is None
    ]
    return max(mine, key=lambda row: (row["created"], row["plan"]), default=None)
