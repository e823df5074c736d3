"""Views that we write, in Paimon's own REST test server, and before Paimon's own client.

Fetches what test_paimon.py fetches.
"""

import json
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from discovery.migration.diff import differences
from discovery.model import Column, Field, Identifier, ListOf, Primitive, Representation, Struct
from discovery.ports import Action, ViewStore
from tests.contract import test_stores
from tests.contract.stores import Made, apply, change, create, failure, paimon_made, present
from tests.live.contract import CONTRACT, empty
from tests.live.paimon_server import TOKEN, PaimonJars, serving_paimon

pytestmark = [pytest.mark.live, pytest.mark.timeout(1_800)]


@pytest.fixture(scope="module")
def bare_server(paimon_jars: PaimonJars, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a test server without views."""
    with serving_paimon(paimon_jars, tmp_path_factory.mktemp("empty"), "empty") as uri:
        yield uri


@pytest.fixture
def made(bare_server: str) -> Made:
    """A store on it, from which everything is removed."""
    found = paimon_made(bare_server, TOKEN)
    empty(found.store)
    return found


@pytest.mark.parametrize("contract", CONTRACT, ids=lambda one: str(one.__name__))
def test_the_store_keeps_the_contract_on_paimon_s_own_server(
    contract: Callable[[Made], None], made: Made
) -> None:
    if contract is test_stores.test_views_read_back_as_they_were_written:
        pytest.skip("who made a view is what the server says: see the test below")
    contract(made)


def asked(jars: PaimonJars, uri: str, *words: str) -> dict[str, Any]:
    """What Paimon's client says of a view."""
    command = [jars.java, "-Xmx200m", "-cp", jars.classpath, "PaimonReads", uri, *words]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    line = next(one for one in said.splitlines() if one.startswith("SAID "))
    found: dict[str, Any] = json.loads(line.removeprefix("SAID "))
    return found


def test_paimon_s_own_client_reads_what_was_written_altered_and_made_anew(
    paimon_jars: PaimonJars, bare_server: str, made: Made
) -> None:
    store = made.store
    columns = (
        Column("id", Primitive("long"), "the id", nullable=False),
        Column("rows", ListOf(Struct((Field("a b", Primitive("decimal(10,2)"), False, "x"),)))),
    )
    texts = (
        Representation(dialect="query", sql="SELECT 1", default_schema="sales"),
        Representation(dialect="spark", sql="SELECT 'a''b'\n%s 🐝", default_schema="sales"),
    )
    place = Identifier(("sales",), "Größe 100% +x")
    view = store.hold(
        replace(made.orders, identifier=place, columns=columns, representations=texts)
    ).view
    with store:
        store.prepare(made.schemas())
        assert apply(store, *create(view)) == ["create"]
        said = asked(paimon_jars, bare_server, *place.namespace, place.name)
        assert said["views"] == [place.name]
        row = "ROW<`id` BIGINT NOT NULL COMMENT 'the id', `rows` ARRAY<ROW<`a b` DECIMAL(10, 2)"
        assert said["columns"].startswith(row)
        assert (said["query"], said["flink"]) == ("SELECT 1", "SELECT 1")
        assert said["spark"] == texts[1].sql
        assert said["comment"] == view.comment
        assert said["options"]["gravitino.view.default-schema"] == "sales"
        assert said["database"]["comment"] == "c"

        flink = Representation(dialect="flink", sql="SELECT 2", default_schema="sales")
        wide = store.hold(replace(view, representations=(*texts, flink))).view
        assert apply(store, change(Action.ADD_DIALECT, wide, view)) == ["add-dialect"]
        assert asked(paimon_jars, bare_server, *place.namespace, place.name)["flink"] == "SELECT 2"

        other = (replace(texts[0], sql="SELECT 3"), *wide.representations[1:])
        anew = store.hold(replace(wide, representations=other, columns=columns[:1])).view
        assert apply(store, change(Action.REPLACE, anew, wide)) == ["replace"]
        said = asked(paimon_jars, bare_server, *place.namespace, place.name)
        assert said["query"] == "SELECT 3"
        assert said["columns"] == "ROW<`id` BIGINT NOT NULL COMMENT 'the id'> NOT NULL"
        assert said["views"] == [place.name], "nothing stands aside"
        _seen_by_us(paimon_jars, bare_server, store, anew, view)


def _seen_by_us(jars: PaimonJars, uri: str, store: ViewStore, there: Any, wanted: Any) -> None:
    """What Paimon's client changes is not overwritten; who made a view is the server's word."""
    place = there.identifier
    (view,) = present(store, there).values()
    assert differences(there, view) == ()
    assert view.audit.creator == "created"
    asked(jars, uri, *place.namespace, place.name, "colour", "red")
    (refused,) = store.apply([change(Action.REPLACE, wanted, there)])
    assert failure(refused) == "MOVED"
    assert ("colour", "red") in present(store, there)[place].properties
