"""The client of Flink's SQL gateway, against what a real one answered, and against mishaps."""

import json
from typing import Any

import pytest

from connectors.engines.flink import FlinkGateway, Options
from discovery.errors import BelvedereError, ConfigurationError
from discovery.judging.asking import DIALOGUES, LiveVerdict, hear, statements
from discovery.model import Identifier
from tests.asked_flink import CATALOG, DATABASE, HOSTILE, SAID, served
from tests.loopback import HungUpError, Request, listening

FLINK = DIALOGUES["flink"]
LONG = 60.0  # seconds: nothing here waits for them
SHORT = 0.5


def asked(uri: str, name: str = "good", timeout: float = LONG) -> LiveVerdict:
    with FlinkGateway(Options(gateway=uri, timeout=timeout)) as gateway:
        return hear(FLINK, CATALOG, Identifier((DATABASE,), name), gateway.ask)


@pytest.mark.parametrize("name", SAID)
def test_the_verdicts_are_those_of_the_real_one(name: str) -> None:
    with served() as (_, uri):
        live_verdict = asked(uri, name)
    accepted, part = SAID[name]
    assert live_verdict.verdict.accepted is accepted
    assert part in live_verdict.verdict.message
    assert live_verdict.query is not None
    assert live_verdict.query.startswith("o-")


def test_columns_come_with_the_engines_types() -> None:
    with served() as (_, uri):
        assert json.loads(asked(uri).verdict.returns or "") == [["b", "STRING"]]
        hostile = asked(uri, HOSTILE).verdict.returns or ""
    assert json.loads(hostile) == [["a`b", "DECIMAL(5, 2)"]]


def test_the_version_is_told_and_what_is_no_gateway_too() -> None:
    with served() as (_, uri), FlinkGateway(Options(gateway=uri)) as gateway:
        assert gateway.version() == "1.20.5"
    with (
        served(lambda _: (200, b'{"version": "1"}')) as (_, uri),
        FlinkGateway(Options(gateway=uri)) as gateway,
        pytest.raises(BelvedereError, match="no SQL gateway"),
    ):
        gateway.version()


def test_there_is_one_session_in_a_mode_and_what_was_opened_is_closed() -> None:
    with served() as (double, uri), FlinkGateway(Options(gateway=uri)) as gateway:
        for name in ("good", "broken"):
            hear(FLINK, CATALOG, Identifier((DATABASE,), name), gateway.ask)
        gateway.close()
        assert double.paths("POST").count("/v1/sessions") == 2
        operations = [path for path in double.paths("POST") if path.endswith("/statements")]
        closed = double.paths("DELETE")
        assert sum(one.endswith("/close") for one in closed) == len(operations) == 5
        assert closed[-2:] == ["/v1/sessions/s-batch", "/v1/sessions/s-streaming"]


def test_a_result_that_is_not_ready_is_asked_for_again() -> None:
    left = [b'{"resultType": "NOT_READY"}'] * 3

    def late(request: Request) -> tuple[int, bytes] | None:
        return (200, left.pop()) if "/result/" in request.path and left else None

    with served(late) as (_, uri):
        assert asked(uri).verdict.accepted is True
    assert not left


def test_a_result_that_never_is_ready_has_not_judged() -> None:
    page = b'{"resultType": "NOT_READY"}'
    with served(lambda request: (200, page) if "/result/" in request.path else None) as (_, uri):
        live_verdict = asked(uri, timeout=SHORT)
    assert live_verdict.verdict.accepted is None
    assert live_verdict.verdict.message == "UNREACHABLE: there was no answer within 0.5 s"
    assert live_verdict.query is not None


def hang_up(_: Request) -> tuple[int, bytes]:
    raise HungUpError


@pytest.mark.parametrize("part", ["/v1/sessions", "/statements", "/result/0", "/result/1"])
def test_a_gateway_that_is_killed_has_not_judged(part: str) -> None:
    with served(lambda request: hang_up(request) if part in request.path else None) as (_, uri):
        live_verdict = asked(uri)
    assert live_verdict.verdict.accepted is None
    assert live_verdict.verdict.message.startswith("UNREACHABLE: there was no answer")


def test_a_gateway_that_hangs_has_not_judged() -> None:
    def silent(client: Any) -> None:
        while client.recv(65_536):
            pass

    with listening(silent) as port:
        live_verdict = asked(f"http://127.0.0.1:{port}", timeout=SHORT)
    assert live_verdict.verdict.message == "UNREACHABLE: there was no answer within 0.5 s"


def trace(*lines: str) -> bytes:
    told = "<Exception on server side:\n" + "\n\tat x\nCaused by: ".join(lines) + "\n\tat x\nEnd"
    return json.dumps({"errors": ["Internal server error.", told]}).encode()


GATEWAY = "org.apache.flink.table.gateway.api.utils.SqlGatewayException: Failed"
INVALID = "org.apache.flink.table.api.ValidationException: SQL validation failed."


@pytest.mark.parametrize(
    ("lines", "accepted"),
    [
        ((GATEWAY, INVALID), False),
        ((GATEWAY, "java.lang.UnsupportedOperationException: Flink doesn't support Hive"), False),
        ((GATEWAY, INVALID, "org.apache.flink.table.catalog.exceptions.CatalogException: a"), None),
        ((GATEWAY, INVALID, "org.apache.thrift.transport.TTransportException: refused"), None),
        ((GATEWAY, "java.lang.NullPointerException"), None),
        ((GATEWAY,), None),
        (("no trace",), None),
    ],
)
def test_only_exceptions_about_a_text_are_about_the_view(
    lines: tuple[str, ...], accepted: bool | None
) -> None:
    with served(lambda request: (500, trace(*lines)) if "/result/" in request.path else None) as (
        _,
        uri,
    ):
        live_verdict = asked(uri)
    assert live_verdict.verdict.accepted is accepted
    assert live_verdict.verdict.message


@pytest.mark.parametrize(
    ("refusing", "accepted"),
    [(("batch",), True), (("streaming",), True), (("batch", "streaming"), False)],
)
def test_what_a_session_in_either_mode_takes_is_accepted(
    refusing: tuple[str, ...], accepted: bool
) -> None:
    def refused(request: Request) -> tuple[int, bytes] | None:
        is_theirs = any(f"/s-{mode}/" in request.path for mode in refusing)
        is_result = is_theirs and "/result/" in request.path
        return (500, trace(GATEWAY, INVALID)) if is_result else None

    with served(refused) as (_, uri):
        assert asked(uri).verdict.accepted is accepted


def test_what_one_mode_refuses_and_the_other_cannot_say_is_not_judged() -> None:
    """An unbounded table is for streaming mode alone, whose session lost the metastore."""

    def refused(request: Request) -> tuple[int, bytes] | None:
        if "/result/" not in request.path:
            return None
        lost = "java.net.ConnectException: gone"
        return 500, trace(GATEWAY, INVALID if "/s-batch/" in request.path else lost)

    with served(refused) as (_, uri):
        verdict = asked(uri).verdict
    assert verdict.accepted is None
    assert "it failed (java.net.ConnectException)" in verdict.message


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (401, b""),
        (404, b"{}"),
        (500, b"<html>"),
        (500, b'{"errors": []}'),
        (200, b"[]"),
        (200, b'{"resultType": "PAYLOAD", "results": {"data": 1}}'),
        (200, b'{"resultType": "PAYLOAD", "results": {"data": [{"fields": 1}]}}'),
        (200, b'{"resultType": "STRANGE"}'),
        (200, b'{"sessionHandle": 7}'),
    ],
)
@pytest.mark.parametrize("part", ["/v1/sessions", "/result/"])
def test_nonsense_is_no_verdict(part: str, status: int, body: bytes) -> None:
    with served(lambda request: (status, body) if part in request.path else None) as (_, uri):
        live_verdict = asked(uri)
    assert live_verdict.verdict.accepted is None
    assert live_verdict.verdict.message


def test_a_name_that_flinks_parser_cannot_read_between_backquotes_is_not_asked() -> None:
    with served() as (double, uri):
        live_verdict = asked(uri, "a\nb")
        assert not double.seen
    assert live_verdict.verdict.accepted is None
    assert statements(FLINK, ("c", "d", "a`b"))[1] == "DESCRIBE `c`.`d`.`a``b`"


@pytest.mark.parametrize("gateway", ["flink:8083", "http://me:canary@flink:8083", "ftp://flink"])
def test_addresses_that_are_none_are_refused(gateway: str) -> None:
    with pytest.raises(ConfigurationError) as told:
        Options(gateway=gateway)
    assert "canary" not in repr(told.value)
