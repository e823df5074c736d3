import json
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discovery import wire
from discovery.errors import DecodeError
from discovery.model import (
    Audit,
    Column,
    External,
    Field,
    Identifier,
    ListOf,
    MapOf,
    Primitive,
    Representation,
    Schema,
    Security,
    SecurityMode,
    Struct,
    UnionOf,
    View,
)

names = st.text(min_size=1, max_size=8)
primitives = st.sampled_from(["long", "decimal(10,2)", "timestamp_tz(6)"]).map(Primitive)
types = st.recursive(
    primitives | st.builds(External, names),
    lambda inner: (
        st.builds(ListOf, inner, st.booleans())
        | st.builds(MapOf, inner, inner, st.booleans())
        | st.lists(inner, min_size=1, max_size=3).map(lambda one: UnionOf(tuple(one)))
        | st.lists(
            st.builds(Field, names, inner, st.booleans(), st.none() | names), min_size=1, max_size=3
        ).map(lambda one: Struct(tuple(one)))
    ),
    max_leaves=6,
)
times = st.datetimes(timezones=st.just(UTC), min_value=datetime(1970, 1, 2))  # noqa: DTZ001
views = st.builds(
    View,
    identifier=st.builds(Identifier, st.just(("db",)), names),
    columns=st.lists(st.builds(Column, names, types, st.none() | names, st.booleans())).map(tuple),
    representations=st.builds(
        Representation,
        dialect=names,
        sql=names,
        default_catalog=st.none() | names,
        default_schema=st.none() | names,
    ).map(lambda representation: (representation,)),
    comment=st.none() | st.text(),
    security=st.none() | st.builds(Security, st.sampled_from(SecurityMode), st.none() | names),
    properties=st.dictionaries(names, names).map(lambda one: tuple(sorted(one.items()))),
    audit=st.builds(Audit, creator=st.none() | names, create_time=st.none() | times),
)

ORDERS = View(
    identifier=Identifier(("sales",), "v_orders"),
    comment="open orders",
    columns=(
        Column("id", Primitive("long"), "the id", nullable=False),
        Column("tags", ListOf(Primitive("string"))),
    ),
    representations=(
        Representation(
            dialect="trino",
            sql='SELECT "id"\nFROM t',
            default_catalog="lake",
            default_schema="sales",
        ),
        Representation(dialect="spark", sql="SELECT `id` FROM t"),
    ),
    security=Security(SecurityMode.DEFINER, "alice"),
    properties=(("team", "sales"),),
    audit=Audit(creator="alice", create_time=datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC)),
)


def test_a_view_has_gravitinos_field_names() -> None:
    assert json.loads(wire.view_text(ORDERS)[0]) == {
        "name": "v_orders",
        "comment": "open orders",
        "columns": [
            {"name": "id", "type": "long", "nullable": False, "comment": "the id"},
            {
                "name": "tags",
                "type": {"type": "list", "containsNull": True, "elementType": "string"},
                "nullable": True,
            },
        ],
        "representations": [
            {
                "type": "sql",
                "dialect": "trino",
                "sql": 'SELECT "id"\nFROM t',
                "defaultCatalog": "lake",
                "defaultSchema": "sales",
            },
            {"type": "sql", "dialect": "spark", "sql": "SELECT `id` FROM t"},
        ],
        "securityConfig": {"securityMode": "DEFINER", "definer": "alice"},
        "properties": {"team": "sales"},
        "audit": {"creator": "alice", "createTime": "2026-03-04T05:06:07Z"},
    }


@given(views)
def test_a_view_survives_its_json(view: View) -> None:
    text, _ = wire.view_text(view)
    assert wire.view_from_json(json.loads(text), ("db",)) == view


def test_a_schema_survives_its_json() -> None:
    schema = Schema(levels=("a", "b"), comment="c", properties=(("k", "v"),), owner="o")
    assert wire.schema_from_text(wire.schema_text(schema)[0], ("a", "b")) == schema


def test_the_fingerprint_looks_past_audit_data() -> None:
    touched = replace(ORDERS, audit=Audit(last_modifier="bob"))
    assert wire.view_text(touched)[1] == wire.view_text(ORDERS)[1]


def test_the_fingerprint_is_the_same_in_every_version_of_belvedere() -> None:
    wanted = "1:ac45387c891285782ff869fa275b5794d7846706b57797cef0d52e019187dff6"
    assert wire.view_text(ORDERS)[1] == wanted


@pytest.mark.parametrize(
    "changed",
    [
        replace(ORDERS, comment=None),
        replace(ORDERS, columns=ORDERS.columns[:1]),
        replace(ORDERS, representations=ORDERS.representations[:1]),
        replace(ORDERS, security=Security(SecurityMode.INVOKER)),
        replace(ORDERS, properties=()),
    ],
)
def test_the_fingerprint_sees_every_field(changed: View) -> None:
    assert wire.view_text(changed)[1] != wire.view_text(ORDERS)[1]


def test_half_of_a_surrogate_pair_is_refused() -> None:
    with pytest.raises(DecodeError, match="surrogate"):
        wire.view_text(replace(ORDERS, comment="\ud800"))
    with pytest.raises(DecodeError, match="field creator: half of a surrogate pair"):
        wire.view_text(replace(ORDERS, audit=Audit(creator="x\ud800")))


@pytest.mark.parametrize("data", [7, {}, {"type": "list"}, {"type": "STRUCT", "fields": []}])
def test_what_is_no_type_is_refused(data: object) -> None:
    with pytest.raises(DecodeError):
        wire.type_from_json(data)
