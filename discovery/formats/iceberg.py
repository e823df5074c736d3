"""Iceberg views in a Hive Metastore (HiveCatalog, Iceberg 1.9 to 1.12): pointers to metadata files.

Everything is read from the file: the entry's own text stays that of the first version in Iceberg
1.9 and 1.10, holds one dialect of many, and its columns are lower-cased and reduced to Hive's
types.
"""

from typing import Final

from discovery.errors import DecodeError, FileUnreadableError
from discovery.formats import hive_table, iceberg_metadata
from discovery.formats.hive_table import HiveTable
from discovery.model import Column, Security, SecurityMode, View
from discovery.outcomes import LOG_DISAGREES, Decoded, Note

_RUN_AS_OWNER: Final = "trino.run-as-owner"


def matches(table: HiveTable) -> bool:
    """`table_type` is `iceberg-view`, in any case."""
    return table.parameters.get("table_type", "").lower() == "iceberg-view"


def decode(table: HiveTable) -> Decoded:
    """Read the metadata file that the entry points to.

    Raises:
        DecodeError: The file is no valid view metadata; names the field and the rule.
        FileUnreadableError: The file did not come with the entry.
    """
    location = table.parameters.get("metadata_location")
    if location is None:
        raise DecodeError("is missing", field="parameters.metadata_location")
    content = table.files.get(location)
    if content is None:
        why = table.unread.get(location, "it did not come with the entry")
        raise FileUnreadableError(f"{location}: {why}", field="parameters.metadata_location")
    metadata = iceberg_metadata.read(content)
    expected = table.parameters.get("uuid")
    if expected is not None and expected.lower() != str(metadata.uuid):
        raise DecodeError(f"{metadata.uuid} is not the entry's {expected}", field="view-uuid")
    owner = metadata.properties.get(_RUN_AS_OWNER)
    view = View(
        identifier=table.identifier,
        columns=tuple(
            Column(one.name, one.type, one.comment, one.nullable) for one in metadata.columns
        ),
        representations=metadata.current.representations,
        comment=metadata.properties.get("comment"),
        security=Security(SecurityMode.DEFINER, owner) if owner else None,
        properties=hive_table.properties(metadata.properties, ("comment", _RUN_AS_OWNER)),
        audit=hive_table.audit(table),
    )
    return Decoded(view, _notes(metadata))


def _notes(metadata: iceberg_metadata.ViewMetadata) -> tuple[Note, ...]:
    logged = metadata.last_logged_version
    if logged == metadata.current.id:
        return ()
    message = f"the version log ends with {logged}, current-version-id is {metadata.current.id}"
    return (Note(LOG_DISAGREES.code, f"{message}; the latter is followed"),)
