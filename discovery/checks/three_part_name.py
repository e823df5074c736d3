"""Trino cannot read a view in Hive's or Spark's format whose text has names of three parts.

Trino reads these formats with a parser for Hive's SQL, which stops at the second dot (trinodb/trino
#18122, linkedin/coral #554). Hive itself (2.3) stops there, too.
"""

from collections.abc import Iterator
from typing import Final

from discovery.checks.subject import Finding, Severity, Subject, example
from discovery.model import HIVE, TRINO, dotted

CODE: Final = "THREE_PART_NAME"
EXAMPLE_BAD: Final = example("spark", "spark", "SELECT id FROM ice.db.t", "ice.db.t")
EXAMPLE_GOOD: Final = example("spark", "spark", "SELECT id FROM db.t", "db.t")


def check(subject: Subject) -> Iterator[Finding]:
    """A name of three parts or more in one of the two formats."""
    if subject.format not in {"hive", "spark"}:
        return
    for read in subject.reads:
        long = [dotted(name) for name in read.tables or () if len(name) > 2]
        for engine in (TRINO, HIVE) if long else ():
            yield Finding(
                Severity.ERROR,
                f"{', '.join(long)}: a name of more than two parts",
                "read the table through the catalog that the view is in, or give the view a text "
                f"of its own for {engine}",
                engine,
                read.representation.dialect,
            )
