"""The store `gravitino-rest` and its server: providers, versions, answers, secrets, options."""

import json
import time
from base64 import b64encode
from collections.abc import Callable
from typing import Any

import pytest

from connectors.clients.credentials import Secret
from connectors.gravitino.rest.store import GravitinoRest, Options
from discovery.errors import BelvedereError, ConfigurationError, ReadError
from discovery.model import Schema
from tests.contract.gravitino_rest import CREATE, VIEW, applied, code, opened, options, told
from tests.gravitino_double import Double, Fault, gravitino


@pytest.mark.parametrize(
    ("provider", "why"),
    [("lakehouse-generic", "NOT_HELD"), ("glue", "NOT_HELD"), ("jdbc-mysql", "READ_ONLY_CATALOG")],
)
def test_a_provider_without_views_is_told_before_any_request(provider: str, why: str) -> None:
    with gravitino(provider) as double, opened(double, provider) as store:
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
    with opened(double, "hive") as store:
        with pytest.raises(ConfigurationError, match="is one of lakehouse-iceberg, not of hive"):
            list(store.listing())
        assert "is one of lakehouse-iceberg" in store.probe().problems[0]


@pytest.mark.parametrize(
    ("status", "body", "why", "message"),
    [
        (401, b'{"code": 1011, "type": "U", "message": "bad"}', "DENIED", "authenticator"),
        (403, b"<html>", "DENIED", "403 Forbidden"),
        (404, b"<html>", "READ_FAILED", "no answer of Gravitino's"),
        (302, b"", "READ_FAILED", "302 Found"),
        (200, b"<html>", "STORE_FAILED", "no answer of Gravitino's"),
        (200, b'{"code": 0}', "READ_FAILED", "is no view"),
        (
            200,
            b'{"code": 0, "view": {"name": "v", "comment": 5, "representations": [%b]}}'
            % b'{"dialect": "spark", "sql": "SELECT 1"}',
            "READ_FAILED",
            "is no view",
        ),
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


def _rights(store: GravitinoRest) -> object:
    assert store.rights is not None
    return store.rights.present()


def _tags(store: GravitinoRest) -> object:
    assert store.tags is not None
    return store.tags.present(lambda _: True)


@pytest.mark.parametrize(
    ("part", "stated", "ask"),
    [
        ("/catalogs/c", {"catalog": 5}, lambda store: list(store.listing())),
        ("/catalogs/c", {"catalog": {"properties": 5}}, lambda store: list(store.listing())),
        ("/schemas", {"identifiers": [{"name": None}]}, lambda store: list(store.listing())),
        ("/roles", {"names": 5}, _rights),
        ("/roles", {"names": [5, "a"]}, _rights),
        ("/roles", {}, _rights),
        ("/users", {}, _rights),
        ("/users", {"users": [{"name": "a", "roles": [5]}]}, _rights),
        ("/tags", {"names": ["a"], "metadataObjects": [{"type": "VIEW", "fullName": 5}]}, _tags),
    ],
)
def test_an_answer_that_makes_no_sense_is_an_error_of_ours_and_no_empty_list(
    double: Double,
    store: GravitinoRest,
    monkeypatch: pytest.MonkeyPatch,
    part: str,
    stated: dict[str, object],
    ask: Callable[[GravitinoRest], object],
) -> None:
    for kept in (store.rights, store.tags):
        monkeypatch.setattr(kept, "_insist_on_all", lambda *_: None)
    body = json.dumps({"code": 0, **stated}).encode()
    double.faults.append(Fault("GET", part, times=99, status=200, body=body))
    if part in {"/roles", "/users"}:
        good = json.dumps({"code": 0, "names": [], "users": [], "groups": []}).encode()
        double.faults.append(Fault("GET", "", times=99, status=200, body=good))
    with pytest.raises(ReadError, match=r"makes no sense|is no catalog|no list of names"):
        ask(store)


def test_reads_are_asked_again(double: Double, store: GravitinoRest) -> None:
    applied(store, CREATE)
    for status in (500, 503, 0):
        double.faults.append(Fault("GET", "/views/v", status=status))
        assert [view.identifier.name for view in store.present([VIEW.identifier])] == ["v"]
        assert double.faults[-1].times == 0


@pytest.mark.parametrize(("method", "part"), [("GET", "/views/v"), ("POST", "/views")])
@pytest.mark.parametrize("status", [429, 503])
def test_a_server_that_asks_to_be_asked_later_is_asked_later(
    double: Double, store: GravitinoRest, method: str, part: str, status: int
) -> None:
    fault = Fault(method, part, times=1, status=status, head={"Retry-After": "1"})
    double.faults.append(fault)
    before = time.monotonic()
    assert [one.action for one in applied(store, CREATE)] == ["create"]
    assert fault.times == 0
    assert time.monotonic() - before >= (0.2 if (method, status) == ("POST", 503) else 1)


def test_waits_that_a_server_asks_for_use_up_no_tries(double: Double, store: GravitinoRest) -> None:
    applied(store, CREATE)
    fault = Fault("GET", "/views/v", times=5, status=429, head={"Retry-After": "1"})
    double.faults.append(fault)
    assert [view.identifier.name for view in store.present([VIEW.identifier])] == ["v"]
    assert fault.times == 0


def test_who_asks_for_more_than_is_waited_is_told_at_once(
    double: Double, store: GravitinoRest
) -> None:
    double.faults.append(Fault("GET", times=99, status=429, head={"Retry-After": "3600"}))
    before = time.monotonic()
    (answer,) = applied(store, CREATE)
    assert time.monotonic() - before < 5
    assert (code(answer), "(Retry-After: 3600)" in told(answer)) == ("UNREACHABLE", True)


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
    with opened(double, "lakehouse-iceberg", **login) as store:
        assert applied(store, CREATE)[0].action == "create"
        assert {head.get("Authorization") for head in double.heads} == {authorization}
        assert {head["Accept"] for head in double.heads} == {"application/vnd.gravitino.v1+json"}
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


@pytest.mark.parametrize(
    ("version", "problem"), [("2.0.0-SNAPSHOT", "set the option server_version"), ("1.3.1", "")]
)
def test_a_newer_server_is_told(version: str, problem: str) -> None:
    with gravitino("hive", version=version) as double, opened(double, "hive") as store:
        probe = store.probe()
        assert version in probe.version
        assert problem in " ".join(probe.problems)
        assert bool(probe.problems) == bool(problem)


@pytest.mark.parametrize("version", ["1.2.1", "0.9", "odd"])
def test_a_server_without_views_is_refused(version: str) -> None:
    with (
        gravitino("hive", version=version) as double,
        opened(double, "hive") as store,
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
        made = opened(double, "hive", connections=connections, threads=threads)
        assert made.connections == tasks
