"""HiveServer2, Spark and Trino over one metastore, and databases, with the same two tables."""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from connectors.engines.hive import HiveServer, Options
from discovery.errors import UnreachableError
from discovery.model import MYSQL, POSTGRESQL
from jobs.console.session import spark_session
from jobs.embedded.metastore import embedded_metastore
from tests.live.at_random import databases
from tests.live.at_random.databases import Database, RefusedTextError, Rows
from tests.live.at_random.texts import COLUMNS, COLUMNS_OF_U
from tests.live.hive_server import hive_server
from tests.live.trino_server import Trino, trino

_TRINO: Final = """\
connector.name=hive
hive.metastore.uri={}
fs.hadoop.enabled=true
hive.security=allow-all
hive.hive-views.enabled=true
hive.metastore-cache-ttl=0s
"""
_TABLES: Final = (Path(__file__).parent / "tables.sql").read_text(encoding="utf-8")
Ask = Callable[[str], Rows]
"""The rows of a query, every value as the engine's client writes it."""


@dataclass(frozen=True, slots=True)
class Engines:
    """Three engines over one metastore.

    Attributes:
        hive: HiveServer2 2.3.10.
        spark: Spark out of ANSI mode.
        ansi: The same Spark in it.
        trino: Trino 476, which reads Hive's views by Coral.
        databases: PostgreSQL and MariaDB, by their dialects.
    """

    hive: Ask
    spark: Ask
    ansi: Ask
    trino: Ask
    databases: Mapping[str, Database]


@contextmanager
def engines(trino_home: Path, java: Path, hive_jars: Path, folder: Path) -> Iterator[Engines]:
    """Run them as long as the context lasts, with the tables `db.t` and `db.u`.

    Args:
        trino_home: Trino, unpacked.
        java: The home of a Java for it.
        hive_jars: What HiveServer2 wants beside PySpark's jars.
        folder: For their files.
    """
    with ExitStack() as stack:
        (folder / "metastore").mkdir()
        metastore = stack.enter_context(embedded_metastore(folder / "metastore"))
        served = hive_server("java", hive_jars, folder / "hive", metastore.uri)
        options = Options(thrift=stack.enter_context(served), timeout=120)
        hive = stack.enter_context(HiveServer(options))
        spark = _spark(metastore.uri, metastore.warehouse.as_uri())
        stack.callback(spark.stop)
        ansi = spark.newSession()
        ansi.conf.set("spark.sql.ansi.enabled", "true")
        catalogs = {"lake": _TRINO.format(metastore.uri)}
        reader = stack.enter_context(trino(trino_home, java, folder / "trino", catalogs))
        _fill(lambda sql: _ask_hive(hive, sql), lambda sql: _ask_spark(spark, sql))
        _wait_for(lambda sql: _ask_trino(reader, sql))
        values = {
            name: [tuple(row) for row in spark.table(f"db.{name}").select(*columns).collect()]
            for name, columns in (("t", COLUMNS), ("u", COLUMNS_OF_U))
        }
        yield Engines(
            lambda sql: _ask_hive(hive, sql),
            lambda sql: _ask_spark(spark, sql),
            lambda sql: _ask_spark(ansi, sql),
            lambda sql: _ask_trino(reader, sql),
            {
                POSTGRESQL: stack.enter_context(databases.postgresql(folder / "pg", values)),
                MYSQL: stack.enter_context(databases.mysql(folder / "mariadb", values)),
            },
        )


def _spark(metastore: str, warehouse: str) -> SparkSession:
    settings: Mapping[str, str] = {
        "spark.hadoop.hive.metastore.uris": metastore,
        "spark.sql.catalogImplementation": "hive",
        "spark.sql.warehouse.dir": warehouse,
        "spark.sql.ansi.enabled": "false",
        "spark.sql.parquet.writeLegacyFormat": "true",  # Hive reads no other decimals
    }
    return spark_session("at random", settings)


def _fill(hive: Ask, spark: Ask) -> None:
    hive("CREATE DATABASE db")
    for statement in _TABLES.rstrip().removesuffix(";").split(";\n"):
        spark(statement)


def _wait_for(trino: Ask) -> None:
    for _ in range(60):
        try:
            trino("SELECT 1 FROM db.u")
        except RefusedTextError:  # it is still starting
            time.sleep(1)
        else:
            return


def _ask_hive(hive: HiveServer, sql: str) -> Rows:
    try:
        answer = hive.ask(sql)
    except UnreachableError as error:  # it fails at a row, as where 0 divides a whole number
        raise RefusedTextError(str(error)) from error
    if answer.refusal:
        raise RefusedTextError(answer.refusal.message)
    return [list(row) for row in answer.rows]


def _ask_spark(spark: SparkSession, sql: str) -> Rows:
    try:
        rows = spark.sql(sql).collect()
    except PySparkException as error:
        raise RefusedTextError(str(error)) from error
    return [[_text(value) for value in row] for row in rows]


def _ask_trino(server: Trino, sql: str) -> Rows:
    rows, refusal = server.asked(sql, {"X-Trino-Catalog": "lake", "X-Trino-Schema": "db"})
    if refusal:
        raise RefusedTextError(refusal)
    return [[_text(value) for value in row] for row in rows]


def _text(value: object) -> str | None:
    return None if value is None else str(value)
