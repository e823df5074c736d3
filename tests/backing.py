"""Real metastores 2.3.10 that keep their tables in PostgreSQL and in MariaDB."""

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import psycopg
import pytest
from pyspark.sql import SparkSession

from connectors.hms_database.source import Options
from connectors.judges.jars import Jar
from discovery.errors import JudgeUnavailableError
from jobs.assessing.jars import _find_jars
from jobs.embedded.metastore import BackingServer, EmbeddedMetastore, embedded_metastore
from jobs.embedded.postgres import EmbeddedPostgreSQL
from tests.servers import MariaDB, gate

DATABASE: Final = "hms"
_UTF8: Final = "CHARACTER SET utf8mb4"
POSTGRESQL_DRIVER: Final = Jar(
    "org.postgresql:postgresql:42.7.11",
    "1981b31d3993c58702783c1cddf10a34e48c1f413d70ff1cb6def0a143484647",
)
MARIADB_DRIVER: Final = Jar(
    "org.mariadb.jdbc:mariadb-java-client:2.7.12",
    "ccf16f38a7bc5bd55e59aa5e3590d74faebb2fb92d111ed5641d5175c4a3624a",
)


@dataclass(frozen=True, slots=True)
class Backed:
    """A running metastore, and how its own database is read.

    Attributes:
        metastore: It.
        options: Of the reader, as a user who may do everything.
        server: Of the database.
    """

    metastore: EmbeddedMetastore
    options: Options
    server: EmbeddedPostgreSQL | MariaDB

    def execute(self, *statements: str) -> None:
        """Change the tables behind the metastore's back, in one session."""
        with closing(self._connected()) as connection, connection.cursor() as cursor:
            for statement in statements:
                cursor.execute(statement)

    def ask(self, query: str) -> list[tuple[Any, ...]]:
        """The rows of a query."""
        with closing(self._connected()) as connection, connection.cursor() as cursor:
            cursor.execute(query)
            return list(cursor.fetchall())

    def _connected(self) -> Any:
        if isinstance(self.server, MariaDB):
            return self.server.connect(database=DATABASE)
        place = f"dbname={DATABASE} host={self.server.socket} user=postgres"
        return psycopg.connect(place, autocommit=True)

    def quoted(self, name: str) -> str:
        """The name of a table or column."""
        return f"`{name}`" if isinstance(self.server, MariaDB) else f'"{name}"'


def driver(spark: SparkSession, jar: Jar) -> Path:
    """The file of a driver; a test that needs it is skipped where it cannot be had."""
    try:
        (path,) = _find_jars(spark, [jar], os.environ.get("BELVEDERE_JARS_DIR"))
    except JudgeUnavailableError as error:
        if "CI" in os.environ:
            raise
        pytest.skip(str(error))
    return path


@contextmanager
def on_postgresql(
    spark: SparkSession, server: EmbeddedPostgreSQL, folder: Path
) -> Iterator[Backed]:
    """A metastore in a database of its own, as long as the context lasts."""
    jar = driver(spark, POSTGRESQL_DRIVER)
    server.execute((f"DROP DATABASE IF EXISTS {DATABASE}", f"CREATE DATABASE {DATABASE}"))
    with gate(server.socket / ".s.PGSQL.5432") as door:
        url = f"jdbc:postgresql://127.0.0.1:{door.port}/{DATABASE}"
        backing = BackingServer(url, "org.postgresql.Driver", jar, "postgres")
        with embedded_metastore(folder, backing=backing) as metastore:
            metastore.update("""INSERT INTO "VERSION" VALUES (1, '2.3.0', 'by a test')""")
            options = Options(url=server.url(DATABASE), user="postgres", batch=7)
            yield Backed(metastore, options, server)


@contextmanager
def on_mariadb(spark: SparkSession, server: MariaDB, folder: Path) -> Iterator[Backed]:
    """The same in MariaDB."""
    jar = driver(spark, MARIADB_DRIVER)
    server.execute(
        f"CREATE OR REPLACE DATABASE {DATABASE} CHARACTER SET latin1 COLLATE latin1_bin",
        "CREATE OR REPLACE USER hive@'%'",
        "GRANT ALL ON hms.* TO hive@'%'",
    )
    with gate(server.socket) as door:
        url = f"jdbc:mariadb://127.0.0.1:{door.port}/{DATABASE}?useMysqlMetadata=true&sessionVariables=sql_mode=''"
        backing = BackingServer(url, "org.mariadb.jdbc.Driver", jar, "root")
        with embedded_metastore(folder, backing=backing) as metastore:
            texts = (
                f"MODIFY VIEW_{form}_TEXT mediumtext {_UTF8}" for form in ("ORIGINAL", "EXPANDED")
            )
            metastore.update(f"ALTER TABLE TBLS {', '.join(texts)}")
            metastore.update("INSERT INTO VERSION VALUES (1, '2.3.0', 'by a test')")
            url = f"mysql:///{DATABASE}?unix_socket={server.socket}"
            yield Backed(metastore, Options(url=url, user="root", batch=7), server)
