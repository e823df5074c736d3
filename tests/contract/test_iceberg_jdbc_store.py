"""The store `iceberg-jdbc` beyond the contract: what databases and files can do to a load."""

import json
import pickle
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from connectors.iceberg import jdbc_store, rest_store
from connectors.iceberg.commits import Write, plan_write
from connectors.iceberg.jdbc import JdbcCatalog
from connectors.iceberg.jdbc import Options as SourceOptions
from connectors.iceberg.jdbc_store import JdbcStore
from connectors.iceberg.rest_store import RestStore
from discovery.crawl import crawl
from discovery.errors import BelvedereError, ConfigurationError, NotHeldError, UnreachableError
from discovery.formats.iceberg_files import location, metadata_file
from discovery.migration.diff import differences
from discovery.model import Audit, Identifier, Schema
from discovery.outcomes import Kind, Listed
from discovery.ports import Action, CrawlTask
from jobs.embedded.postgres import EmbeddedPostgreSQL
from tests.contract.iceberg import (
    CHANGED,
    HISTORY,
    OTHER,
    PLACE,
    SALES,
    VIEW,
    only,
    versions_of,
    with_history,
)
from tests.contract.stores import apply, change, create, failure, present
from tests.iceberg_server import IcebergServer

DIE = "BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NEW; END"
EACH = "FOR EACH ROW EXECUTE FUNCTION die()"


class Catalog:
    """A JDBC catalog on SQLite, as seen beside the store."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.database = folder / "warehouse", folder / "catalog.db"
        self.options = jdbc_store.Options(
            url=f"sqlite:///{self.database}", warehouse=self.folder.as_uri()
        )

    def execute(self, statement: str) -> list[Any]:
        with closing(sqlite3.connect(self.database)) as connection, connection:
            return connection.execute(statement).fetchall()

    def rows(self) -> dict[str, tuple[str, str | None]]:
        query = "SELECT table_name, metadata_location, previous_metadata_location"
        return {name: (uri, old) for name, uri, old in self.execute(f"{query} FROM iceberg_tables")}

    def files(self) -> list[str]:
        return sorted(path.as_uri() for path in self.folder.rglob("*.json"))


@pytest.fixture
def catalog(tmp_path: Path) -> Catalog:
    return Catalog(tmp_path)


@pytest.fixture
def store(catalog: Catalog) -> Iterator[JdbcStore]:
    with JdbcStore(catalog.options) as made:
        made.prepare([SALES])
        yield made


def write_of(store: JdbcStore, wanted: Any) -> Write:
    """What the store would write now."""
    found = plan_write(wanted, store._read_places([PLACE]), store._options.warehouse)
    assert isinstance(found, Write)
    return found


def test_rows_and_files_are_those_of_a_jdbc_catalog_that_gravitino_serves(
    store: JdbcStore, catalog: Catalog
) -> None:
    apply(store, *create(VIEW))
    assert apply(store, change(Action.REPLACE, CHANGED, VIEW)) == ["replace"]
    (row,) = catalog.execute("SELECT * FROM iceberg_tables")
    name, space, view, new, old, kind = row
    assert (name, space, view, kind) == ("jdbc", "sales", "v", "VIEW")
    where = f"{catalog.folder.as_uri()}/sales/v/metadata/"
    uid = r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"
    assert re.fullmatch(f"{where}00001-{uid}.metadata.json", new)
    assert re.fullmatch(f"{where}00000-{uid}.metadata.json", old)
    assert sorted([new, old]) == catalog.files()
    exists = "SELECT property_key, property_value FROM iceberg_namespace_properties"
    assert catalog.execute(exists) == [("exists", "true")]


def test_the_source_reads_what_the_store_has_written(store: JdbcStore, catalog: Catalog) -> None:
    owned = Schema(levels=("a", "b"), comment="c", properties=(("k", "v"),), owner="alice")
    store.prepare([owned])
    nested = replace(VIEW, identifier=Identifier(("a", "b"), "v"), audit=Audit(creator="bob"))
    apply(store, *create(store.hold(nested).view))
    with JdbcCatalog(SourceOptions(url=catalog.options.url)) as source:
        listed = [item for item in source.listing() if isinstance(item, Listed)]
        found = [outcome.result for outcome in crawl(CrawlTask("s", tuple(listed)), source)]
    assert nested in found
    spaces = {one.levels: one for one in found if isinstance(one, Schema)}
    assert spaces["a", "b"] == replace(owned, audit=Audit(creator="alice"))
    assert spaces[("a",)] == Schema(levels=("a",), owner="alice", audit=Audit(creator="alice"))


def test_what_remains_of_older_states_is_named(store: JdbcStore, catalog: Catalog) -> None:
    assert only(store, *create(VIEW)).remains == ()
    (first,) = catalog.files()
    assert only(store, change(Action.REPLACE, CHANGED, VIEW)).remains == (first,)
    (second,) = set(catalog.files()) - {first}
    assert only(store, change(Action.RENAME, CHANGED, CHANGED, "n")).remains == ()
    renamed = replace(CHANGED, identifier=Identifier(("sales",), "n"))
    assert only(store, change(Action.DROP, renamed, renamed)).remains == (second,)
    assert catalog.rows() == {}


def test_a_name_that_a_table_has_is_a_collision_and_leaves_no_file(
    store: JdbcStore, catalog: Catalog
) -> None:
    row = "('jdbc', 'sales', 'v', 'file:///t.metadata.json', NULL, 'TABLE')"
    catalog.execute(f"INSERT INTO iceberg_tables VALUES {row}")
    assert failure(only(store, *create(VIEW))) == "COLLISION"
    assert present(store, VIEW) == {}
    apply(store, *create(OTHER))
    assert failure(only(store, change(Action.RENAME, OTHER, OTHER, "v"))) == "COLLISION"
    assert len(catalog.files()) == 1
    listed = {(one.name, one.kind) for one in store.listing() if one.name}
    assert listed == {("v", Kind.TABLE), ("w", Kind.VIEW)}


def test_whoever_is_slower_moves_nothing_and_leaves_no_file(
    store: JdbcStore, catalog: Catalog
) -> None:
    apply(store, *create(VIEW))
    slow = write_of(store, change(Action.REPLACE, replace(VIEW, comment="slow"), VIEW))
    drop = write_of(store, change(Action.DROP, VIEW, VIEW))
    with JdbcStore(catalog.options) as quick:
        assert apply(quick, change(Action.REPLACE, CHANGED, VIEW)) == ["replace"]
    before = catalog.rows(), catalog.files()
    answers = store._commits.write([slow, drop])
    assert [failure(answer) for answer in answers] == ["MOVED", "MOVED"]
    assert (catalog.rows(), catalog.files()) == before


def test_whoever_creates_later_collides_and_costs_the_batch_nothing(
    store: JdbcStore, catalog: Catalog
) -> None:
    slow = [write_of(store, one) for one in create(VIEW, OTHER)]
    with JdbcStore(catalog.options) as quick:
        apply(quick, *create(CHANGED))
    answers = {applied.identifier.name: applied for applied in store._commits.write(slow)}
    assert failure(answers["v"]) == "COLLISION"
    assert answers["w"].action is Action.CREATE
    assert sorted(uri for uri, _ in catalog.rows().values()) == catalog.files()


def test_a_metadata_file_that_is_missing_or_broken_is_named_and_the_row_is_left(
    store: JdbcStore, catalog: Catalog
) -> None:
    apply(store, *create(VIEW, OTHER))
    before = catalog.rows()
    path = Path(before["v"][0].removeprefix("file://"))
    for content, code in (("{}", "INVALID_ENTRY"), (None, "FILE_UNREADABLE")):
        path.unlink() if content is None else path.write_text(content, encoding="utf-8")
        answer = only(store, change(Action.REPLACE, CHANGED, VIEW))
        assert failure(answer) == code
        assert "sales.v" in (answer.failure or ("", ""))[1]
        with pytest.raises(BelvedereError, match=r"sales\.v"):
            list(store.present([PLACE, OTHER.identifier]))
    assert catalog.rows() == before
    assert apply(store, change(Action.DROP, OTHER, OTHER)) == ["drop"]


def test_a_store_of_files_that_refuses_leaves_no_row(store: JdbcStore, catalog: Catalog) -> None:
    catalog.folder.mkdir()
    (catalog.folder / "sales").write_text("a file where a folder is to be", encoding="utf-8")
    store.prepare([Schema(levels=("fine",))])
    fine = replace(VIEW, identifier=Identifier(("fine",), "v"))
    answers = {applied.identifier: applied for applied in store.apply(create(VIEW, fine))}
    assert failure(answers[PLACE]) == "STORE_FAILED"
    assert answers[fine.identifier].action is Action.CREATE
    assert len(catalog.rows()) == 1


def test_a_view_whose_namespace_is_not_there_is_refused(store: JdbcStore, catalog: Catalog) -> None:
    lost = replace(VIEW, identifier=Identifier(("nowhere",), "v"))
    answer = only(store, *create(lost))
    assert failure(answer) == "INVALID_NAMESPACE"
    assert "nowhere" in (answer.failure or ("", ""))[1]
    assert catalog.files() == []


def test_what_a_lost_connection_did_is_looked_up_and_no_file_goes(
    store: JdbcStore, catalog: Catalog
) -> None:
    done, lost = (write_of(store, one) for one in create(VIEW, OTHER))
    store._commits.write([done])
    store._files.write_all({lost.new: lost.content})
    answers = store._commits._look_up_unknown([done, lost], UnreachableError("lost"))
    assert answers[0].action is Action.CREATE
    assert failure(answers[1]) == "UNREACHABLE"
    assert answers[1].remains == (lost.new,), "the database may still be at it"
    assert apply(store, *create(VIEW, OTHER)) == ["keep", "create"]


def test_a_connection_that_breaks_in_a_transaction_is_said_and_the_next_try_succeeds(
    postgresql: EmbeddedPostgreSQL, tmp_path: Path
) -> None:
    postgresql.execute(("DROP DATABASE IF EXISTS broken", "CREATE DATABASE broken"))
    options = jdbc_store.Options(
        url=postgresql.url("broken"), user="postgres", warehouse=tmp_path.as_uri()
    )
    with JdbcStore(options) as store:
        store.prepare([SALES])
        postgresql.execute(
            [
                f"CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS $$ {DIE} $$",
                f"CREATE TRIGGER die BEFORE INSERT ON iceberg_tables {EACH}",
            ],
            "broken",
        )
        answers = list(store.apply(create(VIEW, OTHER)))
        assert [failure(answer) for answer in answers] == ["UNREACHABLE", "UNREACHABLE"]
        assert present(store, VIEW, OTHER) == {}
        postgresql.execute(["DROP TRIGGER die ON iceberg_tables"], "broken")
        assert apply(store, *create(VIEW, OTHER)) == ["create", "create"]


def test_a_database_that_somebody_has_locked_is_waited_for_once_and_leaves_no_file(
    store: JdbcStore, catalog: Catalog
) -> None:
    with (
        closing(sqlite3.connect(catalog.database)) as other,
        JdbcStore(replace(catalog.options, timeout=0.1)) as quick,
    ):
        other.execute("BEGIN IMMEDIATE")
        for answer in quick.apply(create(VIEW, OTHER)):
            assert failure(answer) == "STORE_FAILED"
            assert "locked" in (answer.failure or ("", ""))[1]
    assert catalog.files() == []
    assert apply(store, *create(VIEW, OTHER)) == ["create", "create"]


def test_who_may_not_write_may_not_create_and_is_told(
    postgresql: EmbeddedPostgreSQL, tmp_path: Path
) -> None:
    postgresql.execute(("DROP DATABASE IF EXISTS denied", "CREATE DATABASE denied"))
    options = jdbc_store.Options(
        url=postgresql.url("denied"), user="postgres", warehouse=tmp_path.as_uri()
    )
    with JdbcStore(options) as store:
        store.prepare([SALES])
        assert store.may_create(("x",))
    reading = [
        "DROP ROLE IF EXISTS iceberg_reader",
        "CREATE ROLE iceberg_reader LOGIN",
        "GRANT SELECT ON iceberg_tables, iceberg_namespace_properties TO iceberg_reader",
    ]
    postgresql.execute(reading, "denied")
    with JdbcStore(replace(options, user="iceberg_reader")) as store:
        assert not store.may_create(("x",))
        assert "may not insert" in store.probe().problems[0]
        assert failure(only(store, *create(VIEW))) == "DENIED"
        with pytest.raises(BelvedereError) as raised:
            store.prepare([Schema(levels=("x",))])
        assert raised.value.code == "DENIED"
    assert list(tmp_path.rglob("*.json")) == [], "a file without a row goes"


def test_a_catalog_of_the_first_layout_is_refused_with_what_would_help(
    store: JdbcStore, catalog: Catalog
) -> None:
    catalog.execute("ALTER TABLE iceberg_tables DROP COLUMN iceberg_type")
    with JdbcStore(catalog.options) as fresh:
        for asked in (fresh.probe, lambda: fresh.prepare([SALES]), lambda: list(fresh.listing())):
            with pytest.raises(BelvedereError) as raised:
                asked()
            assert raised.value.code == "UNSUPPORTED_VERSION"
            assert "ADD COLUMN iceberg_type" in raised.value.hint


@pytest.mark.parametrize(
    ("place", "why"),
    [
        (Identifier(("a.b",), "v"), "contains a dot"),
        (Identifier(("a", ""), "v"), "in a namespace"),
        (Identifier(("a",), "v" * 256), "longer than 255"),
        (Identifier(("a" * 250, "b" * 9), "v"), "longer than 255"),
        (Identifier(("ü" * 40,) * 6, "v"), "longer than 1000"),
    ],
)
def test_a_name_that_the_tables_do_not_hold_is_refused_by_the_plan(
    store: JdbcStore, place: Identifier, why: str
) -> None:
    with pytest.raises(NotHeldError, match=why):
        store.hold(replace(VIEW, identifier=place))


@pytest.mark.parametrize("name", [".", "..", "...", "%2E%2E", "a/../../b", "\\..\\"])
def test_a_view_whose_name_could_climb_is_written_below_the_warehouse(
    store: JdbcStore, catalog: Catalog, name: str
) -> None:
    view = replace(VIEW, identifier=Identifier(("sales",), name))
    store.hold(view)
    apply(store, *create(view))
    assert [one.identifier.name for one in store.present([view.identifier])] == [name]
    ((uri, _),) = catalog.rows().values()
    assert Path(catalog.files()[0]).name == Path(uri).name, "the file is where its row says"


@pytest.mark.parametrize("name", ["ü" * 100, "😀" * 64, "ü" * 43 + "x" * 80])
def test_a_name_that_no_file_system_has_room_for_is_written_in_a_shorter_folder(
    store: JdbcStore, catalog: Catalog, name: str
) -> None:
    names = [name, f"{name[:-1]}é"]
    views = [replace(VIEW, identifier=Identifier(("sales",), name)) for name in names]
    apply(store, *create(*views))
    held = store.present([view.identifier for view in views])
    assert sorted(view.identifier.name for view in held) == sorted(names)
    assert len({Path(file).parents[1].name for file in catalog.files()}) == len(names)


def test_schemas_are_made_all_or_none(store: JdbcStore) -> None:
    for bad in (Schema(levels=("a.b",)), Schema(levels=("x",), comment="c" * 1001)):
        with pytest.raises(BelvedereError):
            store.prepare([Schema(levels=("fine",)), bad])
    assert {listed.namespace for listed in store.listing()} == {("sales",)}


@pytest.mark.parametrize(
    ("name", "step"),
    [
        ("v", "v"),
        ("a b/c", "a%20b%2Fc"),
        ("..", "__"),
        ("...", "..."),
        ("#?%", "%23%3F%25"),
        ("ü", "%C3%BC"),
    ],
)
def test_a_location_has_nothing_that_a_uri_reads_otherwise(name: str, step: str) -> None:
    assert location("s3://b/wh/", Identifier(("a",), name)) == f"s3://b/wh/a/{step}"


def test_metadata_files_are_numbered_and_go_where_the_view_says() -> None:
    first = metadata_file("s3://b/v/", {})
    assert first.startswith("s3://b/v/metadata/00000-")
    assert metadata_file("s3://b/v", {}, "s3://b/v/metadata/00041-x.gz.metadata.json").startswith(
        "s3://b/v/metadata/00042-"
    )
    elsewhere = {"write.metadata.path": "s3://other"}
    assert metadata_file("s3://b/v", elsewhere, first).startswith("s3://other/00001-")


def test_stores_travel_as_their_options(store: JdbcStore, iceberg_server: IcebergServer) -> None:
    apply(store, *create(VIEW))
    with pickle.loads(pickle.dumps(store)) as other:  # noqa: S301 - our own
        assert present(other, VIEW).keys() == {PLACE}
    with RestStore(rest_store.Options(uri=iceberg_server.uri)) as rest:
        rest.probe()
        with pickle.loads(pickle.dumps(rest)) as other:  # noqa: S301 - our own
            assert list(other.listing()) == []


@pytest.mark.parametrize("warehouse", ["", "relative/folder", "C"])
def test_a_warehouse_that_is_no_uri_is_refused_with_the_configuration(warehouse: str) -> None:
    with pytest.raises(ConfigurationError, match="is no URI"):
        jdbc_store.Options(url="sqlite:////x.db", warehouse=warehouse)


def test_a_view_of_an_iceberg_source_keeps_the_versions_before_and_who_made_them(
    store: JdbcStore, catalog: Catalog
) -> None:
    (creation,) = create(store.hold(VIEW).view)
    assert apply(store, with_history(creation)) == ["create"]
    document = json.loads(store._files.read(catalog.rows()["v"][0]))
    assert (versions_of(document), document["current-version-id"]) == (HISTORY, 2)
    assert document["location"] == f"{catalog.folder.as_uri()}/sales/v", "not the source's"
    assert document["view-uuid"] != str(UUID(int=1))
    assert [one["version-id"] for one in document["version-log"]] == [1, 2]
    assert not differences(creation.view, present(store, VIEW)[PLACE])
    assert apply(store, change(Action.REPLACE, CHANGED, creation.view)) == ["replace"]
