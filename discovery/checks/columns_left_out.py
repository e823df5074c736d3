"""Trino shows a view of PostgreSQL or MySQL without some of its columns.

Its connectors leave out, without a word, columns of types that they do not map: of PostgreSQL
`numeric` without digits, which sums, averages, products and quotients of decimals are, arrays,
intervals, ranges, network addresses, geometric types and bit strings of any length; of both,
decimals of more than 38 digits; of MariaDB `uuid` and `inet`. A view that has no other columns is
refused (Trino 476 asked of 68 types of PostgreSQL 18.6 and 39 of MariaDB 10.11, as its connectors
are by default). Queries that name such a column fail, `SELECT *` has fewer columns.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from discovery.checks.subject import Finding, Severity, Subject, example
from discovery.engines import engine
from discovery.model import POSTGRESQL, TRINO, Column, DataType, External, Primitive

CODE: Final = "COLUMNS_LEFT_OUT"
_REACHED: Final = replace(
    example(POSTGRESQL, POSTGRESQL, "SELECT id FROM db.t", "db.t"), reached_by={TRINO: {}}
)
EXAMPLE_GOOD: Final = _REACHED
EXAMPLE_BAD: Final = replace(
    _REACHED,
    view=replace(
        _REACHED.view,
        columns=(*_REACHED.view.columns, Column("total", Primitive("decimal(38,18)"))),
    ),
)
_SHOWN: Final = 8  # columns


def check(subject: Subject) -> Iterator[Finding]:
    """The types of the columns, where Trino has the database as a catalog."""
    pattern, columns = engine(subject.format).left_out_by_trino, subject.view.columns
    if TRINO not in subject.reached_by or not pattern:
        return
    unmapped = [column for column in columns if re.fullmatch(pattern, _text(column.type))]
    if not unmapped:
        return
    more = f" and {len(unmapped) - _SHOWN} more" if len(unmapped) > _SHOWN else ""
    names = ", ".join(column.name for column in unmapped[:_SHOWN])
    none_left = len(unmapped) == len(columns)
    yield Finding(
        Severity.ERROR if none_left else Severity.WARNING,
        f"{names}{more}: of types that Trino does not show"
        + (", and there are no other columns" if none_left else ""),
        "cast in the view, as to numeric(38, 6) or text; or see `decimal-mapping`, "
        "`unsupported-type-handling` and `postgresql.array-mapping` of Trino's connectors",
        TRINO,
        subject.format,
    )


def _text(kind: DataType) -> str:
    if isinstance(kind, External):
        return kind.text.lower()
    return kind.text if isinstance(kind, Primitive) else "array"
