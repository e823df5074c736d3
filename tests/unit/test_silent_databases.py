"""A database that lets us in and then stands still, or drips, holds nobody."""

import socket
import time

import pytest
from sqlalchemy.exc import DBAPIError

from connectors.clients import sql
from connectors.jdbc.any_database import AnyDatabase, Options
from discovery.crawl import crawl
from discovery.errors import UnreachableError
from discovery.outcomes import Listed
from discovery.ports import CrawlTask
from tests.loopback import listening

WELCOME = b"R\0\0\0\x08\0\0\0\0" + b"Z\0\0\0\x05I"
"""AuthenticationOk and ReadyForQuery (PostgreSQL 18, protocol 3.0)."""
NOTICE = b"N\0\x0f\xff\xff"
"""The begin of a NoticeResponse of a megabyte."""


@pytest.mark.parametrize(("drips", "least", "most"), [(False, 0.4, 1.9), (True, 2.0, 6.0)])
def test_a_server_that_stands_still_or_drips_in_an_answer_is_given_up(
    drips: bool, least: float, most: float
) -> None:
    def talk(client: socket.socket) -> None:
        if client.recv(4096)[4:8] == b"\x04\xd2\x16\x2f":  # asks for TLS
            client.sendall(b"N")
            client.recv(4096)
        client.sendall(WELCOME)
        client.recv(4096)
        client.sendall(NOTICE)
        while drips:
            client.sendall(b"S")
            time.sleep(0.02)
        time.sleep(60)

    with listening(talk) as port:
        login = sql.DatabaseLogin(url=f"postgresql://127.0.0.1:{port}/d", user="u")
        begun = time.monotonic()
        with pytest.raises(DBAPIError) as raised, sql.postgresql(login, timeout=0.2).connect():
            pass
    assert least < time.monotonic() - begun < most
    error = sql.our_error(raised.value)
    assert isinstance(error, UnreachableError)
    assert error.message == "no whole answer in time"


@pytest.mark.parametrize(
    ("driver", "begin"),
    [("postgresql+psycopg", b""), ("postgresql+psycopg", WELCOME), ("mysql+pymysql", b"")],
    ids=["before it lets us in", "in its first answer", "a driver that reads by itself"],
)
def test_a_driver_that_waits_for_ever_ends_as_rows(driver: str, begin: bytes) -> None:
    def talk(client: socket.socket) -> None:
        if begin and client.recv(4096)[4:8] == b"\x04\xd2\x16\x2f":  # asks for TLS
            client.sendall(b"N")
            client.recv(4096)
        client.sendall(begin)
        time.sleep(60)

    with listening(talk) as port:
        options = Options(
            url=f"{driver}://127.0.0.1:{port}/d", user="u", timeout=0.03, task_timeout=0.9
        )
        wanted = (Listed(("s",), "a"), Listed(("s",), "b"))
        begun = time.monotonic()
        with AnyDatabase(options) as source:
            found = [outcome.result for outcome in crawl(CrawlTask("d", wanted), source)]
            with pytest.raises(UnreachableError, match="no answer within"):
                source.probe()
    assert time.monotonic() - begun < 5
    assert [getattr(one, "code", "") for one in found] == ["UNREACHABLE"] * 2
