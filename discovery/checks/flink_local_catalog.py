"""A text of Flink names a catalog that only the session knew in which the view was made.

Flink keeps catalogs in the session (or in its own catalog store), so the name means nothing
elsewhere, and something else in a session that registered another catalog under it.
"""

from collections.abc import Iterator
from typing import Final

from discovery.checks.subject import Finding, Severity, Subject, example
from discovery.model import FLINK, dotted

CODE: Final = "FLINK_LOCAL_CATALOG"
EXAMPLE_BAD: Final = example("flink", "flink", "SELECT id FROM hc.db.t", "hc.db.t")
EXAMPLE_GOOD: Final = example("flink", "flink", "SELECT id FROM db.t", "db.t")


def check(subject: Subject) -> Iterator[Finding]:
    """A name of three parts in a text of Flink."""
    for read in subject.reads:
        if read.representation.dialect.casefold() == FLINK:
            for name in read.tables or ():
                if len(name) > 2:
                    yield Finding(
                        Severity.WARNING,
                        f"{dotted(name)}: {name[0]} is a name of the session's",
                        "say in `catalogs: {flink: …}` which source it is, and use names of two "
                        "parts in the view",
                        FLINK,
                        read.representation.dialect,
                    )
