"""The view reads a column that none of its bases has.

A table below has lost or renamed it; the engine will refuse the view when it is read. The columns
are sqlglot's reading of the text.
"""

from collections.abc import Iterator
from typing import Final

from discovery.checks.subject import Expanded, Finding, Output, Severity

CODE: Final = "BROKEN_COLUMN"
EXAMPLE_BAD: Final = Expanded(("id",), "spark", Output((), lost="Column 'id' is not there"))
EXAMPLE_GOOD: Final = Expanded(("id",), "spark", Output(("id",)))


def check(subject: Expanded) -> Iterator[Finding]:
    """What sqlglot says of a column that it cannot find."""
    if subject.output.lost:
        hint = "restore the column, or take it out of the view"
        yield Finding(Severity.WARNING, subject.output.lost, hint, dialect=subject.dialect)
