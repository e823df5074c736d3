"""Glue end to end: crawled on Spark's executors, counted, and told by the exit code."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from jobs.crawl import crawl_estate
from jobs.runtime.config import RunConfig
from jobs.runtime.warehouse import Warehouse
from tests.glue_stub import GlueStub, glue_stub

CANARY = "canary-5e2d"


@pytest.fixture
def keys(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    monkeypatch.setenv("GLUE_SECRET", CANARY)
    return {
        "kind": "glue",
        "aws-region": "us-east-1",
        "aws-access-key-id": "AKIAEXAMPLE",
        "aws-secret-access-key": "${env:GLUE_SECRET}",
    }


def test_views_and_tables_of_every_format_are_told_apart(
    spark: SparkSession, glue: Any, estate: Callable[..., RunConfig], keys: dict[str, str]
) -> None:
    glue.create_database(DatabaseInput={"Name": "mixed", "Description": "d"})
    texts = {"ViewOriginalText": "select 1", "TableType": "VIRTUAL_VIEW"}
    spoken = [{"Dialect": one, "ViewExpandedText": "select 1"} for one in ("ATHENA", "SPARK")]
    entries: dict[str, dict[str, Any]] = {
        "ice": {"TableType": "EXTERNAL_TABLE", "Parameters": {"table_type": "ICEBERG"}},
        "lake": {
            "TableType": "EXTERNAL_TABLE",
            "Parameters": {"spark.sql.sources.provider": "delta"},
        },
        "v_hive": texts,
        "v_multi": {"ViewDefinition": {"Representations": spoken}, "TableType": "VIRTUAL_VIEW"},
        "v_spark": {**texts, "Parameters": {"spark.sql.create.version": "3.5"}},
    }
    for name, entry in entries.items():
        glue.create_table(DatabaseName="mixed", TableInput={"Name": name, **entry})
    options = {**keys, "aws-glue-endpoint": glue.meta.endpoint_url, "include": ["mixed"]}
    config = estate({"g": options})
    crawled = crawl_estate(spark, config)
    assert crawled.exit_code == 0
    counts = crawled.counts["sources"]["g"]
    assert counts["reconciled"]
    assert (counts["listed"], counts["views"], counts["skipped"]) == (5, 3, 2)
    assert counts["formats"] == {"glue": 1, "hive": 1, "spark": 1}
    warehouse = Warehouse(config.warehouse)
    stored = {one["name"]: one for one in warehouse.table("outcomes", crawled.run_id)}
    assert (stored["lake"]["format"], stored["ice"]["format"]) == ("delta", "iceberg")
    said = {one["name"]: one["raw"] for one in warehouse.table("raw", crawled.run_id)}
    assert '"spark.sql.sources.provider":"delta"' in said["lake"]


def test_what_cannot_be_listed_is_counted_and_ends_with_4(
    spark: SparkSession, estate: Callable[..., RunConfig], keys: dict[str, str]
) -> None:
    view = {"TableType": "VIRTUAL_VIEW", "ViewOriginalText": "select 1"}
    views = [{**view, "Name": f"v{number:03}"} for number in range(150)]
    stub = GlueStub({"denied": views, "half": views, "whole": views})
    stub.refused["GetTables", "denied", 0] = "AccessDeniedException", 99
    stub.refused["GetTables", "half", 1] = "ThrottlingException", 99
    expired = GlueStub({}, {("GetDatabases", "", 0): ("ExpiredTokenException", 99)})
    with glue_stub(stub), glue_stub(expired):
        config = estate(
            {
                "g": {**keys, "aws-glue-endpoint": stub.uri, "attempts": 2},
                "late": {**keys, "aws-glue-endpoint": expired.uri},
            }
        )
        crawled = crawl_estate(spark, config)
    assert crawled.exit_code == 4
    counts = crawled.counts["sources"]["g"]
    assert counts["reconciled"]
    assert (counts["listed"], counts["views"], counts["unread"]) == (250, 250, 2)
    assert counts["codes"] == {"DENIED": 1, "UNREACHABLE": 1}
    assert crawled.counts["sources"]["late"]["codes"] == {"DENIED": 1}
    rows = Warehouse(config.warehouse).table("outcomes", crawled.run_id)
    failures = [row for row in rows if row["outcome"] == "failure"]
    assert {tuple(row["namespace"]) for row in failures} == {(), ("denied",), ("half",)}
    assert any("log in again" in row["hint"] for row in failures)
    for path in Path(config.warehouse).rglob("*"):
        assert not path.is_file() or CANARY.encode() not in path.read_bytes()


@pytest.mark.slow
def test_fifty_thousand_tables_of_one_database_are_all_accounted_for(
    spark: SparkSession, estate: Callable[..., RunConfig], keys: dict[str, str]
) -> None:
    columns = {"Columns": [{"Name": f"c{number}", "Type": "bigint"} for number in range(10)]}
    kinds = ("EXTERNAL_TABLE", "VIRTUAL_VIEW")
    entries = [
        {
            "Name": f"t{number:05}",
            "TableType": kinds[number % 2],
            "StorageDescriptor": columns,
            **({"ViewOriginalText": "select 1"} if number % 2 else {}),
        }
        for number in range(50_000)
    ]
    with glue_stub(GlueStub({"big": entries})) as stub:
        config = estate({"g": {**keys, "aws-glue-endpoint": stub.uri}})
        crawled = crawl_estate(spark, config)
        assert len(stub.asked) == 501
    counts = crawled.counts["sources"]["g"]
    assert crawled.exit_code == 0
    assert counts["reconciled"]
    assert (counts["listed"], counts["views"]) == (50_000, 25_000)
    assert counts["codes"] == {"TABLE": 25_000}
