"""Functions that Trino keeps in a metastore, moved into Gravitino with the views that call them."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from connectors.clients.metastore_writer import MetastoreWriter
from connectors.clients.thrift.login import MetastoreLogin
from jobs.console import command
from jobs.embedded.metastore import EmbeddedMetastore, embedded_metastore
from jobs.embedded.thrift_writer import writer
from tests.conftest import hive_entry
from tests.gravitino_double import Double, gravitino
from tests.migrated import Estate, Migration
from tests.recorded.trino_functions import RECORDED

WHISPER = ("m", "c", "fun_tools", "functions", "whisper")


def trino_view(name: str) -> dict[str, object]:
    """An entry with the text that Trino has written."""
    entry = hive_entry(name, RECORDED["views"][name], "fun_sales")
    marks = {"presto_view": "true", "comment": "Presto View", "trino_created_by": "Trino 476"}
    return {**entry, "owner": "alice", "parameters": marks, "viewExpandedText": "/* Presto View */"}


@pytest.fixture(scope="module")
def old(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedMetastore]:
    """The metastore that is left: Trino's functions, its views, and a view of Hive."""
    with embedded_metastore(tmp_path_factory.mktemp("old"), heap="300m") as running:
        with writer(running.uri) as made:
            for database in ("fun_tools", "fun_sales"):
                made.create_database(database, f"{running.warehouse.as_uri()}/{database}.db")
            made.create_function("fun_tools", "cry", "example.Cry", "alice")
            made.create_table(trino_view("quiet"))
            made.create_table(trino_view("loud"))
            made.create_table(hive_entry("hive", "select fun_tools.cry(1) as id", "fun_sales"))
        with closing(MetastoreWriter(MetastoreLogin(uri=running.uri))) as client:
            for function in RECORDED["functions"]:
                client.create_function(function)
        yield running


@pytest.fixture
def double() -> Iterator[Double]:
    with gravitino("lakehouse-iceberg") as running:
        yield running


@pytest.fixture
def migration(
    spark: SparkSession, estate: Estate, old: EmbeddedMetastore, double: Double, tmp_path: Path
) -> Migration:
    target = {"kind": "gravitino-rest", "uri": double.uri, "metalake": "m", "catalog": "c"}
    targets = {"t": {**target, "provider": "lakehouse-iceberg"}}
    more = {"targets": targets, "engines": [], "catalogs": {"trino": {"hive": "lake"}}}
    made = Migration(spark, estate, tmp_path, more)
    made.begin({"lake": {"kind": "hms", "uri": old.uri}})
    return made


def test_a_function_of_trino_is_made_before_its_view_verified_and_taken_back(
    migration: Migration, double: Double
) -> None:
    head = migration.plan()
    assert migration.counts(head) == {"create": 3}
    (line,) = migration.lines("functions")
    assert (line["name"], line["language"], line["action"]) == ("whisper", "Trino SQL", "create")
    assert line["sql"].startswith("FUNCTION hive.fun_tools.whisper(word varchar)")
    losses = {one["name"]: " ".join(one["losses"]) for one in migration.lines()}
    assert "it calls" not in losses["quiet"]
    for name in ("shout", "twice"):
        why = f"FUNCTION_NOT_MOVABLE: it calls lake/fun_tools.{name} (Trino SQL): it has its owner"
        assert why in losses["loud"]
    assert "lake/fun_tools.cry (example.Cry): its source tells a class only" in losses["hive"]
    told = (migration.folder / "plan" / "summary.md").read_text(encoding="utf-8")
    assert "`fun_tools.whisper`: made before them, Trino SQL" in told
    first = migration.apply()
    assert (first.written, first.failed, first.functions, first.unmade) == (3, 0, 1, 0)
    (impl,) = double.things[WHISPER]["definitions"][0]["impls"]
    assert (impl["runtime"], impl["sql"]) == ("TRINO", line["sql"])
    wrote = double.writes()
    assert wrote.index(("POST", "functions")) < wrote.index(("POST", "views"))
    assert migration.verify().exit_code == command.FINE
    again = migration.plan()
    assert [function.action.value for function in again.targets["t"].functions] == ["keep"]
    made = double.things.pop(WHISPER)
    assert migration.verify().exit_code == command.FINDINGS
    double.things[WHISPER] = made
    back = migration.undo(first.run)
    assert (back.written, back.failed, back.functions, back.unmade) == (3, 0, 1, 0)
    assert WHISPER not in double.things
    assert ("m", "c", "fun_tools") not in double.things, "it was made for the function"


def test_another_function_of_that_name_blocks_its_callers_alone(
    migration: Migration, double: Double
) -> None:
    migration.plan()
    double.schema("fun_tools")
    other = {"name": "whisper", "functionType": "scalar", "deterministic": True, "definitions": []}
    double.things[WHISPER] = other
    execution_result = migration.apply()
    assert (
        execution_result.written,
        execution_result.failed,
        execution_result.functions,
        execution_result.unmade,
    ) == (2, 1, 0, 1)
    events = {row["name"]: row["code"] for row in migration.table("events", execution_result.run)}
    assert events["quiet"] == "BLOCKED_BY"
    assert migration.counts(migration.plan()) == {"blocked": 1, "keep": 2}
    (aside,) = migration.lines("set-aside")
    assert "calls lake/fun_tools.whisper, and the target has another function" in aside["reason"]
    assert double.things[WHISPER] == other
