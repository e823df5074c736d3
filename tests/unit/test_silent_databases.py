"""A PostgreSQL that lets us in and then stands still, or drips, holds nobody."""

import socket
import time

import pytest
from sqlalchemy.exc import DBAPIError

from connectors.clients import sql
from discovery.errors import UnreachableError
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
