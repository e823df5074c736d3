"""Benches of the write stage: what a store adds to the bare insertion of the same rows.

The views are those of the estate, each text distinct; batches of 1,000 on two connections from two
processes, as Spark's workers would write them.
"""

import multiprocessing
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from functools import cache
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import requests

from connectors.clients.metastore_writer import MetastoreWriter
from connectors.clients.thrift.login import MetastoreLogin
from connectors.gravitino.entity_store.store import EntityStore, Options
from connectors.gravitino.entity_store.view_rows import ViewRows
from connectors.gravitino.paired import PairedStore
from connectors.gravitino.rest.bodies import creation
from connectors.gravitino.rest.store import GravitinoRest
from connectors.gravitino.rest.store import Options as RestOptions
from connectors.hms_stores.entries import entry_of
from connectors.hms_stores.native import MetastoreStore
from connectors.hms_stores.native import Options as MetastoreOptions
from connectors.iceberg.jdbc_store import JdbcStore
from connectors.iceberg.jdbc_store import Options as IcebergOptions
from discovery.chunks import chunks
from discovery.crawl import normalize
from discovery.errors import NotHeldError
from discovery.migration.changes import fingerprint
from discovery.model import Schema, View
from discovery.outcomes import Listed, RawObject
from discovery.ports import Action, Change, ViewStore
from jobs.embedded.metastore import embedded_metastore
from jobs.embedded.postgres import embedded_postgresql
from tests.benchmarks import estate
from tests.benchmarks.measure import beside, medians_of, say, seconds
from tests.gravitino_double import gravitino
from tests.servers import mariadb

VIEWS: Final = 10_000
ENTRIES: Final = 2_000
BATCH: Final = 1_000
CONNECTIONS: Final = 2
_THREADS: Final = 4
_ICEBERG: Final = "lakehouse-iceberg"
_TABLES: Final = ("view_meta", "view_version_info")


def load_pg() -> None:
    """On PostgreSQL, against COPY of the same rows on one connection."""
    with (
        TemporaryDirectory(prefix="belvedere-") as folder,
        embedded_postgresql(Path(folder) / "pg") as server,
    ):
        options = _options(server.url(), "postgres")
        _versus("load-pg", options, _copied, "<= 3")


def load_maria() -> None:
    """On MariaDB, against multi-row inserts of the same rows on one connection."""
    with TemporaryDirectory(prefix="belvedere-") as folder, mariadb(Path(folder)) as server:
        server.execute("CREATE DATABASE gravitino")
        options = _options(f"mysql:///gravitino?unix_socket={server.socket}", "root")
        _versus("load-maria", options, _inserted, "<= 2.5")


def load_hms() -> None:
    """Into a metastore, against a loop of `create_table` with the same entries."""
    with (
        TemporaryDirectory(prefix="belvedere-") as folder,
        embedded_metastore(Path(folder)) as server,
        MetastoreStore(MetastoreOptions(uri=server.uri)) as store,
        closing(MetastoreWriter(MetastoreLogin(uri=server.uri))) as bare,
    ):
        wanted = [
            Change(change.action, *_held(store, change.view)) for change in changes()[:ENTRIES]
        ]
        spaces = {change.view.identifier.namespace for change in wanted}
        store.prepare([Schema(levels=levels) for levels in sorted(spaces)])
        payloads = [entry_of(change.view) for change in wanted]

        def ours() -> None:
            assert {applied.action for applied in store.apply(wanted)} == {Action.CREATE}

        def plain() -> None:
            for payload in payloads:
                bare.create_entry(payload)

        def measured(work: Callable[[], None]) -> float:
            for payload in payloads:
                bare.drop_entry(payload["dbName"], payload["tableName"])
            return seconds(work)

        ours()
        mine, theirs = medians_of(lambda: measured(ours), lambda: measured(plain))
    say("load-hms", ENTRIES, ENTRIES / mine, "1/s", ENTRIES / theirs, ">= 0.8")


def load_paired() -> None:
    """Views into an Iceberg catalog and their rows beside them, against both stores by themselves.

    Catalog and rows are in one PostgreSQL.
    """
    with (
        TemporaryDirectory(prefix="belvedere-") as folder,
        embedded_postgresql(Path(folder) / "pg") as server,
    ):
        server.execute(("CREATE DATABASE gravitino", "CREATE DATABASE iceberg"))
        stated = IcebergOptions(
            url=server.url("iceberg"), user="postgres", warehouse=Path(folder).as_uri()
        )
        options = replace(
            _options(server.url("gravitino"), "postgres"), provider="lakehouse-iceberg"
        )
        with JdbcStore(stated) as views, EntityStore(options) as rows:
            rows.prepare(())
            mine, theirs = _side_by_side(PairedStore(views, ViewRows(options)), views, rows)
    say("load-paired", ENTRIES, ENTRIES / mine, "1/s", ENTRIES / theirs, ">= 0.8")


def load_rest() -> None:
    """Into a Gravitino server, against bare POSTs of the same views on as many connections.

    The server is our stand-in, in a process of its own, which answers much faster than a server: so
    what is compared is our own work with that of a bare client.
    """
    with (
        beside(_stand_in) as uri,
        GravitinoRest(_of_stand_in(uri)) as store,
        requests.Session() as session,
        ThreadPoolExecutor(_THREADS) as pool,
    ):
        wanted = list(_creations(store))[:ENTRIES]
        spaces = {change.view.identifier.namespace for change in wanted}
        store.prepare([Schema(levels=levels) for levels in sorted(spaces)])
        gone = [
            replace(change, action=Action.DROP, expected=change.fingerprint) for change in wanted
        ]
        bodies = [
            (f"{uri}/api/metalakes/m/catalogs/c/schemas/{place.namespace[0]}/views", creation(view))
            for place, view in ((change.view.identifier, change.view) for change in wanted)
        ]

        def ours() -> None:
            assert {applied.action for applied in store.apply(wanted)} == {Action.CREATE}

        def plain() -> None:
            sent = pool.map(lambda one: session.post(one[0], json=one[1], timeout=60), bodies)
            assert {answer.status_code for answer in sent} == {200}

        def measured(work: Callable[[], None]) -> float:
            took = seconds(work)
            assert {applied.action for applied in store.apply(gone)} == {Action.DROP}
            return took

        mine, theirs = medians_of(lambda: measured(ours), lambda: measured(plain))
    n = len(wanted)
    say("load-rest", n, n / mine, "1/s", n / theirs, ">= 0.7")


def _creations(store: ViewStore) -> Iterator[Change]:
    """A create for each view of the estate that a store can hold."""
    for change in changes():
        with suppress(NotHeldError):
            yield Change(change.action, *_held(store, change.view))


def _of_stand_in(uri: str) -> RestOptions:
    return RestOptions(uri=uri, metalake="m", catalog="c", provider=_ICEBERG, threads=_THREADS)


def _stand_in(told: Connection) -> None:
    """Our stand-in for Gravitino, as a process of its own; tells its address."""
    with gravitino(_ICEBERG) as double:
        told.send(double.uri)
        threading.Event().wait()


def _side_by_side(pair: PairedStore, *alone: ViewStore) -> tuple[float, float]:
    wanted = [Change(change.action, *_held(pair, change.view)) for change in changes()[:ENTRIES]]
    spaces = {change.view.identifier.namespace for change in wanted}
    pair.prepare([Schema(levels=levels) for levels in sorted(spaces)])

    def written(*stores: ViewStore) -> float:
        def write() -> None:
            for store in stores:
                assert {applied.action for applied in store.apply(wanted)} == {Action.CREATE}

        took = seconds(write)
        gone = [
            replace(change, action=Action.DROP, expected=change.fingerprint) for change in wanted
        ]
        for store in stores:
            assert {applied.action for applied in store.apply(gone)} == {Action.DROP}
        return took

    return medians_of(lambda: written(pair), lambda: written(*alone))


def _held(store: ViewStore, view: View) -> tuple[View, str]:
    held = store.hold(view).view
    return held, fingerprint(held) or ""


def _options(url: str, user: str) -> Options:
    return Options(url=url, user=user, metalake="m", catalog="c", provider="hive")


def _versus(
    bench: str, options: Options, bare: Callable[[Any], Callable[[], None]], aim: str
) -> None:
    changes()  # the processes are born with them
    with EntityStore(options) as store:
        spaces = {change.view.identifier.namespace for change in changes()}
        store.prepare([Schema(levels=levels) for levels in sorted(spaces)])
    with _connected(options) as driver, _writers() as writers:

        def ours() -> None:
            writers.map(_write, [(options, part) for part in range(CONNECTIONS)])

        def measured(work: Callable[[], None]) -> float:
            with driver.cursor() as cursor:
                for table in _TABLES:
                    cursor.execute(f"TRUNCATE TABLE {table}")
            driver.commit()
            return seconds(work)

        measured(ours)
        rows = bare(driver)
        measured(rows)
        fast, plain = medians_of(lambda: measured(ours), lambda: measured(rows))
    say(bench, VIEWS, fast, "s", plain, aim)


@cache
def changes() -> list[Change]:
    """A create for each view of the estate."""
    made = []
    for number in range(VIEWS):
        entry = estate.view(number)
        listed = Listed((entry["dbName"],), entry["tableName"])
        view = normalize(RawObject(listed, "hive_table", entry)).result
        assert isinstance(view, View), view
        made.append(Change(Action.CREATE, view, fingerprint(view) or ""))
    return made


@contextmanager
def _writers() -> Iterator[Any]:
    with multiprocessing.get_context("fork").Pool(CONNECTIONS) as pool:
        yield pool


def _write(given: tuple[Options, int]) -> None:
    """The part of the changes that one connection writes."""
    options, part = given
    with EntityStore(options) as store:
        for some in chunks(changes()[part::CONNECTIONS], BATCH):
            assert {applied.action for applied in store.apply(some)} == {Action.CREATE}


@contextmanager
def _connected(options: Options) -> Iterator[Any]:
    """The driver's own connection."""
    with options.engine().connect() as connection:
        yield connection.connection.driver_connection


def _copied(driver: Any) -> Callable[[], None]:
    """COPY of what is there now, whose text is at hand."""
    kept = {}
    with driver.cursor() as cursor:
        for table in _TABLES:
            with cursor.copy(f"COPY {table} TO STDOUT") as copy:
                kept[table] = b"".join(bytes(part) for part in copy)
    driver.commit()

    def copied() -> None:
        with driver.cursor() as cursor:
            for table, text in kept.items():
                with cursor.copy(f"COPY {table} FROM STDIN") as copy:
                    copy.write(text)
        driver.commit()

    return copied


def _inserted(driver: Any) -> Callable[[], None]:
    """Multi-row inserts of what is there now, in batches."""
    kept = {}
    with driver.cursor() as cursor:
        for table in _TABLES:
            cursor.execute(f"SELECT * FROM {table}")
            marks = ", ".join(["%s"] * len(cursor.description))
            kept[f"INSERT INTO {table} VALUES ({marks})"] = cursor.fetchall()

    def inserted() -> None:
        with driver.cursor() as cursor:
            for statement, rows in kept.items():
                for some in chunks(rows, BATCH):
                    cursor.executemany(statement, some)
                    driver.commit()

    return inserted
