"""The stores that keep the contract: how each is made, and what is asked of it."""

from collections.abc import Callable, Mapping
from contextlib import ExitStack, closing
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from connectors import archive_store
from connectors.clients.credentials import Secret
from connectors.clients.metastore_writer import MetastoreWriter
from connectors.clients.thrift.login import MetastoreLogin
from connectors.gravitino.entity_store.store import EntityStore, Options
from connectors.gravitino.rest import store as rest
from connectors.gravitino.rest.store import GravitinoRest
from connectors.hms_stores import iceberg as iceberg_hive
from connectors.hms_stores import native as hms_store
from connectors.iceberg import jdbc_store as iceberg_jdbc
from connectors.iceberg import rest_store as iceberg_rest
from connectors.memory import MemoryStore
from connectors.paimon import store as paimon_store
from discovery.migration.changes import fingerprint
from discovery.model import (
    Audit,
    Column,
    External,
    Field,
    Identifier,
    Primitive,
    Representation,
    Schema,
    Security,
    SecurityMode,
    Struct,
    UnionOf,
    View,
)
from discovery.outcomes import Kind
from discovery.ports import Action, Applied, Change, ViewStore
from jobs.embedded.metastore import EmbeddedMetastore
from jobs.embedded.postgres import EmbeddedPostgreSQL
from tests.gravitino_double import gravitino
from tests.iceberg_server import IcebergServer
from tests.paimon_server import PaimonDouble
from tests.servers import MariaDB

ORDERS = View(
    identifier=Identifier(("sales",), "v_orders"),
    comment="open orders",
    columns=(
        Column("id", Primitive("long"), "the id", nullable=False),
        Column("Größe 🐝", Struct((Field("a", External("jsonb"), comment="x"),))),
    ),
    representations=(
        Representation(dialect="trino", sql="SELECT 'a''b'\n%s :x", default_catalog="lake"),
        Representation(dialect="spark", sql="SELECT 1", default_schema="other"),
    ),
    security=Security(SecurityMode.DEFINER, "alice"),
    properties=(("team", "sales"),),
    audit=Audit(creator="alice", create_time=datetime(2026, 3, 4, tzinfo=UTC)),
)
BARE = View(
    identifier=Identifier(("a", "b"), "V"),
    columns=(),
    representations=(Representation(dialect="hive", sql="select 1"),),
)
ICEBERG_ORDERS = replace(
    ORDERS,
    columns=(
        *ORDERS.columns[:1],
        Column("Größe 🐝", Struct((Field("a", Primitive("varchar(3)"), comment="x"),))),
    ),
)


_HELD_STRUCT = Column("Größe 🐝", Struct((Field("a", Primitive("timestamp_tz"), comment="x"),)))
_HELD = Column("id", Primitive("long"), "the id", nullable=False), _HELD_STRUCT
_QUERY = Representation(dialect="Query", sql="SELECT 1")
_EITHER = UnionOf((Primitive("integer"), Primitive("string")))
_SIZE = Column("Size", Struct((Field("a", _EITHER),)), "x")
OF_PROVIDERS: Mapping[str, tuple[View, View]] = {
    "hive": (
        replace(
            ORDERS, columns=(ORDERS.columns[0], _SIZE), representations=ORDERS.representations[1:]
        ),
        replace(BARE, identifier=Identifier(("a",), "v")),
    ),
    "lakehouse-iceberg": (replace(ORDERS, columns=_HELD), replace(BARE, columns=_HELD[:1])),
    "lakehouse-paimon": (
        replace(ORDERS, columns=_HELD, representations=(_QUERY, *ORDERS.representations)),
        replace(BARE, identifier=Identifier(("a",), "V"), representations=(_QUERY,)),
    ),
}
"""What catalogs of Gravitino are tried with: a view as rich as they can hold, and a bare one."""
NOT_BY_PROVIDERS: Mapping[str, Mapping[str, str]] = {
    "hive": {
        "add-dialect": "a view of a Hive Metastore has one dialect",
        "case": "a Hive Metastore keeps names in lower case",
    },
    "lakehouse-paimon": {"schemas": "Gravitino alters no schemas of Paimon"},
}
"""What catalogs of Gravitino cannot do, by the contract's word for it."""


@dataclass
class Made:
    """A store that is empty, and what it is tried with.

    Attributes:
        store: The target need not have been made.
        unreachable: The same where nothing answers; None: it is always there.
        notyet: What it cannot do, by the contract's word for it: the reason.
        orders: A view as rich as it can hold.
        bare: One with as little in it, in a nested schema where there are such.
    """

    store: ViewStore
    unreachable: ViewStore | None = None
    notyet: Mapping[str, str] = field(default_factory=dict)
    orders: View = ORDERS
    bare: View = BARE

    def __post_init__(self) -> None:
        """Views as the store holds them: what a plan writes."""
        self.orders = self.store.hold(self.orders).view
        self.bare = self.store.hold(self.bare).view

    def schemas(self) -> tuple[Schema, ...]:
        space = self.orders.identifier.namespace
        orders = Schema(levels=space, comment="c", properties=(("k", "v"),))
        return orders, Schema(levels=self.bare.identifier.namespace)

    def needs(self, what: str) -> None:
        if what in self.notyet:
            pytest.skip(self.notyet[what])


def make_hms(request: pytest.FixtureRequest) -> Made:
    """In a metastore that others use, too: the two databases of the contract are dropped first."""
    server: EmbeddedMetastore = request.getfixturevalue("metastore")
    orders = replace(
        ORDERS,
        identifier=Identifier(("store_contract",), "v_orders"),
        columns=(
            Column("id", Primitive("long"), "the id", nullable=False),
            Column("Größe 🐝", Struct((Field("a", Primitive("varchar(3)"), comment="x"),))),
        ),
        representations=ORDERS.representations[1:],
    )
    columns = (Column("id", Primitive("long")),)
    bare = replace(BARE, identifier=Identifier(("store_bare",), "v"), columns=columns)
    _dropped(server, orders, bare)
    notyet = {
        "add-dialect": "an entry has one text",
        "case": "a Hive Metastore keeps names in lower case",
        "nothing": "a metastore always has the database default",
    }
    options = hms_store.Options(uri=server.uri)
    nowhere = hms_store.MetastoreStore(replace(options, uri="thrift://127.0.0.1:1", timeout=2))
    return Made(hms_store.MetastoreStore(options), nowhere, notyet, orders, bare)


def make_iceberg_hive(request: pytest.FixtureRequest) -> Made:
    """In the same metastore, in two databases of its own."""
    server: EmbeddedMetastore = request.getfixturevalue("metastore")
    orders = replace(ICEBERG_ORDERS, identifier=Identifier(("ice_contract",), "v_ice_orders"))
    bare = replace(BARE, identifier=Identifier(("ice_bare",), "v_ice"))
    _dropped(server, orders, bare)
    notyet = {
        "case": "a Hive Metastore keeps names in lower case",
        "nothing": "a metastore always has the database default",
    }
    options = iceberg_hive.Options(uri=server.uri, locations=(server.warehouse.as_uri(),))
    nowhere = replace(options, uri="thrift://127.0.0.1:1", timeout=2)
    store = iceberg_hive.HiveCatalogStore(options)
    return Made(store, iceberg_hive.HiveCatalogStore(nowhere), notyet, orders, bare)


def _dropped(server: EmbeddedMetastore, *views: View) -> None:
    """Drop the databases of views, with all that is in them."""
    with closing(MetastoreWriter(MetastoreLogin(uri=server.uri, timeout=60))) as writer:
        for view in views:
            (database,) = view.identifier.namespace
            for name in writer.table_names(database) if writer.database(database) else ():
                writer.drop_entry(database, name or "")
            writer.drop_database(database)


def make_memory(request: pytest.FixtureRequest) -> Made:
    return Made(MemoryStore())


def make_archive(request: pytest.FixtureRequest) -> Made:
    folder: Path = request.getfixturevalue("tmp_path")
    nowhere = archive_store.Options(path=str(folder / "no" / "where"))
    store = archive_store.ArchiveStore(archive_store.Options(path=str(folder / "archive")))
    return Made(store, archive_store.ArchiveStore(nowhere))


def on_postgresql(request: pytest.FixtureRequest) -> Options:
    """An empty database."""
    server: EmbeddedPostgreSQL = request.getfixturevalue("postgresql")
    server.execute(("DROP DATABASE IF EXISTS store_contract", "CREATE DATABASE store_contract"))
    return _gravitino(server.url("store_contract"), "postgres")


def on_mariadb(request: pytest.FixtureRequest) -> Options:
    """An empty database."""
    server: MariaDB = request.getfixturevalue("maria")
    server.execute("DROP DATABASE IF EXISTS store_contract", "CREATE DATABASE store_contract")
    return _gravitino(f"mariadb:///store_contract?unix_socket={server.socket}", "root")


def _gravitino(url: str, user: str) -> Options:
    return Options(url=url, user=user, metalake="m", catalog="c", provider="lakehouse-iceberg")


def make_gravitino_store(request: pytest.FixtureRequest) -> Made:
    options = on_postgresql(request)
    nowhere = replace(options, url="postgresql://127.0.0.1:1/x", timeout=2)
    return Made(EntityStore(options), EntityStore(nowhere))


def make_gravitino_store_on_mariadb(request: pytest.FixtureRequest) -> Made:
    options = on_mariadb(request)
    nowhere = replace(options, url="mysql://127.0.0.1:1/x", timeout=2)
    return Made(EntityStore(options), EntityStore(nowhere))


def make_gravitino_rest(request: pytest.FixtureRequest, provider: str) -> Made:
    """Against our stand-in for a Gravitino server that has nothing yet."""
    opened = ExitStack()
    request.addfinalizer(opened.close)
    options = rest.Options(
        uri=opened.enter_context(gravitino()).uri,
        metalake="m",
        catalog="c",
        provider=provider,
        create_metalake=True,
        create_catalog=True,
    )
    nowhere = replace(options, uri="http://127.0.0.1:1", timeout=1)
    orders, bare = OF_PROVIDERS[provider]
    notyet = NOT_BY_PROVIDERS.get(provider, {})
    return Made(GravitinoRest(options), GravitinoRest(nowhere), notyet, orders, bare)


def make_rest_iceberg(request: pytest.FixtureRequest) -> Made:
    return make_gravitino_rest(request, "lakehouse-iceberg")


def make_rest_paimon(request: pytest.FixtureRequest) -> Made:
    return make_gravitino_rest(request, "lakehouse-paimon")


def make_rest_hive(request: pytest.FixtureRequest) -> Made:
    return make_gravitino_rest(request, "hive")


def iceberg_jdbc_made(options: iceberg_jdbc.Options, **notyet: str) -> Made:
    nowhere = replace(options, url="postgresql://127.0.0.1:1/x", timeout=2)
    store, gone = iceberg_jdbc.JdbcStore(options), iceberg_jdbc.JdbcStore(nowhere)
    return Made(store, gone, notyet, orders=ICEBERG_ORDERS)


def make_iceberg_jdbc(request: pytest.FixtureRequest) -> Made:
    folder: Path = request.getfixturevalue("tmp_path")
    url = f"sqlite:///{folder}/catalog.db"
    return iceberg_jdbc_made(iceberg_jdbc.Options(url=url, warehouse=folder.as_uri()))


def make_iceberg_postgresql(request: pytest.FixtureRequest) -> Made:
    server: EmbeddedPostgreSQL = request.getfixturevalue("postgresql")
    server.execute(("DROP DATABASE IF EXISTS iceberg", "CREATE DATABASE iceberg"))
    folder: Path = request.getfixturevalue("tmp_path")
    url, warehouse = server.url("iceberg"), folder.as_uri()
    return iceberg_jdbc_made(iceberg_jdbc.Options(url=url, user="postgres", warehouse=warehouse))


def make_iceberg_mariadb(request: pytest.FixtureRequest) -> Made:
    server: MariaDB = request.getfixturevalue("maria")
    server.execute("DROP DATABASE IF EXISTS iceberg", "CREATE DATABASE iceberg")
    folder: Path = request.getfixturevalue("tmp_path")
    url, warehouse = server.url().replace(":///", ":///iceberg"), folder.as_uri()
    options = iceberg_jdbc.Options(url=url, user="root", warehouse=warehouse)
    return iceberg_jdbc_made(options, case="MariaDB compares names ignoring case by default")


def make_iceberg_rest(request: pytest.FixtureRequest) -> Made:
    server: IcebergServer = request.getfixturevalue("iceberg_server")
    nowhere = iceberg_rest.Options(uri="http://127.0.0.1:1", timeout=2)
    store = iceberg_rest.RestStore(iceberg_rest.Options(uri=server.uri))
    return Made(store, iceberg_rest.RestStore(nowhere), orders=ICEBERG_ORDERS)


def paimon_made(uri: str, token: str | None = None) -> Made:
    """A store on a Paimon catalog that is empty."""
    secret = None if token is None else Secret(token)
    options = paimon_store.Options(uri=uri, warehouse="wh", token=secret)
    nowhere = replace(options, uri="http://127.0.0.1:1", timeout=2)
    query = Representation(dialect="Query", sql="SELECT 1")
    texts = (replace(query, default_catalog="lake"), *ORDERS.representations)
    return Made(
        paimon_store.PaimonStore(options),
        paimon_store.PaimonStore(nowhere),
        orders=replace(ICEBERG_ORDERS, representations=texts),
        bare=replace(BARE, identifier=Identifier(("a",), "V"), representations=(query,)),
    )


def make_paimon(request: pytest.FixtureRequest) -> Made:
    """Against a double of Paimon's own test server."""
    server: PaimonDouble = request.getfixturevalue("paimon_server")
    return paimon_made(server.uri)


MAKERS: dict[str, Callable[[pytest.FixtureRequest], Made]] = {
    "archive": make_archive,
    "gravitino-rest": make_rest_iceberg,
    "gravitino-rest-hive": make_rest_hive,
    "gravitino-rest-paimon": make_rest_paimon,
    "gravitino-store": make_gravitino_store,
    "gravitino-store on MariaDB": make_gravitino_store_on_mariadb,
    "hms": make_hms,
    "iceberg-hive": make_iceberg_hive,
    "iceberg-jdbc": make_iceberg_jdbc,
    "iceberg-jdbc in MariaDB": make_iceberg_mariadb,
    "iceberg-jdbc in PostgreSQL": make_iceberg_postgresql,
    "iceberg-rest": make_iceberg_rest,
    "memory": make_memory,
    "paimon": make_paimon,
}


def change(action: Action, view: View, before: View | None = None, new_name: str = "") -> Change:
    """A change as a plan has it that saw `before`."""
    return Change(action, view, fingerprint(view) or "", fingerprint(before), new_name)


def create(*views: View) -> list[Change]:
    return [change(Action.CREATE, view) for view in views]


def apply(store: ViewStore, *changes: Change) -> list[str]:
    return [applied.action for applied in store.apply(changes)]


def present(store: ViewStore, *views: View) -> dict[Identifier, View]:
    return {one.identifier: one for one in store.present([view.identifier for view in views])}


def failure(applied: Applied) -> str:
    """The code of a failure."""
    assert applied.action is Action.FAILED
    assert applied.failure is not None
    return applied.failure[0]


def listed(store: ViewStore) -> list[tuple[tuple[str, ...], str, Kind]]:
    return [(one.namespace, one.name, one.kind) for one in store.listing()]
