"""The tables in which an Iceberg JDBC catalog keeps its pointers, as source and store see them.

They are `iceberg_tables` and `iceberg_namespace_properties` (Iceberg's JdbcCatalog and JdbcUtil
1.11, schema V0 and V1; views are there since V1).
"""

import ssl
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from typing import Any, Final, TypeVar

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    Engine,
    MetaData,
    String,
    Table,
    and_,
    inspect,
    make_url,
    select,
    tuple_,
)
from sqlalchemy.engine.interfaces import IsolationLevel
from sqlalchemy.exc import DBAPIError

from connectors.clients import sql, sqlite
from connectors.clients.bounds import RESTART
from discovery.engines import ENGINES
from discovery.errors import (
    BelvedereError,
    ReadError,
    StoreError,
    UnreachableError,
    UnsupportedVersionError,
)
from discovery.namespaces import Levels, with_parents
from discovery.outcomes import Kind, Listed
from discovery.patterns import Patterns

LONGEST_NAME: Final = 255
LONGEST_VALUE: Final = 1000  # of a property, and of a location
VIEW: Final = "VIEW"
Asked = TypeVar("Asked")
METADATA: Final = MetaData()
OBJECTS: Final = Table(
    "iceberg_tables",
    METADATA,
    Column("catalog_name", String(LONGEST_NAME), primary_key=True),
    Column("table_namespace", String(LONGEST_NAME), primary_key=True),
    Column("table_name", String(LONGEST_NAME), primary_key=True),
    Column("metadata_location", String(LONGEST_VALUE)),
    Column("previous_metadata_location", String(LONGEST_VALUE)),
    Column("iceberg_type", String(5)),  # since V1; null is a table
)
PROPERTIES: Final = Table(
    "iceberg_namespace_properties",
    METADATA,
    Column("catalog_name", String(LONGEST_NAME), primary_key=True),
    Column("namespace", String(LONGEST_NAME), primary_key=True),
    Column("property_key", String(LONGEST_NAME), primary_key=True),
    Column("property_value", String(LONGEST_VALUE)),
)
DRIVERS: Final = {
    engine.name: engine.python_driver for engine in ENGINES.values() if engine.python_driver
}
"""What SQLAlchemy's URLs begin with, by the scheme of ours."""


def check_url(url: str) -> None:
    """Refuse a file of SQLite that is named by no absolute path.

    Raises:
        ConfigurationError: It is.
    """
    parts = make_url(url)
    if parts.get_backend_name() == "sqlite":
        sqlite.check_path(parts)


def levels(namespace: str) -> Levels:
    """The levels of a namespace's name in the tables."""
    return tuple(namespace.split(".")) if namespace else ()


def at(catalog: str, places: Collection[tuple[str, str]]) -> ColumnElement[bool]:
    """The condition of a query for objects of a catalog, by the names of namespace and object.

    Pairs alone lead SQLite through all that the catalog has: it is asked for each of the names,
    too, which its index finds.
    """
    space, name = OBJECTS.c.table_namespace, OBJECTS.c.table_name
    return and_(
        OBJECTS.c.catalog_name == catalog,
        space.in_({space for space, _ in places}),
        name.in_({name for _, name in places}),
        tuple_(space, name).in_(list(places)),
    )


def write_error(error: DBAPIError) -> BelvedereError:
    """Our error for a write that the database refused."""
    refusal = sql.our_error(error, connected=True)
    return StoreError(refusal.message) if isinstance(refusal, ReadError) else refusal


class Pointers:
    """A connection to the database of a catalog, opened when it is first needed.

    Args:
        login: Where and who.
        timeout: Seconds for connecting and for each statement.
        writes: Whether it shall write; if not, the database is told so where it can be.
    """

    def __init__(self, login: sql.DatabaseLogin, timeout: float, *, writes: bool = False) -> None:
        self._engine, self._writes = _engine(login, timeout, writes=writes), writes
        self._connection: Connection | None = None
        self._waits: Sequence[float] = () if writes or self.database == "sqlite" else sql.WAITS

    @property
    def database(self) -> str:
        """SQLAlchemy's name of the kind of database."""
        return self._engine.name

    def close(self) -> None:
        """Close the connection, which may be lost: without a word to the server."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.invalidate()
            connection.close()

    def impatient(self) -> None:
        """Let a server that is away fail at once: for a person who waits."""
        self._waits = ()

    def open_connection(self) -> Connection:
        """The connection; if it only reads, each statement is its own transaction.

        Raises:
            BelvedereError: The database refuses us, or stays away; it is then tried once each time.
        """
        if self._connection is None:
            try:
                self._connection = sql.open_connection(self._connect, self._waits)
            except BelvedereError:
                self.impatient()
                raise
            if self._waits:
                self._waits = RESTART
        return self._connection

    def _connect(self) -> Connection:
        try:
            return self._engine.connect()
        except DBAPIError as error:
            raise sql.our_error(error) from None

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """A transaction, for a connection that writes.

        Raises:
            DBAPIError: The database refused it, and nothing of it was done; or it is gone
                (`connection_invalidated`), and what it did is unknown.
        """
        try:
            with self.open_connection().begin():
                yield self.open_connection()
        except DBAPIError as error:
            self._forget(error)
            raise

    def rows(self, query: Any) -> Sequence[Any]:  # noqa: ANN401 - SQLAlchemy
        """The rows of a query.

        Raises:
            BelvedereError: The database refused it, or is gone.
        """
        rows: Sequence[Any] = self._ask(lambda connection: connection.execute(query).all())
        return rows

    def _ask(self, ask: Callable[[Connection], Asked]) -> Asked:
        """What is asked; once more on a new connection where the old one is lost.

        Raises:
            BelvedereError: The database refused it, or is gone.
        """
        self.open_connection()
        try:
            return self._ask_once(ask)
        except UnreachableError:
            return self._ask_once(ask)

    def _ask_once(self, ask: Callable[[Connection], Asked]) -> Asked:
        try:
            with self._begin_read() as connection:
                return ask(connection)
        except DBAPIError as error:
            raise sql.our_error(error) from None

    @contextmanager
    def _begin_read(self) -> Iterator[Connection]:
        """The connection for a query; one that writes begins a transaction with it, too."""
        if self._writes:
            with self.transaction() as connection:
                yield connection
            return
        try:
            yield self.open_connection()
        except DBAPIError as error:
            self._forget(error)
            raise

    def _forget(self, error: DBAPIError) -> None:
        """Connect anew after an error that the connection has not outlived."""
        if error.connection_invalidated:
            self.close()

    def listing(self, catalog: str, patterns: Patterns) -> Iterator[Listed]:
        """Namespaces with those above them, and what they hold."""
        objects: dict[Levels, list[tuple[str, Kind, str]]] = {}
        for space, name, kind, pointer in self._read_objects(catalog):
            objects.setdefault(levels(space), []).append((name, kind, pointer))
        namespaces = chain(objects, map(levels, self._read_named_namespaces(catalog)))
        for place in ((), *with_parents(filter(None, namespaces))):
            if not patterns.allows_namespace(place):
                continue
            if place:
                yield Listed(place, "", Kind.NAMESPACE)
            for name, kind, pointer in sorted(objects.get(place, ())):
                if patterns.allows(place, name):
                    yield Listed(place, name, kind, signal=pointer)

    def _read_objects(self, catalog: str) -> Iterator[tuple[str, str, Kind, str]]:
        """Namespace, name, kind and pointer of everything that a catalog points to.

        A pointer is a signal of what it leads to, as a metadata file is never written over
        (Iceberg's spec, "File System Operations").
        """
        columns = [*OBJECTS.c["table_namespace", "table_name", "metadata_location"]]
        if self.has_views():
            columns.append(OBJECTS.c.iceberg_type)
        for space, name, pointer, *kind in self.rows(
            select(*columns).where(OBJECTS.c.catalog_name == catalog)
        ):
            yield space, name, Kind.VIEW if kind == [VIEW] else Kind.TABLE, pointer or ""

    def _read_named_namespaces(self, catalog: str) -> Iterator[str]:
        """Namespaces that have properties; an empty one has no other trace."""
        if self.has(PROPERTIES):
            query = select(PROPERTIES.c.namespace).distinct()
            for (name,) in self.rows(query.where(PROPERTIES.c.catalog_name == catalog)):
                yield name

    def has_views(self) -> bool:
        """Whether objects have a type: before V1, all are tables.

        Raises:
            UnsupportedVersionError: It is no database of a catalog.
        """
        if not self.has(OBJECTS):
            hint = "is that the database of an Iceberg JDBC catalog?"
            raise UnsupportedVersionError("there is no table iceberg_tables", hint=hint)
        return "iceberg_type" in self._read_columns(OBJECTS)

    def has(self, table: Table) -> bool:
        """Whether a table is there."""
        return bool(self._read_columns(table))

    def _read_columns(self, table: Table) -> set[str]:
        """The names of a table's columns; none if there is no such table."""

        def names(connection: Connection) -> set[str]:
            inspector = inspect(connection)
            columns = inspector.get_columns(table.name) if inspector.has_table(table.name) else []
            return {column["name"] for column in columns}

        return self._ask(names)


def _engine(login: sql.DatabaseLogin, timeout: float, *, writes: bool) -> Engine:
    backend = make_url(login.url).get_backend_name()
    seconds = max(2, round(timeout))
    isolation: IsolationLevel | None = None if writes else "AUTOCOMMIT"
    if backend == "postgresql":
        limit = f"-c statement_timeout={seconds * 1000}"
        reading = "" if writes else "-c default_transaction_read_only=on "
        return sql.postgresql(login, options=reading + limit, timeout=timeout, isolation=isolation)
    url = login.complete_url(DRIVERS[backend])
    arguments: dict[str, object] = {"timeout": timeout}
    if backend == "sqlite":
        url = sqlite.opened(url.set(query={}), "rwc" if writes else "ro")
    else:
        arguments = {"connect_timeout": seconds, "read_timeout": seconds}
        if login.tls:
            arguments["ssl"] = ssl.create_default_context(cafile=login.ca_file)
    return sql.engine(url, arguments, isolation=isolation)
