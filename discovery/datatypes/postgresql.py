"""PostgreSQL's types as `format_type` spells them (PostgreSQL 15 to 18).

The table is that of Gravitino 1.3's `PostgreSqlTypeConverter`, its two surprises included: a
numeric without precision is `decimal(38,18)`, and the elements of an array are not null.
"""

import re
from functools import lru_cache
from typing import Final

from discovery.datatypes.scan import check_depth, sized, whole_numbers
from discovery.errors import InvalidTypeError
from discovery.model import DataType, External, ListOf, Primitive

_PRIMITIVES: Final = {
    "boolean": Primitive("boolean"),
    "smallint": Primitive("short"),
    "integer": Primitive("integer"),
    "bigint": Primitive("long"),
    "real": Primitive("float"),
    "double precision": Primitive("double"),
    "numeric": Primitive("decimal(38,18)"),
    "date": Primitive("date"),
    "time without time zone": Primitive("time(6)"),  # PostgreSQL's default precision
    "timestamp without time zone": Primitive("timestamp(6)"),
    "timestamp with time zone": Primitive("timestamp_tz(6)"),
    "character varying": Primitive("string"),
    "text": Primitive("string"),
    "bytea": Primitive("binary"),
    "uuid": Primitive("uuid"),
}
_SIZED: Final = {
    "numeric": "decimal",
    "character varying": "varchar",
    "character": "char",
    "time without time zone": "time",
    "timestamp without time zone": "timestamp",
    "timestamp with time zone": "timestamp_tz",
}
_WITHOUT_SIZE: Final = {
    kind: text for text, kind in _PRIMITIVES.items() if text != "character varying"
}
_WITH_SIZE: Final = {name: text for text, name in _SIZED.items()}
_OTHERWISE: Final = {
    "byte": "smallint",
    "short": "smallint",
    "long": "bigint",
    "float": "real",
    "double": "double precision",
    "string": "text",
    "timestamp_tz": "timestamptz",
}
"""Types that PostgreSQL spells otherwise than the model; it has none of one byte."""
_PARAMETERS: Final = re.compile(r"([a-z ]+)\((\d+)(?:,(\d+))?\)( with(?:out)? time zone)?")


@lru_cache(maxsize=16_384)
def parse(text: str) -> DataType:
    """A column type of PostgreSQL; what Gravitino has no word for is `External`.

    Raises:
        InvalidTypeError: It is an array of too many dimensions.
    """
    element = text
    dimensions = 0
    while element.endswith("[]"):
        element, dimensions = element[:-2], check_depth(dimensions, text)
    kind = _parse_element(element)
    for _ in range(dimensions):
        kind = ListOf(kind, contains_null=False)
    return kind


def _parse_element(text: str) -> DataType:
    if text in _PRIMITIVES:
        return _PRIMITIVES[text]
    match = _PARAMETERS.fullmatch(text)
    name = _SIZED.get(match[1] + (match[4] or "")) if match else None
    if match is None or name is None:
        return External(text)
    return sized(name, whole_numbers(match.group(2, 3)), text)


def spell(kind: DataType) -> str:
    """A type as PostgreSQL writes it: the one of several that has the fewest parameters.

    Raises:
        InvalidTypeError: PostgreSQL has no such type.
    """
    if isinstance(kind, External):
        return kind.text
    if isinstance(kind, ListOf):
        return f"{spell(kind.element)}[]"
    if kind in _WITHOUT_SIZE:
        return _WITHOUT_SIZE[kind]
    name, _, size = kind.text.partition("(") if isinstance(kind, Primitive) else ("", "", "")
    if name not in _WITH_SIZE or not size:
        raise InvalidTypeError(f"PostgreSQL has no type {kind}")
    word, *zone = _WITH_SIZE[name].split(" with", 1)
    return " with".join((f"{word}({size}", *zone))


def spelled(kind: DataType) -> str:
    """A type of PostgreSQL's that holds every value of a primitive one; empty: it is no such one.

    Dates, decimals and texts with a length have one name in both.
    """
    text = kind.text if isinstance(kind, Primitive) else ""
    return _OTHERWISE.get(text.partition("(")[0], text)
