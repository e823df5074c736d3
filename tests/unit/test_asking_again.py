"""A database that is lost once is asked again on a new connection, and a lost one is not kept."""

from typing import Any

import pytest

from connectors.jdbc import postgresql_catalog as catalog
from connectors.jdbc.postgresql import Options, PostgreSQL
from discovery.errors import UnreachableError


class Lossy(PostgreSQL):
    """Each connection is a number; the first ones are lost when they are asked."""

    def __init__(self, lost: int) -> None:
        super().__init__(Options(url="postgresql://nowhere/db"))
        self.lost, self.made, self.closed = lost, 0, list[int]()

    def connect(self) -> Any:
        self.made += 1
        return self.made

    def disconnect(self, connection: Any) -> None:
        self.closed.append(connection)

    def _query_rows(self, statement: bytes, *values: str) -> list[dict[str, Any]]:
        if self.open_session() <= self.lost:
            raise UnreachableError("no answer within 2 seconds")
        known = {"version": "PostgreSQL 18", "denied": 0, "views": 0}
        return [known] if statement == catalog.VERSION else []


ASKS = pytest.mark.parametrize("ask", ["probe", "functions"])


def asked(source: PostgreSQL, name: str) -> object:
    return source.probe() if name == "probe" else list(source.functions())


@ASKS
def test_a_lost_connection_is_replaced_once(ask: str) -> None:
    source = Lossy(lost=1)
    asked(source, ask)
    assert (source.made, source.closed) == (2, [1])


@ASKS
def test_a_connection_that_is_lost_again_is_not_kept(ask: str) -> None:
    source = Lossy(lost=2)
    with pytest.raises(UnreachableError):
        asked(source, ask)
    assert source.closed == [1, 2], "the next call has a connection of its own"
    asked(source, ask)
    assert source.made == 3
