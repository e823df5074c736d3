"""Flink's types as `LogicalType.asSerializableString` writes them (Flink 1.10 to 1.20)."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from discovery.datatypes.scan import Cursor, sized
from discovery.errors import InvalidTypeError
from discovery.model import DataType, External, Field, ListOf, MapOf, Primitive, Struct, UnionOf

_PRIMITIVES: Final = {
    "BOOLEAN": Primitive("boolean"),
    "TINYINT": Primitive("byte"),
    "SMALLINT": Primitive("short"),
    "INT": Primitive("integer"),
    "INTEGER": Primitive("integer"),
    "BIGINT": Primitive("long"),
    "FLOAT": Primitive("float"),
    "DOUBLE": Primitive("double"),
    "STRING": Primitive("string"),
    "BYTES": Primitive("binary"),
    "DATE": Primitive("date"),
    "NULL": Primitive("null"),
    "TIME": Primitive("time(0)"),  # Flink's default precisions
    "TIMESTAMP": Primitive("timestamp(6)"),
    "TIMESTAMP_LTZ": Primitive("timestamp_tz(6)"),
    "CHAR": Primitive("char(1)"),
    "VARCHAR": Primitive("varchar(1)"),
    "BINARY": Primitive("fixed(1)"),
    "VARBINARY": Primitive("binary"),
    "DECIMAL": Primitive("decimal(10,0)"),
}
_ALIASES: Final = {"DEC": "DECIMAL", "NUMERIC": "DECIMAL"}
"""Other names, which Flink and Paimon read (`LogicalTypeParser`); they do not write them."""
_SIZED: Final = {
    "CHAR": "char",
    "VARCHAR": "varchar",
    "BINARY": "fixed",
    "TIME": "time",
    "TIMESTAMP": "timestamp",
    "TIMESTAMP_LTZ": "timestamp_tz",
    "DECIMAL": "decimal",
}
_NULLS: Final = Primitive("null")
_LONGEST: Final = 2_147_483_647  # VARCHAR of this length is STRING
_SPELLED: Final = {
    "boolean": "BOOLEAN",
    "byte": "TINYINT",
    "short": "SMALLINT",
    "integer": "INT",
    "long": "BIGINT",
    "float": "FLOAT",
    "double": "DOUBLE",
    "string": f"VARCHAR({_LONGEST})",
    "binary": f"VARBINARY({_LONGEST})",
    "date": "DATE",
    "null": "NULL",
    "time": "TIME(3)",  # Flink computes in milliseconds
    "timestamp": "TIMESTAMP(9)",  # an engine's own precision is not known: what holds each
    "timestamp_tz": "TIMESTAMP(9) WITH LOCAL TIME ZONE",
    "interval_year": "INTERVAL YEAR(2) TO MONTH",
    "interval_day": "INTERVAL DAY(2) TO SECOND(6)",
}
_WITH_SIZE: Final = re.compile(
    r"(decimal|char|varchar|fixed|time|timestamp|timestamp_tz)\((\d+)(?:,(\d+))?\)"
)
_FINEST: Final = 9  # digits of a second
_OWN: Final = re.compile(
    r"(BITMAP|DESCRIPTOR|LEGACY|MULTISET|RAW|ROW|STRUCTURED|SYMBOL|VARIANT)\b.*|`.*", re.DOTALL
)
_WORD: Final = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")
_ZONED: Final = re.compile(r"WITH\s+(LOCAL\s+)?TIME\s+ZONE\b")
_UNSAID: Final = re.compile(r"(WITHOUT\s+TIME\s+ZONE|PRECISION)\b")
_ATTRIBUTE: Final = re.compile(r"\*(ROWTIME|PROCTIME)\*")
_INTERVAL: Final = re.compile(
    r"(YEAR|MONTH|DAY|HOUR|MINUTE|SECOND)(\([\d, ]*\))?(\s+TO\s+\w+(\([\d, ]*\))?)?"
)
_WHOLE_INTERVALS: Final = frozenset(  # Flink's defaults: all that the two families can hold
    {"YEAR TO MONTH", "YEAR(2) TO MONTH", "DAY TO SECOND", "DAY(2) TO SECOND(6)"}
)
_NOT_NULL: Final = re.compile(r"NOT\s+NULL\b")
_NULL: Final = re.compile(r"NULL\b")
_AFTER_TYPE: Final = re.compile(r"\s+((NOT\s+)?NULL\b|')")  # or the description of a field


def parse(text: str) -> tuple[DataType, bool]:
    """A column type of Flink, and whether it allows null: `NOT NULL` is part of the type's text.

    Raises:
        InvalidTypeError: The text is malformed.
    """
    return _parsed(text)[0]


def narrowed(text: str) -> tuple[str, ...]:
    """What the text of a type says and Gravitino's type does not, in words.

    Raises:
        InvalidTypeError: The text is malformed.
    """
    return _parsed(text)[1]


@lru_cache(maxsize=16_384)
def _parsed(text: str) -> tuple[tuple[DataType, bool], tuple[str, ...]]:
    cursor = Cursor(text)
    parsed = _parse_nullable_type(cursor)
    cursor.end()
    return parsed, tuple(cursor.narrowed)


def _parse_nullable_type(cursor: Cursor) -> tuple[DataType, bool]:
    kind = _parse_type(cursor)
    attribute = cursor.match(_ATTRIBUTE)
    if attribute:
        cursor.narrowed.append(f"{attribute}, a time attribute of Flink")
    if cursor.match(_NOT_NULL):
        return kind, False
    cursor.match(_NULL)
    return kind, True


def _parse_type(cursor: Cursor) -> DataType:
    start = cursor.position
    word = (cursor.match(_WORD) or "").upper()
    match name := _ALIASES.get(word, word):
        case "ARRAY" | "MAP" | "ROW":
            return _parse_nested(cursor, name)
        case "INTERVAL":
            return _parse_interval(cursor)
        case _ if name in _PRIMITIVES:
            return _parse_plain(cursor, name, start)
        case _:  # RAW, STRUCTURED, MULTISET, a user's own type by its quoted path
            return _parse_foreign(cursor, start)


def _parse_interval(cursor: Cursor) -> DataType:
    """Gravitino's intervals have no unit and no precision; Flink's are part of the type."""
    unit = cursor.match(_INTERVAL)
    if unit is None:
        cursor.fail("the unit of the interval is missing")
    kind = Primitive("interval_year" if unit.startswith(("YEAR", "MONTH")) else "interval_day")
    if unit not in _WHOLE_INTERVALS:
        cursor.narrowed.append(f"INTERVAL {unit} is {kind.text}, which has no unit or precision")
    return kind


def _parse_plain(cursor: Cursor, name: str, start: int) -> DataType:
    numbers = cursor.numbers()
    zone = cursor.match(_ZONED) if name == "TIMESTAMP" else None
    cursor.match(_UNSAID)
    if zone:
        name = "TIMESTAMP_LTZ"
        if "LOCAL" not in zone:  # Flink keeps the zone of each value; Gravitino an instant
            cursor.narrowed.append(f"{cursor.since(start)} is timestamp_tz, which keeps no zone")
    if name == "VARBINARY" and numbers != (_LONGEST,):  # of that length it is BYTES
        cursor.narrowed.append(f"{cursor.since(start)} is binary, which has no length")
    if numbers == (_LONGEST,) and name == "VARCHAR":
        return Primitive("string")
    if name == "DECIMAL" and len(numbers) == 1:
        numbers = (*numbers, 0)
    if numbers and name in _SIZED:
        return sized(_SIZED[name], numbers, cursor.since(start))
    return _PRIMITIVES[name]


def _parse_nested(cursor: Cursor, name: str) -> DataType:
    closing = ">" if cursor.accept("<") else ")"
    if closing == ")":
        cursor.expect("(")
    if name == "ROW" and cursor.accept(closing):  # Gravitino's structs have fields
        return External("ROW<>")
    cursor.descend()
    nested: DataType
    if name == "ARRAY":
        nested = ListOf(*_parse_nullable_type(cursor))
    elif name == "MAP":
        key, nullable = _parse_nullable_type(cursor)
        if not nullable:
            cursor.narrowed.append("the key of a MAP is NOT NULL, which only its value can be")
        cursor.expect(",")
        nested = MapOf(key, *_parse_nullable_type(cursor))
    else:
        fields = [_parse_row_field(cursor)]
        while cursor.accept(","):
            fields.append(_parse_row_field(cursor))
        nested = Struct(tuple(fields))
    cursor.ascend()
    cursor.expect(closing)
    return nested


def _parse_row_field(cursor: Cursor) -> Field:
    name = cursor.take_quoted("`")
    if name is None:
        name = cursor.match(_WORD)
    if name is None:
        cursor.fail("a field name is missing")
    kind, nullable = _parse_nullable_type(cursor)
    return Field(name, kind, nullable, cursor.take_quoted("'"))


def _parse_foreign(cursor: Cursor, start: int) -> DataType:
    cursor.rest_of_element("'`", stop=_AFTER_TYPE)
    text = cursor.since(start)
    if not text:
        cursor.fail("a type is missing")
    return External(text)


@lru_cache(maxsize=16_384)
def spell(kind: DataType, *, nullable: bool = True) -> str:
    """A type as `LogicalType.asSerializableString` writes it, which is what Flink stores.

    `NULL NOT NULL` is no type (`NullType`, Flink 1.20 and 2.3): it is written without.

    Raises:
        InvalidTypeError: Flink has no such type.
    """
    return _spelled(kind) if nullable or kind == _NULLS else f"{_spelled(kind)} NOT NULL"


def _spelled(kind: DataType) -> str:
    match kind:
        case Primitive(text):
            return _SPELLED.get(text) or _spelled_sized(text)
        case ListOf(element, null):
            return f"ARRAY<{spell(element, nullable=null)}>"
        case MapOf(key, value, null):
            return f"MAP<{spell(key)}, {spell(value, nullable=null)}>"
        case Struct(fields):
            check_names([field.name for field in fields])
            return f"ROW<{', '.join(map(_spelled_field, fields))}>"
        case External(text) if _OWN.fullmatch(text):
            return text
        case External(text):
            raise InvalidTypeError(f"Flink has no type for {text:.200}")
        case UnionOf():
            raise InvalidTypeError("Flink has no type for a union")


def _spelled_sized(text: str) -> str:
    """A type with numbers, within Flink's limits."""
    match = _WITH_SIZE.fullmatch(text)
    if match is not None:
        name, first = match[1], int(match[2])
        match name:
            case "decimal":
                return f"DECIMAL({first}, {match[3]})"
            case "char" | "varchar" | "fixed" if first:
                return f"{'BINARY' if name == 'fixed' else name.upper()}({first})"
            case "time" | "timestamp" if first <= _FINEST:
                return f"{name.upper()}({first})"
            case "timestamp_tz" if first <= _FINEST:
                return f"TIMESTAMP({first}) WITH LOCAL TIME ZONE"
            case _:
                pass
    raise InvalidTypeError(f"Flink has no type for {text}")


def check_names(names: Sequence[str]) -> None:
    """Refuse what `RowType` refuses (Flink 1.20 and 2.3): names that are blank, or twice.

    Raises:
        InvalidTypeError: One is.
    """
    if not all(map(str.strip, names)) or len(set(names)) < len(names):
        raise InvalidTypeError(f"Flink has no row with fields called {', '.join(names)!r:.200}")


def _spelled_field(field: Field) -> str:
    name, kind = field.name.replace("`", "``"), spell(field.type, nullable=field.nullable)
    if field.comment is None:
        return f"`{name}` {kind}"
    comment = field.comment.replace("'", "''")
    return f"`{name}` {kind} '{comment}'"
