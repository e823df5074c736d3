"""Other engines cannot read an entry that Trino made, nor Trino one in Glue without its comment.

Trino puts the view into a comment, and one column `dummy` into the entry. Spark shows that column
and fails when it is selected; Flink does not read the entry (Spark 4.3 and Flink 1.20 on entries of
Trino 476). An entry in Glue that has Spark's text, too, they read. One that only Athena reads is
none for Trino (`NOT_SHOWN_BY_TRINO`).
"""

from collections.abc import Iterator
from typing import Final

from discovery.checks.subject import Finding, Severity, Subject, example
from discovery.model import FLINK, SPARK, TRINO
from discovery.outcomes import NOT_SHOWN_BY_TRINO

CODE: Final = "TRINO_ENTRY"
EXAMPLE_BAD: Final = example("trino", "trino", "SELECT id FROM t", "t", catalog="hive", schema="db")
EXAMPLE_GOOD: Final = example("hive", "hive", "SELECT id FROM db.t", "db.t")


def check(subject: Subject) -> Iterator[Finding]:
    """By the format alone."""
    dialects = {text.dialect for text in subject.view.representations}
    if subject.format == "trino" and dialects == {TRINO}:
        message = "the entry holds a column `dummy` and the view as a comment of Trino's"
        hint = "load the view into a store that keeps a text per engine"
        yield Finding(Severity.ERROR, message, hint, SPARK)
        yield Finding(Severity.ERROR, message, hint, FLINK)
    if NOT_SHOWN_BY_TRINO.code in subject.notes:
        message = "the entry lacks the parameter by which Trino knows its views"
        hint = "set the parameter `comment` of the entry to `Presto View`"
        yield Finding(Severity.ERROR, message, hint, TRINO)
