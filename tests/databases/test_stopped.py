"""A server that stands still: the crawl's own clock ends the waiting.

Nothing here is waited for by luck. What runs has minutes to answer; only what was stopped, and so
never answers, is waited for a short while. A process is stopped when it waits for its client: then
it holds nothing that others need.
"""

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final

import psutil
import psycopg
import pytest

from connectors.clients.sql import LibpqConnection
from connectors.jdbc.base import Database
from connectors.jdbc.mysql import MySQL
from connectors.jdbc.mysql import Options as MySQLOptions
from connectors.jdbc.mysql_session import driver_of
from connectors.jdbc.postgresql import Options, PostgreSQL
from discovery.crawl import crawl
from discovery.errors import UnreachableError
from discovery.functions import Function
from discovery.outcomes import Listed, Outcome
from discovery.ports import CrawlTask
from jobs.embedded.postgres import EmbeddedPostgreSQL
from tests.servers import MariaDB
from tests.waiting import until

SCHEMAS = ("still_a", "still_b")
VIEWS = tuple(Listed((schema,), f"v_{number}") for schema in SCHEMAS for number in range(10))
TASK = CrawlTask("s", VIEWS)
MADE = [f"CREATE VIEW {view.namespace[0]}.{view.name} AS SELECT 1 AS id" for view in VIEWS]
_LONG: Final = 60.0  # seconds for what runs
_SHORT: Final = 0.25  # for what is stopped; twice that without a byte is a lost connection
_TASK: Final = 3.0  # of a task whose server is stopped: one connection is tried, which takes two


def fates(outcomes: list[Outcome]) -> list[str]:
    """The code of each failure, and the class of what is none."""
    return [getattr(outcome.result, "code", type(outcome.result).__name__) for outcome in outcomes]


def stop(process: int) -> None:
    """Send a process to sleep, and see it sleep."""
    os.kill(process, signal.SIGSTOP)
    until(lambda: psutil.Process(process).status() == psutil.STATUS_STOPPED)


@contextmanager
def stopped(*processes: int) -> Iterator[None]:
    try:
        for process in processes:
            stop(process)
        yield
    finally:
        for process in processes:
            os.kill(process, signal.SIGCONT)


class Lasting(PostgreSQL):
    """Waits long for each new connection and a short while for one that was stopped."""

    def connect(self) -> LibpqConnection:
        self._options = replace(self._options, timeout=_LONG)
        return super().connect()

    def hurry(self) -> None:
        self._options = replace(self._options, timeout=_SHORT)


@pytest.fixture
def still(postgresql: EmbeddedPostgreSQL) -> Iterator[EmbeddedPostgreSQL]:
    drops = [f"DROP SCHEMA IF EXISTS {schema} CASCADE" for schema in SCHEMAS]
    postgresql.execute([*drops, *(f"CREATE SCHEMA {schema}" for schema in SCHEMAS), *MADE])
    yield postgresql
    postgresql.execute(drops)


def options(server: EmbeddedPostgreSQL) -> Options:
    return Options(
        url=server.url(), user="postgres", include=SCHEMAS, timeout=_LONG, batch=5, task_timeout=600
    )


@pytest.fixture
def source(still: EmbeddedPostgreSQL) -> Iterator[Lasting]:
    with Lasting(options(still)) as made:
        yield made


def asked(server: EmbeddedPostgreSQL, query: str, *values: object) -> str:
    """What the server says to somebody else."""
    with psycopg.connect(f"host={server.socket} user=postgres dbname=postgres") as connection:
        return str((connection.execute(query.encode(), values).fetchone() or ("",))[0])


def ours(source: PostgreSQL, server: EmbeddedPostgreSQL) -> int:
    """The process of the server that serves us; it has come to wait for what we ask."""
    process: int = source.open_session().pgconn.backend_pid
    waits = "SELECT wait_event FROM pg_stat_activity WHERE pid = %s AND state = 'idle'"
    until(lambda: asked(server, waits, process) == "ClientRead")
    return process


@contextmanager
def ours_stopped(source: Lasting, server: EmbeddedPostgreSQL) -> Iterator[None]:
    """Our process stands still while the server makes new ones for us."""
    with stopped(ours(source, server)):
        source.hurry()
        yield


def test_what_is_waited_for_is_what_the_options_say(still: EmbeddedPostgreSQL) -> None:
    source = PostgreSQL(replace(options(still), timeout=4))
    assert source._patience().silence == 8


def test_a_load_goes_on_without_the_process_that_stands_still(
    source: Lasting, still: EmbeddedPostgreSQL
) -> None:
    outcomes = crawl(TASK, source)
    told = [next(outcomes)]
    with ours_stopped(source, still):
        told += outcomes
    assert [outcome.listed for outcome in told] == list(VIEWS)
    assert fates(told) == ["View"] * len(VIEWS)


def test_a_listing_goes_on_without_the_process_that_stands_still(
    source: Lasting, still: EmbeddedPostgreSQL
) -> None:
    listing = source.listing()
    told = [next(listing)]
    with ours_stopped(source, still):
        told += listing
    assert {item for item in told if isinstance(item, Listed) and item.name} == set(VIEWS)


def test_what_is_asked_once_is_asked_again_on_a_new_connection(
    source: Lasting, still: EmbeddedPostgreSQL
) -> None:
    still.execute(["CREATE FUNCTION still_a.known() RETURNS int LANGUAGE sql AS 'SELECT 1'"])

    def known() -> bool:
        functions = [function for function in source.functions() if isinstance(function, Function)]
        return "known" in {
            function.name for function in functions if function.namespace == ("still_a",)
        }

    for ask in (lambda: source.probe().version, known):
        with ours_stopped(source, still):
            assert ask()


def test_a_connection_that_is_lost_again_is_not_kept(
    source: Lasting, still: EmbeddedPostgreSQL, monkeypatch: pytest.MonkeyPatch
) -> None:
    connect, processes = source.connect, list[int]()

    def stopping() -> LibpqConnection:
        made = connect()
        processes.append(made.pgconn.backend_pid)
        stop(processes[-1])
        source.hurry()
        return made

    monkeypatch.setattr(source, "connect", stopping)
    try:
        with pytest.raises(UnreachableError, match=r"no answer within 0\.5 seconds"):
            source.probe()
    finally:
        for process in processes:
            os.kill(process, signal.SIGCONT)
    assert len(processes) == 2
    monkeypatch.undo()
    assert source.probe().version


def give_up_soon(source: Database) -> None:
    """The server is stopped: the rest of the task has seconds."""
    source._options = replace(source._options, timeout=_SHORT)
    source._end = time.monotonic() + _TASK


def test_a_postgresql_that_stands_still_ends_as_rows_and_is_crawled_when_it_goes_on(
    still: EmbeddedPostgreSQL,
) -> None:
    folder = Path(asked(still, "SHOW data_directory"))
    first = (folder / "postmaster.pid").read_text(encoding="utf-8").partition("\n")[0]
    with PostgreSQL(options(still)) as source:
        outcomes = crawl(TASK, source)
        told = [next(outcomes)]
        with stopped(ours(source, still), int(first)):
            give_up_soon(source)
            told += outcomes
        assert fates(told) == ["View"] * 5 + ["UNREACHABLE"] * 15
        source._options = options(still)
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
    options = MySQLOptions(
        url=quiet.url(), user="root", timeout=_LONG, batch=5, task_timeout=600, include=SCHEMAS
    )
    with MySQL(options) as source:
        patient = source._engine
        outcomes = crawl(TASK, source)
        told = [next(outcomes)]
        driver = driver_of(source.open_session())
        assert driver._read_timeout == 2 * _LONG
        with stopped(process):
            give_up_soon(source)
            driver._read_timeout = 2 * _SHORT
            source._engine = source.engine(replace(options, timeout=1))
            told += outcomes
        assert fates(told) == ["View"] * 5 + ["UNREACHABLE"] * 15
        source._options, source._engine = options, patient
        assert fates(list(crawl(TASK, source))) == ["View"] * len(VIEWS)
