"""Store `iceberg-hive`: Iceberg views in a Hive Metastore, as Iceberg's HiveCatalog keeps them.

A metadata file, then the entry that names it. An entry is replaced only if it still names the file
that was read; a server that can (HIVE-26882) compares that in the transaction that writes, which is
what HiveCatalog does with `iceberg.engine.hive.lock-enabled=false`. With a lock of a table it does
not work together: an older server, or a client that locks, may write between a look and a write.
"""

import json
import time
from collections.abc import Mapping
from typing import Any, Final
from uuid import UUID, uuid4

from connectors.clients import lines
from connectors.clients.metastore_files import MetadataFileOptions, MetadataFiles
from connectors.clients.table_types import KINDS
from connectors.hms_stores.entries import Occupied
from connectors.hms_stores.native import MetastoreStore
from discovery.crawl import normalize
from discovery.errors import (
    BelvedereError,
    CollisionError,
    FileUnreadableError,
    NamespaceError,
    StoreError,
)
from discovery.formats import iceberg, iceberg_entries, iceberg_metadata, iceberg_writing
from discovery.formats.iceberg_entries import LOCATION
from discovery.formats.iceberg_files import metadata_file, step
from discovery.formats.metastore_writing import check_place
from discovery.lineage import scopes
from discovery.locations import safe_location
from discovery.migration import shared_context
from discovery.migration.namespaces import Part
from discovery.migration.providers import without_identifier
from discovery.model import Identifier, View
from discovery.outcomes import Failure, Kind, Listed
from discovery.ports import Action, Change, Held

_NOBODY: Final = UUID(int=0)
_SOMEWHERE: Final = "s3://nowhere/00000-0.metadata.json"
_SECONDS: Final = "transient_lastDdlTime"
_OF_THE_SERVER: Final = ("createTime", "owner", "ownerType", "lastAccessTime", "retention")
_MEANT: Final = "if it is meant, add its folder to the target's `locations`"


Options = MetadataFileOptions


class HiveCatalogStore(MetastoreStore):
    """An Iceberg catalog in a Hive Metastore as a store of views."""

    mark = LOCATION
    keeps_history = True

    def __init__(self, options: Options) -> None:
        super().__init__(options)
        self.functions = None  # Iceberg has none
        self._takes_over = True  # its views are the catalog's, whoever has made them
        self.amends = frozenset({Part.PROPERTIES})
        self._files = MetadataFiles(options, self._client)

    def hold(self, view: View) -> Held:
        """As the entry and its metadata file read back.

        Raises:
            NotHeldError: They cannot hold it.
        """
        check_place(view)
        shared_context.check(view, scopes.names)
        held = iceberg_writing.hold(view)
        document = iceberg_writing.created(held.view, _NOBODY, "s3://nowhere", 1)
        payload = iceberg_entries.entry(held.view, document, _SOMEWHERE)
        read = _occupied(view.identifier, payload, json.dumps(document).encode())
        return Held(read.view or held.view, held.losses)

    def new_entry(self, change: Change) -> dict[str, Any]:
        """The entry of a new view, with its metadata file written."""
        view = change.view
        (database,) = view.identifier.namespace
        entry = self._client.database(database)
        if entry is None:
            why = f"there is no database {database}"
            raise NamespaceError(why, hint="Prepare the target first.", view=str(view.identifier))
        folder = f"{str(entry.get('locationUri')).rstrip('/')}/{step(view.identifier.name)}"
        past = iceberg.past(change.raw)
        document = iceberg_writing.created(view, uuid4(), folder, _now(), past)
        uri = self._write_metadata(
            database, metadata_file(folder, document["properties"]), document
        )
        return iceberg_entries.entry(view, document, uri)

    def successor(
        self, change: Change, occupant: Occupied
    ) -> tuple[dict[str, Any], tuple[str, str]]:
        """The entry with a new metadata file, or under another name with the same file."""
        if change.action is Action.RENAME:  # a server that compares a parameter wants a new value
            seconds = occupant.parameters.get(_SECONDS, "0")
            parameters = {**occupant.parameters, _SECONDS: str(int(seconds) + 1)}
            renamed = {**occupant.payload, "tableName": change.new_name, "parameters": parameters}
            return renamed, (_SECONDS, seconds)
        before = occupant.parameters[LOCATION]
        (database,) = change.view.identifier.namespace
        base = iceberg_metadata.read(self._read_content(database, before))
        document = iceberg_writing.replaced(base, change.view, _now())
        name = metadata_file(base.location, document["properties"], before)
        uri = self._write_metadata(database, name, document)
        payload = iceberg_entries.entry(change.view, document, uri, before)
        kept = {key: occupant.payload[key] for key in _OF_THE_SERVER if key in occupant.payload}
        return {**payload, **kept}, (LOCATION, before)

    def give_up(self, payload: Mapping[str, Any]) -> None:
        """Remove the metadata file that no entry has come to name."""
        self._files.remove(payload["parameters"][LOCATION])

    def remains(self, change: Change, occupant: Occupied | None) -> tuple[str, ...]:
        """The metadata file that no entry names any more."""
        if occupant is None or change.action is Action.RENAME:
            return ()
        return tuple(filter(None, [occupant.parameters.get(LOCATION)]))

    def read_occupied(
        self, payloads: Mapping[Identifier, Mapping[str, Any]]
    ) -> dict[Identifier, Occupied]:
        """Entries with their metadata files, which are read side by side."""
        uris = {place: _location(payload) for place, payload in payloads.items()}
        contents = self._files.read(
            {uri: place.namespace[0] for place, uri in uris.items() if uri is not None}
        )
        return {
            place: _occupied(place, payload, contents.get(uris[place] or ""))
            for place, payload in payloads.items()
        }

    def _read_content(self, database: str, uri: str) -> bytes:
        """A metadata file that is there.

        Raises:
            BelvedereError: It cannot be read.
        """
        content = self._files.read({uri: database})[uri]
        if isinstance(content, BelvedereError):
            raise content
        return content

    def _write_metadata(self, database: str, uri: str, document: Mapping[str, Any]) -> str:
        """Write a metadata file; where it is.

        Raises:
            StoreError: It may not lie there, or could not be written.
        """
        if not self._files.admit(uri, database):
            why = (
                f"its metadata file {safe_location(uri)} would not lie below the target's locations"
            )
            raise StoreError(why, hint=_MEANT)
        self._files.write(uri, json.dumps(document, ensure_ascii=False).encode())
        return uri


def _now() -> int:
    return round(time.time() * 1000)


def _location(payload: Mapping[str, Any]) -> str | None:
    """Where the metadata of an Iceberg view lie; None of every other entry."""
    parameters = payload.get("parameters") or {}
    return (
        parameters.get(LOCATION) if iceberg.is_view(parameters, payload.get("tableType")) else None
    )


def _occupied(
    place: Identifier, payload: Mapping[str, Any], content: bytes | BelvedereError | None
) -> Occupied:
    """An entry as an Iceberg view, or as what it is."""
    uri, listed = _location(payload), Listed(place.namespace, place.name)
    if uri is None:
        kind = KINDS.get(payload.get("tableType") or "", Kind.UNDECIDED)
        holder = "a view that is none of Iceberg's" if kind is Kind.VIEW else kind.value
        hint = "Rename one of them, or map the view to another name."
        why = CollisionError(f"{holder} has this name", hint=hint, view=str(place))
        return Occupied(payload, None, why)
    result = normalize(lines.with_view_metadata(listed, "hive_table", payload, uri, content)).result
    if isinstance(result, View):
        return Occupied(payload, without_identifier(result))
    message = result.message if isinstance(result, Failure) else "it is no view"
    return Occupied(payload, None, FileUnreadableError(message, view=str(place)))
