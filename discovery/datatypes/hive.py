"""Hive's type language (`TypeInfoUtils`, Hive 2 to 4), as in `sd.cols` of a metastore entry."""

import re
from functools import lru_cache
from typing import Final

from discovery.datatypes.scan import Cursor, sized
from discovery.errors import InvalidTypeError
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
_SPELLED: Final = {
    primitive.text: name for name, primitive in _PRIMITIVES.items() if name != "integer"
}
_LENGTHS: Final = {"char": 255, "varchar": 65_535}  # HiveChar, HiveVarchar
_FINEST: Final = 9  # digits of a second that a timestamp keeps
_SIZED: Final = re.compile(r"(\w+)\((\d+)(?:,(\d+))?\)")
_OWN: Final = re.compile(r"(timestamp with local time zone|timestamplocaltz|void|struct<>)\b.*")
_IN_NAMES: Final = frozenset("_. $")
_LAST: Final = "\uffff"  # of what Java has in one char
_WORD: Final = re.compile(r"[^<>(),:'\"]+")
_FIELD_NAME: Final = re.compile(r"[^:;,<>()'\"`]+")


@lru_cache(maxsize=16_384)
def parse(text: str) -> DataType:
    """A column type of Hive.

    Raises:
        InvalidTypeError: The text is malformed.
    """
    cursor = Cursor(text)
    parsed = _parse_type(cursor)
    cursor.end()
    return parsed


def _parse_type(cursor: Cursor) -> DataType:
    start = cursor.position
    word = cursor.match(_WORD)
    if word is None:
        cursor.fail("a type is missing")
    if cursor.accept(":"):
        cursor.fail(f"a type follows {word!r:.80}, which is no field of a struct")
    name = word.lower()
    if cursor.accept("<"):
        cursor.descend()
        nested = _parse_nested(cursor, name)
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


def _parse_nested(cursor: Cursor, name: str) -> DataType:
    nested: DataType
    match name:
        case "array":
            nested = ListOf(_parse_type(cursor))
        case "map":
            key = _parse_type(cursor)
            cursor.expect(",")
            nested = MapOf(key, _parse_type(cursor))
        case "struct":
            if cursor.accept(">"):  # Gravitino's structs have fields
                return External("struct<>")
            nested = Struct(tuple(_parse_fields(cursor)))
        case "uniontype":
            types = [_parse_type(cursor)]
            while cursor.accept(","):
                types.append(_parse_type(cursor))
            nested = UnionOf(tuple(types))
        case _:
            cursor.fail(f"{name!r} takes no type in angle brackets")
    cursor.expect(">")
    return nested


def _parse_fields(cursor: Cursor) -> list[Field]:
    fields = [_parse_field(cursor)]
    while cursor.accept(","):
        fields.append(_parse_field(cursor))
    return fields


def _parse_field(cursor: Cursor) -> Field:
    name = cursor.take_quoted("`") or cursor.match(_FIELD_NAME)
    if name is None:
        cursor.fail("a field name is missing")
    cursor.expect(":")
    return Field(name, _parse_type(cursor))


@lru_cache(maxsize=16_384)
def spell(kind: DataType) -> str:
    """A type in Hive's language, for `sd.cols`.

    Raises:
        InvalidTypeError: Hive has no type that holds its values, or no way to write it.
    """
    match kind:
        case Primitive(text):
            return _SPELLED.get(text) or _spelled(text)
        case ListOf(element):
            return f"array<{spell(element)}>"
        case MapOf(key, value):
            return f"map<{spell(key)},{spell(value)}>"
        case UnionOf(types):
            return f"uniontype<{','.join(map(spell, types))}>"
        case Struct(fields):
            return f"struct<{','.join(map(_spelled_field, fields))}>"
        case External(text) if _OWN.fullmatch(text.lower()):
            return text
        case External(text):
            raise InvalidTypeError(f"Hive has no type for {text:.200}")


def _spelled(text: str) -> str:
    """A type with numbers, or one of finer time than Hive's own has a name for."""
    match = _SIZED.fullmatch(text)
    if match is not None:
        name, first = match[1], int(match[2])
        if name == "timestamp" and first <= _FINEST:
            return name
        if name == "decimal" or 1 <= first <= _LENGTHS.get(name, 0):
            return text
    raise InvalidTypeError(f"Hive has no type for {text}")


def _spelled_field(field: Field) -> str:
    """A field of a struct; Hive would refuse the whole view for a name that it cannot read.

    `TypeInfoUtils` (2.3.10, 3.1.3 and 4.0.1 were asked) takes what Java calls a letter or a digit,
    and `_. $`: no hyphen, as fields of JSON have it.
    """
    if field.name[:1].strip() == "" or not all(map(_is_in_names, field.name)):
        raise InvalidTypeError(f"Hive cannot write a field called {field.name!r:.80}")
    return f"{field.name}:{spell(field.type)}"


def _is_in_names(char: str) -> bool:
    return char in _IN_NAMES or (char <= _LAST and (char.isalpha() or char.isdecimal()))
