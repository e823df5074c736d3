"""A crawl that is killed: nobody takes it for committed, and the next leaves an unbroken run."""

import gzip
import json
import random
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import pytest
from pyspark.sql import SparkSession

from discovery.errors import ConfigurationError, EvidenceError
from jobs.configuration import loader
from jobs.console import command
from jobs.crawl import crawl_estate
from jobs.crawling.tables import ARCHIVE, DATASETS, OBJECTS, OUTCOMES
from jobs.warehouse.warehouse import Warehouse
from tests.checking import damage, lost_rows
from tests.conftest import hive_entry, spark_entry
from tests.killing.states import Kills, State, World, where

_FILES: Final = 4
_VIEWS: Final = 50  # of each file
_BASE: Final = "unbroken"
_LATEST: Final = 30  # changes; some twenty are seen of a crawl
_OF_ATTEMPTS: Final = ("run_id", "seconds", "fetching", "listing")
"""What a run says of how it was made; `listing`: by which attempt, if that was an earlier one."""

Rows = dict[str, list[str]]


@dataclass
class KilledCrawls:
    """An estate of archives, one crawl of it that nobody killed, and others that are killed.

    Attributes:
        committed: How many of the killed ones had committed.
        stages: How far the others had come.
        different: Seeds and what was otherwise than it should be.
    """

    spark: SparkSession
    folder: Path
    kills: int = 0
    committed: int = 0
    stages: Counter[str] = field(default_factory=Counter)
    different: list[str] = field(default_factory=list)

    def begin(self) -> None:
        """Write the estate, and crawl it unbroken."""
        (self.folder / "entries").mkdir()
        for number in range(_FILES):
            path = self.folder / "entries" / f"{number}.jsonl"
            path.write_text("\n".join(_entries(number)), encoding="utf-8")
        sources = {"a": {"kind": "archive", "path": "entries", "connections": 2}}
        told = {
            "warehouse": "warehouse",
            "archive": True,
            "sources": sources,
            "fail_on": {"undecoded": 1},
        }
        self._path = self.folder / "estate.yaml"
        self._path.write_text(json.dumps(told), encoding="utf-8")
        self._config = loader.load(self._path)
        self._world = World(self.folder / "warehouse")
        crawl_estate(self.spark, self._config, _BASE)
        self._wanted = self.rows(_BASE)
        self._whole = self._world.copied(self.folder / "whole")

    def kill(self, seed: int, most: int = 12) -> None:
        """Kill a crawl at some points, and see after each what its readers say and who goes on."""
        chance = random.Random(seed)  # noqa: S311 - a point in time, not a secret
        self._world.put_back(self._whole)
        arguments = ["crawl", "--config", str(self._path), "--run-id", "killed"]
        kills = Kills(arguments, most, _LATEST)
        for state in kills.of(self._world, chance, self.folder / f"seed-{seed}"):
            number = state.warehouse.name
            self._world.put_back(state)
            self.kills += 1
            stage = self.stage(state)
            self.stages[stage] += 1
            again = "killed" if chance.random() < 0.5 else "another"
            try:
                self.assert_readers_know()
                self.assert_it_is_crawled(again)
                told = "equal"
            except Exception as error:  # noqa: BLE001 - all seeds are seen
                told = f"DIFFERENT: {where(error)}"
                self.different.append(f"seed {seed}, change {number}: {told}")
            print(
                f"seed {seed}, change {number}: crawl killed: {stage}; then run {again}: {told}",
                flush=True,
            )

    def stage(self, state: State) -> str:
        """How far a killed crawl had come."""
        place, run = state.warehouse, "run_id=killed"
        if (place / "runs" / run).exists() and any((place / "runs" / run).glob("*.parquet")):
            return "committed"
        manifest = place / "manifests" / run / "crawl.json"
        if not manifest.exists():
            return "locked"
        if json.loads(manifest.read_text(encoding="utf-8"))["ended"]:
            return "sealed"
        for name in (ARCHIVE, OUTCOMES.name, OBJECTS.name):
            if (place / name / run / "_SUCCESS").exists():
                return f"{name} written"
            if (place / name / run).exists():
                return f"{name} begun"
        return "begun"

    def assert_readers_know(self) -> None:
        """Only what is committed is there, and whole; who has the lock is known to be dead."""
        assert all(holder is not None and holder.is_dead() for holder in self._world.holders())
        assert damage(self._config.warehouse) == []
        for row in lost_rows(self._config.warehouse):  # nobody can tell a lost row from none yet
            assert row.startswith("killed: its files are sealed, and it has no row")
        warehouse = Warehouse(self._config.warehouse)
        if "killed" in {run.run_id for run in warehouse.runs()}:
            self.committed += 1
            assert self.rows("killed") == self._wanted
            return
        assert warehouse.run(None).run_id == _BASE
        assert [run.run_id for run in warehouse.whole_runs()] == [_BASE]
        with pytest.raises(ConfigurationError, match="no committed run killed"):
            warehouse.run("killed")
        if any((self._world.warehouse / "manifests" / "run_id=killed").glob("*.json")):
            for dataset in DATASETS:
                self.assert_nobody_reads(warehouse, dataset.name)

    def assert_nobody_reads(self, warehouse: Warehouse, name: str) -> None:
        """What an uncommitted run has written is refused, unless all of it was sealed."""
        dataset = {one.name: one for one in DATASETS}[name]
        try:
            rows = [*warehouse.table(dataset, "killed")]
        except EvidenceError as error:
            assert "has not ended, or was interrupted" in str(error)  # noqa: PT017 - or none is
        else:
            assert _texts(rows) == self._wanted[name]

    def assert_it_is_crawled(self, run: str) -> None:
        """The next crawl, into that run or another one, is as one that nobody killed."""
        done = crawl_estate(self.spark, self._config, run)
        assert done.exit_code == command.FINE
        assert self.rows(run) == self._wanted
        warehouse = Warehouse(self._config.warehouse)
        assert warehouse.run(run).run_id == run
        assert damage(self._config.warehouse) == []
        left = {
            holder for holder in self._world.holders() if holder is None or not holder.is_dead()
        }
        assert not left

    def rows(self, run: str) -> Rows:
        """All that a committed run has: rows, counts, and the lines of its archive."""
        warehouse = Warehouse(self._config.warehouse)
        counts = json.loads(warehouse.run(run).counts)
        found = {dataset.name: _texts(warehouse.table(dataset, run)) for dataset in DATASETS}
        found["counts"] = _texts([{key: counts[key] for key in counts if key not in _OF_ATTEMPTS}])
        lines = []
        for path in (self._world.warehouse / ARCHIVE / f"run_id={run}").glob("*.gz"):
            lines += gzip.decompress(path.read_bytes()).decode().splitlines()
        found["archive"] = sorted(lines)
        return found


def _texts(rows: object) -> list[str]:
    assert hasattr(rows, "__iter__")
    return sorted(json.dumps(row, sort_keys=True, default=str) for row in rows)


def _entries(file: int) -> list[str]:
    """Views as Hive and as Spark write them, and in the first file one that nobody can read."""
    entries = [{**hive_entry("t", "", f"d{file}"), "tableType": "MANAGED_TABLE"}]
    for number in range(_VIEWS):
        made = spark_entry if number % 2 else hive_entry
        entries.append(made(f"v{number}", f"select `t`.`id` from `d{file}`.`t`", f"d{file}"))
    if not file:
        unread = {"viewOriginalText": "/* Presto View: ? */", "parameters": {"presto_view": "true"}}
        entries[1] |= unread
    return [json.dumps({"kind": "hive_table", "payload": entry}) for entry in entries]
