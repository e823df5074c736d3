"""The sources that keep the contract: how each is made, with what is in it."""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from connectors.archive import Archive
from connectors.archive import Options as ArchiveOptions
from connectors.clients.credentials import Secret
from connectors.clients.lines import raw_object
from connectors.glue import Glue
from connectors.glue import Options as GlueOptions
from connectors.hms import HiveMetastore, IcebergHive
from connectors.hms import Options as HmsOptions
from connectors.hms_database.source import MetastoreDatabase
from connectors.hms_database.source import Options as HmsDatabaseOptions
from connectors.iceberg.jdbc import JdbcCatalog
from connectors.iceberg.jdbc import Options as IcebergJdbcOptions
from connectors.iceberg.rest import Options as IcebergRestOptions
from connectors.iceberg.rest import RestCatalog
from connectors.jdbc.any_database import AnyDatabase
from connectors.jdbc.any_database import Options as AnyDatabaseOptions
from connectors.jdbc.doris import Doris
from connectors.jdbc.doris import Options as DorisOptions
from connectors.jdbc.mysql import MySQL
from connectors.jdbc.mysql import Options as MySQLOptions
from connectors.jdbc.postgresql import Options as PostgreSQLOptions
from connectors.jdbc.postgresql import PostgreSQL
from connectors.jdbc.starrocks import Options as StarRocksOptions
from connectors.jdbc.starrocks import StarRocks
from connectors.memory import MemorySource
from connectors.paimon.source import Options as PaimonOptions
from connectors.paimon.source import Paimon
from discovery.outcomes import Kind, Listed, RawObject
from discovery.ports import ViewSource
from jobs.embedded.iceberg import EmbeddedCatalog, NewView
from jobs.embedded.postgres import EmbeddedPostgreSQL
from jobs.embedded.thrift_writer import writer
from tests.backing import Backed
from tests.databases.protocol_double import Double, serving
from tests.recorded.answers import Answers
from tests.servers import MariaDB

NAMESPACE = ("contract",)
VIEWS = ("v_one", "v_two")
TABLE = "t"


@dataclass
class Made:
    """A source that holds `contract.v_one`, `contract.v_two`, and a table if it knows tables."""

    source: ViewSource
    drop: Callable[[str], None]
    unreachable: ViewSource | None
    options: Any = None  # None: it has none
    namespace: tuple[str, ...] = NAMESPACE
    comment: str | None = "the x"  # of the column; None: the system has no comments
    whole_number: str = "integer"  # the type of `int` there


def payload(name: str, kind: str = "VIRTUAL_VIEW") -> dict[str, Any]:
    text = {"viewOriginalText": "select 1 as x", "viewExpandedText": "select 1 as `x`"}
    return {
        "dbName": NAMESPACE[0],
        "tableName": name,
        "tableType": kind,
        "owner": "o",
        "parameters": {"k": "v"},
        "partitionKeys": [],
        "sd": {
            "cols": [{"name": "x", "type": "int", "comment": "the x"}],
            "serdeInfo": {"parameters": {}},
        },
        **(text if kind == "VIRTUAL_VIEW" else {}),
    }


def listed_by(source: ViewSource) -> list[Listed]:
    listing = list(source.listing())
    assert all(isinstance(item, Listed) for item in listing), listing
    return [item for item in listing if isinstance(item, Listed)]


def make_memory(request: pytest.FixtureRequest) -> Made:
    objects: dict[Listed, RawObject | None] = {}
    space = Listed(NAMESPACE, "", Kind.NAMESPACE)
    objects[space] = raw_object(space, "hive_database", {"name": NAMESPACE[0]})
    for name in VIEWS:
        listed = Listed(NAMESPACE, name)
        objects[listed] = raw_object(listed, "hive_table", payload(name))
    table = Listed(NAMESPACE, TABLE, Kind.TABLE)
    objects[table] = raw_object(table, "hive_table", payload(TABLE, "MANAGED_TABLE"))

    def drop(name: str) -> None:
        objects[Listed(NAMESPACE, name)] = None

    return Made(MemorySource(objects), drop, None)


def make_archive(request: pytest.FixtureRequest) -> Made:
    folder: Path = request.getfixturevalue("tmp_path")
    lines = [{"kind": "hive_database", "payload": {"name": NAMESPACE[0]}}]
    lines += [{"kind": "hive_table", "payload": payload(name)} for name in VIEWS]
    text = "".join(f"{json.dumps(line)}\n" for line in lines)
    (folder / "a.jsonl").write_text(text, encoding="utf-8")

    def drop(name: str) -> None:
        pytest.skip("an archive does not change while it is read")

    missing = Archive(ArchiveOptions(path=str(folder / "nowhere")))
    options = ArchiveOptions(path=str(folder))
    return Made(Archive(options), drop, missing, options)


def make_hms(request: pytest.FixtureRequest) -> Made:
    metastore, writer = request.getfixturevalue("metastore"), request.getfixturevalue("hms")
    writer.create_database(NAMESPACE[0], f"{metastore.warehouse.as_uri()}/contract.db")
    options = HmsOptions(uri=metastore.uri, include=("contract",), batch=2)
    source = HiveMetastore(options)
    with source:
        there = {listed.name for listed in listed_by(source)}
    for name in {*VIEWS, TABLE} - there:
        writer.create_table(payload(name, "VIRTUAL_VIEW" if name in VIEWS else "MANAGED_TABLE"))
    unreachable = HiveMetastore(HmsOptions(uri="thrift://127.0.0.1:1", timeout=1))

    def drop(name: str) -> None:
        writer.drop_table(NAMESPACE[0], name)

    return Made(source, drop, unreachable, options)


def make_hms_database(request: pytest.FixtureRequest) -> Made:
    backed: Backed = request.getfixturevalue("backed")
    options = replace(backed.options, include=NAMESPACE)
    source = MetastoreDatabase(options)
    with writer(backed.metastore.uri) as writing, source:
        place = f"{backed.metastore.warehouse.as_uri()}/contract.db"
        writing.create_database(NAMESPACE[0], place)
        there = {listed.name for listed in listed_by(source)}
        for name in {*VIEWS, TABLE} - there:
            kind = "VIRTUAL_VIEW" if name in VIEWS else "MANAGED_TABLE"
            writing.create_table(payload(name, kind))
    nowhere = HmsDatabaseOptions(url="postgresql://127.0.0.1:1/x", user="x", timeout=2)

    def drop(name: str) -> None:
        with writer(backed.metastore.uri) as writing:
            writing.drop_table(NAMESPACE[0], name)

    return Made(source, drop, MetastoreDatabase(nowhere), options)


def make_postgresql(request: pytest.FixtureRequest) -> Made:
    server: EmbeddedPostgreSQL = request.getfixturevalue("postgresql")
    server.execute(
        (
            "DROP SCHEMA IF EXISTS contract CASCADE",
            "CREATE SCHEMA contract",
            "CREATE TABLE contract.t (x int)",
            *(f"CREATE VIEW contract.{name} AS SELECT x FROM contract.t" for name in VIEWS),
            *(f"COMMENT ON COLUMN contract.{name}.x IS 'the x'" for name in VIEWS),
        )
    )
    options = PostgreSQLOptions(url=server.url(), user="postgres", include=("contract",))
    nowhere = PostgreSQLOptions(url="postgresql://127.0.0.1:1/x", user="x", timeout=2)

    def drop(name: str) -> None:
        server.execute((f"DROP VIEW contract.{name}",))

    return Made(PostgreSQL(options), drop, PostgreSQL(nowhere), options)


def make_iceberg_hive(request: pytest.FixtureRequest) -> Made:
    metastore, writer = request.getfixturevalue("metastore"), request.getfixturevalue("hms")
    catalog: EmbeddedCatalog = request.getfixturevalue("iceberg")  # for its metadata files
    writer.create_database("contract_ice", f"{metastore.warehouse.as_uri()}/contract_ice.db")
    column = {"id": 1, "name": "x", "required": False, "type": "int", "doc": "the x"}
    for name in VIEWS:
        path = catalog.create_view(NAMESPACE, name, NewView([column], {"spark": "SELECT 1 AS x"}))
        pointer = {"table_type": "ICEBERG-VIEW", "metadata_location": path.as_uri()}
        writer.drop_table("contract_ice", name, missing_ok=True)
        writer.create_table(payload(name) | {"dbName": "contract_ice", "parameters": pointer})

    def drop(name: str) -> None:
        writer.drop_table("contract_ice", name)

    place = (catalog.warehouse.as_uri(),)
    options = HmsOptions(uri=metastore.uri, include=("contract_ice",), batch=2, locations=place)
    unreachable = IcebergHive(HmsOptions(uri="thrift://127.0.0.1:1", timeout=1))
    return Made(IcebergHive(options), drop, unreachable, options, ("contract_ice",))


def make_iceberg_jdbc(request: pytest.FixtureRequest) -> Made:
    catalog: EmbeddedCatalog = request.getfixturevalue("iceberg")
    catalog.create_namespace(NAMESPACE, {})
    column = {"id": 1, "name": "x", "required": False, "type": "int", "doc": "the x"}
    for name in VIEWS:
        catalog.create_view(NAMESPACE, name, NewView([column], {"spark": "SELECT 1 AS x"}))
    row = (catalog.name, NAMESPACE[0], TABLE, "file:/t.metadata.json", "TABLE")
    catalog.execute("INSERT INTO iceberg_tables VALUES (?, ?, ?, ?, NULL, ?)", row)

    def drop(name: str) -> None:
        catalog.execute("DELETE FROM iceberg_tables WHERE table_name = ?", (name,))

    options = IcebergJdbcOptions(url=catalog.url)
    nowhere = JdbcCatalog(IcebergJdbcOptions(url="sqlite:////nowhere/catalog.db"))
    return Made(JdbcCatalog(options), drop, nowhere, options)


def make_iceberg_rest(request: pytest.FixtureRequest) -> Made:
    answers: Answers = request.getfixturevalue("iceberg_rest")

    def drop(name: str) -> None:
        answers.forget(f"/views/{name}", *answers.said["/v1/namespaces/contract/views/gone"])

    options = IcebergRestOptions(uri=answers.uri, include=NAMESPACE)
    nowhere = RestCatalog(IcebergRestOptions(uri="http://127.0.0.1:1", timeout=1))
    return Made(RestCatalog(options), drop, nowhere, options)


def make_mysql(request: pytest.FixtureRequest) -> Made:
    server: MariaDB = request.getfixturevalue("maria")
    server.execute(
        "DROP DATABASE IF EXISTS contract",
        "CREATE DATABASE contract",
        "CREATE TABLE contract.t (x int COMMENT 'the x')",
        *(f"CREATE VIEW contract.{name} AS SELECT x FROM contract.t" for name in VIEWS),
    )
    options = MySQLOptions(url=server.url(), user="root", include=("contract",))
    nowhere = MySQLOptions(url="mysql://127.0.0.1:1/", user="x", timeout=2)

    def drop(name: str) -> None:
        server.execute(f"DROP VIEW contract.{name}")

    return Made(MySQL(options), drop, MySQL(nowhere), options)


def make_sqlalchemy(request: pytest.FixtureRequest) -> Made:
    path = request.getfixturevalue("tmp_path") / "contract.db"
    url = f"sqlite:///file:{path.parent}/main.db?uri=true"
    attached = f"ATTACH '{path}' AS contract"
    options = AnyDatabaseOptions(url=url, include=("contract",), session=(attached,))
    unreachable = AnyDatabase(AnyDatabaseOptions(url=f"sqlite:///{path.parent}/no/x.db"))

    with closing(sqlite3.connect(path.parent / "main.db")) as main:
        main.execute("CREATE TABLE t (x int)")  # what is not there is not made

    def run(*statements: str) -> None:
        with closing(sqlite3.connect(path)) as connection:
            for statement in statements:
                connection.execute(statement)

    views = (f"CREATE VIEW {name} AS SELECT x FROM t" for name in VIEWS)
    run("CREATE TABLE t (x int)", *views)

    def drop(name: str) -> None:
        run(f"DROP VIEW {name}")

    source = AnyDatabase(options)
    return Made(source, drop, unreachable, options, comment=None, whole_number="long")


def make_doubled(request: pytest.FixtureRequest, source: Any, options: Any, kind: str) -> Made:
    """A source of which no real server could be met."""
    views = [("contract", name, "SELECT x FROM t", "NONE", "NO", "", "", "", "") for name in VIEWS]
    double = Double(
        version="8.0.33",
        catalog={
            "schemata": [("def", "contract", "utf8mb4", "")],
            "tables": [
                ("contract", TABLE, "BASE TABLE", "", ""),
                *(("contract", name, "VIEW", "", "") for name in VIEWS),
            ],
            "views": views,
            "columns": [
                ("contract", name, "x", 1, "int", "int(11)", "the x") for name in (*VIEWS, TABLE)
            ],
        },
        errors={"SHOW FULL COLUMNS": (1146, "there is no such table")},
        views={f"contract.{name}": ["x"] for name in VIEWS},
    )
    running = serving(double)
    port = running.__enter__()
    request.addfinalizer(lambda: running.__exit__(None, None, None) and None)
    made = options(url=f"{kind}://127.0.0.1:{port}/", user="root", include=("contract",))
    nowhere = options(url=f"{kind}://127.0.0.1:1/", user="x", timeout=2)

    def drop(name: str) -> None:
        views.remove(next(row for row in views if row[1] == name))

    return Made(source(made), drop, source(nowhere), made)


def make_doris(request: pytest.FixtureRequest) -> Made:
    return make_doubled(request, Doris, DorisOptions, "doris")


def make_starrocks(request: pytest.FixtureRequest) -> Made:
    return make_doubled(request, StarRocks, StarRocksOptions, "starrocks")


def make_glue(request: pytest.FixtureRequest) -> Made:
    client = request.getfixturevalue("glue")
    keys = {"aws_access_key_id": "x", "aws_secret_access_key": Secret("x")}
    options = GlueOptions(
        aws_region="us-east-1",
        aws_glue_endpoint=client.meta.endpoint_url,
        include=NAMESPACE,
        **keys,  # type: ignore[arg-type]  # of two types
    )
    source = Glue(options)
    if not list(source.listing()):
        client.create_database(DatabaseInput={"Name": NAMESPACE[0]})
        columns = [{"Name": "x", "Type": "int", "Comment": "the x"}]
        for name in (*VIEWS, TABLE):
            texts = {} if name == TABLE else {"ViewOriginalText": "select 1 as x"}
            kind = "EXTERNAL_TABLE" if name == TABLE else "VIRTUAL_VIEW"
            entry = {"Name": name, "TableType": kind, "StorageDescriptor": {"Columns": columns}}
            client.create_table(DatabaseName=NAMESPACE[0], TableInput={**entry, **texts})

    def drop(name: str) -> None:
        pytest.skip("the listing of Glue holds the entries")

    nowhere = replace(options, aws_glue_endpoint="http://127.0.0.1:1", attempts=1)
    return Made(source, drop, Glue(nowhere), options)


def make_paimon(request: pytest.FixtureRequest) -> Made:
    answers: Answers = request.getfixturevalue("paimon_rest")

    def drop(name: str) -> None:
        pytest.skip("the listing of Paimon holds the views")

    options = PaimonOptions(uri=answers.uri, warehouse="wh", include=NAMESPACE)
    nowhere = PaimonOptions(uri="http://127.0.0.1:1", warehouse="wh", timeout=1)
    return Made(Paimon(options), drop, Paimon(nowhere), options)


NO_TABLES = {"archive", "iceberg-hive", "iceberg-jdbc", "iceberg-rest", "paimon"}
"""Sources that tell of no tables, or have none here: those of Iceberg are in `test_iceberg`."""

MAKERS = {
    "archive": make_archive,
    "doris": make_doris,
    "glue": make_glue,
    "hms": make_hms,
    "hms-database": make_hms_database,
    "iceberg-hive": make_iceberg_hive,
    "iceberg-jdbc": make_iceberg_jdbc,
    "iceberg-rest": make_iceberg_rest,
    "memory": make_memory,
    "mysql": make_mysql,
    "paimon": make_paimon,
    "postgresql": make_postgresql,
    "sqlalchemy": make_sqlalchemy,
    "starrocks": make_starrocks,
}
