"""Whether a text means the same in the engines that read it beside its own is not known.

MEANS_OTHERWISE looks for that in the tree that sqlglot makes of a text. A text that it cannot read,
or not within ten seconds, is not looked at, and may have other values elsewhere.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from discovery.checks import means_otherwise
from discovery.checks.subject import Finding, ReadElsewhere, Severity
from discovery.engines import engine

CODE: Final = "MEANING_UNKNOWN"
EXAMPLE_GOOD: Final = means_otherwise.EXAMPLE_GOOD
EXAMPLE_BAD: Final = replace(EXAMPLE_GOOD, meanings=None)


def check(subject: ReadElsewhere) -> Iterator[Finding]:
    """A text that was not looked at."""
    if subject.meanings is None:
        yield Finding(
            Severity.WARNING,
            f"whether engines beside {engine(subject.dialect).title} have other values for its"
            " text is not known: sqlglot does not read it",
            "compare rows of both engines before you rely on it there",
            dialect=subject.dialect,
        )
