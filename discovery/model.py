"""The standard model: what every source is read into and every store is loaded from.

Names and meaning follow the view model of Gravitino's design (logical view management), its types
those of Gravitino 1.3 (`Types.java`). Security has no field in Gravitino 1.3; the design has it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Final, NamedTuple

from discovery.errors import InvalidViewError

TRINO: Final = "trino"
SPARK: Final = "spark"
HIVE: Final = "hive"
FLINK: Final = "flink"
POSTGRESQL: Final = "postgresql"
MYSQL: Final = "mysql"
DORIS: Final = "doris"
STARROCKS: Final = "starrocks"


def dotted(levels: Sequence[str]) -> str:
    """Levels joined by dots, for people and for the text of a default schema; not reversible."""
    return ".".join(levels)


def parted(schema: str) -> tuple[str, ...]:
    """The levels that a text of a default schema says by itself: its dots part them."""
    return tuple(schema.split("."))


def encoded(levels: Sequence[str]) -> str:
    """Levels as one reversible text: `%` and `.` inside a level percent-encoded, joined by dots."""
    return ".".join(level.replace("%", "%25").replace(".", "%2E") for level in levels)


def decoded(text: str) -> tuple[str, ...]:
    """The inverse of `encoded`; no text: no level."""
    levels = text.split(".") if text else ()
    return tuple(level.replace("%2E", ".").replace("%25", "%") for level in levels)


@dataclass(frozen=True, slots=True)
class Identifier:
    """The place of an object: the levels of its namespace, outermost first, and its name."""

    namespace: tuple[str, ...]
    name: str

    def __str__(self) -> str:
        return dotted((*self.namespace, self.name))


@dataclass(frozen=True, slots=True)
class Primitive:
    """A type without parts, as Gravitino spells it: `long`, `decimal(10,2)`, `timestamp_tz(6)`."""

    text: str


class Field(NamedTuple):
    """A field of a struct. A tuple, as columns are: there are many."""

    name: str
    type: "DataType"
    nullable: bool = True
    comment: str | None = None


@dataclass(frozen=True, slots=True)
class Struct:
    """A type of named fields."""

    fields: tuple[Field, ...]


@dataclass(frozen=True, slots=True)
class ListOf:
    """A type of many elements of one type."""

    element: "DataType"
    contains_null: bool = True


@dataclass(frozen=True, slots=True)
class MapOf:
    """A type of keys and values."""

    key: "DataType"
    value: "DataType"
    value_contains_null: bool = True


@dataclass(frozen=True, slots=True)
class UnionOf:
    """A type that is one of several."""

    types: tuple["DataType", ...]


@dataclass(frozen=True, slots=True)
class External:
    """A type that Gravitino has no word for, as the engine spells it."""

    text: str


DataType = Primitive | Struct | ListOf | MapOf | UnionOf | External


def parts(kind: DataType) -> tuple[DataType, ...]:
    """The types that a type is made of, one level down; none of one without parts."""
    match kind:
        case Struct(fields):
            return tuple(field.type for field in fields)
        case ListOf(element):
            return (element,)
        case MapOf(key, value):
            return (key, value)
        case UnionOf(types):
            return types
    return ()


def with_parts(kind: DataType, change: Callable[[DataType], DataType]) -> DataType:
    """A type whose parts are changed, one level down; one without parts as it is."""
    match kind:
        case Struct(fields):
            return Struct(tuple(field._replace(type=change(field.type)) for field in fields))
        case ListOf(element, contains_null):
            return ListOf(change(element), contains_null)
        case MapOf(key, value, contains_null):
            return MapOf(change(key), change(value), contains_null)
        case UnionOf(types):
            return UnionOf(tuple(map(change, types)))
    return kind


class Column(NamedTuple):
    """A column that a view returns. A tuple: made 22 times a view, twice as fast as a dataclass."""

    name: str
    type: DataType
    comment: str | None = None
    nullable: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Representation:
    """The view's query in one SQL dialect, byte for byte, and the context of its names.

    Attributes:
        dialect: Free text; the constants of this module are the known ones.
        sql: The query.
        default_catalog: Of short names; None: the view's own.
        default_schema: Of short names, as one text: the levels joined by dots.
        default_levels: The same as levels, outermost first, where `default_schema` has them joined.
            Made of the text where they are not given, or are another schema's: its dots part them.
    """

    dialect: str
    sql: str
    default_catalog: str | None = None
    default_schema: str | None = None
    default_levels: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        schema, levels = self.default_schema, self.default_levels
        if schema is None:
            if levels:
                object.__setattr__(self, "default_levels", ())
        elif not levels or dotted(levels) != schema:
            object.__setattr__(self, "default_levels", parted(schema))

    def within(self, levels: Sequence[str]) -> "Representation":
        """The same text in another default schema; none where there are no levels."""
        schema = dotted(levels) if levels else None
        return replace(self, default_schema=schema, default_levels=tuple(levels))


class SecurityMode(StrEnum):
    """With whose rights the engine runs the view's query."""

    DEFINER = "DEFINER"
    INVOKER = "INVOKER"


@dataclass(frozen=True, slots=True)
class Security:
    """What the source states of the view's rights; a definer only where it names one."""

    mode: SecurityMode
    definer: str | None = None


class OwnerKind(StrEnum):
    """What an owner is, as a Hive Metastore tells it (`PrincipalType`)."""

    USER = "USER"
    ROLE = "ROLE"
    GROUP = "GROUP"


def owner_text(owner: str | None, kind: OwnerKind) -> str | None:
    """An owner as one text, for people: `role:` or `group:` stands before one that is no user."""
    return owner if owner is None or kind is OwnerKind.USER else f"{kind.lower()}:{owner}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit:
    """Who made an object and changed it last, and when, as far as the source says.

    Attributes:
        creator: Its owner, where the source names one.
        create_time: When it was made.
        last_modifier: Who changed it last.
        last_modified_time: When that was.
        creator_kind: What the owner is; a user where the source says nothing.
    """

    creator: str | None = None
    create_time: datetime | None = None
    last_modifier: str | None = None
    last_modified_time: datetime | None = None
    creator_kind: OwnerKind = OwnerKind.USER


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """A logical view: what every source is read into and every store is loaded from."""

    identifier: Identifier
    columns: tuple[Column, ...]
    representations: tuple[Representation, ...]  # each with its own default catalog and schema
    comment: str | None = None
    security: Security | None = None  # None: the source states none
    properties: tuple[tuple[str, str], ...] = ()  # sorted by key
    audit: Audit = Audit()

    def __post_init__(self) -> None:
        if not self.representations:
            raise InvalidViewError("no representation", view=str(self.identifier))
        if len(self.by_dialect) < len(self.representations):
            raise InvalidViewError(
                f"a dialect twice: {', '.join(text.dialect for text in self.representations)}",
                hint="the model holds one SQL text per dialect, compared ignoring case",
                view=str(self.identifier),
            )

    @property
    def by_dialect(self) -> dict[str, Representation]:
        """Each text by its dialect in lower case."""
        return {text.dialect.casefold(): text for text in self.representations}

    @property
    def context(self) -> Representation:
        """The text whose default catalog and schema stand for all where a store keeps one pair.

        It is the first that states any.
        """
        for representation in self.representations:
            if representation.default_catalog or representation.default_schema:
                return representation
        return self.representations[0]

    @property
    def out_of_context(self) -> tuple[Representation, ...]:
        """The texts whose default catalog and schema are others than those of `context`."""
        kept = _context(self.context)
        return tuple(
            representation
            for representation in self.representations
            if _context(representation) != kept
        )


def _context(text: Representation) -> tuple[str | None, str | None, tuple[str, ...]]:
    return text.default_catalog, text.default_schema, text.default_levels


@dataclass(frozen=True, slots=True, kw_only=True)
class Schema:
    """A namespace that holds views: a database of a metastore, a schema of a database."""

    levels: tuple[str, ...]
    comment: str | None = None
    properties: tuple[tuple[str, str], ...] = ()  # sorted by key
    location: str | None = None
    owner: str | None = None
    owner_kind: OwnerKind = OwnerKind.USER
    audit: Audit = Audit()
