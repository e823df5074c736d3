"""What a check looks at, and what it says."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from discovery.model import Column, Identifier, Primitive, Representation, View
from discovery.outcomes import Kind
from discovery.ports import Name


class Severity(StrEnum):
    """How much a finding matters."""

    ERROR = "error"  # the engine, or the target, refuses or misreads the view as it is stored
    WARNING = "warning"  # it works, and may surprise


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check found in a view.

    Attributes:
        severity: How much it matters.
        message: What is wrong.
        hint: What to do.
        engine: The engine that it is about; None: all of them, or the target.
        dialect: Of the representation that it is about; None: the view as a whole.
    """

    severity: Severity
    message: str
    hint: str
    engine: str | None = None
    dialect: str | None = None


@dataclass(frozen=True, slots=True)
class TextReads:
    """What one representation of a view reads.

    Attributes:
        representation: The text and its context.
        tables: Tables and views, as the text spells them; None: nobody can tell.
    """

    representation: Representation
    tables: tuple[Name, ...] | None


@dataclass(frozen=True, slots=True)
class Subject:
    """A view under the checks.

    Attributes:
        view: The view.
        format: How its entry is stored.
        reads: What each of its representations reads.
        target_catalogs: The catalogs that the estate's views are loaded into; empty: none are.
        reached_by: The engines that have the view's source as a catalog, with their settings.
        notes: Codes of what its format has noted of its entry.
    """

    view: View
    format: str
    reads: tuple[TextReads, ...]
    target_catalogs: frozenset[str] = frozenset()
    reached_by: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    notes: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class OtherMeaning:
    """An expression that may have another value in an engine that reads a text as it is.

    Attributes:
        engine: The engine.
        expression: As its own dialect writes it.
        what: When, and what it is to the one and to the other.
    """

    engine: str
    expression: str
    what: str


@dataclass(frozen=True, slots=True)
class ReadElsewhere:
    """A view whose text other engines read as it is, and what they make of that.

    Attributes:
        view: The view.
        dialect: Of the text.
        meanings: What they make of it; None: nobody could tell.
    """

    view: View
    dialect: str
    meanings: tuple[OtherMeaning, ...] | None


Origin = tuple[Name, str]
"""A table, as the text spells it, and one of its columns."""


@dataclass(frozen=True, slots=True)
class Output:
    """What a text returns, with the columns that its bases have now.

    Attributes:
        columns: Names, in order, each empty that the engine makes up; none if one of those that it
            reads is not there.
        star: Whether the outermost SELECT has a `*`.
        lost: What is said of a column that no base has; empty if all are there.
        origins: For each of the columns, the columns of tables that go into its value.
    """

    columns: tuple[str, ...]
    star: bool = False
    lost: str = ""
    origins: tuple[tuple[Origin, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Expanded:
    """A view whose bases are known, under the checks of columns.

    Attributes:
        columns: Names, as the view declares them.
        dialect: Of the text.
        output: What the text returns now.
        sought: What the query called them when the view was made; None: the same.
    """

    columns: tuple[str, ...]
    dialect: str
    output: Output
    sought: tuple[str, ...] | None = None

    @property
    def query_names(self) -> tuple[str, ...]:
        """The names of the columns in the query, as far as they are known."""
        return self.columns if self.sought is None else self.sought

    def own_names(self) -> tuple[str, ...]:
        """Of each column that the text returns now, what the view calls it; empty: nothing.

        It is known by its name in the query, in its place first. Where none is so called it stands
        for what was in its place, unless there are more or fewer than before.
        """
        by_name = dict(zip(map(str.casefold, self.query_names), self.columns, strict=True))
        names = list(map(str.casefold, self.output.columns))
        if len(names) != len(self.columns):
            return tuple(
                by_name.get(name, column)
                for name, column in zip(names, self.output.columns, strict=True)
            )
        places = zip(names, map(str.casefold, self.query_names), self.columns, strict=True)
        return tuple(own if name == old else by_name.get(name, own) for name, old, own in places)


@dataclass(frozen=True, slots=True)
class Completed:
    """A view of which it is known where the names in its texts lead.

    Attributes:
        view: The view.
        format: How its entry is stored.
        found: Dialect of a text to the names in it that lead to something of the estate.
        catalogs: Engine to its names of catalogs, of those that have the view's source as one.
    """

    view: View
    format: str
    found: Mapping[str, tuple[Name, ...]]
    catalogs: Mapping[str, frozenset[str]]


@dataclass(frozen=True, slots=True)
class Returned:
    """A view whose text an engine has analyzed.

    Attributes:
        engine: The engine.
        dialect: Of the text.
        declared: Columns, as the view declares them and the engine reads that.
        returned: Columns that the text returns.
        sought: For each declared column the name by which the engine looks for it in what the text
            returns; None: it goes by position.
    """

    engine: str
    dialect: str
    declared: tuple[Column, ...]
    returned: tuple[Column, ...]
    sought: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Namesake:
    """One of several objects whose names meet at a target."""

    source: str
    identifier: Identifier
    kind: Kind


def example(  # noqa: PLR0913 - what the examples of the checks differ in
    kind: str,
    dialect: str,
    sql: str,
    *tables: str,
    catalog: str | None = None,
    schema: str | None = None,
    name: str = "v",
    properties: tuple[tuple[str, str], ...] = (),
    targets: frozenset[str] = frozenset(),
) -> Subject:
    """A view `db.<name>` with the column `id`, for the examples that each check carries."""
    text = Representation(dialect=dialect, sql=sql, default_catalog=catalog, default_schema=schema)
    view = View(
        identifier=Identifier(("db",), name),
        columns=(Column("id", Primitive("integer")),),
        representations=(text,),
        properties=properties,
    )
    read = TextReads(text, tuple(tuple(table.split(".")) for table in tables))
    return Subject(view, kind, (read,), targets)


def namesakes(*names: str, kind: Kind = Kind.VIEW) -> tuple[Namesake, ...]:
    """Objects for the examples: `source:level.name`; one that ends with `!` is a table."""
    objects = []
    for spelled in names:
        source, _, path = spelled.partition(":")
        *levels, name = path.rstrip("!").split(".")
        sort = Kind.TABLE if path.endswith("!") else kind
        objects.append(Namesake(source, Identifier(tuple(levels), name), sort))
    return tuple(objects)
