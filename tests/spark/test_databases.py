"""Databases crawled on executors: bounded connections, and an exit code where one is away."""

from collections.abc import Callable

from pyspark.sql import SparkSession

from jobs.configuration.loader import RunConfig
from jobs.crawl import crawl_estate
from jobs.embedded.postgres import EmbeddedPostgreSQL
from tests.servers import MariaDB, gate

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
