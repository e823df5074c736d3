"""Bodies of servers that are bombs, drip, or nest without end."""

import gzip
import socket
import time

import pytest
import requests

from connectors.clients.bounds import TooLargeError, bound_answers
from connectors.clients.rest import JsonClient, session
from discovery.errors import BelvedereError, ReadError, UnreachableError
from tests.loopback import Answer, listening, serving

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
