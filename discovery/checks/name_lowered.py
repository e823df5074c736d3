"""Trino does not find a view of a database whose name, or whose schema's, has upper case.

Its connectors ask the database for names in lower case, and PostgreSQL, and MySQL on Linux, have
none of those (Trino 476 on PostgreSQL 18.6 and MariaDB 10.11: "Table does not exist"), unless they
say `case-insensitive-name-matching=true`. If yours do, say `engines: {trino: {any_case: true}}`.
Names of columns are found in any case.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from discovery.checks.subject import Finding, Severity, Subject, example
from discovery.engines import engine
from discovery.model import POSTGRESQL, TRINO

CODE: Final = "NAME_LOWERED"
ANY_CASE: Final = "any_case"
"""The setting of Trino: whether its catalogs of databases find names in any case."""
EXAMPLE_BAD: Final = replace(
    example(POSTGRESQL, POSTGRESQL, "SELECT id FROM db.t", "db.t", name="Totals"),
    reached_by={TRINO: {}},
)
EXAMPLE_GOOD: Final = replace(EXAMPLE_BAD, reached_by={TRINO: {ANY_CASE: "true"}})


def engines_of_any_case(settings: Mapping[str, Mapping[str, str]]) -> frozenset[str]:
    """The engines whose catalogs are said to find names in any case.

    Args:
        settings: Engine to its settings.
    """
    return frozenset(name for name, stated in settings.items() if stated.get(ANY_CASE) == "true")


def check(subject: Subject) -> Iterator[Finding]:
    """The names in lower case, where Trino has the database as a catalog."""
    settings = subject.reached_by.get(TRINO)
    if settings is None or settings.get(ANY_CASE) == "true":
        return
    if not engine(subject.format).left_out_by_trino:  # nobody has asked its connector
        return
    identifier = subject.view.identifier
    for name in (*identifier.namespace, identifier.name):
        if name != name.lower():
            yield Finding(
                Severity.ERROR,
                f"Trino looks for {name} as {name.lower()}",
                "rename it in lower case, or have Trino's catalog match names in any case "
                "(`case-insensitive-name-matching`) and say `any_case: true` of it",
                TRINO,
            )
            return
