"""Gravitino's relational store after a load: rows, ids, versions, and what is refused."""

import json
from dataclasses import replace
from typing import Any

import pytest

from connectors.gravitino import cells
from connectors.gravitino.entity_store.store import EntityStore, Options
from discovery.errors import BelvedereError, NotHeldError
from discovery.model import (
    Audit,
    Column,
    External,
    Identifier,
    Primitive,
    Representation,
    Schema,
    Security,
    SecurityMode,
)
from discovery.ports import Action
from tests.contract.gravitino import Store
from tests.contract.stores import (
    BARE,
    ORDERS,
    apply,
    change,
    create,
    failure,
    present,
)

_FASTER = "UPDATE view_meta SET current_version = 7 WHERE view_id = NEW.view_id"
_AFTER = "CREATE TRIGGER faster AFTER INSERT ON view_version_info FOR EACH ROW"
_BODY = f"BEGIN {_FASTER}; RETURN NEW; END"
FASTER = {  # somebody else, between our reading and our writing
    "mysql": (f"{_AFTER} {_FASTER} AND NEW.view_comment = 'mine'",),
    "postgresql": (
        f"CREATE FUNCTION faster() RETURNS trigger AS $${_BODY}$$ LANGUAGE plpgsql",
        f"{_AFTER} WHEN (NEW.view_comment = 'mine') EXECUTE FUNCTION faster()",
    ),
}


def test_rows_have_the_layout_of_gravitino_1_3(gravitino: Store) -> None:
    store = gravitino.store
    apply(store, *create(ORDERS, BARE))
    (row,) = gravitino.rows(
        "SELECT m.schema_version, c.type, c.provider, c.properties, s.properties, s.schema_name,"
        " v.audit_info, v.current_version, v.last_version, v.deleted_at, i.version, i.columns,"
        " i.properties, i.default_catalog, i.default_schema, i.representations, v.view_id"
        " FROM metalake_meta m JOIN catalog_meta c USING (metalake_id)"
        " JOIN schema_meta s USING (catalog_id) JOIN view_meta v USING (schema_id)"
        " JOIN view_version_info i USING (view_id) WHERE v.view_name = 'v_orders'"
    )
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
    assert (version, kind, provider, name) == (
        '"v_0_1"',
        "RELATIONAL",
        "lakehouse-iceberg",
        "sales",
    )
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
    assert all(load.keys() == known for load in json.loads(columns)), "another key breaks readers"
    assert json.loads(properties)["belvedere.security-mode"] == "DEFINER"
    assert (default_catalog, default_schema) == ("lake", None)
    assert json.loads(representations)[1] == {
        "type": "sql",
        "dialect": "spark",
        "sql": "SELECT 1",
        "defaultSchema": "other",
    }
    assert 0 < view_id < 2**62
    bare = gravitino.rows(
        "SELECT s.schema_name, s.properties, i.properties FROM schema_meta s"
        " JOIN view_meta v USING (schema_id) JOIN view_version_info i USING (view_id)"
        " WHERE v.view_name = 'V'"
    )
    assert bare == [("a\x01b", "{}", None)]


def test_a_replaced_view_keeps_its_versions(gravitino: Store) -> None:
    store = gravitino.store
    apply(store, *create(ORDERS))
    (applied,) = store.apply([change(Action.REPLACE, replace(ORDERS, comment="other"), ORDERS)])
    assert "version 1 of view" in applied.remains[0]
    rows = gravitino.rows(
        "SELECT v.current_version, v.last_version, i.version, i.view_comment FROM view_meta v"
        " JOIN view_version_info i USING (view_id) ORDER BY i.version"
    )
    assert rows == [(2, 2, 1, "open orders"), (2, 2, 2, "other")]


def test_one_view_that_is_refused_costs_no_other(gravitino: Store) -> None:
    store = gravitino.store
    long = replace(ORDERS, identifier=Identifier(("sales",), "v" * 65))
    wide = (replace(BARE.representations[0], default_catalog="c" * 129),)
    bad = replace(BARE, identifier=Identifier(("sales",), "bad"), representations=wide)
    lost = replace(ORDERS, identifier=Identifier(("nowhere",), "v"))
    answers = list(store.apply(create(ORDERS, long, bad, lost, BARE)))
    assert [answer.action for answer in answers] == [
        "create",
        "failed",
        "failed",
        "failed",
        "create",
    ]
    assert "64 characters" in (answers[1].failure or ("", ""))[1]
    assert "nowhere" in (answers[3].failure or ("", ""))[1]


def schema_rows(gravitino: Store) -> dict[str, dict[str, Any]]:
    rows = gravitino.rows("SELECT schema_name, audit_info FROM schema_meta")
    return {name: json.loads(audit) for name, audit in rows}


def test_schemas_above_a_nested_one_are_made_with_its_owner(gravitino: Store) -> None:
    store = gravitino.store
    store.prepare((Schema(levels=("x", "y", "z"), audit=Audit(creator="alice")),))
    rows = schema_rows(gravitino)
    assert {rows[name]["creator"] for name in ("x", "x\x01y", "x\x01y\x01z")} == {"alice"}
    assert {"a", "a\x01b"} <= rows.keys()


def test_a_schema_that_would_be_taken_for_levels_stops_nesting(gravitino: Store) -> None:
    store = gravitino.store
    gravitino.execute("UPDATE schema_meta SET schema_name = 'old:sales' WHERE schema_name = 'a'")
    before = schema_rows(gravitino)
    with pytest.raises(BelvedereError, match="'old:sales' contains the separator") as raised:
        store.prepare((Schema(levels=("x", "y")),))
    assert raised.value.code == "NAMESPACE_CONFLICT"
    assert "';'" in raised.value.hint
    assert schema_rows(gravitino) == before, "all or nothing"


def test_a_new_schema_with_the_separator_in_its_name_is_refused(gravitino: Store) -> None:
    store = gravitino.store
    with pytest.raises(BelvedereError, match="separates levels") as raised:
        store.prepare((Schema(levels=("fine",)), Schema(levels=("new:name",))))
    assert raised.value.code == "INVALID_NAMESPACE"
    assert "fine" not in schema_rows(gravitino)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("v" * 65, "64 characters"),
        ("v.w", "no view named 'v.w'"),
        ("*", "no view"),
        ("", "no view"),
    ],
)
def test_a_name_that_a_server_would_not_take_is_blocked(
    gravitino: Store, name: str, why: str
) -> None:
    store = gravitino.store
    with pytest.raises(BelvedereError, match=why) as raised:
        store.hold(replace(BARE, identifier=Identifier(("sales",), name)))
    assert raised.value.code == "NOT_HELD"


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"comment": "a \0 byte"}, "NUL"),
        ({"representations": (Representation(dialect="hive", sql=" "),)}, "text is empty"),
        ({"columns": (Column("", Primitive("long")),)}, "has no name"),
        (
            {"representations": (replace(BARE.representations[0], default_schema="c" * 129),)},
            "more than 128 characters",
        ),
    ],
)
def test_what_a_server_could_not_read_is_blocked(
    gravitino: Store, changed: dict[str, Any], why: str
) -> None:
    with pytest.raises(BelvedereError, match=why) as raised:
        gravitino.store.hold(replace(BARE, **changed))
    assert raised.value.code == "NOT_HELD"


def test_a_comment_that_mysql_cannot_hold_is_blocked(gravitino: Store) -> None:
    long = replace(BARE, comment="é" * 32_768)
    if gravitino.connection.dialect.name == "mysql":
        with pytest.raises(BelvedereError, match="65535 bytes"):
            gravitino.store.hold(long)
    assert gravitino.store.hold(replace(BARE, comment="é" * 32_767)).losses == ()


def test_a_schema_that_a_server_would_take_for_levels_is_blocked(gravitino: Store) -> None:
    store = gravitino.store
    with pytest.raises(BelvedereError, match="no schema named 'a:b'"):
        store.hold(replace(BARE, identifier=Identifier(("a:b",), "v")))


def test_a_type_that_a_server_would_not_parse_is_held_as_an_external_one(gravitino: Store) -> None:
    store = gravitino.store
    texts = ("int", "decimal(39,0)", "timestamp(13)", "variant", "decimal(10, 2)", "TIME(6)")
    columns = tuple(Column(text, Primitive(text)) for text in texts)
    held = store.hold(replace(BARE, columns=columns))
    kinds = [type(column.type) for column in held.view.columns]
    assert kinds == [External, External, External, External, Primitive, Primitive]
    assert len(held.losses) == 4
    assert "column int" in held.losses[0]
    apply(store, *create(held.view))
    assert present(store, BARE)[BARE.identifier] == held.view


def test_a_property_that_keeps_security_reads_back_as_security(gravitino: Store) -> None:
    store = gravitino.store
    kept = (("belvedere.definer", "bob"), ("belvedere.security-mode", "INVOKER"), ("k", "v"))
    for given in (BARE, ORDERS):
        held = store.hold(replace(given, properties=kept)).view
        assert held.security == given.security or held.security == Security(
            SecurityMode.INVOKER, "bob"
        )
        assert held.properties == (("k", "v"),)
        apply(store, *create(held))
        assert present(store, held)[held.identifier].security == held.security


def test_a_view_has_the_id_that_its_property_names(gravitino: Store) -> None:
    store = gravitino.store
    named = replace(BARE, properties=(("gravitino.identifier", "gravitino.v1.uid42"),))
    ids = "SELECT view_id FROM view_meta WHERE deleted_at = 0 ORDER BY view_id"
    assert apply(store, *create(named)) == ["create"]
    assert gravitino.rows(ids) == [(42,)]
    assert apply(store, change(Action.DROP, named, named), *create(named)) == ["drop", "create"]
    assert gravitino.rows(ids) == [(42,)], "its deleted row is taken again"
    twice = replace(named, identifier=Identifier(("sales",), "other"))
    (answer,) = store.apply(create(twice))
    assert "another live view has its id 42" in (answer.failure or ("", ""))[1]
    other = replace(BARE, properties=(("gravitino.identifier", "gravitino.v1.uid43"),))
    (answer,) = store.apply([change(Action.REPLACE, other, named)])
    assert "names the id 43, its row has 42" in (answer.failure or ("", ""))[1]
    with pytest.raises(BelvedereError, match="names no id"):
        store.hold(replace(BARE, properties=(("gravitino.identifier", "x"),)))


def test_a_renamed_view_keeps_its_id_and_its_name_may_be_used_again(gravitino: Store) -> None:
    store = gravitino.store
    apply(store, *create(BARE))
    apply(store, change(Action.RENAME, BARE, BARE, "W"))
    assert apply(store, *create(BARE)) == ["create"]
    rows = gravitino.rows(
        "SELECT view_name, current_version, last_version, count(*) FROM view_meta v"
        " JOIN view_version_info i USING (view_id) GROUP BY v.view_id ORDER BY 1"
    )
    assert rows == [("V", 1, 1, 1), ("W", 2, 2, 2)]


def test_new_views_of_a_batch_get_their_own_ids_whether_free_taken_or_deleted(
    gravitino: Store,
) -> None:
    store = gravitino.store
    names = "abcd"
    views = [replace(BARE, identifier=Identifier(("sales",), name), comment=name) for name in names]
    apply(store, *create(*views[:2]))
    apply(store, change(Action.RENAME, views[0], views[0], "e"))
    apply(store, change(Action.DROP, views[1], views[1]))
    assert apply(store, *create(*views)) == ["create"] * 4
    assert present(store, *views) == {view.identifier: view for view in views}
    rows = gravitino.rows("SELECT view_name, view_id FROM view_meta WHERE deleted_at = 0")
    assert len({key for _, key in rows}) == 5
    mine = {name: cells.identity("view", "m", "c", "sales", name) for name in names}
    told = dict(rows)
    assert {name for name in names if told[name] == mine[name]} == set("bcd")
    assert told["e"] == mine["a"]


def test_a_dropped_view_leaves_deleted_rows_only(gravitino: Store) -> None:
    store = gravitino.store
    apply(store, *create(BARE))
    other = replace(BARE, comment="other")
    apply(store, change(Action.REPLACE, other, BARE))
    (applied,) = store.apply([change(Action.DROP, other, other)])
    assert "as deleted" in applied.remains[0]
    rows = gravitino.rows(
        "SELECT v.deleted_at, i.deleted_at FROM view_meta v JOIN view_version_info i"
        " USING (view_id)"
    )
    assert len(rows) == 2
    assert len({at for row in rows for at in row}) == 1
    assert 1_700_000_000_000 < rows[0][0] < 10_000_000_000_000, "milliseconds"


def test_a_running_server_is_told_of_what_changes(gravitino: Store) -> None:
    store = gravitino.store
    apply(store, *create(ORDERS, BARE))
    other = replace(BARE, comment="other")
    apply(store, change(Action.REPLACE, other, BARE))
    apply(store, change(Action.RENAME, other, other, "W"))
    apply(store, change(Action.DROP, ORDERS, ORDERS))
    store.remove([("sales",)])
    told = gravitino.rows(
        "SELECT metalake_name, entity_type, entity_full_name, operate_type FROM entity_change_log"
        " ORDER BY id"
    )
    assert told == [
        ("m", "VIEW", "m.c.a:b.V", 1),
        ("m", "VIEW", "m.c.a:b.V", 1),
        ("m", "VIEW", "m.c.sales.v_orders", 2),
        ("m", "SCHEMA", "m.c.sales", 2),
    ]


def test_what_refers_to_a_schema_goes_with_it(gravitino: Store) -> None:
    options = replace(gravitino.options, owners=True)
    owned = Schema(levels=("fresh",), owner="alice")
    with EntityStore(options) as store:
        assert store.prepare([owned]) == (("fresh",),)
        live = "SELECT count(*) FROM owner_meta WHERE deleted_at = 0"
        assert gravitino.rows(live) == [(1,)]
        store.remove([("fresh",)])
        assert gravitino.rows(live) == [(0,)]
        assert store.prepare([owned]) == (("fresh",),), "which has the same id"
        assert gravitino.rows(live) == [(1,)]


@pytest.mark.parametrize(("owners", "held"), [(True, False), (False, True)])
def test_a_creator_that_no_user_can_be_called_is_refused_where_owners_are_written(
    gravitino: Store, owners: bool, held: bool
) -> None:
    view = replace(BARE, audit=Audit(creator="x" * 129))
    with EntityStore(replace(gravitino.options, owners=owners)) as store:
        if held:
            assert store.hold(view).view.audit.creator == "x" * 129
        else:
            with pytest.raises(NotHeldError, match="at most 128 characters"):
                store.hold(view)


def test_tables_of_the_server_are_listed_and_keep_their_schema(gravitino: Store) -> None:
    store = gravitino.store
    gravitino.execute(
        "CREATE TABLE table_meta (table_id bigint, table_name text, schema_id bigint,"
        " deleted_at bigint)"
    )
    gravitino.execute("INSERT INTO table_meta SELECT 1, 't', schema_id, 0 FROM schema_meta")
    assert sum(listed.kind == "table" for listed in store.listing()) == 3
    assert store.remove([("sales",)]) == (("sales",),)


def test_a_row_of_somebody_else_that_cannot_be_parsed_is_named_and_costs_no_other(
    gravitino: Store,
) -> None:
    store = gravitino.store
    apply(store, *create(BARE))
    gravitino.execute("UPDATE view_version_info SET columns = '[{}]'")
    with pytest.raises(BelvedereError, match=r"a\.b\.V: a cell of version 1 cannot be parsed"):
        present(store, BARE)
    answers = list(store.apply(create(BARE, ORDERS)))
    assert failure(answers[0]) == "STORE_FAILED"
    assert answers[1].action is Action.CREATE


def test_a_type_that_the_server_could_not_parse_is_read_as_an_external_one(
    gravitino: Store,
) -> None:
    apply(gravitino.store, *create(BARE))
    unparsed = '[{"name":"x","type":{"type":"unparsed","unparsedType":"int"}}]'
    gravitino.execute(f"UPDATE view_version_info SET columns = '{unparsed}'")
    (column,) = present(gravitino.store, BARE)[BARE.identifier].columns
    assert column == Column("x", External("int"))


def test_somebody_else_who_is_faster_is_not_written_over(gravitino: Store) -> None:
    store = gravitino.store
    apply(store, *create(BARE, ORDERS))
    gravitino.execute(*FASTER[gravitino.connection.dialect.name])
    answers = store.apply(
        [
            change(Action.REPLACE, replace(BARE, comment="mine"), BARE),
            change(Action.REPLACE, replace(ORDERS, comment="fine"), ORDERS),
        ]
    )
    lost, fine = answers
    assert failure(lost) == "MOVED"
    assert fine.action is Action.REPLACE


def test_a_name_of_the_target_that_a_server_would_not_take_is_refused() -> None:
    with pytest.raises(BelvedereError, match="no metalake named 'a b'"):
        Options(url="postgresql:///x", metalake="a b", catalog="c")
    with pytest.raises(BelvedereError, match="no catalog named ''"):
        Options(url="postgresql:///x", metalake="m", catalog="")


def test_a_separator_that_would_break_routes_is_refused_with_the_configuration() -> None:
    with pytest.raises(BelvedereError, match="conflicts with the parsing") as raised:
        Options(url="postgresql:///x", metalake="m", catalog="c", schema_separator="/")
    assert raised.value.code == "INVALID_SEPARATOR"
