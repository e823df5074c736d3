"""Types and schemas as Spark writes them into a metastore: what `discovery.datatypes.spark` reads.

`StructType.json` of Spark 3.3 and later, and `DataType.catalogString`.
"""

import json
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from discovery.datatypes.spark import CHAR_VARCHAR, COLLATIONS
from discovery.errors import InvalidTypeError
from discovery.model import (
    Column,
    DataType,
    External,
    Field,
    ListOf,
    MapOf,
    Primitive,
    Struct,
    UnionOf,
)

_SPELLED: Final = {
    **{
        name: name
        for name in (
            *("boolean", "byte", "short", "integer", "long", "float", "double"),
            *("string", "binary", "date"),
        )
    },
    "null": "void",
    "timestamp": "timestamp_ntz",
    "timestamp_tz": "timestamp",
    "time": "time(6)",
    "interval_year": "interval year to month",
    "interval_day": "interval day to second",
}
_IN_CATALOG: Final = {"byte": "tinyint", "short": "smallint", "integer": "int", "long": "bigint"}
_TIMES: Final = frozenset({"time", "timestamp", "timestamp_tz"})
_MICROSECONDS: Final = 6
_NANOSECONDS: Final = 9
_OF_HIVE: Final = re.compile(
    r"tinyint|smallint|int|bigint|float|double|boolean|string|binary|date|timestamp"
    r"|(decimal|char|varchar)\([\d,]+\)( collate \w+)?|struct<>"
)
_WORD: Final = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")
_OWN: Final = re.compile(  # types of Spark that Gravitino has no word for
    r"(interval|variant|calendarinterval|geography|geometry|string collate|char|varchar)\b.*"
    r"|struct<>|\{.*",
    re.DOTALL,
)
_COLLATED: Final = re.compile(r"(.*) collate (\w+)", re.DOTALL)


def schema(columns: Sequence[Column]) -> str:
    """The schema property, as Spark 3.3 and later write it: `StructType.json`.

    Raises:
        InvalidTypeError: Spark has no such type; the message says of which column.
    """
    fields = []
    for column in columns:
        field = Field(column.name, column.type, column.nullable, column.comment)
        try:
            fields.append(_rendered_field(field, sizes=_sizes(column.type)))
        except InvalidTypeError as error:
            raise InvalidTypeError(f"{column.name}: {error}") from error
    return json.dumps(
        {"type": "struct", "fields": fields}, separators=(",", ":"), ensure_ascii=False
    )


def _rendered_field(field: Field, sizes: str = "") -> dict[str, object]:
    """A field in JSON; its collations are those of its own type, down to the next fields."""
    collations: dict[str, str] = {}
    kind = _rendered(field.type, field.name, collations)
    metadata: dict[str, object] = {}
    if field.comment is not None:
        metadata["comment"] = field.comment
    if sizes:
        metadata[CHAR_VARCHAR] = sizes
    if collations:
        metadata[COLLATIONS] = collations
    return {
        "name": field.name,
        "type": kind,
        "nullable": field.nullable,
        "metadata": metadata,
    }


def _rendered(kind: DataType, path: str, collations: dict[str, str]) -> object:
    """A type in JSON; the collation of each of its strings is noted with the path to it."""
    match kind:
        case Primitive(text):
            return _spelled(text)
        case Struct(fields):
            return {"type": "struct", "fields": [_rendered_field(field) for field in fields]}
        case ListOf(element, null):
            inner = _rendered(element, f"{path}.element", collations)
            return {"type": "array", "elementType": inner, "containsNull": null}
        case MapOf(key, value, null):
            return {
                "type": "map",
                "keyType": _rendered(key, f"{path}.key", collations),
                "valueType": _rendered(value, f"{path}.value", collations),
                "valueContainsNull": null,
            }
        case External(text) if _OWN.fullmatch(text):
            return _rendered_external(text, path, collations)
        case External(text):
            raise InvalidTypeError(f"Spark has no type for {text:.200}")
        case UnionOf():
            raise InvalidTypeError("Spark has no type for a union")


def _rendered_external(text: str, path: str, collations: dict[str, str]) -> object:
    if text == "struct<>":
        return {"type": "struct", "fields": []}
    if text.startswith("{"):
        return _user_defined(text)
    match = _COLLATED.fullmatch(text)
    if match is None:
        return text
    provider = "spark" if match[2].startswith("UTF8_") else "icu"  # CollationFactory
    collations[path] = f"{provider}.{match[2]}"
    return "string"


def _user_defined(text: str) -> object:
    """A user-defined type; other texts that begin as JSON are no types of Spark's."""
    try:
        kind = json.loads(text)
    except (ValueError, RecursionError):
        kind = None
    if not isinstance(kind, dict) or kind.get("type") != "udt":
        raise InvalidTypeError(f"Spark has no type for {text:.200}")
    return kind


@lru_cache(maxsize=1_024)
def _spelled(text: str) -> str:
    """A type without parts. Char and varchar are strings: what they are stands in the metadata."""
    if spelled := _SPELLED.get(text):
        return spelled
    name, _, inside = text.partition("(")
    if name in {"char", "varchar"}:
        return "string"
    if name == "decimal":
        return text
    if name in _TIMES and int(inside[:-1]) <= _MICROSECONDS:
        return text if name == "time" else _SPELLED[name]
    if name in _TIMES and name != "time" and int(inside[:-1]) <= _NANOSECONDS:  # Spark 4.3
        return f"{'timestamp_ntz' if name == 'timestamp' else 'timestamp_ltz'}({inside}"
    raise InvalidTypeError(f"Spark has no type for {text}")


def _sizes(kind: DataType) -> str:
    """The whole type in Spark's catalog strings where it has a char or varchar; else nothing."""
    return catalog_string(kind, quoted=True) if _has_sizes(kind) else ""


def _has_sizes(kind: DataType) -> bool:
    match kind:
        case Primitive(text) | External(text):
            return text.startswith(("char(", "varchar("))
        case Struct(fields):
            return any(_has_sizes(field.type) for field in fields)
        case ListOf(element):
            return _has_sizes(element)
        case MapOf(key, value):
            return _has_sizes(key) or _has_sizes(value)
        case _:
            return False


def catalog_string(kind: DataType, *, quoted: bool = False) -> str:
    """A type as `DataType.catalogString` has it: Hive's language with more types.

    Args:
        kind: The type.
        quoted: Whether names that are no plain word are quoted: Spark 4.3 does not, and cannot
            parse what it has written then (`CharVarcharUtils.getRawType`).

    Raises:
        InvalidTypeError: Spark has no such type.
    """
    match kind:
        case Struct(fields):
            named = (
                f"{_name(field.name, quoted=quoted)}:{catalog_string(field.type, quoted=quoted)}"
                for field in fields
            )
            return f"struct<{','.join(named)}>"
        case ListOf(element):
            return f"array<{catalog_string(element, quoted=quoted)}>"
        case MapOf(key, value):
            parts = (catalog_string(part, quoted=quoted) for part in (key, value))
            return f"map<{','.join(parts)}>"
        case Primitive(text) if text.startswith(("char(", "varchar(")):
            return text
        case Primitive(text):
            spelled = _spelled(text)
            return _IN_CATALOG.get(spelled, spelled)
        case External(text):
            return text
        case UnionOf():
            raise InvalidTypeError("Spark has no type for a union")


def _name(name: str, *, quoted: bool) -> str:
    if not quoted or _WORD.fullmatch(name):
        return name
    doubled = name.replace("`", "``")
    return f"`{doubled}`"


def in_hive(kind: DataType) -> str | None:
    """A column's type as Spark writes it into `sd.cols`; None where Hive has no such type.

    `HiveExternalCatalog.isHiveCompatibleDataType`: intervals, timestamps without a zone, variants.
    Nor structs with a name that is no plain word: Spark does not quote it there, and before 4.0
    cannot read the view any more that has one (4.3 was asked of 35 names).
    """
    match kind:
        case Struct(fields):
            plain = all(_WORD.fullmatch(field.name) for field in fields)
            held = plain and all(in_hive(field.type) for field in fields)
        case ListOf(element):
            held = in_hive(element) is not None
        case MapOf(key, value):
            held = in_hive(key) is not None and in_hive(value) is not None
        case _:
            held = _OF_HIVE.fullmatch(catalog_string(kind)) is not None
    return catalog_string(kind) if held else None
