"""The rights of docs/security.md, and none besides: they suffice, and what they hide is told."""

from collections.abc import Iterator

import pytest

from connectors.jdbc.mysql import MySQL
from connectors.jdbc.mysql import Options as MySQLOptions
from connectors.jdbc.postgresql import Options, PostgreSQL
from discovery.model import Identifier
from discovery.outcomes import RawObject
from jobs.embedded.postgres import EmbeddedPostgreSQL
from tests.databases.crawled import failure, notes, outcomes, types, view
from tests.servers import MariaDB


@pytest.fixture
def maria_of_least(maria: MariaDB) -> Iterator[MariaDB]:
    """A user of exactly SELECT and SHOW VIEW, on a table and three views."""
    maria.execute(
        "CREATE OR REPLACE DATABASE least",
        "CREATE TABLE least.base (id int, kind enum('a', 'b'))",
        "CREATE FUNCTION least.f() RETURNS int DETERMINISTIC RETURN 1",
        "CREATE VIEW least.plain AS SELECT id, kind FROM least.base",
        "CREATE VIEW least.calls AS SELECT least.f() AS x FROM least.base",
        "CREATE SQL SECURITY INVOKER VIEW least.invokes AS SELECT least.f() AS x",
        "CREATE OR REPLACE USER least@localhost",
        "GRANT SELECT, SHOW VIEW ON least.* TO least@localhost",
    )
    yield maria
    maria.execute("DROP DATABASE least", "DROP USER least@localhost")


def test_select_and_show_view_suffice_in_mariadb(maria_of_least: MariaDB) -> None:
    grants = maria_of_least.execute("SHOW GRANTS", user="least")
    assert grants[1:] == [("GRANT SELECT, SHOW VIEW ON `least`.* TO `least`@`localhost`",)]
    options = MySQLOptions(url=maria_of_least.url(), user="least", include=("least",))
    with MySQL(options) as source:
        assert source.probe().problems == ()
        assert list(source.functions()) == [], "without EXECUTE none is seen"
        (table,) = source.load_tables([Identifier(("least",), "base")])
        assert isinstance(table, RawObject)
    found = outcomes(MySQL(options))
    assert types(found["plain"]) == {"id": "integer", "kind": "ext enum('a','b')"}
    assert types(found["calls"]) == {"x": "integer"}, "its definer may call the function"
    assert notes(found["plain"]) == notes(found["calls"]) == []
    assert "`least`.`f`()" in view(found["invokes"]).representations[0].sql
    ((code, told),) = notes(found["invokes"])
    assert (code, told[:5]) == ("COLUMNS_UNKNOWN", "1356:")


def test_the_catalog_of_mariadb_wants_execute_for_views_that_call_functions(
    maria_of_least: MariaDB,
) -> None:
    options = MySQLOptions(
        url=maria_of_least.url(), user="least", include=("least",), introspection="catalog"
    )
    found = outcomes(MySQL(options))
    assert types(found["plain"]) == {"id": "integer", "kind": "ext enum('a','b')"}
    for name in ("calls", "invokes"):
        code, told = failure(found[name])
        assert (code, told[:5]) == ("DENIED", "1370:")


@pytest.fixture
def postgresql_of_least(postgresql: EmbeddedPostgreSQL) -> Iterator[EmbeddedPostgreSQL]:
    """A database in which everybody has nothing, and a role that may connect."""
    drop = ("DROP DATABASE IF EXISTS least", "DROP ROLE IF EXISTS least")
    postgresql.execute((*drop, "CREATE ROLE least LOGIN", "CREATE DATABASE least"))
    postgresql.execute(
        (
            "REVOKE ALL ON DATABASE least FROM public",
            "REVOKE ALL ON SCHEMA public FROM public",
            "GRANT CONNECT ON DATABASE least TO least",
            "CREATE SCHEMA s",
            "CREATE TYPE s.mood AS ENUM ('a')",
            "REVOKE USAGE ON TYPE s.mood FROM public",
            "CREATE TABLE s.base (id int, m s.mood)",
            "CREATE FUNCTION s.f() RETURNS int IMMUTABLE LANGUAGE sql AS 'SELECT 1'",
            "REVOKE EXECUTE ON FUNCTION s.f() FROM public",
            "CREATE VIEW s.v AS SELECT id, m, s.f() AS x FROM s.base",
        ),
        "least",
    )
    yield postgresql
    postgresql.execute(drop)


def test_connect_suffices_in_postgresql_and_usage_and_select_for_columns_of_the_query(
    postgresql_of_least: EmbeddedPostgreSQL,
) -> None:
    options = Options(url=postgresql_of_least.url("least"), user="least", include=("s",))
    wanted = {"id": "integer", "m": "ext s.mood", "x": "integer"}
    denied = "permission denied for schema s"
    for granted, told in (
        ("", [("COLUMNS_FROM_CATALOG", denied)]),
        ("GRANT USAGE ON SCHEMA s TO least; GRANT SELECT ON s.v TO least", []),
    ):
        postgresql_of_least.execute([granted] if granted else [], "least")
        with PostgreSQL(options) as source:
            assert source.probe().version
            assert [
                function.name for function in source.functions() if hasattr(function, "name")
            ] == ["f"]
            (table,) = source.load_tables([Identifier(("s",), "base")])
            assert isinstance(table, RawObject)
        found = outcomes(PostgreSQL(options))
        assert types(found["v"]) == wanted
        assert notes(found["v"]) == told
        assert "s.f() AS x" in view(found["v"]).representations[0].sql
