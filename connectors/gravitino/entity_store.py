"""Store `gravitino-store`: Gravitino's relational store, layout of release 1.3.0, on PostgreSQL.

Gravitino 1.3 serves no view that exists only here: the design's fully managed tier is not in it
yet. The rows are what that tier will read, and identity and audit data of views that hive, iceberg
or paimon serve.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

from sqlalchemy import Connection, Table, insert, inspect, select, tuple_, update
from sqlalchemy.exc import DBAPIError

from connectors.clients import sql
from connectors.gravitino import cells
from connectors.gravitino.tables import (
    CATALOG,
    METADATA,
    METALAKE,
    SCHEMA,
    SCHEMA_VERSION,
    VERSION,
    VIEW,
)
from discovery import namespaces, wire
from discovery.errors import BelvedereError, StoreError, UnreachableError, UnsupportedVersionError
from discovery.model import Audit, Identifier, Schema, View, dotted
from discovery.namespaces import Encoding, Levels, Separator
from discovery.ports import Applied, Change, Probe, ViewStore

_LONGEST_NAME: Final = 64  # Gravitino's rule for names; the column holds 128


@dataclass(frozen=True, slots=True, kw_only=True)
class Options(sql.Login):
    """How to reach and fill a store.

    Attributes:
        metalake: Name of the metalake.
        catalog: Name of the catalog that receives the views.
        provider: The catalog's provider, such as `hive` or `lakehouse-generic`.
        catalog_properties: Of the catalog, where it is made.
        schema_separator: The server's `gravitino.schema.separator`: one character of `:;$|~@`.
        free_separator: Whether any other character will do that breaks no route, and schemas
            without levels may have it in their names.
        connections: How many at a time, over all executors.
        timeout: Seconds for connecting and for each statement.
    """

    metalake: str
    catalog: str
    provider: str = "lakehouse-generic"
    catalog_properties: Mapping[str, str] = field(default_factory=dict)
    schema_separator: str = ":"
    free_separator: bool = False
    connections: int = 2
    timeout: float = 60.0

    def __post_init__(self) -> None:
        sql.Login.__post_init__(self)
        self.separator()

    def separator(self) -> Separator:
        """What joins the levels of nested schemas in the server's names.

        Raises:
            SeparatorError: It cannot.
        """
        return Separator(self.schema_separator, self.free_separator)


class EntityStore(ViewStore):
    """The relational store of a Gravitino server as a store of views."""

    def __init__(self, options: Options) -> None:
        self.connections = options.connections
        self._options = options
        self._engine = sql.postgresql(
            options,
            options=f"-c statement_timeout={round(options.timeout * 1000)}",
            timeout=options.timeout,
        )
        self._parents: dict[tuple[str, ...], dict[str, int]] = {}  # ids by namespace

    def close(self) -> None:
        """Close the connections."""
        self._engine.dispose()

    def probe(self) -> Probe:
        """Connect; look whether the tables are there and are those of release 1.3.0."""
        with self._connected() as connection:
            there = {
                name: {column["name"] for column in inspect(connection).get_columns(name)}
                for name in inspect(connection).get_table_names()
                if name in METADATA.tables
            }
        for name, columns in there.items():
            if missing := set(METADATA.tables[name].columns.keys()) - columns:
                raise UnsupportedVersionError(
                    f"table {name} has no {', '.join(sorted(missing))}",
                    hint="the layout must be that of Gravitino 1.3.0: run its upgrade scripts",
                )
        if not there:
            return Probe("reachable", ("the tables are not there yet; loading makes them",))
        return Probe("layout of Gravitino 1.3.0")

    def prepare(self, schemas: Sequence[Schema]) -> None:
        """Make tables, metalake, catalog and schemas where they are missing: all, or none.

        A schema above a nested one is made with the audit data of that one, as Gravitino does.

        Raises:
            NamespaceConflictError: Nesting is used, and a schema that is there would be taken for
                nested levels.
            NamespaceError: A new schema would be.
        """
        self.probe()
        with self._connected() as connection:
            METADATA.create_all(connection)
            metalake, catalog = self._make_catalog(connection)
            for schema in self._guarded(connection, catalog, schemas):
                name = _physical(schema.levels)
                values = {
                    "schema_name": name,
                    "metalake_id": metalake,
                    "catalog_id": catalog,
                    "schema_comment": (schema.comment or "")[:256],
                    "properties": cells.properties_cell(schema.properties),
                    "audit_info": cells.audit_cell(schema.audit),
                }
                key = {"catalog_id": catalog, "schema_name": name}
                self._make(connection, SCHEMA, key, values, *schema.levels)

    def present(self, wanted: Sequence[Identifier]) -> Iterator[View]:
        """Those of the wanted views that are live, as their current version holds them."""
        with self._connected() as connection:
            live = self._live(connection, wanted)
        for place, row in live.items():
            yield cells.view_of(row, place.namespace)

    def losses(self, view: View) -> tuple[str, ...]:
        """What the store has no place for, or no name under which a server would find it."""
        lost = []
        if view.security is not None:
            lost.append(f"security is kept in the property {cells.SECURITY_MODE}, not enforced")
        contexts = {(one.default_catalog, one.default_schema) for one in view.representations}
        if len(contexts) > 1:
            lost.append("the dialects' contexts differ; readers of 1.3 see that of the first only")
        char = self._options.schema_separator
        if any(char in level for level in view.identifier.namespace):
            lost.append(f"the schema's name contains {char!r}; a server of 1.3 takes it for levels")
        return tuple(lost)

    def apply(self, changes: Sequence[Change]) -> Iterator[Applied]:
        """Insert what is new, add a version to what differs, leave the rest.

        One transaction for all; if it fails, one for each, so that a view which the store refuses
        costs no other.
        """
        wanted = [change.view.identifier for change in changes]
        try:
            with self._connected() as connection:
                live = self._live(connection, wanted)
                done = [self._write(connection, change, live) for change in changes]
        except BelvedereError as error:
            if len(changes) > 1 and not isinstance(error, UnreachableError):
                done = [one for change in changes for one in self.apply([change])]
            else:
                done = [Applied.failed(place, error) for place in wanted]
        yield from done

    def _write(
        self, connection: Connection, change: Change, live: Mapping[Identifier, Mapping[str, Any]]
    ) -> Applied:
        view, place = change.view, change.view.identifier
        if len(place.name) > _LONGEST_NAME:
            why = f"Gravitino takes names of {_LONGEST_NAME} characters at most"
            return Applied.failed(place, StoreError(why, view=str(place)))
        row = live.get(place)
        if row is None:
            self._insert(connection, view)
            return Applied(place, "create")
        before = cells.view_of(row, place.namespace)
        if wire.view_text(before)[1] == change.fingerprint:
            return Applied(place, "keep", before)
        self._add_version(connection, view, row)
        return Applied(place, "replace", before)

    def _insert(self, connection: Connection, view: View) -> None:
        place, audit = view.identifier, cells.audit_cell(view.audit)
        values = {
            **self._parents_of(connection, place.namespace),
            "view_id": self._identity("view", *place.namespace, place.name),
            "audit_info": audit,
        }
        connection.execute(insert(VIEW).values(**values, view_name=place.name))
        content = cells.version_cells(view)
        connection.execute(insert(VERSION).values(**values, **content, version=1))

    def _add_version(self, connection: Connection, view: View, row: Mapping[str, Any]) -> None:
        number, audit = row["last_version"] + 1, cells.audit_cell(view.audit)
        values = {
            **self._parents_of(connection, view.identifier.namespace),
            **cells.version_cells(view),
            "view_id": row["view_id"],
            "version": number,
            "audit_info": audit,
        }
        connection.execute(insert(VERSION).values(**values))
        moved = connection.execute(
            update(VIEW)
            .where(VIEW.c.view_id == row["view_id"], VIEW.c.deleted_at == 0)
            .where(VIEW.c.current_version == row["current_version"])
            .values(current_version=number, last_version=number, audit_info=audit)
        )
        if moved.rowcount != 1:
            raise StoreError("somebody else changed it meanwhile", view=str(view.identifier))

    def _live(
        self, connection: Connection, wanted: Sequence[Identifier]
    ) -> dict[Identifier, Mapping[str, Any]]:
        """Live views with the content of their current versions."""
        places = [(_physical(one.namespace), one.name) for one in wanted]
        version = VERSION.c["view_comment", "columns", "properties", "representations"]
        query = (
            select(VIEW, SCHEMA.c.schema_name, *version)
            .join(SCHEMA, SCHEMA.c.schema_id == VIEW.c.schema_id)
            .join(VERSION, VERSION.c.view_id == VIEW.c.view_id)
            .where(VERSION.c.version == VIEW.c.current_version)
            .where(VIEW.c.deleted_at == 0, SCHEMA.c.deleted_at == 0, VERSION.c.deleted_at == 0)
            .where(VIEW.c.catalog_id == self._catalog_ids(connection)["catalog_id"])
            .where(tuple_(SCHEMA.c.schema_name, VIEW.c.view_name).in_(places))
        )
        found: dict[Identifier, Mapping[str, Any]] = {}
        for row in connection.execute(query).mappings():
            levels = namespaces.levels_of(row["schema_name"], Encoding.RAW)
            found[Identifier(levels, row["view_name"])] = dict(row)
        return found

    def _guarded(
        self, connection: Connection, catalog: int, wanted: Sequence[Schema]
    ) -> list[Schema]:
        """The wanted schemas with those above them, outermost first, after the guard."""
        live = SCHEMA.c.catalog_id == catalog, SCHEMA.c.deleted_at == 0
        names = connection.execute(select(SCHEMA.c.schema_name).where(*live)).scalars()
        there = [namespaces.levels_of(name, Encoding.RAW) for name in names]
        given = {schema.levels: schema for schema in wanted}
        separator = self._options.separator()
        if any(len(levels) > 1 for levels in (*there, *given)):
            namespaces.guard(there, separator)
            for levels in given:
                separator.check_new(levels)
        made = dict(given)
        for schema in wanted:
            for above in namespaces.parents(schema.levels):
                made.setdefault(above, Schema(levels=above, audit=schema.audit))
        return [made[levels] for levels in sorted(made)]

    def _make_catalog(self, connection: Connection) -> tuple[int, int]:
        options, audit = self._options, cells.audit_cell(Audit())
        key: dict[str, Any] = {"metalake_name": options.metalake}
        values = {**key, "properties": "{}", "audit_info": audit, "schema_version": SCHEMA_VERSION}
        metalake = self._make(connection, METALAKE, key, values)
        key = {"metalake_id": metalake, "catalog_name": options.catalog}
        identity = self._identity("catalog")
        properties = {
            **options.catalog_properties,
            "gravitino.identifier": f"gravitino.v1.uid{identity}",
        }
        values = {
            **key,
            "type": "RELATIONAL",
            "provider": options.provider,
            "properties": cells.properties_cell(properties.items()),
            "audit_info": audit,
        }
        return metalake, self._make(connection, CATALOG, key, values)

    def _make(
        self,
        connection: Connection,
        table: Table,
        key: Mapping[str, Any],
        values: Mapping[str, Any],
        *levels: str,
    ) -> int:
        """The id of a live row, which is made if it is missing; an existing one keeps its own."""
        identity = next(iter(table.primary_key.columns))
        live = [table.c[name] == value for name, value in key.items()] + [table.c.deleted_at == 0]
        found = connection.execute(select(identity).where(*live)).scalar()
        if found is None:
            found = self._identity(table.name.removesuffix("_meta"), *levels)
            connection.execute(insert(table).values(**values, **{identity.name: found}))
        return int(found)

    def _identity(self, kind: str, *levels: str) -> int:
        names = (self._options.metalake,) if kind == "metalake" else ()
        return cells.identity(
            kind, *(names or (self._options.metalake, self._options.catalog)), *levels
        )

    def _catalog_ids(self, connection: Connection) -> dict[str, int]:
        """The ids of metalake and catalog, which `prepare` has made."""
        query = (
            select(CATALOG.c.metalake_id, CATALOG.c.catalog_id)
            .join(METALAKE, METALAKE.c.metalake_id == CATALOG.c.metalake_id)
            .where(METALAKE.c.metalake_name == self._options.metalake, METALAKE.c.deleted_at == 0)
            .where(CATALOG.c.catalog_name == self._options.catalog, CATALOG.c.deleted_at == 0)
        )
        if not self._parents:
            self._parents[()] = {**connection.execute(query).mappings().one()}
        return self._parents[()]

    def _parents_of(self, connection: Connection, namespace: tuple[str, ...]) -> dict[str, int]:
        """The ids of metalake, catalog and schema."""
        if namespace not in self._parents:
            ids = self._catalog_ids(connection)
            name = _physical(namespace)
            query = (
                select(SCHEMA.c.schema_id)
                .where(SCHEMA.c.catalog_id == ids["catalog_id"], SCHEMA.c.schema_name == name)
                .where(SCHEMA.c.deleted_at == 0)
            )
            schema = connection.execute(query).scalar()
            if schema is None:
                raise StoreError("has not been made", schema=dotted(namespace))
            self._parents[namespace] = {**ids, "schema_id": int(schema)}
        return self._parents[namespace]

    @contextmanager
    def _connected(self) -> Iterator[Connection]:
        """A transaction; the database's errors become ours."""
        try:
            with self._engine.begin() as connection:
                yield connection
        except DBAPIError as error:
            raise sql.meant(error) from None


def _physical(levels: Levels) -> str:
    return namespaces.physical(levels, Encoding.RAW)
