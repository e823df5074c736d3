"""Any other database through SQLAlchemy: SQLite, and PostgreSQL as if it were no better known."""

import socket
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import ARRAY, Inspector
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite as SQLiteDialect
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.types import NullType

from connectors.clients import sql
from connectors.jdbc.any_database import AnyDatabase, Options
from connectors.jdbc.base import Introspection
from discovery.crawl import crawl
from discovery.errors import ConfigurationError, ReadError, UnreachableError
from discovery.lineage import scopes
from discovery.outcomes import Failure, Listed, Stage
from discovery.ports import CrawlTask
from jobs.embedded.postgres import EmbeddedPostgreSQL
from tests.databases.crawled import failure, notes, outcomes, types, view
from tests.servers import MariaDB

ODD = ['quote"d', "do.t", "sp ace", "Ünï→", "semi;colon--", "per%cent:x"]


@pytest.fixture
def sqlite(tmp_path: Path) -> Callable[..., str]:
    def make(*statements: str) -> str:
        with closing(sqlite3.connect(tmp_path / "s.db")) as connection:
            for statement in statements:
                connection.execute(statement)
        return f"sqlite:///{tmp_path / 's.db'}"

    return make


def test_views_of_a_database_without_a_source_of_its_own(sqlite: Callable[..., str]) -> None:
    url = sqlite(
        "CREATE TABLE t (a INTEGER, b VARCHAR(20), c DECIMAL(10, 2), d TIMESTAMP, e GEOMETRY)",
        "CREATE VIEW v AS SELECT * FROM t",
        "CREATE TABLE gone (x int)",
        "CREATE VIEW broken AS SELECT x FROM gone",
        "DROP TABLE gone",
    )
    modes: tuple[Introspection, ...] = ("query", "catalog", "both")
    crawls = [outcomes(AnyDatabase(Options(url=url, introspection=mode))) for mode in modes]
    for found in crawls:
        assert types(found["v"]) == {
            "a": "long",
            "b": "varchar(20)",
            "c": "decimal(10,2)",
            "d": "timestamp",
            "e": "ext NUMERIC",
        }
        code, message = failure(found["broken"])
        assert code == "READ_FAILED"
        assert "no such table: main.gone" in message
    (text,) = view(crawls[0]["v"]).representations
    assert (text.dialect, text.default_schema) == ("sqlite", "main")
    assert text.sql == "CREATE VIEW v AS SELECT * FROM t"


def test_odd_names_are_names(sqlite: Callable[..., str]) -> None:
    quoted = ['"' + name.replace('"', '""') + '"' for name in ODD]
    url = sqlite(*(f"CREATE VIEW {one} AS SELECT 1 AS {one}" for one in quoted))
    found = outcomes(AnyDatabase(Options(url=url, introspection="query")))
    for name in ODD:
        assert [column.name for column in view(found[name]).columns] == [name]
        assert notes(found[name]) == []


def test_a_schema_that_is_called_default_is_not_that_of_the_connection(
    sqlite: Callable[..., str], tmp_path: Path
) -> None:
    url = sqlite("CREATE VIEW v AS SELECT 1 AS of_main")
    with closing(sqlite3.connect(tmp_path / "default.db")) as other:
        other.execute("CREATE VIEW v AS SELECT 1 AS of_default")
    attached = (f"ATTACH DATABASE '{tmp_path / 'default.db'}' AS \"default\"",)
    modes: tuple[Introspection, ...] = ("query", "catalog")
    for mode in modes:
        options = Options(url=url, include=("default",), session=attached, introspection=mode)
        assert list(types(outcomes(AnyDatabase(options))["v"])) == ["of_default"]


def test_the_configuration_says_how_a_session_is_bounded(sqlite: Callable[..., str]) -> None:
    url = sqlite("CREATE VIEW v AS SELECT 1 AS x")
    options = Options(url=url, session=("PRAGMA query_only = ON",))
    with AnyDatabase(options) as source:
        assert source.probe().version.startswith("sqlite 3")
        with pytest.raises(Exception, match="readonly"):
            source.open_session().exec_driver_sql("CREATE TABLE t (x int)")


def test_a_type_that_sqlalchemy_cannot_write_down_costs_its_column_alone(
    sqlite: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    url = sqlite("CREATE VIEW v AS SELECT 1 AS x", "CREATE VIEW w AS SELECT 2 AS y")

    def reflected(_: Inspector, name: str, **__: object) -> list[dict[str, object]]:
        odd = ARRAY(NullType())  # as PostgreSQL's dialect reads an array of a composite type
        return [{"name": "odd", "type": odd if name == "v" else NullType(), "comment": None}]

    monkeypatch.setattr(Inspector, "get_columns", reflected)
    found = outcomes(AnyDatabase(Options(url=url)))
    assert types(found["v"]) == types(found["w"]) == {"odd": "ext unknown"}


def knows_no_autocommit(error: Exception) -> Callable[..., None]:
    def refuse(*_: object) -> None:
        raise error

    return refuse


@pytest.mark.parametrize(
    "error",
    [NotImplementedError(), ArgumentError("Invalid value 'AUTOCOMMIT'"), AttributeError("none")],
    ids=["ClickHouse", "Db2", "DuckDB"],  # as clickhouse-sqlalchemy 0.3, ibm-db-sa 0.4 and others
)
def test_a_dialect_that_knows_no_autocommit_is_read_all_the_same(
    sqlite: Callable[..., str], monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    url = sqlite("CREATE VIEW v AS SELECT 1 AS x")
    monkeypatch.setattr(SQLiteDialect, "set_isolation_level", knows_no_autocommit(error))
    assert types(outcomes(AnyDatabase(Options(url=url)))["v"]) == {"x": "ext unknown"}


@pytest.mark.parametrize("autocommits", [True, False])
@pytest.mark.filterwarnings("ignore:Did not recognize type 'generic.pair'")
def test_a_refused_query_is_told_and_costs_no_other(
    postgresql: EmbeddedPostgreSQL, monkeypatch: pytest.MonkeyPatch, autocommits: bool
) -> None:
    if not autocommits:
        refuse = knows_no_autocommit(NotImplementedError())
        monkeypatch.setattr(PGDialect_psycopg, "set_isolation_level", refuse)
    postgresql.execute(
        (
            "DROP SCHEMA IF EXISTS generic CASCADE",
            "CREATE SCHEMA generic",
            "CREATE VIEW generic.v AS SELECT 1::numeric(5,2) AS x, now() AS y",
            'CREATE VIEW generic."per%cent:x" AS SELECT 1 AS "per%cent:x"',
            "CREATE TYPE generic.pair AS (a int, b int)",
            "CREATE VIEW generic.pairs AS SELECT ARRAY[(1, 2)::generic.pair] AS x",
            "DO $$ BEGIN CREATE ROLE generic LOGIN; EXCEPTION WHEN duplicate_object THEN END $$",
            "GRANT USAGE ON SCHEMA generic TO generic",
            'GRANT SELECT ON generic."per%cent:x" TO generic',
        )
    )
    url = postgresql.url().replace("postgresql:", "postgresql+psycopg:")
    options = Options(url=url, user="generic", include=("generic",), introspection="query")
    found = outcomes(AnyDatabase(options))
    assert types(found["v"]) == {"x": "decimal(5,2)", "y": "timestamp_tz"}
    assert types(found["pairs"]) == {"x": "ext unknown"}
    assert types(found["per%cent:x"]) == {"per%cent:x": "integer"}
    assert notes(found["per%cent:x"]) == []
    assert notes(found["v"]) == [("COLUMNS_FROM_CATALOG", "permission denied for view v")]


def test_a_short_name_in_a_text_of_postgresql_is_no_other_schema_s(
    postgresql: EmbeddedPostgreSQL,
) -> None:
    postgresql.execute(
        (
            "DROP SCHEMA IF EXISTS generic CASCADE",
            "CREATE SCHEMA generic",
            "CREATE TABLE IF NOT EXISTS public.in_the_path (x date)",
            "CREATE VIEW generic.v AS SELECT x FROM in_the_path WHERE x > '2020-02-01'",
            "ALTER ROLE postgres SET datestyle = 'SQL, DMY'",
        )
    )
    url = postgresql.url().replace("postgresql:", "postgresql+psycopg:")
    try:
        found = outcomes(AnyDatabase(Options(url=url, user="postgres", include=("generic",))))
    finally:
        postgresql.execute(
            (
                "ALTER ROLE postgres RESET datestyle",
                "DROP SCHEMA generic CASCADE",
                "DROP TABLE public.in_the_path",
            )
        )
    (text,) = view(found["v"]).representations
    assert scopes.names(text.sql, text.dialect) == ((("public", "in_the_path"),), ())
    assert "'2020-02-01'::date" in text.sql


def test_a_view_that_the_inspector_cannot_read_costs_no_other(maria: MariaDB) -> None:
    maria.execute(
        "CREATE OR REPLACE DATABASE invalid",
        "CREATE TABLE invalid.gone (x int)",
        "CREATE VIEW invalid.broken AS SELECT x FROM invalid.gone",
        "CREATE VIEW invalid.well AS SELECT 1 AS x",
        "DROP TABLE invalid.gone",
    )
    url = maria.url().replace("mysql:", "mysql+pymysql:")
    options = Options(url=url, user="root", include=("invalid",))
    found = outcomes(AnyDatabase(options))
    code, message = failure(found["broken"])
    assert (code, "references invalid table" in message) == ("READ_FAILED", True)
    assert [column.name for column in view(found["well"]).columns] == ["x"]


@pytest.mark.parametrize(
    ("lacks", "stage"), [("get_view_names", Stage.LIST), ("get_view_definition", Stage.READ)]
)
def test_a_dialect_that_does_not_tell_of_views_is_no_database_without_views(
    sqlite: Callable[..., str], monkeypatch: pytest.MonkeyPatch, lacks: str, stage: Stage
) -> None:
    def untold(*_: object, **__: object) -> None:
        raise NotImplementedError

    monkeypatch.setattr(SQLiteDialect, lacks, untold)
    source = AnyDatabase(Options(url=sqlite("CREATE VIEW v AS SELECT 1 AS x")))
    with source:
        listed = tuple(source.listing())
        task = CrawlTask(
            "s", tuple(item for item in listed if isinstance(item, Listed) and item.name)
        )
        read = (outcome.result for outcome in crawl(task, source))
        (failed,) = [one for one in (*listed, *read) if isinstance(one, Failure)]
    assert (failed.stage, failed.code) == (stage, "READ_FAILED")
    assert failed.message == f"the dialect sqlite does not implement {lacks}"


def test_what_a_driver_raises_beside_errors_of_databases_is_no_bug_of_ours(
    sqlite: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    class HttpError(Exception):
        """As the driver of Trino has, where a proxy refuses."""

    def refused(*_: object, **__: object) -> None:
        raise HttpError("error 401")

    url = sqlite("CREATE VIEW v AS SELECT 1 AS x")
    for lacks in ("initialize", "get_schema_names"):
        with monkeypatch.context() as patch, AnyDatabase(Options(url=url)) as source:
            patch.setattr(SQLiteDialect, lacks, refused)
            with pytest.raises(ReadError, match="HttpError: error 401"):
                list(source.listing())


def nobody_there() -> None:
    """Fail as Trino's driver (0.340) does, which connects with the first statement."""
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        try:
            socket.create_connection(closed.getsockname())
        except OSError as error:
            raise sqlite3.OperationalError(f"failed to execute: {error}")  # noqa: B904 - as it does


def failing_first(times: int, method: Callable[..., object]) -> Callable[..., object]:
    """The method, behind a server that is not there the first times."""
    left = [nobody_there] * times

    def asked(*args: object, **more: object) -> object:
        try:
            if left:
                left.pop()()
            return method(*args, **more)
        except sqlite3.Error as error:
            if "ping" in method.__name__:
                raise
            raise DBAPIError("", {}, error) from error  # as of a statement

    return asked


def test_a_server_that_is_gone_is_unreachable_to_a_driver_that_connects_late(
    sqlite: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sql, "WAITS", (0.01, 0.01))
    url = sqlite("CREATE VIEW v AS SELECT 1 AS x")
    for method in ("do_ping", "get_view_names"):
        asked = failing_first(99, getattr(SQLiteDialect, method))
        with monkeypatch.context() as patch, AnyDatabase(Options(url=url)) as source:
            patch.setattr(SQLiteDialect, method, asked)
            with pytest.raises(UnreachableError, match=r"failed to execute: .*refused"):
                list(source.listing())


@pytest.mark.parametrize("method", ["do_ping", "get_view_names", "get_view_definition"])
def test_a_server_that_comes_back_costs_no_view_of_a_driver_that_connects_late(
    sqlite: Callable[..., str], monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    monkeypatch.setattr(sql, "WAITS", (0.01, 0.01))
    url = sqlite("CREATE VIEW v AS SELECT 1 AS x")
    times = 2 if method == "do_ping" else 1
    asked = failing_first(times, getattr(SQLiteDialect, method))
    monkeypatch.setattr(SQLiteDialect, method, asked)
    assert types(outcomes(AnyDatabase(Options(url=url)))["v"]) == {"x": "ext unknown"}


def test_a_refusal_after_a_lost_connection_is_a_refusal(
    sqlite: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object, **__: object) -> None:
        raise sqlite3.OperationalError("no such view")

    asked = failing_first(1, refused)
    monkeypatch.setattr(SQLiteDialect, "get_view_definition", asked)
    found = outcomes(AnyDatabase(Options(url=sqlite("CREATE VIEW v AS SELECT 1 AS x"))))
    assert failure(found["v"]) == ("READ_FAILED", "no such view")


def test_a_server_that_refuses_to_be_greeted_is_there(
    sqlite: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object, **__: object) -> None:
        raise sqlite3.OperationalError("FROM keyword not found where expected")

    monkeypatch.setattr(SQLiteDialect, "do_ping", refused)
    found = outcomes(AnyDatabase(Options(url=sqlite("CREATE VIEW v AS SELECT 1 AS x"))))
    assert types(found["v"]) == {"x": "ext unknown"}


def test_a_connection_that_is_lost_where_the_comment_is_asked_for_loses_no_comment(
    sqlite: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    answers: list[dict[str, str] | DBAPIError] = [
        DBAPIError("", {}, Exception("gone"), connection_invalidated=True),
        {"text": "told"},
    ]

    def comment(*_: object, **__: object) -> dict[str, str]:
        answer = answers.pop(0)
        if isinstance(answer, DBAPIError):
            raise answer
        return answer

    monkeypatch.setattr(SQLiteDialect, "get_table_comment", comment)
    found = outcomes(AnyDatabase(Options(url=sqlite("CREATE VIEW v AS SELECT 1 AS x"))))
    assert view(found["v"]).comment == "told"


@pytest.mark.parametrize("url", ["nosuch://h/d", "sqlite+nosuch:///x"])
def test_a_dialect_that_is_not_there_is_told(url: str) -> None:
    with pytest.raises(ConfigurationError, match="nosuch") as raised:
        AnyDatabase(Options(url=url))
    assert "install" in raised.value.hint
