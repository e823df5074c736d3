"""The table of connectors: where each one's class and options are. Imports nothing until asked."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import Any, Final, Protocol, Self, runtime_checkable

from connectors.clients.credentials import Secret
from discovery.addresses import SourceAddress
from discovery.errors import ConfigurationError
from discovery.judging.asking import LiveEngine
from discovery.packages import missing
from discovery.patterns import Patterns
from discovery.ports import ViewSource, ViewStore


@dataclass(frozen=True, slots=True)
class ConnectorKind:
    """Where a connector is: `module:Class`, with its `Options` in the same module."""

    path: str

    def connector(self) -> type[Any]:
        """Its class.

        Raises:
            ConfigurationError: A package that it needs is not installed.
            InternalError: A module of ours is not there.
        """
        connector: type[Any] = getattr(self._import_module(), self.path.partition(":")[2])
        return connector

    def options(self) -> type[Any]:
        """The class of its options.

        Raises:
            ConfigurationError: A package that it needs is not installed.
            InternalError: A module of ours is not there.
        """
        options: type[Any] = self._import_module().Options
        return options

    def _import_module(self) -> Any:  # noqa: ANN401 - a module
        module = self.path.partition(":")[0]
        try:
            return import_module(module)
        except ModuleNotFoundError as error:
            raise missing(error, module) from error


SOURCES: Final[Mapping[str, ConnectorKind]] = {
    "archive": ConnectorKind("connectors.archive:Archive"),
    "doris": ConnectorKind("connectors.jdbc.doris:Doris"),
    "glue": ConnectorKind("connectors.glue:Glue"),
    "hms": ConnectorKind("connectors.hms:HiveMetastore"),
    "hms-database": ConnectorKind("connectors.hms_database.source:MetastoreDatabase"),
    "iceberg-hive": ConnectorKind("connectors.hms:IcebergHive"),
    "iceberg-jdbc": ConnectorKind("connectors.iceberg.jdbc:JdbcCatalog"),
    "iceberg-rest": ConnectorKind("connectors.iceberg.rest:RestCatalog"),
    "mysql": ConnectorKind("connectors.jdbc.mysql:MySQL"),
    "paimon": ConnectorKind("connectors.paimon.source:Paimon"),
    "postgresql": ConnectorKind("connectors.jdbc.postgresql:PostgreSQL"),
    "sqlalchemy": ConnectorKind("connectors.jdbc.any_database:AnyDatabase"),
    "starrocks": ConnectorKind("connectors.jdbc.starrocks:StarRocks"),
}
STORES: Final[Mapping[str, ConnectorKind]] = {
    "archive": ConnectorKind("connectors.archive_store:ArchiveStore"),
    "gravitino-rest": ConnectorKind("connectors.gravitino.rest.store:GravitinoRest"),
    "gravitino-store": ConnectorKind("connectors.gravitino.entity_store.store:EntityStore"),
    "hms": ConnectorKind("connectors.hms_stores.native:MetastoreStore"),
    "iceberg-hive": ConnectorKind("connectors.hms_stores.iceberg:HiveCatalogStore"),
    "iceberg-jdbc": ConnectorKind("connectors.iceberg.jdbc_store:JdbcStore"),
    "iceberg-rest": ConnectorKind("connectors.iceberg.rest_store:RestStore"),
    "paimon": ConnectorKind("connectors.paimon.store:PaimonStore"),
}
_PAIRED: Final = ConnectorKind("connectors.gravitino.paired:PairedStore")
_VIEW_ROWS: Final = ConnectorKind("connectors.gravitino.entity_store.view_rows:ViewRows")
NO_STORES: Final[Mapping[str, str]] = {
    "glue": "Iceberg's catalog in Glue has no views: say `kind: gravitino` with `provider: glue`",
    "hms-database": "a metastore's own database is only read: say `kind: hms`",
}
"""Sources that are no targets, and what is instead."""
JUDGES: Final[Mapping[str, ConnectorKind]] = {
    "doris": ConnectorKind("connectors.judges.opinions:DorisOpinion"),
    "flink": ConnectorKind("connectors.judges.flink:Flink"),
    "hive": ConnectorKind("connectors.judges.hive:Hive"),
    "mysql": ConnectorKind("connectors.judges.opinions:MySQLOpinion"),
    "postgresql": ConnectorKind("connectors.judges.postgresql:PostgreSQLParser"),
    "spark": ConnectorKind("connectors.judges.spark:Spark"),
    "starrocks": ConnectorKind("connectors.judges.opinions:StarRocksOpinion"),
    "trino": ConnectorKind("connectors.judges.trino:Trino"),
}
ANALYZERS: Final[Mapping[str, ConnectorKind]] = {
    "coral": ConnectorKind("connectors.judges.coral:CoralAnalyzer"),
    "coral-parsed": ConnectorKind("connectors.judges.coral:Coral"),
    "flink": ConnectorKind("connectors.judges.flink_analyzer:FlinkAnalyzer"),
    "hive": ConnectorKind("connectors.judges.hive_analyzer:HiveAnalyzer"),
    "postgresql": ConnectorKind("connectors.judges.postgresql_analyzer:PostgreSQLAnalyzer"),
    "spark": ConnectorKind("connectors.judges.spark_analyzer:SparkAnalyzer"),
    "trino": ConnectorKind("connectors.judges.trino_analyzer:TrinoAnalyzer"),
}
"""By name (`discovery.judging.analyzers`)."""
ENGINES: Final[Mapping[str, ConnectorKind]] = {
    "flink": ConnectorKind("connectors.engines.flink:FlinkGateway"),
    "hive": ConnectorKind("connectors.engines.hive:HiveServer"),
    "spark": ConnectorKind("connectors.engines.spark:SparkConnect"),
    "trino": ConnectorKind("connectors.engines.trino:TrinoServer"),
}
"""Running engines that can be asked of views where they are (`discovery.judging.asking`)."""
OPINIONS: Final = frozenset(
    name for name, judge in JUDGES.items() if judge.path.startswith("connectors.judges.opinions:")
)
"""Judges that are no parser of their engine."""


@runtime_checkable
class LendingOptions(Protocol):
    """Options of a system to which the driver logs in for the executors."""

    def for_executors(self) -> AbstractContextManager[tuple[Self, tuple[Secret, ...]]]:
        """These options with what the login brought, and the secrets that are new in them.

        It is given back at the end of the context. A login that fails is told by whoever connects
        with the options. Does I/O.
        """


@runtime_checkable
class AddressedOptions(Protocol):
    """Options of a system that is at a place with a name for everybody."""

    def address(self) -> SourceAddress | None:
        """The place, of which nothing is secret; None: it has no such name. No I/O."""


@dataclass(frozen=True, slots=True)
class Connector:
    """A configured source, target or running engine, as it travels to the executors.

    Attributes:
        kind: Its name in the registry.
        options: Of the connector's own class `Options`.
        secrets: Values that no output may show.
        stated: The options as the file has them: references unresolved, defaults left out.
        rows: Options of the store that keeps who made each view of a target, and when, if that is
            another one.
        server: Options of the Gravitino server that shows the views of a target, if one is named
            beside the store.
    """

    kind: str
    options: Any
    secrets: tuple[Secret, ...] = ()
    stated: Mapping[str, Any] = field(default_factory=dict)
    rows: Any = None
    server: Any = None

    @property
    def patterns(self) -> Patterns:
        """Which objects of a source are asked for; all, where its options cannot say."""
        include, exclude = (getattr(self.options, name, ()) for name in ("include", "exclude"))
        return Patterns(tuple(include), tuple(exclude))

    def source(self) -> ViewSource:
        """The source; connects when it is first asked."""
        source: ViewSource = SOURCES[self.kind].connector()(self.options)
        return source

    def address(self) -> SourceAddress | None:
        """Where it is, as a report may say it; None: it is at no place with a name."""
        return self.options.address() if isinstance(self.options, AddressedOptions) else None

    def bypasses(self) -> str:
        """What of its own guards a crawl of the source does not meet; empty: nothing."""
        return str(getattr(SOURCES[self.kind].connector(), "bypasses", ""))

    def engine(self) -> LiveEngine:
        """The running engine; connects when it is first asked."""
        engine: LiveEngine = ENGINES[self.kind].connector()(self.options)
        return engine

    def store(self) -> ViewStore:
        """The store; connects when it is first asked."""
        store: ViewStore = STORES[self.kind].connector()(self.options)
        if self.rows is not None:
            store = _PAIRED.connector()(store, _VIEW_ROWS.connector()(self.rows))
        return store

    def showing_server(self) -> AbstractContextManager[ViewStore | None]:
        """The server that shows the views of a target; None: none is named."""
        if self.server is None:
            return nullcontext()
        server: ViewStore = STORES["gravitino-rest"].connector()(self.server)
        return server

    @contextmanager
    def for_executors(self) -> Iterator["Connector"]:
        """This one as executors get it: where it can be, the driver has logged in for them."""
        if not isinstance(self.options, LendingOptions):
            yield self
            return
        with self.options.for_executors() as (options, secrets):
            yield replace(self, options=options, secrets=(*self.secrets, *secrets))


def versions(engine: str) -> tuple[str, ...]:
    """What an estate may say that it runs of an engine, the default first; imports its judge.

    Empty: there are no two releases of its parser here.
    """
    if engine not in JUDGES:
        return ()
    try:
        judge = JUDGES[engine].connector()
    except ConfigurationError:  # a package is missing, and the judges with versions need none
        return ()
    return tuple(judge.versions()) if getattr(judge, "others", None) else ()


def read_only(kind: str) -> bool:
    """Whether a source is kept from being a target, as its class says; imports that class.

    The class says it, not a list here: a new database has it from its base class.
    """
    try:
        source = kind in SOURCES and SOURCES[kind].connector()
    except ConfigurationError:  # a package is missing, and those of databases are never
        return False
    return bool(getattr(source, "read_only", False))


def judging(named: Iterable[str] | None, sources: Iterable[str]) -> tuple[str, ...]:
    """The judges of an estate: those that it names, or every parser, and opinions on what it has.

    Args:
        named: The judges; None: it names none.
        sources: Kinds of its sources.
    """
    return (
        tuple(sorted(JUDGES.keys() - (OPINIONS - set(sources)))) if named is None else tuple(named)
    )


def counted_once(sources: Mapping[str, Connector]) -> dict[str, Connector]:
    """The sources, those of a metastore knowing what others read of it as an Iceberg catalog."""
    others = {
        name: source.options for name, source in sources.items() if source.kind == "iceberg-hive"
    }
    return {
        name: replace(source, options=source.options.beside(others))
        if source.kind == "hms"
        else source
        for name, source in sources.items()
    }
