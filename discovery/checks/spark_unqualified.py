"""Trino cannot complete the short names of a Spark view.

Spark keeps the current catalog and namespace beside the text (`view.catalogAndNamespace.*`); Trino
does not look there, and reads a Spark view only if its names are qualified (Trino 476).
"""

from collections.abc import Iterator
from typing import Final

from discovery.checks.subject import Finding, Severity, Subject, example
from discovery.model import TRINO

CODE: Final = "SPARK_UNQUALIFIED"
EXAMPLE_BAD: Final = example("spark", "spark", "SELECT id FROM t", "t")
EXAMPLE_GOOD: Final = example("spark", "spark", "SELECT id FROM db.t", "db.t")


def check(subject: Subject) -> Iterator[Finding]:
    """A name of one part in a view in Spark's format."""
    if subject.format == "spark":
        for read in subject.reads:
            short = [name[0] for name in read.tables or () if len(name) == 1]
            if short:
                message = f"Trino does not know in which schema {', '.join(short)} is"
                hint = "qualify the names in the view's query"
                yield Finding(Severity.ERROR, message, hint, TRINO, read.representation.dialect)
