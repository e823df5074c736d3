"""The table of formats: how each kind of raw object is read, what is no view, who wrote it.

The order of the formats is the one that real entries demand. The design's order calls every Iceberg
view Hive's: it has no row for them.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from discovery.datatypes import doris, starrocks
from discovery.datatypes import mysql as mysql_types
from discovery.formats import (
    any_database,
    canonical,
    database,
    flink,
    foreign,
    glue,
    glue_database,
    glue_table,
    hive,
    hive_database,
    hive_table,
    iceberg,
    mysql,
    paimon,
    postgresql,
    spark,
    trino,
)
from discovery.formats.glue_database import GLUE_NOT_DATABASES
from discovery.formats.glue_table import GLUE_NOT_VIEWS
from discovery.formats.not_views import NOT_VIEWS, NotAView
from discovery.model import DORIS, MYSQL, STARROCKS, Representation, View
from discovery.namespaces import Levels
from discovery.outcomes import TABLE, Decoded, RawObject

Entry = TypeVar("Entry")


def _itself(raw: RawObject) -> RawObject:
    return raw


def _always(entry: object) -> bool:  # noqa: ARG001 - a kind with one format has nothing to tell apart
    return True


@dataclass(frozen=True, slots=True)
class Format(Generic[Entry]):
    """How an engine stores a view: its name, how it is read, its marks, and how it is written.

    Attributes:
        name: Of the engine where it is one's own; the dialect of its texts, then.
        decode: Reads an entry.
        matches: Whether an entry has its marks.
        encode: Makes an entry of a view and one of its texts; None: nothing is written so.
    """

    name: str
    decode: Callable[[Entry], Decoded]
    matches: Callable[[Entry], bool] = _always
    encode: Callable[[View, Representation], hive_table.ViewEntry] | None = None


@dataclass(frozen=True, slots=True)
class RawKind(Generic[Entry]):
    """A kind of raw object: how its fields are checked, the formats in order, what is no view."""

    place: tuple[str, str]  # the payload's fields for namespace and name; "" where there is none
    read: Callable[[RawObject], Entry]
    formats: tuple[Format[Entry], ...]
    not_views: tuple[NotAView[Entry], ...] = ()

    def stated_place(self, payload: Mapping[str, object]) -> tuple[Levels, str | None]:
        """Namespace and name, as an object says them itself; empty: it does not; None: no name."""
        namespace_field, name_field = self.place
        stated = payload.get(namespace_field) or ()
        namespace = tuple(map(str, stated if isinstance(stated, list | tuple) else (stated,)))
        return namespace, str(payload.get(name_field) or "") if name_field else None


def _tables(name: str) -> tuple[NotAView[RawObject], ...]:
    """What all raw objects of a kind are."""
    return (NotAView(name, _always, TABLE),)


def _database(
    name: str,
    decode: Callable[[RawObject], Decoded],
    not_views: tuple[NotAView[RawObject], ...] = (),
) -> dict[str, RawKind[RawObject]]:
    """The raw objects of a database: `<name>_view`, `<name>_table` and `<name>_schema`."""
    schemas = (Format(name, database.decode_schema),)
    return {
        f"{name}_table": RawKind(("schema", "name"), _itself, (), _tables(name)),
        f"{name}_view": RawKind(("schema", "name"), _itself, (Format(name, decode),), not_views),
        f"{name}_schema": RawKind(("name", ""), _itself, schemas),
    }


HIVE_METASTORE: Final = (
    Format("iceberg", iceberg.decode, iceberg.matches),
    Format("trino", trino.decode, trino.matches, trino.encode),
    Format("spark", spark.decode, spark.matches, spark.encode),
    Format("flink", flink.decode, flink.matches, flink.encode),
    Format(foreign.NAME, foreign.decode, foreign.matches),
    Format("hive", hive.decode, hive.matches, hive.encode),
)
_OF_GLUE: Final[Mapping[str, glue_table.Decode]] = {"trino": trino.decode_of_glue}
GLUE: Final = tuple(
    Format(
        format_.name,
        glue_table.completed(_OF_GLUE.get(format_.name, format_.decode)),
        format_.matches,
    )
    for format_ in (Format(glue.NAME, glue.decode, glue.matches), *HIVE_METASTORE)
)
KINDS: Final[Mapping[str, RawKind[Any]]] = {
    "hive_table": RawKind(("dbName", "tableName"), hive_table.read, HIVE_METASTORE, NOT_VIEWS),
    "hive_database": RawKind(("name", ""), _itself, (Format("hive", hive_database.decode),)),
    "iceberg_view": RawKind(
        ("namespace", "name"), _itself, (Format("iceberg", iceberg.decode_view),)
    ),
    "iceberg_table": RawKind(("namespace", "name"), _itself, (), _tables("iceberg")),
    "glue_table": RawKind(("DatabaseName", "Name"), glue_table.read, GLUE, GLUE_NOT_VIEWS),
    "glue_database": RawKind(
        ("Name", ""), _itself, (Format("glue", glue_database.decode),), GLUE_NOT_DATABASES
    ),
    "paimon_view": RawKind(("database", "name"), _itself, (Format("paimon", paimon.decode_view),)),
    "paimon_database": RawKind(("name", ""), _itself, (Format("paimon", paimon.decode_database),)),
    "iceberg_namespace": RawKind(
        ("namespace", ""), _itself, (Format("iceberg", iceberg.decode_namespace),)
    ),
    "view": RawKind(("namespace", "name"), _itself, (Format("canonical", canonical.decode_view),)),
    "namespace": RawKind(
        ("namespace", ""), _itself, (Format("canonical", canonical.decode_schema),)
    ),
    **_database("doris", mysql.reader(DORIS, doris.parse)),
    **_database("mysql", mysql.reader(MYSQL, mysql_types.parse), mysql.MYSQL_NOT_VIEWS),
    **_database("postgresql", postgresql.decode_view),
    **_database("sqlalchemy", any_database.decode_view),
    **_database("starrocks", mysql.reader(STARROCKS, starrocks.parse)),
}
