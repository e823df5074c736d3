"""An apply that is killed at random points ends as an unbroken one would have."""

import json
import os
import random
import subprocess
import sys
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
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


@dataclass
class Killed:
    """A planned migration of views in four waves, to be applied and killed.

    Attributes:
        killed: How often the process was killed while it still ran.
        partly: How often that was in the middle: some views were written, and not all.
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
        told = apply_plan(self.spark, self.config(), self.folder / "plan", "me")
        content = self.content()
        self.undo(told.run)
        return content

    def broken(self, seed: int) -> list[tuple[Any, ...]]:
        """What an apply comes to that is killed and continued; it is undone.

        The point is a number of views, small amounts of time after they have been seen there.
        """
        chance = random.Random(seed)  # noqa: S311 - a point in time, not a secret
        self._kill_at(chance.randrange(VIEWS), chance.random() / 5)
        seen = len(self.content())
        self.partly += 0 < seen < VIEWS
        told = apply_plan(self.spark, self.config(), self.folder / "plan", "me")
        assert (told.written, told.failed) == (VIEWS, 0)
        self._look_at_events(told.run, seen)
        content = self.content()
        self.undo(told.run)
        return content

    def undo(self, run: str) -> None:
        """Take a run back; nothing of it is live."""
        told = undo_run(self.spark, self.config(), run, "me")
        assert (told.written, told.failed) == (VIEWS, 0)
        assert self.content() == []

    def content(self) -> list[tuple[Any, ...]]:
        """The live views with all that they say."""
        try:
            with psycopg.connect(self.server.url("killed"), user="postgres") as connection:
                return connection.execute(_CONTENT).fetchall()
        except psycopg.errors.UndefinedTable:
            return []

    def _kill_at(self, views: int, after: float) -> None:
        """Start an apply in processes of its own, and kill all of them."""
        command = [sys.executable, "-m", "jobs.cli", "apply", str(self.folder / "plan")]
        log = (self.folder / "apply.log").open("wb")
        environment = {**os.environ, "BELVEDERE_SPARK_CONF": _SMALL_BATCHES}
        applied = subprocess.Popen(command, stdout=log, stderr=log, env=environment)
        while applied.poll() is None and len(self.content()) <= views:
            time.sleep(0.02)
        time.sleep(after)
        self.killed += applied.poll() is None
        driver = psutil.Process(applied.pid)
        family = [driver, *driver.children(recursive=True)]
        for process in family:  # Python's workers are in a group of their own
            with suppress(psutil.NoSuchProcess):
                process.kill()
        applied.wait()
        log.close()
        time.sleep(0.5)  # what the server had been sent, it may still commit

    def _look_at_events(self, run: str, seen: int) -> None:
        """As many events as writes, each view once, those of the killed attempt included."""
        events = list(Warehouse(self.config().warehouse).table(EVENTS, run))
        results = Counter(row["result"] for row in events)
        assert results.keys() <= {"done", "recovered"}
        assert len({row["key"] for row in events}) == len(events) == VIEWS
        assert results["recovered"] <= seen, "what was not there cannot be found there"
        self.recovered += results["recovered"]


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
