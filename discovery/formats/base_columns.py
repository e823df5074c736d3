"""The columns of the tables that views read, out of the entries that sources return for them."""

from collections.abc import Callable, Mapping
from typing import Final

from discovery.datatypes import doris, mysql, postgresql, sql, starrocks
from discovery.formats import fields, flink, glue_table, hive_table, iceberg_table, spark
from discovery.formats.hive_table import HiveTable
from discovery.model import Column, DataType
from discovery.outcomes import RawObject

_OF_METASTORES: Final[Mapping[str, Callable[[RawObject], HiveTable]]] = {
    "glue_table": glue_table.read,
    "hive_table": hive_table.read,
}
Reader = Callable[[RawObject], tuple[Column, ...]]


def _of_metastore(raw: RawObject) -> tuple[Column, ...]:
    """As the engine reads it that has made it: Spark's and Flink's tables may say nothing else."""
    table = _OF_METASTORES[raw.kind](raw)
    of_flink = flink.of_table(table)
    return spark.columns(table) if of_flink is None else of_flink[0]


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
    "glue_table": _of_metastore,
    "hive_table": _of_metastore,
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
    read = _OF_METASTORES.get(raw.kind)
    return None if read is None else hive_table.beside_spark(read(raw))


def flink_times(raw: RawObject) -> tuple[tuple[str, str], ...] | None:
    """The time attributes of a table whose columns Flink alone finds; None: it is no such table.

    Raises:
        DecodeError: The entry is malformed; says which field.
    """
    read = _OF_METASTORES.get(raw.kind)
    found = None if read is None else flink.of_table(read(raw))
    return None if found is None else found[1]


def columns(raw: RawObject) -> tuple[Column, ...] | None:
    """The columns of a table, in order; None for a kind of entry that says nothing of tables.

    Raises:
        DecodeError: The entry is malformed; says which field.
    """
    reader = READERS.get(raw.kind)
    return None if reader is None else reader(raw)
