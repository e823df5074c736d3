"""What every store must do, over a table of makers; `memory` is the reference."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

import psycopg
import pytest

from connectors import registry
from connectors.gravitino.entity_store import EntityStore, Options
from connectors.memory import MemoryStore
from discovery import wire
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
from discovery.ports import Change, ViewStore
from jobs.embedded.postgres import EmbeddedPostgreSQL

SCHEMAS = (
    Schema(levels=("sales",), comment="c", properties=(("k", "v"),)),
    Schema(levels=("a", "b")),
)
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


@dataclass
class Made:
    store: ViewStore
    unreachable: ViewStore | None = None


def make_memory(request: pytest.FixtureRequest) -> Made:
    return Made(MemoryStore())


def make_gravitino_store(request: pytest.FixtureRequest) -> Made:
    server: EmbeddedPostgreSQL = request.getfixturevalue("postgresql")
    server.execute(("DROP DATABASE IF EXISTS store_contract", "CREATE DATABASE store_contract"))
    options = Options(
        url=server.url("store_contract"),
        user="postgres",
        metalake="m",
        catalog="c",
        provider="hive",
    )
    nowhere = replace(options, url="postgresql://127.0.0.1:1/x", timeout=2)
    return Made(EntityStore(options), EntityStore(nowhere))


MAKERS: dict[str, Callable[[pytest.FixtureRequest], Made]] = {
    "gravitino-store": make_gravitino_store,
    "memory": make_memory,
}


@pytest.fixture(params=sorted(MAKERS))
def made(request: pytest.FixtureRequest) -> Made:
    return MAKERS[request.param](request)


def change(view: View) -> Change:
    return Change(view, wire.view_text(view)[1])


def apply(store: ViewStore, *views: View) -> list[str]:
    return [one.action for one in store.apply([change(view) for view in views])]


def present(store: ViewStore, *views: View) -> dict[Identifier, View]:
    return {one.identifier: one for one in store.present([view.identifier for view in views])}


def test_every_store_of_the_registry_has_a_maker() -> None:
    assert registry.STORES.keys() <= MAKERS.keys()


def test_views_read_back_as_they_were_written(made: Made) -> None:
    with made.store as store:
        store.prepare(SCHEMAS)
        assert apply(store, ORDERS, BARE) == ["create", "create"]
        there = present(store, ORDERS, BARE)
        for view in (ORDERS, BARE):
            assert differences(view, there[view.identifier]) == ()
        assert there[ORDERS.identifier].audit == ORDERS.audit


def test_writing_again_writes_nothing(made: Made) -> None:
    with made.store as store:
        store.prepare(SCHEMAS)
        store.prepare(SCHEMAS)
        apply(store, ORDERS, BARE)
        assert apply(store, ORDERS, BARE) == ["keep", "keep"]
        touched = replace(ORDERS, audit=Audit(last_modifier="bob"))
        assert apply(store, touched) == ["keep"], "audit data alone is no change"


def test_what_changed_is_replaced_and_the_image_before_is_told(made: Made) -> None:
    with made.store as store:
        store.prepare(SCHEMAS)
        apply(store, ORDERS)
        shorter = replace(ORDERS, representations=ORDERS.representations[:1], comment=None)
        (applied,) = store.apply([change(shorter)])
        assert (applied.action, applied.before) == ("replace", ORDERS)
        assert differences(shorter, present(store, ORDERS)[ORDERS.identifier]) == ()
        assert apply(store, ORDERS) == ["replace"]
        assert differences(ORDERS, present(store, ORDERS)[ORDERS.identifier]) == ()


def test_names_differ_by_case(made: Made) -> None:
    with made.store as store:
        store.prepare(SCHEMAS)
        upper = replace(ORDERS, identifier=Identifier(("sales",), "V_ORDERS"))
        assert apply(store, ORDERS, upper) == ["create", "create"]
        assert len(present(store, ORDERS, upper)) == 2


def test_what_is_not_there_is_not_present(made: Made) -> None:
    with made.store as store:
        store.prepare(SCHEMAS)
        assert present(store, ORDERS) == {}
        assert differences(ORDERS, None) == ("view",)


def test_a_store_says_what_it_is_and_what_it_cannot_hold(made: Made) -> None:
    with made.store as store:
        assert store.probe().version
        assert all(isinstance(loss, str) for loss in store.losses(ORDERS))
        assert store.losses(BARE) == ()


def test_a_store_that_is_not_there_says_so(made: Made) -> None:
    if made.unreachable is None:
        pytest.skip("memory is always there")
    with made.unreachable as store:
        with pytest.raises(BelvedereError) as raised:
            store.probe()
        assert raised.value.code == "UNREACHABLE"
        assert apply(store, ORDERS) == ["failed"]


@pytest.fixture
def gravitino(
    request: pytest.FixtureRequest,
) -> Iterator[tuple[EntityStore, psycopg.Connection[Any]]]:
    server: EmbeddedPostgreSQL = request.getfixturevalue("postgresql")
    made = make_gravitino_store(request)
    place = f"dbname=store_contract host={server.socket} user=postgres"
    assert isinstance(made.store, EntityStore)
    with psycopg.connect(place, autocommit=True) as connection:
        made.store.prepare(SCHEMAS)
        yield made.store, connection


def test_rows_have_the_layout_of_gravitino_1_3(
    gravitino: tuple[EntityStore, psycopg.Connection[Any]],
) -> None:
    store, connection = gravitino
    apply(store, ORDERS, BARE)
    row = connection.execute(
        "SELECT m.schema_version, c.type, c.provider, c.properties, s.properties, s.schema_name,"
        " v.audit_info, v.current_version, v.last_version, v.deleted_at, i.version, i.columns,"
        " i.properties, i.default_catalog, i.default_schema, i.representations, v.view_id"
        " FROM metalake_meta m JOIN catalog_meta c USING (metalake_id)"
        " JOIN schema_meta s USING (catalog_id) JOIN view_meta v USING (schema_id)"
        " JOIN view_version_info i USING (view_id) WHERE v.view_name = 'v_orders'"
    ).fetchone()
    assert row is not None
    (
        version,
        kind,
        provider,
        catalog,
        schema,
        name,
        audit,
        current,
        last,
        deleted,
        number,
        *rest,
    ) = row
    assert (version, kind, provider, name) == ('"v_0_1"', "RELATIONAL", "hive", "sales")
    assert json.loads(catalog)["gravitino.identifier"].startswith("gravitino.v1.uid")
    assert json.loads(schema) == {"k": "v"}
    assert json.loads(audit) == {
        "creator": "alice",
        "createTime": "2026-03-04T00:00:00Z",
        "lastModifier": None,
        "lastModifiedTime": None,
    }
    assert (current, last, deleted, number) == (1, 1, 0, 1)
    columns, properties, default_catalog, default_schema, representations, view_id = rest
    known = {"name", "type", "comment", "nullable", "autoIncrement"}
    assert all(one.keys() == known for one in json.loads(columns)), "another key breaks readers"
    assert json.loads(properties)["belvedere.security-mode"] == "DEFINER"
    assert (default_catalog, default_schema) == ("lake", None)
    assert json.loads(representations)[1] == {
        "type": "sql",
        "dialect": "spark",
        "sql": "SELECT 1",
        "defaultSchema": "other",
    }
    assert 0 < view_id < 2**62
    bare = connection.execute(
        "SELECT s.schema_name, s.properties, i.properties FROM schema_meta s"
        " JOIN view_meta v USING (schema_id) JOIN view_version_info i USING (view_id)"
        " WHERE v.view_name = 'V'"
    ).fetchone()
    assert bare == ("a\x01b", "{}", None)


def test_a_replaced_view_keeps_its_versions(
    gravitino: tuple[EntityStore, psycopg.Connection[Any]],
) -> None:
    store, connection = gravitino
    apply(store, ORDERS)
    apply(store, replace(ORDERS, comment="other"))
    rows = connection.execute(
        "SELECT v.current_version, v.last_version, i.version, i.view_comment FROM view_meta v"
        " JOIN view_version_info i USING (view_id) ORDER BY i.version"
    ).fetchall()
    assert rows == [(2, 2, 1, "open orders"), (2, 2, 2, "other")]


def test_one_view_that_is_refused_costs_no_other(
    gravitino: tuple[EntityStore, psycopg.Connection[Any]],
) -> None:
    store, _ = gravitino
    long = replace(ORDERS, identifier=Identifier(("sales",), "v" * 65))
    bad = replace(ORDERS, identifier=Identifier(("sales",), "bad"), comment="a \0 byte")
    lost = replace(ORDERS, identifier=Identifier(("nowhere",), "v"))
    answers = list(store.apply([change(one) for one in (ORDERS, long, bad, lost, BARE)]))
    assert [one.action for one in answers] == ["create", "failed", "failed", "failed", "create"]
    assert "64 characters" in (answers[1].failure or ("", ""))[1]
    assert "nowhere" in (answers[3].failure or ("", ""))[1]


def test_another_layout_is_refused(
    gravitino: tuple[EntityStore, psycopg.Connection[Any]],
) -> None:
    store, connection = gravitino
    connection.execute("ALTER TABLE view_meta DROP COLUMN audit_info")
    with pytest.raises(BelvedereError, match="table view_meta has no audit_info"):
        store.probe()


def schema_rows(connection: psycopg.Connection[Any]) -> dict[str, dict[str, Any]]:
    rows = connection.execute("SELECT schema_name, audit_info FROM schema_meta").fetchall()
    return {name: json.loads(audit) for name, audit in rows}


def test_schemas_above_a_nested_one_are_made_with_its_owner(
    gravitino: tuple[EntityStore, psycopg.Connection[Any]],
) -> None:
    store, connection = gravitino
    store.prepare((Schema(levels=("x", "y", "z"), audit=Audit(creator="alice")),))
    rows = schema_rows(connection)
    assert {rows[name]["creator"] for name in ("x", "x\x01y", "x\x01y\x01z")} == {"alice"}
    assert {"a", "a\x01b"} <= rows.keys()


def test_a_schema_that_would_be_taken_for_levels_stops_nesting(
    gravitino: tuple[EntityStore, psycopg.Connection[Any]],
) -> None:
    store, connection = gravitino
    connection.execute("UPDATE schema_meta SET schema_name = 'old:sales' WHERE schema_name = 'a'")
    before = schema_rows(connection)
    with pytest.raises(BelvedereError, match="'old:sales' contains the separator") as raised:
        store.prepare((Schema(levels=("x", "y")),))
    assert raised.value.code == "NAMESPACE_CONFLICT"
    assert "';'" in raised.value.hint
    assert schema_rows(connection) == before, "all or nothing"


def test_a_new_schema_with_the_separator_in_its_name_is_refused(
    gravitino: tuple[EntityStore, psycopg.Connection[Any]],
) -> None:
    store, connection = gravitino
    with pytest.raises(BelvedereError, match="separates levels") as raised:
        store.prepare((Schema(levels=("fine",)), Schema(levels=("new:name",))))
    assert raised.value.code == "INVALID_NAMESPACE"
    assert "fine" not in schema_rows(connection)


def test_a_name_that_a_server_would_take_for_levels_is_told(
    gravitino: tuple[EntityStore, psycopg.Connection[Any]],
) -> None:
    store, _ = gravitino
    (loss,) = store.losses(replace(BARE, identifier=Identifier(("a:b",), "v")))
    assert "takes it for levels" in loss


def test_a_separator_that_would_break_routes_is_refused_with_the_configuration() -> None:
    with pytest.raises(BelvedereError, match="conflicts with the parsing") as raised:
        Options(url="postgresql:///x", metalake="m", catalog="c", schema_separator="/")
    assert raised.value.code == "INVALID_SEPARATOR"
