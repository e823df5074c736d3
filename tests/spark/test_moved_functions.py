"""Functions of one metastore, moved into another with the views that call them, run by Spark."""

import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import Row, SparkSession

from discovery.model import Identifier
from jobs.console import command
from jobs.embedded.metastore import EmbeddedMetastore, embedded_metastore
from jobs.embedded.thrift_writer import Writer, writer
from tests.conftest import hive_entry
from tests.migrated import TABLE, Estate, Migration

CALLED = "lake/fun_tools.shout"
UPPER = "org.apache.hadoop.hive.ql.udf.generic.GenericUDFUpper"
LOWER = "org.apache.hadoop.hive.ql.udf.generic.GenericUDFLower"
CALLING = "select fun_tools.shout(t.name) as id from fun_sales.t"


@pytest.fixture(scope="module")
def old(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedMetastore]:
    """The metastore that is left."""
    with embedded_metastore(tmp_path_factory.mktemp("old"), heap="300m") as running:
        with writer(running.uri) as made:
            for database in ("fun_tools", "fun_sales"):
                made.create_database(database, f"{running.warehouse.as_uri()}/{database}.db")
            made.create_table({**TABLE, "dbName": "fun_sales"})
            made.create_table(text_view("loud", CALLING))
            made.create_table(text_view("top", "select loud.id from fun_sales.loud"))
        yield running


def text_view(name: str, sql: str) -> dict[str, Any]:
    """An entry whose column is a text."""
    entry = hive_entry(name, sql, "fun_sales")
    return {**entry, "sd": {**entry["sd"], "cols": [{"name": "id", "type": "string"}]}}


@pytest.fixture
def jar(tmp_path: Path) -> str:
    path = tmp_path / "tools.jar"
    with zipfile.ZipFile(path, "w") as made:
        made.writestr("README", "nothing")
    return path.as_uri()


@pytest.fixture
def before(old: EmbeddedMetastore, spark: SparkSession, jar: str) -> Iterator[Writer]:
    """Functions and views where they were, a table with their data where they go."""
    spark.sql("CREATE DATABASE fun_sales")
    spark.sql("CREATE TABLE fun_sales.t USING parquet AS SELECT 'quiet' AS name")
    with writer(old.uri) as made:
        made.create_function("fun_tools", "shout", UPPER, "alice", jar)
        yield made
        made.drop_function("fun_tools", "shout")
    spark.sql("DROP DATABASE IF EXISTS fun_sales CASCADE")
    spark.sql("DROP DATABASE IF EXISTS fun_tools CASCADE")


@pytest.fixture
def migration(
    spark: SparkSession,
    estate: Estate,
    metastore: EmbeddedMetastore,
    old: EmbeddedMetastore,
    before: Writer,
    tmp_path: Path,
) -> Migration:
    more = {"targets": {"t": {"kind": "hms", "uri": metastore.uri}}, "engines": []}
    made = Migration(spark, estate, tmp_path, more)
    made.begin({"lake": {"kind": "hms", "uri": old.uri}})
    return made


def test_a_function_and_the_views_above_it_run_in_spark_and_are_taken_back(
    migration: Migration, spark: SparkSession, jar: str, capsys: pytest.CaptureFixture[str]
) -> None:
    head = migration.plan()
    assert migration.counts(head) == {"create": 2}
    (line,) = migration.lines("functions")
    assert (line["name"], line["implementation"]) == ("shout", UPPER)
    assert (line["owner"], line["files"]) == ("alice", [["jar", jar]])
    told = (migration.folder / "plan" / "summary.md").read_text(encoding="utf-8")
    assert "`fun_tools.shout`: made before them" in told
    first = migration.apply()
    assert (first.written, first.failed, first.functions, first.unmade) == (2, 0, 1, 0)
    assert spark.table("fun_sales.top").collect() == [Row(id="QUIET")]
    assert migration.verify().exit_code == command.FINE
    assert migration.apply().functions == 0
    again = migration.plan()
    assert migration.counts(again) == {"keep": 2}
    assert [function.action.value for function in again.targets["t"].functions] == ["keep"]
    back = migration.undo(first.run)
    assert (back.written, back.failed, back.functions, back.unmade) == (2, 0, 1, 0)
    assert not spark.catalog.databaseExists("fun_tools"), "what was made for the function is gone"
    assert "functions: 1 made or dropped" in capsys.readouterr().err
    assert json.loads(back.to_json())["functions"] == 1


def test_callers_are_named_where_a_function_does_not_go_or_another_one_stands(
    migration: Migration, hms: Writer, metastore: EmbeddedMetastore, estate: Estate
) -> None:
    lake = migration.config
    archive = {"t": {"kind": "archive", "path": str(migration.folder / "moved")}}
    uri = migration.config.sources["lake"].options.uri
    migration.config = estate({"lake": {"kind": "hms", "uri": uri}}, targets=archive, engines=[])
    assert migration.counts(migration.plan()) == {"create": 2}
    losses = {line["name"]: line["losses"] for line in migration.lines()}
    assert any(f"gets no function: {CALLED} ({UPPER})" in one for one in losses["loud"])
    assert not any("function" in one for one in losses["top"])
    migration.config = lake
    migration.plan()
    hms.create_database("fun_tools", f"{metastore.warehouse.as_uri()}/fun_tools.db")
    hms.create_function("fun_tools", "shout", LOWER, "bob")
    execution_result = migration.apply()
    assert (
        execution_result.written,
        execution_result.failed,
        execution_result.functions,
        execution_result.unmade,
    ) == (0, 2, 0, 1)
    events = migration.table("events", execution_result.run)
    why = {row["name"]: (row["code"], row["message"]) for row in events}
    assert why["loud"] == ("BLOCKED_BY", "it calls fun_tools.shout, which could not be made")
    assert why["top"][0] == "BLOCKED_BY"
    assert migration.counts(migration.plan()) == {"blocked": 2}
    assert migration.lines("functions") == []
    reasons = {line["name"]: line["reason"] for line in migration.lines("set-aside")}
    assert f"calls {CALLED}, and the target has another function" in reasons["loud"]
    with migration.store() as store:
        (kept,) = store.kept_functions.present([Identifier(("fun_tools",), "shout")])
        assert kept.implementation == LOWER
