"""Views of PostgreSQL, as the connector reads them from the server (13 to 18).

The text is `pg_get_viewdef` with an empty search path: every name in it is qualified. The default
catalog is the database, the only one that a view can read, the default schema the view's own.
"""

from typing import Final

from discovery.datatypes import postgresql
from discovery.formats import database, fields
from discovery.model import POSTGRESQL, Security, SecurityMode
from discovery.outcomes import Decoded, RawObject

_ON: Final = frozenset({"1", "on", "t", "tr", "tru", "true", "y", "ye", "yes"})
"""How an option says yes: as it was written, to the letters that suffice (`parse_bool`)."""


def decode_view(raw: RawObject) -> Decoded:
    """A view; `security_invoker` is the only security that PostgreSQL states (15 and later).

    The view's options, `check_option` and `security_barrier` among them, are its properties, and
    `is_updatable`, as `information_schema.views` would say it.

    Raises:
        DecodeError: A field is missing or of another type; says which.
    """
    options = dict(fields.strings(raw.payload, "options"))
    invoker = options.pop("security_invoker", "false").lower() in _ON
    if raw.payload.get("is_updatable") is not None:
        options["is_updatable"] = "YES" if raw.payload["is_updatable"] else "NO"
    stated = database.DatabaseFacts(
        catalog=fields.text(raw.payload, "database"),
        security=Security(SecurityMode.INVOKER) if invoker else None,
        properties=options,
    )
    return database.decode_view(raw, POSTGRESQL, postgresql.parse, stated)
