"""A migration into Iceberg catalogs end to end: planned, applied, verified, undone."""

from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from connectors.iceberg import jdbc_store
from discovery.migration.diff import differences
from jobs.console import command
from jobs.crawl import crawl_estate
from tests.conftest import hive_entry, spark_entry
from tests.contract.iceberg import SALES, VIEW, with_history
from tests.contract.stores import apply, create
from tests.iceberg_server import IcebergServer
from tests.migrated import BASE, TABLE, TOP, Estate, Migration

ONE = pytest.mark.parametrize("migration", ["iceberg-rest"], indirect=True)
"""For what does not differ by the store: `tests/contract/test_stores.py` says that of both."""


@pytest.fixture(params=["iceberg-jdbc", "iceberg-rest"])
def migration(
    request: pytest.FixtureRequest, spark: SparkSession, estate: Estate, tmp_path: Path
) -> Migration:
    if request.param == "iceberg-rest":
        server: IcebergServer = request.getfixturevalue("iceberg_server")
        place = {"uri": server.uri, "registered_in": (tmp_path / "registered").as_uri()}
    else:
        folder = tmp_path / "target"
        folder.mkdir()
        place = {"url": f"sqlite:///{folder}/catalog.db", "warehouse": folder.as_uri()}
    more = {"targets": {"t": {"kind": request.param, **place}}, "engines": []}
    return Migration(spark, estate, tmp_path, more)


@ONE
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
    assert {
        representation.dialect: representation.default_catalog
        for representation in base.representations
    } == {
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


@ONE
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


def test_views_of_an_iceberg_source_keep_their_versions_and_who_made_them(
    migration: Migration, estate: Estate, tmp_path: Path
) -> None:
    folder = tmp_path / "source"
    folder.mkdir()
    url = f"sqlite:///{folder}/catalog.db"
    with jdbc_store.JdbcStore(jdbc_store.Options(url=url, warehouse=folder.as_uri())) as store:
        store.prepare([SALES])
        (creation,) = create(store.hold(VIEW).view)
        assert apply(store, with_history(creation)) == ["create"]
    migration.begin({"a": {"kind": "iceberg-jdbc", "url": url}})
    migration.plan()
    first = migration.apply()
    assert (first.written, first.failed) == (1, 0)
    assert migration.verify().exit_code == command.FINE
    written = migration.more["targets"]["t"]
    source = {name: written[name] for name in ("kind", "uri", "url") if name in written}
    again = crawl_estate(migration.spark, estate({"t": source})).run_id
    (row,) = (one for one in migration.table("outcomes", again) if one["outcome"] == "view")
    (note,) = row["notes"]
    assert note["message"] == "carried over is version 2, which trino 476 made; not 1"
    estate({"a": {"kind": "iceberg-jdbc", "url": url}}, **migration.more)
    migration.undo(first.run)
    assert migration.there() == {}
