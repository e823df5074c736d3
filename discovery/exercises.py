"""What a target is tried with on a scratch namespace of its own, and what its answers mean.

What belvedere believes of a target (`ViewStore.hold`) is measured on some releases of it; here the
user's own is asked. A view for each dialect, type, property and shape of a name: written, read back
and dropped, one of them changed and renamed, too.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from typing import Any, Final

from discovery.engines import ENGINES
from discovery.model import (
    Column,
    DataType,
    External,
    Field,
    Identifier,
    ListOf,
    MapOf,
    Primitive,
    Representation,
    Security,
    SecurityMode,
    Struct,
    View,
    parts,
)
from discovery.ports import Action

INTEGER: Final = Primitive("integer")
_PLAIN: Final = (
    *("boolean", "byte", "short", "integer", "long", "float", "double", "decimal(10,2)"),
    *("string", "varchar(10)", "char(3)", "binary", "fixed(4)", "uuid", "date", "time"),
    *("timestamp", "timestamp(3)", "timestamp(6)", "timestamp(9)", "timestamp_tz"),
    *("interval_year", "interval_day"),
)
_WITHIN: Final[dict[str, DataType]] = {
    "list<integer>": ListOf(INTEGER),
    "map<string,integer>": MapOf(Primitive("string"), INTEGER),
    "struct<a:integer>": Struct((Field("a", INTEGER),)),
}
TYPES: Final[dict[str, DataType]] = {**{name: Primitive(name) for name in _PLAIN}, **_WITHIN}
"""The types that are tried, by what they are called."""
_SQL: Final = "SELECT 1 AS id"
CHANGED: Final = "SELECT 2 AS id"
"""What a text is changed to."""


Has = Callable[[View], bool]
"""Whether a view has what an exercise is about."""


@dataclass(frozen=True, slots=True)
class Exercise:
    """Something to try.

    Attributes:
        what: What it is about, such as `type uuid`.
        view: A view that has it.
        has: Which other ones have it, too.
    """

    what: str
    view: View
    has: Has


class Agreement(StrEnum):
    """What a target made of an exercise, beside what was believed."""

    AS_BELIEVED = "as believed"
    REFUSED = "refused, and believed to be taken"
    OTHERWISE = "reads back otherwise than believed"
    TAKEN = "taken, and believed to be refused"


@dataclass(frozen=True, slots=True)
class ExerciseAnswer:
    """What a target answered.

    Attributes:
        what: What it is about.
        believed: What was believed: `taken`, or the code of the refusal.
        found: What it came to.
        told: Fields that differ, or the target's own words; empty: nothing to say.
    """

    what: str
    believed: str
    found: Agreement
    told: str = ""

    def to_json(self) -> dict[str, str]:
        """As data, for programs."""
        return {
            "what": self.what,
            "believed": self.believed,
            "found": self.found.value,
            "told": self.told,
        }


TAKEN: Final = "taken"
"""What is believed of what is not refused."""
STEPS: Final[Mapping[Action, str]] = {
    Action.CREATE: "create a view",
    Action.REPLACE: "change its text",
    Action.ADD_DIALECT: "change its text",
    Action.RENAME: "rename it",
    Action.DROP: "drop it",
}
"""What is done with one view, one after the other, by what a plan says of it."""


def in_dialects(namespace: str) -> Iterator[Exercise]:
    """A view for each dialect, and one with two."""
    for number, dialect in enumerate(ENGINES):
        view = _view(namespace, f"dialect_{number}", dialect)
        yield Exercise(f"dialect {dialect}", view, partial(_is_in, dialect))
    both = _view(namespace, "two_dialects", "spark", "trino")
    yield Exercise("several dialects in one view", both, lambda view: len(view.representations) > 1)


def in_dialect(namespace: str, dialect: str) -> Iterator[Exercise]:
    """A view for each type, property and shape of a name, in a dialect that the target takes."""
    for number, (name, kind) in enumerate(TYPES.items()):
        view = replace(_view(namespace, f"type_{number}", dialect), columns=(Column("id", kind),))
        yield Exercise(f"type {name}", view, partial(_has_type, _sort_of(kind)))
    for number, shape in enumerate(_shapes(namespace, dialect)):
        yield replace(
            shape, view=replace(shape.view, identifier=_place(namespace, f"shape_{number}"))
        )
    for what, name, has in (
        ("name in upper case", "Upper_Case", lambda view: _is_upper(view.identifier.name)),
        ("name with a blank", "with blank", lambda view: " " in view.identifier.name),
    ):
        yield Exercise(what, _view(namespace, name, dialect), has)


def altered(view: View) -> View:
    """The view with another text."""
    texts = tuple(replace(representation, sql=CHANGED) for representation in view.representations)
    return replace(view, representations=texts)


def judged(believed: str, refused: str, differences: Sequence[str] = ()) -> tuple[Agreement, str]:
    """What an answer means beside what was believed, and what there is to say of it.

    Args:
        believed: `TAKEN`, or the code of the refusal.
        refused: The words in which the target, or our own writer of it, refused the view; empty:
            it did not.
        differences: What reads back otherwise; nothing where it was refused.
    """
    if believed != TAKEN:
        return (Agreement.AS_BELIEVED, "") if refused else (Agreement.TAKEN, ", ".join(differences))
    if refused:
        return Agreement.REFUSED, refused
    return (
        (Agreement.OTHERWISE, ", ".join(differences))
        if differences
        else (Agreement.AS_BELIEVED, "")
    )


def _shapes(namespace: str, dialect: str) -> Iterator[Exercise]:
    plain = _view(namespace, "shape", dialect)
    (text,) = plain.representations
    (column,) = plain.columns

    def shape(what: str, has: Has, **changes: Any) -> Exercise:  # noqa: ANN401 - of a view
        return Exercise(what, replace(plain, **changes), has)

    def with_column(what: str, has: Callable[[Column], bool], **changes: Any) -> Exercise:  # noqa: ANN401 - of a column
        return shape(what, partial(_has_column, has), columns=(column._replace(**changes),))

    def with_text(what: str, has: Callable[[Representation], bool], **changes: Any) -> Exercise:  # noqa: ANN401 - of a text
        return shape(what, partial(_has_text, has), representations=(replace(text, **changes),))

    yield shape("comment", lambda view: bool(view.comment), comment="of the view: 'quoted', ü")
    yield with_column("comment of a column", lambda column: bool(column.comment), comment="of id")
    yield with_column("column without NULLs", lambda column: not column.nullable, nullable=False)
    yield with_column("column in upper case", lambda column: _is_upper(column.name), name="Id")
    yield shape(
        "property", lambda view: bool(view.properties), properties=(("belvedere.exercise", "a b"),)
    )
    for mode, definer in ((SecurityMode.INVOKER, None), (SecurityMode.DEFINER, "alice")):
        has = partial(_is_secured, mode)
        yield shape(f"security {mode.value}", has, security=Security(mode, definer))
    yield with_text(
        "default schema",
        lambda representation: representation.default_schema is not None,
        default_schema=namespace,
    )
    yield with_text(
        "default catalog and schema",
        lambda representation: representation.default_catalog is not None,
        default_catalog="lake",
        default_schema=namespace,
    )
    yield with_text(
        "text of several lines, beyond ASCII",
        lambda representation: "\n" in representation.sql or not representation.sql.isascii(),
        sql="SELECT\n  'a''b' AS id -- é 🐝\n",
    )


def _is_upper(name: str) -> bool:
    return name != name.lower()


def _is_in(dialect: str, view: View) -> bool:
    return any(
        representation.dialect.casefold() == dialect for representation in view.representations
    )


def _is_secured(mode: SecurityMode, view: View) -> bool:
    return view.security is not None and view.security.mode is mode


def _has_column(has: Callable[[Column], bool], view: View) -> bool:
    return any(map(has, view.columns))


def _has_text(has: Callable[[Representation], bool], view: View) -> bool:
    return any(map(has, view.representations))


def _has_type(sort: str, view: View) -> bool:
    return any(sort in _sorts(column.type) for column in view.columns)


def _sorts(kind: DataType) -> Iterator[str]:
    """The sorts of a type and of all its parts."""
    yield _sort_of(kind)
    for part in parts(kind):
        yield from _sorts(part)


def _sort_of(kind: DataType) -> str:
    """Types of one sort are answered for together: any `varchar`, but each precision of a time."""
    if not isinstance(kind, Primitive | External):
        return type(kind).__name__
    word, *_ = kind.text.partition("(")
    return kind.text if word.startswith("time") else word


def _view(namespace: str, name: str, *dialects: str) -> View:
    return View(
        identifier=_place(namespace, name),
        columns=(Column("id", INTEGER),),
        representations=tuple(Representation(dialect=dialect, sql=_SQL) for dialect in dialects),
    )


def _place(namespace: str, name: str) -> Identifier:
    return Identifier((namespace,), name)


TRAITS: Final[Mapping[str, Has]] = {
    exercise.what: exercise.has for exercise in (*in_dialects("any"), *in_dialect("any", "any"))
}
"""Which views have what an exercise is about, by its name."""
