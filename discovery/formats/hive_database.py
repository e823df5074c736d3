"""A database of a Hive Metastore, by the field names of the Thrift IDL (struct Database)."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

from discovery.errors import NamespaceError
from discovery.formats import fields
from discovery.formats.hive_table import created_at, owner_kind
from discovery.migration.providers import without_identifier
from discovery.model import Audit, OwnerKind, Schema, dotted
from discovery.outcomes import Decoded, RawObject

_PRINCIPALS: Final = {OwnerKind.USER: 1, OwnerKind.ROLE: 2, OwnerKind.GROUP: 3}


def decode(raw: RawObject) -> Decoded:
    """A database as a schema; its parameters are the properties.

    Raises:
        DecodeError: A field is missing or of another type; says which.
    """
    return Decoded(schema_of(raw.payload))


def schema_of(payload: Mapping[str, Any]) -> Schema:
    """A database as a schema.

    Raises:
        DecodeError: A field is missing or of another type; says which.
    """
    owner = fields.text(payload, "ownerName") or None
    kind = owner_kind(payload) if owner else OwnerKind.USER
    created = created_at(payload)  # since Hive 3
    time = None if created is None else datetime.fromtimestamp(created, UTC)
    return Schema(
        levels=(fields.required(payload, "name"),),
        comment=fields.text(payload, "description"),
        properties=tuple(sorted(fields.strings(payload, "parameters").items())),
        location=fields.text(payload, "locationUri") or None,
        owner=owner,
        owner_kind=kind,
        audit=Audit(creator=owner, create_time=time, creator_kind=kind),
    )


def encode(schema: Schema) -> dict[str, object]:
    """A database by the field names of the Thrift IDL, in the folder that the server gives it.

    Raises:
        NamespaceError: A metastore has no such database.
    """
    (name, *below) = schema.levels or ("",)
    if below or not name or name != name.lower():
        why = "a Hive Metastore has databases of one level, with names in lower case"
        raise NamespaceError(why, namespace=dotted(schema.levels))
    database = {
        "name": name,
        "description": schema.comment,
        "parameters": dict(without_identifier(schema).properties),
        "ownerName": schema.owner,
        "ownerType": _PRINCIPALS[schema.owner_kind] if schema.owner else None,
    }
    return {key: value for key, value in database.items() if value is not None}
