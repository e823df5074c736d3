"""What a target is tried with on a scratch namespace of its own, and what its answers mean.

What belvedere believes of a target (`ViewStore.hold`) is measured on some releases of it; here the
user's own is asked. A view for each dialect, type, property and shape of a name: written, read back
and dropped, one of them changed and renamed, too.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from discovery.engines import ENGINES
from discovery.model import (
    Column,
    DataType,
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
)

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
TYPES: Final[dict[str, DataType]] = {**{one: Primitive(one) for one in _PLAIN}, **_WITHIN}
"""The types that are tried, by what they are called."""
_SQL: Final = "SELECT 1 AS id"
CHANGED: Final = "SELECT 2 AS id"
"""What a text is changed to."""


@dataclass(frozen=True, slots=True)
class Exercise:
    """Something to try.

    Attributes:
        what: What it is about, such as `type uuid`.
        view: The view that has it.
    """

    what: str
    view: View


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


def in_dialects(namespace: str) -> Iterator[Exercise]:
    """A view for each dialect, and one with two."""
    for number, dialect in enumerate(ENGINES):
        yield Exercise(f"dialect {dialect}", _view(namespace, f"dialect_{number}", dialect))
    both = _view(namespace, "two_dialects", "spark", "trino")
    yield Exercise("dialects spark and trino in one view", both)


def in_dialect(namespace: str, dialect: str) -> Iterator[Exercise]:
    """A view for each type, property and shape of a name, in a dialect that the target takes."""
    for number, (name, kind) in enumerate(TYPES.items()):
        typed = (Column("id", kind),)
        yield Exercise(
            f"type {name}", replace(_view(namespace, f"type_{number}", dialect), columns=typed)
        )
    for number, (what, shaped) in enumerate(_shapes(namespace, dialect)):
        yield Exercise(what, replace(shaped, identifier=_place(namespace, f"shape_{number}")))
    for what, name in (("name in upper case", "Upper_Case"), ("name with a blank", "with blank")):
        yield Exercise(what, _view(namespace, name, dialect))


def altered(view: View) -> View:
    """The view with another text."""
    texts = tuple(replace(one, sql=CHANGED) for one in view.representations)
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


def _shapes(namespace: str, dialect: str) -> Iterator[tuple[str, View]]:
    plain = _view(namespace, "shape", dialect)
    (text,) = plain.representations
    (column,) = plain.columns
    yield "comment", replace(plain, comment="of the view: 'quoted', ü")
    yield "comment of a column", replace(plain, columns=(column._replace(comment="of id"),))
    yield "column without NULLs", replace(plain, columns=(column._replace(nullable=False),))
    yield "column in upper case", replace(plain, columns=(column._replace(name="Id"),))
    yield "property", replace(plain, properties=(("belvedere.exercise", "a b"),))
    for mode, definer in ((SecurityMode.INVOKER, None), (SecurityMode.DEFINER, "alice")):
        yield f"security {mode.value}", replace(plain, security=Security(mode, definer))
    schema = replace(text, default_schema=namespace)
    yield "default schema", replace(plain, representations=(schema,))
    whole = replace(text, default_catalog="lake", default_schema=namespace)
    yield "default catalog and schema", replace(plain, representations=(whole,))
    lines = replace(text, sql="SELECT\n  'a''b' AS id -- é 🐝\n")
    yield "text of several lines, beyond ASCII", replace(plain, representations=(lines,))


def _view(namespace: str, name: str, *dialects: str) -> View:
    return View(
        identifier=_place(namespace, name),
        columns=(Column("id", INTEGER),),
        representations=tuple(Representation(dialect=one, sql=_SQL) for one in dialects),
    )


def _place(namespace: str, name: str) -> Identifier:
    return Identifier((namespace,), name)
