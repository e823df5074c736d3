"""A file of SQLite as a source: read where it is, never made."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from connectors.jdbc.any_database import AnyDatabase, Options
from discovery.errors import ConfigurationError, UnreachableError
from discovery.outcomes import Listed


def test_a_file_that_is_not_there_is_unreachable_and_not_made(tmp_path: Path) -> None:
    missing = tmp_path / "missing.db"
    with (
        pytest.raises(UnreachableError, match="unable to open"),
        AnyDatabase(Options(url=f"sqlite:///{missing}")) as source,
    ):
        list(source.listing())
    assert not missing.exists()


def test_a_path_that_depends_on_where_we_are_is_refused() -> None:
    for url in ("sqlite:///a.db", "sqlite://", "sqlite:///file:a.db?uri=true"):
        with pytest.raises(ConfigurationError, match="names no absolute path"):
            AnyDatabase(Options(url=url))


def test_a_file_is_opened_only_to_be_read(tmp_path: Path) -> None:
    path = tmp_path / "a b#c.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE VIEW v AS SELECT 1 AS x")
    before = path.read_bytes()
    options = Options(url=f"sqlite:///{path}", session=("SELECT 1",))
    with AnyDatabase(options) as source:
        listing = [listed for listed in source.listing() if isinstance(listed, Listed)]
        assert [listed.name for listed in listing if listed.name] == ["v"]

    writing = Options(url=f"sqlite:///{path}", session=("CREATE TABLE t (x int)",))
    with pytest.raises(Exception, match="readonly"), AnyDatabase(writing) as source:
        list(source.listing())
    assert path.read_bytes() == before


def test_a_url_that_asks_to_write_is_opened_to_be_read_all_the_same(tmp_path: Path) -> None:
    missing = tmp_path / "missing.db"
    with (
        pytest.raises(UnreachableError, match="unable to open"),
        AnyDatabase(Options(url=f"sqlite:///file:{missing}?mode=rwc&uri=true")) as source,
    ):
        list(source.listing())
    assert not missing.exists()
