"""Views of the store `gravitino-rest`, by our stand-in for a server, which fails if told."""

import json
from dataclasses import replace
from typing import Any

import pytest

from connectors.gravitino.rest.store import GravitinoRest
from discovery import wire
from discovery.errors import DeniedError
from discovery.migration.diff import differences
from discovery.model import Identifier, Representation, View
from discovery.outcomes import Kind
from discovery.ports import Action, Change
from tests.contract.gravitino_rest import (
    CREATE,
    RENAME,
    RENAMED,
    VIEW,
    WANTED,
    applied,
    code,
    opened,
    told,
)
from tests.contract.stores import change
from tests.gravitino_double import Double, Fault, gravitino
from tests.recorded import gravitino_client as client

WRITES: dict[str, tuple[str, Change, View | None]] = {
    "create": ("POST", CREATE, VIEW),
    "replace": ("PUT", change(Action.REPLACE, WANTED, VIEW), WANTED),
    "rename": ("PUT", RENAME, RENAMED),
    "drop": ("DELETE", change(Action.DROP, VIEW, VIEW), None),
}
FAULTS: dict[str, dict[str, Any]] = {
    "answers 500 and has written nothing": {"status": 500},
    "answers 500 and has written": {"status": 500, "before": False},
    "answers 503 and has written nothing": {"status": 503},
    "hangs up before it writes": {},
    "hangs up after it has written": {"before": False},
    "does not answer and has written nothing": {"wait": 0.6},
    "does not answer and has written": {"wait": 0.6, "before": False},
    "answers nonsense and has written": {"status": 200, "before": False},
    "answers a list and has written": {"status": 200, "body": b"[]", "before": False},
    "answers no view and has written": {
        "status": 200,
        "body": b'{"code": 0, "view": {"name": "v"}}',
        "before": False,
    },
    "fails twice": {"times": 2},
}


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("write", WRITES)
def test_what_fails_once_ends_as_if_nothing_had_failed(
    double: Double, store: GravitinoRest, write: str, fault: str
) -> None:
    method, wanted, after = WRITES[write]
    if wanted.expected is not None:
        applied(store, CREATE)
    double.faults.append(Fault(method, "/views", **FAULTS[fault]))
    (answer,) = applied(store, wanted)
    assert (answer.action, answer.failure) == (wanted.action, None)
    assert double.views == ([] if after is None else [after.identifier.name])
    if after is not None:
        (view,) = store.present([after.identifier])
        assert differences(after, view) == ()
    if not FAULTS[fault].get("before", True):
        writes = [one for one, _ in double.writes() if one == method]
        assert len(writes) == 1, "what has taken effect is not sent again"


@pytest.mark.parametrize("write", WRITES)
def test_what_fails_for_good_is_told_and_costs_no_other(
    double: Double, store: GravitinoRest, write: str
) -> None:
    method, wanted, _ = WRITES[write]
    if wanted.expected is not None:
        applied(store, CREATE)
    body = b'{"code": 1002, "type": "RuntimeException", "message": "out of disk"}'
    part = "/views" if method == "POST" else "/views/v"
    double.faults.append(Fault(method, part, times=3, status=500, body=body))
    other = replace(VIEW, identifier=Identifier(("s",), "other"))
    if method == "POST":
        failed, *rest = applied(store, wanted)
    else:
        failed, *rest = applied(store, wanted, change(Action.CREATE, other))
    assert code(failed) == "STORE_FAILED"
    assert "out of disk" in told(failed)
    assert [one.action for one in rest] == ["create"] * len(rest)
    assert double.views == ([] if method == "POST" else ["other", "v"])
    assert [one.action for one in applied(store, wanted)] == [wanted.action], "the next attempt"


def test_a_write_whose_outcome_nobody_can_tell_says_so(
    double: Double, store: GravitinoRest
) -> None:
    def go() -> None:
        double.faults.append(Fault("GET", times=100))

    double.faults.append(Fault("POST", before=False, sabotage=go))
    (answer,) = applied(store, CREATE)
    assert code(answer) == "UNREACHABLE"
    assert "whether the write took effect is not known" in told(answer)
    double.faults.clear()
    assert [one.action for one in applied(store, CREATE)] == ["keep"]


def test_a_server_that_is_gone_is_not_asked_for_every_view(
    double: Double, store: GravitinoRest
) -> None:
    places = [Identifier(("s",), f"v{number}") for number in range(50)]
    double.faults.append(Fault("GET", times=1_000))
    answers = applied(
        store, *(change(Action.CREATE, replace(VIEW, identifier=place)) for place in places)
    )
    assert [answer.identifier for answer in answers] == places
    assert {code(answer) for answer in answers} == {"UNREACHABLE"}
    assert len(double.asked) < 50
    assert double.writes() == []


@pytest.mark.parametrize(
    ("theirs", "action", "why"), [(WANTED, "failed", "MOVED"), (VIEW, "keep", "")]
)
def test_a_view_that_somebody_else_makes_meanwhile_is_not_overwritten(
    double: Double, store: GravitinoRest, theirs: View, action: str, why: str
) -> None:
    applied(store, change(Action.CREATE, theirs))
    kept = double.things.pop(("m", "c", "s", "views", "v"))

    def race() -> None:
        double.things["m", "c", "s", "views", "v"] = kept

    body = b'{"code": 1004, "type": "ViewAlreadyExistsException", "message": "v exists"}'
    double.faults.append(Fault("POST", status=409, body=body, sabotage=race))
    (answer,) = applied(store, CREATE)
    assert answer.action == action
    assert why in ("" if answer.failure is None else answer.failure)
    assert double.view("s", "v") == kept


def test_a_view_that_somebody_else_drops_meanwhile_is_no_write_of_ours(
    double: Double, store: GravitinoRest
) -> None:
    applied(store, CREATE)
    double.faults.append(Fault("DELETE", status=200, body=b'{"code": 0, "dropped": false}'))
    (answer,) = applied(store, WRITES["drop"][1])
    assert answer.action == "keep"


FORBIDDEN = b'{"code": 1008, "type": "ForbiddenException", "message": "not authorized"}'


def test_what_may_not_be_seen_is_created_where_nothing_is(
    double: Double, store: GravitinoRest
) -> None:
    """From 1.3.1 on, with authorization, a view that is not there may be answered with 403."""
    double.faults.append(Fault("GET", "/views/v", times=2, status=403, body=FORBIDDEN))
    assert list(store.present([VIEW.identifier])) == [], "it is not listed either"
    (answer,) = applied(store, CREATE)
    assert (answer.action, answer.failure) == (Action.CREATE, None)
    (view,) = store.present([VIEW.identifier])
    assert differences(VIEW, view) == (), "who creates it owns it"


def test_what_may_not_be_seen_is_never_overwritten(double: Double, store: GravitinoRest) -> None:
    applied(store, change(Action.CREATE, WANTED))
    before = double.view("s", "v")
    double.faults.append(Fault("GET", "/views/v", times=100, status=403, body=FORBIDDEN))
    (answer,) = applied(store, CREATE)
    assert code(answer) == "COLLISION"
    for write in ("replace", "drop"):
        (answer,) = applied(store, WRITES[write][1])
        assert code(answer) == "DENIED"
        assert "Grant the user the right" in told(answer)
    assert double.view("s", "v") == before
    with pytest.raises(DeniedError):
        list(store.present([VIEW.identifier]))


def test_a_lost_race_is_told_as_such(double: Double, store: GravitinoRest) -> None:
    applied(store, CREATE)
    body = b'{"code": 1012, "type": "OptimisticLockException", "message": "changed"}'
    double.faults.append(Fault("PUT", times=3, status=409, body=body))
    (answer,) = applied(store, WRITES["replace"][1])
    assert code(answer) == "MOVED"
    (view,) = store.present([VIEW.identifier])
    assert differences(VIEW, view) == ()


def test_a_table_of_that_name_is_a_collision(double: Double, store: GravitinoRest) -> None:
    double.table("s", "v")
    double.table("s", "w")
    (answer,) = applied(store, CREATE)
    assert code(answer) == "COLLISION"
    assert "Table v already exists" in told(answer)
    other = replace(VIEW, identifier=Identifier(("s",), "x"))
    applied(store, change(Action.CREATE, other))
    (answer,) = applied(store, change(Action.RENAME, other, other, "w"))
    assert code(answer) == "COLLISION"
    assert double.views == ["x"]
    assert ("v", Kind.TABLE) in {(listed.name, listed.kind) for listed in store.listing()}


def test_a_schema_that_is_not_there_fails_its_views(store: GravitinoRest) -> None:
    lost = replace(VIEW, identifier=Identifier(("nowhere",), "v"))
    (answer,) = applied(store, change(Action.CREATE, lost))
    assert code(answer) == "READ_FAILED"
    assert "nowhere does not exist" in told(answer)


def test_paimon_s_half_replaced_view_is_made_again() -> None:
    query = replace(VIEW.representations[0], dialect="query")
    view = replace(VIEW, representations=(query,))
    wanted = replace(view, comment="two")
    with gravitino("lakehouse-paimon") as double, opened(double, "lakehouse-paimon") as store:
        double.schema("s")
        applied(store, change(Action.CREATE, view))

        def half() -> None:
            double.things.pop(("m", "c", "s", "views", "v"))

        double.faults.append(Fault("PUT", status=500, sabotage=half))
        (answer,) = applied(store, change(Action.REPLACE, wanted, view))
        assert answer.action == "replace"
        (there,) = store.present([view.identifier])
        assert differences(wanted, there) == ()


def test_a_replacement_is_one_request_with_what_differs(
    double: Double, store: GravitinoRest
) -> None:
    applied(store, CREATE, change(Action.REPLACE, WANTED, VIEW))
    method, path, body = double.asked[-1]
    assert (method, path) == ("PUT", "/api/metalakes/m/catalogs/c/schemas/s/views/v")
    kinds = [(update["@type"], update.get("property")) for update in body["updates"]]
    assert kinds == [
        ("setProperty", "b"),
        ("setProperty", "c"),
        ("replaceView", None),
        ("removeProperty", "a"),
    ]
    coloured = replace(WANTED, properties=(("b", "2"), ("c", "red")))
    applied(store, change(Action.REPLACE, coloured, WANTED))
    assert [update["@type"] for update in double.asked[-1][2]["updates"]] == ["setProperty"]


LOST: tuple[dict[str, Any], ...] = (
    {},
    {"status": 500},
    {"status": 500, "before": False},
    {"before": False, "times": 2},
)


@pytest.mark.parametrize("fault", LOST)
def test_a_dialect_is_left_out_with_the_leave_of_the_view_which_is_given_back(
    double: Double, store: GravitinoRest, fault: dict[str, Any]
) -> None:
    """What undo of `add-dialect` asks; Gravitino 1.3.0 refuses it otherwise."""
    applied(store, CREATE)
    single = replace(VIEW, representations=VIEW.representations[:1])
    if fault:
        double.faults.append(Fault("PUT", "/views", **fault))
    (answer,) = applied(store, change(Action.REPLACE, single, VIEW))
    assert (answer.action, answer.failure) == (Action.REPLACE, None)
    (view,) = store.present([VIEW.identifier])
    assert differences(single, view) == ()


def test_a_merged_view_that_the_catalog_cannot_hold_is_not_written(
    double: Double, store: GravitinoRest
) -> None:
    theirs = replace(VIEW.representations[1], sql="SELECT * FROM t", default_schema="elsewhere")
    merged = replace(VIEW, representations=(VIEW.representations[0], theirs))
    (answer,) = applied(store, change(Action.CREATE, merged))
    assert code(answer) == "NOT_HELD"
    assert "short names of trino lead to" in told(answer)
    assert double.writes() == []


def test_trino_s_views_of_a_metastore_are_listed_and_never_overwritten() -> None:
    with gravitino("hive") as double, opened(double, "hive") as store:
        double.schema("s")
        trino = {"type": "sql", "dialect": "trino", "sql": "/* Presto View: */"}
        key = ("m", "c", "s", "views", "v")
        double.things[key] = {"name": "v", "representations": [trino], "properties": {}}
        assert ("v", Kind.VIEW) in {(listed.name, listed.kind) for listed in store.listing()}
        assert list(store.present([VIEW.identifier])) == []
        hive = replace(VIEW, representations=(Representation(dialect="hive", sql="select 1"),))
        (answer,) = applied(store, change(Action.CREATE, hive))
        assert code(answer) == "NOT_HELD"
        assert double.writes() == []


def test_many_views_go_in_at_once(double: Double, store: GravitinoRest) -> None:
    views = [replace(VIEW, identifier=Identifier(("s",), f"v{n:03}")) for n in range(100)]
    answers = applied(store, *(change(Action.CREATE, view) for view in views))
    assert [answer.identifier for answer in answers] == [view.identifier for view in views]
    assert {answer.action for answer in answers} == {Action.CREATE}
    assert len(double.writes()) == len(double.views) == 100
    reads = [path for method, path, _ in double.asked if method == "GET"]
    assert len(reads) == 1, "what is there is asked once for all"
    assert double.busy[1] <= 4, "no more than there are threads"
    assert len(list(store.present([view.identifier for view in views]))) == 100


def test_of_many_views_those_that_are_there_are_looked_at_and_left(
    double: Double, store: GravitinoRest
) -> None:
    views = [replace(VIEW, identifier=Identifier(("s",), f"v{n:03}")) for n in range(30)]
    wanted = [change(Action.CREATE, view) for view in views]
    other = replace(views[1], comment="somebody else's")
    applied(store, wanted[0], change(Action.CREATE, other), wanted[2])
    listed = b'{"code": 0, "identifiers": [{"name": "v000"}, {"name": "v001"}]}'
    double.faults.append(Fault("GET", "/s/views", status=200, body=listed))
    same, moved, late, *new = applied(store, *wanted)
    assert (same.action, late.action) == (Action.KEEP, Action.KEEP)
    assert code(moved) == "MOVED"
    assert {one.action for one in new} == {Action.CREATE}
    assert len(double.views) == 30


@pytest.mark.parametrize("body", [b'{"code": 0}', b'{"code": 0, "identifiers": [7]}'])
def test_of_many_views_each_is_looked_at_where_there_is_no_list(
    double: Double, store: GravitinoRest, body: bytes
) -> None:
    views = [replace(VIEW, identifier=Identifier(("s",), f"v{n:03}")) for n in range(30)]
    double.faults.append(Fault("GET", "/s/views", status=200, body=body))
    assert {one.action for one in applied(store, *(change(Action.CREATE, v) for v in views))} == {
        Action.CREATE
    }
    reads = [path for method, path, _ in double.asked if method == "GET"]
    assert len(reads) == 31


def test_our_requests_are_those_of_the_official_client_and_it_reads_what_we_write() -> None:
    recorded = json.loads(client.RECORDED.read_text(encoding="utf-8"))
    assert "1.3.1" in recorded["provenance"]["client"]
    with gravitino() as double, client.store_of(double) as store:
        assert client.live_through(store) == ["create", "replace", "rename", "drop"]
        assert client.writes(double) == recorded["writes"]
        store.prepare([client.SCHEMA])
        assert client.created(store).action == "create"
        said = {path: double.said(path) for path in recorded["answers"]}
        assert said == recorded["answers"], "what the client has read"
        (read,) = recorded["read"]
        texts = [
            (representation.dialect, representation.sql)
            for representation in client.BEFORE.representations
        ]
        assert [
            (representation["dialect"], representation["sql"])
            for representation in read["representations"]
        ] == texts
        assert read["properties"] == dict(client.BEFORE.properties)
        assert wire.columns_from_json(read["columns"]) == client.BEFORE.columns
