"""The store `gravitino-rest` against our stand-in for a Gravitino server, which fails if told."""

import json
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from connectors.clients.credentials import Secret
from connectors.gravitino.rest import GravitinoRest, Options
from discovery import wire
from discovery.changes import fingerprint
from discovery.diff import differences
from discovery.errors import BelvedereError, ConfigurationError
from discovery.model import Column, Identifier, Primitive, Representation, Schema, View
from discovery.outcomes import Kind
from discovery.ports import Action, Applied, Change
from tests.gravitino_double import Double, Fault, gravitino
from tests.loopback import Request
from tests.recorded import gravitino_client as client

ID = Column("id", Primitive("long"))
VIEW = View(
    identifier=Identifier(("s",), "v"),
    columns=(ID,),
    representations=(
        Representation(dialect="spark", sql="SELECT 1 AS id", default_schema="s"),
        Representation(dialect="trino", sql="SELECT 1 AS id", default_schema="s"),
    ),
    comment="one",
    properties=(("a", "1"), ("b", "1")),
)
WANTED = replace(
    VIEW,
    comment="two",
    representations=VIEW.representations[:1],
    properties=(("b", "2"), ("c", "1")),
)
RENAMED = replace(VIEW, identifier=Identifier(("s",), "w"))


def options(double: Double, provider: str = "lakehouse-iceberg", **more: Any) -> Options:
    stated = {"metalake": "m", "catalog": "c", "timeout": 0.3, **more}
    return Options(uri=double.uri, provider=provider, **stated)


@pytest.fixture
def double() -> Iterator[Double]:
    with gravitino("lakehouse-iceberg") as running:
        running.schema("s")
        yield running


@pytest.fixture
def store(double: Double) -> Iterator[GravitinoRest]:
    with GravitinoRest(options(double)) as opened:
        yield opened


def change(action: Action, view: View, before: View | None = None, new_name: str = "") -> Change:
    return Change(action, view, fingerprint(view) or "", fingerprint(before), new_name)


def applied(store: GravitinoRest, *changes: Change) -> list[Applied]:
    return list(store.apply(changes))


def code(answer: Applied) -> str:
    assert answer.failure is not None, answer
    return answer.failure[0]


def told(answer: Applied) -> str:
    assert answer.failure is not None, answer
    return " ".join(answer.failure[1:])


CREATE, RENAME = change(Action.CREATE, VIEW), change(Action.RENAME, VIEW, VIEW, "w")
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
        (there,) = store.present([after.identifier])
        assert differences(after, there) == ()
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
        store, *(change(Action.CREATE, replace(VIEW, identifier=one)) for one in places)
    )
    assert [one.identifier for one in answers] == places
    assert {code(one) for one in answers} == {"UNREACHABLE"}
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


def test_a_lost_race_is_told_as_such(double: Double, store: GravitinoRest) -> None:
    applied(store, CREATE)
    body = b'{"code": 1012, "type": "OptimisticLockException", "message": "changed"}'
    double.faults.append(Fault("PUT", times=3, status=409, body=body))
    (answer,) = applied(store, WRITES["replace"][1])
    assert code(answer) == "MOVED"
    (there,) = store.present([VIEW.identifier])
    assert differences(VIEW, there) == ()


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
    assert ("v", Kind.TABLE) in {(one.name, one.kind) for one in store.listing()}


def test_a_schema_that_is_not_there_fails_its_views(store: GravitinoRest) -> None:
    lost = replace(VIEW, identifier=Identifier(("nowhere",), "v"))
    (answer,) = applied(store, change(Action.CREATE, lost))
    assert code(answer) == "READ_FAILED"
    assert "nowhere does not exist" in told(answer)


def test_paimon_s_half_replaced_view_is_made_again() -> None:
    query = replace(VIEW.representations[0], dialect="query")
    view = replace(VIEW, representations=(query,))
    wanted = replace(view, comment="two")
    with gravitino("lakehouse-paimon") as double, _opened(double, "lakehouse-paimon") as store:
        double.schema("s")
        applied(store, change(Action.CREATE, view))

        def half() -> None:
            double.things.pop(("m", "c", "s", "views", "v"))

        double.faults.append(Fault("PUT", status=500, sabotage=half))
        (answer,) = applied(store, change(Action.REPLACE, wanted, view))
        assert answer.action == "replace"
        (there,) = store.present([view.identifier])
        assert differences(wanted, there) == ()


def _opened(double: Double, provider: str, **more: Any) -> GravitinoRest:
    return GravitinoRest(options(double, provider, **more))


def test_a_replacement_is_one_request_with_what_differs(
    double: Double, store: GravitinoRest
) -> None:
    applied(store, CREATE, change(Action.REPLACE, WANTED, VIEW))
    method, path, body = double.asked[-1]
    assert (method, path) == ("PUT", "/api/metalakes/m/catalogs/c/schemas/s/views/v")
    kinds = [(one["@type"], one.get("property")) for one in body["updates"]]
    assert kinds == [
        ("setProperty", "b"),
        ("setProperty", "c"),
        ("replaceView", None),
        ("removeProperty", "a"),
    ]
    coloured = replace(WANTED, properties=(("b", "2"), ("c", "red")))
    applied(store, change(Action.REPLACE, coloured, WANTED))
    assert [one["@type"] for one in double.asked[-1][2]["updates"]] == ["setProperty"]


def test_a_merged_view_that_the_catalog_cannot_hold_is_not_written(
    double: Double, store: GravitinoRest
) -> None:
    theirs = replace(VIEW.representations[1], default_schema="elsewhere")
    merged = replace(VIEW, representations=(VIEW.representations[0], theirs))
    (answer,) = applied(store, change(Action.CREATE, merged))
    assert code(answer) == "NOT_HELD"
    assert "trino get those of spark" in told(answer)
    assert double.writes() == []


def test_trino_s_views_of_a_metastore_are_listed_and_never_overwritten() -> None:
    with gravitino("hive") as double, _opened(double, "hive") as store:
        double.schema("s")
        trino = {"type": "sql", "dialect": "trino", "sql": "/* Presto View: */"}
        key = ("m", "c", "s", "views", "v")
        double.things[key] = {"name": "v", "representations": [trino], "properties": {}}
        assert ("v", Kind.VIEW) in {(one.name, one.kind) for one in store.listing()}
        assert list(store.present([VIEW.identifier])) == []
        hive = replace(VIEW, representations=(Representation(dialect="hive", sql="select 1"),))
        (answer,) = applied(store, change(Action.CREATE, hive))
        assert code(answer) == "NOT_HELD"
        assert double.writes() == []


@pytest.mark.parametrize(
    ("provider", "why"),
    [("lakehouse-generic", "NOT_HELD"), ("glue", "NOT_HELD"), ("jdbc-mysql", "READ_ONLY_CATALOG")],
)
def test_a_provider_without_views_is_told_before_any_request(provider: str, why: str) -> None:
    with gravitino(provider) as double, _opened(double, provider) as store:
        for asked in (lambda: list(store.listing()), lambda: store.hold(VIEW)):
            with pytest.raises(BelvedereError) as raised:
                asked()
            assert raised.value.code == why
        assert double.asked == []
        assert store.probe().problems != ()


def test_a_backend_without_views_is_an_error_and_no_empty_catalog(
    double: Double, store: GravitinoRest
) -> None:
    body = b'{"code": 1006, "type": "X", "message": "Catalog does not support view operations"}'
    double.faults.append(Fault("GET", "/views", times=9, status=405, body=body))
    for asked in (store.listing, lambda: store.present([VIEW.identifier])):
        with pytest.raises(BelvedereError, match="does not support view operations") as raised:
            list(asked())
        assert raised.value.code == "NOT_HELD"


def test_a_catalog_of_another_provider_is_a_mistake_of_the_configuration(double: Double) -> None:
    with _opened(double, "hive") as store:
        with pytest.raises(ConfigurationError, match="is one of lakehouse-iceberg, not of hive"):
            list(store.listing())
        assert "is one of lakehouse-iceberg" in store.probe().problems[0]


@pytest.mark.parametrize(
    ("status", "body", "why", "message"),
    [
        (401, b'{"code": 1011, "type": "U", "message": "bad"}', "DENIED", "authenticator"),
        (403, b'{"code": 1008, "type": "F", "message": "no"}', "DENIED", "Grant"),
        (403, b"<html>", "DENIED", "403 Forbidden"),
        (404, b"<html>", "READ_FAILED", "no answer of Gravitino's"),
        (302, b"", "READ_FAILED", "302 Found"),
        (200, b"<html>", "STORE_FAILED", "no answer of Gravitino's"),
        (200, b'{"code": 0}', "READ_FAILED", "is no view"),
        (409, b'{"code": 1009, "type": "N", "message": "not in use"}', "STORE_FAILED", "Enable"),
        (400, b'{"code": 1001, "type": "I", "message": "odd"}', "STORE_FAILED", "odd"),
        (502, b'{"code": 1007, "type": "C", "message": "thrift"}', "UNREACHABLE", "thrift"),
        (429, b"", "UNREACHABLE", "429"),
    ],
)
def test_answers_become_our_errors(
    double: Double, store: GravitinoRest, status: int, body: bytes, why: str, message: str
) -> None:
    double.faults.append(Fault("GET", "/views/v", times=9, status=status, body=body))
    (answer,) = applied(store, CREATE)
    assert code(answer) == why
    assert message in told(answer)
    with pytest.raises(BelvedereError) as raised:
        list(store.present([VIEW.identifier]))
    assert raised.value.code == why, "an answer that makes no sense is no missing view"
    assert double.writes() == []


def test_reads_are_asked_again(double: Double, store: GravitinoRest) -> None:
    applied(store, CREATE)
    for status in (500, 503, 0):
        double.faults.append(Fault("GET", "/views/v", status=status))
        assert [one.identifier.name for one in store.present([VIEW.identifier])] == ["v"]
        assert double.faults[-1].times == 0


@pytest.mark.parametrize(
    ("login", "authorization"),
    [
        ({}, None),
        ({"user": "anna"}, "Basic " + b64encode(b"anna:dummy").decode()),
        (
            {"user": "anna", "password": Secret("canary-3a3a")},
            "Basic " + b64encode(b"anna:canary-3a3a").decode(),
        ),
        ({"token": Secret("canary-3a3a")}, "Bearer canary-3a3a"),
    ],
)
def test_every_request_is_signed_and_nothing_shows_the_secret(
    double: Double, login: dict[str, Any], authorization: str | None
) -> None:
    with _opened(double, "lakehouse-iceberg", **login) as store:
        assert applied(store, CREATE)[0].action == "create"
        assert {one.get("Authorization") for one in double.heads} == {authorization}
        assert {one["Accept"] for one in double.heads} == {"application/vnd.gravitino.v1+json"}
        double.authorization = "something else"
        with pytest.raises(BelvedereError) as raised:
            store.probe()
        assert raised.value.code == "DENIED"
        assert "canary" not in f"{raised.value!r}{raised.value.hint}{options(double, **login)}"


def test_a_secret_that_the_server_repeats_is_blanked_out() -> None:
    with gravitino() as double:
        properties = {"jdbc-password": Secret("canary-3a3a"), "uri": "jdbc:x"}
        make: dict[str, Any] = {"create_metalake": True, "create_catalog": True}
        body = b'{"code": 1007, "type": "C", "message": "login with canary-3a3a failed"}'
        double.faults.append(Fault("POST", "/catalogs", times=9, status=502, body=body))
        stated = options(double, catalog_properties=properties, **make)
        with GravitinoRest(stated) as store, pytest.raises(BelvedereError) as raised:
            store.prepare([Schema(levels=("s",))])
        assert "login with *** failed" in str(raised.value)
        sent = next(one for method, path, one in double.asked if path.endswith("/catalogs"))
        assert sent["properties"]["jdbc-password"] == "canary-3a3a"
        assert sent["type"] == "relational"


def test_what_is_missing_is_made_as_asked_and_nothing_else() -> None:
    with gravitino() as double:
        for metalake, missing in ((False, "metalake m"), (True, "catalog c")):
            with _opened(double, "lakehouse-iceberg", create_metalake=metalake) as store:
                with pytest.raises(BelvedereError, match=f"{missing} is not there") as raised:
                    store.prepare([Schema(levels=("s",))])
                assert "create_" in raised.value.hint
                assert double.things == {}, "all or nothing"
                assert store.probe().problems == ("the catalog c is not there yet",)
                assert not store.may_create(("s",))


SCHEMAS = (Schema(levels=("a", "b"), comment="c", location="s3://b"), Schema(levels=("z",)))
MAKE: dict[str, Any] = {"create_metalake": True, "create_catalog": True}


REFUSAL = b'{"code": 1001, "type": "I", "message": "no such place"}'


class LastSchema(Fault):
    """Hits what makes the schema `z`."""

    def hits(self, request: Request) -> bool:
        return b'"z"' in request.body and super().hits(request)


def test_parents_come_first_and_a_failure_leaves_nothing() -> None:
    with gravitino() as double, _opened(double, "lakehouse-iceberg", **MAKE) as store:
        double.faults.append(LastSchema("POST", status=400, body=REFUSAL))
        with pytest.raises(BelvedereError, match="no such place"):
            store.prepare(SCHEMAS)
        assert double.things == {}
        made = [body["name"] for method, _, body in double.asked if method == "POST"]
        assert made == ["m", "c", "a", "a:b", "z"]
        store.prepare(SCHEMAS)
        assert double.things["m", "c", "a:b"]["comment"] == "c"
        assert "s3://b" not in json.dumps(double.asked), "the location is the source's"
        writes = len(double.writes())
        store.prepare(SCHEMAS)
        assert len(double.writes()) == writes, "idempotent"


def test_what_could_not_be_removed_again_is_told() -> None:
    with gravitino("lakehouse-iceberg") as double, _opened(double, "lakehouse-iceberg") as store:

        def fill() -> None:
            double.view_in("a:b")

        double.faults.append(LastSchema("POST", status=400, body=REFUSAL, sabotage=fill))
        with pytest.raises(BelvedereError, match="not removed again: m/c/a:b, m/c/a") as raised:
            store.prepare(SCHEMAS)
        assert "no such place" in str(raised.value)


@pytest.mark.parametrize("fault", [{}, {"before": False}, {"status": 500, "before": False}])
def test_a_schema_whose_answer_is_lost_is_made_once(fault: dict[str, Any]) -> None:
    with gravitino("lakehouse-iceberg") as double, _opened(double, "lakehouse-iceberg") as store:
        double.faults.append(Fault("POST", "/schemas", **fault))
        store.prepare([Schema(levels=("s",))])
        assert ("m", "c", "s") in double.things
        double.faults.append(Fault("DELETE", "/schemas", **fault))
        assert store.remove([("s",)]) == ()
        assert ("m", "c", "s") not in double.things


def test_schemas_are_walked_level_by_level(double: Double, store: GravitinoRest) -> None:
    store.prepare([Schema(levels=("a", "b", "c")), Schema(levels=("a2",))])
    found = [one.namespace for one in store.listing() if one.kind is Kind.NAMESPACE]
    assert found == [("a",), ("a", "b"), ("a", "b", "c"), ("a2",), ("s",)]
    asked = [path for _, path, _ in double.asked if "parentSchema" in path]
    assert asked[1].endswith("/schemas?parentSchema=a%3Ab")


def test_a_schema_that_would_be_taken_for_levels_stops_nesting(
    double: Double, store: GravitinoRest
) -> None:
    double.schema("old:sales")
    double.things["m", "c", "old:sales"]["flat"] = True
    with pytest.raises(BelvedereError, match="'old:sales' contains the separator") as raised:
        store.prepare([Schema(levels=("x", "y"))])
    assert raised.value.code == "NAMESPACE_CONFLICT"
    assert double.writes() == []


@pytest.mark.parametrize("levels", [("new:name",), ("ä",), ("x" * 65,)])
def test_a_schema_with_a_bad_name_is_refused_before_anything_is_made(
    double: Double, store: GravitinoRest, levels: tuple[str, ...]
) -> None:
    with pytest.raises(BelvedereError) as raised:
        store.prepare([Schema(levels=("fine",)), Schema(levels=levels)])
    assert raised.value.code == "NOT_HELD"
    assert double.asked == []


@pytest.mark.parametrize(
    ("version", "problem"), [("2.0.0-SNAPSHOT", "set the option server_version"), ("1.3.1", "")]
)
def test_a_newer_server_is_told(version: str, problem: str) -> None:
    with gravitino("hive", version=version) as double, _opened(double, "hive") as store:
        probe = store.probe()
        assert version in probe.version
        assert problem in " ".join(probe.problems)
        assert bool(probe.problems) == bool(problem)


@pytest.mark.parametrize("version", ["1.2.1", "0.9", "odd"])
def test_a_server_without_views_is_refused(version: str) -> None:
    with (
        gravitino("hive", version=version) as double,
        _opened(double, "hive") as store,
        pytest.raises(BelvedereError, match="the server's version is") as raised,
    ):
        store.probe()
    assert raised.value.code == "UNSUPPORTED_VERSION"


@pytest.mark.parametrize(
    ("stated", "why"),
    [
        ({"uri": "ftp://x"}, "not of the form"),
        ({"uri": "http://anna:canary@x:8090"}, "not of the form"),
        ({"token": Secret("x"), "user": "anna"}, "both a token and a user"),
        ({"password": Secret("x")}, "a password without a user"),
        ({"server_version": "1.2.0"}, "server_version"),
        ({"server_version": "new"}, "is no version"),
        ({"schema_separator": "/"}, "conflicts with the parsing"),
        ({"catalog_properties": {"jdbc-password": "canary"}}, "stands in the configuration"),
    ],
)
def test_wrong_options_are_refused_with_the_configuration(stated: dict[str, Any], why: str) -> None:
    right = {"uri": "http://x:8090", "metalake": "m", "catalog": "c", "provider": "hive"}
    with pytest.raises(ConfigurationError, match=why) as raised:
        Options(**{**right, **stated})
    assert "canary" not in str(raised.value)


def test_the_connections_are_shared_out_among_tasks_and_threads(double: Double) -> None:
    shares = [((8, 4), 2), ((8, 3), 2), ((2, 4), 1), ((1, 1), 1)]
    for (connections, threads), tasks in shares:
        made = _opened(double, "hive", connections=connections, threads=threads)
        assert made.connections == tasks


def test_many_views_go_in_at_once(double: Double, store: GravitinoRest) -> None:
    views = [replace(VIEW, identifier=Identifier(("s",), f"v{n:03}")) for n in range(100)]
    answers = applied(store, *(change(Action.CREATE, one) for one in views))
    assert [one.identifier for one in answers] == [one.identifier for one in views]
    assert {one.action for one in answers} == {Action.CREATE}
    assert len(double.writes()) == len(double.views) == 100
    assert double.busy[1] <= 4, "no more than there are threads"
    assert len(list(store.present([one.identifier for one in views]))) == 100


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
        texts = [(one.dialect, one.sql) for one in client.BEFORE.representations]
        assert [(one["dialect"], one["sql"]) for one in read["representations"]] == texts
        assert read["properties"] == dict(client.BEFORE.properties)
        assert wire.columns_from_json(read["columns"]) == client.BEFORE.columns
