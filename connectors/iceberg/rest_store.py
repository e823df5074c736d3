"""Store `iceberg-rest`: views in an Iceberg REST catalog, which writes the metadata itself.

The protocol pins a commit to the view's UUID, not to its version.
"""

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple
from uuid import uuid4

from connectors.clients.credentials import Secret
from connectors.clients.files import FileAccess
from connectors.clients.single_writes import SingleWrites
from connectors.iceberg import schemas as spaces
from connectors.iceberg.paths import no_place
from connectors.iceberg.rest import Options as SourceOptions
from connectors.iceberg.rest import RestCatalog
from connectors.iceberg.server import (
    Body,
    CatalogLogin,
    Client,
    FailedError,
    TakenError,
    VanishedError,
)
from discovery.errors import (
    BelvedereError,
    CollisionError,
    ConfigurationError,
    DecodeError,
    ListingError,
    MovedError,
    NamespaceError,
    NotHeldError,
    ReadError,
    StoreError,
    UnreachableError,
)
from discovery.formats import iceberg, iceberg_metadata, iceberg_writing
from discovery.formats.iceberg_files import location, metadata_file
from discovery.formats.iceberg_metadata import ViewMetadata
from discovery.lineage import scopes
from discovery.locations import Bounds, safe_location
from discovery.migration import shared_context
from discovery.migration.changes import fingerprint, moved_error, touched
from discovery.migration.namespaces import NamespaceEdit
from discovery.migration.providers import without_identifier
from discovery.model import Identifier, Schema, View, dotted
from discovery.namespaces import Levels
from discovery.outcomes import Failure, Listed
from discovery.ports import Action, Change, Held, Probe

_LAST_ADDED: Final = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class Options(CatalogLogin):
    """How to reach and fill an Iceberg REST catalog.

    Attributes:
        connections: How many at a time, over all executors.
        registered_in: A folder that the server reads, too, as a URI such as `s3://lake/new`: new
            views of Iceberg sources keep their history. Their metadata files are written there, and
            registered with the server. Left out, they begin with one version.
        io: Properties of pyiceberg's FileIO, for these files.
    """

    connections: int = 4
    registered_in: str | None = None
    io: Mapping[str, str | Secret] = field(default_factory=dict)

    def __post_init__(self) -> None:
        CatalogLogin.__post_init__(self)
        if self.registered_in is not None and ":/" not in self.registered_in:
            hint = "write s3://bucket/folder, hdfs://host/folder or file:///folder"
            raise ConfigurationError(f"the folder {self.registered_in!r} is no URI", hint=hint)
        self.bounds()

    def bounds(self) -> Bounds:
        """Where metadata files may lie.

        Raises:
            ConfigurationError: The folder is no place for them.
        """
        return Bounds.of(filter(None, (self.registered_in,)))


class _ServerView(NamedTuple):
    """A view that the server has."""

    metadata: ViewMetadata
    view: View


class RestStore(SingleWrites[_ServerView]):
    """An Iceberg REST catalog as a store of views."""

    unknown = (FailedError, UnreachableError)

    def __init__(self, options: Options) -> None:
        self.connections = options.connections
        self.keeps_history = options.registered_in is not None
        self._options = options
        self._files, self._bounds = FileAccess(options.io), options.bounds()
        self._source = RestCatalog(
            SourceOptions(
                uri=options.uri,
                warehouse=options.warehouse,
                properties=options.properties,
                timeout=options.timeout,
            )
        )
        self._source.impatient()
        self._server = self._source.server

    def __reduce__(self) -> tuple[Any, ...]:
        """It travels as its options: a connection cannot."""
        return type(self), (self._options,)

    def close(self) -> None:
        """Close the connections."""
        self._source.close()

    def probe(self) -> Probe:
        """Ask for the server's configuration and its namespaces."""
        probe = self._source.probe()
        if not self.keeps_history or self._server.ask(Client.registers_views):
            return probe
        why = "the server has no register-view: new views begin with one version"
        return replace(probe, problems=(*probe.problems, f"{why}; leave `registered_in` out"))

    def listing(self) -> Iterator[Listed]:
        """Namespaces from the top down, each with what it holds and then those below."""
        for item in self._source.listing():
            if isinstance(item, Failure):
                raise ListingError(f"{item.listed.identifier}: {item.message}", hint=item.hint)
            yield item

    def hold(self, view: View) -> Held:
        """As Iceberg's metadata give it back.

        Raises:
            NotHeldError: They cannot hold it, or the protocol's paths do not lead to it.
        """
        place = view.identifier
        if (why := no_place(place.namespace, place.name)) is not None:
            hint = "map it to another name"
            raise NotHeldError(why, hint=hint, view=str(place))
        shared_context.check(view, scopes.names)
        return iceberg_writing.hold_elsewhere(view)

    def lacking(self, namespaces: Sequence[tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
        """Those that the server does not know; one request each."""
        return tuple(levels for levels in namespaces if not self._has(levels))

    def _has(self, levels: Levels) -> bool:
        return self._read_properties(levels) is not None

    def _read_properties(self, levels: Levels) -> Mapping[str, str] | None:
        try:
            properties = self._server.ask(lambda client: client.load_namespace_properties(levels))
        except VanishedError:
            return None
        return dict(properties)

    def prepare(self, schemas: Sequence[Schema]) -> tuple[tuple[str, ...], ...]:
        """Make the namespaces that are missing, with those above; none, if one is refused."""
        return super().prepare(spaces.with_parents(schemas))

    def make(self, schema: Schema, made: list[Levels]) -> None:
        """Make a namespace, if it is missing, and note that it was."""
        if not schema.levels or not all(schema.levels):
            why = "a namespace has levels, and none is empty"
            raise NamespaceError(why, namespace=repr(schema.levels))
        if self._has(schema.levels):
            return
        properties = spaces.properties(schema)
        try:
            self.make_once(
                schema.levels,
                made,
                lambda: self._server.ask(lambda client: client.make(schema.levels, properties)),
            )
        except TakenError:  # another one was faster
            return
        except ReadError as error:
            raise StoreError(error.message, namespace=dotted(schema.levels)) from error

    def hold_namespace(self, schema: Schema) -> Schema:
        """As a namespace with properties gives it back."""
        return spaces.hold_schema(schema)

    def namespaces(self, wanted: Sequence[tuple[str, ...]]) -> Iterator[Schema]:
        """Those that the server knows; one request each."""
        for levels in wanted:
            if (stated := self._read_properties(levels)) is not None:
                yield spaces.schema_of(levels, stated)

    def amend(self, edit: NamespaceEdit) -> bool:
        """Look, and change the properties in one request."""
        stated = self._read_properties(edit.levels)
        if not edit.is_to_do(None if stated is None else spaces.schema_of(edit.levels, stated)):
            return False
        removed, sets = spaces.property_changes(edit)
        place = dotted(edit.levels)
        try:
            self._server.ask(
                lambda client: client.update_namespace_properties(edit.levels, removed, sets)
            )
        except VanishedError as error:
            raise MovedError("the namespace is gone", namespace=place) from error
        except ReadError as error:
            raise StoreError(error.message, namespace=place) from error
        return True

    def remove(self, namespaces: Sequence[tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
        """Remove the namespaces that hold nothing, innermost first; those that stay."""
        innermost_first = sorted(namespaces, key=len, reverse=True)
        return tuple(levels for levels in innermost_first if not self._remove_if_empty(levels))

    def _remove_if_empty(self, levels: Levels) -> bool:
        try:
            if self._source.holds_anything(levels):
                return False
            self._server.ask(lambda client: client.drop_namespace(levels))
        except VanishedError:  # it, or what a catalog without nesting says of what is below it
            return not self._has(levels)
        except TakenError:
            return False
        return True

    def write(self, change: Change, stored: _ServerView | None) -> None:
        """Send a change; one that is dropped already is as it shall be.

        Raises:
            BelvedereError: The server refused it, failed, or did not answer.
        """
        place = change.view.identifier
        try:
            self._send(change, stored)
        except VanishedError as error:
            if stored is None:
                hint = "Prepare the target first."
                raise NamespaceError(error.message, hint=hint, view=str(place)) from error
            if change.action is not Action.DROP:
                raise moved_error(place, None) from error
        except TakenError as error:
            if stored is not None and change.action is not Action.RENAME:
                raise moved_error(place, stored.view) from error
            hint = "Rename one of them, or map the view to another name."
            raise CollisionError(error.message, hint=hint, view=str(place)) from error

    def _send(self, change: Change, stored: _ServerView | None) -> None:
        if change.action is Action.DROP:
            self._server.ask(lambda client: client.drop(change.view.identifier))
        elif change.action is Action.RENAME:
            self._server.ask(lambda client: client.rename(*touched(change)))
        elif stored is None:
            past = iceberg.past(change.raw) if self.keeps_history else None
            if past is not None and self._server.ask(Client.registers_views):
                self._register(change.view, past)
            else:
                self._create(change.view)
        else:
            self._replace(change.view, stored.metadata)

    def _create(self, view: View) -> None:
        added = iceberg_writing.first(view, _now())
        body = {
            "name": view.identifier.name,
            "schema": added.schema,
            "view-version": added.version,
            "properties": added.properties,
        }
        self._server.ask(lambda client: client.create(view.identifier, body))

    def _register(self, view: View, past: ViewMetadata) -> None:
        """Write the metadata with what was before, and have the server take them as they are."""
        folder = location(str(self._options.registered_in), view.identifier)
        document = iceberg_writing.created(view, uuid4(), folder, _now(), past)
        uri = metadata_file(folder, document["properties"])
        if not self._files.lies_below(uri, self._bounds):
            why = (
                f"its metadata file {safe_location(uri)} would not lie below "
                "the folder of `registered_in`"
            )
            raise StoreError(why, view=str(view.identifier))
        refusals = self._files.write_all({uri: json.dumps(document, ensure_ascii=False).encode()})
        try:
            if (refusal := refusals[uri]) is not None:
                raise refusal
            self._server.ask(lambda client: client.register(view.identifier, uri))
        except self.unknown:  # the server may have taken it
            raise
        except BelvedereError as error:
            if isinstance(error, TakenError) and self._is_registered(view, document):
                return  # on its way it was sent twice, and this is the second answer
            self._files.remove_all([uri])
            raise

    def _is_registered(self, view: View, document: Mapping[str, Any]) -> bool:
        """Whether the view that is there is ours."""
        stored = self.read_at(view.identifier)
        return stored is not None and str(stored.metadata.uuid) == document["view-uuid"]

    def _replace(self, view: View, base: ViewMetadata) -> None:
        """Commit the new version; Iceberg lets a dialect go only by a property of the view."""
        added = iceberg_writing.following(base, view, _now())
        updates = list(_updates(base, added))
        dialects = {text.dialect.casefold() for text in base.current.representations}
        loses = dialects - view.by_dialect.keys()
        allows = loses and added.properties.get(iceberg_writing.MAY_LOSE, "").lower() != "true"
        if allows:
            updates.append(
                {"action": "set-properties", "updates": {iceberg_writing.MAY_LOSE: "true"}}
            )
        self._commit(view, base, updates)
        if allows:
            stated = added.properties.get(iceberg_writing.MAY_LOSE)
            self._commit(view, base, [_property(iceberg_writing.MAY_LOSE, stated)])

    def is_half_done(self, change: Change, stored: _ServerView) -> bool:
        """Whether a view is as it shall be, or was, but for the leave to lose dialects."""
        is_replaced = change.action in {Action.REPLACE, Action.ADD_DIALECT}
        prints = {change.fingerprint, change.expected}
        if not is_replaced or fingerprint(stored.view) in prints:
            return False
        left = iceberg_writing.MAY_LOSE
        kept = tuple(property_ for property_ in stored.view.properties if property_[0] != left)
        return fingerprint(replace(stored.view, properties=kept)) in prints

    def _commit(self, view: View, base: ViewMetadata, updates: Sequence[Body]) -> None:
        same = {"type": "assert-view-uuid", "uuid": str(base.uuid)}
        body = {"requirements": [same], "updates": updates}
        self._server.ask(lambda client: client.replace(view.identifier, body))

    def read_at(self, place: Identifier) -> _ServerView | None:
        """What the server has at a place.

        Raises:
            BelvedereError: It refused, failed, or has something that is no view.
        """
        try:
            raw = self._source.view(Listed(place.namespace, place.name))
        except VanishedError:
            return None
        document = raw.payload["metadata"]
        if not isinstance(document, dict):
            raise DecodeError("must be an object", field="metadata", view=str(place))
        metadata = iceberg_metadata.parsed(document)
        return _ServerView(metadata, without_identifier(iceberg.view_of(metadata, place)))


def _updates(base: ViewMetadata, added: iceberg_writing.Following) -> Iterator[Body]:
    """The protocol's updates for a change of a view."""
    stated = {
        key: text for key, text in added.properties.items() if base.properties.get(key) != text
    }
    if stated:
        yield {"action": "set-properties", "updates": stated}
    if removed := sorted(base.properties.keys() - added.properties.keys()):
        yield {"action": "remove-properties", "removals": removed}
    number = added.version["version-id"]
    if number in {version.id for version in base.versions}:
        if number != base.current.id:
            yield {"action": "set-current-view-version", "view-version-id": number}
        return
    version = added.version
    if added.schema not in _schemas(base):
        yield {"action": "add-schema", "schema": added.schema}
        version = {**version, "schema-id": _LAST_ADDED}
    yield {"action": "add-view-version", "view-version": version}
    yield {"action": "set-current-view-version", "view-version-id": _LAST_ADDED}


def _schemas(base: ViewMetadata) -> Sequence[object]:
    schemas = base.document["schemas"]
    return schemas if isinstance(schemas, list) else []


def _property(key: str, text: str | None) -> Body:
    if text is None:
        return {"action": "remove-properties", "removals": [key]}
    return {"action": "set-properties", "updates": {key: text}}


def _now() -> int:
    return round(time.time() * 1000)
