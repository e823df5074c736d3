"""Bodies of servers that are bombs, drip, or nest without end."""

import gzip
import socket
import time
from collections.abc import Callable

import pytest
import requests

from connectors.clients.aws import GlueClient, GlueLogin
from connectors.clients.bounds import TooLargeError, bound_answers
from connectors.clients.credentials import Secret
from connectors.clients.rest import JsonClient, session
from connectors.iceberg.rest import Options as IcebergOptions
from connectors.iceberg.rest import RestCatalog
from connectors.iceberg.server import CatalogLogin, Client, IcebergServer
from discovery.errors import BelvedereError, ReadError, UnreachableError
from jobs.configuration.gates import Webhook
from jobs.console import notifying
from tests.loopback import Answer, Request, listening, serving
from tests.waiting import until

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"


def get(uri: str, timeout: float = 5.0, limit: int = 1 << 20) -> requests.Response:
    made = requests.Session()
    bound_answers(made, limit)
    with made:
        return made.get(uri, timeout=timeout)


def test_a_bomb_is_read_up_to_its_bound() -> None:
    body = gzip.compress(b" " * (16 << 20))

    def talk(client: socket.socket) -> None:
        client.recv(4096)
        length = f"Content-Length: {len(body)}\r\n".encode()
        client.sendall(HEAD + b"Content-Encoding: gzip\r\n" + length + b"\r\n" + body)

    with listening(talk) as port, pytest.raises(TooLargeError, match="larger than 1 MiB"):
        get(f"http://127.0.0.1:{port}/")


@pytest.mark.parametrize("length", [b"Content-Length: 1000000\r\n", b""])
def test_a_drip_ends(length: bytes) -> None:
    def talk(client: socket.socket) -> None:
        client.recv(4096)
        client.sendall(HEAD + length + b"\r\n")
        for _ in range(1_000_000):
            client.sendall(b" ")
            time.sleep(0.02)

    with listening(talk) as port, pytest.raises(UnreachableError, match="did not end in time"):
        get(f"http://127.0.0.1:{port}/", timeout=0.3)


def drips_its_head(client: socket.socket) -> None:
    client.recv(4096)
    for byte in b"HTTP/1.1 200 OK\r\nX: " + b"x" * 10_000:
        client.sendall(bytes([byte]))
        time.sleep(0.02)


def glue(uri: str) -> None:
    login = GlueLogin(
        region="us-east-1",
        access_key_id=Secret("AKIA"),
        secret_access_key=Secret("x"),
        endpoint=uri,
        catalog_id=None,
        timeout=0.2,
        attempts=10,
    )
    list(GlueClient(login).databases())


def iceberg(uri: str) -> None:
    IcebergServer(CatalogLogin(uri=uri, timeout=0.2)).ask(Client.has_views)


def paimon(uri: str) -> None:
    JsonClient(uri, token=None, timeout=0.2).get("/v1/config")


@pytest.mark.slow
@pytest.mark.parametrize("ask", [glue, iceberg, paimon])
@pytest.mark.parametrize("sends", [True, False])
def test_a_server_that_drips_its_head_or_is_silent_is_asked_four_times(
    ask: Callable[[str], None], sends: bool
) -> None:
    asked = []

    def talk(client: socket.socket) -> None:
        asked.append(client)
        drips_its_head(client) if sends else time.sleep(60)

    with listening(talk) as port:
        with pytest.raises(UnreachableError):
            ask(f"http://127.0.0.1:{port}")
        until(lambda: len(asked) >= 4)  # the last may be over before it was let in
    assert len(asked) == 4


def test_a_webhook_that_drips_holds_no_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notifying, "_TIMEOUT", 0.3)
    with listening(drips_its_head) as port:
        webhook = Webhook(url=Secret(f"http://127.0.0.1:{port}"))
        assert notifying._post(webhook, {}) == "ReadTimeout"


@pytest.mark.slow
def test_a_connection_is_used_again_behind_an_answer_that_took_its_time() -> None:
    clients = []

    def talk(client: socket.socket) -> None:
        clients.append(client)
        while client.recv(4096):
            time.sleep(0.3)
            client.sendall(HEAD + b"Content-Length: 2\r\n\r\n{}")

    with listening(talk) as port, session(None) as made:
        for _ in range(3):
            assert made.get(f"http://127.0.0.1:{port}/", timeout=0.5).json() == {}
    assert len(clients) == 1


def test_what_is_within_the_bounds_is_read_whole() -> None:
    text = b'{"a": "' + b"x" * 300_000 + b'"}'
    with serving(lambda _: (200, text), "application/json") as uri:
        assert get(uri).content == text
        with session(None) as made:
            assert made.get(uri, timeout=5).content == text


@pytest.mark.parametrize("body", [b"[" * 100_000, b"no JSON", b'{"a": '])
def test_an_answer_that_is_no_json_is_an_error_of_ours(body: bytes) -> None:
    with serving(lambda _: (200, body), "application/json") as uri:
        client = JsonClient(uri, token=None, timeout=5)
        with pytest.raises(ReadError, match="/x: the answer is no JSON") as raised:
            client.get("/x")
        assert isinstance(raised.value, BelvedereError)
        client.close()


@pytest.mark.slow
@pytest.mark.parametrize("asked", ["1", "soon"])
def test_a_server_that_asks_to_be_asked_later_is_asked_again(asked: str) -> None:
    answers: list[Answer] = [(200, b"{}"), (429, b"", {"Retry-After": asked})]
    with serving(lambda _: answers.pop(), "application/json") as uri:
        assert JsonClient(uri, token=None, timeout=5).get("/a") == {}
        answers += [(201, b"{}"), (429, b"", {"Retry-After": "1"})]
        JsonClient(uri, token=None, timeout=5).send("POST", "/a", {})
    assert not answers


@pytest.mark.parametrize("status", [429, 503])
def test_a_server_that_asks_for_hours_is_not_waited_for(status: int) -> None:
    body = b'{"message": "over the limit"}'
    with serving(lambda _: (status, body, {"Retry-After": "7200"}), "application/json") as uri:
        before = time.monotonic()
        with pytest.raises(UnreachableError, match=r"over the limit; .*\(Retry-After: 7200\)"):
            JsonClient(uri, token=None, timeout=5).get("/a")
        assert time.monotonic() - before < 5


@pytest.mark.slow
@pytest.mark.parametrize("asks", [None, "7200", "Fri, 27 Nov 2099 12:00:00 GMT", "soon"])
def test_a_limit_of_an_iceberg_catalog_is_told_with_what_it_asks_for(asks: str | None) -> None:
    head = {} if asks is None else {"Retry-After": asks}

    def answer(request: Request) -> Answer:
        if request.path.startswith("/v1/config"):
            return 200, b'{"defaults":{},"overrides":{}}'
        return 429, b'{"error":{"message":"slow down","type":"T","code":429}}', head

    with serving(answer, "application/json") as uri:
        source = RestCatalog(IcebergOptions(uri=uri, timeout=5))
        with pytest.raises(UnreachableError, match="slow down") as raised:
            list(source.listing())
        source.close()
    assert ("Retry-After" in str(raised.value)) == (asks is not None)
    assert (asks or "(429)") in str(raised.value)
    assert "limits how often" in raised.value.hint
