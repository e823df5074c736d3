"""A server that stands still: the crawl's own clock ends the waiting."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from connectors.clients.sql import LibpqConnection
from connectors.jdbc.mysql import MySQL
from connectors.jdbc.mysql import Options as MySQLOptions
from connectors.jdbc.postgresql import Options, PostgreSQL
from discovery.crawl import crawl
from discovery.errors import UnreachableError
from discovery.outcomes import Listed, Outcome
from discovery.ports import CrawlTask
from jobs.embedded.postgres import EmbeddedPostgreSQL
from tests.servers import MariaDB

SCHEMAS = ("still_a", "still_b")
VIEWS = tuple(Listed((schema,), f"v_{number}") for schema in SCHEMAS for number in range(10))
TASK = CrawlTask("s", VIEWS)
MADE = [f"CREATE VIEW {one.namespace[0]}.{one.name} AS SELECT 1 AS id" for one in VIEWS]


def fates(outcomes: list[Outcome]) -> list[str]:
    """The code of each failure, and the class of what is none."""
    return [getattr(one.result, "code", type(one.result).__name__) for one in outcomes]


@contextmanager
def stopped(*processes: int) -> Iterator[None]:
    for process in processes:
        os.kill(process, signal.SIGSTOP)
    try:
        yield
    finally:
        for process in processes:
            os.kill(process, signal.SIGCONT)


@pytest.fixture
def still(postgresql: EmbeddedPostgreSQL) -> Iterator[EmbeddedPostgreSQL]:
    drops = [f"DROP SCHEMA IF EXISTS {schema} CASCADE" for schema in SCHEMAS]
    postgresql.execute([*drops, *(f"CREATE SCHEMA {schema}" for schema in SCHEMAS), *MADE])
    yield postgresql
    postgresql.execute(drops)


@pytest.fixture
def source(still: EmbeddedPostgreSQL) -> Iterator[PostgreSQL]:
    options = Options(
        url=still.url(), user="postgres", include=SCHEMAS, timeout=4, batch=5, task_timeout=120
    )
    with PostgreSQL(options) as made:
        yield made


def ours(source: PostgreSQL) -> int:
    """The process of the server that serves us."""
    process: int = source.connected().pgconn.backend_pid
    return process


def test_a_load_goes_on_without_the_process_that_stands_still(source: PostgreSQL) -> None:
    outcomes = crawl(TASK, source)
    told = [next(outcomes)]
    with stopped(ours(source)):
        told += outcomes
    assert [one.listed for one in told] == list(VIEWS)
    assert fates(told) == ["View"] * len(VIEWS)


def test_a_listing_goes_on_without_the_process_that_stands_still(source: PostgreSQL) -> None:
    listing = source.listing()
    told = [next(listing)]
    with stopped(ours(source)):
        told += listing
    assert {one for one in told if isinstance(one, Listed) and one.name} == set(VIEWS)


def test_what_is_asked_once_is_asked_again_on_a_new_connection(source: PostgreSQL) -> None:
    for ask in (lambda: source.probe().version, lambda: [*source.functions()] == []):
        with stopped(ours(source)):
            assert ask()


def test_a_connection_that_is_lost_again_is_not_kept(
    source: PostgreSQL, monkeypatch: pytest.MonkeyPatch
) -> None:
    connect, processes = source.connect, []

    def stopping() -> LibpqConnection:
        made = connect()
        processes.append(made.pgconn.backend_pid)
        os.kill(processes[-1], signal.SIGSTOP)
        return made

    monkeypatch.setattr(source, "connect", stopping)
    try:
        with pytest.raises(UnreachableError, match="no answer within 8 seconds"):
            source.probe()
    finally:
        for process in processes:
            os.kill(process, signal.SIGCONT)
    assert len(processes) == 2
    monkeypatch.undo()
    assert source.probe().version


def test_a_postgresql_that_stands_still_ends_as_rows_and_is_crawled_when_it_goes_on(
    source: PostgreSQL, still: EmbeddedPostgreSQL
) -> None:
    source._options = Options(url=still.url(), user="postgres", timeout=4, task_timeout=20)
    with psycopg.connect(f"host={still.socket} user=postgres dbname=postgres") as connection:
        (folder,) = connection.execute("SHOW data_directory").fetchone() or ("",)
    first = (Path(folder) / "postmaster.pid").read_text(encoding="utf-8").partition("\n")[0]
    outcomes = crawl(TASK, source)
    told = [next(outcomes)]
    with stopped(int(first), ours(source)):
        told += outcomes
    assert fates(told) == ["View"] * 5 + ["UNREACHABLE"] * 15
    assert fates(list(crawl(TASK, source))) == ["View"] * len(VIEWS)


@pytest.fixture
def quiet(maria: MariaDB) -> Iterator[MariaDB]:
    maria.execute(*(f"CREATE OR REPLACE DATABASE {schema}" for schema in SCHEMAS), *MADE)
    yield maria
    maria.execute(*(f"DROP DATABASE {schema}" for schema in SCHEMAS))


def test_a_mariadb_that_stands_still_ends_as_rows_and_is_crawled_when_it_goes_on(
    quiet: MariaDB,
) -> None:
    process = int((quiet.folder / "pid").read_text(encoding="utf-8"))
    options = MySQLOptions(url=quiet.url(), user="root", timeout=4, batch=5, task_timeout=25)
    with MySQL(options) as source:
        outcomes = crawl(TASK, source)
        told = [next(outcomes)]
        with stopped(process):
            told += outcomes
        assert fates(told) == ["View"] * 5 + ["UNREACHABLE"] * 15
        assert fates(list(crawl(TASK, source))) == ["View"] * len(VIEWS)
