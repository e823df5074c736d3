"""Views and schemas of PostgreSQL, as the connector reads them from the server.

The text is `pg_get_viewdef` with an empty search path: every name in it is qualified. The default
catalog is the database, the only one that a view can read, the default schema the view's own.
"""

from discovery.datatypes import postgresql
from discovery.formats import fields
from discovery.model import (
    POSTGRESQL,
    Audit,
    Identifier,
    Representation,
    Schema,
    Security,
    SecurityMode,
    View,
)
from discovery.outcomes import Decoded, RawObject


def decode_view(raw: RawObject) -> Decoded:
    """A view; `security_invoker` is the only security that PostgreSQL states (15 and later).

    Raises:
        DecodeError: A field is missing or of another type; says which.
    """
    payload = raw.payload
    schema = fields.required(payload, "schema")
    owner = fields.text(payload, "owner")
    options = dict(sorted(fields.strings(payload, "options").items()))
    invoker = options.pop("security_invoker", None)
    security = Security(SecurityMode.INVOKER) if invoker in {"true", "on", "1"} else None
    view = View(
        identifier=Identifier((schema,), fields.required(payload, "name")),
        columns=tuple(fields.columns(payload, "columns", "", postgresql.parse)),
        representations=(
            Representation(
                dialect=POSTGRESQL,
                sql=fields.required(payload, "definition"),
                default_catalog=fields.text(payload, "database"),
                default_schema=schema,
            ),
        ),
        comment=fields.text(payload, "comment"),
        security=security,
        properties=tuple(options.items()),
        audit=Audit(creator=owner),
    )
    return Decoded(view)


def decode_schema(raw: RawObject) -> Decoded:
    """A schema.

    Raises:
        DecodeError: A field is missing or of another type; says which.
    """
    owner = fields.text(raw.payload, "owner")
    schema = Schema(
        levels=(fields.required(raw.payload, "name"),),
        comment=fields.text(raw.payload, "comment"),
        owner=owner,
        audit=Audit(creator=owner),
    )
    return Decoded(schema)
