"""The view's text returns other columns than the view declares.

The analyzer of the engine says so, over the tables as they are now: other names, another order,
other types, or NULLs where the view promises none. A table below has changed since the view was
made, or the engine has learned to type an expression otherwise. Spark casts what widens safely
(`UpCast`, `SessionCatalog.fromCatalogTable`) and refuses the rest; the declared columns stay those
that readers see. Hive shows what the text returns, whatever is declared. Recreate the view, or cast
in its text.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from discovery import wire
from discovery.checks.subject import Finding, Returned, Severity
from discovery.model import TRINO, Column, DataType, Field, ListOf, MapOf, Primitive, Struct

CODE: Final = "COLUMNS_DRIFT"
_ID: Final = Column("id", Primitive("integer"))
EXAMPLE_BAD: Final = Returned("spark", "spark", (_ID,), (Column("ID", Primitive("long")),), ("id",))
EXAMPLE_GOOD: Final = Returned("spark", "spark", (_ID,), (Column("ID", _ID.type),), ("id",))
_SHOWN: Final = 8  # columns


def check(subject: Returned) -> Iterator[Finding]:
    """Each declared column against that which the engine takes for it."""
    differences = [*_missing(subject), *_differing(subject)]
    if not differences and subject.sought is not None:
        differences = list(_reordered(subject.sought, subject.returned))
    if differences:
        rest = f"; and {len(differences) - _SHOWN} more" if len(differences) > _SHOWN else ""
        yield Finding(
            Severity.WARNING,
            "; ".join(differences[:_SHOWN]) + rest,
            "recreate the view, or cast in its text to what it declares",
            engine=subject.engine,
            dialect=subject.dialect,
        )


def _pairs(subject: Returned) -> Iterator[tuple[Column, Column | None]]:
    """Each declared column with the returned one that the engine takes for it.

    Of several with one name the first is the first, as Spark counts (`fromCatalogTable`).
    """
    if subject.sought is None:
        for number, column in enumerate(subject.declared):
            columns = subject.returned[number : number + 1]
            yield column, columns[0] if columns else None
        return
    left = list(subject.returned)
    for column, name in zip(subject.declared, subject.sought, strict=False):
        match = next((it for it in left if it.name.casefold() == name.casefold()), None)
        if match is not None:
            left.remove(match)
        yield column, match


def _missing(subject: Returned) -> Iterator[str]:
    pairs = list(_pairs(subject))
    for column, returned in pairs:
        if returned is None:
            yield f"{column.name} is declared, and not returned"
    taken = [returned for _, returned in pairs if returned is not None]
    for extra in subject.returned:
        if extra in taken:
            taken.remove(extra)
        else:
            yield f"{extra.name} is returned, and not declared"


def _differing(subject: Returned) -> Iterator[str]:
    for column, returned in _pairs(subject):
        if returned is None:
            continue
        if _plain(column.type) != _plain(returned.type):
            yield (
                f"{column.name} is declared {_spelled(column.type)}, "
                f"returned {_spelled(returned.type)}"
            )
        elif returned.nullable and not column.nullable and not _is_of_trino(subject.dialect):
            yield f"{column.name} is declared without NULLs, returned with them"


def _is_of_trino(dialect: str) -> bool:
    """Whether Trino has declared the columns: its views of Iceberg say of each that it has no NULL.

    476 does, whatever the text returns (asked on 2026-11-27).
    """
    return dialect.casefold() == TRINO


def _reordered(sought: Sequence[str], returned: Sequence[Column]) -> Iterator[str]:
    wanted = [name.casefold() for name in sought]
    shown = [column.name.casefold() for column in returned]
    if wanted != shown:
        yield f"the order is {', '.join(wanted)} as declared, {', '.join(shown)} as returned"


def _plain(kind: DataType) -> DataType:
    """A type without what says nothing of its values: spelling of names, comments, inner NULLs."""
    match kind:
        case Struct(fields):
            return Struct(
                tuple(Field(field.name.casefold(), _plain(field.type)) for field in fields)
            )
        case ListOf(element):
            return ListOf(_plain(element))
        case MapOf(key, value):
            return MapOf(_plain(key), _plain(value))
        case _:
            return kind


def _spelled(kind: DataType) -> str:
    return wire.type_text(kind).strip('"')
