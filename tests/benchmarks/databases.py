"""Benches of the databases: our connectors and crawls against SQLAlchemy's reflection.

The reflection is what a script would do: `get_view_definition` and `get_columns`, view by view, on
one connection.
"""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Final

from sqlalchemy import Engine, create_engine, inspect

from connectors.jdbc.mysql import MySQL
from connectors.jdbc.mysql import Options as MySQLOptions
from connectors.jdbc.postgresql import Options, PostgreSQL
from connectors.registry import Connector
from discovery.chunks import chunks
from discovery.outcomes import Kind, Listed, RawObject
from discovery.ports import CrawlTask, ViewSource
from jobs.embedded.postgres import EmbeddedPostgreSQL, embedded_postgresql
from tests.benchmarks import estate
from tests.benchmarks.crawling import crawled, run_config, session
from tests.benchmarks.measure import beside, median_of, medians_of, note, say, seconds
from tests.servers import MariaDB, mariadb

VIEWS: Final = 10_000  # of 22 columns
REFLECTED: Final = 500  # by the slow way, in each run
SCHEMA: Final = "big"
CONNECTIONS: Final = 2
ROUND_TRIP: Final = 0.005  # seconds
_TYPES: Final = ("bigint", "varchar(20)", "numeric(12,2)", "timestamp(3)", "text")


def pg_vs_reflection() -> None:
    """The connector on one connection against reflection one by one."""
    with _postgresql() as server:
        engine = create_engine(_sqlalchemy(server))
        source = PostgreSQL(_options(server))
        _versus("pg-vs-reflection", engine, lambda: _read(source), ">= 10")


def pg_crawl_vs_reflection() -> None:
    """A crawl, committed, against reflection one by one."""
    with _postgresql() as server:
        engine = create_engine(_sqlalchemy(server))
        connector = Connector("postgresql", _options(server))
        _crawl_versus("pg-crawl-vs-reflection", engine, connector, ">= 4")


def pg_relay() -> None:
    """The connector on one connection through a relay with a round trip of 5 ms."""
    with _postgresql() as server, relay(server.socket / ".s.PGSQL.5432") as port:
        source = PostgreSQL(_options(server, f"postgresql://127.0.0.1:{port}/postgres"))
        _read(source)
        rate = VIEWS / median_of(lambda: seconds(lambda: _read(source)))
        say("pg-relay", VIEWS, rate, "views/s", 2_500, ">= 1, of 2500 views/s")


def maria_vs_reflection() -> None:
    """The connector on one connection against reflection one by one."""
    with _mariadb() as server:
        source = MySQL(_mysql_options(server))
        _versus("maria-vs-reflection", _mysql_engine(server), lambda: _read(source), ">= 4")


def maria_crawl_vs_reflection() -> None:
    """A crawl, committed, against reflection one by one."""
    with _mariadb() as server:
        connector = Connector("mysql", _mysql_options(server))
        _crawl_versus("maria-crawl-vs-reflection", _mysql_engine(server), connector, ">= 3")


def _versus(bench: str, engine: Engine, ours: Callable[[], object], aim: str) -> None:
    ours()
    reflect(engine)
    slow, fast = medians_of(lambda: seconds(lambda: reflect(engine)), lambda: seconds(ours))
    say(bench, VIEWS, VIEWS / fast, "views/s", REFLECTED / slow, aim)


def _crawl_versus(bench: str, engine: Engine, connector: Connector, aim: str) -> None:
    with session() as spark:
        config = run_config(connector)
        _versus(bench, engine, lambda: crawled(spark, config), aim)


def reflect(engine: Engine) -> None:
    """Definition and columns of some views, one by one."""
    inspector = inspect(engine)
    for name in inspector.get_view_names(SCHEMA)[:REFLECTED]:
        assert inspector.get_view_definition(name, SCHEMA)
        assert len(inspector.get_columns(name, SCHEMA)) == 22
    engine.dispose()


def _read(source: ViewSource) -> None:
    """List and load everything, as an executor would."""
    with source:
        listed = [item for item in source.listing() if isinstance(item, Listed)]
        views = [one for one in listed if one.kind is Kind.VIEW]
        count = 0
        for some in chunks(views, source.batch):
            for answer in source.load(CrawlTask("s", some)):
                assert isinstance(answer, RawObject), answer
                count += 1
    assert count == VIEWS


def _options(server: EmbeddedPostgreSQL, url: str = "") -> Options:
    return Options(
        url=url or server.url(),
        user="postgres",
        include=(f"{SCHEMA}.v_*",),
        connections=CONNECTIONS,
    )


def _sqlalchemy(server: EmbeddedPostgreSQL) -> str:
    return f"postgresql+psycopg://postgres@/postgres?host={server.socket}"


def _mysql_options(server: MariaDB) -> MySQLOptions:
    include = (f"{SCHEMA}.v_*",)
    return MySQLOptions(url=server.url(), user="root", include=include, connections=CONNECTIONS)


def _mysql_engine(server: MariaDB) -> Engine:
    return create_engine(f"mysql+pymysql://root@/?unix_socket={server.socket}")


@contextmanager
def _mariadb() -> Iterator[MariaDB]:
    """A server with the estate on disk, its views made by a procedure; filled once, then found."""
    folder = estate.cache(f"mariadb-{VIEWS}")
    kinds = ("bigint", "varchar(20)", "decimal(12,2)", "datetime(3)", "text")
    columns = ", ".join(f"c{index} {kind}" for index, kind in enumerate(kinds * 4))
    text = "AS SELECT *, c0+1 AS x1, c2*2 AS x2 FROM big.t WHERE c0 > "
    loop = (
        "CREATE PROCEDURE big.fill(n int) BEGIN DECLARE i int DEFAULT 0; WHILE i < n DO"
        f" EXECUTE IMMEDIATE concat('CREATE VIEW big.v_', lpad(i, 5, '0'), ' {text}', i);"
        " SET i = i + 1; END WHILE; END"
    )
    with mariadb(folder) as server:
        if not (folder / "filled").exists():
            begun = monotonic()
            server.execute("DROP DATABASE IF EXISTS big", "CREATE DATABASE big")
            server.execute(f"CREATE TABLE big.t ({columns})", loop, f"CALL big.fill({VIEWS})")
            (folder / "filled").touch()
            note(f"{VIEWS} views made in {monotonic() - begun:.0f} s")
        yield server


@contextmanager
def _postgresql() -> Iterator[EmbeddedPostgreSQL]:
    """A server with the estate, its views made by a loop on the server."""
    columns = ", ".join(f"c{index} {kind}" for index, kind in enumerate(_TYPES * 4))
    view = "CREATE VIEW big.v_%s AS SELECT *, c0+1 AS x1, c2*2 AS x2 FROM big.t WHERE c0 > %s"
    loop = f"EXECUTE format('{view}', lpad(i::text, 5, '0'), i);"
    with (
        TemporaryDirectory(prefix="belvedere-") as folder,
        embedded_postgresql(Path(folder) / "pg") as server,
    ):
        begun = monotonic()
        server.execute((f"CREATE SCHEMA {SCHEMA}", f"CREATE TABLE {SCHEMA}.t ({columns})"))
        for first in range(0, VIEWS, 500):  # a transaction holds a lock for each view
            within = f"{first}..{first + 499}"
            server.execute((f"DO $$ BEGIN FOR i IN {within} LOOP {loop} END LOOP; END $$",))
        server.execute(("ANALYZE",))
        note(f"{VIEWS} views made in {monotonic() - begun:.0f} s")
        yield server


def relay(socket: Path) -> AbstractContextManager[int]:
    """A port of this machine that passes on what it gets, half a round trip later each way."""
    return beside(_relay, socket)


def _relay(socket: Path, told: Connection) -> None:
    """The process of the relay: one of its own, as it would take turns with the connector."""

    async def pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        queue: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()

        async def send() -> None:
            while True:
                due, data = await queue.get()
                await asyncio.sleep(max(0.0, due - monotonic()))
                if not data:
                    writer.close()
                    return
                writer.write(data)
                await writer.drain()

        sending = asyncio.create_task(send())
        data = b"."
        while data:
            data = await reader.read(1 << 16)
            queue.put_nowait((monotonic() + ROUND_TRIP / 2, data))
        await sending

    async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there = await asyncio.open_unix_connection(socket)
        await asyncio.gather(pump(reader, there[1]), pump(there[0], writer))

    async def serve() -> None:
        server = await asyncio.start_server(accept, "127.0.0.1", 0)
        told.send(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    asyncio.run(serve())
