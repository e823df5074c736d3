"""Views that are dropped, made or changed while a crawl is between its listing and its fetches."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from pyspark.sql import SparkSession

from jobs.configuration.loader import RunConfig
from jobs.crawl import crawl_estate
from jobs.crawling.tables import OBJECTS
from jobs.embedded.metastore import EmbeddedMetastore
from jobs.embedded.postgres import EmbeddedPostgreSQL
from jobs.embedded.thrift_writer import Writer
from jobs.warehouse.warehouse import Warehouse
from tests.conftest import hive_entry, outcome_rows

SPACE, GONE = "changing", "changing_gone"
KEPT = {
    "kept": ("view", None),
    "dropped": ("skipped", "VANISHED"),
    "renamed": ("skipped", "VANISHED"),
    "replaced": ("view", None),
    "remade": ("view", None),
    "to_table": ("skipped", "TABLE"),
    "to_stored": ("skipped", "MATERIALIZED_VIEW"),
}


@pytest.fixture
def changed_meanwhile(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], None]], None]:
    """Has something change once a crawl has listed all."""

    def prepare(change: Callable[[], None]) -> None:
        write = Warehouse.write_derived

        def write_and_change(warehouse: Warehouse, run_id: str, *derived: Any) -> None:
            write(warehouse, run_id, *derived)
            if derived[0].dataset is OBJECTS:
                change()

        monkeypatch.setattr(Warehouse, "write_derived", write_and_change)

    return prepare


def crawled(spark: SparkSession, config: RunConfig) -> dict[str, list[dict[str, Any]]]:
    """What became of each object, by its key; the counts agree."""
    done = crawl_estate(spark, config)
    (counts,) = done.counts["sources"].values()
    assert counts["reconciled"]
    outcomes: dict[str, list[dict[str, Any]]] = {}
    for row in outcome_rows(config, done.run_id):
        outcomes.setdefault(row["key"], []).append(row)
    assert {key: len(rows) for key, rows in outcomes.items()} == dict.fromkeys(outcomes, 1)
    assert counts["listed"] == sum(
        row["entity"] == "object" for rows in outcomes.values() for row in rows
    )
    return outcomes


def of_objects(outcomes: dict[str, list[dict[str, Any]]]) -> dict[str, tuple[str, str | None]]:
    return {
        key: (row["outcome"], row["code"])
        for key, (row,) in outcomes.items()
        if row["entity"] == "object"
    }


def test_what_changes_in_a_database_meanwhile_has_one_right_row(
    spark: SparkSession,
    postgresql: EmbeddedPostgreSQL,
    estate: Callable[..., RunConfig],
    changed_meanwhile: Callable[[Callable[[], None]], None],
) -> None:
    postgresql.execute(
        [
            *(f"DROP SCHEMA IF EXISTS {schema} CASCADE" for schema in (SPACE, GONE, "changing_2")),
            f"CREATE SCHEMA {SPACE}",
            f"CREATE SCHEMA {GONE}",
            f"CREATE TABLE {SPACE}.t (id int, x text)",
            *(f"CREATE VIEW {SPACE}.{name} AS SELECT id FROM {SPACE}.t" for name in KEPT),
            f"CREATE VIEW {GONE}.v AS SELECT 1 AS id",
        ]
    )

    def change() -> None:
        postgresql.execute(
            [
                f"DROP VIEW {SPACE}.dropped",
                f"ALTER VIEW {SPACE}.renamed RENAME TO renamed_2",
                f"CREATE OR REPLACE VIEW {SPACE}.replaced AS SELECT id, x FROM {SPACE}.t",
                f"DROP VIEW {SPACE}.remade",
                f"CREATE VIEW {SPACE}.remade AS SELECT x FROM {SPACE}.t",
                f"DROP VIEW {SPACE}.to_table",
                f"CREATE TABLE {SPACE}.to_table (id int)",
                f"DROP VIEW {SPACE}.to_stored",
                f"CREATE MATERIALIZED VIEW {SPACE}.to_stored AS SELECT 1 AS id",
                f"CREATE VIEW {SPACE}.fresh AS SELECT 1 AS id",
                f"DROP SCHEMA {GONE} CASCADE",
            ]
        )

    changed_meanwhile(change)
    source = {"kind": "postgresql", "url": postgresql.url("postgres"), "user": "postgres"}
    found = crawled(spark, estate({"shop": {**source, "include": ["changing*"]}}))
    assert of_objects(found) == {
        **{f"{SPACE}.{name}": outcome for name, outcome in KEPT.items()},
        **{f"{SPACE}.to_{what}": ("skipped", "VANISHED") for what in ("table", "stored")},
        f"{SPACE}.t": ("skipped", "TABLE"),
        f"{GONE}.v": ("skipped", "VANISHED"),
    }
    assert '"x"' in found[f"{SPACE}.replaced"][0]["model"]
    assert '"id"' not in found[f"{SPACE}.remade"][0]["model"]
    postgresql.execute([f"DROP SCHEMA {SPACE} CASCADE"])


def change_entries(hms: Writer) -> None:
    """Change what a metastore holds, as people do."""
    for name in KEPT.keys() - {"kept"}:
        hms.drop_table(SPACE, name)
    hms.drop_table(GONE, "v")
    for name, number in (("renamed_2", 1), ("fresh", 1), ("replaced", 2), ("remade", 2)):
        hms.create_table(hive_entry(name, f"select {number} as `id`", SPACE))
    for name, kind in (("to_table", "MANAGED_TABLE"), ("to_stored", "MATERIALIZED_VIEW")):
        hms.create_table({**hive_entry(name, "", SPACE), "tableType": kind})


def test_what_changes_in_a_metastore_meanwhile_has_one_right_row(
    spark: SparkSession,
    metastore: EmbeddedMetastore,
    hms: Writer,
    estate: Callable[..., RunConfig],
    changed_meanwhile: Callable[[Callable[[], None]], None],
) -> None:
    for space in (SPACE, GONE):
        hms.create_database(space, f"{metastore.warehouse.as_uri()}/{space}.db")
    for name in KEPT:
        hms.create_table(hive_entry(name, "select 1 as `id`", SPACE))
    hms.create_table(hive_entry("v", "select 1 as `id`", GONE))

    changed_meanwhile(partial(change_entries, hms))
    source = {"kind": "hms", "uri": metastore.uri, "include": ["changing*"]}
    found = crawled(spark, estate({"lake": source}))
    assert of_objects(found) == {
        **{f"{SPACE}.{name}": outcome for name, outcome in KEPT.items()},
        f"{GONE}.v": ("skipped", "VANISHED"),
    }
    for name in ("replaced", "remade"):
        assert "select 2" in found[f"{SPACE}.{name}"][0]["model"]
    for name in ("kept", "replaced", "remade", "to_table", "to_stored", "renamed_2", "fresh"):
        hms.drop_table(SPACE, name)
