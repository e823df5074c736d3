"""The columns of the tables that views read, out of the entries that sources return for them."""

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from discovery.datatypes import doris, mysql, postgresql, sql, starrocks
from discovery.formats import fields, flink, glue_table, hive_table, iceberg_table, not_views, spark
from discovery.formats.hive_table import HiveTable
from discovery.model import Column, DataType
from discovery.outcomes import RawObject

_OF_METASTORES: Final[Mapping[str, Callable[[RawObject], HiveTable]]] = {
    "glue_table": glue_table.read,
    "hive_table": hive_table.read,
}


class TableColumns(NamedTuple):
    """The columns of a table, in order, and who sees others.

    Attributes:
        columns: As the engine reads them that has made it.
        beside_spark: Those that engines but Spark see; None: the same.
        flink_times: Of a table whose columns Flink alone finds: those that are time attributes, and
            of which kind; None: it is no such table.
        acid: Whether it is a table of Hive with transactions.
    """

    columns: tuple[Column, ...]
    beside_spark: tuple[Column, ...] | None = None
    flink_times: tuple[tuple[str, str], ...] | None = None
    acid: bool = False


Reader = Callable[[RawObject], TableColumns | None]


def _of_metastore(raw: RawObject) -> TableColumns | None:
    """Spark's and Flink's tables may have their columns where no other engine looks.

    Some tables have other types than are declared. An entry without any tells none: a link of Glue
    to what the principal may not see, a table whose columns are in its own metadata alone, and a
    materialized view of Trino's.
    """
    table = _OF_METASTORES[raw.kind](raw)
    if not_views.is_trino_materialized(table):
        return None
    if texts := hive_table.of_texts(table):
        return TableColumns(texts)
    beside, of_flink = hive_table.beside_spark(table), flink.of_table(table)
    if of_flink is not None:
        return TableColumns(of_flink[0], beside, of_flink[1])
    columns = spark.columns(table)
    return TableColumns(columns, beside, acid=hive_table.is_acid(table)) if columns else None


def _of_iceberg(raw: RawObject) -> TableColumns:
    return TableColumns(iceberg_table.columns(raw))


def _of_database(parse: Callable[[str], DataType]) -> Reader:
    """What reads the columns of a database, in its own language of types."""

    def read(raw: RawObject) -> TableColumns:
        return TableColumns(tuple(fields.columns(raw.payload, "columns", "", parse)))

    return read


def _of_any_database(raw: RawObject) -> TableColumns | None:
    """The same, where the entry says which database it is; runs of before do not."""
    parse = sql.reader(fields.text(raw.payload, "dialect") or "")
    return _of_database(parse)(raw)


READERS: Final[Mapping[str, Reader]] = {
    "doris_table": _of_database(doris.parse),
    "glue_table": _of_metastore,
    "hive_table": _of_metastore,
    "iceberg_table": _of_iceberg,
    "mysql_table": _of_database(mysql.parse),
    "postgresql_table": _of_database(postgresql.parse),
    "sqlalchemy_table": _of_any_database,
    "starrocks_table": _of_database(starrocks.parse),
}


def table_columns(raw: RawObject) -> TableColumns | None:
    """The columns of a table; None where the entry, or its kind, says nothing of them.

    Raises:
        DecodeError: The entry is malformed; says which field.
    """
    reader = READERS.get(raw.kind)
    return None if reader is None else reader(raw)
