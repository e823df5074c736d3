"""Tables of Gravitino's store: made, of which release they are, and what a server adds to them."""

from dataclasses import replace

import pytest
from sqlalchemy import inspect

from connectors.gravitino.entity_store.store import EntityStore
from connectors.gravitino.entity_store.tables import METADATA
from discovery.errors import BelvedereError
from discovery.model import Audit, Schema
from discovery.ports import Action
from tests.contract.gravitino import Store
from tests.contract.stores import BARE, ORDERS, apply, change, create, on_mariadb

OWNERS = (
    "SELECT u.user_name, o.owner_type, o.metadata_object_type, o.deleted_at > 0 FROM owner_meta o"
    " JOIN user_meta u ON u.user_id = o.owner_id ORDER BY 3, 1, 4"
)


def test_init_makes_the_tables_that_are_missing(empty: Store) -> None:
    store = empty.store
    (problem,) = store.probe().problems
    assert "store init" in problem
    assert store.init() == tuple(METADATA.tables)
    assert store.init() == ()
    empty.execute("DROP TABLE user_meta")
    (problem,) = store.probe().problems
    assert "no user_meta" in problem
    assert store.init() == ("user_meta",)
    assert store.probe().problems == ()
    assert store.probe().version == "layout of Gravitino 1.3.0"
    assert list(store.listing()) == [], "no metalake, no catalog"


def test_tables_on_mysql_have_the_types_of_its_scripts(request: pytest.FixtureRequest) -> None:
    options = on_mariadb(request)
    with EntityStore(options) as store:
        store.init()
    query = (
        "SELECT concat(table_name, '.', column_name), column_type, collation_name"
        " FROM information_schema.columns WHERE table_schema = 'store_contract'"
    )
    with options.engine().connect() as connection:
        types = {row[0]: (row[1], row[2]) for row in connection.exec_driver_sql(query)}
        keys = inspect(connection).get_unique_constraints("view_meta")
    assert types["view_meta.view_id"] == ("bigint(20) unsigned", None)
    assert types["view_meta.current_version"] == ("int(10) unsigned", None)
    assert types["view_meta.audit_info"] == ("mediumtext", "utf8mb4_bin")
    assert types["view_meta.view_name"] == ("varchar(128)", "utf8mb4_bin")
    assert types["view_version_info.view_comment"] == ("text", "utf8mb4_bin")
    assert types["entity_change_log.operate_type"][0].startswith("tinyint")
    columns = ["schema_id", "view_name", "deleted_at"]
    assert [(key["name"], key["column_names"]) for key in keys] == [("uk_sid_vn_del", columns)]


@pytest.mark.parametrize(
    ("statements", "why"),
    [
        (("ALTER TABLE view_meta DROP COLUMN audit_info",), "of Gravitino 1.2.0"),
        (
            ("DROP TABLE view_version_info", "CREATE TABLE table_meta (table_id bigint)"),
            "before 1.3.0: there is no view_version_info",
        ),
        (
            ("DROP TABLE view_meta", "CREATE TABLE table_meta (table_id bigint)"),
            "before 1.2.0: there is no view_meta",
        ),
        (("ALTER TABLE schema_meta DROP COLUMN properties",), "schema_meta has no properties"),
        (("ALTER TABLE view_meta ADD COLUMN kind bigint NOT NULL",), "does not know"),
    ],
)
def test_a_layout_of_another_release_is_refused(
    gravitino: Store, statements: tuple[str, ...], why: str
) -> None:
    gravitino.execute(*statements)
    for asked in (gravitino.store.probe, gravitino.store.init):
        with pytest.raises(BelvedereError, match=why) as raised:
            asked()
        assert raised.value.code == "UNSUPPORTED_VERSION"


def test_the_layout_of_2_0_takes_views_and_no_owners(gravitino: Store) -> None:
    gravitino.execute("ALTER TABLE user_meta ADD COLUMN external_id varchar(10)")
    assert gravitino.store.probe().version == "layout of Gravitino 2.0.0"
    assert apply(gravitino.store, *create(BARE)) == ["create"]
    store = EntityStore(replace(gravitino.options, owners=True))
    with store, pytest.raises(BelvedereError, match="owners are written in the layout") as raised:
        store.probe()
    assert raised.value.code == "UNSUPPORTED_VERSION"


def test_owners_are_written_where_the_options_say_so(gravitino: Store) -> None:
    assert apply(gravitino.store, *create(ORDERS)) == ["create"]
    assert gravitino.rows(OWNERS) == []
    mine = replace(BARE, audit=Audit(creator="alice"))
    with EntityStore(replace(gravitino.options, owners=True)) as store:
        store.prepare((Schema(levels=("x",), owner="bob"), Schema(levels=("y",))))
        assert apply(store, *create(mine)) == ["create"]
        owned = [("alice", "USER", "VIEW", 0), ("bob", "USER", "SCHEMA", 0)]
        assert sorted(gravitino.rows(OWNERS)) == owned
        gone = change(Action.DROP, mine, mine)
        assert apply(store, gone, *create(mine)) == ["drop", "create"]
    again = [("alice", "USER", "VIEW", 0), ("alice", "USER", "VIEW", 1), owned[1]]
    assert sorted(gravitino.rows(OWNERS)) == again
    assert gravitino.rows("SELECT count(*) FROM user_meta") == [(2,)], "a user is made once"
    stamped = "SELECT count(*) FROM owner_meta WHERE updated_at > 1700000000000"
    assert gravitino.rows(stamped) == [(3,)], "the server's cache of owners asks for it"


def test_rights_and_tags_of_a_dropped_view_go_with_it(gravitino: Store) -> None:
    gravitino.execute(
        "CREATE TABLE tag_relation_meta (metadata_object_id bigint, deleted_at bigint,"
        " metadata_object_type varchar(9))",
    )
    given = (
        "INSERT INTO role_meta_securable_object (role_id, metadata_object_id, type,"
        " privilege_names, privilege_conditions) SELECT 1, view_id, '{}', '[]', '[]' FROM view_meta"
    )
    with EntityStore(gravitino.options) as store:
        apply(store, *create(BARE))
        tag = "INSERT INTO tag_relation_meta SELECT view_id, 0, '{}' FROM view_meta"
        for kind in ("VIEW", "TABLE"):
            gravitino.execute(tag.format(kind), given.format(kind))
        apply(store, change(Action.DROP, BARE, BARE))
    deleted = " FROM {} WHERE deleted_at > 0"
    tags = "SELECT metadata_object_type" + deleted.format("tag_relation_meta")
    rights = "SELECT type" + deleted.format("role_meta_securable_object")
    assert gravitino.rows(tags) == gravitino.rows(rights) == [("VIEW",)]


READER = {
    "mysql": (
        "CREATE OR REPLACE USER store_reader@localhost",
        "GRANT SELECT ON store_contract.* TO store_reader@localhost",
    ),
    "postgresql": (
        "DROP ROLE IF EXISTS store_reader",
        "CREATE ROLE store_reader LOGIN",
        "GRANT SELECT ON ALL TABLES IN SCHEMA public TO store_reader",
    ),
}


def test_who_may_only_read_may_create_no_schema_and_is_denied(gravitino: Store) -> None:
    assert gravitino.store.may_create(("new",))
    gravitino.execute(*READER[gravitino.connection.dialect.name])
    with EntityStore(replace(gravitino.options, user="store_reader")) as store:
        assert not store.may_create(("new",))
        assert "may not insert" in store.probe().problems[0]
        assert [listed.name for listed in store.listing() if listed.name] == []
        with pytest.raises(BelvedereError) as raised:
            store.prepare((Schema(levels=("new",)),))
        assert raised.value.code == "DENIED"
        answers = list(store.apply(create(BARE, ORDERS)))
    assert {answer.failure and answer.failure[0] for answer in answers} == {"DENIED"}
    count = "SELECT count(*) FROM schema_meta WHERE schema_name = 'new'"
    assert gravitino.rows(count) == [(0,)], "nothing was written"


def test_what_the_provider_has_no_place_for_is_told(gravitino: Store) -> None:
    with EntityStore(replace(gravitino.options, provider="hive")) as store:
        assert "nests in lakehouse-iceberg only" in store.hold(BARE).losses[0]
        told = "; ".join(store.hold(ORDERS).losses)
    assert "belvedere.security-mode" in told
