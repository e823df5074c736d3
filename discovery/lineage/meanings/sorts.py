"""What a value is, by the type that a column or a cast has, or by how it is written out."""

from collections.abc import Iterable
from enum import StrEnum
from typing import Final, NamedTuple

from sqlglot import exp

from discovery.model import DataType, ListOf, MapOf, Primitive, Struct

WIDEST: Final = 38  # digits
BARE: Final = "bare"
"""Marks a type that was written without digits, as `numeric` of PostgreSQL: it keeps all."""


class Sort(StrEnum):
    """What a value is."""

    WHOLE = "whole"
    EXACT = "exact"
    FLOAT = "float"
    TEXT = "text"
    CHAR = "char"
    LIST = "list"
    MAP = "map"
    ROW = "row"
    DATE = "date"
    WALL_CLOCK = "wall clock"
    INSTANT = "instant"
    TRUTH = "truth"


TIMES: Final = frozenset({Sort.WALL_CLOCK, Sort.INSTANT})
THOUSANDTHS: Final = 3  # digits of a second
FINEST: Final = 6  # digits of a second, where a type does not say how many
EXACT: Final = frozenset({Sort.WHOLE, Sort.EXACT})
NUMBERS: Final = EXACT | {Sort.FLOAT}


class ValueKind(NamedTuple):
    """The kind of a value.

    Attributes:
        sort: What it is.
        digits: Of a whole or exact number; binary ones of a floating number of four bytes, or of
            one that is not the same double to all; of a second, behind its point, of a time.
        scale: Of these, behind the point.
        parts: Of a list the kind of its elements, of a map those of keys and values, of a row those
            of its fields, if known.
        names: Of the fields of a row, casefolded.
        is_part: Whether it is a char of a list, a map or a row, or one made of a char: Spark makes
            nothing that is written out beside it as long.
        has_own_scale: Whether a number of PostgreSQL has as many digits behind its point as it
            came with, as the column or the quotient has no number of them.
    """

    sort: Sort
    digits: int = 0
    scale: int = 0
    parts: "tuple[ValueKind | None, ...]" = ()
    names: tuple[str, ...] = ()
    is_part: bool = False
    has_own_scale: bool = False


INTEGER: Final = ValueKind(Sort.WHOLE, 10)
LONG: Final = ValueKind(Sort.WHOLE, 19)
FLOAT: Final = ValueKind(Sort.FLOAT)
CLOSE: Final = ValueKind(Sort.FLOAT, 53)
SINGLE: Final = ValueKind(Sort.FLOAT, 24)
DOUBLES: Final = frozenset({FLOAT, CLOSE})
"""Floating numbers of eight bytes; of `CLOSE` ones the last digits depend on who calculates."""
WIDE: Final = ValueKind(Sort.EXACT, WIDEST, 18, has_own_scale=True)
"""A `numeric` of PostgreSQL that has no digits of its own."""
LARGEST: Final = {
    exp.DType.TINYINT: (1 << 7) - 1,
    exp.DType.SMALLINT: (1 << 15) - 1,
    exp.DType.INT: (1 << 31) - 1,
    exp.DType.BIGINT: (1 << 63) - 1,
}
"""The largest number of each whole type."""
_OF_COLUMNS: Final = {
    "byte": ValueKind(Sort.WHOLE, 3),
    "short": ValueKind(Sort.WHOLE, 5),
    "integer": INTEGER,
    "long": LONG,
    "float": SINGLE,
    "double": FLOAT,
    "boolean": ValueKind(Sort.TRUTH),
    "date": ValueKind(Sort.DATE),
    "string": ValueKind(Sort.TEXT),
    "varchar": ValueKind(Sort.TEXT),
    "char": ValueKind(Sort.CHAR),
    "timestamp": ValueKind(Sort.WALL_CLOCK),
    "timestamp_tz": ValueKind(Sort.INSTANT),
}
_OF_CASTS: Final = {
    exp.DType.TINYINT: ValueKind(Sort.WHOLE, 3),
    exp.DType.SMALLINT: ValueKind(Sort.WHOLE, 5),
    exp.DType.INT: INTEGER,
    exp.DType.BIGINT: LONG,
    exp.DType.FLOAT: SINGLE,
    exp.DType.DOUBLE: FLOAT,
    exp.DType.BOOLEAN: ValueKind(Sort.TRUTH),
    exp.DType.DATE: ValueKind(Sort.DATE),
    exp.DType.TEXT: ValueKind(Sort.TEXT),
    exp.DType.VARCHAR: ValueKind(Sort.TEXT),
    exp.DType.CHAR: ValueKind(Sort.TEXT),
    exp.DType.TIMESTAMP: ValueKind(Sort.WALL_CLOCK),
    exp.DType.TIMESTAMPNTZ: ValueKind(Sort.WALL_CLOCK),
    exp.DType.DATETIME: ValueKind(Sort.WALL_CLOCK),
    exp.DType.TIMESTAMPTZ: ValueKind(Sort.INSTANT),
    exp.DType.TIMESTAMPLTZ: ValueKind(Sort.INSTANT),
}


def of_data_type(kind: DataType) -> ValueKind | None:
    """The kind of the values of a type as the crawl knows it; None: it is another one."""
    match kind:
        case ListOf():
            return ValueKind(Sort.LIST, parts=_parts([kind.element]))
        case MapOf():
            return ValueKind(Sort.MAP, parts=_parts([kind.key, kind.value]))
        case Struct():
            names = tuple(field.name.casefold() for field in kind.fields)
            return ValueKind(Sort.ROW, parts=_parts([it.type for it in kind.fields]), names=names)
        case Primitive():
            return _of_primitive(kind)
    return None


def _parts(types: Iterable[DataType]) -> tuple[ValueKind | None, ...]:
    """The kinds of what a list, a map or a row is made of."""
    kinds = map(of_data_type, types)
    return tuple(it._replace(is_part=it.sort is Sort.CHAR) if it else None for it in kinds)


def _of_primitive(primitive: Primitive) -> ValueKind | None:
    name, _, sizes = primitive.text.rstrip(")").partition("(")
    if name == "decimal":
        digits, _, scale = sizes.partition(",")
        return ValueKind(Sort.EXACT, int(digits), int(scale or 0))
    kind = _OF_COLUMNS.get(name)
    if kind is not None and kind.sort in TIMES:
        return kind._replace(digits=int(sizes or FINEST))
    return kind


def of_type(kind: exp.DataType) -> ValueKind | None:
    """The kind of the values of a type that a text names; None: it is another one."""
    if kind.is_type(exp.DType.DECIMAL):
        sizes = [
            int(expression.name) for expression in kind.expressions if expression.name.isdecimal()
        ]
        digits, scale = (*sizes, 0, 0)[:2]  # without a scale it is 0
        return ValueKind(Sort.EXACT, digits, scale) if sizes else None
    return _OF_CASTS.get(kind.this) if isinstance(kind.this, exp.DType) else None


def of_literal(node: exp.Literal) -> ValueKind:
    """The kind of a value that is written out."""
    if node.is_string:
        return ValueKind(Sort.TEXT)
    integer, _, fraction = node.name.partition(".")
    if "e" in node.name.casefold():
        return FLOAT
    if not fraction and "." not in node.name:
        return ValueKind(Sort.WHOLE, max(len(integer), INTEGER.digits))
    return of_number(node)


def of_number(node: exp.Expr) -> ValueKind:
    """The digits of a number that is written out, as a decimal has them."""
    before, _, behind = node.name.partition(".")
    return ValueKind(Sort.EXACT, max(len(before.lstrip("0") + behind), 1), len(behind))
