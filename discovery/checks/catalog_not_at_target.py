"""The SQL names a catalog that will not exist at the target.

The texts are loaded byte for byte. A name of three parts begins with what the engine calls the
catalog today; at the target the catalogs are those of the configuration's targets.
"""

from collections.abc import Iterator
from typing import Final

from discovery.checks.subject import Finding, Severity, Subject, example
from discovery.model import dotted

CODE: Final = "CATALOG_NOT_AT_TARGET"
_TARGETS: Final = frozenset({"lake"})
EXAMPLE_BAD: Final = example(
    "trino", "trino", "SELECT id FROM hive.db.t", "hive.db.t", targets=_TARGETS
)
EXAMPLE_GOOD: Final = example(
    "trino", "trino", "SELECT id FROM lake.db.t", "lake.db.t", targets=_TARGETS
)


def check(subject: Subject) -> Iterator[Finding]:
    """A name with more levels than the view's own namespace has, of a catalog that no target is."""
    usual = len(subject.view.identifier.namespace) + 1
    for read in subject.reads if subject.target_catalogs else ():
        for name in read.tables or ():
            if len(name) > usual and name[0] not in subject.target_catalogs:
                names = ", ".join(sorted(subject.target_catalogs))
                yield Finding(
                    Severity.WARNING,
                    f"{dotted(name)}: there will be no catalog {name[0]}",
                    f"name the target's catalog like this one, or change the text; it has {names}",
                    dialect=read.representation.dialect,
                )
