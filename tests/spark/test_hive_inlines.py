"""Hive's views over a view of Spark whose columns are renamed, as a live Hive 2.3.10 reads them."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from jobs.assess import assess_run
from jobs.configuration.loader import RunConfig
from jobs.crawl import crawl_estate
from jobs.tables import TABLES
from jobs.warehouse.warehouse import Warehouse
from tests.conftest import hive_entry, spark_entry


@pytest.mark.timeout(600)
def test_a_view_of_hive_that_uses_the_names_which_hive_takes_is_read_above_one_that_loses_them(
    spark: SparkSession, tmp_path: Path, estate: Callable[..., RunConfig]
) -> None:
    low = spark_entry("low", "SELECT 1 AS x")
    renamed = {**low["parameters"], "view.query.out.col.0": "x"}
    entries = [
        {**low, "parameters": renamed},
        hive_entry("mid", "SELECT `low`.`x` AS `id` FROM `rel`.`low`"),
        hive_entry("top", "SELECT `mid`.`id` FROM `rel`.`mid`"),
        hive_entry("declared", "SELECT `low`.`id` FROM `rel`.`low`"),
        spark_entry("sparks", "SELECT 1 AS id FROM rel.low"),
    ]
    lines = [json.dumps({"kind": "hive_table", "payload": entry}) for entry in entries]
    (tmp_path / "a.jsonl").write_text("\n".join(lines), encoding="utf-8")
    config = estate({"a": {"kind": "archive", "path": "a.jsonl"}}, engines=["hive"])
    run_id = crawl_estate(spark, config).run_id
    assess_run(spark, config, run_id)
    rows = Warehouse(config.warehouse).table(TABLES["matrix"], run_id)
    assert {row["name"]: (row["status"], row["reason"], row["grade"]) for row in rows} == {
        "low": ("rejected", "SPARK_NAMES_LOST", None),
        "mid": ("native", None, "ANALYZE"),
        "top": ("native", None, "ANALYZE"),
        "declared": ("rejected", "UNKNOWN_COLUMN", "ANALYZE"),
        "sparks": ("blocked", "a/rel.low", None),
    }
