"""Bench of a metastore's own database: a crawl of it against the bare selects."""

import multiprocessing
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import psycopg
from pyspark.sql import SparkSession

from connectors.hms_database.source import Options
from connectors.registry import Connector
from discovery.chunks import chunks
from jobs.configuration.loader import RunConfig
from jobs.crawl import crawl_estate
from jobs.crawling.concluding import Crawled
from jobs.embedded.postgres import EmbeddedPostgreSQL, embedded_postgresql
from tests.backing import DATABASE, on_postgresql
from tests.benchmarks import estate
from tests.benchmarks.crawling import BATCH, CONNECTIONS, VIEWS, crawled, run_config, session
from tests.benchmarks.measure import medians_of, note, say, seconds

MANY: Final = 100_000
CHANGED: Final = 500
_CHANGED: Final = f"""UPDATE "TBLS" SET "OWNER" = 'another'
 WHERE "TBL_ID" IN (SELECT "TBL_ID" FROM "TBLS" ORDER BY "TBL_ID" LIMIT {CHANGED})"""
_NAMES: Final = """SELECT d."DB_ID", t."TBL_NAME" FROM "TBLS" t JOIN "DBS" d USING ("DB_ID")"""
_WANTED: Final = """"TBLS" t WHERE t."DB_ID" = %s AND t."TBL_NAME" = ANY(%s)"""
_ENTRIES: Final = f"""SELECT t.*, s.*, r.* FROM "SDS" s JOIN "SERDES" r USING ("SERDE_ID"),
 {_WANTED}
 AND s."SD_ID" = t."SD_ID\""""
_PARAMETERS: Final = f"""SELECT p.* FROM "TABLE_PARAMS" p, {_WANTED} AND p."TBL_ID" = t."TBL_ID\""""
_COLUMNS: Final = f"""SELECT c.* FROM "COLUMNS_V2" c, "SDS" s, {_WANTED}
 AND s."SD_ID" = t."SD_ID" AND c."CD_ID" = s."CD_ID" ORDER BY c."CD_ID", c."INTEGER_IDX\""""


def hms_database() -> None:
    """10,000 views end to end, committed, against bare selects with the same connections."""
    with session() as spark, _filled(spark) as server:
        options = Options(
            url=server.url(DATABASE), user="postgres", connections=CONNECTIONS, batch=BATCH
        )
        config = run_config(Connector("hms-database", options))
        crawled(spark, config)
        _bare(server)
        bare, ours = medians_of(
            lambda: seconds(lambda: _bare(server)),
            lambda: seconds(lambda: crawled(spark, config)),
        )
        say("hms-database", VIEWS, VIEWS / ours, "views/s", VIEWS / bare, ">= 0.4")


def recrawl() -> None:
    """100,000 views of which 500 have changed, against the full crawl before it.

    Two crawls, one after the other: a median would need the full one several times.
    """
    with session() as spark, _filled(spark, MANY) as server:
        options = Options(
            url=server.url(DATABASE), user="postgres", connections=CONNECTIONS, batch=BATCH
        )
        config = run_config(Connector("hms-database", options))
        say_recrawled("recrawl", spark, config, lambda: server.execute((_CHANGED,), DATABASE))


def say_recrawled(
    bench: str, spark: SparkSession, config: RunConfig, change: Callable[[], None]
) -> None:
    """Seconds of a crawl after `CHANGED` views of `MANY` were changed, against a full one."""
    config = replace(config, full_every=timedelta(days=7))
    full = seconds(lambda: crawl_estate(spark, config, "full"))
    change()
    found: list[Crawled] = []
    again = seconds(lambda: found.append(crawl_estate(spark, config, "again")))
    taken = found[0].counts["taken_over"]
    assert taken == MANY - CHANGED, taken
    say(bench, MANY, again, "s", full, "<= 0.05")
    shutil.rmtree(config.warehouse)


@contextmanager
def _filled(spark: SparkSession, views: int = VIEWS) -> Iterator[EmbeddedPostgreSQL]:
    """A server with the estate in tables that a metastore has made."""
    with (
        TemporaryDirectory(prefix="belvedere-") as place,
        embedded_postgresql(Path(place) / "pg") as server,
    ):
        folder = Path(place) / "hms"
        folder.mkdir()
        with on_postgresql(spark, server, folder) as backed:
            backed.metastore.update('DELETE FROM "DATABASE_PARAMS"')
        note(f"filling a metastore's tables with {views} views")
        with psycopg.connect(location(server)) as connection:
            connection.execute("SET session_replication_role = replica")
            for table, rows in estate.rows(views).items():
                with connection.cursor().copy(f'COPY "{table}" FROM STDIN') as copy:
                    for row in rows:
                        copy.write_row(row)
        server.execute(("ANALYZE",), DATABASE)
        yield server


def location(server: EmbeddedPostgreSQL) -> str:
    """How psycopg reaches the metastore's own database."""
    return f"dbname={DATABASE} host={server.socket} user=postgres"


def _bare(server: EmbeddedPostgreSQL) -> None:
    """Names, then three selects by batches, nothing else: as many processes as connections."""
    names: dict[int, list[str]] = {}
    with psycopg.connect(location(server)) as connection:
        for database, name in connection.execute(_NAMES):
            names.setdefault(database, []).append(name)
    tasks = [(database, part) for database, some in names.items() for part in chunks(some, BATCH)]
    with multiprocessing.Pool(CONNECTIONS) as pool:
        shares = [(location(server), tasks[start::CONNECTIONS]) for start in range(CONNECTIONS)]
        assert sum(pool.starmap(_fetch, shares)) == VIEWS


def _fetch(place: str, tasks: list[tuple[int, tuple[str, ...]]]) -> int:
    count = 0
    with psycopg.connect(place) as connection:
        for database, names in tasks:
            wanted = (database, list(names))
            count += len(connection.execute(_ENTRIES, wanted).fetchall())
            for query in (_PARAMETERS, _COLUMNS):
                connection.execute(query, wanted).fetchall()
    return count
