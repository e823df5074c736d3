"""Names as Gravitino 1.3 takes them: per provider of the catalog (its `Capability`)."""

from re import Pattern
from typing import Final

from discovery import namespaces
from discovery.errors import NotHeldError
from discovery.migration.providers import ANY_NAME, PROVIDERS
from discovery.model import Identifier, dotted
from discovery.namespaces import Encoding, Levels

_LONGEST: Final = 64
_LONGEST_SCHEMA: Final = 128  # of all levels, joined
_HINT: Final = "rename it by a rule of the mapping"


def check(place: Identifier, provider: str, separator: str, what: str = "view") -> None:
    """Refuse a name that the server would not take.

    Args:
        place: The name, and where it is.
        provider: Of the catalog.
        separator: The server's, of levels.
        what: What has the name.

    Raises:
        NotHeldError: It says which part of the name, and why.
    """
    check_schema(place.namespace, provider, separator)
    _check(what, place.name, provider, **{what: str(place)})


def check_schema(levels: Levels, provider: str, separator: str) -> None:
    """Refuse the name of a schema that the server would not take.

    Raises:
        NotHeldError: It says which level, and why.
    """
    where = {"schema": dotted(levels)}
    for level in levels:
        _check("schema", level, provider, **where)
        if separator in level:
            why = f"the schema's name contains {separator!r}, which a server takes for levels"
            raise NotHeldError(why, hint=_HINT, **where)
    if len(physical(levels)) > _LONGEST_SCHEMA:
        why = f"the levels of the schema have more than {_LONGEST_SCHEMA} characters"
        raise NotHeldError(why, **where)


def _check(what: str, name: str, provider: str, **where: str) -> None:
    if len(name) > _LONGEST:
        why = f"Gravitino takes names of {_LONGEST} characters at most"
    elif not _pattern(provider).fullmatch(name):
        why = f"Gravitino takes no {what} named {name!r} in a catalog of {provider}"
    else:
        return
    raise NotHeldError(why, hint=_HINT, **where)


def _pattern(name: str) -> Pattern[str]:
    provider = PROVIDERS.get(name)
    return provider.names if provider else ANY_NAME


def physical(levels: Levels) -> str:
    """The name of a schema in the store."""
    return namespaces.physical(levels, Encoding.RAW)


def levels_of(name: str) -> Levels:
    """The inverse of `physical`."""
    return namespaces.levels_of(name, Encoding.RAW)
