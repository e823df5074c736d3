"""Connections that are lost at any packet: each object is read all the same."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

import pymysql
import pytest

from connectors.clients import sql
from connectors.gravitino.entity_store.options import Options
from connectors.gravitino.entity_store.store import EntityStore
from connectors.hms import HiveMetastore
from connectors.hms import Options as HmsOptions
from connectors.hms_database import session
from connectors.hms_database.source import MetastoreDatabase
from connectors.iceberg.jdbc import JdbcCatalog
from connectors.iceberg.jdbc import Options as IcebergOptions
from connectors.iceberg.pointers import METADATA
from connectors.jdbc.any_database import AnyDatabase
from connectors.jdbc.any_database import Options as AnyOptions
from connectors.jdbc.mysql import MySQL
from connectors.jdbc.mysql import Options as MySQLOptions
from discovery.crawl import crawl
from discovery.errors import UnreachableError
from discovery.outcomes import Kind, Listed
from discovery.ports import CrawlTask, ViewSource
from jobs.embedded.metastore import EmbeddedMetastore
from jobs.embedded.thrift_writer import Writer, writer
from tests.backing import DATABASE, Backed
from tests.conftest import hive_entry
from tests.servers import Gate, MariaDB, gate
from tests.waiting import waits_of

NAME = "cut_at"
BEGINNING = 26  # packets, each of which is cut off: with them a session begins, and is told things
STEP = 5  # of those behind


@pytest.mark.parametrize("answered", [0, 1])
def test_a_server_that_is_gone_when_a_session_is_told_its_isolation_is_unreachable(
    maria: MariaDB, monkeypatch: pytest.MonkeyPatch, answered: int
) -> None:
    maria.execute("CREATE DATABASE IF NOT EXISTS cut_off")
    execute, left = pymysql.cursors.Cursor.execute, answered

    def gone(cursor: Any, query: str, values: Any = None) -> int:
        nonlocal left
        if "ISOLATION LEVEL" in query:
            left -= 1
            if left < 0:
                raise pymysql.err.OperationalError(2013, "Lost connection to MySQL server")
        rows: int = execute(cursor, query, values)
        return rows

    monkeypatch.setattr(pymysql.cursors.Cursor, "execute", gone)
    url = maria.url().replace("///", "///cut_off")
    options = Options(url=url, user="root", metalake="m", catalog="c")
    with EntityStore(options) as store:
        if not answered:
            with pytest.raises(UnreachableError):
                list(store.listing())
        else:
            assert list(store.listing()) == [], "nothing is asked of a session that goes"


def test_a_metastore_that_hangs_up_at_any_packet_is_read_all_the_same(
    metastore: EmbeddedMetastore, hms: Writer
) -> None:
    fill(hms, metastore)

    def source(door: Gate) -> ViewSource:
        return HiveMetastore(HmsOptions(uri=f"thrift://127.0.0.1:{door.port}", include=(NAME,)))

    with gate(urlsplit(metastore.uri).port or 0) as door:
        assert_read_whole(door, source)


def test_a_mysql_that_hangs_up_at_any_packet_is_read_all_the_same(
    maria: MariaDB, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits_of(sql, monkeypatch)
    view = f"CREATE VIEW {NAME}.v AS SELECT 1 AS id"
    maria.execute(f"CREATE OR REPLACE DATABASE {NAME}", view, *user(NAME))

    def source(door: Gate) -> ViewSource:
        url = f"mysql://127.0.0.1:{door.port}"
        return MySQL(MySQLOptions(url=url, user=NAME, include=(NAME,)))

    def by_any_dialect(door: Gate) -> ViewSource:
        url = f"mysql+pymysql://127.0.0.1:{door.port}/{NAME}"
        return AnyDatabase(AnyOptions(url=url, user=NAME, include=(NAME,)))

    with gate(maria.socket) as door:
        assert_read_whole(door, source)
        assert_read_whole(door, by_any_dialect)


def test_a_catalog_in_a_mysql_that_hangs_up_at_any_packet_is_read_all_the_same(
    maria: MariaDB, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits_of(sql, monkeypatch)
    maria.execute(f"CREATE OR REPLACE DATABASE {NAME} CHARACTER SET latin1", *user(NAME))
    login = MySQLOptions(url=f"mysql:///{NAME}?unix_socket={maria.socket}", user="root")
    METADATA.create_all(sql.mysql(login))
    lost = "'file:///nowhere/v.metadata.json', NULL, 'VIEW'"
    rows = (f"('c', 's', 'v{number}', {lost})" for number in range(3))
    maria.execute(
        f"INSERT INTO {NAME}.iceberg_tables VALUES {', '.join(rows)}",
        f"INSERT INTO {NAME}.iceberg_namespace_properties VALUES ('c', 's', 'comment', 'sold')",
    )

    def source(door: Gate) -> ViewSource:
        return JdbcCatalog(IcebergOptions(url=f"mysql://127.0.0.1:{door.port}/{NAME}", user=NAME))

    with gate(maria.socket) as door:
        assert_read_whole(door, source, "FILE_OUTSIDE")


def test_the_database_of_a_metastore_that_hangs_up_at_any_packet_is_read_all_the_same(
    on_maria: Backed, maria: MariaDB, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits_of(session, monkeypatch)
    maria.execute(*user(DATABASE))
    with writer(on_maria.metastore.uri) as writing:
        fill(writing, on_maria.metastore)

    def source(door: Gate) -> ViewSource:
        url = f"mysql://127.0.0.1:{door.port}/{DATABASE}"
        options = replace(on_maria.options, url=url, user=DATABASE, include=(NAME,))
        return MetastoreDatabase(options)

    with gate(maria.socket) as door:
        assert_read_whole(door, source)


def fill(writing: Writer, metastore: EmbeddedMetastore) -> None:
    """Three views in a database of a metastore that other tests use, too."""
    writing.create_database(NAME, f"{metastore.warehouse.as_uri()}/{NAME}.db")
    for number in range(3):
        writing.create_table(hive_entry(f"v{number}", "select 1 as `id`", NAME))


def user(database: str) -> tuple[str, ...]:
    """What makes a user of the name of a database, who may read all that it has."""
    name = f"{database}@'%'"
    return f"CREATE OR REPLACE USER {name}", f"GRANT ALL ON {database}.* TO {name}"


def assert_read_whole(
    door: Gate, source: Callable[[Gate], ViewSource], code: str | None = None
) -> None:
    """A connection that breaks changes nothing of what is listed and read.

    Args:
        door: What breaks it.
        source: Makes what is read through the door.
        code: Of the failure that each view comes to nevertheless.
    """
    door.passed = door.cuts = 0
    wanted = read(source(door))
    packets = door.passed
    assert {one for _, one in wanted} == {None, code}
    assert packets > len(wanted) > 0
    different = {}
    for number in (*range(1, BEGINNING), *range(BEGINNING, packets + 1, STEP)):
        door.passed, door.cuts = 0, number
        try:
            found = read(source(door))
        except Exception as error:  # noqa: BLE001 - all packets are seen
            different[number] = repr(error)
        else:
            if found != wanted:
                different[number] = repr(found)
    door.cuts = 0
    assert different == {}


def read(source: ViewSource) -> Counter[tuple[Listed, str | None]]:
    """What is listed, with the code of the failure that it comes to."""
    with source:
        listed = tuple(item for item in source.listing() if isinstance(item, Listed))
        read = tuple(one for one in listed if one.kind in {Kind.NAMESPACE, Kind.VIEW})
        outcomes = crawl(CrawlTask("s", read), source)
        return Counter(
            (outcome.listed, getattr(outcome.result, "code", None)) for outcome in outcomes
        )
