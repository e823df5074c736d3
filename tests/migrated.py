"""A migration under test: archives as sources, and a store to plan, apply, verify and undo in."""

import json
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from discovery.model import View
from discovery.ports import ViewStore
from jobs.apply import apply_plan
from jobs.assess import assess_run
from jobs.configuration.loader import RunConfig
from jobs.console.command import ExitReason
from jobs.crawl import crawl_estate
from jobs.migrating.execution_result import ExecutionResult
from jobs.migrating.plan_folder import PlanHead
from jobs.migrating.tables import EVENTS
from jobs.plan import Paper, plan_run, reasons
from jobs.tables import TABLES
from jobs.undo import undo_run
from jobs.verify import Verified, verify_plan
from jobs.warehouse.datasets import Dataset
from jobs.warehouse.warehouse import Warehouse
from tests.conftest import hive_entry

Estate = Callable[..., RunConfig]
TABLE = {**hive_entry("t", ""), "tableType": "MANAGED_TABLE"}
_BEGUN: dict[str, tuple[str, Path]] = {}
"""What was crawled and assessed first: to the run and a copy of its warehouse."""
BASE = hive_entry("base", "select `t`.`id` from `rel`.`t`")
TOP = hive_entry("top", "select `base`.`id` from `rel`.`base`")


@dataclass
class Migration:
    """Two archives as sources, `a` and `b`, and a target `t`."""

    spark: SparkSession
    estate: Estate
    folder: Path
    more: dict[str, Any]

    def crawl(
        self,
        *entries: dict[str, Any],
        other: tuple[dict[str, Any], ...] = (),
        database: dict[str, Any] | None = None,
    ) -> str:
        """Put the entries into the sources `a` and `b`, crawl and assess them; the run.

        The first run of a migration is crawled and assessed once for all tests that begin with the
        same estate.
        """
        sources = {}
        for name, payloads in (("a", entries), ("b", other)):
            path = self.folder / f"{name}.jsonl"
            lines = [json.dumps({"kind": "hive_table", "payload": payload}) for payload in payloads]
            if database:
                lines.insert(0, json.dumps({"kind": "hive_database", "payload": database}))
            path.write_text("\n".join(lines), encoding="utf-8")
            if payloads:
                sources[name] = {"kind": "archive", "path": str(path)}
        self.config = self.estate(sources, **self.more)
        return self._assessed_once([entries, other, database])

    def begin(self, sources: dict[str, dict[str, Any]], *, stays: bool = False) -> str:
        """Crawl and assess sources of other kinds; the run.

        Args:
            sources: Their configuration.
            stays: Whether all tests find the same in them, so that the first run is good for all.
        """
        self.config = self.estate(sources, **self.more)
        return self._assessed_once(sources) if stays else self._assessed()

    def _assessed_once(self, begun: object) -> str:
        warehouse = Path(self.config.warehouse)
        if warehouse.exists():
            return self._assessed()
        of = self.config
        terms = (of.engines, of.catalogs, of.mapping, of.target_catalogs)
        key = json.dumps([begun, terms, self.more.get("crawl")])
        if key not in _BEGUN:
            kept = self.folder.parent / f"begun-{len(_BEGUN)}"
            _BEGUN[key] = self._assessed(), kept
            shutil.copytree(warehouse, kept)
        else:
            shutil.copytree(_BEGUN[key][1], warehouse)
        return _BEGUN[key][0]

    def _assessed(self) -> str:
        run_id = crawl_estate(self.spark, self.config).run_id
        assess_run(self.spark, self.config, run_id)
        return run_id

    def plan(self, *, delete: bool = False, shrunk: bool = False) -> PlanHead:
        run = Warehouse(self.config.warehouse).run(None).run_id
        return plan_run(self.spark, self.config, run, self._paper(delete=delete, shrunk=shrunk))

    def why_planned(self, head: PlanHead) -> list[ExitReason]:
        """Why the plan does not end with 0."""
        return reasons(self.spark, self.config, head, self._paper())

    def _paper(self, *, delete: bool = False, shrunk: bool = False) -> Paper:
        return Paper(self.folder / "plan", self.folder / "estate.yaml", delete, shrunk)

    def apply(self, *, delete: bool = False) -> ExecutionResult:
        return apply_plan(self.spark, self.config, self.folder / "plan", "bob", delete=delete)

    def verify(self) -> Verified:
        return verify_plan(self.spark, self.config, self.folder / "plan")

    def undo(self, run: str) -> ExecutionResult:
        return undo_run(self.spark, self.config, run, "bob")

    def counts(self, head: PlanHead) -> dict[str, int]:
        return dict(head.targets["t"].counts)

    def table(self, name: str, run: str) -> list[dict[str, Any]]:
        return list(Warehouse(self.config.warehouse).table(TABLES[name], run))

    def lines(self, name: str = "changes") -> list[dict[str, Any]]:
        text = (self.folder / "plan" / f"{name}.jsonl").read_text(encoding="utf-8")
        return [json.loads(line) for line in text.splitlines()]

    def adopt(self) -> None:
        """Adopt all drafts of the plan, as a person would."""
        path = self.folder / "plan" / "changes.jsonl"
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace('"adopt": false', '"adopt": true'), encoding="utf-8")

    def store(self) -> ViewStore:
        """The target's store, beside the migration."""
        return self.config.targets["t"].store()

    def there(self) -> dict[str, View]:
        """The views of the target by name."""
        with self.store() as store:
            places = [listed.identifier for listed in store.listing() if listed.name]
            return {str(view.identifier): view for view in store.present(places)}

    def schemas(self) -> set[tuple[str, ...]]:
        with self.store() as store:
            return {listed.namespace for listed in store.listing() if not listed.name}


@contextmanager
def restored(folder: Path, aside: Path) -> Iterator[None]:
    """Leave a folder as it was before the block: its path stands in plans and configurations.

    Args:
        folder: The folder.
        aside: A place that is not there yet, for a copy of it.
    """
    shutil.copytree(folder, aside)
    try:
        yield
    finally:
        shutil.rmtree(folder)
        shutil.move(aside, folder)


class Killed(BaseException):
    """The driver is no more."""


@contextmanager
def killed_at(dataset: str, number: int) -> Iterator[None]:
    """End the driver when it notes something of a dataset for so many times.

    Events are lost after the target was written, which one job does.
    """
    seen: Counter[str] = Counter()

    def killing(real: Callable[..., None]) -> Callable[..., None]:
        def noting(self: Warehouse, of: Dataset, run: str, *rest: Any) -> None:
            seen[of.name] += 1
            if (of.name, seen[of.name]) != (dataset, number):
                real(self, of, run, *rest)
                return
            if of is EVENTS:
                rest[0].write.format("noop").mode("overwrite").save()
            raise Killed

        return noting

    with pytest.MonkeyPatch.context() as patched:
        for name in ("write", "append", "note"):
            patched.setattr(Warehouse, name, killing(getattr(Warehouse, name)))
        with pytest.raises(Killed):
            yield


def latest(migration: Migration) -> str:
    """The latest run of apply or undo."""
    runs = migration.table("applies", "*")
    return str(max(runs, key=lambda row: (row["started"], row["run"]))["run"])
