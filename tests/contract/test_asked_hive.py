"""The client of a running HiveServer2, against what a real one answered, and against mishaps."""

import json
import socket
from typing import Any

import pytest

from connectors.clients.credentials import Secret
from connectors.engines.hive import HiveServer, Options
from discovery.errors import BelvedereError, ConfigurationError
from discovery.judging.asking import DIALOGUES, LiveVerdict, hear, statements
from discovery.model import Identifier
from tests.asked_hive import DATABASE, HOSTILE, SAID, served
from tests.loopback import listening

HIVE = DIALOGUES["hive"]
LONG = 60.0  # seconds: nothing here waits for them
SHORT = 0.5


def asked(uri: str, name: str = "good", timeout: float = LONG) -> LiveVerdict:
    with HiveServer(Options(thrift=uri, timeout=timeout, authentication="none")) as server:
        return hear(HIVE, "any", Identifier((DATABASE,), name), server.ask)


@pytest.mark.parametrize("name", SAID)
def test_the_verdicts_are_those_of_the_real_one(name: str) -> None:
    with served() as (_, uri):
        live_verdict = asked(uri, name)
    accepted, part = SAID[name]
    assert live_verdict.verdict.accepted is accepted
    assert part in live_verdict.verdict.message


def test_columns_come_with_the_engines_types_and_those_of_partitions_once() -> None:
    with served() as (_, uri):
        good, parts = (asked(uri, name).verdict.returns or "" for name in ("good", "parts"))
    assert json.loads(good) == [["order id", "int"], ["tags", "map<string,int>"]]
    assert json.loads(parts) == [["id", "int"], ["day", "string"]]


def test_a_name_has_no_catalog() -> None:
    assert statements(HIVE, ("any", DATABASE, HOSTILE))[1] == (
        "DESCRIBE `asked`.`we``ird; DROP VIEW v -- é`"
    )


def test_the_version_is_told_and_a_session_serves_one_statement_after_the_other() -> None:
    with served() as (double, uri):
        with HiveServer(Options(thrift=uri, authentication="none")) as server:
            assert server.version() == "2.3.10"
            hear(HIVE, "any", Identifier((DATABASE,), "good"), server.ask)
        called = [name for name, _ in double.seen]
    assert called.count("OpenSession") == called.count("CloseSession") == 1
    assert called.count("CloseOperation") == called.count("ExecuteStatement") == 3


@pytest.mark.parametrize(
    ("told", "accepted", "message"),
    [
        ("Error while compiling statement: FAILED: ParseException line 1:2 x", False, "line 1:2 x"),
        ("FAILED: SemanticException [Error 10004]: Line 1:7 Invalid column", False, "Line 1:7 Inv"),
        (
            "FAILED: SemanticException java.lang.RuntimeException: Unable to fetch table v. null",
            None,
            "it failed (SemanticException): ",
        ),
        (
            "FAILED: HiveAccessControlException Permission denied: user [me] lacks [SELECT]",
            None,
            "it failed (HiveAccessControlException): Permission denied",
        ),
        (
            "FAILED: SemanticException [Error 10072]: Database does not exist: x",
            None,
            "it has nothing of that name: see `catalogs`",
        ),
        ("FAILED: Execution Error, return code 1", None, "it failed (no name)"),
        ("Error running query: java.lang.OutOfMemoryError", None, "UNREACHABLE: it failed: Error"),
    ],
)
@pytest.mark.parametrize("method", ["ExecuteStatement", "GetOperationStatus", "FetchResults"])
def test_only_exceptions_about_a_query_are_about_the_view(
    method: str, told: str, accepted: bool | None, message: str
) -> None:
    with served(**{method: told}) as (_, uri):
        live_verdict = asked(uri)
    assert live_verdict.verdict.accepted is accepted
    assert live_verdict.verdict.message.startswith(message)


@pytest.mark.parametrize("method", ["OpenSession", "ExecuteStatement", "FetchResults"])
def test_a_server_that_hangs_or_goes_has_not_judged(method: str) -> None:
    with served(**{method: "hang"}) as (_, uri):
        live_verdict = asked(uri, timeout=SHORT)
    assert live_verdict.verdict.accepted is None
    assert live_verdict.verdict.message == "UNREACHABLE: there was no answer within 0.5 s"
    with served(**{method: "end"}) as (_, uri):
        live_verdict = asked(uri)
    assert live_verdict.verdict.accepted is None
    assert live_verdict.verdict.message.startswith("UNREACHABLE: ")


def test_a_session_in_which_something_went_wrong_is_not_used_again() -> None:
    with (
        served(FetchResults="end") as (double, uri),
        HiveServer(Options(thrift=uri, authentication="none")) as server,
    ):
        for _ in range(2):
            with pytest.raises(BelvedereError):
                server.ask("SELECT version()")
        assert [name for name, _ in double.seen].count("OpenSession") == 2


@pytest.mark.parametrize(
    "said", [b"HTTP/1.1 400 Bad Request\r\n\r\n", b"\0" * 64, b"\x80\x01\0\x03"]
)
def test_what_is_no_hiveserver_is_told(said: bytes) -> None:
    def answer(client: socket.socket) -> None:
        client.recv(65_536)
        client.sendall(said)

    with listening(answer) as port:
        for login in ("none", "plain"):
            options: Any = {"authentication": login, "timeout": SHORT}
            with (
                HiveServer(Options(thrift=f"thrift://127.0.0.1:{port}", **options)) as server,
                pytest.raises(BelvedereError),
            ):
                server.version()


def test_nobody_there_is_told() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    live_verdict = asked(f"thrift://127.0.0.1:{port}")
    assert live_verdict.verdict.message.startswith("UNREACHABLE: there was no answer: ")


@pytest.mark.parametrize(
    "more",
    [
        {"thrift": "hive2://hive:10000"},
        {"thrift": "thrift://me:canary@hive:10000"},
        {"thrift": "thrift://hive"},
        {"thrift": "thrift://hive:10000", "ca_file": "ca.pem"},
        {"thrift": "thrift://hive:10000", "authentication": "none", "password": Secret("canary")},
    ],
)
def test_options_that_do_not_fit_are_refused(more: dict[str, Any]) -> None:
    with pytest.raises(ConfigurationError) as told:
        Options(**more)
    assert "canary" not in repr(told.value)
