"""Suites over real runs: faults planted in sources, in the warehouse and in a target."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from connectors.gravitino.entity_store.store import EntityStore, Options
from discovery.migration.changes import fingerprint
from discovery.model import Primitive
from discovery.ports import Action, Change
from jobs import cli
from jobs.apply import apply_plan
from jobs.assess import assess_run
from jobs.assessing import tables as assessed
from jobs.configuration.loader import RunConfig
from jobs.console import command
from jobs.crawl import crawl_estate
from jobs.crawling import tables as crawled
from jobs.embedded.postgres import EmbeddedPostgreSQL
from jobs.migrating import tables as planned
from jobs.migrating.stages import PLANNING, VERIFYING
from jobs.plan import Paper, plan_run
from jobs.quality import check_run
from jobs.report import ReportScope, write_report
from jobs.reporting import quality_tables
from jobs.verify import verify_plan
from jobs.warehouse.runs import RUNS
from jobs.warehouse.warehouse import Warehouse
from reports.head import ReportHead
from reports.quality.model import Name, QualityTerms, Status
from tests.conftest import estate_in, hive_entry, spark_entry, trino_entry
from tests.elsewhere import by_spark
from tests.migrated import restored

Estate = Callable[..., RunConfig]
ENTRIES = (
    {**hive_entry("t", ""), "tableType": "MANAGED_TABLE"},
    hive_entry("h", "select `t`.`id` from `rel`.`t`"),
    spark_entry("s", "SELECT id FROM t"),
    trino_entry("p", "SELECT id FROM t"),
)


@dataclass
class Runs:
    """Runs under test: an archive as source, its views migrated and read back."""

    spark: SparkSession
    estate: Estate
    folder: Path
    url: str

    def crawl(self, *entries: dict[str, Any], name: str) -> str:
        """Put the entries into the source and crawl it."""
        path = self.folder / "a.jsonl"
        lines = [json.dumps({"kind": "hive_table", "payload": entry}) for entry in entries]
        path.write_text("\n".join(lines), encoding="utf-8")
        target = {
            "kind": "gravitino-store",
            "url": self.url,
            "user": "postgres",
            "metalake": "m",
            "catalog": "c",
            "provider": "hive",
            "accept_unserved": True,
        }
        sources = {"a": {"kind": "archive", "path": str(path)}}
        self.config = self.estate(sources, targets={"t": target}, engines=["hive", "spark"])
        return crawl_estate(self.spark, self.config, name).run_id

    def run(self, *entries: dict[str, Any]) -> None:
        """Crawl, assess, migrate and read back the run `r`."""
        run_id = self.crawl(*entries, name="r")
        assess_run(self.spark, self.config, run_id)
        paper = Paper(self.folder / "plan", self.folder / "estate.yaml")
        plan_run(self.spark, self.config, run_id, paper)
        apply_plan(self.spark, self.config, self.folder / "plan", "bob")
        self.verify()

    def verify(self) -> None:
        verify_plan(self.spark, self.config, self.folder / "plan")

    @property
    def warehouse(self) -> Warehouse:
        return Warehouse(self.config.warehouse)

    def failed(self, terms: QualityTerms | None = None, against: str | None = None) -> list[str]:
        """What fails; the table says the same."""
        evaluated = check_run(self.warehouse, terms or QualityTerms(), None, against)
        run_id = self.warehouse.run(None).run_id
        rows = list(self.warehouse.table(quality_tables.QUALITY, run_id))
        assert [row["status"] for row in rows] == [result.status for result in evaluated.results]
        assert evaluated.gates == any(row["gates"] for row in rows)
        return [row["name"] for row in rows if row["status"] == Status.FAILED]

    def reported(self) -> ReportHead:
        """What a report says of the latest run."""
        folder = self.folder / "report"
        return write_report(lambda: self.spark, self.warehouse, None, folder, ReportScope())

    def rewrite(self, dataset: str, run_id: str, change: Callable[[list[Any]], list[Any]]) -> None:
        """Change the rows of a dataset as if its stage had written them so."""
        stages = (crawled.STAGE, assessed.STAGE, PLANNING, VERIFYING)
        stage = next(stage_tables for stage_tables in stages if dataset in stage_tables.names)
        warehouse = self.warehouse
        run = warehouse.run(None)
        folder = Path(self.config.warehouse) / dataset / f"run_id={run_id}"
        for path in folder.rglob("*.parquet"):
            table = pq.read_table(path, partitioning=None)
            rows = change(table.to_pylist())
            pq.write_table(table.from_pylist(rows, table.schema), path)
            path.with_name(f".{path.name}.crc").unlink(missing_ok=True)
        manifest = warehouse.seal(stage, run_id)
        if stage is crawled.STAGE:
            warehouse.commit(replace(run, manifest=manifest))


@pytest.fixture(scope="module")
def made(
    spark: SparkSession, postgresql: EmbeddedPostgreSQL, tmp_path_factory: pytest.TempPathFactory
) -> Runs:
    """A run that was migrated and read back."""
    folder = tmp_path_factory.mktemp("quality")
    postgresql.execute(("CREATE DATABASE quality",))
    runs = Runs(spark, estate_in(folder), folder, postgresql.url("quality"))
    runs.run(*ENTRIES)
    return runs


@pytest.fixture
def runs(made: Runs, tmp_path: Path) -> Iterator[Runs]:
    """That run; afterwards its folder is as it was, what a test changes in the target not."""
    with restored(made.folder, tmp_path / "kept"):
        yield made


def test_a_clean_run_passes_and_each_planted_fault_is_caught(
    runs: Runs, capsys: pytest.CaptureFixture[str]
) -> None:
    before = "r"
    evaluated = check_run(runs.warehouse, QualityTerms(), before)
    assert [result for result in evaluated.results if result.status is Status.FAILED] == []
    asked = {result.expected.name for result in evaluated.results if result.status is Status.PASSED}
    assert asked >= {*Name} - {Name.VANISHED, Name.CHANGED, Name.REQUIRED}
    assert runs.failed(QualityTerms(dialects=("trino",))) == [Name.REQUIRED], (
        "h and s have no such text"
    )
    (row,) = runs.warehouse.table(RUNS, before)
    stale = {**row, "finished": row["finished"] - timedelta(hours=25)}
    runs.warehouse.note(RUNS, before, tuple(stale.values()))
    assert runs.failed() == [Name.AGE], "a stale run"
    capsys.readouterr()
    code = cli.main(["quality", "--warehouse", runs.config.warehouse])
    assert code == command.FINDINGS
    assert "failed        freshness.age, runs (error): 1 of 1; " in capsys.readouterr().out

    changed = hive_entry("h", "select 1 as `id`")
    runs.crawl(ENTRIES[0], changed, ENTRIES[2], name="after")
    drift = [Name.VANISHED, Name.CHANGED]
    assert runs.failed(against=before) == drift, "p is gone, h is another"

    quality_result = runs.reported().quality
    assert quality_result is not None
    assert quality_result.against == before
    assert quality_result.suites["drift"] == {"passed": 0, "failed": 2, "not evaluated": 0}
    assert [unmet.name for unmet in quality_result.unmet if unmet.status == "failed"] == drift
    assert quality_result.unmet[0].seen == "1 of 3 rows fail, 5 % may"
    late = [unmet for unmet in quality_result.unmet if unmet.name == Name.JUDGED]
    assert ["its stage did not run" in unmet.seen for unmet in late] == [True], "assess has not run"

    runs.rewrite("outcomes", "after", lambda rows: [row for row in rows if row["name"] != "h"])
    assert runs.failed() == [Name.LISTED], "a lost view"


def test_a_warehouse_that_is_not_on_this_machine_is_checked_through_spark(runs: Runs) -> None:
    here, warehouse = runs.warehouse, by_spark(runs.config.warehouse, runs.spark)
    wanted, evaluated = (
        check_run(here, QualityTerms(), None),
        check_run(warehouse, QualityTerms(), None),
    )
    assert [result.status for result in evaluated.results] == [
        result.status for result in wanted.results
    ]
    assert Status.PASSED in {result.status for result in evaluated.results}
    assert len(list(warehouse.table(quality_tables.QUALITY, "r"))) == len(evaluated.results)


def test_duplicates_and_what_reads_back_otherwise_are_caught(runs: Runs) -> None:
    with EntityStore(
        Options(url=runs.url, user="postgres", metalake="m", catalog="c", provider="hive")
    ) as store:
        places = [listed.identifier for listed in store.listing() if listed.name]
        there = {view.identifier.name: view for view in store.present(places)}
        view = there["p"]
        columns = tuple(column._replace(type=Primitive("string")) for column in view.columns)
        other = replace(view, columns=columns)
        change = Change(Action.REPLACE, other, fingerprint(other) or "", fingerprint(view))
        assert [applied.action for applied in store.apply([change])] == ["replace"]
    runs.verify()
    assert runs.failed() == [Name.COLUMNS_BACK, Name.READ_BACK], "a changed type"
    assert runs.failed(QualityTerms(allow={Name.COLUMNS_BACK: 50, Name.READ_BACK: 50})) == []

    (plan,) = runs.warehouse.table(planned.PLANS, "*")
    runs.rewrite("verified", plan["plan"], lambda _: [])
    runs.rewrite("outcomes", "r", lambda rows: [*rows, *(r for r in rows if r["name"] == "h")])
    failed = runs.failed()
    assert failed == [Name.UNLISTED, Name.KEYS, "completeness.rows"], "a duplicate, an empty table"


def test_the_command_has_three_states_its_own_json_and_a_clear_word_for_mistakes(
    spark: SparkSession,
    estate: Estate,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / "a.jsonl"
    lines = [json.dumps({"kind": "hive_table", "payload": entry}) for entry in ENTRIES]
    path.write_text("\n".join(lines), encoding="utf-8")
    sources = {"a": {"kind": "archive", "path": str(path)}}
    kind = "expect_column_values_to_not_be_null"
    mine: dict[str, Any] = {"name": "owned", "table": "outcomes", "type": kind}
    mine |= {"kwargs": {"column": "owner"}, "allow": 60}

    def quality(**terms: Any) -> int:
        estate(sources, quality=terms)
        return cli.main(["quality", "--config", str(tmp_path / "estate.yaml"), *arguments])

    arguments = ["--json", "--out", str(tmp_path / "out")]
    crawl_estate(spark, estate(sources))
    capsys.readouterr()
    assert quality(expectations=[mine]) == command.FINE
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    states = {row["name"]: row["status"] for row in rows}
    assert states[Name.LISTED] == "passed"
    assert states[Name.JUDGED] == "not evaluated", "assess has not run"
    assert states["owned"] == "passed"
    documents = sorted((tmp_path / "out" / "suites").iterdir())
    assert [document.stem[3:] for document in documents] == [
        "objects",
        "outcomes",
        "views",
        "runs",
        "outcomes",
    ]
    assert json.loads(documents[0].read_text(encoding="utf-8"))["success"] is True

    assert quality(required=[Name.JUDGED]) == command.FINDINGS
    assert len(list((tmp_path / "out" / "suites").iterdir())) == 4, "the fifth was another check's"
    assert quality(expectations=[{**mine, "kwargs": {"column": "nobody"}}]) == command.FINDINGS
    assert "nobody" in capsys.readouterr().out
    assert quality(expectations=[{**mine, "type": "expect_nothing"}]) == command.USAGE
    assert "Great Expectations has no expect_nothing" in capsys.readouterr().err
    assert quality(expectations=[{**mine, "table": "outcome"}]) == command.USAGE
    assert "'outcome' is no table of a run" in capsys.readouterr().err
    arguments += ["--against", "r0"]
    assert quality() == command.USAGE
    assert "no committed run r0" in capsys.readouterr().err
