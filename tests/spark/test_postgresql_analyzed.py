"""Views of a live PostgreSQL, judged by one that has their tables without rows: whole, on Spark."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from jobs.assess import assess_run
from jobs.crawl import crawl_estate
from jobs.embedded.postgres import EmbeddedPostgreSQL
from jobs.tables import TABLES
from jobs.warehouse.warehouse import Warehouse
from tests.migrated import Estate

MADE = (
    "DROP SCHEMA IF EXISTS analyzed CASCADE",
    "CREATE SCHEMA analyzed",
    "CREATE TYPE analyzed.mood AS ENUM ('good')",
    "CREATE FUNCTION analyzed.twice(int) RETURNS int LANGUAGE sql AS 'SELECT $1 * 2'",
    'CREATE TABLE analyzed.t (id int PRIMARY KEY, "A b" text, mood analyzed.mood)',
    "CREATE TABLE analyzed.u (id int, old numeric(8,2))",
    "CREATE TABLE analyzed.w (id int, name varchar(9))",
    "CREATE VIEW analyzed.plain AS SELECT id, name || '!' AS loud FROM analyzed.w",
    "CREATE VIEW analyzed.above AS SELECT p.*, rank() OVER (ORDER BY id) FROM analyzed.plain p",
    "CREATE VIEW analyzed.nothing AS SELECT 1 AS a, now() AS b",
    "CREATE VIEW analyzed.enum AS SELECT * FROM analyzed.t",
    "CREATE VIEW analyzed.called AS SELECT analyzed.twice(id) AS two FROM analyzed.w",
    "CREATE FUNCTION analyzed.every() RETURNS SETOF int LANGUAGE sql AS 'SELECT 1'",
    "CREATE VIEW analyzed.listed AS SELECT id, e FROM analyzed.w, analyzed.every() AS e",
    "CREATE VIEW analyzed.renamed AS SELECT old FROM analyzed.u",
    "CREATE VIEW analyzed.over AS SELECT old FROM analyzed.renamed",
    "CREATE VIEW analyzed.averaged AS SELECT name, avg(id) AS mean FROM analyzed.w GROUP BY name",
    'CREATE VIEW analyzed."Upper" AS SELECT id FROM analyzed.w',
)
ANALYZE = ("native", None, "ANALYZE")
PARSE = ("native", None, "PARSE")


@pytest.fixture(scope="module", autouse=True)
def _dropped(postgresql: EmbeddedPostgreSQL) -> Iterator[None]:
    """Other tests list the functions of that database."""
    yield
    postgresql.execute(["DROP SCHEMA IF EXISTS analyzed CASCADE"])


@pytest.mark.timeout(600)
def test_a_database_s_own_cells_say_what_proves_them(
    spark: SparkSession, postgresql: EmbeddedPostgreSQL, estate: Estate, tmp_path: Path
) -> None:
    postgresql.execute(MADE)
    url = postgresql.url()
    shop = {"kind": "postgresql", "url": url, "user": "postgres", "include": ["analyzed"]}
    more = {"catalogs": {"trino": {"shop": "shop"}}}
    config = estate({"shop": shop}, engines={"postgresql": {}, "trino": {"analyze": False}}, **more)
    run = crawl_estate(spark, config).run_id
    postgresql.execute(["ALTER TABLE analyzed.u RENAME old TO new"])  # the crawl has the old text
    assess_run(spark, config, run)
    warehouse = Warehouse(config.warehouse)
    cells = {
        (row["engine"], row["name"]): (row["status"], row["reason"], row["grade"])
        for row in warehouse.table(TABLES["matrix"], run)
    }
    assert {name: cell for (engine, name), cell in cells.items() if engine == "postgresql"} == {
        "plain": ANALYZE,
        "above": ANALYZE,
        "nothing": ANALYZE,
        "enum": ANALYZE,
        "called": ANALYZE,
        "listed": PARSE,
        "renamed": ("rejected", "UNKNOWN_COLUMN", "ANALYZE"),
        "over": ("blocked", "shop/analyzed.renamed", None),
        "averaged": ANALYZE,
        "Upper": ANALYZE,
    }
    assert cells["trino", "plain"] == ("portable", None, "ANALYZE"), "as a table"
    assert cells["trino", "averaged"] == ("portable", None, "ANALYZE"), "without a column"
    assert cells["trino", "Upper"] == ("rejected", "NAME_LOWERED", None)
    told = {
        (row["code"], row["engine"], row["name"])
        for row in warehouse.table(TABLES["findings"], run)
    }
    left_out = ("COLUMNS_LEFT_OUT", "trino", "averaged")
    assert {left_out, ("NAME_LOWERED", "trino", "Upper")} <= told
    said = {
        (row["name"], row["grade"]): row["message"]
        for row in warehouse.table(TABLES["verdicts"], run)
        if row["engine"] == "postgresql"
    }
    assert said["renamed", "ANALYZE"] == '42703: column "old" does not exist'
    assert said["listed", "ANALYZE"].startswith("it calls a function of the estate, whose types")
    drift = [
        row for row in warehouse.table(TABLES["findings"], run) if row["code"] == "COLUMNS_DRIFT"
    ]
    assert not drift

    config = estate({"shop": shop}, engines={"postgresql": {"analyze": False}})
    assess_run(spark, config, run)
    verdicts = Warehouse(config.warehouse).table(TABLES["verdicts"], run)
    grades = {row["grade"] for row in verdicts}
    assert grades == {"PARSE"}
