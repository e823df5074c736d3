"""`verify --live`, whole, on Spark: a Trino that answers as the recorded one did."""

import json
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from connectors.clients.credentials import Secret
from discovery.errors import ConfigurationError
from jobs import verify
from jobs.console import command
from jobs.migrating.asking import AskedAt
from jobs.verify import verify_plan
from tests.asked_trino import (
    CATALOG,
    COMPARED,
    DATABASE,
    LIMIT,
    MEMORY,
    hang_up,
    of,
    served,
    valued,
)
from tests.conftest import hive_entry, spark_entry, trino_entry
from tests.migrated import TABLE, Estate, Migration

pytestmark = pytest.mark.timeout(900)
CANARY = "canary-8d20"
SELECT = "SELECT id FROM hive.asked.base"
VIEWS = tuple(trino_entry(name, SELECT, DATABASE) for name in ("good", "other_name", "stale"))
KILLED = trino_entry("elsewhere", SELECT, DATABASE)
OF_HIVE = hive_entry("of_hive", "SELECT `base`.`id` FROM `asked`.`base`", DATABASE)


def migrated(spark: SparkSession, estate: Estate, folder: Path, url: str, **more: Any) -> Migration:
    target = {"kind": "archive", "path": str(folder / "there")}
    trino = {"url": url, "token": "${env:TRINO_TOKEN}", "targets": {CATALOG: "t"}, **more}
    stated = {"targets": {"t": target}, "engines": {"trino": trino}}
    return Migration(spark, estate, folder, stated)


def test_what_was_written_is_shown_as_planned_or_told(
    spark: SparkSession,
    estate: Estate,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("TRINO_TOKEN", CANARY)
    with served(of('"elsewhere"', hang_up), slow=0.02) as double:
        migration = migrated(spark, estate, tmp_path, double.uri, connections=2)
        migration.crawl({**TABLE, "dbName": DATABASE}, *VIEWS, KILLED, OF_HIVE)
        assert Secret(CANARY) in migration.config.secrets
        plan = migration.plan()
        assert migration.apply().written == 5
        assert not double.seen
        capsys.readouterr()
        place = ["--config", str(tmp_path / "estate.yaml"), str(tmp_path / "plan")]
        assert verify.main([*place, "--live", "--json"]) == command.FINDINGS
        printed = capsys.readouterr()
        assert double.most <= 2
        assert not any("of_hive" in sql for sql in double.statements)
    rows = {row["name"]: row for row in migration.table("verified_live", plan.plan)}
    assert {name: (row["verdict"], row["differences"]) for name, row in rows.items()} == {
        "good": ("accepted", []),
        "other_name": (
            "accepted",
            ["columns: id is declared, and not returned; other is returned, and not declared"],
        ),
        "stale": ("rejected", None),
        "elsewhere": ("not judged", None),
    }
    assert {row["version"] for row in rows.values()} == {"476"}
    assert all(row["query"] for name, row in rows.items() if name != "elsewhere")
    told = json.loads(printed.out)
    assert told["different"] == {"t": 0}
    numbers = {"same": 1, "unlike": 2, "silent": 1, "unasked": 1}
    assert told["live"] == [{"engine": "trino", "target": "t", **numbers}]
    assert "t: trino shows columns: 1 as planned, 2 otherwise, 1 not judged" in printed.err
    assert "no engine" not in printed.err
    assert CANARY not in printed.out + printed.err + repr(rows)


def test_rows_of_source_and_target_are_compared_where_the_engine_shows_both(
    spark: SparkSession,
    estate: Estate,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("TRINO_TOKEN", CANARY)
    elsewhere = trino_entry("good", SELECT, DATABASE)
    with served(of('"memory"."asked"', hang_up)) as double:
        migration = migrated(spark, estate, tmp_path, double.uri, targets={MEMORY: "t"})
        migration.more["catalogs"] = {"trino": {CATALOG: "a"}}
        textless = spark_entry("textless", "SELECT id FROM t")
        migration.crawl(*map(valued, COMPARED), other=(elsewhere, textless))
        plan = migration.plan().plan
        assert migration.apply().written == len(COMPARED) + 2
        place = ["--config", str(tmp_path / "estate.yaml"), str(tmp_path / "plan"), "--json"]
        assert verify.main([*place, "--rows", "5"]) == command.USAGE
        assert verify.main([*place, "--live", "--rows", "0"]) == command.USAGE
        assert not double.seen
        capsys.readouterr()
        assert verify.main([*place, "--live", "--rows", str(LIMIT)]) == command.FINDINGS
    printed = capsys.readouterr()
    rows = {row["name"]: row for row in migration.table("verified_live", plan)}
    assert {name: (row["rows"], row["rows_message"]) for name, row in rows.items()} == {
        "good": (None, None),
        **{
            name: ("same" if name in {"same", "mapped"} else "other", why or None)
            for name, (_, _, why) in COMPARED.items()
        },
    }
    assert (rows["same"]["compared"], rows["fewer"]["compared"]) == (3, 2)
    (told,) = json.loads(printed.out)["live"]
    assert told["unasked"] == 1
    assert told["rows"] == {"same": 2, "other": 3, "not asked": 2}
    assert told["empty"] == 0
    assert "1 not judged, 1 no text for it" in printed.err
    assert "t: trino gets rows: 2 same, 3 other, 2 not asked" in printed.err
    assert "default.other: rows other: 1 of 3 rows have other values in note" in printed.err
    assert "trino gets other rows of 3 views than the source has" in printed.err


def test_without_the_flag_nobody_is_asked_and_an_earlier_answer_is_gone(
    spark: SparkSession, estate: Estate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRINO_TOKEN", CANARY)
    with served() as double:
        migration = migrated(spark, estate, tmp_path, double.uri)
        migration.more["targets"]["u"] = {"kind": "archive", "path": str(tmp_path / "unshown")}
        migration.more["mapping"] = [
            {"source": "a", "target": "u", "include": ["*.other_name"]},
            {"source": "a", "target": "t"},
        ]
        migration.crawl({**TABLE, "dbName": DATABASE}, *VIEWS[:2])
        plan = migration.plan().plan
        migration.apply()
        verified = verify_plan(spark, migration.config, tmp_path / "plan", live=True)
        assert verified.exit_code == command.FINE
        shown, unshown = verified.asked or ()
        assert (shown.target, shown.same) == ("t", 1)
        assert unshown == AskedAt("", "u", unasked=1), "no engine is said to show it"
        assert len(migration.table("verified_live", plan)) == 1
        number = len(double.seen)
        assert migration.verify().asked is None
        assert len(double.seen) == number
    assert migration.table("verified_live", plan) == []


def test_where_no_engine_shows_a_target_that_is_told_first(
    spark: SparkSession, estate: Estate, tmp_path: Path
) -> None:
    target = {"kind": "archive", "path": str(tmp_path / "there")}
    engines = {"trino": {"url": "http://127.0.0.1:1"}}
    stated = {"targets": {"t": target}, "engines": engines}
    migration = Migration(spark, estate, tmp_path, stated)
    migration.crawl(TABLE, spark_entry("v", "SELECT id FROM t"))
    with pytest.raises(ConfigurationError, match="no engine is said to show a target"):
        verify_plan(spark, migration.config, tmp_path / "plan", live=True)


def test_where_no_engine_shows_a_source_too_no_rows_are_asked_for(
    spark: SparkSession, estate: Estate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRINO_TOKEN", CANARY)
    migration = migrated(spark, estate, tmp_path, "http://127.0.0.1:1")
    migration.crawl(TABLE, spark_entry("v", "SELECT id FROM t"))
    with pytest.raises(ConfigurationError, match="both a target and a source") as told:
        verify_plan(spark, migration.config, tmp_path / "plan", live=True, rows=5)
    assert told.value.hint == "write catalogs: {trino: {CATALOG: a}}"
