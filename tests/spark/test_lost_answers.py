"""Writes that took effect and never said so: the next plan knows that they are ours.

The server is one of Iceberg's REST catalogs that is killed behind a commit; the driver is killed
behind a write. Turns of `sync` plan as these tests do: nobody looks at the plan.
"""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from jobs.plan import plan_run
from jobs.warehouse.warehouse import Warehouse
from tests.conftest import hive_entry
from tests.iceberg_server import IcebergServer
from tests.loopback import HungUpError, Request
from tests.migrated import BASE, TABLE, Estate, Migration, killed_at
from tests.paimon_server import PaimonDouble

LATER = hive_entry("base", "select `t`.`id` from `rel`.`t` where 1 = 1")


class Dying:
    """A server that is killed once it has done something with a view, before it has said so."""

    def __init__(self, method: str, where: str = "/views") -> None:
        self._method, self._where = method, where
        self._dead = False

    def __call__(self, request: Request) -> str:
        if self._dead:
            raise HungUpError
        self._dead = request.method == self._method and self._where in request.path
        return "after" if self._dead else ""


@pytest.fixture
def migration(
    spark: SparkSession, estate: Estate, tmp_path: Path, iceberg_server: IcebergServer
) -> Migration:
    """One view, crawled, assessed and planned."""
    target = {"kind": "iceberg-rest", "uri": iceberg_server.uri}
    made = Migration(spark, estate, tmp_path, {"targets": {"t": target}, "engines": []})
    made.crawl(TABLE, BASE)
    made.plan()
    return made


def unattended(migration: Migration, *, shrunk: bool = False) -> tuple[dict[str, int], list[str]]:
    """Plan as a turn of `sync` does: the counts, and the codes of what is set aside."""
    run = Warehouse(migration.config.warehouse).run(None).run_id
    paper = replace(migration._paper(delete=True, shrunk=shrunk), unattended=True)
    head = plan_run(migration.spark, migration.config, run, paper)
    aside = [row for row in migration.table("changes", head.plan) if row["action"] == "blocked"]
    return migration.counts(head), [row["code"] for row in aside]


def lost_answer(migration: Migration, server: IcebergServer) -> None:
    server.trouble = Dying("POST")
    execution_result = migration.apply()
    assert (execution_result.written, execution_result.failed, execution_result.exit_code) == (
        0,
        1,
        3,
    )
    server.trouble = lambda _: ""


def killed_driver(migration: Migration, server: IcebergServer) -> None:
    with killed_at("events", 1):
        migration.apply()


@pytest.mark.parametrize("lost", [lost_answer, pytest.param(killed_driver, marks=pytest.mark.deep)])
def test_what_was_written_without_a_word_is_followed_and_dropped_with_its_source(
    migration: Migration,
    iceberg_server: IcebergServer,
    lost: Callable[[Migration, IcebergServer], None],
    capsys: pytest.CaptureFixture[str],
) -> None:
    lost(migration, iceberg_server)
    assert migration.there().keys() == {"rel.base"}
    migration.crawl(TABLE, LATER)
    assert unattended(migration) == ({"replace": 1}, [])
    assert "1 view written without an answer, now noted" in capsys.readouterr().err
    migration.crawl(TABLE)
    assert unattended(migration, shrunk=True) == ({"drop": 1}, [])
    assert "without an answer" not in capsys.readouterr().err, "that was noted once"


def test_what_an_undo_has_dropped_without_a_word_is_not_made_again_unseen(
    migration: Migration, iceberg_server: IcebergServer
) -> None:
    run = migration.apply().run
    iceberg_server.trouble = Dying("DELETE")
    assert migration.undo(run).failed == 1
    iceberg_server.trouble = lambda _: ""
    assert migration.there() == {}
    migration.crawl(TABLE, BASE)
    assert unattended(migration) == ({"blocked": 1}, ["UNDONE"])


def test_what_a_target_has_refused_and_somebody_else_has_made_is_theirs(
    migration: Migration, iceberg_server: IcebergServer
) -> None:
    run = migration.apply().run
    theirs = dict(iceberg_server.views)
    migration.undo(run)
    migration.plan()
    iceberg_server.tables = {(("rel",), "base")}
    assert migration.apply().failed == 1
    iceberg_server.tables = set()
    iceberg_server.views = theirs
    migration.crawl(TABLE, LATER)
    assert unattended(migration) == ({"blocked": 1}, ["TARGET_CHANGED"])


def test_what_a_killed_server_holds_half_way_is_mended_by_the_next_turn(
    spark: SparkSession, estate: Estate, tmp_path: Path, paimon_server: PaimonDouble
) -> None:
    target = {"kind": "paimon", "uri": paimon_server.uri, "warehouse": "wh"}
    rules = [{"source": "a", "target": "t", "query": "hive"}]
    more = {"targets": {"t": target}, "engines": [], "mapping": rules}
    migration = Migration(spark, estate, tmp_path, more)
    migration.crawl(TABLE, BASE)
    migration.plan()
    assert migration.apply().written == 1
    migration.crawl(TABLE, LATER)
    assert unattended(migration) == ({"replace": 1}, [])
    paimon_server.trouble = Dying("POST", "/rename")
    assert migration.apply().failed == 1
    paimon_server.trouble = lambda _: ""
    assert "rel.base" not in migration.there(), "the old one stands aside"
    assert unattended(migration) == ({"replace": 1}, [])
    assert migration.apply().written == 1
    assert migration.there().keys() == {"rel.base"}
