"""What a Gravitino server shows us of a catalog, and whether that is all.

With authorization it lists what a user owns or may select (views from 1.3.1 on). Who owns the
metalake or the catalog sees all. Asked of servers of 1.3.0, 1.3.1 and 2.0 on 2026-11-23.
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from connectors.clients.rest import NoSuchResourceError
from connectors.gravitino.rest.options import Options
from connectors.gravitino.rest.server import NOBODY, ForbiddenError, GravitinoServer
from discovery.errors import BelvedereError, NotHeldError
from discovery.model import Identifier
from discovery.namespaces import Levels

_MANY: Final = 8
"""So many places of a schema are worth a request for its list, however long that is."""


def find_why_hidden(server: GravitinoServer, options: Options) -> str:
    """Why the server may have views that it does not show; empty: it shows all. Does I/O.

    Raises:
        BelvedereError: It does not answer.
    """
    if is_told_of_all(server, options) or _is_owner(server, options):
        return ""
    user = options.writer or "the user"
    return (
        f"the server has authorization, and {user} owns neither its metalake nor its catalog: what "
        "it does not list may be there all the same; `trust_absent: true` takes it for absent"
    )


def find_unlisted(
    server: GravitinoServer, options: Options, places: Sequence[Identifier]
) -> frozenset[Identifier]:
    """Places that the server does not list, of schemas of which many are asked for. Does I/O.

    A view that the user may not see is not listed, either. Where there is no list, nothing is said.
    """
    wanted: dict[Levels, set[Identifier]] = defaultdict(set)
    for place in places:
        wanted[place.namespace].add(place)
    identifiers: set[Identifier] = set()
    for levels, asked in wanted.items():
        if len(asked) < _MANY:
            continue
        try:
            names = set(server.names(options.schema(levels, "views")))
        except BelvedereError:
            continue
        identifiers.update(place for place in asked if place.name not in names)
    return frozenset(identifiers)


def is_told_of_all(server: GravitinoServer, options: Options) -> bool:
    """Whether it tells us that a role is not there, or has no authorization, and so no roles."""
    try:
        server.get("metalakes", options.metalake, "roles", NOBODY)
    except ForbiddenError:
        return False
    except (NoSuchResourceError, NotHeldError):
        pass
    return True


def _is_owner(server: GravitinoServer, options: Options) -> bool:
    try:
        answer = server.get("metalakes", options.metalake, "owners", "catalog", options.catalog)
    except (NoSuchResourceError, ForbiddenError):
        return False
    owner = answer.get("owner")
    name = owner.get("name") if isinstance(owner, dict) else None
    return name is not None and name == options.writer
