"""What every store must do, over a table of makers; `memory` is the reference."""

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from connectors import archive_store, registry
from connectors.gravitino import rest
from connectors.gravitino.entity_store import EntityStore, Options
from connectors.gravitino.rest import GravitinoRest
from connectors.iceberg import jdbc_store as iceberg_jdbc
from connectors.iceberg import rest_store as iceberg_rest
from connectors.memory import MemoryStore
from discovery.changes import fingerprint
from discovery.diff import differences
from discovery.errors import BelvedereError
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
    View,
)
from discovery.outcomes import Kind
from discovery.ports import Action, Applied, Change, ViewStore
from jobs.embedded.postgres import EmbeddedPostgreSQL
from tests.gravitino_double import gravitino
from tests.iceberg_server import IcebergServer
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


def make_gravitino_rest(request: pytest.FixtureRequest, provider: str, **more: Any) -> Made:
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
    return Made(GravitinoRest(options), GravitinoRest(nowhere), **more)


def make_rest_iceberg(request: pytest.FixtureRequest) -> Made:
    types = Column("id", Primitive("long"), "the id", nullable=False), _HELD_STRUCT
    orders, bare = replace(ORDERS, columns=types), replace(BARE, columns=types[:1])
    return make_gravitino_rest(request, "lakehouse-iceberg", orders=orders, bare=bare)


def make_rest_paimon(request: pytest.FixtureRequest) -> Made:
    query = Representation(dialect="Query", sql="SELECT 1")
    orders = replace(
        ORDERS,
        columns=(Column("id", Primitive("long"), "the id", nullable=False), _HELD_STRUCT),
        representations=(query, *ORDERS.representations),
    )
    bare = replace(BARE, identifier=Identifier(("a",), "V"), representations=(query,))
    return make_gravitino_rest(request, "lakehouse-paimon", orders=orders, bare=bare)


def make_rest_hive(request: pytest.FixtureRequest) -> Made:
    struct = Column("Size", Struct((Field("a", External("jsonb")),)), "x")
    orders = replace(
        ORDERS,
        columns=(ORDERS.columns[0], struct),
        representations=ORDERS.representations[1:],
    )
    bare = replace(BARE, identifier=Identifier(("a",), "v"))
    notyet = {
        "add-dialect": "a view of a Hive Metastore has one dialect",
        "case": "a Hive Metastore keeps names in lower case",
    }
    return make_gravitino_rest(request, "hive", orders=orders, bare=bare, notyet=notyet)


_HELD_STRUCT = Column("Größe 🐝", Struct((Field("a", Primitive("timestamp_tz"), comment="x"),)))


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


MAKERS: dict[str, Callable[[pytest.FixtureRequest], Made]] = {
    "archive": make_archive,
    "gravitino-rest": make_rest_iceberg,
    "gravitino-rest-hive": make_rest_hive,
    "gravitino-rest-paimon": make_rest_paimon,
    "gravitino-store": make_gravitino_store,
    "gravitino-store on MariaDB": make_gravitino_store_on_mariadb,
    "iceberg-jdbc": make_iceberg_jdbc,
    "iceberg-jdbc in MariaDB": make_iceberg_mariadb,
    "iceberg-jdbc in PostgreSQL": make_iceberg_postgresql,
    "iceberg-rest": make_iceberg_rest,
    "memory": make_memory,
}


@pytest.fixture(params=sorted(MAKERS))
def made(request: pytest.FixtureRequest) -> Made:
    return MAKERS[request.param](request)


def change(action: Action, view: View, before: View | None = None, new_name: str = "") -> Change:
    """A change as a plan has it that saw `before`."""
    return Change(action, view, fingerprint(view) or "", fingerprint(before), new_name)


def create(*views: View) -> list[Change]:
    return [change(Action.CREATE, view) for view in views]


def apply(store: ViewStore, *changes: Change) -> list[str]:
    return [one.action for one in store.apply(changes)]


def present(store: ViewStore, *views: View) -> dict[Identifier, View]:
    return {one.identifier: one for one in store.present([view.identifier for view in views])}


def failure(applied: Applied) -> str:
    """The code of a failure."""
    assert applied.action is Action.FAILED
    assert applied.failure is not None
    return applied.failure[0]


def listed(store: ViewStore) -> list[tuple[tuple[str, ...], str, Kind]]:
    return [(one.namespace, one.name, one.kind) for one in store.listing()]


def test_every_store_of_the_registry_has_a_maker() -> None:
    assert registry.STORES.keys() <= MAKERS.keys()


def test_a_target_that_has_not_been_made_lists_nothing(made: Made) -> None:
    with made.store as store:
        assert listed(store) == []
        assert present(store, made.orders) == {}
        assert store.remove([made.orders.identifier.namespace]) == ()


def test_views_read_back_as_they_were_written(made: Made) -> None:
    with made.store as store:
        store.prepare(made.schemas())
        assert apply(store, *create(made.orders, made.bare)) == ["create", "create"]
        there = present(store, made.orders, made.bare)
        for view in (made.orders, made.bare):
            assert differences(view, there[view.identifier]) == ()
            assert fingerprint(there[view.identifier]) == fingerprint(view)
        assert there[made.orders.identifier].audit.creator == made.orders.audit.creator


def test_the_listing_has_namespaces_before_what_they_hold(made: Made) -> None:
    with made.store as store:
        store.prepare(made.schemas())
        apply(store, *create(made.orders, made.bare))
        found = listed(store)
        for view in (made.orders, made.bare):
            place = view.identifier
            space = found.index((place.namespace, "", Kind.NAMESPACE))
            assert space < found.index((place.namespace, place.name, Kind.VIEW))
        assert len(found) == len(set(found))


def test_writing_again_writes_nothing(made: Made) -> None:
    with made.store as store:
        store.prepare(made.schemas())
        store.prepare(made.schemas())
        again = create(made.orders, made.bare)
        apply(store, *again)
        assert apply(store, *again) == ["keep", "keep"]
        touched = replace(made.orders, audit=Audit(last_modifier="bob"))
        assert apply(store, *create(touched)) == ["keep"], "audit data alone is no change"


def test_what_changed_is_replaced(made: Made) -> None:
    with made.store as store:
        store.prepare(made.schemas())
        apply(store, *create(made.orders))
        first = made.orders.representations[0]
        other = (replace(first, sql="SELECT 2 AS id"), *made.orders.representations[1:])
        wanted = store.hold(replace(made.orders, representations=other, comment=None)).view
        there = change(Action.REPLACE, wanted, made.orders)
        assert apply(store, there) == ["replace"]
        assert differences(wanted, present(store, wanted)[wanted.identifier]) == ()
        assert apply(store, there) == ["keep"]
        assert apply(store, change(Action.REPLACE, made.orders, wanted)) == ["replace"]
        back = present(store, wanted)[wanted.identifier]
        assert differences(made.orders, back) == (), "undone"


def test_a_dialect_is_added_beside_the_others(made: Made) -> None:
    made.needs("add-dialect")
    with made.store as store:
        store.prepare(made.schemas())
        apply(store, *create(made.bare))
        more = (*made.bare.representations, Representation(dialect="flink", sql="SELECT 1 AS f"))
        wanted = store.hold(replace(made.bare, representations=more)).view
        assert apply(store, change(Action.ADD_DIALECT, wanted, made.bare)) == ["add-dialect"]
        assert differences(wanted, present(store, wanted)[wanted.identifier]) == ()


def test_a_property_is_set_and_removed(made: Made) -> None:
    made.needs("properties")
    with made.store as store:
        store.prepare(made.schemas())
        apply(store, *create(made.orders))
        kept = tuple(one for one in made.orders.properties if one[0] != "team")
        wanted = replace(made.orders, properties=tuple(sorted((*kept, ("colour", "red")))))
        assert apply(store, change(Action.REPLACE, wanted, made.orders)) == ["replace"]
        back = present(store, wanted)[wanted.identifier]
        assert differences(wanted, back) == ()
        assert "team" not in dict(back.properties)


def test_a_view_is_renamed(made: Made) -> None:
    made.needs("rename")
    with made.store as store:
        store.prepare(made.schemas())
        apply(store, *create(made.orders))
        renamed = change(Action.RENAME, made.orders, made.orders, "v_new")
        assert apply(store, renamed) == ["rename"]
        new = replace(made.orders, identifier=replace(made.orders.identifier, name="v_new"))
        assert present(store, made.orders) == {}
        assert differences(new, present(store, new)[new.identifier]) == ()
        assert apply(store, renamed) == ["keep"]
        assert apply(store, *create(made.orders)) == ["create"], "the name is free again"
        (onto,) = store.apply([change(Action.RENAME, new, new, made.orders.identifier.name)])
        assert failure(onto) == "COLLISION"
        assert len(present(store, made.orders, new)) == 2


def test_a_view_is_dropped_and_may_come_again(made: Made) -> None:
    made.needs("drop")
    with made.store as store:
        store.prepare(made.schemas())
        apply(store, *create(made.orders, made.bare))
        gone = change(Action.DROP, made.orders, made.orders)
        assert apply(store, gone) == ["drop"]
        assert present(store, made.orders) == {}
        assert made.orders.identifier.name not in {name for _, name, _ in listed(store)}
        assert apply(store, gone) == ["keep"]
        assert apply(store, *create(made.orders)) == ["create"]
        back = present(store, made.orders)[made.orders.identifier]
        assert differences(made.orders, back) == ()
        assert apply(store, gone, *create(made.orders)) == ["drop", "create"], "in one go"


def test_what_moved_since_the_plan_is_refused_and_left_alone(made: Made) -> None:
    with made.store as store:
        store.prepare(made.schemas())
        apply(store, *create(made.orders))
        seen = store.hold(replace(made.orders, comment="as the plan saw it")).view
        wanted = store.hold(replace(made.orders, comment="as it shall be")).view
        refused = [change(Action.CREATE, wanted), change(Action.REPLACE, wanted, seen)]
        if "drop" not in made.notyet:
            refused.append(change(Action.DROP, seen, seen))
        if "rename" not in made.notyet:
            refused.append(change(Action.RENAME, seen, seen, "v_new"))
        refused.append(change(Action.REPLACE, made.bare, made.orders))
        for one in refused:
            (answer,) = store.apply([one])
            assert failure(answer) == "MOVED", one.action
        back = present(store, made.orders, made.bare)
        assert differences(made.orders, back[made.orders.identifier]) == ()
        assert len(back) == 1


def test_a_change_that_is_refused_costs_no_other(made: Made) -> None:
    with made.store as store:
        store.prepare(made.schemas())
        apply(store, *create(made.orders))
        moved = store.hold(replace(made.orders, comment="other")).view
        answers = {one.identifier: one for one in store.apply(create(moved, made.bare))}
        assert failure(answers[moved.identifier]) == "MOVED"
        assert answers[made.bare.identifier].action is Action.CREATE


def test_schemas_are_made_with_those_above_and_removed_where_they_are_empty(made: Made) -> None:
    made.needs("schemas")
    with made.store as store:
        store.prepare(made.schemas())
        levels = made.bare.identifier.namespace
        nested = [levels[:depth] for depth in range(1, len(levels) + 1)]
        wanted = {made.orders.identifier.namespace, *nested}
        assert {space for space, _, _ in listed(store)} == wanted
        assert all(store.may_create(space) for space in wanted)
        apply(store, *create(made.orders))
        assert store.remove(sorted(wanted)) == (made.orders.identifier.namespace,)
        assert [space for space, _, _ in listed(store) if space in nested] == []
        assert store.remove(nested) == ()
        store.prepare(made.schemas())
        assert apply(store, *create(made.bare)) == ["create"], "they may come again"
        assert store.remove(nested[:1]) == tuple(nested[:1]), "one that holds a schema stays"


def test_names_differ_by_case(made: Made) -> None:
    made.needs("case")
    with made.store as store:
        store.prepare(made.schemas())
        name = made.orders.identifier.name.upper()
        upper = replace(made.orders, identifier=replace(made.orders.identifier, name=name))
        assert apply(store, *create(made.orders, upper)) == ["create", "create"]
        assert len(present(store, made.orders, upper)) == 2


def test_a_store_says_what_it_is_and_what_it_cannot_hold(made: Made) -> None:
    with made.store as store:
        assert store.probe().version
        held = store.hold(made.orders)
        assert all(isinstance(loss, str) for loss in held.losses)
        assert held.view == made.orders, "what it holds, it holds again"


def test_a_store_that_is_not_there_says_so(made: Made) -> None:
    if made.unreachable is None:
        pytest.skip("it is always there")
    with made.unreachable as store:
        for asked in (store.probe, lambda: list(store.listing())):
            with pytest.raises(BelvedereError) as raised:
                asked()
            assert raised.value.code == "UNREACHABLE"
        (answer,) = store.apply(create(made.orders))
        assert failure(answer) == "UNREACHABLE"
