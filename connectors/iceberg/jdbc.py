"""Source `iceberg-jdbc`: the views of an Iceberg JDBC catalog, which keeps its pointers in SQL.

Its tables are `iceberg_tables` and `iceberg_namespace_properties` (Iceberg's JdbcCatalog, schema V0
and V1). Levels of a namespace are joined by dots there, so a level that contains a dot cannot be
told from two. Whatever a view is stands in its metadata file.
"""

import ssl
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any, ClassVar, Final

from sqlalchemy import (
    Column,
    Connection,
    Engine,
    MetaData,
    String,
    Table,
    inspect,
    make_url,
    select,
    tuple_,
)
from sqlalchemy.exc import DBAPIError

from connectors.clients import lines, sql
from connectors.clients.credentials import Secret
from connectors.clients.files import Files
from discovery.errors import (
    ConfigurationError,
    DecodeError,
    FileUnreadableError,
    ListingError,
    UnsupportedVersionError,
)
from discovery.formats import iceberg_metadata, iceberg_table
from discovery.model import Identifier, dotted
from discovery.namespaces import Levels, with_parents
from discovery.outcomes import Failure, Kind, Listed, RawObject, Stage
from discovery.patterns import Patterns
from discovery.ports import CrawlTask, Probe, ViewSource

_METADATA: Final = MetaData()
_OBJECTS: Final = Table(
    "iceberg_tables",
    _METADATA,
    Column("catalog_name", String),
    Column("table_namespace", String),
    Column("table_name", String),
    Column("metadata_location", String),
    Column("iceberg_type", String),  # since V1; null is a table
)
_PROPERTIES: Final = Table(
    "iceberg_namespace_properties",
    _METADATA,
    Column("catalog_name", String),
    Column("namespace", String),
    Column("property_key", String),
    Column("property_value", String),
)
_VIEW: Final = "VIEW"
_DRIVERS: Final = {
    "postgresql": "postgresql+psycopg",
    "mysql": "mysql+pymysql",
    "mariadb": "mariadb+pymysql",
    "sqlite": "sqlite",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Options(sql.Login):
    """How to reach and crawl an Iceberg JDBC catalog.

    Attributes:
        url: `postgresql://host:port/database`, `mysql://…`, `mariadb://…` or
            `sqlite:////absolute/path`, without user and password.
        catalog: Its name in the tables (`catalog_name`); left out, the only one that is there.
        include: Globs over `namespace` and `namespace.name`; empty means everything.
        exclude: Globs of what is left out; wins over `include`.
        connections: How many at a time, over all executors.
        batch: How many views make a task; their files are read side by side.
        timeout: Seconds for connecting and for each statement.
        io: Properties of pyiceberg's FileIO, for the metadata files.
    """

    schemes: ClassVar[tuple[str, ...]] = tuple(_DRIVERS)

    catalog: str | None = None
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    connections: int = 2
    batch: int = 250
    timeout: float = 30.0
    io: Mapping[str, str | Secret] = field(default_factory=dict)

    def __post_init__(self) -> None:
        sql.Login.__post_init__(self)
        url = make_url(self.url)
        if url.get_backend_name() == "sqlite" and not Path(url.database or "").is_absolute():
            hint = "sqlite:////path/to/catalog.db has four slashes"
            raise ConfigurationError(f"{self.url!r} names no absolute path", hint=hint)


class JdbcCatalog(ViewSource):
    """An Iceberg JDBC catalog as a source of views."""

    def __init__(self, options: Options) -> None:
        self.connections, self.batch = options.connections, options.batch
        self._patterns = Patterns(options.include, options.exclude)
        self._files = Files(options.io)
        self._engine = _engine(options)
        self._connection: Connection | None = None
        self._wanted_catalog = options.catalog
        self._found_catalog: str | None = None

    def close(self) -> None:
        """Close the connection."""
        if self._connection is not None:
            self._connection.close()
        self._connection = None

    def fold(self, name: str) -> str:
        """Iceberg keeps names as they were given: two may differ only by case."""
        return name

    def probe(self) -> Probe:
        """Connect, look for the tables and the catalog in them."""
        has_views, catalog = self._has_views(), self._catalog()
        version = f"{self._engine.name}, catalog {catalog!r}, schema V{int(has_views)}"
        old = "schema V0 has no views: Iceberg adds them with jdbc.schema-version=V1"
        return Probe(version, () if has_views else (old,))

    def listing(self) -> Iterator[Listed | Failure]:
        """Namespaces with those above them, and what they hold."""
        found: dict[Levels, list[tuple[str, Kind]]] = {}
        for space, name, kind in self._objects():
            found.setdefault(_levels(space), []).append((name, kind))
        known = chain(found, map(_levels, self._named_namespaces()))
        for levels in ((), *with_parents(filter(None, known))):
            if not self._patterns.allows_namespace(levels):
                continue
            if levels:
                yield Listed(levels, "", Kind.NAMESPACE)
            for name, kind in sorted(found.get(levels, ())):
                if self._patterns.allows(levels, name):
                    yield Listed(levels, name, kind)

    def load(self, task: CrawlTask) -> Iterator[RawObject | Failure]:
        """Properties of the namespaces, pointers of the views at once, then their files."""
        spaces = [one for one in task.objects if one.kind is Kind.NAMESPACE]
        if spaces:
            yield from self._namespaces(spaces)
        views = {
            (dotted(one.namespace), one.name): one
            for one in task.objects
            if one.kind is not Kind.NAMESPACE
        }
        if views and self._has_views():
            for listed, kind, payload, content in self._pointed(views, has_views=True):
                if kind == _VIEW:
                    yield _view(listed, payload, content)

    def load_tables(self, names: Sequence[Identifier]) -> Iterator[RawObject | Failure]:
        """The current schemas of named tables; of a view its metadata."""
        wanted = {
            (dotted(one.namespace), one.name): Listed(one.namespace, one.name, Kind.TABLE)
            for one in sorted(names, key=str)
        }
        has_views = self._has_views()
        for listed, kind, payload, content in self._pointed(wanted, has_views=has_views):
            if kind == _VIEW:
                yield _view(listed, payload, content)
            else:
                yield _table(listed, payload, content)

    def _namespaces(self, wanted: Sequence[Listed]) -> Iterator[RawObject]:
        by_name = {dotted(one.namespace): one for one in wanted}
        properties: dict[str, dict[str, str]] = {name: {} for name in by_name}
        if self._has(_PROPERTIES):
            columns = _PROPERTIES.c["namespace", "property_key", "property_value"]
            query = select(*columns).where(_PROPERTIES.c.catalog_name == self._catalog())
            for name, key, value in self._rows(query.where(_PROPERTIES.c.namespace.in_(by_name))):
                if name in properties:  # a collation may ignore case
                    properties[name][key] = value
        for name, listed in by_name.items():
            payload = {
                "catalog": self._catalog(),
                "namespace": list(listed.namespace),
                "properties": properties[name],
            }
            yield lines.raw_object(listed, "iceberg_namespace", payload)

    def _pointed(
        self, wanted: Mapping[tuple[str, str], Listed], *, has_views: bool
    ) -> Iterator[tuple[Listed, str | None, dict[str, object], bytes | FileUnreadableError]]:
        """Of everything that is there: its type, where its metadata is, and the file."""
        columns = [*_OBJECTS.c["table_namespace", "table_name", "metadata_location"]]
        if has_views:
            columns.append(_OBJECTS.c.iceberg_type)
        place = tuple_(_OBJECTS.c.table_namespace, _OBJECTS.c.table_name)
        query = select(*columns).where(_OBJECTS.c.catalog_name == self._catalog())
        rows = self._rows(query.where(place.in_(list(wanted)))) if wanted else ()
        contents = self._files.read_all(row[2] for row in rows if row[2])
        for space, name, uri, *kind in rows:
            listed = wanted.get((space, name))
            if listed is not None:  # as above
                payload: dict[str, object] = {
                    "catalog": self._catalog(),
                    "namespace": list(listed.namespace),
                    "name": listed.name,
                    "metadata-location": uri,
                }
                none = FileUnreadableError("there is no metadata location")
                yield listed, kind[0] if kind else None, payload, contents.get(uri or "", none)

    def _objects(self) -> Iterator[tuple[str, str, Kind]]:
        """Namespace, name and kind of everything that the catalog points to."""
        columns = [*_OBJECTS.c["table_namespace", "table_name"]]
        if self._has_views():
            columns.append(_OBJECTS.c.iceberg_type)
        query = select(*columns).where(_OBJECTS.c.catalog_name == self._catalog())
        for space, name, *kind in self._rows(query):
            yield space, name, Kind.VIEW if kind == [_VIEW] else Kind.TABLE

    def _named_namespaces(self) -> Iterator[str]:
        """Namespaces that have properties; an empty one has no other trace."""
        if self._has(_PROPERTIES):
            query = select(_PROPERTIES.c.namespace).distinct()
            for (name,) in self._rows(query.where(_PROPERTIES.c.catalog_name == self._catalog())):
                yield name

    def _catalog(self) -> str:
        """The name of the catalog in the tables."""
        if self._found_catalog is None:
            names = {
                name
                for table in (_OBJECTS, _PROPERTIES)
                if self._has(table)
                for (name,) in self._rows(select(table.c.catalog_name).distinct())
            }
            self._found_catalog = self._chosen(sorted(names))
        return self._found_catalog

    def _chosen(self, there: Sequence[str]) -> str:
        wanted = self._wanted_catalog
        if wanted is not None and (wanted in there or not there):
            return wanted
        if wanted is None and len(there) <= 1:
            return there[0] if there else ""
        why = f"has no catalog {wanted!r}" if wanted else f"has {len(there)} catalogs"
        hint = f"set catalog to one of {', '.join(there)}"
        raise ListingError(f"iceberg_tables {why}", hint=hint)

    def _has_views(self) -> bool:
        """Whether objects have a type: before V1, all are tables."""
        if not self._has(_OBJECTS):
            hint = "is that the database of an Iceberg JDBC catalog?"
            raise UnsupportedVersionError("there is no table iceberg_tables", hint=hint)
        return "iceberg_type" in self._columns_of(_OBJECTS)

    def _has(self, table: Table) -> bool:
        return bool(self._columns_of(table))

    def _columns_of(self, table: Table) -> set[str]:
        """The names of a table's columns; none if there is no such table."""
        try:
            looked = inspect(self._connected())
            if not looked.has_table(table.name):
                return set()
            return {column["name"] for column in looked.get_columns(table.name)}
        except DBAPIError as error:
            raise sql.meant(error) from None

    def _rows(self, query: Any) -> Sequence[Any]:  # noqa: ANN401 - SQLAlchemy
        try:
            rows: Sequence[Any] = self._connected().execute(query).all()
        except DBAPIError as error:
            if error.connection_invalidated:
                self._connection = None
            raise sql.meant(error) from None
        return rows

    def _connected(self) -> Connection:
        if self._connection is None:
            level = {"isolation_level": "AUTOCOMMIT"}
            self._connection = self._engine.connect().execution_options(**level)
        return self._connection


def _view(
    listed: Listed, payload: Mapping[str, Any], content: bytes | FileUnreadableError
) -> RawObject:
    uri = payload["metadata-location"]
    files = {uri: content} if isinstance(content, bytes) else {}
    unread = {} if uri is None or files else {uri: str(content)}
    return lines.raw_object(listed, "iceberg_view", payload, files, unread)


def _table(
    listed: Listed, payload: Mapping[str, Any], content: bytes | FileUnreadableError
) -> RawObject | Failure:
    if not isinstance(content, bytes):
        return Failure.of(listed, Stage.READ, content)
    try:
        schema = iceberg_table.schema(iceberg_metadata.opened(content))
    except DecodeError as error:
        return Failure.of(listed, Stage.DECODE, error)
    return lines.raw_object(listed, "iceberg_table", {**payload, "schema": schema})


def _levels(namespace: str) -> Levels:
    return tuple(namespace.split(".")) if namespace else ()


def _engine(options: Options) -> Engine:
    """An engine that reads: where the database can be told so, it refuses to write."""
    backend = make_url(options.url).get_backend_name()
    seconds = max(2, round(options.timeout))
    if backend == "postgresql":
        settings = f"-c default_transaction_read_only=on -c statement_timeout={seconds * 1000}"
        return sql.postgresql(options, options=settings, timeout=options.timeout)
    url = options.complete_url(_DRIVERS[backend])
    arguments: dict[str, object] = {"timeout": options.timeout}
    if backend == "sqlite":
        place = Path(url.database or "").as_uri()
        url = url.set(database=place, query={"mode": "ro", "uri": "true"})
    else:
        arguments = {"connect_timeout": seconds, "read_timeout": seconds}
        if options.tls:
            arguments["ssl"] = ssl.create_default_context(cafile=options.ca_file)
    return sql.engine(url, arguments)
