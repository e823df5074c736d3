"""Gravitino refuses the name of the view.

Names are letters, digits and `_`, then also `/`, `=` and `-`, at most 64 characters, all ASCII
(Gravitino 1.3, the capability of most catalogs), though the column of its store holds more.
"""

import re
from collections.abc import Iterator
from typing import Final

from discovery.checks.subject import Finding, Severity, Subject, example

CODE: Final = "NAME_REFUSED"
_TARGETS: Final = frozenset({"lake"})
_ALLOWED: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_/=-]{0,63}")
EXAMPLE_BAD: Final = example("hive", "hive", "SELECT 1", name="with tax", targets=_TARGETS)
EXAMPLE_GOOD: Final = example("hive", "hive", "SELECT 1", name="with_tax", targets=_TARGETS)


def check(subject: Subject) -> Iterator[Finding]:
    """The name against the pattern, where views go to a target."""
    name = subject.view.identifier.name
    if subject.target_catalogs and not _ALLOWED.fullmatch(name):
        message = f"{name!r} is not a name to Gravitino's API"
        hint = "rename the view at its source; what is written past the API cannot be asked for"
        yield Finding(Severity.WARNING, message, hint)
