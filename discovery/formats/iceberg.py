"""Iceberg views, in a Hive Metastore (HiveCatalog, Iceberg 1.9 to 1.12) and in Iceberg catalogs.

Everything is read from the metadata: a metastore's entry keeps the text of the first version in
Iceberg 1.9 and 1.10, holds one dialect of many, and its columns are lower-cased and reduced to
Hive's types.
"""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Final

from discovery.errors import BelvedereError, DecodeError, FileUnreadableError
from discovery.formats import fields, hive_table, iceberg_kept, iceberg_metadata, spark
from discovery.formats.hive_table import VIRTUAL_VIEW, HiveTable
from discovery.formats.iceberg_metadata import ViewMetadata
from discovery.locations import safe_location
from discovery.model import Audit, Identifier, Schema, Security, SecurityMode, View
from discovery.outcomes import (
    COLUMNS_RENAMED,
    LOG_DISAGREES,
    OLDER_VERSIONS,
    OTHER_REPRESENTATION,
    Decoded,
    Note,
    RawObject,
)

COMMENT: Final = "comment"
_FIRST_VERSION: Final = 1  # of Iceberg, Trino and pyiceberg
_LATEST_MS: Final = 1 << 47  # in the year 6429; datetime ends in 9999


def matches(table: HiveTable) -> bool:
    """Marked as Iceberg's, and no table."""
    return is_view(table.parameters, table.type)


def is_view(parameters: Mapping[str, str], kind: str | None) -> bool:
    """`table_type` is `iceberg-view`, in any case, or Hive 4 was asked for Iceberg's format.

    Args:
        parameters: Of an entry of a metastore or of Glue.
        kind: Its table type; `view-format` is a property that a user may give to a table, too.
    """
    if parameters.get("table_type", "").lower() == "iceberg-view":
        return True
    stated = parameters.get("view-format", "").lower() == "iceberg"
    return stated and (kind or VIRTUAL_VIEW).upper() == VIRTUAL_VIEW


def decode(table: HiveTable) -> Decoded:
    """Read the metadata file that an entry of a metastore points to; audit data are the entry's.

    Raises:
        DecodeError: The file is no valid view metadata; names the field and the rule.
        FileUnreadableError: The file did not come with the entry.
    """
    location = table.parameters.get("metadata_location")
    content = _content(location, "parameters.metadata_location", table.files, table.unread)
    metadata = iceberg_metadata.read(content)
    expected = table.parameters.get("uuid")
    if expected is not None and expected.lower() != str(metadata.uuid):
        raise DecodeError(f"{metadata.uuid} is not the entry's {expected}", field="view-uuid")
    return _decoded(metadata, table.identifier, hive_table.audit(table))


def decode_view(raw: RawObject) -> Decoded:
    """A view of an Iceberg catalog: its metadata inline, as REST has it, or in the file named.

    Raises:
        DecodeError: A field is missing or wrong, or the metadata is invalid; names the field.
        FileUnreadableError: The file did not come with the object.
    """
    payload, key = raw.payload, "metadata"
    place = Identifier(_levels(payload), fields.required(payload, "name"))
    inline = payload.get(key)
    if inline is None:
        key = "metadata-location"
        content = _content(fields.text(payload, key), key, raw.files, raw.unread)
        metadata = iceberg_metadata.read(content)
    elif isinstance(inline, dict):
        metadata = iceberg_metadata.parsed(inline)
    else:
        raise DecodeError("must be an object", field=key)
    return Decoded(view_of(metadata, place), tuple(_notes(metadata)))


def past(raw: RawObject | None) -> ViewMetadata | None:
    """The metadata of the Iceberg view that a source has; None: it is none, or they are broken."""
    if raw is None:
        return None
    inline = raw.payload.get("metadata")
    try:
        if isinstance(inline, dict):
            return iceberg_metadata.parsed(inline)
        return next((iceberg_metadata.read(file) for file in raw.files.values()), None)
    except DecodeError:
        return None


def decode_namespace(raw: RawObject) -> Decoded:
    """A namespace of an Iceberg catalog; `exists` is how JDBC catalogs mark an empty one.

    Raises:
        DecodeError: A field is missing or of another type; says which.
    """
    properties = fields.strings(raw.payload, "properties")
    owner = properties.get("owner")
    consumed = (COMMENT, "exists", "location", "owner")
    schema = Schema(
        levels=_levels(raw.payload),
        comment=properties.get(COMMENT),
        properties=hive_table.properties(properties, consumed),
        location=properties.get("location"),
        owner=owner,
        audit=Audit(creator=owner),
    )
    return Decoded(schema)


def _levels(payload: Mapping[str, object]) -> tuple[str, ...]:
    levels = payload.get("namespace")
    if not isinstance(levels, list) or not levels:
        raise DecodeError("is required and must be a list of levels", field="namespace")
    if not all(isinstance(level, str) and level for level in levels):
        raise DecodeError("must be a list of strings that are not empty", field="namespace")
    return tuple(levels)


def _content(
    location: str | None,
    field: str,
    files: Mapping[str, bytes],
    unread: Mapping[str, BelvedereError],
) -> bytes:
    if not location:
        raise DecodeError("is missing", field=field)
    content = files.get(location)
    if content is None:
        why = unread.get(location) or FileUnreadableError("it did not come with the entry")
        place = safe_location(location)
        message = why.message if why.message.startswith(place) else f"{place}: {why.message}"
        raise type(why)(message, hint=why.hint, field=field) from why
    return content


def _decoded(metadata: ViewMetadata, identifier: Identifier, audit: Audit) -> Decoded:
    return Decoded(view_of(metadata, identifier, audit), tuple(_notes(metadata)))


def view_of(metadata: ViewMetadata, identifier: Identifier, audit: Audit | None = None) -> View:
    """The view of which these are the metadata.

    Args:
        metadata: As they were read.
        identifier: The metadata name no view.
        audit: What the catalog says; None: what the version log says.

    Raises:
        DecodeError: What we kept in the properties is no longer what we wrote; names the property.
    """
    owner = metadata.properties.get(iceberg_kept.RUN_AS_OWNER)
    view = View(
        identifier=identifier,
        columns=metadata.columns,
        representations=metadata.current.representations,
        comment=metadata.properties.get(COMMENT),
        security=Security(SecurityMode.DEFINER, owner) if owner else None,
        properties=hive_table.properties(metadata.properties, (COMMENT, *iceberg_kept.KEYS)),
        audit=_audit(metadata) if audit is None else audit,
    )
    return iceberg_kept.restored(view, metadata.properties)


def _notes(metadata: ViewMetadata) -> Iterator[Note]:
    current = metadata.current
    logged = metadata.log[-1].version_id if metadata.log else None
    if logged != current.id:
        message = f"the version log ends with {logged}, current-version-id is {current.id}"
        yield LOG_DISAGREES.note(f"{message}; the latter is followed")
    if older := [str(version.id) for version in metadata.versions if version.id != current.id]:
        by = f", which {current.engine} made" if current.engine else ""
        message = f"carried over is version {current.id}{by}; not {', '.join(older)}"
        yield OLDER_VERSIONS.note(message)
    for kind in current.others:
        yield OTHER_REPRESENTATION.note(f"a representation of the type {kind!r} is left out")
    returned = metadata.properties.get(spark.ICEBERG_OUTPUT)
    shown = ",".join(column.name for column in metadata.columns)
    if returned is not None and returned != shown:
        yield COLUMNS_RENAMED.note(f"the query returns {returned}; the view shows {shown}")


def _audit(metadata: ViewMetadata) -> Audit:
    """Times of the version log; one whose beginning has expired does not know the first."""
    log = metadata.log
    complete = bool(log) and log[0].version_id == _FIRST_VERSION
    created = _time(log[0].timestamp_ms) if complete else None
    changed = _time(log[-1].timestamp_ms) if len(log) > complete else None
    return Audit(create_time=created, last_modified_time=changed)


def _time(milliseconds: int) -> datetime | None:
    if not 0 < milliseconds < _LATEST_MS:
        return None
    second, rest = divmod(milliseconds, 1000)
    return datetime.fromtimestamp(second, UTC).replace(microsecond=rest * 1000)
