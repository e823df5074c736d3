"""An apply and an undo that are killed at random points end as unbroken ones would have."""

import json
import os
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import psutil
import psycopg
from pyspark.sql import SparkSession

from jobs.apply import apply_plan
from jobs.assess import assess_run
from jobs.configuration import loader
from jobs.configuration.loader import RunConfig
from jobs.crawl import crawl_estate
from jobs.embedded.postgres import EmbeddedPostgreSQL
from jobs.migrating import plan_folder
from jobs.migrating.execution import Told
from jobs.migrating.journal import history
from jobs.migrating.tables import EVENTS
from jobs.plan import Paper, plan_run
from jobs.undo import undo_run
from jobs.warehouse.warehouse import Warehouse
from tests.conftest import hive_entry

VIEWS: Final = 2_000
_WAVES: Final = 4
_SMALL_BATCHES: Final = "spark.sql.execution.arrow.maxRecordsPerBatch=50"
_CONTENT: Final = """
    SELECT s.schema_name, v.view_name, i.columns, i.representations, i.properties, i.view_comment
    FROM view_meta v JOIN schema_meta s USING (schema_id)
    JOIN view_version_info i ON i.view_id = v.view_id AND i.version = v.current_version
    WHERE v.deleted_at = 0 AND i.deleted_at = 0 AND s.deleted_at = 0 ORDER BY 1, 2
"""
_VIEWS: Final = "SELECT view_name FROM view_meta WHERE deleted_at = 0"
_SCHEMAS: Final = "SELECT schema_name FROM schema_meta WHERE deleted_at = 0"


@dataclass
class Killed:
    """A planned migration of views in four waves, to be applied and undone, and killed at either.

    Attributes:
        killed: How often a process was killed while it still ran.
        partly: How often that was in the middle: some views were there, and not all.
        recovered: How many events say so.
    """

    spark: SparkSession
    server: EmbeddedPostgreSQL
    folder: Path
    killed: int = 0
    partly: int = 0
    recovered: int = 0

    def plan(self) -> None:
        """Crawl, assess and plan."""
        self.server.execute(("DROP DATABASE IF EXISTS killed", "CREATE DATABASE killed"))
        (self.folder / "views.jsonl").write_text("\n".join(_entries()), encoding="utf-8")
        (self.folder / "estate.yaml").write_text(
            json.dumps(_estate(self.server.url("killed"))), encoding="utf-8"
        )
        run = crawl_estate(self.spark, self.config()).run_id
        assess_run(self.spark, self.config(), run)
        paper = Paper(self.folder / "plan", self.folder / "estate.yaml")
        head = plan_run(self.spark, self.config(), run, paper)
        assert dict(head.targets["t"].counts) == {"create": VIEWS}

    def config(self) -> RunConfig:
        """The configuration."""
        return loader.load(self.folder / "estate.yaml")

    def unbroken(self) -> list[tuple[Any, ...]]:
        """What an apply that nobody kills comes to; it is undone."""
        told = self.apply()
        content = self.content()
        self.undo(told.run, VIEWS)
        return content

    def broken(self, seed: int) -> list[tuple[Any, ...]]:
        """What is there after a kill, the next command, and one apply more; it is undone.

        What is killed, where, and what the next command is go by the seed; they are printed.
        """
        chance = random.Random(seed)  # noqa: S311 - a point in time, not a secret
        what = "undo" if seed % 3 == 2 else "apply"
        then = "undo" if seed % 3 == 1 or (what == "undo" and chance.random() < 0.5) else "apply"
        run = ""
        if what == "undo":
            run = self.apply().run
            self._kill(["undo", run, "--config", str(self.folder / "estate.yaml")], chance, what)
        else:
            self._kill(["apply", str(self.folder / "plan")], chance, what)
            run = self._latest()
        seen = len(self.names(_VIEWS))
        self.partly += 0 < seen < VIEWS
        if then == "undo" and run:
            taken = undo_run(self.spark, self.config(), run, "me")
            assert taken.failed == 0
            assert what == "undo" or taken.written == seen, "as many as were there"
            self.assert_nothing_is_left()
        told = self.apply()
        self._look_at_events(told.run)
        content = self.content()
        recovered = self._recovered(run) if run else 0
        self.recovered += recovered
        print(f"seed {seed}: {what} killed at {seen} views, then {then}: {recovered} recovered")
        self.undo(told.run, VIEWS)
        return content

    def apply(self) -> Told:
        """Apply the plan; all of it is there."""
        told = apply_plan(self.spark, self.config(), self.folder / "plan", "me")
        assert (told.written, told.kept, told.failed) in {(VIEWS, 0, 0), (0, VIEWS, 0)}
        return told if told.written else replace(told, run=self._writer())

    def undo(self, run: str, views: int) -> None:
        """Take a run back; nothing of it is live."""
        told = undo_run(self.spark, self.config(), run, "me")
        assert (told.written, told.failed) == (views, 0)
        self.assert_nothing_is_left()

    def assert_nothing_is_left(self) -> None:
        """Neither views nor the namespace that was made for them."""
        assert self.names(_VIEWS) == []
        assert self.names(_SCHEMAS) == []

    def content(self) -> list[tuple[Any, ...]]:
        """The live views with all that they say."""
        try:
            with psycopg.connect(self.server.url("killed"), user="postgres") as connection:
                return connection.execute(_CONTENT).fetchall()
        except psycopg.errors.UndefinedTable:
            return []

    def names(self, query: str) -> list[str]:
        """Names that a query finds."""
        try:
            with psycopg.connect(self.server.url("killed"), user="postgres") as connection:
                return [name for (name,) in connection.execute(query)]
        except psycopg.errors.UndefinedTable:
            return []

    def _kill(self, arguments: list[str], chance: random.Random, what: str) -> None:
        """Start a command in processes of its own, and kill all of them.

        Of four points three are a number of views, one is a time since the command has its lock.
        """
        views, share = chance.randrange(VIEWS), chance.random()
        locks = self.folder / "warehouse" / "locks"
        if chance.random() < 0.25:
            self._run(arguments, lambda: any(locks.glob("plan_*.lock")), 6 * share)
        elif what == "apply":
            self._run(arguments, lambda: len(self.names(_VIEWS)) > views, share / 5)
        else:
            self._run(arguments, lambda: len(self.names(_VIEWS)) <= views, share / 5)

    def _run(self, arguments: list[str], reached: Callable[[], bool], after: float) -> None:
        log = (self.folder / "killed.log").open("wb")
        environment = {**os.environ, "BELVEDERE_SPARK_CONF": _SMALL_BATCHES}
        started = subprocess.Popen(
            [sys.executable, "-m", "jobs.cli", *arguments], stdout=log, stderr=log, env=environment
        )
        while started.poll() is None and not reached():
            time.sleep(0.02)
        time.sleep(after)
        self.killed += started.poll() is None
        with suppress(psutil.NoSuchProcess):
            driver = psutil.Process(started.pid)
            for process in [driver, *driver.children(recursive=True)]:  # workers have own groups
                with suppress(psutil.NoSuchProcess):
                    process.kill()
        started.wait()
        log.close()
        time.sleep(0.5)  # what the server had been sent, it may still commit

    def _latest(self) -> str:
        """The latest run of apply; empty if it was killed before it had a name."""
        warehouse = Warehouse(self.config().warehouse)
        plan = plan_folder.read_head(self.folder / "plan").plan
        told = history(warehouse)
        runs = told.of(plan)
        undone = {one.undoes for one in told.undoings}
        return runs[-1] if runs and runs[-1] not in undone else ""

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
    return [json.dumps({"kind": "hive_table", "payload": one}) for one in entries]


def _estate(url: str) -> dict[str, Any]:
    target = {
        "kind": "gravitino-store",
        "url": url,
        "user": "postgres",
        "metalake": "m",
        "catalog": "c",
        "provider": "hive",
        "accept_unserved": True,
    }
    return {
        "warehouse": "warehouse",
        "sources": {"a": {"kind": "archive", "path": "views.jsonl"}},
        "targets": {"t": target},
        "engines": ["hive"],
    }
