"""Store `iceberg-jdbc`: views in an Iceberg JDBC catalog, as Gravitino's JDBC backend serves it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final, TypeVar

from connectors.clients import sql
from connectors.clients.credentials import Secret
from connectors.clients.files import FileAccess
from connectors.iceberg import schemas, spaces
from connectors.iceberg.commits import (
    CatalogEntry,
    Commits,
    Write,
    plan_write,
)
from connectors.iceberg.pointers import (
    DRIVERS,
    LONGEST_NAME,
    LONGEST_VALUE,
    VIEW,
    Pointers,
    check_url,
)
from discovery.errors import (
    BelvedereError,
    CollisionError,
    ConfigurationError,
    FileOutsideError,
    NamespaceError,
    NotHeldError,
    StoreError,
)
from discovery.formats import iceberg, iceberg_metadata, iceberg_writing
from discovery.formats.iceberg_files import location, metadata_file
from discovery.lineage import scopes
from discovery.locations import Bounds, safe_location
from discovery.migration import shared_context
from discovery.migration.changes import apart, touched
from discovery.migration.namespaces import NamespaceEdit
from discovery.migration.providers import without_identifier
from discovery.model import Identifier, Schema, View
from discovery.outcomes import Listed
from discovery.patterns import Patterns
from discovery.ports import Applied, Change, Held, Probe, ViewStore

Item = TypeVar("Item")

_MOST: Final = 500  # views a transaction
_READS_ONLY: Final = (
    "its user may not insert into iceberg_namespace_properties, so nothing can be loaded: grant "
    "SELECT, INSERT, UPDATE and DELETE on the catalog's tables"
)
_MEANT: Final = "if it is meant, add its folder to the target's `locations`"


@dataclass(frozen=True, slots=True, kw_only=True)
class Options(sql.DatabaseLogin):
    """How to reach and fill an Iceberg JDBC catalog.

    Attributes:
        url: `postgresql://host:port/database`, `mysql://…`, `mariadb://…` or
            `sqlite:////absolute/path`, without user and password.
        warehouse: The folder below which the metadata files of new views go, as a URI:
            `s3://bucket/warehouse`, `hdfs://…`, `file:///…`.
        catalog_name: Of the catalog in the tables. Gravitino's JDBC backend calls it `jdbc`, unless
            its `catalog-backend-name` says otherwise.
        connections: How many at a time, over all executors.
        timeout: Seconds for connecting and for each statement.
        io: Properties of pyiceberg's FileIO, for the metadata files.
        locations: Below which metadata files may lie besides `warehouse`: what rows name elsewhere
            is not read, and no file is written elsewhere, whatever a view says of its location.
    """

    schemes: ClassVar[tuple[str, ...]] = tuple(DRIVERS)

    warehouse: str
    catalog_name: str = "jdbc"
    connections: int = 2
    timeout: float = 60.0
    io: Mapping[str, str | Secret] = field(default_factory=dict)
    locations: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        sql.DatabaseLogin.__post_init__(self)
        check_url(self.url)
        if ":/" not in self.warehouse:
            hint = "write s3://bucket/folder, hdfs://host/folder or file:///folder"
            raise ConfigurationError(f"the warehouse {self.warehouse!r} is no URI", hint=hint)
        self.bounds()

    def bounds(self) -> Bounds:
        """Where metadata files may lie.

        Raises:
            ConfigurationError: A location is none.
        """
        return Bounds.of((self.warehouse, *self.locations))


class JdbcStore(ViewStore):
    """An Iceberg JDBC catalog as a store of views."""

    keeps_history = True
    lasting = ("the tables",)

    def __init__(self, options: Options) -> None:
        self.connections = options.connections
        self._options = options
        self._pointers = Pointers(options, options.timeout, writes=True)
        self._files, self._made = FileAccess(options.io), False
        self._bounds = options.bounds()
        self._commits = Commits(self._pointers, options.catalog_name, self._files)

    def __reduce__(self) -> tuple[Any, ...]:
        """It travels as its options: a connection cannot."""
        return type(self), (self._options,)

    def close(self) -> None:
        """Close the connection."""
        self._pointers.close()

    def probe(self) -> Probe:
        """Connect; look whether the tables are there and hold views."""
        if not spaces.check_layout(self._pointers):
            return Probe("reachable", ("the tables are not there yet; loading makes them",))
        version = f"{self._pointers.database}, catalog {self._options.catalog_name!r}, schema V1"
        return Probe(version, () if self.may_create(()) else (_READS_ONLY,))

    def listing(self) -> Iterator[Listed]:
        """Namespaces with those above them, and what they hold."""
        if self._is_made():
            yield from self._pointers.listing(self._options.catalog_name, Patterns())

    def present(self, wanted: Sequence[Identifier]) -> Iterator[View]:
        """Those of the wanted views that are there, as their metadata files have them.

        Raises:
            FileUnreadableError: A file is missing or refused.
            DecodeError: A file is no valid metadata.
        """
        if not self._is_made():
            return
        for batch in _batches(wanted):
            for place in self._read_places(batch).values():
                if place.view is not None:
                    yield place.view
                elif place.error is not None and not isinstance(place.error, CollisionError):
                    raise place.error

    def hold(self, view: View) -> Held:
        """As Iceberg's metadata give it back.

        Raises:
            NotHeldError: They, or the tables, cannot hold it.
        """
        place = view.identifier
        shared_context.check(view, scopes.names)
        held = iceberg_writing.hold(view)
        try:
            spaces.check(place.namespace)
        except NamespaceError as error:
            raise NotHeldError(error.message, hint=error.hint, view=str(place)) from error
        folder = location(self._options.warehouse, place)
        if len(place.name) > LONGEST_NAME:
            raise NotHeldError(f"the name is longer than {LONGEST_NAME}", view=str(place))
        file = metadata_file(folder, dict(view.properties))
        if len(file) > LONGEST_VALUE:
            why = f"the name of its metadata file would be longer than {LONGEST_VALUE}"
            raise NotHeldError(why, view=str(place))
        try:
            self._bounds.admit(file, ())
        except FileOutsideError as error:
            raise NotHeldError(_elsewhere_text(file), hint=_MEANT, view=str(place)) from error
        return held

    def may_create(self, namespace: tuple[str, ...]) -> bool:  # noqa: ARG002 - one table for all
        """Whether we may write to the table of namespaces; nothing is written."""
        return spaces.may_make(self._pointers)

    def lacking(self, namespaces: Sequence[tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
        """Those that nothing in the tables names."""
        existing: set[tuple[str, ...]] = set()
        if spaces.check_layout(self._pointers):
            existing = spaces.existing(self._pointers, self._options.catalog_name, namespaces)
        return tuple(levels for levels in namespaces if levels not in existing)

    def prepare(self, schemas: Sequence[Schema]) -> tuple[tuple[str, ...], ...]:
        """Make the tables and the namespaces that are missing, with those above: all, or none."""
        return spaces.make(self._pointers, self._options.catalog_name, schemas)

    def hold_namespace(self, schema: Schema) -> Schema:
        """As a namespace with properties gives it back."""
        return schemas.hold_schema(schema)

    def namespaces(self, wanted: Sequence[tuple[str, ...]]) -> Iterator[Schema]:
        """Those that something in the tables names."""
        if self._is_made():
            yield from spaces.present(self._pointers, self._options.catalog_name, wanted)

    def amend(self, edit: NamespaceEdit) -> bool:
        """Look, and change the rows of its properties, in one transaction."""
        if not self._is_made():
            return edit.is_to_do(None)
        return spaces.amend(self._pointers, self._options.catalog_name, edit)

    def remove(self, namespaces: Sequence[tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
        """Remove the namespaces that hold nothing, innermost first; those that stay."""
        return spaces.remove(self._pointers, self._options.catalog_name, namespaces)

    def apply(self, changes: Sequence[Change]) -> Iterator[Applied]:
        """Write: the files of many views side by side, then their rows in one transaction."""
        for run in apart(changes):
            for batch in _batches(run):
                yield from self._apply(batch)

    def _apply(self, changes: Sequence[Change]) -> list[Applied]:
        try:
            return self._carry_out(changes)
        except BelvedereError as error:
            return [Applied.failed(change.view.identifier, error) for change in changes]

    def _carry_out(self, changes: Sequence[Change]) -> list[Applied]:
        if not self._is_made():
            raise StoreError("the tables are not there", hint="Prepare the target first.")
        entries = self._read_places([place for change in changes for place in touched(change)])
        wanted = [
            self._bounded(plan_write(change, entries, self._options.warehouse))
            for change in changes
        ]
        writes = [item for item in wanted if isinstance(item, Write)]
        homeless = self._find_homeless(writes)
        answers = [item for item in wanted if isinstance(item, Applied)]
        answers += [write.failed(_namespace_error(write)) for write in homeless]
        return answers + self._commits.write([write for write in writes if write not in homeless])

    def _bounded(self, wanted: Applied | Write) -> Applied | Write:
        """A write, unless its file would lie elsewhere than the configuration says.

        Where a file goes, the metadata that are there or a property of the view may say: both are
        the word of whoever may write a view.
        """
        if isinstance(wanted, Applied) or not wanted.content:
            return wanted
        if self._files.lies_below(wanted.new, self._bounds):
            return wanted
        return wanted.failed(StoreError(_elsewhere_text(wanted.new), hint=_MEANT))

    def _is_made(self) -> bool:
        """Whether the tables are there; once they are, they stay."""
        self._made = self._made or spaces.check_layout(self._pointers)
        return self._made

    def _find_homeless(self, writes: Sequence[Write]) -> set[Write]:
        """The writes of new views whose namespace is not there: JdbcCatalog refuses them, too."""
        new = [write for write in writes if not write.old]
        wanted = {write.change.view.identifier.namespace for write in new}
        existing = spaces.existing(self._pointers, self._options.catalog_name, wanted)
        return {write for write in new if write.change.view.identifier.namespace not in existing}

    def _read_places(self, places: Sequence[Identifier]) -> dict[Identifier, CatalogEntry]:
        """What the catalog has at places."""
        rows = self._commits.rows(places)
        uris = [uri for kind, uri in rows.values() if uri and kind == VIEW]
        contents = self._files.read_below(dict.fromkeys(uris, ()), self._bounds)
        return {
            place: _parse_entry(place, uri or "", contents.get(uri or ""))
            if kind == VIEW
            else CatalogEntry(uri or "", error=_taken_error(place))
            for place, (kind, uri) in rows.items()
        }


def _batches(items: Sequence[Item]) -> Iterator[Sequence[Item]]:
    """The items in parts that one statement can name."""
    return (items[start : start + _MOST] for start in range(0, len(items), _MOST))


def _parse_entry(
    place: Identifier, uri: str, content: bytes | BelvedereError | None
) -> CatalogEntry:
    """What a row of a view and its file say."""
    try:
        if isinstance(content, BelvedereError):
            raise content
        metadata = iceberg_metadata.read(content or b"")
        return CatalogEntry(uri, metadata, without_identifier(iceberg.view_of(metadata, place)))
    except BelvedereError as error:
        failure = type(error)(error.message, hint=error.hint, view=str(place), **error.where)
        return CatalogEntry(uri, error=failure)


def _elsewhere_text(uri: str) -> str:
    return f"its metadata file {safe_location(uri)} would not lie below the target's warehouse"


def _taken_error(place: Identifier) -> BelvedereError:
    hint = "Rename one of them, or map the view to another name."
    return CollisionError("a table has this name", hint=hint, view=str(place))


def _namespace_error(write: Write) -> BelvedereError:
    place = write.change.view.identifier
    why = "its namespace is not there"
    return NamespaceError(why, hint="Prepare the target first.", view=str(place))
