"""Views of Spark's session catalog in a Hive Metastore (`HiveExternalCatalog`, Spark 2.4 to 4.3).

The design reads `sd.cols` first; real entries demand the schema property first: `sd.cols` has
lower-case names, and is a placeholder when a type is not Hive's or names differ only in case.
`ALTER VIEW … AS` of Spark 2.4 and 3.1 drops the version and the schema, so other marks count too
and `sd.cols` is the last resort.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Final

from discovery.datatypes import spark
from discovery.errors import DecodeError, InvalidTypeError
from discovery.formats import hive_table, told
from discovery.formats.hive_table import HiveTable
from discovery.model import SPARK, Column, Representation, View, dotted
from discovery.outcomes import Decoded

_VERSION: Final = "spark.sql.create.version"
_SCHEMA: Final = "spark.sql.sources.schema"  # whole, or in parts of 4,000 characters
_CONTEXT: Final = "view.catalogAndNamespace"  # Spark 3: in parts, the catalog first
_NO_SCHEMA: Final = "null"  # refused as every text that is no struct
_DATABASE: Final = "view.default.database"  # Spark 2
_SETTING: Final = "view.sqlConfig."  # a setting of the session that made the view, and its value
_OUTPUT: Final = "view.query.out.numCols"
_MARKS: Final = frozenset({_VERSION, _OUTPUT, _DATABASE, f"{_CONTEXT}.numParts"})
_CONSUMED: Final = frozenset({"comment", _SCHEMA, _DATABASE})
_CONSUMED_PARTS: Final = (f"{_SCHEMA}.", f"{_CONTEXT}.")


def matches(table: HiveTable) -> bool:
    """Any key that only Spark writes, exactly: a user may call a property `view.looks.like`."""
    return not _MARKS.isdisjoint(table.parameters)


def decode(table: HiveTable) -> Decoded:
    """Read the schema property and the captured context; SQL settings stay properties.

    Raises:
        DecodeError: A part is missing or malformed; says which key.
    """
    parameters = table.parameters
    catalog, schema = _context(parameters)
    sql = table.original or table.expanded
    if sql is None:
        raise DecodeError("is missing", field="viewOriginalText")
    consumed = _CONSUMED.union([key for key in parameters if key.startswith(_CONSUMED_PARTS)])
    stated = _schema(parameters)
    view = View(
        identifier=table.identifier,
        columns=_columns(table, stated),
        representations=(
            Representation(dialect=SPARK, sql=sql, default_catalog=catalog, default_schema=schema),
        ),
        comment=parameters.get("comment"),
        properties=hive_table.properties(parameters, consumed),
        audit=hive_table.audit(table),
    )
    unread = () if stated is None else spark.unread(stated)
    return Decoded(view, tuple(told.not_in_model(unread)))


def settings(view: View) -> tuple[tuple[str, str], ...]:
    """The settings of Spark under which the text was written, which Spark parses it with again."""
    return tuple(
        (key.removeprefix(_SETTING), value)
        for key, value in view.properties
        if key.startswith(_SETTING)
    )


def columns(table: HiveTable) -> tuple[Column, ...]:
    """The schema property; the entry's own columns where there is none.

    Raises:
        DecodeError: A part is missing or malformed; says which.
    """
    return _columns(table, _schema(table.parameters))


def _columns(table: HiveTable, schema: object) -> tuple[Column, ...]:
    if schema is None:
        return hive_table.columns(table, spark.parse)
    try:
        return spark.columns(schema)
    except InvalidTypeError as error:
        raise DecodeError(str(error), field=f"parameters.{_SCHEMA}") from error


def _schema(parameters: Mapping[str, str]) -> object:
    """The schema property as parsed JSON; None where there is none."""
    text = parameters.get(_SCHEMA)
    if text is None and any(key.startswith(f"{_SCHEMA}.") for key in parameters):
        text = "".join(_parts(parameters, _SCHEMA))
    if text is None:
        return None
    try:
        found: object = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise DecodeError(str(error), field=f"parameters.{_SCHEMA}") from error
    return _NO_SCHEMA if found is None else found


def _context(parameters: Mapping[str, str]) -> tuple[str | None, str | None]:
    if f"{_CONTEXT}.numParts" not in parameters:
        return None, parameters.get(_DATABASE)
    parts = tuple(_parts(parameters, _CONTEXT))
    return (parts[0] if parts else None), (dotted(parts[1:]) or None)


def _parts(parameters: Mapping[str, str], key: str) -> Iterator[str]:
    count = parameters.get(f"{key}.numParts", "")
    if not (count.isascii() and count.isdigit() and len(count) < 10):
        raise DecodeError(f"{count!r:.80} is no number", field=f"parameters.{key}.numParts")
    for index in range(int(count)):
        part = parameters.get(f"{key}.part.{index}")
        if part is None:
            raise DecodeError(
                f"is missing; there should be {count} parts", field=f"parameters.{key}.part.{index}"
            )
        yield part
