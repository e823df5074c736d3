"""Store `gravitino-store`: Gravitino's relational store, layout of release 1.3.0.

On PostgreSQL, MySQL and MariaDB. Gravitino 1.3 serves no view that exists only here: the design's
fully managed tier is not in it yet. The rows are what that tier will read, and identity and audit
data of views that hive, iceberg or paimon serve.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from sqlalchemy import ColumnClause, Connection, column, insert, inspect, select, table
from sqlalchemy.exc import DBAPIError

from connectors.clients import sql
from connectors.gravitino import cells, contexts, names
from connectors.gravitino.entity_store import layout, owners, parents
from connectors.gravitino.entity_store.batch import Batch, live
from connectors.gravitino.entity_store.functions import StoredFunctions
from connectors.gravitino.entity_store.options import Options
from connectors.gravitino.entity_store.rights import StoredRights
from connectors.gravitino.entity_store.tables import SCHEMA, VERSION, VIEW
from discovery.errors import (
    BelvedereError,
    DeniedError,
    NotHeldError,
    ReadError,
    StoreError,
    UnreachableError,
    UnsupportedVersionError,
)
from discovery.formats.iceberg_kept import SECURITY_MODE
from discovery.functions import FunctionStore
from discovery.lineage import scopes
from discovery.migration import shared_context
from discovery.migration.changes import apart
from discovery.migration.namespaces import NamespaceEdit
from discovery.migration.providers import nesting
from discovery.model import Identifier, OwnerKind, Schema, View, dotted, owner_text
from discovery.namespaces import Levels
from discovery.outcomes import Kind, Listed
from discovery.ports import Applied, Change, Held, Probe, ViewStore

__all__ = ["EntityStore", "Options"]

Write = Callable[[Connection, Sequence[Change]], list[Applied]]
"""What writes changes in a transaction."""
_INIT: Final = "`belvedere store init` makes them, as loading does"
_READS_ONLY: Final = (
    "its user may not insert into schema_meta, so nothing can be loaded: grant what the page of "
    "this target says below `What it needs`"
)
_LONGEST_COMMENT: Final = 65_535  # bytes of a TEXT on MySQL
_LONGEST_NAME: Final = 128  # characters of a catalog and a schema


class EntityStore(ViewStore):
    """The relational store of a Gravitino server as a store of views."""

    def __init__(self, options: Options) -> None:
        self.connections = options.connections
        self.lasting = (
            "the tables",
            f"the metalake {options.metalake}",
            f"the catalog {options.catalog}",
        )
        self._options = options
        self._tables: frozenset[str] = frozenset()
        self._engine = options.engine()
        self.functions: FunctionStore | None = StoredFunctions(
            options, self._begin, self._list_tables, self._require_schema
        )
        self.rights = StoredRights(options, self._begin, self._list_tables)

    def close(self) -> None:
        """Close the connections."""
        self._engine.dispose()

    def probe(self) -> Probe:
        """Connect; say of which release the layout of the tables is.

        Raises:
            UnsupportedVersionError: Of none that we know.
        """
        with self._begin() as connection:
            existing = layout.read_layout(connection)
        if not existing.release:
            return Probe("reachable", (f"there are no tables yet: {_INIT}",))
        self._check_owners(existing)
        lacking = f"there is no {', '.join(existing.missing)} yet: {_INIT}"
        problems = [lacking] if existing.missing else []
        problems += [] if self.may_create(()) else [_READS_ONLY]
        return Probe(f"layout of Gravitino {existing.release}", tuple(problems))

    def init(self) -> tuple[str, ...]:
        """Make the tables that are missing; their names."""
        with self._begin() as connection:
            self._check_owners(layout.read_layout(connection))
            tables = layout.make(connection)
        self._tables = frozenset()
        return tables

    def _check_owners(self, existing: layout.Layout) -> None:
        if self._options.owners and existing.release == "2.0.0":
            why = "owners are written in the layout of Gravitino 1.3.0, and this is that of 2.0.0"
            raise UnsupportedVersionError(why, hint="say owners: false")

    def listing(self) -> Iterator[Listed]:
        """Schemas, then the views and the tables that the server keeps in them."""
        with self._begin() as connection:
            objects = list(self._list_objects(connection)) if self._has_tables(connection) else []
        yield from objects

    def _list_objects(self, connection: Connection) -> Iterator[Listed]:
        catalog = parents.catalog_of(connection, self._options)
        schemas = parents.schemas_of(connection, catalog)
        yield from (Listed(levels, "", Kind.NAMESPACE) for levels in schemas)
        levels_of = {ids["schema_id"]: levels for levels, ids in schemas.items()}
        kinds = {VIEW.name: Kind.VIEW, "table_meta": Kind.TABLE}
        for name in self._list_tables(connection) & kinds.keys():
            name_column: ColumnClause[str] = column(f"{name.removesuffix('_meta')}_name")
            held = table(name, name_column, column("schema_id"), column("deleted_at"))
            query = select(held.c.schema_id, name_column).where(held.c.deleted_at == 0)
            for schema, entity in connection.execute(query.order_by(name_column)):
                if schema in levels_of:
                    yield Listed(levels_of[schema], entity, kinds[name])

    def present(self, wanted: Sequence[Identifier]) -> Iterator[View]:
        """Those of the wanted views that are live, as their current version holds them."""
        with self._begin() as connection:
            catalog = None
            if self._has_tables(connection):
                catalog = parents.catalog_of(connection, self._options)
            spaces = {identifier.namespace for identifier in wanted}
            present = live(connection, parents.schemas_of(connection, catalog, spaces), wanted)
        yield from (stored.view for stored in present.values())

    def hold(self, view: View) -> Held:
        """As the cells give it back, which know other types and no security.

        Raises:
            NotHeldError: A server takes no such name, or could not read such a row.
        """
        place = view.identifier
        names.check(place, self._options.provider, self._options.schema_separator)
        cells.parse_id(view)
        _check_readable(view, on_mysql=self._engine.name == "mysql")
        if self._options.owners:
            _check_owner(view)
        view, context_losses = contexts.as_text(view)
        shared_context.check(view, scopes.names)
        held = cells.hold_view(view)
        lost = [
            f"the type of column {name} is none of Gravitino's; it is kept as an external one"
            for name in cells.unlike(view.columns, held.columns)
        ]
        if view.audit.creator and view.audit.creator_kind is not OwnerKind.USER:
            owner = owner_text(view.audit.creator, view.audit.creator_kind)
            lost.append(f"its owner {owner} is no user: the store keeps the name as the creator's")
        if view.security is not None:
            lost.append(f"security is kept in the property {SECURITY_MODE}, not enforced")
        if len(place.namespace) > 1 and self._options.provider not in nesting():
            nests = ", ".join(nesting())
            lost.append(f"its schema is nested; a server of 1.3 nests in {nests} only")
        return Held(held, (*context_losses, *lost))

    def may_create(self, namespace: tuple[str, ...]) -> bool:  # noqa: ARG002 - one table for all
        """Whether we may insert schemas; no row is."""
        nothing = select(SCHEMA).where(SCHEMA.c.schema_id < 0)
        try:
            with self._begin() as connection:
                if self._has_tables(connection):
                    connection.execute(insert(SCHEMA).from_select(SCHEMA.columns.keys(), nothing))
        except DeniedError:
            return False
        return True

    def lacking(self, namespaces: Sequence[tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
        """Those that are no live schema of the catalog."""
        with self._begin() as connection:
            catalog = None
            if self._has_tables(connection):
                catalog = parents.catalog_of(connection, self._options)
            schemas = parents.schemas_of(connection, catalog, namespaces)
        return tuple(levels for levels in namespaces if levels not in schemas)

    def prepare(self, schemas: Sequence[Schema]) -> tuple[tuple[str, ...], ...]:
        """Make tables, metalake, catalog and schemas where they are missing: all, or none.

        Raises:
            NamespaceConflictError: Nesting is used, and a schema that is there would be taken for
                nested levels.
            NamespaceError: A new schema would be.
        """
        self.init()
        with self._begin() as connection:
            return parents.make(connection, self._options, schemas)

    def hold_namespace(self, schema: Schema) -> Schema:
        """With a comment that fits."""
        return parents.hold_schema(schema)

    def namespaces(self, wanted: Sequence[tuple[str, ...]]) -> Iterator[Schema]:
        """Those that are live schemas of the catalog."""
        with self._begin() as connection:
            is_made = self._has_tables(connection)
            schemas = parents.read(connection, self._options, wanted) if is_made else ()
            yield from tuple(schemas)

    def amend(self, edit: NamespaceEdit) -> bool:
        """Look, and change the row, in one transaction."""
        with self._begin() as connection:
            if not self._has_tables(connection):
                return edit.is_to_do(None)
            return parents.amend(connection, self._options, edit)

    def remove(self, namespaces: Sequence[tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
        """Soft-delete the schemas that hold no live entity of any kind; those that stay."""
        with self._begin() as connection:
            if not self._has_tables(connection):
                return ()
            tables = self._list_tables(connection)
            return parents.remove(connection, self._options, namespaces, tables)

    def apply(self, changes: Sequence[Change]) -> Iterator[Applied]:
        """Write in transactions; one that fails is halved, so that a view costs no other."""
        for group in apart(changes):
            yield from self._write_in_halves(group, self._apply)

    def _apply(self, connection: Connection, changes: Sequence[Change]) -> list[Applied]:
        return Batch(connection, self._options, self._list_tables(connection)).apply(changes)

    def _write_in_halves(self, changes: Sequence[Change], write: Write) -> list[Applied]:
        try:
            with self._begin() as connection:
                return write(connection, changes)
        except BelvedereError as error:
            if len(changes) == 1 or isinstance(error, UnreachableError | DeniedError):
                return [Applied.failed(change.view.identifier, error) for change in changes]
        half = len(changes) // 2
        return self._write_in_halves(changes[:half], write) + self._write_in_halves(
            changes[half:], write
        )

    def _require_schema(self, levels: Levels) -> None:
        """A function is to go into a schema that is not there.

        Raises:
            StoreError: Nobody makes it here.
        """
        raise StoreError("has not been made", schema=dotted(levels))

    def _has_tables(self, connection: Connection) -> bool:
        """Whether the tables are there."""
        return VERSION.name in self._list_tables(connection)

    def _list_tables(self, connection: Connection) -> frozenset[str]:
        """The tables of the database; looked for again until there are ours."""
        if VERSION.name not in self._tables:
            self._tables = frozenset(inspect(connection).get_table_names())
        return self._tables

    @contextmanager
    def _begin(self) -> Iterator[Connection]:
        """A transaction; the database's errors become ours."""
        try:
            with self._engine.begin() as connection:
                yield connection
        except DBAPIError as error:
            raise _write_error(sql.our_error(error)) from None
        except ReadError as error:
            raise _write_error(error) from None


def _write_error(error: BelvedereError) -> BelvedereError:
    """What a source would call unreadable is a write that was refused."""
    return StoreError(error.message) if isinstance(error, ReadError) else error


def _check_owner(view: View) -> None:
    """Refuse a creator that no row of a user has room for.

    Raises:
        NotHeldError: It is one.
    """
    is_user = view.audit.creator_kind is OwnerKind.USER
    if is_user and not owners.is_name(view.audit.creator or ""):
        why = f"its creator is no name of a user: those have at most {owners.LONGEST} characters"
        place = str(view.identifier)
        raise NotHeldError(f"{why}, without NUL", hint="say owners: false", view=place)


def _check_readable(view: View, *, on_mysql: bool) -> None:
    """Refuse what a cell cannot hold, or a reader would fail at.

    Args:
        view: The view.
        on_mysql: Whether the comment goes into a TEXT of MySQL.

    Raises:
        NotHeldError: It says what.
    """
    context = view.context
    texts = (view.comment, context.default_catalog, context.default_schema)
    why = ""
    if any("\0" in text for text in texts if text):
        why = "a text of it has a NUL, which PostgreSQL cannot hold"
    elif on_mysql and len((view.comment or "").encode()) > _LONGEST_COMMENT:
        why = f"its comment has more than {_LONGEST_COMMENT} bytes"
    elif any(len(text) > _LONGEST_NAME for text in texts[1:] if text):
        why = "its default catalog or schema has more than 128 characters"
    elif not all(
        representation.dialect.strip() and representation.sql.strip()
        for representation in view.representations
    ):
        why = "a dialect or a text is empty, which a server cannot read"
    elif not all(view_column.name.strip() for view_column in view.columns):
        why = "a column has no name, which a server cannot read"
    if why:
        raise NotHeldError(why, view=str(view.identifier))
