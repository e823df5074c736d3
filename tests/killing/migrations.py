"""An apply or an undo that is killed: the next command leaves what an unbroken one leaves."""

import json
import random
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from pyspark.sql import SparkSession

from jobs.apply import apply_plan
from jobs.assess import assess_run
from jobs.configuration import loader
from jobs.configuration.loader import RunConfig
from jobs.crawl import crawl_estate
from jobs.migrating import plan_folder
from jobs.migrating.execution_result import ExecutionResult
from jobs.migrating.journal import history
from jobs.migrating.tables import EVENTS
from jobs.plan import Paper, plan_run
from jobs.undo import undo_run
from jobs.warehouse.warehouse import Warehouse
from tests.conftest import hive_entry
from tests.killing.states import Kills, State, World, where
from tests.killing.targets import Killing

VIEWS: Final = 120
_WAVES: Final = 2
_LATEST: Final = 60  # changes; some fifty are seen of an apply or an undo


@dataclass
class KilledMigrations:
    """A planned migration of views in two waves, to be applied and undone, and killed at either.

    Attributes:
        kills: Of what there were how many.
        seen: How many of the views were there when it was killed, in tenths of all.
        recovered: How many events say so.
        different: Seeds and what was otherwise than it should be.
    """

    spark: SparkSession
    target: Killing
    folder: Path
    kills: Counter[str] = field(default_factory=Counter)
    seen: Counter[tuple[str, int]] = field(default_factory=Counter)
    recovered: int = 0
    different: list[str] = field(default_factory=list)

    def begin(self) -> None:
        """Crawl, assess, plan, and apply unbroken."""
        (self.folder / "views.jsonl").write_text("\n".join(_entries()), encoding="utf-8")
        (self.folder / "estate.yaml").write_text(
            json.dumps(_estate(self.target.options())), encoding="utf-8"
        )
        run = crawl_estate(self.spark, self.config()).run_id
        assess_run(self.spark, self.config(), run)
        paper = Paper(self.folder / "plan", self.folder / "estate.yaml")
        head = plan_run(self.spark, self.config(), run, paper)
        assert dict(head.targets["t"].counts) == {"create": VIEWS}
        self._world = World(self.folder / "warehouse", self.target)
        self._planned = self._world.copied(self.folder / "planned")
        self._run = self.apply().run
        self._wanted = self.target.content()
        assert len(self._wanted) == VIEWS
        self._applied = self._world.copied(self.folder / "applied")

    def config(self) -> RunConfig:
        """The configuration."""
        return loader.load(self.folder / "estate.yaml")

    def kill(self, seed: int, most: int = 12) -> None:
        """Kill an apply, or an undo, at some points; see what the next command leaves."""
        chance = random.Random(seed)  # noqa: S311 - a point in time, not a secret
        what = "undo" if seed % 2 else "apply"
        self._world.put_back(self._applied if what == "undo" else self._planned)
        arguments = ["apply", str(self.folder / "plan")]
        if what == "undo":
            arguments = ["undo", self._run, "--config", str(self.folder / "estate.yaml")]
        kills = Kills(arguments, most, _LATEST)
        for state in kills.of(self._world, chance, self.folder / f"seed-{seed}"):
            number = state.warehouse.name
            then = chance.choice(("apply", "undo"))
            print(
                f"seed {seed}.{number}: {self.go_on(what, state, then, f'{seed}.{number}')}",
                flush=True,
            )

    def go_on(self, what: str, state: State, then: str, point: str) -> str:
        """Go on after a kill, with apply or with undo; a sentence of what it came to."""
        self._world.put_back(state)
        seen = len(self.target.views())
        self.kills[what] += 1
        self.seen[what, seen * 10 // VIEWS] += 1
        told = f"{what} killed at {seen} of {VIEWS} views, then {then}: "
        try:
            recovered = self._ended(what, seen, then)
        except Exception as error:  # noqa: BLE001 - all seeds are seen
            self.different.append(f"{point}: {told}{where(error)}")
            return f"{told}DIFFERENT: {where(error)}"
        self.recovered += recovered
        return f"{told}{recovered} recovered, equal"

    def _ended(self, what: str, seen: int, then: str) -> int:
        """Compare what the next command leaves; how many views it has found that were not noted."""
        assert all(holder is not None and holder.is_dead() for holder in self._world.holders())
        run = self._run if what == "undo" else self._latest()
        if then == "undo" and run:
            taken = undo_run(self.spark, self.config(), run, "me")
            assert taken.failed == 0
            assert what == "undo" or taken.written == seen, "as many as were there"
            assert self.target.views() == []
            assert self.target.schemas() == [], "the namespace that was made for them"
        execution_result = self.apply()
        self._look_at_events(execution_result.run)
        assert self.target.content() == self._wanted
        assert not self._world.holders()
        return self._recovered(run) if run else 0

    def apply(self) -> ExecutionResult:
        """Apply the plan; all of it is there."""
        execution_result = apply_plan(self.spark, self.config(), self.folder / "plan", "me")
        assert (execution_result.written, execution_result.kept, execution_result.failed) in {
            (VIEWS, 0, 0),
            (0, VIEWS, 0),
        }
        return (
            execution_result
            if execution_result.written
            else replace(execution_result, run=self._writer())
        )

    def _latest(self) -> str:
        """The latest run of apply; empty if it was killed before it had a name."""
        warehouse = Warehouse(self.config().warehouse)
        runs = history(warehouse).of(plan_folder.read_head(self.folder / "plan").plan)
        return runs[-1] if runs else ""

    def _writer(self) -> str:
        """The run that wrote what is there: the latest one with events."""
        warehouse = Warehouse(self.config().warehouse)
        runs = history(warehouse).of(plan_folder.read_head(self.folder / "plan").plan)
        return [run for run in runs if any(warehouse.table(EVENTS, run))][-1]

    def _look_at_events(self, run: str) -> None:
        """As many events as writes, each view once, those of the killed attempt included."""
        events = list(Warehouse(self.config().warehouse).table(EVENTS, run))
        assert Counter(row["result"] for row in events).keys() <= {"done", "recovered"}
        assert len({row["key"] for row in events}) == len(events) == VIEWS

    def _recovered(self, run: str) -> int:
        """How many views a run had written and not noted, itself and its undo."""
        warehouse = Warehouse(self.config().warehouse)
        runs = [run, *history(warehouse).of(f"undo-{run}")]
        rows = (row for one in runs for row in warehouse.table(EVENTS, one))
        return sum(row["result"] == "recovered" for row in rows)


def _entries() -> list[str]:
    """Views in chains: each reads the one before it, the first of each chain a table."""
    entries = [{**hive_entry("t", ""), "tableType": "MANAGED_TABLE"}]
    for number in range(VIEWS):
        below = f"v{number - 1}" if number % _WAVES else "t"
        entries.append(hive_entry(f"v{number}", f"select `{below}`.`id` from `rel`.`{below}`"))
    return [json.dumps({"kind": "hive_table", "payload": entry}) for entry in entries]


def _estate(target: dict[str, Any]) -> dict[str, Any]:
    return {
        "warehouse": "warehouse",
        "sources": {"a": {"kind": "archive", "path": "views.jsonl"}},
        "targets": {"t": target},
        "engines": ["hive"],
    }
