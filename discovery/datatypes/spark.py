"""Spark's types as JSON (`DataType.json`, Spark 2.4 to 4.3), as in `spark.sql.sources.schema`.

Two things stand in a field's metadata and not in its type: char and varchar (`string` in the type)
and collations. Both are put back. A collated string, an interval or a variant has no Gravitino
type; but `UTF8_BINARY`, which Spark 4.3 writes into the type where it is stated, is the collation
of every string: `StringType.equals` takes both for one type.

Spark 3.1 to 4.3 look for char and varchar in the metadata of columns only, where they write the
whole type of the column (`CharVarcharUtils.replaceCharVarcharWithStringInSchema`, `getRawSchema`).
A field of a struct has such metadata, too, where the struct was made of a char column
(`struct(c)`); for Spark it is a string, and so it is here. Collations are each field's own.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final

from discovery.datatypes import hive
from discovery.datatypes.scan import DEEPEST, sized
from discovery.errors import InvalidTypeError
from discovery.model import Column, DataType, External, Field, ListOf, MapOf, Primitive, Struct

_PRIMITIVES: Final = {
    "boolean": Primitive("boolean"),
    "byte": Primitive("byte"),
    "short": Primitive("short"),
    "integer": Primitive("integer"),
    "long": Primitive("long"),
    "float": Primitive("float"),
    "double": Primitive("double"),
    "string": Primitive("string"),
    "binary": Primitive("binary"),
    "date": Primitive("date"),
    "timestamp": Primitive("timestamp_tz"),
    "timestamp_ltz": Primitive("timestamp_tz"),
    "timestamp_ntz": Primitive("timestamp"),
    "void": Primitive("null"),
    "null": Primitive("null"),  # Spark 2.4
    "decimal": Primitive("decimal(10,0)"),
}
_SIZED: Final = re.compile(
    r"(decimal|char|varchar|time|timestamp_ntz|timestamp_ltz)\(\s*(\d+)\s*(?:,\s*(\d+)\s*)?\)"
)
_AS_EVERY_STRING: Final = re.compile(r" collate UTF8_BINARY\b")
_GRAVITINO: Final = {"timestamp_ntz": "timestamp", "timestamp_ltz": "timestamp_tz"}
CHAR_VARCHAR: Final = "__CHAR_VARCHAR_TYPE_STRING"
COLLATIONS: Final = "__COLLATIONS"
_FIELD_METADATA: Final = {"comment": str, COLLATIONS: dict}
_COLUMN_METADATA: Final = {**_FIELD_METADATA, CHAR_VARCHAR: str}


def columns(schema: object) -> tuple[Column, ...]:
    """The columns of a schema: a struct in JSON.

    Raises:
        InvalidTypeError: It is no such struct; the message says where.
    """
    found = []
    for one in _listed(schema):
        kind = one.get("type") if isinstance(one, dict) and not one.get("metadata") else None
        if type(kind) is str and type(one.get("name")) is str:  # most columns, without a detour
            nullable = one.get("nullable") is not False
            found.append(Column(one["name"], _simple(kind), None, nullable))
        else:
            field = _field(one)
            found.append(Column(field.name, field.type, field.comment, field.nullable))
    return tuple(found)


def unread(schema: object) -> Iterator[str]:
    """The metadata of fields that Gravitino's types and columns have no place for, with the field.

    Args:
        schema: One that `columns` reads.
    """
    for one in _listed(schema):
        if one.get("metadata") or type(one["type"]) is dict:  # most columns have neither
            yield from _unread(one, one["name"], _COLUMN_METADATA)


def _unread(field: Mapping[str, Any], path: str, known: Mapping[str, type]) -> Iterator[str]:
    metadata = field.get("metadata")
    if isinstance(metadata, dict):
        for key, value in metadata.items():
            wanted = known.get(key)
            if wanted is None or not isinstance(value, wanted):
                yield f"{path}: metadata {key}"
    elif metadata is not None:
        yield f"{path}: metadata"
    yield from _unread_within(field["type"], path)


def _unread_within(kind: object, path: str) -> Iterator[str]:
    match kind:
        case {"type": "struct", "fields": list(fields)}:
            for one in fields:
                yield from _unread(one, f"{path}.{one['name']}", _FIELD_METADATA)
        case {"type": "array", "elementType": element}:
            yield from _unread_within(element, f"{path}.element")
        case {"type": "map", "keyType": key, "valueType": value}:
            yield from _unread_within(key, f"{path}.key")
            yield from _unread_within(value, f"{path}.value")


def parse(text: str) -> DataType:
    """A type in Spark's catalog strings: Hive's language, with other meanings.

    A timestamp is an instant, and `void` (`HiveVoidType`, Spark 3.1) the type of NULL.

    Raises:
        InvalidTypeError: The text is malformed.
    """
    return _instants(hive.parse(_AS_EVERY_STRING.sub("", text)))


def _instants(kind: DataType) -> DataType:
    match kind:
        case Primitive("timestamp"):
            return _PRIMITIVES["timestamp"]
        case Struct(fields):
            return Struct(tuple(one._replace(type=_instants(one.type)) for one in fields))
        case ListOf(element):
            return replace(kind, element=_instants(element))
        case MapOf(key, value):
            return replace(kind, key=_instants(key), value=_instants(value))
        case External("void"):
            return _PRIMITIVES["void"]
        case _:
            return kind


def _listed(struct: object) -> list[Any]:
    listed = struct.get("fields") if isinstance(struct, dict) else None
    if not isinstance(listed, list):
        raise InvalidTypeError("a struct without a list of fields")
    return listed


def _field(field: object, depth: int = 0) -> Field:
    name = field.get("name") if isinstance(field, dict) else None
    if not isinstance(field, dict) or not isinstance(name, str):
        raise InvalidTypeError("a field without a name")
    stated = field.get("metadata")
    metadata = stated if isinstance(stated, dict) else {}
    collations = metadata.get(COLLATIONS)
    paths = collations if isinstance(collations, dict) else {}
    kind = _type(field.get("type"), name, paths, depth)
    sizes = metadata.get(CHAR_VARCHAR)
    if depth == 0 and isinstance(sizes, str):
        kind = _with_sizes(kind, hive.parse(_AS_EVERY_STRING.sub("", sizes)))
    comment = metadata.get("comment")
    nullable = field.get("nullable") is not False
    return Field(name, kind, nullable, comment if isinstance(comment, str) else None)


def _type(kind: object, path: str, collations: Mapping[str, object], depth: int = 0) -> DataType:
    if isinstance(kind, str):
        return _collated(kind, collations[path]) if path in collations else _simple(kind)
    if not isinstance(kind, dict):
        raise InvalidTypeError(f"{path}: a type is missing")
    if depth >= DEEPEST:
        raise InvalidTypeError(f"{path:.80}… is nested deeper than {DEEPEST} types")
    match kind.get("type"):
        case "struct":
            fields = tuple(_field(one, depth + 1) for one in _listed(kind))
            return Struct(fields) if fields else External("struct<>")  # Gravitino's have fields
        case "array":
            element = _type(kind.get("elementType"), f"{path}.element", collations, depth + 1)
            return ListOf(element, kind.get("containsNull", True) is not False)
        case "map":
            return MapOf(
                _type(kind.get("keyType"), f"{path}.key", collations, depth + 1),
                _type(kind.get("valueType"), f"{path}.value", collations, depth + 1),
                kind.get("valueContainsNull", True) is not False,
            )
        case str():  # a user-defined type: Spark has no shorter word for it
            return External(json.dumps(kind, separators=(",", ":"), sort_keys=True))
        case _:
            raise InvalidTypeError(f"{path}: a type without a name")


def _collated(kind: str, collation: object) -> DataType:
    return _simple(f"{kind} collate {str(collation).rpartition('.')[2]}")


@lru_cache(maxsize=1_024)
def _simple(kind: str) -> DataType:
    kind = _AS_EVERY_STRING.sub("", kind)
    if kind in _PRIMITIVES:
        return _PRIMITIVES[kind]
    found = _SIZED.fullmatch(kind)
    if found is None and not kind.strip():
        raise InvalidTypeError("a type is empty")
    if found is None:
        return External(kind)
    numbers = tuple(int(number) for number in found.groups()[1:] if number)
    return sized(_GRAVITINO.get(found[1], found[1]), numbers, kind)


def _with_sizes(stated: DataType, sizes: DataType) -> DataType:
    """The type with its strings replaced by the char and varchar that the metadata remembers."""
    match stated, sizes:
        case Struct(fields), Struct(remembered) if len(fields) == len(remembered):
            pairs = zip(fields, remembered, strict=True)
            return Struct(tuple(a._replace(type=_with_sizes(a.type, b.type)) for a, b in pairs))
        case ListOf(), ListOf():
            return replace(stated, element=_with_sizes(stated.element, sizes.element))
        case MapOf(), MapOf():
            key, value = _with_sizes(stated.key, sizes.key), _with_sizes(stated.value, sizes.value)
            return replace(stated, key=key, value=value)
        case ((Primitive("string") | External()), (Primitive(text) | External(text))) if (
            text.startswith(("char(", "varchar("))
        ):
            return sizes  # with its collation, which is part of it
        case _:
            return stated
