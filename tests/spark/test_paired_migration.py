"""A migration by two routes at once, the views' own and their rows': planned, verified, undone."""

from pathlib import Path
from typing import Any

import psycopg
import pytest
from pyspark.sql import SparkSession

from connectors.gravitino.entity_store.options import Options
from connectors.gravitino.entity_store.store import EntityStore
from jobs.console import command
from jobs.embedded.postgres import EmbeddedPostgreSQL
from tests.iceberg_server import IcebergServer
from tests.migrated import BASE, TABLE, TOP, Estate, Migration, killed_at, latest

ROWS = """
    SELECT view_name, audit_info::json->>'creator', audit_info::json->>'createTime'
    FROM view_meta WHERE deleted_at = 0 ORDER BY 1
"""
MADE = {"owner": "alice", "createTime": 1772582400}
WHEN = "2026-03-04T00:00:00Z"


@pytest.fixture
def url(postgresql: EmbeddedPostgreSQL) -> str:
    postgresql.execute(("DROP DATABASE IF EXISTS paired", "CREATE DATABASE paired"))
    return postgresql.url("paired")


@pytest.fixture
def migration(
    spark: SparkSession, estate: Estate, tmp_path: Path, iceberg_server: IcebergServer, url: str
) -> Migration:
    """Into a catalog whose server has a store, of which the configuration knows."""
    target = {
        "kind": "gravitino",
        "provider": "lakehouse-iceberg",
        "metalake": "m",
        "catalog": "c",
        "iceberg-rest": {"uri": iceberg_server.uri},
        "gravitino-store": {"url": url, "user": "postgres"},
    }
    stated: dict[str, Any] = {"provider": "lakehouse-iceberg", "metalake": "m", "catalog": "c"}
    with EntityStore(Options(url=url, user="postgres", **stated)) as store:
        store.prepare(())
    return Migration(spark, estate, tmp_path, {"targets": {"t": target}, "engines": []})


def rows(url: str) -> list[tuple[Any, ...]]:
    with psycopg.connect(url, user="postgres") as connection:
        return connection.execute(ROWS.encode()).fetchall()


def test_views_and_their_rows_are_one_plan_one_run_and_one_undo(
    migration: Migration, iceberg_server: IcebergServer, url: str
) -> None:
    migration.crawl(TABLE, {**BASE, **MADE}, {**TOP, **MADE})
    head = migration.plan()
    assert migration.counts(head) == {"create": 2}
    route = "its row by gravitino-store"
    assert (head.targets["t"].store, route in head.targets["t"].route) == ("iceberg-rest", True)
    assert not any("who made" in loss for one in migration.lines() for loss in one["losses"])
    assert (rows(url), iceberg_server.views) == ([], {}), "a plan writes nothing"
    first = migration.apply()
    assert (first.written, first.failed) == (2, 0)
    assert rows(url) == [("base", "alice", WHEN), ("top", "alice", WHEN)]
    assert migration.verify().exit_code == command.FINE
    assert (migration.apply().written, migration.counts(migration.plan())) == (0, {"keep": 2})
    with psycopg.connect(url, user="postgres") as connection:
        connection.execute("UPDATE view_meta SET audit_info = '{}' WHERE view_name = 'top'")
    assert migration.verify().different == {"t": 1}
    assert migration.counts(migration.plan()) == {"replace": 1, "keep": 1}
    (line,) = migration.lines()
    assert (line["name"], line["reason"]) == ("top", "differs in who made it and when")
    second = migration.apply()
    assert (second.written, second.failed) == (1, 0)
    assert migration.verify().exit_code == command.FINE
    assert migration.undo(second.run).failed == 0
    assert rows(url) == [("base", "alice", WHEN), ("top", None, None)], "as it was"
    back = migration.undo(first.run)
    assert (back.written, back.failed) == (2, 0)
    assert (iceberg_server.views, rows(url)) == ({}, [])


def half(url: str, *, deleted: bool) -> None:
    """Leave the store as one has it that was killed before it came to the row of `top`."""
    what = (
        "deleted_at = 1 WHERE deleted_at = 0" if deleted else "deleted_at = 0 WHERE deleted_at > 1"
    )
    named = "view_id IN (SELECT view_id FROM view_meta WHERE view_name = 'top')"
    with psycopg.connect(url, user="postgres") as connection:
        for table in ("view_version_info", "view_meta"):
            connection.execute(f"UPDATE {table} SET {what} AND {named}".encode())


@pytest.mark.parametrize("then", ["apply", "undo"])
def test_a_run_that_is_killed_between_the_two_is_ended_or_taken_back(
    migration: Migration, iceberg_server: IcebergServer, url: str, then: str
) -> None:
    migration.crawl(TABLE, {**BASE, **MADE}, {**TOP, **MADE})
    migration.plan()
    with killed_at("events", 2):
        migration.apply()
    half(url, deleted=True)
    assert (len(iceberg_server.views), len(rows(url))) == (2, 1)
    if then == "apply":
        execution_result = migration.apply()
        assert (execution_result.written, execution_result.failed, len(rows(url))) == (2, 0, 2)
        assert migration.verify().exit_code == command.FINE
    run = latest(migration)
    with killed_at("events", 1 if then == "apply" else 2):  # first, what was written is noted
        migration.undo(run)
    assert rows(url) == [("base", "alice", WHEN)]
    half(url, deleted=False)
    assert (len(iceberg_server.views), len(rows(url))) == (1, 2)
    assert migration.undo(run).failed == 0
    assert (iceberg_server.views, rows(url)) == ({}, [])
