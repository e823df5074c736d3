"""Views that we wrote into a metastore, before a real Trino 476 and a real HiveServer2 2.3.10.

The views are in a database beside that of their tables, and there is another `src` in each place
that a short name could lead to: a view that has lost what completes its names gives other rows.
Fetches what test_asked_trino.py and test_asked_hive.py fetch.
"""

import shutil
import subprocess
from collections.abc import Iterator, Sequence
from typing import Any, Final

import pytest

from connectors.engines.hive import HiveServer
from connectors.engines.hive import Options as HiveOptions
from connectors.hms_stores.native import MetastoreStore, Options
from discovery.model import Audit, Column, Identifier, Primitive, Representation, Schema, View
from jobs.embedded.metastore import EmbeddedMetastore
from jobs.embedded.thrift_writer import Writer
from tests.conftest import hive_entry
from tests.contract.stores import apply, create
from tests.live import fetched, trino_server
from tests.live.conftest import Missing, TrinoHome
from tests.live.hive_server import hive_server
from tests.live.trino_server import Trino
from tests.waiting import until

pytestmark = [pytest.mark.live, pytest.mark.slow, pytest.mark.timeout(1_800)]
MADE: Final = "reads_made"
ID = Column("id", Primitive("integer"), "the 'id'")
NAME = Column("name", Primitive("string"))
CATALOG = """\
connector.name=hive
hive.metastore.uri={uri}
fs.hadoop.enabled=true
hive.security=allow-all
"""
FORMAT: Final = "ROW FORMAT DELIMITED FIELDS TERMINATED BY ','"


def view(name: str, text: Representation, *columns: Column, **more: Any) -> View:
    return View(
        identifier=Identifier((MADE,), name), columns=columns, representations=(text,), **more
    )


def hive(sql: str) -> Representation:
    return Representation(dialect="hive", sql=sql).within(("reads_data",))


def trino(sql: str, schema: str = "reads_data") -> Representation:
    return Representation(dialect="trino", sql=sql, default_catalog="lake", default_schema=schema)


NOTED: Final = {"comment": "é 'c'", "audit": Audit(creator="alice")}
VIEWS = (
    view("h_short", hive("select s.id, s.name from src s where s.id > 0"), ID, NAME, **NOTED),
    view("h_nobodys", hive("select id from src"), ID),
    view("h_top", hive("select name as n from reads_made.h_short"), Column("n", NAME.type)),
    view("t_short", trino("SELECT id, name FROM src WHERE (id > 0)"), ID, NAME, **NOTED),
    view("t_top", trino("SELECT name n FROM t_short", MADE), Column("n", NAME.type)),
)
ROWS = [[1, "right"], [2, "right"]]


@pytest.fixture(scope="module")
def server(
    metastore: EmbeddedMetastore,
    missing: Missing,
    maven: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[HiveServer]:
    """Hive on the metastore: it makes the tables, and we write the views."""
    java = shutil.which("java") or missing("no java")
    try:
        jars = fetched.hive_server(maven)
    except subprocess.CalledProcessError as error:
        missing(f"Hive is not to be had: {error.stdout[-500:]}")
    folder = tmp_path_factory.mktemp("reads")
    with (
        hive_server(java, jars, folder / "hive", metastore.uri) as uri,
        HiveServer(HiveOptions(thrift=uri, timeout=120)) as running,
    ):
        for database, rows in (("reads_data", ROWS), (MADE, [[3, "WRONG"]]), ("default", [])):
            place = folder / database
            place.mkdir()
            text = "".join(f"{key},{name}\n" for key, name in rows)
            (place / "rows").write_text(text, encoding="utf-8")
            said(running, f"CREATE DATABASE IF NOT EXISTS {database}")
            table = f"CREATE EXTERNAL TABLE {database}.src (id INT, name STRING)"
            said(running, f"{table} {FORMAT} LOCATION '{place.as_uri()}'")
        with MetastoreStore(Options(uri=metastore.uri)) as store:
            held = [store.hold(one).view for one in VIEWS]
            store.prepare([Schema(levels=(MADE,))])
            assert apply(store, *create(*held)) == ["create"] * len(VIEWS)
        yield running
        said(running, "DROP TABLE default.src")
        for database in ("reads_data", MADE):
            said(running, f"DROP DATABASE {database} CASCADE")


def said(server: HiveServer, sql: str) -> Sequence[Sequence[Any]]:
    """What Hive answers, which is no refusal."""
    reply = server.ask(sql)
    assert reply.refusal is None, f"{sql}: {reply.refusal}"
    return reply.rows


def test_hive_reads_describes_and_drops_views_of_its_own_format(server: HiveServer) -> None:
    assert server.version() == fetched.HIVE
    texts = "CAST(id AS string), name"  # our client takes but texts
    assert said(server, f"SELECT {texts} FROM {MADE}.h_short") == (("1", "right"), ("2", "right"))
    assert said(server, f"SELECT n FROM {MADE}.h_top") == (("right",), ("right",))
    for name in ("h_short", "h_top"):
        assert said(server, f"EXPLAIN SELECT * FROM {MADE}.{name}")
    described = [list(row) for row in said(server, f"DESCRIBE {MADE}.h_short")]
    assert described == [["id", "int", "the 'id'"], ["name", "string", ""]]
    told = [
        [str(cell).strip() for cell in row]
        for row in said(server, f"DESCRIBE FORMATTED {MADE}.h_short")
    ]
    assert [row[1] for row in told if row[0] == "Table Type:"] == ["VIRTUAL_VIEW"]
    assert ["comment", "é 'c'"] in [row[1:] for row in told]
    said(server, f"DROP VIEW {MADE}.h_top")


def test_hive_completes_short_names_of_an_expanded_text_from_the_session(
    server: HiveServer, hms: Writer
) -> None:
    """Gravitino's `hive` catalog writes one text as both of the entry's."""
    for name, sql in (("h_bare", "select name from src"), ("h_lost", "select id from h_bare")):
        entry = hive_entry(name, sql, "reads_data")
        entry["sd"]["cols"] = [{"name": sql.split()[1], "type": "string"}]
        hms.create_table(entry)
    read = "SELECT name FROM reads_data.h_bare"
    for database, rows in (
        ("reads_data", (("right",), ("right",))),
        (MADE, (("WRONG",),)),
        ("`default`", ()),
    ):
        said(server, f"USE {database}")
        assert said(server, read) == rows
    lost = server.ask("SELECT id FROM reads_data.h_lost")
    assert lost.refusal is not None
    assert "Table not found 'h_bare' in definition of VIEW h_lost" in lost.refusal.message


@pytest.fixture(scope="module")
def reading(
    metastore: EmbeddedMetastore,
    server: HiveServer,
    trino_home: TrinoHome,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Trino]:
    """Trino on the metastore in which Hive has the tables; once without Hive's views."""
    off, folder = CATALOG.format(uri=metastore.uri), tmp_path_factory.mktemp("trino")
    catalogs = {"lake": off, "both": f"{off}hive.hive-views.enabled=true\n"}
    with trino_server.trino(trino_home.home, trino_home.java, folder, catalogs) as running:
        until(lambda: not running.asked("SELECT * FROM lake.reads_data.src")[1])  # it has a node
        yield running


def test_trino_reads_describes_and_drops_views_of_its_own_format(reading: Trino) -> None:
    assert reading.rows(f"SELECT * FROM lake.{MADE}.t_short ORDER BY id") == ROWS
    assert reading.rows(f"SELECT n FROM lake.{MADE}.t_top") == [["right"], ["right"]]
    for name in ("t_short", "t_top"):
        assert reading.rows(f"EXPLAIN SELECT * FROM lake.{MADE}.{name}")
    described = [row[:2] + row[3:] for row in reading.rows(f"DESCRIBE lake.{MADE}.t_short")]
    assert described == [["id", "integer", "the 'id'"], ["name", "varchar", ""]]
    ((shown,),) = reading.rows(f"SHOW CREATE VIEW lake.{MADE}.t_short")
    assert "COMMENT 'é ''c'''" in shown
    reading.rows(f"DROP VIEW lake.{MADE}.t_top")


def test_trino_reads_views_of_hives_format_where_it_is_told_to(reading: Trino) -> None:
    assert reading.rows(f"SELECT * FROM both.{MADE}.h_short ORDER BY id") == ROWS
    off = reading.refusal(f"SELECT * FROM lake.{MADE}.h_short")
    assert off == f"Hive views are not supported: '{MADE}.h_short'"
    nobodys = f"both.{MADE}.h_nobodys"
    told = reading.refusal(f"SELECT * FROM {nobodys}")
    assert told == f"Run-as identity must be set for a run-as definer view: {nobodys}"
