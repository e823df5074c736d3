"""A migration into Iceberg catalogs end to end: planned, applied, verified, undone."""

from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from discovery.migration.diff import differences
from jobs.console import command
from tests.conftest import hive_entry, spark_entry
from tests.iceberg_server import IcebergServer
from tests.migrated import BASE, TABLE, TOP, Estate, Migration


@pytest.fixture(params=["iceberg-jdbc", "iceberg-rest"])
def migration(
    request: pytest.FixtureRequest, spark: SparkSession, estate: Estate, tmp_path: Path
) -> Migration:
    if request.param == "iceberg-rest":
        server: IcebergServer = request.getfixturevalue("iceberg_server")
        place = {"uri": server.uri}
    else:
        folder = tmp_path / "target"
        folder.mkdir()
        place = {"url": f"sqlite:///{folder}/catalog.db", "warehouse": folder.as_uri()}
    more = {"targets": {"t": {"kind": request.param, **place}}, "engines": []}
    return Migration(spark, estate, tmp_path, more)


def test_views_of_two_engines_become_one_in_an_iceberg_catalog_and_come_apart_again(
    migration: Migration,
) -> None:
    migration.crawl(TABLE, BASE, TOP)
    assert migration.counts(migration.plan()) == {"create": 2}
    first = migration.apply()
    assert (first.written, first.failed) == (2, 0)
    assert migration.verify().exit_code == command.FINE
    before = migration.there()
    assert before.keys() == {"rel.base", "rel.top"}
    assert migration.counts(migration.plan()) == {"keep": 2}
    migration.crawl(TABLE, BASE, TOP, other=(spark_entry("base", "SELECT id FROM t"),))
    assert migration.counts(migration.plan()) == {"add-dialect": 1, "keep": 1}
    second = migration.apply()
    assert (second.written, second.failed) == (1, 0)
    assert migration.verify().exit_code == command.FINE
    base = migration.there()["rel.base"]
    assert {one.dialect: one.default_catalog for one in base.representations} == {
        "hive": None,
        "spark": "spark_catalog",
    }
    assert migration.counts(migration.plan()) == {"keep": 2}
    migration.undo(second.run)
    after = migration.there()
    assert not any(differences(before[name], after[name]) for name in before)
    back = migration.undo(first.run)
    assert (back.written, back.failed) == (2, 0)
    assert migration.there() == {}
    assert migration.schemas() == set()


def test_what_iceberg_cannot_hold_is_blocked_and_what_it_loses_told_before_anything_is_written(
    migration: Migration,
) -> None:
    odd, small = (hive_entry(name, "select 1 as `id`") for name in ("odd", "small"))
    odd["sd"] = {**odd["sd"], "cols": [{"name": "id", "type": "uniontype<int,string>"}]}
    small["sd"] = {**small["sd"], "cols": [{"name": "id", "type": "tinyint"}]}
    migration.crawl(odd, small)
    assert migration.counts(migration.plan()) == {"blocked": 1, "create": 1}
    (line,) = migration.lines()
    assert (line["name"], len(line["losses"])) == ("small", 1)
    assert "belvedere.types" in line["losses"][0]
    migration.apply()
    assert migration.verify().exit_code == command.FINE
    assert migration.there().keys() == {"rel.small"}
