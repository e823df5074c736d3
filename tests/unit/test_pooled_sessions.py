"""PostgreSQL behind a pool, which gives each transaction another session."""

from typing import Any

import psycopg
import pytest

from connectors.clients import sql

LOGIN = sql.DatabaseLogin(url="postgresql://127.0.0.1:1/d")


def test_nothing_is_prepared_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    stated: list[dict[str, Any]] = []

    def connect(*_: object, **keywords: object) -> None:
        stated.append(keywords)
        raise psycopg.OperationalError("nobody is there")

    monkeypatch.setattr(psycopg.Connection, "connect", connect)
    with pytest.raises(Exception, match="nobody is there"):
        sql.postgresql(LOGIN).connect()
    with pytest.raises(psycopg.Error, match="nobody is there"):
        sql.libpq_connection(LOGIN, options="", timeout=1)
    assert [keywords["prepare_threshold"] for keywords in stated] == [None, None]
