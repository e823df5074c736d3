"""The default catalog of an Iceberg view is none that its engine has.

A version has one `default-catalog` for the texts of all engines. Spark and Trino take it as their
own name of a catalog, so where the one calls the catalog `iceberg` and the other `prod`, only one
of them finds what a name of one or two parts means: Trino 476 says "Catalog 'lake' not found", and
"catalogName is not lowercase" of one with upper case even where it has that in lower case; Spark
4.1.4 with Iceberg 1.12.0 takes the name for a namespace, which cannot be found. So it is with its
names of more parts that begin with no catalog, as `eu.west.t`, which is a table of the nested
namespace `eu.west`; others of three parts are not touched. Both were asked over a catalog by REST
on 2026-11-28.

It is told where `catalogs` says what the engine calls the view's own source, and what such a name
means is found there. Else the catalog may be one that the engine has besides.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from discovery.checks.subject import Completed, Finding, Severity, example
from discovery.engines import Engine, engine
from discovery.model import TRINO
from discovery.ports import Name

CODE: Final = "ICEBERG_OTHER_CATALOG"
_VIEW: Final = example("iceberg", TRINO, "SELECT id FROM t", schema="db", catalog="lake").view
EXAMPLE_BAD: Final = Completed(_VIEW, "iceberg", {TRINO: (("t",),)}, {TRINO: frozenset({"prod"})})
EXAMPLE_GOOD: Final = replace(EXAMPLE_BAD, catalogs={TRINO: frozenset({"prod", "lake"})})
_WHOLE: Final = 3
"""Parts of a name that says its catalog."""


def check(subject: Completed) -> Iterator[Finding]:
    """Names of less than three parts under a `default-catalog` that the text's engine has not."""
    for text in subject.view.representations if subject.format == "iceberg" else ():
        facts, default = engine(text.dialect), text.default_catalog
        names = subject.catalogs.get(facts.name)
        if default is None or names is None or not facts.unread_of_iceberg:
            continue
        known = set(map(facts.catalog, names))
        if default in known or facts.catalog(default) == facts.session_catalog:
            continue
        leading = subject.found.get(text.dialect, ())
        short = [name for name in leading if _takes_default(name, default, facts, known)]
        if short:
            sought = ", ".join(map(".".join, short))
            message = f"{facts.title} has no catalog {default}, in which {sought} is looked for"
            own_name = f"{facts.title}'s name of the catalog"
            hint = f"set default-catalog to {own_name}, or use names that say the catalog"
            yield Finding(Severity.ERROR, message, hint, facts.name, text.dialect)


def _takes_default(name: Name, default: str, facts: Engine, known: set[str]) -> bool:
    """Whether the default catalog completes a name; Spark takes a first part for one it has."""
    if facts.catalog_leads or len(name) == 1:
        return len(name) < _WHOLE
    says_default = len(name) >= _WHOLE and facts.catalog(name[0]) == facts.catalog(default)
    return facts.catalog(name[0]) not in known and not says_default
