"""The store `hms` beyond the contract: what is written beside others, and who may change what."""

import json
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from typing import Any

import pytest

from connectors.clients.metastore_writer import MetastoreWriter
from connectors.clients.thrift.login import MetastoreLogin
from connectors.hms_stores.iceberg import HiveCatalogStore
from connectors.hms_stores.native import MetastoreStore, Options
from discovery.errors import CollisionError, MovedError, NotOursError, UnreachableError
from discovery.formats import metastore_writing
from discovery.formats.hive_table import MADE
from discovery.formats.iceberg_entries import LOCATION
from discovery.model import Column, Identifier, Primitive, Representation, Schema, View
from discovery.outcomes import Kind
from discovery.ports import Action
from jobs.embedded.metastore import EmbeddedMetastore
from tests.contract import iceberg
from tests.contract.stores import MAKERS, apply, change, create, failure, listed, present

DATABASE = "hms_store"
VIEW = View(
    identifier=Identifier((DATABASE,), "v"),
    columns=(Column("id", Primitive("long")),),
    representations=(Representation(dialect="hive", sql="select 1 as `id`"),),
)
OTHER = replace(VIEW, representations=(Representation(dialect="hive", sql="select 2 as `id`"),))


@pytest.fixture
def writer(metastore: EmbeddedMetastore) -> Iterator[MetastoreWriter]:
    """A connection that may write, and an empty database."""
    with closing(MetastoreWriter(MetastoreLogin(uri=metastore.uri, timeout=60))) as connection:
        connection.create_database({"name": DATABASE})
        for name in connection.table_names(DATABASE):
            connection.drop_entry(DATABASE, name or "")
        yield connection


@pytest.fixture
def store(metastore: EmbeddedMetastore, writer: MetastoreWriter) -> Iterator[MetastoreStore]:
    with MetastoreStore(Options(uri=metastore.uri)) as made:
        yield made


def entry(writer: MetastoreWriter, name: str = "v") -> dict[str, Any]:
    (found,) = writer.tables(DATABASE, [name])
    return found


def strangers(writer: MetastoreWriter, **more: Any) -> None:
    """An entry that somebody else has made, as Hive would."""
    payload = metastore_writing.encode(VIEW).entry.payload()
    writer.create_entry({**payload, **more})


def test_an_entry_says_who_made_it_and_has_no_location(
    store: MetastoreStore, writer: MetastoreWriter
) -> None:
    assert apply(store, *create(VIEW)) == ["create"]
    found = entry(writer)
    assert found["parameters"][MADE].startswith("created ")
    assert found["tableType"] == "VIRTUAL_VIEW"
    assert not found["sd"].get("location")
    assert apply(store, change(Action.REPLACE, OTHER, VIEW)) == ["replace"]
    assert entry(writer)["parameters"][MADE].startswith("created ")
    assert entry(writer)["parameters"][MADE] != found["parameters"][MADE]
    assert entry(writer)["createTime"] == found["createTime"]


@pytest.mark.parametrize("action", [Action.REPLACE, Action.DROP, Action.RENAME])
def test_what_somebody_else_has_made_stays_unless_the_target_says_so(
    metastore: EmbeddedMetastore, store: MetastoreStore, writer: MetastoreWriter, action: Action
) -> None:
    strangers(writer)
    wanted = OTHER if action is Action.REPLACE else VIEW
    asked = change(action, wanted, VIEW, "w" if action is Action.RENAME else "")
    (answer,) = store.apply([asked])
    assert failure(answer) == NotOursError.code
    assert present(store, VIEW)[VIEW.identifier].representations == VIEW.representations
    with MetastoreStore(Options(uri=metastore.uri, takes_over=True)) as bold:
        assert apply(bold, asked) == [action]
    if action is Action.REPLACE:
        assert entry(writer)["parameters"][MADE].startswith("taken over ")
        (answer,) = store.apply([change(Action.DROP, OTHER, OTHER)])
        assert failure(answer) == NotOursError.code, "it is not ours by that"


def test_what_gravitino_has_made_may_be_replaced_and_stays_its_entity(
    store: MetastoreStore, writer: MetastoreWriter
) -> None:
    identity = {"gravitino.identifier": "gravitino.v1.uid7"}
    strangers(writer, parameters=identity)
    assert present(store, VIEW)[VIEW.identifier].properties == ()
    assert apply(store, change(Action.REPLACE, OTHER, VIEW)) == ["replace"]
    assert entry(writer)["parameters"]["gravitino.identifier"] == "gravitino.v1.uid7"


def interrupting(
    store: MetastoreStore, monkeypatch: pytest.MonkeyPatch, call: str, meanwhile: Callable[[], None]
) -> None:
    """Let something happen between the look and the write."""
    client = store._client
    send = getattr(client, call)

    def interrupted(*arguments: Any) -> Any:
        monkeypatch.setattr(client, call, send)
        meanwhile()
        return send(*arguments)

    monkeypatch.setattr(client, call, interrupted)


@pytest.mark.parametrize("made_by", ["belvedere", "somebody else"])
def test_a_lost_race_is_seen_by_the_metastore(
    metastore: EmbeddedMetastore,
    store: MetastoreStore,
    writer: MetastoreWriter,
    monkeypatch: pytest.MonkeyPatch,
    made_by: str,
) -> None:
    if made_by == "belvedere":
        apply(store, *create(VIEW))
    else:
        strangers(writer)
    third = replace(VIEW, representations=(Representation(dialect="hive", sql="select 3 as `id`"),))
    with (
        MetastoreStore(Options(uri=metastore.uri, takes_over=True)) as bold,
        MetastoreStore(Options(uri=metastore.uri, takes_over=True)) as rival,
    ):
        interrupting(
            bold,
            monkeypatch,
            "alter_entry",
            lambda: assert_written(rival, change(Action.REPLACE, third, VIEW)),
        )
        (answer,) = bold.apply([change(Action.REPLACE, OTHER, VIEW)])
        assert failure(answer) == MovedError.code
        assert present(bold, VIEW)[VIEW.identifier].representations == third.representations


def assert_written(store: MetastoreStore, asked: Any) -> None:
    assert apply(store, asked) == [asked.action]


def test_who_creates_later_is_told_so(
    metastore: EmbeddedMetastore,
    store: MetastoreStore,
    writer: MetastoreWriter,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    interrupting(store, monkeypatch, "create_entry", lambda: strangers(writer))
    (answer,) = store.apply(create(OTHER))
    assert failure(answer) == MovedError.code


@pytest.mark.parametrize("done", [True, False])
def test_a_lost_answer_is_looked_up_and_nothing_is_done_twice(
    store: MetastoreStore, writer: MetastoreWriter, monkeypatch: pytest.MonkeyPatch, *, done: bool
) -> None:
    send = store._client.create_entry

    def lost(payload: Any) -> None:
        monkeypatch.setattr(store._client, "create_entry", send)
        if done:
            send(payload)
        raise UnreachableError("the answer did not come")

    monkeypatch.setattr(store._client, "create_entry", lost)
    assert apply(store, *create(VIEW)) == ["create"]
    assert len(writer.table_names(DATABASE)) == 1


def test_a_table_and_a_view_of_another_format_are_in_the_way(
    store: MetastoreStore, writer: MetastoreWriter
) -> None:
    strangers(writer, tableType="EXTERNAL_TABLE", viewOriginalText=None, viewExpandedText=None)
    assert present(store, VIEW) == {}
    assert ((DATABASE,), "v", Kind.TABLE) in listed(store)
    (answer,) = store.apply(create(VIEW))
    assert failure(answer) == CollisionError.code
    writer.drop_entry(DATABASE, "v")
    strangers(writer, parameters={"table_type": "ICEBERG-VIEW", "metadata_location": "s3://b/m"})
    (answer,) = store.apply(create(VIEW))
    assert failure(answer) == CollisionError.code
    assert "a view of iceberg has this name" in (answer.failure or ("", ""))[1]


def test_two_texts_in_one_entry_are_refused(store: MetastoreStore) -> None:
    texts = (*VIEW.representations, Representation(dialect="spark", sql="select 1"))
    (answer,) = store.apply(create(replace(VIEW, representations=texts)))
    assert failure(answer) == "NOT_HELD"


def test_a_comment_that_the_metastore_has_no_room_for_is_named(store: MetastoreStore) -> None:
    long = replace(VIEW, columns=(Column("id", Primitive("long"), "x" * 257),))
    (applied,) = store.apply(create(long))
    assert applied.failure is not None
    code, _, hint = applied.failure
    assert (code, "shorten that of id at the source" in hint) == ("STORE_FAILED", True)
    assert apply(store, *create(VIEW)) == ["create"]


def test_a_missing_database_costs_no_other_view(store: MetastoreStore) -> None:
    nowhere = replace(VIEW, identifier=Identifier(("hms_store_nowhere",), "v"))
    found = {applied.identifier: applied for applied in store.apply(create(nowhere, VIEW))}
    assert failure(found[nowhere.identifier]) == "INVALID_NAMESPACE"
    assert found[VIEW.identifier].action is Action.CREATE


def test_databases_are_made_once_and_dropped_where_they_are_empty(
    store: MetastoreStore, writer: MetastoreWriter
) -> None:
    space = ("hms_store_made",)
    schema = Schema(levels=space, comment="c", properties=(("k", "v"),), owner="alice")
    assert store.lacking([space, (DATABASE,)]) == (space,)
    assert store.prepare([schema]) == (space,)
    assert store.prepare([schema]) == ()
    made = writer.database(space[0])
    assert made is not None
    assert (made["description"], made["parameters"]) == ("c", {"k": "v"})
    assert made["ownerName"] == "alice"
    apply(store, *create(VIEW))
    assert store.remove([space, (DATABASE,), ("hms_store_nowhere",), ("a", "b")]) == ((DATABASE,),)
    assert store.lacking([("a", "b"), (DATABASE,)]) == (("a", "b"),)


def test_what_no_metastore_has_as_a_database_is_refused(store: MetastoreStore) -> None:
    before = set(listed(store))
    for levels in ((), ("a", "b"), ("Upper",)):
        with pytest.raises(Exception, match="databases of one level") as raised:
            store.prepare([Schema(levels=("hms_store_undone",)), Schema(levels=levels)])
        assert getattr(raised.value, "code", "") == "INVALID_NAMESPACE"
    assert set(listed(store)) == before, "all, or none"


def test_an_iceberg_view_in_a_metastore_keeps_the_versions_before(
    request: pytest.FixtureRequest,
) -> None:
    made = MAKERS["iceberg-hive"](request)
    plain = replace(iceberg.VIEW, identifier=made.orders.identifier)
    with made.store as store:
        assert isinstance(store, HiveCatalogStore)
        store.prepare(made.schemas())
        (creation,) = create(store.hold(plain).view)
        assert apply(store, iceberg.with_history(creation)) == ["create"]
        occupied = store._read_places([plain.identifier])[plain.identifier]
        found = store._read_content(plain.identifier.namespace[0], occupied.parameters[LOCATION])
        assert iceberg.versions_of(json.loads(found)) == iceberg.HISTORY
