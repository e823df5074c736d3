"""A database of a Hive Metastore, by the field names of the Thrift IDL (struct Database)."""

from datetime import UTC, datetime

from discovery.formats import fields
from discovery.formats.hive_table import owner_kind
from discovery.model import Audit, OwnerKind, Schema
from discovery.outcomes import Decoded, RawObject


def decode(raw: RawObject) -> Decoded:
    """A database as a schema; its parameters are the properties.

    Raises:
        DecodeError: A field is missing or of another type; says which.
    """
    payload = raw.payload
    owner = fields.text(payload, "ownerName") or None
    kind = owner_kind(payload) if owner else OwnerKind.USER
    created = payload.get("createTime")  # since Hive 3
    time = (
        datetime.fromtimestamp(created, UTC) if isinstance(created, int) and created > 0 else None
    )
    schema = Schema(
        levels=(fields.required(payload, "name"),),
        comment=fields.text(payload, "description"),
        properties=tuple(sorted(fields.strings(payload, "parameters").items())),
        location=fields.text(payload, "locationUri") or None,
        owner=owner,
        owner_kind=kind,
        audit=Audit(creator=owner, create_time=time, creator_kind=kind),
    )
    return Decoded(schema)
