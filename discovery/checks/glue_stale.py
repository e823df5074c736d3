"""Glue calls one dialect of a view stale: the engine of that dialect refuses the view.

Another dialect was changed by force, or what the view reads was, and nobody has updated this one.
The engine throws rather than return what is out of date (Athena's user guide, "Glue Data Catalog
view DDL", on FORCE). Its text is not what the other texts of the view say any more: at a target,
which has no mark for that, it would run.
"""

from collections.abc import Iterator
from typing import Final

from discovery.checks.subject import Finding, Severity, Subject, example
from discovery.formats import glue

CODE: Final = "GLUE_STALE"
EXAMPLE_BAD: Final = example(
    "glue", "spark", "SELECT id FROM t", "t", properties=(("glue.stale.spark", "true"),)
)
EXAMPLE_GOOD: Final = example("glue", "spark", "SELECT id FROM t", "t")


def check(subject: Subject) -> Iterator[Finding]:
    """By the marks of Glue's own format."""
    for dialect in glue.stale_dialects(subject.view) if subject.format == glue.NAME else ():
        message = f"Glue calls the text for {dialect} stale, and its engine refuses the view"
        hint = f"update it where it is: ALTER VIEW … UPDATE DIALECT in {dialect}"
        yield Finding(Severity.ERROR, message, hint, dialect, dialect)
