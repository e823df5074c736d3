"""Wider types for columns that a target refuses, each asked for by name in a rule.

What an engine returns is still the narrower type, which it takes for the wider one: the value of a
`varchar(3)` is a `string`, that of a `byte` an `integer`. Nothing is ever widened unasked.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from enum import StrEnum
from typing import Final

from discovery import wire
from discovery.model import TRINO, Column, DataType, Primitive, View, with_parts


class Widening(StrEnum):
    """What a rule lets become a wider type."""

    VARCHAR = "varchar"
    CHAR = "char"
    BYTE = "byte"
    SHORT = "short"
    UNSIGNED = "unsigned"
    FIXED = "fixed"
    UUID = "uuid"
    TIME = "time"
    TIMESTAMP = "timestamp"
    NANOSECONDS = "nanoseconds"


_MICROS: Final = r"\([0-5]\)"
_BECOMES: Final[Mapping[Widening, tuple[tuple[str, str], ...]]] = {
    Widening.VARCHAR: ((r"varchar\(\d+\)", "string"),),
    Widening.CHAR: ((r"char\(\d+\)", "string"),),
    Widening.BYTE: (("byte", "integer"),),
    Widening.SHORT: (("short", "integer"),),
    Widening.UNSIGNED: (
        ("byte unsigned", "short"),
        ("short unsigned", "integer"),
        ("integer unsigned", "long"),
        ("long unsigned", "decimal(20,0)"),
    ),
    Widening.FIXED: ((r"fixed\(\d+\)", "binary"),),
    Widening.UUID: (("uuid", "string"),),
    Widening.TIME: ((rf"time{_MICROS}", "time(6)"),),
    Widening.TIMESTAMP: (
        (rf"timestamp{_MICROS}", "timestamp(6)"),
        (rf"timestamp_tz{_MICROS}", "timestamp_tz(6)"),
    ),
    # no wider type: what is beyond microseconds is cut off, so it has a name of its own
    Widening.NANOSECONDS: (
        (r"time\([7-9]\)", "time(6)"),
        (r"timestamp\([7-9]\)", "timestamp(6)"),
        (r"timestamp_tz\([7-9]\)", "timestamp_tz(6)"),
    ),
}
_NOT_OF_TRINO: Final = frozenset({Widening.CHAR, Widening.UUID, Widening.NANOSECONDS})
"""What Trino (476 was asked) does not take for the wider type: the view would be refused."""


def for_texts(view: View, allowed: Collection[Widening]) -> tuple[Widening, ...]:
    """Of what a rule lets become wider, that which the engines of a view's texts take for it."""
    is_trinos = any(
        representation.dialect.casefold() == TRINO for representation in view.representations
    )
    return tuple(widening for widening in allowed if not (is_trinos and widening in _NOT_OF_TRINO))


def widen(view: View, allowed: Collection[Widening]) -> tuple[View, tuple[str, ...]]:
    """A view with wider columns, and what became of each, a sentence each."""
    columns = tuple(column._replace(type=_wider(column.type, allowed)) for column in view.columns)
    return replace(view, columns=columns), tuple(_widened_types(view.columns, columns))


def _widened_types(before: Collection[Column], after: Collection[Column]) -> Iterator[str]:
    for old, new in zip(before, after, strict=True):
        if old.type != new.type:
            was, becomes = (wire.type_text(column.type).strip('"') for column in (old, new))
            yield f"the type of {old.name}: {was} becomes {becomes}, as its rule widens"


def _wider(kind: DataType, allowed: Collection[Widening]) -> DataType:
    if isinstance(kind, Primitive):
        return Primitive(_wider_text(kind.text, allowed))
    return with_parts(kind, lambda part: _wider(part, allowed))


def _wider_text(text: str, allowed: Collection[Widening]) -> str:
    for widening in allowed:
        for pattern, wider in _BECOMES[widening]:
            if re.fullmatch(pattern, text):
                return wider
    return text
