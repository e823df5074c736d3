"""An engine shows a view of a database, and fails when it reads what it shows.

Trino shows columns of PostgreSQL of type `bit(8)` as boolean and `time with time zone` as time, and
fails on each value that is not NULL ("Cannot cast to boolean", "Cannot convert the column of type
TIMETZ"). Of columns that differ in case alone it shows both, and refuses every query of the view
("Multiple entries with same key"); one without any column it refuses, too ("has no supported
columns"). Queries that leave such a column out are read but for those of names that differ in case.

Spark's JDBC catalog shows a `numeric` of PostgreSQL with fewer than no decimals, `numeric(5,-2)`,
as `decimal(38,38)`, which holds nothing from 1 on, an array of times as one of timestamps, whose
elements it does not take, and refuses all that has a `refcursor`.

Asked of Trino 476 and Spark 4.3.0 about 204 views of PostgreSQL 18.4 on 2026-11-28, by SHOW COLUMNS
and by reading rows.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from discovery.checks import columns_left_out
from discovery.checks.columns_left_out import is_surely_shown, type_text
from discovery.checks.subject import Finding, Severity, Subject
from discovery.engines import Engine, engine
from discovery.model import TRINO, Column, External

CODE: Final = "COLUMNS_UNREADABLE"
EXAMPLE_GOOD: Final = columns_left_out.EXAMPLE_GOOD
EXAMPLE_BAD: Final = columns_left_out.example_with(External("time with time zone"))
_CAST: Final = "cast in the view to a type that it reads, as text"


def check(subject: Subject) -> Iterator[Finding]:
    """The types and names of the columns, where an engine has the database as a catalog."""
    database, columns = engine(subject.format), subject.view.columns
    for reader, pattern in database.shown_unread_by.items():
        wrong = [column.name for column in columns if re.fullmatch(pattern, type_text(column.type))]
        if wrong and reader in subject.reached_by:
            message = f"{', '.join(wrong)}: shown, and a value of that type cannot be read"
            yield Finding(Severity.ERROR, message, _CAST, reader, subject.format)
    if TRINO in subject.reached_by and database.left_out_by_trino:
        yield from _refused_by_trino(columns, database)


def _refused_by_trino(columns: Sequence[Column], database: Engine) -> Iterator[Finding]:
    """Why Trino refuses every query of a view, by the names of its columns."""
    if not columns and database.shows_every_column:
        message = "the view has no columns, and Trino reads no such table"
        yield Finding(Severity.ERROR, message, "give the view a column", TRINO, database.name)
    met: dict[str, list[str]] = {}
    for column in columns:
        if is_surely_shown(column, database):
            met.setdefault(column.name.lower(), []).append(column.name)
    for names in met.values():
        if len(names) > 1:
            message = f"{', '.join(names)}: one name to Trino, which refuses every query"
            yield Finding(
                Severity.ERROR, message, "rename all but one in the view", TRINO, database.name
            )
