"""Rights in Gravitino's relational store, on PostgreSQL and MariaDB, as a server writes them."""

from collections.abc import Callable

import pytest

from connectors.gravitino.entity_store.rights import StoredRights
from connectors.gravitino.rest.rights import RestRights
from discovery.errors import CollisionError, NotHeldError, StoreError
from discovery.model import Identifier
from discovery.ports import Action
from discovery.rights.model import Grantee, GranteeKind
from discovery.rights.roles import KeptRights, KeptRole, Right
from tests.contract import paired
from tests.contract.gravitino import Store
from tests.contract.stores import BARE, ORDERS, apply, change, create

ANN, STAFF = Grantee("ann", GranteeKind.USER), Grantee("staff", GranteeKind.GROUP)
V, NESTED, NOWHERE = ORDERS.identifier, BARE.identifier, Identifier(("sales",), "nowhere")
PRIVILEGES = (
    "SELECT type, privilege_names, privilege_conditions FROM role_meta_securable_object"
    " WHERE deleted_at = 0 ORDER BY id"
)
LIVE = {
    "role_meta": "SELECT count(*) FROM role_meta WHERE deleted_at = 0",
    "role_meta_securable_object": "SELECT count(*) FROM ({}) x".format(
        PRIVILEGES.partition(" ORDER")[0]
    ),
    "user_role_rel": "SELECT count(*) FROM user_role_rel WHERE deleted_at = 0",
    "group_role_rel": "SELECT count(*) FROM group_role_rel WHERE deleted_at = 0",
}


def rights_of(store: Store) -> StoredRights:
    assert isinstance(store.store.rights, StoredRights)
    return store.store.rights


@pytest.fixture
def peopled(gravitino: Store) -> Store:
    """With two views, a user and a group, and those of another metalake."""
    apply(gravitino.store, *create(*(gravitino.store.hold(view).view for view in (ORDERS, BARE))))
    ((metalake,),) = gravitino.rows("SELECT metalake_id FROM metalake_meta")
    for key, place in ((1, metalake), (2, 7)):
        for kind, name in (("user", "ann"), ("group", "staff")):
            gravitino.execute(
                f"INSERT INTO {kind}_meta ({kind}_id, {kind}_name, metalake_id, audit_info)"
                f" VALUES ({key}, '{name}', {place}, '{{}}')"
            )
    gravitino.execute(
        "INSERT INTO role_meta (role_id, role_name, metalake_id, audit_info)"
        " VALUES (1, 'r', 7, '{}')",
        "INSERT INTO user_role_rel (user_id, role_id, audit_info) VALUES (2, 1, '{}')",
    )
    return gravitino


def test_what_is_given_is_there_and_is_gone_once_it_is_taken(peopled: Store) -> None:
    rights, nobody = rights_of(peopled), {ANN: frozenset[str](), STAFF: frozenset[str]()}
    needed = {*rights.rights_to_read(V), *rights.rights_to_read(NESTED)}
    for _ in range(2):
        assert rights.present() == KeptRights({}, nobody), "nothing of another metalake"
        rights.create_role("r")
        for right in (*needed, *needed):
            rights.change_right("r", right, given=True)
        for grantee in (ANN, STAFF, ANN):
            rights.change_member("r", grantee, given=True)
        members = dict.fromkeys((ANN, STAFF), frozenset({"r"}))
        assert rights.present() == KeptRights({"r": KeptRole(frozenset(needed))}, members)
        for right in (*needed, *needed):
            rights.change_right("r", right, given=False)
        for grantee in (ANN, STAFF, STAFF):
            rights.change_member("r", grantee, given=False)
        assert rights.present() == KeptRights({"r": KeptRole()}, nobody)
        rights.drop_role("r")
        rights.drop_role("r")


def test_rows_are_those_of_a_server(peopled: Store) -> None:
    """As a real 1.3.0 wrote them through its API on 2026-11-23, but for who made them and when."""
    rights = rights_of(peopled)
    rights.create_role("r")
    *_, select = rights.rights_to_read(V)
    rights.change_right("r", select, given=True)
    rights.change_right("r", select._replace(privilege="ALTER_VIEW"), given=True)
    assert peopled.rows(PRIVILEGES) == [
        ("VIEW", '["SELECT_VIEW","ALTER_VIEW"]', '["ALLOW","ALLOW"]')
    ]
    rights.change_right("r", select, given=False)
    assert peopled.rows(PRIVILEGES) == [("VIEW", '["ALTER_VIEW"]', '["ALLOW"]')]
    query = "SELECT role_name, properties, current_version, last_version, updated_at > 0"
    ((name, properties, *versions, is_touched),) = peopled.rows(
        f"{query} FROM role_meta WHERE role_id <> 1"
    )
    assert (name, properties, versions, bool(is_touched)) == ("r", "{}", [1, 1], True)
    rights.change_member("r", ANN, given=True)
    assert peopled.rows("SELECT user_id FROM user_meta WHERE updated_at > 0") == [(1,)]
    rights.drop_role("r")
    told = {name: peopled.rows(query)[0][0] for name, query in LIVE.items()}
    assert told == {name: int(name in {"role_meta", "user_role_rel"}) for name in LIVE}


def test_a_view_s_owner_is_one_and_goes_with_the_view(peopled: Store) -> None:
    rights = rights_of(peopled)
    assert rights.owners([V, NOWHERE]) == {V: None}
    for grantee in (ANN, STAFF, ANN):
        rights.set_owner(V, grantee)
        assert rights.owners([V, NESTED]) == {V: grantee, NESTED: None}
    rights.create_role("r")
    rights.change_right("r", rights.rights_to_read(V)[-1], given=True)
    (view,) = peopled.store.present([V])
    apply(peopled.store, change(Action.DROP, view, view))
    assert rights.owners([V]) == {}
    assert rights.present().roles == {"r": KeptRole()}
    assert peopled.rows("SELECT count(*) FROM owner_meta WHERE deleted_at = 0") == [(0,)]


def test_what_is_denied_and_what_is_on_other_things_is_read(peopled: Store) -> None:
    rights = rights_of(peopled)
    rights.create_role("r")
    ((role,),) = peopled.rows("SELECT role_id FROM role_meta WHERE role_id <> 1")
    ((metalake,),) = peopled.rows("SELECT metalake_id FROM metalake_meta")
    ((view,),) = peopled.rows("SELECT view_id FROM view_meta WHERE view_name = 'V'")
    into = (
        "INSERT INTO role_meta_securable_object (role_id, metadata_object_id, type,"
        f" privilege_names, privilege_conditions) VALUES ({role}, "
    )
    both = """'["select_view","ALTER_VIEW"]', '["DENY","ALLOW"]'"""
    peopled.execute(
        f"{into}{view}, 'VIEW', {both})",
        f"""{into}{metalake}, 'METALAKE', '["USE_CATALOG"]', '["ALLOW"]')""",
        f"""{into}9, 'TAG', '["APPLY_TAG"]', '["ALLOW"]')""",
        f"""{into}12345, 'SCHEMA', '["USE_SCHEMA"]', '["ALLOW"]')""",
    )
    *_, select = rights.rights_to_read(NESTED)
    on_metalake = Right("METALAKE", peopled.options.metalake, "USE_CATALOG")
    allowed = {select._replace(privilege="ALTER_VIEW"), on_metalake, Right("TAG", "9", "APPLY_TAG")}
    assert rights.present().roles == {"r": KeptRole(frozenset(allowed), frozenset({select}))}
    rights.change_right("r", select, given=True)
    assert rights.present().roles["r"].denied == {select}, "what others deny stays denied"
    for cells, why in (
        ("""'["A"]', '[]'""", "makes no sense"),
        ("""'["A"]', '["MAYBE"]'""", "makes no sense"),
        ("""'{', '[]'""", "makes no sense"),
    ):
        peopled.execute("DELETE FROM role_meta_securable_object", f"{into}{view}, 'VIEW', {cells})")
        with pytest.raises(StoreError, match=why):
            rights.present()
    peopled.execute(
        "DELETE FROM role_meta_securable_object", f"""{into}1, 'COLUMN', '["A"]', '["ALLOW"]')"""
    )
    with pytest.raises(StoreError, match="of kind COLUMN, which this version cannot place"):
        rights.present()


def test_what_is_not_there_is_told_and_is_no_error_where_it_is_taken(peopled: Store) -> None:
    rights = rights_of(peopled)
    *_, select = rights.rights_to_read(V)
    stranger = Grantee("eve", GranteeKind.USER)
    rights.create_role("r")
    with pytest.raises(CollisionError, match="there is a role r by now"):
        rights.create_role("r")
    gives: tuple[Callable[[], None], ...] = (
        lambda: rights.change_right("x", select, given=True),
        lambda: rights.change_right("r", rights.rights_to_read(NOWHERE)[-1], given=True),
        lambda: rights.change_right(
            "r", rights.rights_to_read(Identifier(("x",), "v"))[1], given=True
        ),
        lambda: rights.change_member("r", stranger, given=True),
        lambda: rights.change_member("x", ANN, given=True),
        lambda: rights.set_owner(V, stranger),
        lambda: rights.set_owner(NOWHERE, ANN),
    )
    for give in gives:
        with pytest.raises(StoreError, match=r"the store has no .* by now"):
            give()
    rights.change_right("x", select, given=False)
    rights.change_right("r", rights.rights_to_read(NOWHERE)[-1], given=False)
    rights.change_member("r", stranger, given=False)
    with pytest.raises(NotHeldError, match="a name with a dot"):
        rights.rights_to_read(Identifier(("a.b",), "v"))


def test_without_tables_or_metalake_there_is_nothing(empty: Store) -> None:
    rights = rights_of(empty)
    for _ in range(2):
        assert rights.present() == KeptRights()
        assert rights.owners([V]) == {}
        with pytest.raises(StoreError, match="the store has no metalake"):
            rights.create_role("r")
        empty.store.init()


def test_of_a_pair_the_route_keeps_rights_where_it_can_else_the_store(
    request: pytest.FixtureRequest,
) -> None:
    with paired.make_on_iceberg(request).store as store:
        assert isinstance(store.rights, StoredRights)
    with paired.make_on_rest(request).store as store:
        assert isinstance(store.rights, RestRights)
