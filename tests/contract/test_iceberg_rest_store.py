"""The store `iceberg-rest` beyond the contract: what a server can do to a load."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from requests import Response

from connectors.clients import single_writes
from connectors.clients.rest import tells_failure
from connectors.iceberg import rest_store
from connectors.iceberg.answers import is_of_catalog
from connectors.iceberg.rest_store import RestStore
from discovery.errors import BelvedereError, ConfigurationError, NotHeldError
from discovery.formats.iceberg_writing import MAY_LOSE
from discovery.migration.diff import differences
from discovery.model import Identifier, Representation, Schema
from discovery.ports import Action
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
from tests.iceberg_server import ROUTES, IcebergServer
from tests.loopback import Request


@pytest.fixture
def rest(iceberg_server: IcebergServer) -> Iterator[RestStore]:
    with RestStore(rest_store.Options(uri=iceberg_server.uri, timeout=5)) as made:
        made.prepare([SALES])
        yield made


def posts(server: IcebergServer, path: str) -> int:
    return server.writes.count(("POST", f"/v1/namespaces/sales/{path}"))


def test_a_server_says_that_a_table_has_the_name(
    rest: RestStore, iceberg_server: IcebergServer
) -> None:
    iceberg_server.tables.add((("sales",), "v"))
    answers = {applied.identifier.name: applied for applied in rest.apply(create(VIEW, OTHER))}
    assert failure(answers["v"]) == "COLLISION"
    assert answers["w"].action is Action.CREATE
    renamed = change(Action.RENAME, OTHER, OTHER, "v")
    assert failure(only(rest, renamed)) == "COLLISION"
    assert iceberg_server.views.keys() == {(("sales",), "w")}


@pytest.mark.parametrize("how", ["before", "after"])
def test_an_answer_that_is_lost_once_duplicates_nothing(
    rest: RestStore, iceberg_server: IcebergServer, how: str
) -> None:
    steps = [
        *create(VIEW),
        change(Action.REPLACE, CHANGED, VIEW),
        change(Action.RENAME, CHANGED, CHANGED, "n"),
    ]
    renamed = replace(CHANGED, identifier=Identifier(("sales",), "n"))
    for step in (*steps, change(Action.DROP, renamed, renamed)):
        iceberg_server.trouble = once(how)
        count = len(iceberg_server.writes)
        assert only(rest, step).action is step.action, step.action
        assert len(iceberg_server.writes) - count == (1 if how == "after" else 2)
    assert iceberg_server.views == {}


def once(how: str) -> Any:
    """Trouble with the next write only."""
    left = [how]

    def trouble(request: Request) -> str:
        return left.pop() if left and request.method != "GET" else ""

    return trouble


def test_a_server_that_always_fails_is_an_answer_for_each_view_and_none_is_half_written(
    rest: RestStore, iceberg_server: IcebergServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(single_writes, "_PAUSE", 0.0)
    iceberg_server.trouble = lambda request: "before" if request.path.endswith("/views") else ""
    answers = list(rest.apply(create(VIEW, OTHER)))
    assert [failure(answer) for answer in answers] == ["STORE_FAILED", "STORE_FAILED"]
    assert iceberg_server.views == {}
    assert posts(iceberg_server, "views") == 2 * 3


def test_a_newer_version_at_the_server_is_not_overwritten(
    rest: RestStore, iceberg_server: IcebergServer
) -> None:
    apply(rest, *create(VIEW))
    with RestStore(rest_store.Options(uri=iceberg_server.uri)) as other:
        assert apply(other, change(Action.REPLACE, CHANGED, VIEW)) == ["replace"]
    answer = only(rest, change(Action.REPLACE, replace(VIEW, comment="mine"), VIEW))
    assert failure(answer) == "MOVED"
    assert present(rest, VIEW)[PLACE].comment == "other"


def test_a_replacement_sends_only_what_changed(
    rest: RestStore, iceberg_server: IcebergServer
) -> None:
    bodies: list[Any] = []

    def noted(request: Request) -> str:
        body = json.loads(request.body or b"{}")
        bodies.extend([body] if "updates" in body else [])
        return ""

    iceberg_server.trouble = noted
    apply(rest, *create(VIEW))
    apply(rest, change(Action.REPLACE, CHANGED, VIEW))
    more = (*VIEW.representations, Representation(dialect="trino", sql="SELECT 1 x"))
    wide = rest.hold(replace(VIEW, representations=more)).view
    apply(rest, change(Action.REPLACE, wide, CHANGED))
    uid = iceberg_server.views[("sales",), "v"]["view-uuid"]
    assert {json.dumps(body["requirements"]) for body in bodies} == {
        json.dumps([{"type": "assert-view-uuid", "uuid": uid}])
    }
    actions = [[update["action"] for update in body["updates"]] for body in bodies]
    assert actions[0] == ["set-properties"], "a comment alone makes no version"
    assert actions[1][-2:] == ["add-view-version", "set-current-view-version"]


def test_a_dialect_goes_only_by_leave_that_is_taken_back(
    rest: RestStore, iceberg_server: IcebergServer
) -> None:
    more = (*VIEW.representations, Representation(dialect="trino", sql="SELECT 1 x"))
    wide = rest.hold(replace(VIEW, representations=more)).view
    apply(rest, *create(wide))
    assert apply(rest, change(Action.REPLACE, VIEW, wide)) == ["replace"]
    assert present(rest, VIEW)[PLACE].properties == ()
    assert iceberg_server.views[("sales",), "v"]["properties"] == {}


def test_namespaces_of_a_server_are_made_all_or_none(
    rest: RestStore, iceberg_server: IcebergServer
) -> None:
    with pytest.raises(BelvedereError):
        rest.prepare([Schema(levels=("a", "b")), Schema(levels=("z", ""))])
    assert list(iceberg_server.spaces) == [("sales",)]
    rest.prepare([Schema(levels=("a", "b"), comment="c", owner="alice")])
    assert iceberg_server.spaces[("a",)] == {"owner": "alice"}
    assert iceberg_server.spaces["a", "b"] == {"comment": "c", "owner": "alice"}


def test_a_view_that_somebody_else_drops_meanwhile_is_dropped_or_has_moved(
    rest: RestStore, iceberg_server: IcebergServer
) -> None:
    changes = change(Action.REPLACE, CHANGED, VIEW), change(Action.DROP, VIEW, VIEW)
    for wanted, action in zip(changes, ("failed", "drop"), strict=True):
        apply(rest, *create(VIEW))
        iceberg_server.trouble = dropped_by(iceberg_server)
        answer = only(rest, wanted)
        assert answer.action == action
        assert answer.failure is None or failure(answer) == "MOVED"


def dropped_by(server: IcebergServer) -> Any:
    """Somebody drops all views just before a write arrives."""

    def trouble(request: Request) -> str:
        if request.method != "GET":
            server.views.clear()
        return ""

    return trouble


def test_a_namespace_that_the_server_does_not_have_is_named(rest: RestStore) -> None:
    answer = only(rest, *create(replace(VIEW, identifier=Identifier(("nowhere",), "v"))))
    assert failure(answer) == "INVALID_NAMESPACE"
    assert "nowhere" in (answer.failure or ("", ""))[1]


@pytest.fixture
def registering(iceberg_server: IcebergServer, tmp_path: Path) -> Iterator[RestStore]:
    """A store with a folder that the server reads."""
    options = rest_store.Options(
        uri=iceberg_server.uri, timeout=5, registered_in=(tmp_path / "new").as_uri()
    )
    with RestStore(options) as made:
        made.prepare([SALES])
        yield made


@pytest.mark.parametrize("how", ["", "before", "after"])
def test_a_view_of_an_iceberg_source_is_registered_with_the_versions_before(
    registering: RestStore, iceberg_server: IcebergServer, tmp_path: Path, how: str
) -> None:
    (creation,) = create(registering.hold(VIEW).view)
    iceberg_server.trouble = once(how) if how else lambda _: ""
    assert apply(registering, with_history(creation)) == ["create"]
    document = iceberg_server.views[(("sales",), "v")]
    assert (versions_of(document), document["current-version-id"]) == (HISTORY, 2)
    assert not differences(creation.view, present(registering, VIEW)[PLACE])
    assert posts(iceberg_server, "views") == 0
    assert apply(registering, *create(OTHER)) == ["create"], "one without a history is made as ever"
    assert posts(iceberg_server, "views") == 1
    assert registering.probe().problems == ()


def twice(server: IcebergServer, path: str) -> Any:
    """A gateway that delivers each POST to a path two times, and hands on the second answer."""

    def trouble(request: Request) -> str:
        if request.method == "POST" and request.path.endswith(path):
            server._said(request)
        return ""

    return trouble


def test_what_is_delivered_twice_is_there_once_and_is_ours(
    registering: RestStore, iceberg_server: IcebergServer, tmp_path: Path
) -> None:
    iceberg_server.trouble = twice(iceberg_server, "/register-view")
    (creation,) = create(registering.hold(VIEW).view)
    assert apply(registering, with_history(creation)) == ["create"]
    assert len(list((tmp_path / "new").rglob("*.json"))) == 1, "that of the view"
    iceberg_server.trouble = twice(iceberg_server, "/views")
    assert apply(registering, *create(OTHER)) == ["create"]


@pytest.mark.parametrize("back", [False, True])
def test_a_replacement_whose_second_half_fails_is_ended_by_the_next(
    rest: RestStore,
    iceberg_server: IcebergServer,
    monkeypatch: pytest.MonkeyPatch,
    back: bool,
) -> None:
    monkeypatch.setattr(single_writes, "_PAUSE", 0.0)
    more = (*VIEW.representations, Representation(dialect="trino", sql="SELECT 1 x"))
    wide = rest.hold(replace(VIEW, representations=more)).view
    apply(rest, *create(wide))

    def gone(request: Request) -> str:
        updates = json.loads(request.body or b"{}").get("updates", ())
        return "before" if any(one.get("removals") == [MAY_LOSE] for one in updates) else ""

    iceberg_server.trouble = gone
    there = change(Action.REPLACE, VIEW, wide)
    assert failure(only(rest, there)) == "STORE_FAILED"
    assert iceberg_server.views[("sales",), "v"]["properties"] == {MAY_LOSE: "true"}
    iceberg_server.trouble = lambda _: ""
    again = change(Action.REPLACE, wide, VIEW) if back else there
    assert apply(rest, again) == ["replace"]
    assert present(rest, VIEW)[PLACE].properties == ()
    assert not differences(wide if back else VIEW, present(rest, VIEW)[PLACE])


@pytest.mark.parametrize("how", ["before", "after"])
def test_a_namespace_whose_answer_is_lost_is_known_to_be_ours(
    rest: RestStore, iceberg_server: IcebergServer, how: str
) -> None:
    iceberg_server.trouble = once(how)
    assert rest.prepare([Schema(levels=("fresh",))]) == (("fresh",),)
    assert iceberg_server.writes.count(("POST", "/v1/namespaces")) == (2 if how == "after" else 3)
    assert rest.remove([("fresh",)]) == ()


@pytest.mark.parametrize(
    ("body", "is_its"),
    [
        ({"message": "no", "type": "NoSuchViewException", "code": 404}, True),
        ({"message": "no rule matches", "status": "Not Found", "code": 404}, False),
    ],
)
def test_a_404_of_a_gateway_is_no_word_of_the_catalog(body: dict[str, Any], is_its: bool) -> None:
    answer = Response()
    answer._content = json.dumps({"error": body}).encode()
    assert is_of_catalog(answer) is is_its


@pytest.mark.parametrize(
    ("body", "fails"),
    [
        ({}, False),
        ({"metadata": {}}, False),
        ({"error": {"message": "no"}}, True),
        ({"code": 500, "message": "backend failed"}, True),
    ],
)
def test_an_error_with_a_status_of_success_is_no_success(body: dict[str, Any], fails: bool) -> None:
    assert tells_failure(body) is fails


def test_a_registration_that_is_refused_leaves_no_file(
    registering: RestStore, iceberg_server: IcebergServer, tmp_path: Path
) -> None:
    iceberg_server.tables.add((("sales",), "v"))
    (creation,) = create(registering.hold(VIEW).view)
    assert failure(only(registering, with_history(creation))) == "COLLISION"
    assert not list((tmp_path / "new").rglob("*.json"))


def test_a_server_that_registers_no_views_gets_them_without_their_history(
    registering: RestStore, iceberg_server: IcebergServer
) -> None:
    iceberg_server.routes = tuple(route for route in ROUTES if "register" not in route)
    registering.close()
    (creation,) = create(registering.hold(VIEW).view)
    assert apply(registering, with_history(creation)) == ["create"]
    assert len(iceberg_server.views[(("sales",), "v")]["versions"]) == 1
    (problem,) = registering.probe().problems
    assert "no register-view" in problem


def test_a_folder_that_is_no_uri_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="is no URI"):
        rest_store.Options(uri="http://a", registered_in="/there")


@pytest.mark.parametrize(
    ("levels", "name"),
    [(("sales",), ".."), (("sales",), "."), (("..",), "v"), (("sales\x1feu",), "v")],
)
def test_a_name_that_would_lead_elsewhere_is_refused_and_never_asked_for(
    rest: RestStore, iceberg_server: IcebergServer, levels: tuple[str, ...], name: str
) -> None:
    view = replace(VIEW, identifier=Identifier(levels, name))
    with pytest.raises(NotHeldError, match=r"(cannot stand|separates levels) in Iceberg's paths"):
        rest.hold(view)
    before = len(iceberg_server.asked)
    assert failure(only(rest, change(Action.DROP, view, view))) == "STORE_FAILED"
    assert len(iceberg_server.asked) == before, "it would be asked of what the view is in"


def test_dots_in_a_namespace_of_several_levels_lead_nowhere_else(
    rest: RestStore, iceberg_server: IcebergServer
) -> None:
    view = replace(VIEW, identifier=Identifier(("sales", ".."), "v..w"))
    rest.prepare([Schema(levels=("sales", ".."))])
    assert only(rest, change(Action.CREATE, view)).action is Action.CREATE
    assert (("sales", ".."), "v..w") in iceberg_server.views
