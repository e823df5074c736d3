"""Spark and Trino cannot complete the short names of an Iceberg view without default namespace.

Spark looks for a name of one part in the catalog itself, outside of any namespace: the table
`prod`.`ev` cannot be found. Trino says "Schema must be specified when session schema is not set".
Names of two and three parts need no namespace. Spark 4.1.4 with Iceberg 1.12.0 and Trino 476 were
asked over a catalog by REST on 2026-11-27.
"""

from collections.abc import Iterator
from typing import Final

from discovery.checks.subject import Finding, Severity, Subject, example
from discovery.engines import engine

CODE: Final = "ICEBERG_NO_NAMESPACE"
EXAMPLE_BAD: Final = example("iceberg", "spark", "SELECT id FROM t", "t", catalog="ice")
EXAMPLE_GOOD: Final = example("iceberg", "spark", "SELECT id FROM db.t", "db.t", catalog="ice")


def check(subject: Subject) -> Iterator[Finding]:
    """A name of one part with an empty `default-namespace`, in a text of what has such views."""
    for read in subject.reads if subject.format == "iceberg" else ():
        text = read.representation
        facts = engine(text.dialect)
        has_such_views = bool(facts.unread_of_iceberg)
        if not has_such_views or text.default_schema is not None:
            continue
        short = [name[0] for name in read.tables or () if len(name) == 1]
        if short:
            message = f"{facts.title} does not know in which namespace {', '.join(short)} is"
            hint = "set default-namespace, or name the namespace in the text"
            yield Finding(Severity.ERROR, message, hint, facts.name, text.dialect)
