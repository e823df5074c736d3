"""Trino shows a Spark view with the names of its query, not with those that the view declares.

Spark renames the columns of the query when it reads the view (`view.query.out.col.N` to the
declared names). Trino reads the query alone: the columns have other names, and there is no error
(Trino 476 on entries of Spark 4.3).
"""

from collections.abc import Iterator
from typing import Final

from discovery.checks.subject import Finding, Severity, Subject, example
from discovery.model import TRINO

CODE: Final = "SPARK_NAMES_LOST"
EXAMPLE_BAD: Final = example(
    "spark", "spark", "SELECT k FROM db.t", "db.t", properties=(("view.query.out.col.0", "k"),)
)
EXAMPLE_GOOD: Final = example(
    "spark", "spark", "SELECT id FROM db.t", "db.t", properties=(("view.query.out.col.0", "id"),)
)


def check(subject: Subject) -> Iterator[Finding]:
    """What the query calls its columns against what the view does, ignoring case."""
    if subject.format != "spark":
        return
    stated = dict(subject.view.properties)
    for number, column in enumerate(subject.view.columns):
        inner = stated.get(f"view.query.out.col.{number}", column.name)
        if inner.casefold() != column.name.casefold():
            message = f"Trino calls the column {column.name} {inner}, as the query does"
            hint = f"name it in the query: {inner} AS {column.name}"
            yield Finding(Severity.ERROR, message, hint, TRINO, "spark")
            return
