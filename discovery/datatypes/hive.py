"""Hive's type language (`TypeInfoUtils`, Hive 2 to 4), as in `sd.cols` of a metastore entry."""

import re
from functools import lru_cache
from typing import Final

from discovery.datatypes.scan import Cursor, sized
from discovery.model import DataType, External, Field, ListOf, MapOf, Primitive, Struct, UnionOf

_PRIMITIVES: Final = {
    "boolean": Primitive("boolean"),
    "tinyint": Primitive("byte"),
    "smallint": Primitive("short"),
    "int": Primitive("integer"),
    "integer": Primitive("integer"),
    "bigint": Primitive("long"),
    "float": Primitive("float"),
    "double": Primitive("double"),
    "string": Primitive("string"),
    "binary": Primitive("binary"),
    "date": Primitive("date"),
    "timestamp": Primitive("timestamp"),
    "interval_year_month": Primitive("interval_year"),
    "interval_day_time": Primitive("interval_day"),
}
_WORD: Final = re.compile(r"[^<>(),:]+")
_FIELD_NAME: Final = re.compile(r"[^:]+")


@lru_cache(maxsize=16_384)
def parse(text: str) -> DataType:
    """A column type of Hive.

    Raises:
        InvalidTypeError: The text is malformed.
    """
    cursor = Cursor(text)
    parsed = _type(cursor)
    cursor.end()
    return parsed


def _type(cursor: Cursor) -> DataType:
    start = cursor.position
    word = cursor.match(_WORD)
    if word is None:
        cursor.fail("a type is missing")
    name = word.lower()
    if cursor.accept("<"):
        cursor.descend()
        nested = _nested(cursor, name)
        cursor.ascend()
        return nested
    if name in {"decimal", "char", "varchar"}:
        numbers = cursor.numbers()
        if name == "decimal":  # Hive's defaults: precision 10, scale 0
            numbers = (*numbers, *(10, 0)[len(numbers) :])
        stated = cursor.since(start)
        cursor.rest_of_element("'")  # Spark 4.3: char(5) collate UTF8_LCASE
        text = cursor.since(start)
        return sized(name, numbers, text) if text == stated else External(text)
    cursor.rest_of_element("'")  # timestamp with local time zone('Europe/Berlin')
    text = cursor.since(start)
    return _PRIMITIVES.get(text.lower()) or External(text)


def _nested(cursor: Cursor, name: str) -> DataType:
    nested: DataType
    match name:
        case "array":
            nested = ListOf(_type(cursor))
        case "map":
            key = _type(cursor)
            cursor.expect(",")
            nested = MapOf(key, _type(cursor))
        case "struct":
            if cursor.accept(">"):  # Gravitino's structs have fields
                return External("struct<>")
            nested = Struct(tuple(_fields(cursor)))
        case "uniontype":
            types = [_type(cursor)]
            while cursor.accept(","):
                types.append(_type(cursor))
            nested = UnionOf(tuple(types))
        case _:
            cursor.fail(f"{name!r} takes no type in angle brackets")
    cursor.expect(">")
    return nested


def _fields(cursor: Cursor) -> list[Field]:
    fields = [_field(cursor)]
    while cursor.accept(","):
        fields.append(_field(cursor))
    return fields


def _field(cursor: Cursor) -> Field:
    name = cursor.quoted("`") or cursor.match(_FIELD_NAME)
    if name is None:
        cursor.fail("a field name is missing")
    cursor.expect(":")
    return Field(name, _type(cursor))
