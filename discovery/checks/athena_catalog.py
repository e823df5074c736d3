"""Trino looks for what a view of Athena reads in a catalog that it calls otherwise.

Athena keeps its own name of Glue's catalog, `awsdatacatalog`, in every view, and Trino takes the
catalog of a view for one of its own: "Catalog 'awsdatacatalog' not found", as it said to one over
another catalog (Trino 476) and says where Athena itself is played by Trino (issue 10911 of
localstack/localstack).

It is told where `catalogs` says what Trino calls the view's own source, and what the view reads is
found there.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from discovery.checks.subject import Completed, Finding, Severity, example
from discovery.model import TRINO

CODE: Final = "ATHENA_CATALOG"
_OWN: Final = "awsdatacatalog"
_VIEW: Final = example("trino", TRINO, "SELECT id FROM t", schema="db", catalog=_OWN).view
EXAMPLE_BAD: Final = Completed(_VIEW, "trino", {TRINO: (("t",),)}, {TRINO: frozenset({"lake"})})
EXAMPLE_GOOD: Final = replace(EXAMPLE_BAD, catalogs={TRINO: frozenset({_OWN})})
_WHOLE: Final = 3
"""Parts of a name that says its catalog."""


def check(subject: Completed) -> Iterator[Finding]:
    """Names in Athena's catalog, by themselves or by the catalog of the view."""
    names = subject.catalogs.get(TRINO)
    if names is None or _OWN in map(str.lower, names):
        return
    for text in subject.view.representations if subject.format == TRINO else ():
        default = (text.default_catalog or "").lower()
        for name in subject.found.get(text.dialect, ()) if text.dialect == TRINO else ():
            if (name[0].lower() if len(name) >= _WHOLE else default) == _OWN:
                message = f"Trino has no catalog {_OWN}, in which {'.'.join(name)} is looked for"
                hint = f"call Trino's catalog {_OWN}, or make the view again with Trino"
                yield Finding(Severity.ERROR, message, hint, TRINO, text.dialect)
                break
