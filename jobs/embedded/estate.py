"""The estate of the demo: views that real engines made, and what goes wrong in real estates.

Spark's views are made by Spark itself; those of Hive, Trino, Flink and Iceberg are entries that
these engines wrote, recorded with their provenance in the golden files of the tests, and written
again through Thrift or into an Iceberg catalog.
"""

import base64
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from pyiceberg.schema import Schema
from pyiceberg.types import (
    DateType,
    DecimalType,
    IntegerType,
    ListType,
    LongType,
    MapType,
    NestedField,
    StringType,
    TimestampType,
    TimestamptzType,
)
from pyspark.sql import SparkSession

from discovery.errors import ConfigurationError
from jobs.embedded.iceberg import EmbeddedCatalog, NewView
from jobs.embedded.metastore import EmbeddedMetastore
from jobs.embedded.postgres import EmbeddedPostgreSQL
from jobs.embedded.thrift_writer import Writer, writer

ENTRIES: Final = Path(__file__).parents[2] / "tests" / "golden" / "hms"
ICEBERG_VIEWS: Final = ENTRIES.parent / "iceberg"
REGIONS: Final = tuple(f"region_{number:02d}" for number in range(1, 17))
_HERE: Final = Path(__file__).parent
_POISON: Final = """
    UPDATE APP.SDS SET SERDE_ID = NULL
    WHERE SD_ID = (SELECT SD_ID FROM APP.TBLS WHERE TBL_NAME = 'poisoned')
"""
_ORDERS: Final = Schema(
    NestedField(1, "at", TimestamptzType(), required=True),
    NestedField(2, "amount", DecimalType(12, 2), required=False),
)

_EVENTS: Final = Schema(  # what the recorded views read, by the columns that they return
    NestedField(1, "id", LongType()),
    NestedField(2, "name", StringType()),
    NestedField(3, "amt", DecimalType(10, 2)),
    NestedField(4, "ts", TimestamptzType()),
    NestedField(5, "ntz", TimestampType()),
    NestedField(6, "d", DateType()),
    NestedField(7, "tags", ListType(8, StringType())),
    NestedField(9, "m", MapType(10, StringType(), 11, IntegerType())),
)
_BASE: Final = {"id": "bigint", "name": "string", "amt": "decimal(10,2)", "dt": "date"}


def need_entries() -> None:
    """Look for the recorded entries, before anything is started.

    Raises:
        ConfigurationError: They are not there: the demo runs in a checkout.
    """
    if not ENTRIES.is_dir():
        hint = "clone the repository and say: make demo"
        raise ConfigurationError("the demo needs the recorded entries of a checkout", hint=hint)


def fill_metastore(spark: SparkSession, metastore: EmbeddedMetastore) -> None:
    """Make databases, tables and views of all formats; one entry is poisoned, one base is lost.

    The recorded views get the tables that they read, as far as they are of this metastore.
    """
    for statement in _read_statements("spark.sql"):
        spark.sql(statement)
    with writer(metastore.uri) as connection:
        for payload in _copy_recorded(metastore.warehouse):
            connection.create_database(payload["dbName"], _place(metastore, payload["dbName"]))
            connection.create_table(payload)
        _make_regions(connection, metastore)
        for database, name in (
            ("hv", "t"),
            ("pmdb", "t"),
            *((region, "src") for region in REGIONS),
        ):
            connection.create_table(_base(metastore, database, name))
    metastore.update(_POISON)


def fill_database(postgresql: EmbeddedPostgreSQL) -> None:
    """Make the database `shop` with its views, and an empty one for Gravitino's store."""
    postgresql.execute(("CREATE DATABASE shop", "CREATE DATABASE gravitino"))
    postgresql.execute(_read_statements("postgresql.sql"), "shop")


def copy_articles(spark: SparkSession, postgresql: EmbeddedPostgreSQL) -> int:
    """Copy a table of `shop` into the metastore, as a load by night does; the number of its rows.

    So Spark reaches by the same name what views of PostgreSQL read.
    """
    rows = postgresql.query("SELECT id, name, price FROM shop.article", "shop")
    spark.sql("CREATE DATABASE shop COMMENT 'copies of what is sold'")
    spark.sql(
        "CREATE TABLE shop.article (id BIGINT, name VARCHAR(40), price DECIMAL(10,2)) USING parquet"
    )
    copied = spark.createDataFrame(rows, "id BIGINT, name STRING, price DECIMAL(10,2)")
    copied.write.insertInto("shop.article")
    return len(rows)


def fill_iceberg(catalog: EmbeddedCatalog) -> None:
    """Recorded views of Spark, Trino and pyiceberg, and some of our own in nested namespaces.

    One of them has metadata of a version that nobody knows yet.
    """
    sales, west = ("sales",), ("sales", "eu", "west")
    catalog.create_namespace(sales, {"comment": "what was sold, worldwide", "owner": "alice"})
    catalog.create_namespace(west, {"comment": "what was sold in Western Europe"})
    catalog.create_table(sales, "orders", _ORDERS)
    for levels in (("ice",), ("py",)):
        catalog.create_namespace(levels, {})
    for levels in (sales, ("ice",), ("py",)):
        catalog.create_table(levels, "events", _EVENTS)
    for path in sorted(ICEBERG_VIEWS.glob("rest_*.json")):
        raw = json.loads(path.read_text(encoding="utf-8"))["raw"]
        if raw["kind"] == "iceberg_view":
            payload = raw["payload"]
            document = json.dumps(payload["metadata"]).encode()
            catalog.write_view(payload["namespace"], payload["name"], document)
    columns: list[dict[str, Any]] = [
        {"id": 1, "name": "day", "required": True, "type": "date", "doc": "in UTC"},
        {"id": 2, "name": "revenue", "required": False, "type": "decimal(38, 2)"},
    ]
    texts = {
        "spark": "SELECT to_date(at) AS day, sum(amount) AS revenue FROM orders GROUP BY 1",
        "trino": "SELECT CAST(at AS date) AS day, sum(amount) AS revenue FROM orders GROUP BY 1",
        "flink": (
            "SELECT CAST(`at` AS DATE) AS `day`, SUM(amount) AS revenue FROM orders\n"
            "GROUP BY CAST(`at` AS DATE)"
        ),
    }
    daily = NewView(columns, texts, sales, {"comment": "revenue per day"})
    catalog.create_view(sales, "daily", daily)
    catalog.create_view(west, "daily", daily)
    future = daily.metadata("file:/future") | {"format-version": 9}
    catalog.write_view(west, "from_the_future", json.dumps(future).encode())


def _read_statements(name: str) -> list[str]:
    """The statements of a script, which ends each with a semicolon at the end of a line."""
    script = (_HERE / name).read_text(encoding="utf-8")
    return [statement for statement in script.split(";\n") if statement.strip()]


def _copy_recorded(warehouse: Path) -> Iterator[dict[str, Any]]:
    """Recorded entries of real engines, with their files and paths moved into the warehouse."""
    for path in sorted(ENTRIES.glob("*.json")):
        case = json.loads(path.read_text(encoding="utf-8"))
        if case["provenance"]["captured_from"] == "none" or case["format"] == "spark":
            continue
        moved = json.dumps(case["raw"]["payload"]).replace(
            "file:/lab/", f"{warehouse.as_uri()}/lab/"
        )
        payload: dict[str, Any] = json.loads(moved)
        if payload["dbName"] == "default":
            continue
        _write_files(case["raw"].get("files") or {}, warehouse)
        yield payload


def _write_files(files: Mapping[str, str], warehouse: Path) -> None:
    for uri, content in files.items():
        path = warehouse / uri.removeprefix("file:/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(base64.b64decode(content))


def _make_regions(connection: Writer, metastore: EmbeddedMetastore) -> None:
    """A database per region, each with the same views of four engines under names of its own."""
    chosen = [
        payload
        for payload in _copy_recorded(metastore.warehouse)
        if payload["tableType"] == "VIRTUAL_VIEW"
        and payload["dbName"] in {"sales", "fl", "hv", "hivedb"}
    ]
    for region in REGIONS:
        connection.create_database(region, _place(metastore, region), f"views of {region}")
        for payload in chosen:
            name = f"{payload['dbName']}_{payload['tableName']}"
            connection.create_table({**payload, "dbName": region, "tableName": name})
    connection.create_table({**chosen[0], "dbName": REGIONS[0], "tableName": "poisoned"})


def _base(metastore: EmbeddedMetastore, database: str, name: str) -> dict[str, Any]:
    """The entry of a table that recorded views read."""
    columns = [{"name": column, "type": kind, "comment": ""} for column, kind in _BASE.items()]
    place = f"{_place(metastore, database)}/{name}"
    storage = {"cols": columns, "location": place, "serdeInfo": {"parameters": {}}}
    kind = {"tableType": "EXTERNAL_TABLE", "parameters": {"EXTERNAL": "TRUE"}, "owner": "hive"}
    return {"dbName": database, "tableName": name, "sd": storage, "partitionKeys": [], **kind}


def _place(metastore: EmbeddedMetastore, database: str) -> str:
    return f"{metastore.warehouse.as_uri()}/{database}.db"
