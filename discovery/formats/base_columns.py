"""The columns of the tables that views read, out of the entries that sources return for them."""

from collections.abc import Callable, Mapping
from typing import Final

from discovery.datatypes import doris, mysql, postgresql, sql, starrocks
from discovery.formats import fields, glue_table, hive_table, iceberg_table, spark
from discovery.model import Column, DataType
from discovery.outcomes import RawObject

_OF_METASTORES: Final = frozenset({"glue_table", "hive_table"})
Reader = Callable[[RawObject], tuple[Column, ...]]


def _hive_table(raw: RawObject) -> tuple[Column, ...]:
    """As Spark reads it where Spark made it: `sd.cols` can be a placeholder then."""
    return spark.columns(hive_table.read(raw))


def _glue_table(raw: RawObject) -> tuple[Column, ...]:
    """The same, of Glue."""
    return spark.columns(glue_table.read(raw))


def _of_database(parse: Callable[[str], DataType]) -> Reader:
    """What reads the columns of a database, in its own language of types."""

    def read(raw: RawObject) -> tuple[Column, ...]:
        return tuple(fields.columns(raw.payload, "columns", "", parse))

    return read


def _of_any_database(raw: RawObject) -> tuple[Column, ...]:
    """The same, where the entry says which database it is; runs of before do not."""
    parse = sql.reader(fields.text(raw.payload, "dialect") or "")
    return _of_database(parse)(raw)


READERS: Final[Mapping[str, Reader]] = {
    "doris_table": _of_database(doris.parse),
    "glue_table": _glue_table,
    "hive_table": _hive_table,
    "iceberg_table": iceberg_table.columns,
    "mysql_table": _of_database(mysql.parse),
    "postgresql_table": _of_database(postgresql.parse),
    "sqlalchemy_table": _of_any_database,
    "starrocks_table": _of_database(starrocks.parse),
}


def beside_spark(raw: RawObject) -> tuple[Column, ...] | None:
    """The columns that engines but Spark see where they are not those of `columns`; else None.

    Raises:
        DecodeError: The entry is malformed; says which field.
    """
    if raw.kind not in _OF_METASTORES:
        return None
    read = hive_table.read if raw.kind == "hive_table" else glue_table.read
    return hive_table.beside_spark(read(raw))


def columns(raw: RawObject) -> tuple[Column, ...] | None:
    """The columns of a table, in order; None for a kind of entry that says nothing of tables.

    Raises:
        DecodeError: The entry is malformed; says which field.
    """
    reader = READERS.get(raw.kind)
    return None if reader is None else reader(raw)
