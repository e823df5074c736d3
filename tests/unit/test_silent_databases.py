"""A database that lets us in and then stands still, or drips, holds nobody."""

import socket
import time
from copy import copy

import pytest
from sqlalchemy import create_engine
from sqlalchemy.exc import DBAPIError

from connectors.clients import sql
from connectors.clients.bounds import RESTART
from connectors.iceberg.pointers import Pointers
from connectors.jdbc import mysql, postgresql
from connectors.jdbc.any_database import AnyDatabase, Options
from connectors.jdbc.mysql import MySQL
from connectors.jdbc.postgresql import PostgreSQL
from discovery.crawl import crawl
from discovery.errors import UnreachableError
from discovery.outcomes import Listed
from discovery.pacing.care import PulsingSource
from discovery.ports import CrawlTask
from tests.loopback import listening
from tests.waiting import waits_of

WELCOME = b"R\0\0\0\x08\0\0\0\0" + b"Z\0\0\0\x05I"
"""AuthenticationOk and ReadyForQuery (PostgreSQL 18, protocol 3.0)."""
NOTICE = b"N\0\x0f\xff\xff"
"""The begin of a NoticeResponse of a megabyte."""


@pytest.mark.slow
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


@pytest.mark.slow
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


AWAY = {
    "postgresql": PostgreSQL(postgresql.Options(url="postgresql://127.0.0.1:1/d", user="u")),
    "mysql": MySQL(mysql.Options(url="mysql://127.0.0.1:1/", user="u")),
    "sqlalchemy": AnyDatabase(Options(url="mysql+pymysql://127.0.0.1:1/", user="u")),
}
TASK = CrawlTask("d", (Listed(("s",), "a"),))


@pytest.fixture
def waited(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    return waits_of(sql, monkeypatch)


@pytest.mark.parametrize("name", AWAY)
def test_a_database_that_was_listed_is_given_the_time_of_a_restart(
    name: str, waited: list[float]
) -> None:
    source = copy(AWAY[name])
    with pytest.raises(UnreachableError):
        list(source.load(TASK))
    assert waited == list(RESTART)
    with pytest.raises(UnreachableError):
        list(source.load(TASK))
    assert waited == list(RESTART), "what stays away is tried once each time"


@pytest.mark.parametrize("name", AWAY)
def test_one_that_was_not_yet_there_is_given_less(name: str, waited: list[float]) -> None:
    with pytest.raises(UnreachableError):
        list(copy(AWAY[name]).listing())
    assert waited == list(sql.WAITS)


@pytest.mark.parametrize("name", ["postgresql", "mysql"])
def test_a_pulse_before_a_task_waits_as_the_task_would(name: str, waited: list[float]) -> None:
    source = copy(AWAY[name])
    assert isinstance(source, PulsingSource)
    with pytest.raises(UnreachableError):
        source.pulse()
    assert waited == list(RESTART)


def test_the_database_of_a_catalog_that_has_answered_is_given_as_long(
    waited: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    pointers = Pointers(sql.DatabaseLogin(url="postgresql://127.0.0.1:1/d", user="u"), timeout=0.5)
    with pytest.raises(UnreachableError):
        copy(pointers).open_connection()
    assert waited == list(sql.WAITS)
    waited.clear()
    with monkeypatch.context() as patched:
        patched.setattr(pointers, "_connect", lambda: create_engine("sqlite://").connect())
        pointers.open_connection()
    pointers.close()
    with pytest.raises(UnreachableError):
        pointers.open_connection()
    assert waited == list(RESTART)
