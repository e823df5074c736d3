"""A migration into a Paimon catalog end to end: planned, applied, verified, undone."""

from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from discovery.migration.diff import differences
from jobs.console import command
from tests.conftest import spark_entry
from tests.migrated import BASE, TABLE, TOP, Estate, Migration
from tests.paimon_server import PaimonDouble


@pytest.fixture
def migration(
    spark: SparkSession, estate: Estate, tmp_path: Path, paimon_server: PaimonDouble
) -> Migration:
    target = {"kind": "paimon", "uri": paimon_server.uri, "warehouse": "wh"}
    return Migration(spark, estate, tmp_path, {"targets": {"t": target}, "engines": []})


def test_views_go_into_a_paimon_catalog_get_a_dialect_and_come_back_out(
    migration: Migration, paimon_server: PaimonDouble
) -> None:
    rules = [{"source": name, "target": "t", "query": "hive"} for name in ("a", "b")]
    migration.more["mapping"] = rules[:1]
    migration.crawl(TABLE, BASE, TOP)
    assert migration.counts(migration.plan()) == {"create": 2}
    first = migration.apply()
    assert (first.written, first.failed) == (2, 0)
    assert migration.verify().exit_code == command.FINE
    before = migration.there()
    assert {name: view.representations[0].dialect for name, view in before.items()} == {
        "rel.base": "query",
        "rel.top": "query",
    }
    assert migration.counts(migration.plan()) == {"keep": 2}
    migration.more["mapping"] = rules
    migration.crawl(
        TABLE, BASE, TOP, other=(spark_entry("base", "SELECT id FROM spark_catalog.rel.t"),)
    )
    told = migration.counts(migration.plan())
    assert told == {"replace": 1, "keep": 1}, "Spark's context becomes that of all"
    second = migration.apply()
    assert (second.written, second.failed) == (1, 0)
    assert migration.verify().exit_code == command.FINE
    dialects = [
        representation.dialect for representation in migration.there()["rel.base"].representations
    ]
    assert dialects == ["query", "hive", "spark"]
    assert migration.counts(migration.plan()) == {"keep": 2}
    assert migration.undo(second.run).failed == 0
    after = migration.there()
    assert not any(differences(before[name], after[name]) for name in before)
    back = migration.undo(first.run)
    assert (back.written, back.failed) == (2, 0)
    assert migration.there() == {}
    assert paimon_server.databases == {}


def left_aside(migration: Migration, server: PaimonDouble) -> str:
    """A view, and a server that is killed while it is replaced; the run that had made it."""
    migration.more["mapping"] = [{"source": "a", "target": "t", "query": "hive"}]
    migration.crawl(TABLE, BASE)
    migration.plan()
    first = migration.apply().run
    text = f"{BASE['viewExpandedText']} where `t`.`id` > 1"
    migration.crawl(TABLE, {**BASE, "viewExpandedText": text})
    assert migration.counts(migration.plan()) == {"replace": 1}
    writes = iter(range(1_000))
    server.trouble = lambda request: "before" if request.method != "GET" and next(writes) else ""
    assert migration.apply().failed == 1, "all but the first write, which renames the old one"
    server.trouble = lambda _: ""
    assert server.views
    assert ("rel", "base") not in server.views
    return first


def test_what_a_killed_server_has_left_aside_is_put_back_before_a_new_plan_is_written(
    migration: Migration, paimon_server: PaimonDouble
) -> None:
    left_aside(migration, paimon_server)
    assert migration.counts(migration.plan()) == {"create": 1}, "a plan writes nothing"
    assert migration.apply().written == 0, "the old one is there again"
    assert [*paimon_server.views] == [("rel", "base")]
    assert migration.counts(migration.plan()) == {"replace": 1}
    assert migration.apply().written == 1
    assert [*paimon_server.views] == [("rel", "base")]


def test_what_a_killed_server_has_left_aside_goes_with_the_run_that_made_it(
    migration: Migration, paimon_server: PaimonDouble
) -> None:
    first = left_aside(migration, paimon_server)
    assert migration.undo(first).written == 1
    assert paimon_server.views == {}
