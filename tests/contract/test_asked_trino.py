"""The client of a running Trino, against what a real one answered, and against mishaps."""

import json
from collections.abc import Callable

import pytest

from connectors.clients.credentials import Secret
from connectors.engines.trino import Options, TrinoServer
from discovery.errors import BelvedereError, ConfigurationError
from discovery.judging.asking import DIALOGUES, LiveVerdict, hear, statements
from discovery.judging.same_rows import Alike, ShownView, compare_rows
from discovery.model import Identifier
from tests.asked_trino import (
    CATALOG,
    COMPARED,
    DATABASE,
    GUARDED,
    HOSTILE,
    LIMIT,
    MEMORY,
    ROWS,
    SAID,
    at_page,
    hang_up,
    served,
)
from tests.loopback import Request, listening

TRINO = DIALOGUES["trino"]
GOOD = Identifier((DATABASE,), "good")
WORDS = {"accepted": True, "rejected": False}
LONG = 60.0  # seconds: nothing here waits for them
SHORT = 0.5


def asked(uri: str, view: Identifier = GOOD, catalog: str = CATALOG, **more: object) -> LiveVerdict:
    with TrinoServer(Options(url=uri, **{"timeout": LONG, **more})) as server:  # type: ignore[arg-type] # options as a map
        return hear(TRINO, catalog, view, server.ask)


@pytest.mark.parametrize("name", SAID)
def test_the_verdicts_are_those_of_the_real_one(name: str) -> None:
    with served() as double:
        live_verdict = asked(double.uri, Identifier((DATABASE,), name))
    word, part = SAID[name]
    assert live_verdict.verdict.accepted is WORDS[word]
    assert part in live_verdict.verdict.message
    assert live_verdict.query is not None
    assert live_verdict.query.startswith("2026")


@pytest.mark.parametrize("name", COMPARED)
def test_rows_are_compared_as_the_real_one_gave_them(name: str) -> None:
    view, why = Identifier((ROWS,), name), COMPARED[name][2]
    with served() as double, TrinoServer(Options(url=double.uri, timeout=LONG)) as server:
        sides = ShownView(CATALOG, view), ShownView(MEMORY, view)
        rows_answer = compare_rows(TRINO, *sides, LIMIT, server.ask)
    assert rows_answer.alike is (Alike.SAME if name in {"same", "mapped"} else Alike.OTHER)
    assert (rows_answer.why or "") == why


def test_the_version_and_who_asks_are_told() -> None:
    with served() as double, TrinoServer(Options(url=f"{double.uri}/", user="anna")) as server:
        assert server.version() == "476"
        server.ask(statements(TRINO, (CATALOG, DATABASE, "good"))[0])
    heads = [request.headers for request in double.seen]
    assert {(head["X-Trino-User"], head["X-Trino-Source"]) for head in heads} == {
        ("anna", "belvedere")
    }
    assert not any("Authorization" in head for head in heads)


def test_columns_come_with_the_engines_types_and_a_hostile_name_is_a_name() -> None:
    with served() as double:
        live_verdict = asked(double.uri, Identifier(("default",), HOSTILE), "memory")
    assert json.loads(live_verdict.verdict.returns or "") == [['a "b', "integer"]]
    assert len(double.statements) == 2


@pytest.mark.parametrize(
    ("catalog", "place", "told"),
    [
        (CATALOG, Identifier((DATABASE,), "missing"), "Table 'hive.asked.missing' does not exist"),
        (CATALOG, Identifier(("missing",), "good"), "Schema 'missing' does not exist"),
        ("missing", GOOD, "Catalog 'missing' not found"),
        (GUARDED, GOOD, "it denies us: Access Denied: Cannot select from table asked.good"),
    ],
)
def test_what_says_nothing_of_the_view_is_not_judged(
    catalog: str, place: Identifier, told: str
) -> None:
    with served() as double:
        live_verdict = asked(double.uri, place, catalog)
    assert live_verdict.verdict.accepted is None
    assert told in live_verdict.verdict.message


def after(number: int, answer: Callable[[], tuple[int, bytes]]) -> Callable[[Request], object]:
    """What is answered to the first requests."""
    left = [answer] * number
    return lambda _: left.pop()() if left else None


@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_a_busy_server_is_asked_again(status: int) -> None:
    with served(after(2, lambda: (status, b"busy"))) as double:  # type: ignore[arg-type] # a fault
        assert asked(double.uri).verdict.accepted is True
    validates, _ = statements(TRINO, (CATALOG, DATABASE, "good"))
    assert double.statements[validates] == 3


def test_a_server_that_stays_busy_has_not_judged() -> None:
    with served(lambda _: (503, b"")) as double:
        live_verdict = asked(double.uri, timeout=SHORT)
    assert live_verdict.verdict.accepted is None
    assert live_verdict.verdict.message.startswith("UNREACHABLE: ")


def test_a_server_that_is_killed_in_the_middle_has_not_judged() -> None:
    with served(at_page(hang_up)) as double:
        live_verdict = asked(double.uri)
    assert live_verdict.verdict.accepted is None
    assert live_verdict.verdict.message.startswith("UNREACHABLE: there was no answer")
    assert live_verdict.query is not None
    assert live_verdict.query.startswith("2026")


def test_an_error_in_the_middle_has_not_judged_and_the_query_is_canceled() -> None:
    with served(_broken_page) as double:
        live_verdict = asked(double.uri)
        assert live_verdict.verdict.message == "UNREACHABLE: it answered 500 Internal Server Error"
        assert double.canceled == 1


def _broken_page(request: Request) -> tuple[int, bytes] | None:
    return (500, b"oops") if "/executing/" in request.path and request.method == "GET" else None


def test_a_server_that_hangs_has_not_judged() -> None:
    def silent(client: object) -> None:
        client.recv(1)  # type: ignore[attr-defined] # a socket
        while client.recv(65_536):  # type: ignore[attr-defined] # until it hangs up
            pass

    with listening(silent) as port:
        live_verdict = asked(f"http://127.0.0.1:{port}", timeout=SHORT)
    assert live_verdict == live_verdict._replace(query=None)
    assert live_verdict.verdict.accepted is None
    assert live_verdict.verdict.message == "UNREACHABLE: there was no answer within 0.5 s"


def test_nobody_listening_has_not_judged() -> None:
    with listening(lambda _: None) as port:
        pass
    live_verdict = asked(f"http://127.0.0.1:{port}")
    assert live_verdict.verdict.accepted is None
    assert "refused" in live_verdict.verdict.message


@pytest.mark.parametrize("status", [401, 403])
def test_who_is_not_let_in_has_no_verdict(status: int) -> None:
    with served(lambda _: (status, b"canary-who")) as double:
        live_verdict = asked(double.uri, user="me", password=Secret("canary-password"))
    assert live_verdict.verdict.accepted is None
    assert live_verdict.verdict.message.startswith(f"DENIED: it refuses us: {status}")
    assert "canary" not in repr(live_verdict)


def test_secrets_go_into_the_head_alone() -> None:
    with served() as double:
        asked(double.uri, user="me", password=Secret("pass:wörd"))
        asked(double.uri, token=Secret("canary-token"))
    heads = [request.headers["Authorization"] for request in double.seen]
    assert set(heads) == {"Basic bWU6cGFzczp3w7ZyZA==", "Bearer canary-token"}


@pytest.mark.parametrize(
    "body",
    [
        b"<html>",
        b"[]",
        b"[" * 100_000,
        b'{"id": 7, "nextUri": "http://elsewhere.example/v1/statement/x"}',
        b'{"id": "q", "nextUri": {"a": 1}}',
        b'{"id": "q", "data": {"a": 1}}',
        b'{"id": "q", "data": [1, 2]}',
        b'{"id": "q", "error": "nonsense"}',
        b'{"id": "q", "error": {"message": null, "failureInfo": {"cause": [1]}}}',
    ],
)
def test_nonsense_is_no_verdict(body: bytes) -> None:
    with served(lambda request: (200, body) if request.method == "POST" else None) as double:
        live_verdict = asked(double.uri)
    assert live_verdict.verdict.accepted is None
    assert live_verdict.verdict.message


@pytest.mark.parametrize(
    ("asked_at", "fetched", "is_same"),
    [
        ("https://trino.example", "https://trino.example:443/v1/x", True),
        ("https://trino.example:443", "https://trino.example/v1/x", True),
        ("http://Trino.example:80/", "http://trino.example/v1/x", True),
        ("http://trino.example", "http://trino.example:8080/v1/x", False),
        ("https://trino.example", "http://trino.example:443/v1/x", False),
        ("http://trino.example", "http://trino.example@elsewhere/v1/x", False),
        ("http://trino.example", "http://trino.example.elsewhere/v1/x", False),
        ("http://trino.example", "http://trino.example:x/v1/x", False),
        ("http://trino.example", "//trino.example/v1/x", False),
    ],
)
def test_an_answer_is_fetched_at_the_same_place_however_that_is_spelled(
    asked_at: str, fetched: str, is_same: bool
) -> None:
    with TrinoServer(Options(url=asked_at)) as server:
        if is_same:
            assert server._next_uri({"nextUri": fetched}) == fetched
        else:
            with pytest.raises(BelvedereError, match="from another address"):
                server._next_uri({"nextUri": fetched})


def test_credentials_are_not_carried_elsewhere_by_a_redirect() -> None:
    with served(lambda request: (307, b"") if request.method == "POST" else None) as double:
        assert "307" in asked(double.uri).verdict.message


def test_what_answers_may_be_no_trino_or_not_ready() -> None:
    for told in ({}, {"nodeVersion": 1}, {"nodeVersion": {"version": "476"}, "starting": True}):
        body = json.dumps(told).encode()
        with (
            served(lambda _, body=body: (200, body)) as double,  # type: ignore[misc] # bound now
            TrinoServer(Options(url=double.uri)) as server,
            pytest.raises(BelvedereError, match=r"no Trino|starting"),
        ):
            server.version()


@pytest.mark.parametrize(
    "options",
    [
        {"url": "trino.example:8080"},
        {"url": "ftp://trino.example"},
        {"url": "https://me:canary@trino.example"},
        {"url": "https://trino.example/?token=canary"},
        {"url": "http://trino.example", "token": Secret("canary")},
        {"url": "https://trino.example", "token": Secret("a"), "password": Secret("b")},
        {"url": "https://trino.example", "user": "a\nX-Trino-User: b"},
        {"url": "https://trino.example", "user": ""},
    ],
)
def test_options_that_would_leak_or_cannot_be_are_refused(options: dict[str, str]) -> None:
    with pytest.raises(ConfigurationError) as told:
        Options(**options)  # type: ignore[arg-type] # options as a map
    assert "canary" not in repr(told.value)
