"""The columns of an Iceberg table: the current schema of its metadata (table spec, v1 to v3).

Metadata of a table can be large, so a connector keeps of it the schema alone.
"""

from discovery.datatypes import iceberg
from discovery.errors import DecodeError
from discovery.model import Column
from discovery.outcomes import RawObject


def schema(metadata: object) -> object:
    """The current schema; in version 1 it may be the only one, under `schema`.

    Raises:
        DecodeError: There is none.
    """
    if not isinstance(metadata, dict):
        raise DecodeError("must be an object", field="metadata")
    wanted = metadata.get("current-schema-id")
    if wanted is None and "schema" in metadata:
        return metadata["schema"]
    schemas = metadata.get("schemas")
    for candidate in schemas if isinstance(schemas, list) else ():
        if isinstance(candidate, dict) and candidate.get("schema-id") == wanted:
            return candidate
    raise DecodeError(f"{wanted!r} names none of the schemas", field="current-schema-id")


def columns(raw: RawObject) -> tuple[Column, ...]:
    """The columns of the schema that was kept.

    Raises:
        InvalidTypeError: It is no struct with valid fields; the message says where.
    """
    return iceberg.columns(raw.payload.get("schema"))
