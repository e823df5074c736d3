"""Views of PostgreSQL and Trino that Spark never had: drafts, adopted, written, selected from."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import Row, SparkSession

from jobs.console import command
from jobs.embedded.metastore import EmbeddedMetastore
from jobs.embedded.postgres import EmbeddedPostgreSQL
from jobs.embedded.selecting import Selecting, adopt_drafts
from jobs.embedded.thrift_writer import Writer
from jobs.warehouse.warehouse import Warehouse
from tests.conftest import hive_entry, trino_entry
from tests.migrated import Estate, Migration

SHOP, LAKE, NEW = "draft_shop", "draft_lake", "draft_new"
CHEAP = (
    f"CREATE VIEW {SHOP}.cheap AS SELECT id, name FROM {SHOP}.article"
    " WHERE price < 10 AND name ILIKE 'a%'"
)
MADE_IN_SHOP = (
    f"DROP SCHEMA IF EXISTS {SHOP} CASCADE",
    f"CREATE SCHEMA {SHOP}",
    f"CREATE TABLE {SHOP}.article (id bigint, name text, price numeric(10,2), extra jsonb)",
    CHEAP,
    f"CREATE VIEW {SHOP}.cheapest AS SELECT id FROM {SHOP}.cheap ORDER BY id LIMIT 1",
    f"CREATE VIEW {SHOP}.ratio AS SELECT gcd(id, 2) AS half FROM {SHOP}.article",
    f"CREATE VIEW {SHOP}.over_ratio AS SELECT half FROM {SHOP}.ratio WHERE half > 1",
    f"CREATE VIEW {SHOP}.words AS SELECT name FROM {SHOP}.article WHERE name ~ '(?n)^a'",
    f"CREATE VIEW {SHOP}.rounded AS SELECT price::int / 2 AS e FROM {SHOP}.article WHERE price > 2",
    f"CREATE VIEW {SHOP}.odd AS SELECT extra ->> 'a' AS a FROM {SHOP}.article",
)
BIG = (
    'SELECT "id", upper("name") AS "shout" FROM "orders"'
    " WHERE cardinality(split(\"name\", '-')) > 1"
)
HIVES = f"select `orders`.`id`, upper(`orders`.`name`) as `n` from `{LAKE}`.`orders`"


@pytest.fixture
def migration(
    spark: SparkSession,
    metastore: EmbeddedMetastore,
    hms: Writer,
    postgresql: EmbeddedPostgreSQL,
    estate: Estate,
    tmp_path: Path,
) -> Migration:
    """Tables of the same rows in both; the target is the metastore that Spark has as its own."""
    postgresql.execute(MADE_IN_SHOP)
    for database in (SHOP, LAKE, NEW):
        spark.sql(f"DROP DATABASE IF EXISTS {database} CASCADE")
    for database in (SHOP, LAKE):
        spark.sql(f"CREATE DATABASE {database}")
    spark.sql(
        f"CREATE TABLE {SHOP}.article USING parquet AS SELECT * FROM VALUES"
        " (1L, 'apple', 2.50BD), (2L, 'Anvil', 9.99BD), (3L, 'axe', 10.00BD), (4L, NULL, 1.00BD)"
        " AS (id, name, price)"
    )
    spark.sql(
        f"CREATE TABLE {LAKE}.orders USING parquet AS SELECT * FROM VALUES"
        " (7L, 'a-b'), (8L, 'ab'), (9L, NULL) AS (id, name)"
    )
    columns = [{"name": "id", "type": "bigint"}, {"name": "shout", "type": "varchar"}]
    hms.create_table(trino_entry("big", BIG, LAKE, columns=columns))
    by_hive = hive_entry("by_hive", HIVES, LAKE)
    by_hive["sd"]["cols"] = [{"name": "id", "type": "bigint"}, {"name": "n", "type": "string"}]
    hms.create_table(by_hive)
    sources = {
        "lake": {"kind": "hms", "uri": metastore.uri, "include": [LAKE]},
        "shop": {
            "kind": "postgresql",
            "url": postgresql.url(),
            "user": "postgres",
            "include": [SHOP],
        },
    }
    more: dict[str, Any] = {
        "targets": {"t": {"kind": "hms", "uri": metastore.uri}},
        "catalogs": {"trino": {"hive": "lake"}, "spark": {"shop": "shop"}},
        "mapping": [
            {
                "source": "shop",
                "target": "t",
                "namespace": [NEW],
                "catalogs": {"shop": "spark_catalog"},
            },
            {"source": "lake", "include": ["*.by_hive"]},
            {"source": "lake", "target": "t", "namespace": [NEW], "dialects": ["spark"]},
        ],
        "drafts": {"spark": "sqlglot", "trino": "coral"},
        "engines": ["spark", "trino", "postgresql"],
    }
    made = Migration(spark, estate, tmp_path, more)
    made.begin(sources)
    return made


def drafts_of(migration: Migration) -> dict[tuple[str, str], dict[str, Any]]:
    run = Warehouse(migration.config.warehouse).run(None).run_id
    return {(row["name"], row["dialect"]): row for row in migration.table("drafts", run)}


def test_spark_selects_from_views_of_postgresql_and_trino_by_adopted_drafts(
    migration: Migration,
    spark: SparkSession,
    postgresql: EmbeddedPostgreSQL,
    capsys: pytest.CaptureFixture[str],
) -> None:
    drafts = drafts_of(migration)
    told = {key: (row["grade"], row["code"]) for key, row in drafts.items()}
    assert told == {
        ("cheap", "spark"): ("RESULTS", None),
        ("cheapest", "spark"): ("RESULTS", None),
        ("rounded", "spark"): ("RESULTS", None),
        ("words", "spark"): (None, "DRAFT_ROWS_DIFFER"),
        ("ratio", "spark"): (None, "DRAFT_REJECTED"),
        ("over_ratio", "spark"): (None, "DRAFT_OVER_UNREADABLE"),
        ("odd", "spark"): (None, "DRAFT_REJECTED"),
        ("big", "spark"): ("ANALYZE", None),
        ("by_hive", "spark"): ("RESULTS", None),
        ("by_hive", "trino"): ("ANALYZE", None),
        **{
            (name, "trino"): (None, "DRAFT_NOT_TRANSLATED")
            for name in ("cheap", "cheapest", "ratio", "over_ratio", "odd", "rounded", "words")
        },
    }
    ratio = drafts["ratio", "spark"]
    assert (ratio["said"], ratio["sql"]) == ("UNKNOWN_FUNCTION", None)
    over = drafts["over_ratio", "spark"]
    assert over["message"].startswith(f"it stands on shop/{SHOP}.ratio, without a text in spark")
    assert (over["state"], over["sql"], over["grade"], over["reads"]) == ("refused", None, None, [])
    assert "the draft fails where the text" in drafts["words", "spark"]["message"]
    assert "Trino does not run here" in drafts["big", "spark"]["message"]
    coral = drafts["by_hive", "trino"]
    assert coral["default_catalog"] == "hive"
    assert coral["default_levels"] == [LAKE]
    assert 'FROM "draft_lake"."orders"' in coral["sql"]
    assert migration.counts(migration.plan()) == {"blocked": 8}
    waiting = {line["name"]: line["drafts"] for line in migration.lines()}
    assert waiting == {name: ["spark"] for name in ("cheap", "cheapest", "rounded", "big")}
    assert migration.apply().written == 0, "nothing is written unadopted"
    adopt_drafts(migration.folder / "plan", "t")
    assert migration.apply().written == 4
    assert migration.verify().exit_code == command.FINE
    cheap = spark.table(f"{NEW}.cheap")
    assert cheap.dtypes == [("id", "bigint"), ("name", "string")]
    assert cheap.collect() == [Row(id=1, name="apple"), Row(id=2, name="Anvil")]
    assert spark.table(f"{NEW}.cheapest").collect() == [Row(id=1)], "over the view beside it"
    assert spark.table(f"{NEW}.big").collect() == [Row(id=7, shout="A-B")]
    selects(migration, spark, postgresql, capsys)
    assert migration.counts(migration.plan()) == {"keep": 4, "blocked": 4}


def selects(
    migration: Migration,
    spark: SparkSession,
    postgresql: EmbeddedPostgreSQL,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """As the demo does at its end: it fails unless both have the same rows."""
    warehouse = Warehouse(migration.config.warehouse)
    asked = Selecting(spark, postgresql, {"shop": "postgres", "lake": None})
    plan, run_id = migration.folder / "plan", warehouse.run(None).run_id
    assert not asked.select(warehouse, run_id, plan)
    assert "2 rows of id, name; PostgreSQL has 0, and others" in capsys.readouterr().err
    rows = "(1, 'apple', 2.50), (2, 'Anvil', 9.99), (3, 'axe', 10.00)"
    postgresql.execute([f"INSERT INTO {SHOP}.article VALUES {rows}"])
    assert asked.select(warehouse, run_id, plan)
    told = capsys.readouterr().err
    assert f"{NEW}.cheapest, which is PostgreSQL's {SHOP}.cheapest: 1 row of id; PostgreSQL" in told
    assert f"{NEW}.big, which is Trino's {LAKE}.big: 1 row of id, shout\n    7, A-B\n" in told
    assert not replace(asked, sources={"ice": None}).select(warehouse, run_id, plan)
    assert "none of ice: no draft of one was adopted" in capsys.readouterr().err
    spark.sql(f"DROP TABLE {LAKE}.orders")
    assert not asked.select(warehouse, run_id, plan)
    assert f"{LAKE}.big: [TABLE_OR_VIEW_NOT_FOUND]" in capsys.readouterr().err
