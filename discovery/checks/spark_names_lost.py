"""Trino and Hive show a Spark view with the names of its query, not with those that it declares.

Spark renames the columns of the query when it reads the view (`view.query.out.col.N` to the
declared names). Trino and Hive read the query alone: the columns have other names, so a query that
names one is refused, or gets the values of another: `v (b, a) AS SELECT a, b` (Trino 476 and Hive
2.3.10 on entries of Spark 4.3). What the query does not name Hive calls `_c0`.
"""

from collections.abc import Iterator
from typing import Final

from discovery.checks.subject import Finding, Severity, Subject, example
from discovery.engines import ENGINES

CODE: Final = "SPARK_NAMES_LOST"
EXAMPLE_BAD: Final = example(
    "spark", "spark", "SELECT k FROM db.t", "db.t", properties=(("view.query.out.col.0", "k"),)
)
EXAMPLE_GOOD: Final = example(
    "spark", "spark", "SELECT id FROM db.t", "db.t", properties=(("view.query.out.col.0", "id"),)
)
_READERS: Final = tuple(row for row in ENGINES.values() if row.loses_spark_names)


def check(subject: Subject) -> Iterator[Finding]:
    """What the query calls its columns against what the view does, ignoring case."""
    if subject.format != "spark":
        return
    stated = dict(subject.view.properties)
    for number, column in enumerate(subject.view.columns):
        inner = stated.get(f"view.query.out.col.{number}", column.name)
        if inner.casefold() != column.name.casefold():
            hint = f"name it in the query: {inner} AS {column.name}"
            for reader in _READERS:
                message = (
                    f"{reader.title} calls the column {column.name} {inner}, as the query does"
                )
                yield Finding(Severity.ERROR, message, hint, reader.name, "spark")
            return
