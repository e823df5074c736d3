"""PostgreSQL and MariaDB with the rows of `tables.sql`, whose views are asked as they keep them."""

import datetime as dt
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import psycopg
import pymysql

from jobs.embedded.postgres import embedded_postgresql
from tests.live.at_random.texts import COLUMNS, COLUMNS_OF_U
from tests.servers import mariadb

Rows = list[list[str | None]]
_TYPES: Final = {
    "integer": "int",
    "long": "bigint",
    "short": "smallint",
    "double": "double precision",
    "float": "real",
    "string": "varchar(40)",
    "timestamp": "timestamp",
}
_OF_MARIADB: Final = {"float": "float", "timestamp": "datetime(6)"}
_BINARY: Final = "CHARACTER SET utf8mb4 COLLATE utf8mb4_bin"
_PLACES: Final = {"t": COLUMNS, "u": COLUMNS_OF_U}
Values = Mapping[str, Sequence[Sequence[object]]]
"""The rows of each table."""


class RefusedTextError(Exception):
    """An engine refuses a text, or fails at a row."""


@dataclass(frozen=True, slots=True)
class Database:
    """A database whose views are read.

    Attributes:
        ask: The rows of a query, each value as a text.
        kept: Makes a view of a query, and has its text as the server keeps it.
    """

    ask: Callable[[str], Rows]
    kept: Callable[[str], str]


@contextmanager
def postgresql(folder: Path, values: Values) -> Iterator[Database]:
    """The embedded PostgreSQL, as long as the context lasts."""
    with embedded_postgresql(folder) as server:
        server.execute(["CREATE SCHEMA db", *(_table(name, _TYPES) for name in _PLACES)])
        place = f"host={server.socket} user=postgres"
        # no prepared statements: the view behind the same query has other columns each time
        with psycopg.connect(place, autocommit=True, prepare_threshold=None) as connection:
            for name, rows in values.items():
                connection.cursor().executemany(_inserts(name).encode(), rows)

            def ask(sql: str) -> Rows:
                try:
                    return [[*map(_text, row)] for row in connection.execute(sql.encode())]
                except psycopg.Error as error:
                    raise RefusedTextError(str(error)) from error

            def kept(sql: str) -> str:
                try:
                    connection.execute(b"DROP VIEW IF EXISTS db.v")
                    connection.execute(f"CREATE VIEW db.v AS {sql}".encode())
                except psycopg.Error as error:
                    raise RefusedTextError(str(error)) from error
                return ask("SELECT pg_get_viewdef('db.v'::regclass)")[0][0] or ""

            yield Database(ask, kept)


@contextmanager
def mysql(folder: Path, values: Values) -> Iterator[Database]:
    """MariaDB, as long as the context lasts; its texts are compared letter by letter."""
    with mariadb(folder) as server:
        tables = [_table(name, _TYPES | _OF_MARIADB) for name in _PLACES]
        server.execute(f"CREATE DATABASE db {_BINARY}", *tables)
        connection = server.connect(charset="utf8mb4", autocommit=True)
        cursor = connection.cursor()
        for name, rows in values.items():
            cursor.executemany(_inserts(name), rows)

        def ask(sql: str) -> Rows:
            try:
                cursor.execute(sql)
                return [[*map(_text, row)] for row in cursor.fetchall()]
            except pymysql.Error as error:
                raise RefusedTextError(str(error)) from error

        def kept(sql: str) -> str:
            ask(f"CREATE OR REPLACE VIEW db.v AS {sql}")
            text = "SELECT view_definition FROM information_schema.views WHERE table_schema = 'db'"
            return ask(text)[0][0] or ""

        yield Database(ask, kept)
        connection.close()


def _table(name: str, types: Mapping[str, str]) -> str:
    columns = (f"{column} {types.get(kind, kind)}" for column, kind in _PLACES[name].items())
    return f"CREATE TABLE db.{name} ({', '.join(columns)})"


def _inserts(name: str) -> str:
    return f"INSERT INTO db.{name} VALUES ({', '.join(['%s'] * len(_PLACES[name]))})"


def _text(value: object) -> str | None:
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if isinstance(value, dt.timedelta):
        return f"{value.total_seconds()} s"
    return None if value is None else str(value)
