"""Other engines cannot read an entry that Flink made.

The entry has no columns, and its expanded text begins each name with what the Flink session called
the catalog, a name that no other engine knows. Spark and Hive stop at it
(REQUIRES_SINGLE_PART_NAMESPACE; "cannot recognize input near '.'"), and Trino does not read the
entry (Spark 4.3, Hive 2.3.10 and Trino 476 on entries of Flink 1.20). Views that Flink made in
Hive's dialect have Hive's own names, but for those of common table expressions: Hive reads them as
its own, Spark shows no columns.
"""

from collections.abc import Iterator
from typing import Final

from discovery.checks.subject import Finding, Severity, Subject, TextReads, example
from discovery.model import HIVE, SPARK, TRINO

CODE: Final = "FLINK_ENTRY"
EXAMPLE_BAD: Final = example("flink", "flink", "SELECT id FROM t", "t")
EXAMPLE_GOOD: Final = example("hive", "hive", "SELECT id FROM db.t", "db.t")


def check(subject: Subject) -> Iterator[Finding]:
    """By the format alone; for Hive, which looks at no columns, by the names of the texts."""
    if subject.format == "flink":
        hint = "load the view into a store that keeps a text per engine"
        local = "its names begin with what a Flink session called the catalog"
        yield Finding(Severity.ERROR, local, hint, SPARK)
        yield Finding(Severity.ERROR, "the entry has Flink's columns only", hint, TRINO)
        if any(map(_names_catalogs, subject.reads)):
            yield Finding(Severity.ERROR, local, hint, HIVE)


def _names_catalogs(read: TextReads) -> bool:
    """Whether the expanded text has a name with a catalog: the text has it, or it was added."""
    added = read.representation.default_catalog is not None
    return added or any(len(name) > 2 for name in read.tables or ())
