"""What becomes of column types in the catalogs of a Gravitino server, per kind of catalog.

Read from the type converters of Gravitino 1.3.0. A type that a catalog would refuse is refused; one
that comes back otherwise is known as it comes back.
"""

import re
import unicodedata
from typing import Final, NamedTuple

from discovery import wire
from discovery.model import (
    Column,
    DataType,
    Field,
    ListOf,
    MapOf,
    Primitive,
    Struct,
    UnionOf,
)


class Types(NamedTuple):
    """What becomes of column types in a catalog.

    Attributes:
        taken: Gravitino's simple types that it takes.
        becomes: What some of them come back as: patterns and texts for `re.sub`, in order.
        nullability: Whether elements and fields may be said to be never null, and fields have
            comments.
        union: Whether it has unions.
        as_text: Whether types are kept as Hive's text, which nothing in it is quoted in.
    """

    taken: re.Pattern[str]
    becomes: tuple[tuple[str, str], ...] = ()
    nullability: bool = True
    union: bool = False
    as_text: bool = False


class RefusedTypeError(Exception):
    """A type that a catalog does not take."""


_COMMON: Final = r"boolean|integer|long|float|double|decimal\([^)]*\)|string|binary|date|"
_PRECISE: Final = r"(\(\d+\))?"
_TO_255: Final = r"(?!0)(\d{1,2}|1\d\d|2[0-4]\d|25[0-5])"
_TO_65535: Final = r"(?!0)(\d{1,4}|[1-5]\d{4}|6[0-4]\d{3}|65[0-4]\d\d|655[0-2]\d|6553[0-5])"
"""Lengths that Hive has types for (`HiveChar`, `HiveVarchar` of 2.3.10)."""
HIVE: Final = Types(
    re.compile(
        _COMMON + rf"byte|short|(byte|short|integer|long) unsigned|char\({_TO_255}\)"
        rf"|varchar\({_TO_65535}\)|timestamp{_PRECISE}|interval_(year|day)"
    ),
    ((" unsigned$", ""), (r"^(timestamp)\(\d+\)$", r"\1")),
    nullability=False,
    union=True,
    as_text=True,
)
ICEBERG: Final = Types(
    re.compile(_COMMON + r"uuid|fixed\(\d+\)|time(stamp(_tz)?)?(\(6\))?"),
    ((r"^(time|timestamp|timestamp_tz)$", r"\1(6)"),),
)
ICEBERG_3: Final = Types(  # the types of Iceberg's format 3, too: main of 2026-08-22, asked
    re.compile(rf"{ICEBERG.taken.pattern}|timestamp(_tz)?\(9\)|null"), ICEBERG.becomes
)
PAIMON: Final = Types(  # its defaults: TIME(0), TIMESTAMP(6)
    re.compile(
        _COMMON + rf"byte|short|(var)?char\(\d+\)|fixed\(\d+\)|time(stamp(_tz)?)?{_PRECISE}"
    ),
    (("^time$", "time(0)"), (r"^(timestamp|timestamp_tz)$", r"\1(6)")),
)
TRINO: Final = Types(  # in a Hive Metastore, from 2.0 on
    re.compile(
        _COMMON + r"byte|short|(byte|short|integer|long) unsigned|(var)?char\(\d+\)|uuid"
        rf"|time(stamp(_tz)?)?{_PRECISE}"
    ),
    (
        ("^long unsigned$", "decimal(20,0)"),
        ("^integer unsigned$", "long"),
        ("^short unsigned$", "integer"),
        ("^byte unsigned$", "short"),
        (r"^(time|timestamp|timestamp_tz)$", r"\1(3)"),
    ),
    nullability=False,
)


def hold_type(kind: DataType, types: Types) -> DataType:
    """A type as it comes back.

    Raises:
        RefusedTypeError: The catalog does not take it; with the part that it does not take.
    """
    nullable = not types.nullability
    match kind:
        case Primitive(text) if types.taken.fullmatch(text):
            return Primitive(_as_read_back(text, types))
        case Struct(fields):
            return Struct(tuple(_field(field, types) for field in fields))
        case ListOf(element, null):
            return ListOf(hold_type(element, types), null or nullable)
        case MapOf(key, value, null):
            return MapOf(hold_type(key, types), hold_type(value, types), null or nullable)
        case UnionOf(members) if types.union:
            return UnionOf(tuple(hold_type(member, types) for member in members))
    raise RefusedTypeError(wire.type_text(kind))


def _as_read_back(text: str, types: Types) -> str:
    for pattern, instead in types.becomes:
        text = re.sub(pattern, instead, text)
    return text


def _field(field: Field, types: Types) -> Field:
    if field.comment and not types.nullability:
        raise RefusedTypeError("a struct with comments")
    if types.as_text and not all(map(_is_read, field.name or "<")):
        raise RefusedTypeError(f"a struct with a field {field.name!r}, which cannot be read back")
    nullable = field.nullable or not types.nullability
    return field._replace(type=hold_type(field.type, types), nullable=nullable)


def _is_read(character: str) -> bool:
    """Whether Hive's reader of types takes it in a name (`TypeInfoUtils.isTypeChar`, 2.3).

    It looks at halves of surrogate pairs. Gravitino 1.3.0 writes what it does not read (asked on
    2026-11-23): the view can then be neither loaded nor dropped.
    """
    is_alnum = unicodedata.category(character)[0] == "L" or unicodedata.category(character) == "Nd"
    return character in "_. $" or (is_alnum and ord(character) <= 0xFFFF)


def difference(column: Column, returned: Column) -> str:
    """How a column differs from what comes back."""
    parts = [column.name]
    if returned.name != column.name:
        parts.append(f"as {returned.name}")
    if returned.type != column.type:
        parts.append(f"{wire.type_text(column.type)} as {wire.type_text(returned.type)}")
    if returned.nullable != column.nullable:
        parts.append("nullable")
    return " ".join(parts)
