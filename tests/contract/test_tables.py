"""The columns of tables that views read, where a source tells them in a way of its own."""

import json

import pyarrow as pa
import pytest
from pyiceberg.schema import Schema
from pyiceberg.types import DecimalType, NestedField, StringType

from connectors.iceberg.jdbc import JdbcCatalog
from connectors.iceberg.jdbc import Options as JdbcOptions
from connectors.iceberg.rest import Options as RestOptions
from connectors.iceberg.rest import RestCatalog
from connectors.jdbc.mysql import MySQL
from connectors.jdbc.mysql import Options as MySQLOptions
from connectors.jdbc.postgresql import Options as PostgreSQLOptions
from connectors.registry import Connector
from discovery.crawl import normalize
from discovery.errors import DecodeError
from discovery.formats import base_columns, iceberg_table
from discovery.formats.base_columns import TableColumns
from discovery.model import Column, Identifier, Primitive, View
from discovery.outcomes import Failure, RawObject
from jobs.assessing.workers.bases import fetch_bases
from jobs.embedded.iceberg import EmbeddedCatalog, NewView
from jobs.embedded.postgres import EmbeddedPostgreSQL
from tests.recorded.answers import Answers
from tests.servers import MariaDB

COLUMN = {"id": 1, "name": "x", "required": False, "type": "int"}
TABLE_SCHEMA = Schema(
    NestedField(1, "amount", DecimalType(12, 2), required=True),
    NestedField(2, "note", StringType(), doc="the note"),
)
WANTED = (
    Column("amount", Primitive("decimal(12,2)"), None, False),
    Column("note", Primitive("string"), "the note"),
)


def test_what_a_database_hides_is_not_called_missing(maria: MariaDB) -> None:
    maria.execute(
        "DROP DATABASE IF EXISTS hidden",
        "CREATE DATABASE hidden",
        "CREATE TABLE hidden.`per%cent:x` (x int, y varchar(3) COMMENT 'y')",
        "CREATE OR REPLACE USER nobody@localhost",
    )
    names = [Identifier(("hidden",), name) for name in ("per%cent:x", "gone")]
    names += [Identifier(("no_such",), "t"), Identifier(("too", "many"), "t")]
    with MySQL(MySQLOptions(url=maria.url(), user="root")) as source:
        (found,) = source.load_tables(names)
    assert isinstance(found, RawObject)
    columns = (Column("x", Primitive("integer")), Column("y", Primitive("varchar(3)"), "y"))
    assert base_columns.table_columns(found) == TableColumns(columns)
    with MySQL(MySQLOptions(url=maria.url(), user="nobody")) as source:
        answers = list(source.load_tables(names[:2]))
    assert [answer.code for answer in answers if isinstance(answer, Failure)] == [
        "DENIED",
        "DENIED",
    ]


def test_a_jdbc_catalog_tells_the_current_columns_of_tables(iceberg: EmbeddedCatalog) -> None:
    iceberg.create_namespace(("a", "b"), {})
    iceberg.create_table(("a", "b"), "t", TABLE_SCHEMA)
    iceberg.create_table(("a", "b"), "lost", TABLE_SCHEMA)
    pointer = "UPDATE iceberg_tables SET metadata_location = ? WHERE table_name = 'lost'"
    iceberg.execute(pointer, (f"{iceberg.warehouse.as_uri()}/nowhere/t.metadata.json",))
    iceberg.create_view(("a", "b"), "v", NewView([COLUMN], {"spark": "SELECT 1 AS x"}))
    names = [Identifier(("a", "b"), name) for name in ("t", "lost", "gone", "v")]
    with JdbcCatalog(JdbcOptions(url=iceberg.url)) as source:
        answers = {outcome.listed.name: outcome for outcome in source.load_tables(names)}
    assert answers.keys() == {"t", "lost", "v"}
    table, lost = answers["t"], answers["lost"]
    assert isinstance(table, RawObject)
    assert base_columns.table_columns(table) == TableColumns(WANTED)
    assert isinstance(lost, Failure)
    assert lost.code == "FILE_UNREADABLE"
    assert isinstance(answers["v"], RawObject)
    assert isinstance(normalize(answers["v"]).result, View)


def test_a_rest_server_tells_the_current_columns_of_tables(
    iceberg: EmbeddedCatalog, iceberg_rest: Answers
) -> None:
    iceberg.create_namespace(("a",), {})
    iceberg.create_table(("a",), "t", TABLE_SCHEMA)
    (path,) = iceberg.warehouse.glob("a/t/metadata/*.json")
    answer = {"metadata": json.loads(path.read_text(encoding="utf-8")), "config": {"token": "no"}}
    here, query = "/v1/namespaces/contract/tables", "?snapshots=refs"
    gone = iceberg_rest.said["/v1/namespaces/contract/views/gone"]
    iceberg_rest.said |= {
        f"{here}/t{query}": (200, json.dumps(answer)),
        f"{here}/gone{query}": gone,
        f"{here}/v_one{query}": gone,
        f"{here}/odd{query}": (200, '{"metadata": {"format-version": 2}}'),
    }
    names = [Identifier(("contract",), name) for name in ("t", "gone", "v_one", "odd")]
    with RestCatalog(RestOptions(uri=iceberg_rest.uri)) as source:
        answers = {outcome.listed.name: outcome for outcome in source.load_tables(names)}
    assert answers.keys() == {"t", "v_one", "odd"}
    table, odd = answers["t"], answers["odd"]
    assert isinstance(table, RawObject)
    assert base_columns.table_columns(table) == TableColumns(WANTED)
    assert "token" not in table.text
    assert isinstance(odd, Failure)
    assert "current-schema-id" in odd.message
    assert isinstance(answers["v_one"], RawObject)
    assert isinstance(normalize(answers["v_one"]).result, View)


def test_a_table_of_the_first_version_may_have_its_schema_alone() -> None:
    alone = {"type": "struct", "fields": []}
    assert iceberg_table.schema({"format-version": 1, "schema": alone}) is alone
    with pytest.raises(DecodeError, match="must be an object"):
        iceberg_table.schema(1)


def test_a_sequence_is_there_and_is_no_table(postgresql: EmbeddedPostgreSQL) -> None:
    postgresql.execute(
        (
            "DROP SCHEMA IF EXISTS seq CASCADE",
            "CREATE SCHEMA seq",
            "CREATE SEQUENCE seq.numbers",
            "CREATE TABLE seq.t (x int)",
        )
    )
    places = [
        {"source": "db", "namespace": ["seq"], "name": name, "key": f"seq.{name}"}
        for name in ("numbers", "t", "gone")
    ]
    connector = Connector("postgresql", PostgreSQLOptions(url=postgresql.url(), user="postgres"))
    asked = pa.RecordBatch.from_pylist(places)
    batches = fetch_bases("db", connector)([asked])
    found = {row["name"]: row["state"] for batch in batches for row in batch.to_pylist()}
    assert found == {"numbers": "sequence", "t": "found", "gone": "missing"}
