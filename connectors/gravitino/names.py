"""Names as Gravitino 1.3 takes them: per provider of the catalog (its `Capability`)."""

import re
from collections.abc import Mapping
from re import Pattern
from typing import Final

from discovery import namespaces
from discovery.errors import NotHeldError
from discovery.model import Identifier
from discovery.namespaces import Encoding, Levels

DEFAULT: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_/=-]{0,63}")
_LETTERS: Final = r"(?:[A-Za-z0-9_$/=-]|[^\W\d_])"
_PROVIDERS: Final[Mapping[str, Pattern[str]]] = {
    "jdbc-mysql": re.compile(_LETTERS + "{1,64}"),
    "jdbc-postgresql": re.compile(r"(?:[A-Za-z_/]|[^\W\d_])" + _LETTERS + "{0,62}"),
}
_LONGEST: Final = 64
_LONGEST_SCHEMA: Final = 128  # of all levels, joined


def check(place: Identifier, provider: str, separator: str) -> None:
    """Refuse a name that the server would not take.

    Raises:
        NotHeldError: It says which part of the name, and why.
    """
    pattern = _PROVIDERS.get(provider, DEFAULT)
    for what, name in (*(("schema", one) for one in place.namespace), ("view", place.name)):
        if len(name) > _LONGEST:
            why = f"Gravitino takes names of {_LONGEST} characters at most"
        elif not pattern.fullmatch(name):
            why = f"Gravitino takes no {what} named {name!r} in a catalog of {provider}"
        elif what == "schema" and separator in name:
            why = f"the schema's name contains {separator!r}, which a server takes for levels"
        else:
            continue
        raise NotHeldError(why, hint="rename it by a rule of the mapping", view=str(place))
    if len(physical(place.namespace)) > _LONGEST_SCHEMA:
        why = f"the levels of the schema have more than {_LONGEST_SCHEMA} characters"
        raise NotHeldError(why, view=str(place))


def physical(levels: Levels) -> str:
    """The name of a schema in the store."""
    return namespaces.physical(levels, Encoding.RAW)


def levels_of(name: str) -> Levels:
    """The inverse of `physical`."""
    return namespaces.levels_of(name, Encoding.RAW)
