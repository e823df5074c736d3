"""A crawl into a warehouse that only Spark reaches, which is interrupted between two jobs."""

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f

from jobs.configuration.loader import RunConfig
from jobs.crawl import crawl_estate
from jobs.crawling import fetching
from jobs.crawling.resuming import LATEST, find_run_to_resume
from jobs.crawling.tables import OBJECTS, OUTCOMES, STAGE
from jobs.warehouse.parts import DerivedRows
from jobs.warehouse.storage import storage_of
from jobs.warehouse.warehouse import Warehouse

Estate = Callable[..., RunConfig]
SOURCES = 6


def raw(name: str) -> str:
    """A line of an archive."""
    entry = {
        "dbName": "db",
        "tableName": name,
        "tableType": "VIRTUAL_VIEW",
        "parameters": {},
        "viewOriginalText": "select 1 as x",
        "viewExpandedText": "select 1 as `x`",
        "sd": {"cols": [{"name": "x", "type": "int"}]},
    }
    return json.dumps({"kind": "hive_table", "payload": entry})


@pytest.fixture
def config(
    spark: SparkSession, estate: Estate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> RunConfig:
    """A crawl of as many tasks as sources, in three jobs; `FILE:` is a scheme of Spark's."""
    hadoop: Any = spark._jsc.hadoopConfiguration()
    hadoop.set("fs.FILE.impl", "org.apache.hadoop.fs.LocalFileSystem")
    sources = {}
    for number in range(SOURCES):
        path = tmp_path / f"{number}.jsonl"
        path.write_text("\n".join(map(raw, "abc")), encoding="utf-8")
        sources[f"s{number}"] = {"kind": "archive", "path": str(path)}
    (tmp_path / "0.jsonl").write_text(f"{raw('a')}\nno JSON", encoding="utf-8")
    monkeypatch.setattr(fetching, "rounds", lambda *_: 3)
    made = estate(sources)
    return replace(made, warehouse=f"FILE://{tmp_path}/far")


def _rows(spark: SparkSession, config: RunConfig, run_id: str) -> Counter[tuple[Any, ...]]:
    warehouse = Warehouse(config.warehouse, spark)
    columns = ("source", "entity", "namespace", "name", "outcome", "format", "code", "model")
    return warehouse.count_rows(OUTCOMES, run_id, columns)


def _interrupt(config: RunConfig, spark: SparkSession, jobs: int) -> None:
    """Crawl into the run `night`, as far as so many jobs."""
    append = Warehouse.append
    done: list[object] = []

    def one_more(warehouse: Warehouse, *given: Any) -> None:
        if len(done) == jobs:
            raise KeyboardInterrupt
        append(warehouse, *given)
        done.append(given)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Warehouse, "append", one_more)
        with pytest.raises(KeyboardInterrupt):
            crawl_estate(spark, config, "night")


def test_what_ended_jobs_have_read_is_not_read_again(
    spark: SparkSession,
    config: RunConfig,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    whole = crawl_estate(spark, config, "unbroken")
    _interrupt(config, spark, 2)
    assert find_run_to_resume(config, LATEST, spark) == "night"
    asked: list[int] = []
    crawled = fetching.crawl_rows

    def counting(objects: DataFrame, *given: Any) -> DerivedRows:
        asked.append(objects.count())
        return crawled(objects, *given)

    monkeypatch.setattr(fetching, "crawl_rows", counting)
    capsys.readouterr()
    again = crawl_estate(spark, config, "night")
    said = capsys.readouterr().err
    before = sum(_rows(spark, config, "unbroken").values()) - sum(asked)
    assert asked.count(0) == 2
    assert before > 0
    assert "its listing is whole" in said
    assert f"{before} objects read by an interrupted crawl" in said
    assert _rows(spark, config, "night") == _rows(spark, config, "unbroken")
    assert again.counts["sources"] == whole.counts["sources"]
    assert again.exit_code == whole.exit_code
    assert find_run_to_resume(config, LATEST, spark) is None, "nothing is interrupted any more"


def test_what_jobs_have_read_is_one_file_in_the_end(spark: SparkSession, config: RunConfig) -> None:
    crawl_estate(spark, config, "night")
    storage = storage_of(config.warehouse, spark)
    for dataset in (OBJECTS, OUTCOMES):
        files = storage.files(f"{config.warehouse}/{dataset.name}/run_id=night")
        assert [file.is_data for file in files] == [True], (dataset.name, files)
    assert Warehouse(config.warehouse, spark).run("night").run_id == "night"


def test_a_job_that_was_killed_while_it_committed_costs_no_row(
    spark: SparkSession, config: RunConfig
) -> None:
    crawl_estate(spark, config, "unbroken")
    _interrupt(config, spark, 2)
    storage = storage_of(config.warehouse, spark)
    folder = f"{config.warehouse}/{OUTCOMES.name}/run_id=night"
    first, *_ = [file for file in storage.files(folder) if file.is_data]
    storage.remove(f"{folder}/{first.path}")  # as if it had not come to this one
    crawl_estate(spark, config, "night")
    assert _rows(spark, config, "night") == _rows(spark, config, "unbroken")


def test_rows_that_another_run_has_given_are_read_anew(
    spark: SparkSession, config: RunConfig, capsys: pytest.CaptureFixture[str]
) -> None:
    crawl_estate(spark, config, "unbroken")
    _interrupt(config, spark, 2)
    warehouse = Warehouse(config.warehouse, spark)
    warehouse.begin(STAGE, "night")
    taken = warehouse.read_appended(spark, OUTCOMES, "night").limit(1)
    warehouse.append(OUTCOMES, "night", taken.withColumn("seen_in", f.lit("before")))
    capsys.readouterr()
    crawl_estate(spark, config, "night")
    assert "took over is of another run: all is read anew" in capsys.readouterr().err
    assert _rows(spark, config, "night") == _rows(spark, config, "unbroken")
    assert set(warehouse.count_rows(OUTCOMES, "night", ("seen_in",))) == {(None,)}


def test_a_source_that_is_another_one_is_listed_and_read_anew(
    spark: SparkSession, config: RunConfig, estate: Estate, tmp_path: Path
) -> None:
    _interrupt(config, spark, 1)
    (tmp_path / "b.json").write_text(raw("other"), encoding="utf-8")
    other = estate({"s0": {"kind": "archive", "path": str(tmp_path / "b.json")}})
    crawl_estate(spark, replace(other, warehouse=config.warehouse), "night")
    names = {row[3] for row in _rows(spark, config, "night") if row[1] == "object"}
    assert names == {"other"}
