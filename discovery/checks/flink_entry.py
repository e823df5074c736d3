"""Other engines cannot read an entry that Flink made.

The entry has no columns, and its expanded text begins each name with what the Flink session called
the catalog, a name that no other engine knows. Spark stops at it (REQUIRES_SINGLE_PART_NAMESPACE);
Trino does not read the entry (Spark 4.3 and Trino 476 on entries of Flink 1.20).
"""

from collections.abc import Iterator
from typing import Final

from discovery.checks.subject import Finding, Severity, Subject, example
from discovery.model import SPARK, TRINO

CODE: Final = "FLINK_ENTRY"
EXAMPLE_BAD: Final = example("flink", "flink", "SELECT id FROM t", "t")
EXAMPLE_GOOD: Final = example("hive", "hive", "SELECT id FROM db.t", "db.t")


def check(subject: Subject) -> Iterator[Finding]:
    """By the format alone: every such entry has the expanded text."""
    if subject.format == "flink":
        hint = "load the view into a store that keeps a text per engine"
        local = "its names begin with what a Flink session called the catalog"
        yield Finding(Severity.ERROR, local, hint, SPARK)
        yield Finding(Severity.ERROR, "the entry has Flink's columns only", hint, TRINO)
