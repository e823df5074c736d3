"""Trino's and PrestoDB's type signatures, as in the JSON of a view that they stored.

Trino 352 to 476 quote every field name of a row (`row("a" integer)`); PrestoDB quotes where it must
(`row(a integer)`) and doubles a quote inside a quoted name twice. Fields may have no name at all
(`row(integer)`): Gravitino's struct cannot hold those, so such a row is `External`.

The first versions of Presto wrote `array<bigint>`, which both still read (`legacyArrayType` and
`legacyMapType` of Trino's grammar, `TypeSignature.parseTypeSignature` of PrestoDB).
"""

import re
from functools import lru_cache, partial
from typing import Final

from discovery.datatypes.scan import Cursor, sized
from discovery.errors import InvalidTypeError
from discovery.model import DataType, External, Field, ListOf, MapOf, Primitive, Struct, UnionOf

_PRIMITIVES: Final = {
    "boolean": Primitive("boolean"),
    "tinyint": Primitive("byte"),
    "smallint": Primitive("short"),
    "integer": Primitive("integer"),
    "bigint": Primitive("long"),
    "real": Primitive("float"),
    "double": Primitive("double"),
    "varchar": Primitive("string"),
    "varbinary": Primitive("binary"),
    "date": Primitive("date"),
    "uuid": Primitive("uuid"),
    "time": Primitive("time"),
    "timestamp": Primitive("timestamp"),
    "timestamp with time zone": Primitive("timestamp_tz"),
}
_ALIASES: Final = {"int": "integer", "double precision": "double"}
"""Other names of SQL for types, which both read; those who write entries by hand use them."""
_DEFAULTS: Final = {"decimal": (38, 0), "char": (1,)}
"""What Trino 435 reads where numbers are left out; it always writes them."""
_SPELLED: Final = {
    **{primitive.text: name for name, primitive in _PRIMITIVES.items()},
    "interval_year": "interval year to month",
    "interval_day": "interval day to second",
}
_SIZED: Final = re.compile(r"(decimal|char|varchar|time|timestamp|timestamp_tz)(\([\d,]+\))")
_OWN: Final = re.compile(  # types of Trino, PrestoDB and the plugins that come with them
    r"(bingtile|classifier|color|geometry|hyperloglog|interval\s+\w+|ipaddress|ipprefix|json"
    r"|json2016|jsonpath|kdbtree|khyperloglog|model|number|objectid|p4hyperloglog|qdigest|regressor"
    r"|row|setdigest|sphericalgeography|tdigest|time|timestamp|unknown|variant)\b.*",
    re.IGNORECASE | re.DOTALL,
)
_UNBOUNDED: Final = 2_147_483_647  # VarcharType.UNBOUNDED_LENGTH of Trino and PrestoDB
_WORD: Final = re.compile(r'[^\s<>(),"]+')
_REST: Final = re.compile(r"(with\s+time\s+zone|microseconds)\b", re.IGNORECASE)
_PRECISION: Final = re.compile(r"precision\b", re.IGNORECASE)
_INTERVAL: Final = re.compile(r"(year\s+to\s+month|day\s+to\s+second)\b", re.IGNORECASE)


@lru_cache(maxsize=16_384)
def parse(text: str, *, quotes_doubled_twice: bool = False) -> DataType:
    """A column type of Trino, or of PrestoDB, which doubles quotes twice.

    Raises:
        InvalidTypeError: The text is malformed.
    """
    cursor = Cursor(text)
    parsed = _parse_type(cursor, quotes_doubled_twice)
    cursor.end()
    return parsed


def _parse_type(cursor: Cursor, twice: bool) -> DataType:
    start = cursor.position
    word = cursor.match(_WORD)
    if word is None:
        cursor.fail("a type is missing")
    match name := word.lower():
        case "row" | "array" | "map":
            angled = name != "row" and cursor.accept("<")
            if not angled:
                cursor.expect("(")
            cursor.descend()
            nested = _parse_nested(cursor, name, twice)
            cursor.ascend()
            cursor.expect(">" if angled else ")")
            return nested or External(cursor.since(start))
        case "interval":
            cursor.match(_INTERVAL)
            return External(cursor.since(start))
        case "time" | "timestamp" | "decimal" | "char" | "varchar":
            return _parse_sized(cursor, name, start)
        case _:
            cursor.rest_of_element('"')
            text = cursor.since(start)
            plain = _ALIASES.get(text.lower(), text.lower())
            return _PRIMITIVES.get(plain) or External(text)


def _parse_sized(cursor: Cursor, name: str, start: int) -> DataType:
    numbers = cursor.numbers()
    rest = cursor.match(_REST) if name in {"time", "timestamp"} else None
    zoned = rest is not None
    text = cursor.since(start)
    if zoned and (name == "time" or text.lower().endswith("microseconds")):
        return External(text)  # Gravitino has no time with a zone; the other is PrestoDB's
    if name == "varchar" and numbers == (_UNBOUNDED,):
        return _PRIMITIVES[name]
    numbers = (*numbers, *_DEFAULTS.get(name, ())[len(numbers) :])
    if not numbers:
        return _PRIMITIVES["timestamp with time zone" if zoned else name]
    return sized("timestamp_tz" if zoned else name, numbers, text)


def _parse_nested(cursor: Cursor, name: str, twice: bool) -> DataType | None:
    """What stands between the parentheses; None for a row that Gravitino's struct cannot hold."""
    if name == "array":
        return ListOf(_parse_type(cursor, twice))
    if name == "map":
        key = _parse_type(cursor, twice)
        cursor.expect(",")
        return MapOf(key, _parse_type(cursor, twice))
    fields = [_parse_row_field(cursor, twice)]
    while cursor.accept(","):
        fields.append(_parse_row_field(cursor, twice))
    named = [Field(name, kind) for name, kind in fields if name is not None]
    return Struct(tuple(named)) if len(named) == len(fields) else None


def _parse_row_field(cursor: Cursor, twice: bool) -> tuple[str | None, DataType]:
    name = cursor.take_quoted('"')
    if name is not None:
        return (name.replace('""', '"') if twice else name), _parse_type(cursor, twice)
    start = cursor.position
    word = cursor.match(_WORD)
    if word is None:
        cursor.fail("a field is missing")
    if _is_whole_type(cursor, word.lower()):
        cursor.position = start
        return None, _parse_type(cursor, twice)
    return word, _parse_type(cursor, twice)


def _is_whole_type(cursor: Cursor, word: str) -> bool:
    """Whether the word is a type and no name: what follows belongs to it, or nothing follows."""
    start = cursor.position
    if word == "interval":
        follows = cursor.match(_INTERVAL) is not None
    elif word in {"time", "timestamp"}:
        follows = cursor.match(_REST) is not None
    elif word == "double":
        follows = cursor.match(_PRECISION) is not None
    else:
        follows = False
    bare = follows or any(cursor.accept(token) for token in ("(", "<", ",", ")"))
    cursor.position = start
    return bare


@lru_cache(maxsize=16_384)
def spell(kind: DataType, *, quotes_doubled_twice: bool = False) -> str:
    """A type as Trino writes it, or PrestoDB, which doubles quotes twice.

    Raises:
        InvalidTypeError: Trino has no such type.
    """
    spelled = partial(spell, quotes_doubled_twice=quotes_doubled_twice)
    match kind:
        case Primitive(text):
            return _SPELLED.get(text) or _spelled(text)
        case ListOf(element):
            return f"array({spelled(element)})"
        case MapOf(key, value):
            return f"map({spelled(key)},{spelled(value)})"
        case Struct(fields):
            quotes = '""""' if quotes_doubled_twice else '""'
            named = [f"{_quoted(field.name, quotes)} {spelled(field.type)}" for field in fields]
            return f"row({','.join(named)})"
        case External(text) if _OWN.fullmatch(text):
            return text
        case External(text):
            raise InvalidTypeError(f"Trino has no type for {text:.200}")
        case UnionOf():
            raise InvalidTypeError("Trino has no type for a union")


def _spelled(text: str) -> str:
    """A type with numbers."""
    match = _SIZED.fullmatch(text)
    if match is None:
        raise InvalidTypeError(f"Trino has no type for {text}")
    if match[1] == "timestamp_tz":
        return f"timestamp{match[2]} with time zone"
    return text


def _quoted(name: str, quotes: str) -> str:
    """The name of a field; its quotes are written as others."""
    if not name:  # "Zero-length delimited identifier not allowed"
        raise InvalidTypeError("Trino has no row with a field whose name is empty")
    escaped = name.replace('"', quotes)
    return f'"{escaped}"'
