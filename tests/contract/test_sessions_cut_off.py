"""A MySQL server that is gone while a session is made or given back."""

from typing import Any

import pymysql
import pytest

from connectors.gravitino.entity_store.options import Options
from connectors.gravitino.entity_store.store import EntityStore
from discovery.errors import UnreachableError
from tests.servers import MariaDB


@pytest.mark.parametrize("answered", [0, 1])
def test_a_server_that_is_gone_when_a_session_is_told_its_isolation_is_unreachable(
    maria: MariaDB, monkeypatch: pytest.MonkeyPatch, answered: int
) -> None:
    maria.execute("CREATE DATABASE IF NOT EXISTS cut_off")
    execute, left = pymysql.cursors.Cursor.execute, answered

    def gone(cursor: Any, query: str, values: Any = None) -> int:
        nonlocal left
        if "ISOLATION LEVEL" in query:
            left -= 1
            if left < 0:
                raise pymysql.err.OperationalError(2013, "Lost connection to MySQL server")
        rows: int = execute(cursor, query, values)
        return rows

    monkeypatch.setattr(pymysql.cursors.Cursor, "execute", gone)
    url = maria.url().replace("///", "///cut_off")
    options = Options(url=url, user="root", metalake="m", catalog="c")
    with EntityStore(options) as store:
        if not answered:
            with pytest.raises(UnreachableError):
                list(store.listing())
        else:
            assert list(store.listing()) == [], "nothing is asked of a session that goes"
