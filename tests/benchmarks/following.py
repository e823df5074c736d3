"""Bench of a crawl by a metastore's events: against the full crawl by Thrift before it."""

import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NoReturn

import psycopg
from pyspark.sql import SparkSession

from connectors.hms import HiveMetastore, Options
from connectors.registry import Connector
from discovery.errors import ReadError
from jobs.embedded.postgres import EmbeddedPostgreSQL, embedded_postgresql
from jobs.embedded.thrift_writer import writer
from tests.backing import DATABASE, POSTGRESQL_DRIVER, driver
from tests.benchmarks import estate
from tests.benchmarks.backing import CHANGED, MANY, location, say_recrawled
from tests.benchmarks.crawling import BATCH, CONNECTIONS, run_config, session
from tests.benchmarks.measure import note
from tests.live.metastores import LISTENER, RECORDING, fetched, running
from tests.servers import gate

_RELEASE: Final = "3.1.3"  # whose events have ids of their own, and whose listener Maven has
_COLUMNS: Final = {  # in Hive 3's tables, of which the estate's rows have those of Hive 2
    "DBS": "DB_ID, DESC, DB_LOCATION_URI, NAME, OWNER_NAME, OWNER_TYPE",
    "CDS": "CD_ID",
    "SERDES": "SERDE_ID, NAME, SLIB",
    "SERDE_PARAMS": "SERDE_ID, PARAM_KEY, PARAM_VALUE",
    "SDS": "SD_ID, CD_ID, INPUT_FORMAT, IS_COMPRESSED, IS_STOREDASSUBDIRECTORIES, LOCATION,"
    " NUM_BUCKETS, OUTPUT_FORMAT, SERDE_ID",
    "COLUMNS_V2": "CD_ID, COMMENT, COLUMN_NAME, TYPE_NAME, INTEGER_IDX",
    "TBLS": "TBL_ID, CREATE_TIME, DB_ID, LAST_ACCESS_TIME, OWNER, RETENTION, IS_REWRITE_ENABLED,"
    " SD_ID, TBL_NAME, TBL_TYPE, VIEW_EXPANDED_TEXT, VIEW_ORIGINAL_TEXT",
    "TABLE_PARAMS": "TBL_ID, PARAM_KEY, PARAM_VALUE",
}


def recrawl_events() -> None:
    """100,000 views of which 500 were altered, by events, against the full crawl by Thrift.

    Two crawls, one after the other: a median would need the full one several times.
    """
    with session() as spark, _recording(spark) as uri:
        options = Options(uri=uri, connections=CONNECTIONS, batch=BATCH)
        config = run_config(Connector("hms", options))
        _alter(uri, 1)  # a record without an event cannot be followed
        say_recrawled("recrawl-events", spark, config, lambda: _alter(uri, CHANGED))


@contextmanager
def _recording(spark: SparkSession) -> Iterator[str]:
    """The place of a metastore that records its events, with the estate in its PostgreSQL."""
    with (
        TemporaryDirectory(prefix="belvedere-") as place,
        embedded_postgresql(Path(place) / "pg") as server,
        gate(server.socket / ".s.PGSQL.5432") as door,
    ):
        folder = Path(place) / "hms"
        folder.mkdir()
        jars = fetched(_RELEASE, folder, _give_up, [LISTENER])
        shutil.copy(driver(spark, POSTGRESQL_DRIVER), jars)
        server.execute((f"CREATE DATABASE {DATABASE}",))
        backing = {
            "javax.jdo.option.ConnectionURL": f"jdbc:postgresql://127.0.0.1:{door.port}/{DATABASE}",
            "javax.jdo.option.ConnectionDriverName": "org.postgresql.Driver",
            "javax.jdo.option.ConnectionUserName": "postgres",
        }
        with running(jars, folder, {**RECORDING, **backing}) as port:
            uri = f"thrift://127.0.0.1:{port}"
            with suppress(ReadError), HiveMetastore(Options(uri=uri)) as source:
                source.mark()  # there is no event yet; asking makes the table of the record
            with writer(uri) as to:  # and a view makes the others
                to.create_table({**estate.view(0), "dbName": "default"})
            _fill(server)
            yield uri


def _fill(server: EmbeddedPostgreSQL) -> None:
    note(f"filling a metastore's tables with {MANY} views")
    with psycopg.connect(location(server)) as connection:
        connection.execute("SET session_replication_role = replica")
        connection.execute("""ALTER TABLE "DBS" ALTER "CTLG_NAME" SET DEFAULT 'hive'""")
        connection.execute('TRUNCATE "TBLS" CASCADE')
        for table, rows in estate.rows(MANY).items():
            columns = ", ".join(f'"{name}"' for name in _COLUMNS[table].split(", "))
            with connection.cursor().copy(f'COPY "{table}" ({columns}) FROM STDIN') as copy:
                for row in rows:
                    copy.write_row(row)
    server.execute(("ANALYZE",), DATABASE)


def _alter(uri: str, count: int) -> None:
    """Alter so many views, one by one, as an engine does."""
    with writer(uri) as to:
        for number in range(count):
            view = estate.view(number)
            place = view["dbName"], view["tableName"]
            entry = to._client.get_table(*place)
            entry.parameters["changed"] = "yes"
            to._client.alter_table(*place, entry)


def _give_up(why: str) -> NoReturn:
    sys.exit(why)
