"""Trino cannot complete the names of an Iceberg view that states no default catalog.

The Iceberg view spec says that the catalog is then the one in which the view is stored. Trino does
not apply this: names of one or two parts fail with "Schema / Catalog must be specified" (Trino
476).
"""

from collections.abc import Iterator
from typing import Final

from discovery.checks.subject import Finding, Severity, Subject, example
from discovery.model import TRINO

CODE: Final = "ICEBERG_NO_DEFAULT_CATALOG"
EXAMPLE_BAD: Final = example("iceberg", "trino", "SELECT id FROM t", "t", schema="db")
EXAMPLE_GOOD: Final = example(
    "iceberg", "trino", "SELECT id FROM t", "t", schema="db", catalog="ice"
)


def check(subject: Subject) -> Iterator[Finding]:
    """A name of less than three parts in a text for Trino without `default-catalog`."""
    for read in subject.reads if subject.format == "iceberg" else ():
        text = read.representation
        if text.dialect.casefold() != TRINO or text.default_catalog is not None:
            continue
        short = [".".join(name) for name in read.tables or () if len(name) < 3]
        if short:
            message = f"Trino does not know in which catalog {', '.join(short)} is"
            hint = "set default-catalog to Trino's name of the catalog, or use names of three parts"
            yield Finding(Severity.ERROR, message, hint, TRINO, text.dialect)
