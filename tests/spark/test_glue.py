"""Glue end to end: crawled on Spark's executors, counted, and told by the exit code."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from jobs.assess import assess_run
from jobs.assessing import tables as assessed
from jobs.configuration.loader import RunConfig
from jobs.crawl import crawl_estate
from jobs.crawling import tables as rows
from jobs.tables import TABLES
from jobs.warehouse.warehouse import Warehouse
from tests.glue_stub import GlueStub, glue_stub, many

CANARY = "canary-5e2d"
ACCOUNT = "arn:aws:glue:us-east-1:123456789012"  # moto's
ID = {"Columns": [{"Name": "id", "Type": "bigint"}]}


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
    (account,) = {one["CatalogId"] for one in glue.get_tables(DatabaseName="mixed")["TableList"]}
    place = {"system": "glue", "region": "us-east-1", "account": account}
    assert crawled.counts["addresses"] == {"g": place}, "the account is as Glue's answers have it"
    assert (counts["listed"], counts["views"], counts["skipped"]) == (5, 3, 2)
    assert counts["formats"] == {"glue": 1, "hive": 1, "spark": 1}
    warehouse = Warehouse(config.warehouse)
    stored = {one["name"]: one for one in warehouse.table(rows.OUTCOMES, crawled.run_id)}
    assert (stored["lake"]["format"], stored["ice"]["format"]) == ("delta", "iceberg")
    said = {one["name"]: one["raw"] for one in warehouse.table(TABLES["raw"], crawled.run_id)}
    assert '"spark.sql.sources.provider":"delta"' in said["lake"]


def spoken(sql: str, *sub_objects: str, dialect: str = "ATHENA") -> dict[str, Any]:
    """An entry of a view of several dialects, with one, on what Glue says it stands on."""
    arns = [
        sub_object if ":" in sub_object else f"{ACCOUNT}:table/stated/{sub_object}"
        for sub_object in sub_objects
    ]
    said = {"Dialect": dialect, "ViewOriginalText": sql, "ViewExpandedText": sql}
    definition = {"Representations": [said], "SubObjects": arns}
    return {"TableType": "VIRTUAL_VIEW", "ViewDefinition": definition, "StorageDescriptor": ID}


@pytest.mark.timeout(900)  # a JVM per executor starts
def test_what_glue_says_a_view_stands_on_is_a_reference_and_orders_the_views(
    spark: SparkSession, glue: Any, estate: Callable[..., RunConfig], keys: dict[str, str]
) -> None:
    far = "arn:aws:glue:us-east-1:999999999999:table/stated/orders"
    entries = {
        "orders": {"TableType": "EXTERNAL_TABLE", "StorageDescriptor": ID},
        "v_low": spoken("select id from stated.orders", "orders"),
        "v_high": spoken("select id from v_low", "v_low", dialect="SPARK"),
        "v_lost": spoken("select id from gone", "gone"),
        "v_above": spoken("select id from stated.v_lost", "v_lost", far),
        "v_far": spoken("select id from orders", far),
        "v_opaque": spoken("select from where", "orders"),
        "v_unknown": spoken("select from where"),
    }
    glue.create_database(DatabaseInput={"Name": "stated"})
    for name, entry in entries.items():
        glue.create_table(DatabaseName="stated", TableInput={"Name": name, **entry})
    endpoint = glue.meta.endpoint_url
    options = {**keys, "aws-glue-endpoint": endpoint, "include": ["stated"], "attempts": 1}
    config = estate({"g": options}, engines=["spark"])
    run_id = crawl_estate(spark, config).run_id
    assess_run(spark, config, run_id)
    warehouse = Warehouse(config.warehouse)
    found = {
        (row["name"], row["base_key"] or row["catalog"], row["base_kind"], row["read_by"][:4])
        for row in warehouse.table(assessed.REFERENCES, run_id)
        if row["base_name"]
    }
    partner = "arn:aws:glue:us-east-1:999999999999:catalog"
    assert found == {
        ("v_low", "stated.orders", "table", "sqlg"),
        ("v_high", "stated.v_low", "view", "glue"),
        ("v_lost", "stated.gone", "missing", "glue"),
        ("v_above", "stated.v_lost", "view", "sqlg"),
        ("v_above", partner, "outside", "glue"),
        ("v_far", partner, "outside", "glue"),
        ("v_opaque", "stated.orders", "table", "glue"),
    }
    waves = {
        row["name"]: (row["wave"], row["aside"], row["because"])
        for row in warehouse.table(assessed.WAVES, run_id)
    }
    assert waves == {
        "v_low": (1, None, None),
        "v_high": (2, None, None),
        "v_lost": (None, "MISSING_BASE", ["g/stated.gone"]),
        "v_above": (None, "BROKEN_BASE", ["g/stated.v_lost"]),
        "v_far": (1, None, None),
        "v_opaque": (1, None, None),
        "v_unknown": (None, "UNRESOLVED", []),
    }
    matrix = {row["name"]: row for row in warehouse.table(assessed.MATRIX, run_id)}
    above, high = matrix["v_above"], matrix["v_high"]
    assert (above["status"], above["reason"]) == ("rejected", "NO_TEXT_FOR_ENGINE")
    assert (high["status"], high["reason"]) == ("blocked", "g/stated.v_low"), "it has a text"
    lineage = {row["name"] for row in warehouse.table(assessed.LINEAGE, run_id)}
    assert lineage == {"v_low", "v_above"}, "what is stated says nothing of columns"


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
    rows = Warehouse(config.warehouse).table(TABLES["outcomes"], crawled.run_id)
    failures = [row for row in rows if row["outcome"] == "failure"]
    assert {tuple(row["namespace"]) for row in failures} == {(), ("denied",), ("half",)}
    assert any("log in again" in row["hint"] for row in failures)
    for path in Path(config.warehouse).rglob("*"):
        assert not path.is_file() or CANARY.encode() not in path.read_bytes()


def test_five_thousand_tables_of_one_database_are_all_accounted_for(
    spark: SparkSession, estate: Callable[..., RunConfig], keys: dict[str, str]
) -> None:
    """Fifty thousand of them: tests/live/test_glue.py."""
    with glue_stub(GlueStub({"big": many(5_000)})) as stub:
        config = estate({"g": {**keys, "aws-glue-endpoint": stub.uri}})
        crawled = crawl_estate(spark, config)
        assert len(stub.asked) == 51
    counts = crawled.counts["sources"]["g"]
    assert crawled.exit_code == 0
    assert counts["reconciled"]
    assert (counts["listed"], counts["views"]) == (5_000, 2_500)
    assert counts["codes"] == {"TABLE": 2_500}
