"""Trino reads an Iceberg view only if it has a text in the dialect `trino`.

It stops with "Cannot read unsupported dialect" and leaves the view out of information_schema.views,
though SHOW TABLES lists it (Trino 476). Spark falls back to whichever text there is.
"""

from collections.abc import Iterator
from typing import Final

from discovery.checks.subject import Finding, Severity, Subject, example
from discovery.model import TRINO

CODE: Final = "ICEBERG_NO_TRINO_TEXT"
EXAMPLE_BAD: Final = example("iceberg", "spark", "SELECT id FROM t", "t", schema="db")
EXAMPLE_GOOD: Final = example("iceberg", "trino", "SELECT id FROM c.db.t", "c.db.t", schema="db")


def check(subject: Subject) -> Iterator[Finding]:
    """No representation in Trino's dialect, compared ignoring case."""
    dialects = [read.representation.dialect for read in subject.reads]
    if subject.format == "iceberg" and TRINO not in map(str.casefold, dialects):
        message = f"its texts are in {', '.join(dialects)}"
        hint = "add a representation in the dialect trino"
        yield Finding(Severity.ERROR, message, hint, TRINO)
