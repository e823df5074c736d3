"""What a run has, as far as a report asks: its tables, and its latest plan."""

import json
from functools import cached_property
from typing import Any

from jobs.migrating.journal import history
from jobs.migrating.plans import NotedPlan, latest_plan
from jobs.tables import DATASETS
from jobs.warehouse.warehouse import Warehouse


class RunTables:
    """The datasets of a run.

    Args:
        warehouse: Where the run is.
        run_id: A committed run.
    """

    def __init__(self, warehouse: Warehouse, run_id: str) -> None:
        self.warehouse, self.run_id = warehouse, run_id
        self._written: dict[str, bool] = {}

    @property
    def plan(self) -> str | None:
        """The latest plan of the run; None: nothing was planned."""
        return None if self.latest is None else self.latest.plan

    @property
    def destinations(self) -> dict[str, dict[str, Any]]:
        """The targets of that plan; none, if nothing was planned."""
        empty: dict[str, dict[str, Any]] = {}
        return empty if self.latest is None else json.loads(self.latest.targets)

    @cached_property
    def latest(self) -> NotedPlan | None:
        """That plan; None: nothing was planned."""
        return latest_plan(self.warehouse, self.run_id)

    @cached_property
    def executions(self) -> list[str]:
        """The executions of that plan that hold what they have written."""
        return list(history(self.warehouse).holding(self.plan)) if self.plan else []

    def is_written(self, name: str) -> bool:
        """Whether a stage has written a dataset."""
        if name not in self._written:
            self._written[name] = self.warehouse.is_written(DATASETS[name], self.run_id)
        return self._written[name]
