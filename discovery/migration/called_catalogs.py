"""Calls of functions whose catalog a target calls otherwise, or no longer completes.

Functions keep their names in a move (`discovery.migration.functions`), so a text that
spells the catalog of one, as `hive.s.f(a)` or Trino's `TABLE(pg.system.query(…))`, would look for
it in another catalog of that name, or in none.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from discovery.engines import engine
from discovery.migration.text_reader import Names
from discovery.model import HIVE, Representation, dotted
from discovery.ports import Name

_WITH_CATALOG: Final = 3
"""Parts of a name: catalog, schema, function."""


def astray_calls(
    text: Representation, catalogs: Mapping[str, str], names: Names, *, arrives: bool
) -> Iterator[str]:
    """A sentence for each function that a text calls and would look for elsewhere.

    Args:
        text: As it is.
        catalogs: Old catalog names to those at the target.
        names: What tells which functions a text calls.
        arrives: Whether its context is kept at the target.
    """
    facts, sql = engine(text.dialect), text.sql.casefold()
    renamed = {
        facts.catalog(old).casefold(): new for old, new in catalogs.items() if old and old != new
    }
    loses = not arrives and bool(text.default_catalog) and text.dialect.casefold() != HIVE
    spells = any(re.search(rf"{re.escape(old)}[\"`]?\s*\.", sql) for old in renamed)
    if "(" not in sql or not (loses or spells):
        return  # most texts need not be parsed
    read = names(text.sql, text.dialect)
    if read is None and spells:
        yield f"{text.dialect}: nobody can tell which functions it calls by a catalog"
    for name in read[1] if read is not None else ():
        is_whole = len(name) >= _WITH_CATALOG
        new = renamed.get(facts.catalog(name[0]).casefold()) if is_whole else None
        if new is not None:
            called = dotted(name)
            yield f"{text.dialect}: it calls {called}, and the catalog {name[0]} is {new} there"
        elif loses and has_own_schema(name, text.dialect):
            yield (
                f"{text.dialect}: it calls {dotted(name)}, and the target drops the context that"
                f" completes that with {text.default_catalog}"
            )


def has_own_schema(name: Name, dialect: str) -> bool:
    """Whether a function is named by its schema alone, and that is none of the engine's own."""
    owns = engine(dialect).provides.owns
    return len(name) == _WITH_CATALOG - 1 and not owns(None, name[:-1], name[-1])
