"""A migration into a folder of JSON end to end, and that folder crawled again."""

from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from discovery.exercises import TAKEN, Agreement, ExerciseAnswer
from discovery.migration.changes import fingerprint
from jobs.configuration import exercised, identity
from jobs.console import command
from jobs.crawl import crawl_estate
from tests.conftest import spark_entry
from tests.migrated import BASE, TABLE, TOP, Estate, Migration


def test_views_go_into_a_folder_are_crawled_from_it_and_are_taken_back(
    spark: SparkSession, estate: Estate, tmp_path: Path
) -> None:
    folder = str(tmp_path / "kept")
    more = {"targets": {"t": {"kind": "archive", "path": folder}}, "engines": []}
    migration = Migration(spark, estate, tmp_path, more)
    base = spark_entry("base", "SELECT id FROM t")
    migration.crawl(TABLE, BASE, TOP, other=(base,))
    assert migration.counts(migration.plan()) == {"create": 2}
    first = migration.apply()
    assert (first.written, first.failed) == (2, 0)
    assert migration.verify().exit_code == command.FINE
    there = migration.there()
    assert {representation.dialect for representation in there["rel.base"].representations} == {
        "hive",
        "spark",
    }
    assert there["rel.top"].audit.creator
    elsewhere = estate({"kept": {"kind": "archive", "path": folder}})
    again = crawl_estate(spark, elsewhere).run_id
    found = {
        row["name"]: (row["format"], row["fingerprint"])
        for row in migration.table("outcomes", again)
        if row["outcome"] == "view"
    }
    assert found == {
        view.identifier.name: ("canonical", fingerprint(view)) for view in there.values()
    }
    back = migration.undo(first.run)
    assert (back.written, back.failed) == (2, 0)
    assert (migration.there(), migration.schemas()) == ({}, set())
    assert list(Path(folder).iterdir()) == []


def test_a_plan_heeds_what_the_target_answered_when_it_was_tried(
    spark: SparkSession,
    estate: Estate,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    more = {"targets": {"t": {"kind": "archive", "path": str(tmp_path / "kept")}}, "engines": []}
    migration = Migration(spark, estate, tmp_path, more)
    migration.crawl(TABLE, BASE, TOP, other=(spark_entry("other", "SELECT id FROM t"),))
    file, settings = tmp_path / "estate.yaml", identity.of_target(migration.config, "t")
    with migration.store() as store:
        server = store.probe().version
    refused = ExerciseAnswer("dialect spark", TAKEN, Agreement.REFUSED, "NOT_HELD: not here")
    exercised.keep(file, "t", server, settings, [refused])
    head = migration.plan()
    assert migration.counts(head) == {"blocked": 1, "create": 2}
    (aside,) = migration.lines("set-aside")
    assert aside["name"] == "other"
    assert "the target refused dialect spark" in aside["reason"]
    assert "1 not as believed, which counts" in head.targets["t"].reader
    exercised.keep(file, "t", "another", settings, [refused])
    assert migration.counts(migration.plan()) == {"create": 3}
    assert "that does not count" in capsys.readouterr().err
