"""Many rows at once: COPY on PostgreSQL, inserts of many rows on MySQL and MariaDB."""

from collections.abc import Collection, Sequence
from typing import cast

import psycopg
from sqlalchemy import (
    ARRAY,
    BigInteger,
    Column,
    ColumnElement,
    Connection,
    Table,
    Text,
    any_,
    bindparam,
    func,
    select,
    tuple_,
)

from connectors.clients import sql
from discovery.errors import BelvedereError, UnreachableError

Row = Sequence[int | str | None]


def insert_rows(
    connection: Connection, table: Table, columns: Sequence[str], rows: Collection[Row]
) -> None:
    """Insert rows, their cells in the order of the columns.

    Raises:
        BelvedereError: The database refused one of them.
        DBAPIError: The same, of MySQL.
    """
    if not rows:
        return
    quoted = ", ".join(map(connection.dialect.identifier_preparer.quote, columns))
    if connection.dialect.name == "postgresql":
        _copy(connection, f"COPY {table.name} ({quoted}) FROM STDIN", rows)
        return
    marks = ", ".join(["%s"] * len(columns))
    statement = f"INSERT INTO {table.name} ({quoted}) VALUES ({marks})"  # noqa: S608 - our names
    connection.exec_driver_sql(statement, [tuple(row) for row in rows])


def is_among(
    column: ColumnElement[int], keys: Sequence[int], connection: Connection
) -> ColumnElement[bool]:
    """Whether a key is one of many; PostgreSQL gets them as one array, which costs a tenth."""
    if connection.dialect.name == "postgresql":
        return column == any_(bindparam(None, keys, ARRAY(BigInteger)))
    return column.in_(keys)


def are_among(
    key: Column[int], name: Column[str], wanted: Sequence[tuple[int, str]], connection: Connection
) -> ColumnElement[bool]:
    """The same of pairs of a key and a name."""
    if connection.dialect.name != "postgresql":
        return tuple_(key, name).in_(wanted)
    keys = bindparam(None, [pair[0] for pair in wanted], ARRAY(BigInteger))
    texts = bindparam(None, [pair[1] for pair in wanted], ARRAY(Text))
    given = func.unnest(keys, texts).table_valued("key", "name").render_derived()
    return tuple_(key, name).in_(select(given.c.key, given.c.name))


def _copy(connection: Connection, statement: str, rows: Collection[Row]) -> None:
    driver = cast("psycopg.Connection", connection.connection.driver_connection)
    try:
        with driver.cursor() as cursor, cursor.copy(statement.encode()) as copy:
            for row in rows:
                copy.write_row(row)
    except psycopg.Error as error:
        raise _our_error(error, is_lost=driver.broken) from None


def _our_error(error: psycopg.Error, *, is_lost: bool) -> BelvedereError:
    refusal = sql.driver_error(error)
    return UnreachableError(refusal.message) if is_lost else refusal
