"""Trino shows a view of PostgreSQL or MySQL without some of its columns.

Its connectors leave out, without a word, columns of types that they do not map: of PostgreSQL
`numeric` without digits, which sums, averages, products and quotients of decimals are, arrays,
intervals, ranges, network addresses, geometric types, bit strings of any length, domains and
composite types; of both, decimals of more than 38 digits; of MariaDB `bit`, geometric types,
`uuid` and `inet`. A view that has no other columns is refused, and so is all that has a `numeric`
with more decimals than digits (Trino 476 asked of 114 types of PostgreSQL 18.6 and 65 of MariaDB
10.11, as its connectors are by default). Queries that name such a column fail, `SELECT *` has fewer
columns.

Of a type that people have made the name alone is known: an enum is shown, a domain is not. A column
declared `numeric(38,18)`, which is shown, is told, too: the model has `numeric` without digits so.
`bit(n)` of MariaDB with more than one digit is not told: the model has it as it has `binary(n)`.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from discovery.checks.subject import Finding, Severity, Subject, example
from discovery.engines import Engine, engine
from discovery.model import POSTGRESQL, TRINO, Column, DataType, External, ListOf, Primitive

CODE: Final = "COLUMNS_LEFT_OUT"
EXAMPLE_GOOD: Final = replace(
    example(POSTGRESQL, POSTGRESQL, "SELECT id FROM db.t", "db.t"), reached_by={TRINO: {}}
)


def example_with(kind: DataType) -> Subject:
    """The good example with one more column, of a type."""
    columns = (*EXAMPLE_GOOD.view.columns, Column("more", kind))
    return replace(EXAMPLE_GOOD, view=replace(EXAMPLE_GOOD.view, columns=columns))


EXAMPLE_BAD: Final = example_with(Primitive("decimal(38,18)"))
_SHOWN: Final = 8  # columns
_HINT: Final = (
    "cast in the view, as to numeric(38, 6) or text; or see `decimal-mapping`, "
    "`unsupported-type-handling` and `postgresql.array-mapping` of Trino's connectors, of which "
    "that of MySQL shows bits and geometric types"
)


def check(subject: Subject) -> Iterator[Finding]:
    """The types of the columns, where Trino has the database as a catalog."""
    database, columns = engine(subject.format), subject.view.columns
    if TRINO not in subject.reached_by or not database.left_out_by_trino:
        return
    refused = _of(columns, database.refused_by_trino)
    unmapped = [
        column for column in _of(columns, database.left_out_by_trino) if column not in refused
    ]
    perhaps = _of(columns, database.perhaps_left_out_by_trino)
    if refused:
        message = f"{_names(refused)}: with more decimals than digits, for which Trino refuses all"
        yield _finding(Severity.ERROR, message, subject.format)
    if unmapped:
        none_left = len(unmapped) == len(columns)
        message = f"{_names(unmapped)}: of types that Trino does not show"
        more = ", and there are no other columns" if none_left else ""
        severity = Severity.ERROR if none_left else Severity.WARNING
        yield _finding(severity, message + more, subject.format)
    if perhaps:
        message = f"{_names(perhaps)}: of types that people have made: Trino shows enums alone"
        yield _finding(Severity.WARNING, message, subject.format)


def is_surely_shown(column: Column, database: Engine) -> bool:
    """Whether Trino shows a column, whatever stands behind the name of its type."""
    patterns = (
        database.left_out_by_trino,
        database.refused_by_trino,
        database.perhaps_left_out_by_trino,
    )
    return not any(_of([column], pattern) for pattern in patterns)


def _of(columns: Iterable[Column], pattern: str) -> list[Column]:
    if not pattern:
        return []
    return [column for column in columns if re.fullmatch(pattern, _text(column.type))]


def _names(columns: Sequence[Column]) -> str:
    more = f" and {len(columns) - _SHOWN} more" if len(columns) > _SHOWN else ""
    return ", ".join(column.name for column in columns[:_SHOWN]) + more


def _finding(severity: Severity, message: str, dialect: str) -> Finding:
    return Finding(severity, message, _HINT, TRINO, dialect)


def _text(kind: DataType) -> str:
    return "array" if isinstance(kind, ListOf) else type_text(kind)


def type_text(kind: DataType) -> str:
    """A type of a database as patterns of `discovery.engines` have it; of an array, `x[]`."""
    if isinstance(kind, ListOf):
        return f"{type_text(kind.element)}[]"
    if isinstance(kind, External):
        return kind.text.lower()
    return kind.text if isinstance(kind, Primitive) else ""
