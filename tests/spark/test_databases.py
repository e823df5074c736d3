"""Databases crawled on executors: bounded connections, one that is away, one that starts anew."""

import subprocess
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import psutil
import psycopg
from pyspark.sql import SparkSession

from jobs.assess import assess_run
from jobs.configuration.loader import RunConfig
from jobs.crawl import crawl_estate
from jobs.crawling.resuming import TASKS
from jobs.embedded.postgres import EmbeddedPostgreSQL
from jobs.tables import TABLES
from jobs.warehouse.warehouse import Warehouse
from tests.conftest import outcome_rows
from tests.servers import MariaDB, gate
from tests.waiting import until

VIEWS = 60


def test_all_executors_together_keep_to_the_connections_and_a_dead_database_ends_with_4(
    spark: SparkSession,
    postgresql: EmbeddedPostgreSQL,
    maria: MariaDB,
    estate: Callable[..., RunConfig],
) -> None:
    views = [f"CREATE VIEW bounded.v_{number} AS SELECT 1 AS x" for number in range(VIEWS)]
    postgresql.execute(("DROP SCHEMA IF EXISTS bounded CASCADE", "CREATE SCHEMA bounded", *views))
    maria.execute("DROP DATABASE IF EXISTS bounded", "CREATE DATABASE bounded", *views)
    bounds = {"include": ["bounded"], "connections": 2, "batch": 10}
    with gate(postgresql.socket / ".s.PGSQL.5432") as one, gate(maria.socket) as other:
        shop = f"postgresql://127.0.0.1:{one.port}/postgres"
        till = f"mysql://127.0.0.1:{other.port}/"
        sources = {
            "shop": {"kind": "postgresql", "url": shop, "user": "postgres", **bounds},
            "till": {"kind": "mysql", "url": till, "user": "root", **bounds},
        }
        crawled = crawl_estate(spark, estate(sources))
        assert crawled.exit_code == 0
        for name in sources:
            counts = crawled.counts["sources"][name]
            assert (counts["views"], counts["listed"], counts["reconciled"]) == (VIEWS, VIEWS, True)
        assert (one.accepted, other.accepted) == (3, 3), "one lists, then two crawl"
        other.shut()
        crawled = crawl_estate(spark, estate(sources))
    assert crawled.exit_code == 4
    assert crawled.counts["sources"]["shop"]["views"] == VIEWS
    assert crawled.counts["sources"]["till"]["codes"] == {"UNREACHABLE": 1}


def restart(postgresql: EmbeddedPostgreSQL) -> None:
    """As after a crash: nobody is waited for, and the log is replayed."""
    with psycopg.connect(f"host={postgresql.socket} user=postgres dbname=postgres") as connection:
        row = connection.execute("SHOW data_directory").fetchone()
    assert row is not None
    data = Path(row[0])
    server = psutil.Process(int((data / "postmaster.pid").read_text().splitlines()[0]))
    control = Path(server.exe()).with_name("pg_ctl")
    line: list[str | Path] = [
        control,
        "-w",
        "-m",
        "immediate",
        "-D",
        data,
        "-l",
        data / "log",
        "restart",
    ]
    subprocess.run(line, check=True, capture_output=True, user=server.username())


def test_databases_that_are_started_again_in_mid_crawl_change_nothing(
    spark: SparkSession,
    granting: EmbeddedPostgreSQL,
    granting_maria: MariaDB,
    estate: Callable[..., RunConfig],
) -> None:
    views = [f"CREATE VIEW anew.v_{number} AS SELECT 1 AS x" for number in range(VIEWS)]
    granting.execute(("DROP SCHEMA IF EXISTS anew CASCADE", "CREATE SCHEMA anew", *views))
    granting_maria.execute("DROP DATABASE IF EXISTS anew", "CREATE DATABASE anew", *views)
    bounds = {"include": ["anew"], "connections": 1, "batch": 5}
    sources = {
        "shop": {"kind": "postgresql", "url": granting.url(), "user": "postgres", **bounds},
        "till": {"kind": "mysql", "url": granting_maria.url(), "user": "root", **bounds},
    }
    config = estate(sources, crawl={"rate": {"shop": 15, "till": 15}})
    tasks = Path(config.warehouse, TASKS)

    def both() -> None:
        until(lambda: sum(1 for _ in tasks.rglob("*.arrow")) >= 3)
        restart(granting)
        granting_maria.kill()
        granting_maria.start()

    restarting = threading.Thread(target=both)
    restarting.start()
    crawled = crawl_estate(spark, config, "broken")
    assert not restarting.is_alive(), "both were there again before the crawl ended"
    assert crawled.exit_code == 0
    assert {crawled.counts["sources"][name]["views"] for name in sources} == {VIEWS}
    crawl_estate(spark, replace(config, care={}), "unbroken")
    assert outcome_rows(config, "broken") == outcome_rows(config, "unbroken")
    granting.execute(("DROP SCHEMA anew CASCADE",))
    granting_maria.execute("DROP DATABASE anew")


def test_what_mariadb_has_described_is_read_by_it_and_where_it_is_a_catalog(
    spark: SparkSession, maria: MariaDB, estate: Callable[..., RunConfig]
) -> None:
    maria.execute(
        "DROP DATABASE IF EXISTS judged",
        "CREATE DATABASE judged",
        "CREATE TABLE judged.base (a INT)",
        "CREATE TABLE judged.lost (a INT)",
        "CREATE VIEW judged.low AS SELECT a FROM judged.base",
        "CREATE VIEW judged.top AS SELECT a FROM judged.low",
        "CREATE VIEW judged.broken AS SELECT a FROM judged.lost",
        "DROP TABLE judged.lost",
    )
    till = {"kind": "mysql", "url": maria.url(), "user": "root", "include": ["judged"]}
    engines = {"engines": ["mysql", "spark", "hive"], "catalogs": {"spark": {"till": "till"}}}
    config = estate({"till": till}, **engines)
    run_id = crawl_estate(spark, config).run_id
    assess_run(spark, config, run_id)
    matrix = Warehouse(config.warehouse).table(TABLES["matrix"], run_id)
    cells = {(row["name"], row["engine"]): (row["status"], row["grade"]) for row in matrix}
    for name in ("low", "top"):
        assert cells[name, "mysql"] == ("native", "ANALYZE")
        assert cells[name, "spark"] == ("portable", "ANALYZE")
        assert cells[name, "hive"] == ("unreachable", None), "it has no such catalog"
    assert cells["broken", "mysql"] == cells["broken", "spark"] == ("blocked", None)
