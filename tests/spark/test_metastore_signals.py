"""Digests of entries that a metastore's own database makes, and crawls that go by them."""

from collections.abc import Callable
from contextlib import closing
from dataclasses import replace

import pyarrow as pa
import pytest
from pyspark.sql import SparkSession

from connectors.hms_database import signals
from connectors.hms_database.session import BackingSession
from connectors.hms_database.source import MetastoreDatabase
from connectors.hms_database.tables import OF_VIEWS
from discovery.outcomes import Failure, Kind, Listed
from jobs.configuration.loader import RunConfig
from jobs.crawl import crawl_estate
from jobs.crawling.following import find_unsignalled
from jobs.crawling.tables import OBJECTS
from jobs.doctor import examine
from jobs.embedded.thrift_writer import writer
from tests.backing import Backed
from tests.conftest import outcome_rows
from tests.servers import MariaDB
from tests.spark.test_metastore_database import skewed, view

SPACE = "signs"


@pytest.fixture(scope="module", params=["backed", "on_maria"])
def running(request: pytest.FixtureRequest) -> Backed:
    """A metastore with some views in a database of their own, one of them of all that there is."""
    backed: Backed = request.getfixturevalue(request.param)
    with writer(backed.metastore.uri) as writing:
        writing.create_database(SPACE, f"{backed.metastore.warehouse.as_uri()}/{SPACE}.db", "")
        every = {**skewed(), "tableName": "every", "tableType": "VIRTUAL_VIEW"}
        kinds = {"table": "MANAGED_TABLE", "stored": "MATERIALIZED_VIEW"}
        more = [{**view(name), "tableType": kind} for name, kind in kinds.items()]
        for one in (every, view("signed"), view("other"), *more):
            writing.create_table({**one, "dbName": SPACE})
    return replace(backed, options=replace(backed.options, include=(SPACE,), connections=1))


OF_ENTRIES = sorted(
    {table.name for table in OF_VIEWS}
    - {"VERSION", "DBS", "DATABASE_PARAMS", "FUNCS", "FUNC_RU", "CDS"}
)


def signals_of(running: Backed, patch: pytest.MonkeyPatch) -> list[dict[str, str]]:
    """Signals of objects by name, in each way in which the server can make digests."""
    on_maria = isinstance(running.server, MariaDB)
    ways = [signals.Sha2()] if on_maria else [signals.RecordHashes(), signals.Md5()]
    found = []
    for make in ways:
        with patch.context() as patched, MetastoreDatabase(running.options) as source:
            patched.setattr(signals, "digests_of", lambda _, make=make: make)
            listed = (item for item in source.list_with_signals() if isinstance(item, Listed))
            found.append({item.name: item.signal for item in listed})
    return found


@pytest.mark.parametrize("table", OF_ENTRIES)
def test_each_value_that_an_entry_is_made_of_moves_its_signal(
    running: Backed, table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    q, place = running.quoted, f"{running.quoted(table)}"
    tried = 0
    # other tests leave rows that lead nowhere, and MariaDB looks at them once more
    unchecked = ["SET foreign_key_checks = 0"] if isinstance(running.server, MariaDB) else []

    def signals_of_every() -> list[str]:
        return [found["every"] for found in signals_of(running, monkeypatch)]

    before = signals_of_every()
    assert all(before)
    for column, kind in columns_of(running, table).items():
        if column == "TBL_NAME" or column.endswith(("_ID", "_OID", "_EID")):
            continue  # what leads to other rows is seen by what these hold
        tried += 1
        name = q(column)
        kept = f"{place} SET {name} = {q('kept')}"
        running.execute(
            *unchecked,
            f"ALTER TABLE {place} ADD COLUMN {q('kept')} {kind}",
            f"UPDATE {place} SET {q('kept')} = {name}",
        )
        changed = f"UPDATE {place} SET {name} = {otherwise(name, kind)}"
        running.execute(*unchecked, changed)
        for now, then in zip(signals_of_every(), before, strict=True):
            assert now != then, column
        running.execute(
            *unchecked, f"UPDATE {kept}", f"ALTER TABLE {place} DROP COLUMN {q('kept')}"
        )
        assert signals_of_every() == before, column
    assert tried


def otherwise(name: str, kind: str) -> str:
    """An expression of another value than a column has."""
    if "text" in kind:
        return f"concat(coalesce({name}, ''), 'x')"
    if kind.startswith("bool"):
        return f"NOT {name}"
    return f"1 - {name}" if kind.startswith("bit") else f"coalesce({name}, 0) - 1000"


def columns_of(backed: Backed, table: str) -> dict[str, str]:
    """The columns of a table that are read, with their types, as the server spells them."""
    known = {column.name for one in OF_VIEWS if one.name == table for column in one.columns}
    found = backed.ask(
        "SELECT column_name, data_type FROM information_schema.columns "
        f"WHERE table_name = '{table}' AND table_schema IN ('public', 'hms')"
    )
    long = "mediumtext CHARACTER SET utf8mb4" if isinstance(backed.server, MariaDB) else "text"
    return {
        str(name): long if "char" in str(kind) or "text" in str(kind) else str(kind)
        for name, kind in found
        if name in known
    }


def test_no_value_is_another_signal_than_an_empty_one(
    running: Backed, monkeypatch: pytest.MonkeyPatch
) -> None:
    q = running.quoted
    met = []
    for value in ("''", "NULL", "'-'", "'NULL'", "'select 1'"):
        running.execute(
            f"UPDATE {q('TBLS')} SET {q('VIEW_EXPANDED_TEXT')} = {value}"
            f" WHERE {q('TBL_NAME')} = 'signed'"
        )
        met.append([found["signed"] for found in signals_of(running, monkeypatch)])
    assert all(len(set(made)) == 5 for made in zip(*met, strict=True))
    with MetastoreDatabase(running.options) as source:
        every = [item for item in source.list_with_signals() if isinstance(item, Listed)]
    unsigned = {listed.kind for listed in every if not listed.signal}
    assert unsigned == {Kind.NAMESPACE, Kind.TABLE, Kind.MATERIALIZED_VIEW}, "these are not read"


def test_values_that_change_places_between_rows_move_the_signal(
    running: Backed, monkeypatch: pytest.MonkeyPatch
) -> None:
    q = running.quoted
    before = signals_of(running, monkeypatch)
    table, key, value = (q(word) for word in ("TABLE_PARAMS", "PARAM_KEY", "PARAM_VALUE"))
    mine = (
        f"{q('TBL_ID')} = (SELECT {q('TBL_ID')} FROM {q('TBLS')} WHERE {q('TBL_NAME')} = 'every')"
    )
    pair = f"{key} IN ('one', 'two')"
    for name in ("one", "two"):
        running.execute(
            f"INSERT INTO {table} ({q('TBL_ID')}, {key}, {value})"
            f" SELECT {q('TBL_ID')}, '{name}', '' FROM {q('TBLS')} WHERE {q('TBL_NAME')} = 'every'"
        )
    met = [before]
    for first, second in ("ab", "ba"):
        values = f"CASE {key} WHEN 'one' THEN '{first}' ELSE '{second}' END"
        running.execute(f"UPDATE {table} SET {value} = {values} WHERE {pair} AND {mine}")
        met.append(signals_of(running, monkeypatch))
    running.execute(f"DELETE FROM {table} WHERE {pair}")
    for made in zip(*met, strict=True):
        assert len({found["every"] for found in made}) == 3
    assert signals_of(running, monkeypatch) == before


def test_texts_are_not_hashed_where_a_collation_holds_unequal_ones_for_equal(
    backed: Backed,
) -> None:
    def way() -> type[signals.Digests]:
        with closing(BackingSession(backed.options)) as session:
            return type(session.read(signals.digests_of))

    assert way() is signals.RecordHashes
    folding = """UPDATE pg_collation SET collisdeterministic = {} WHERE collname = 'ucs_basic'"""
    backed.execute("CREATE TABLE folding (name text COLLATE ucs_basic)", folding.format(False))
    try:
        assert way() is signals.Md5
    finally:
        backed.execute(folding.format(True), "DROP TABLE folding")


def test_signals_are_those_of_the_own_database_beside_an_object_without_a_name(
    running: Backed,
) -> None:
    q, behind = running.quoted, f"{SPACE}_behind"
    with writer(running.metastore.uri) as writing:
        place = f"{running.metastore.warehouse.as_uri()}/{behind}.db"
        writing.create_database(behind, place, "")
        for name in ("signed", "nameless"):
            writing.create_table({**view(name), "dbName": behind, "owner": "another"})
    name = f"UPDATE {q('TBLS')} SET {q('TBL_NAME')}"
    running.execute(f"{name} = NULL WHERE {q('TBL_NAME')} = 'nameless'")
    both = replace(running.options, include=(SPACE, behind), connections=3)
    with MetastoreDatabase(both) as source:
        said = list(source.list_with_signals())
    running.execute(f"{name} = 'nameless' WHERE {q('TBL_NAME')} IS NULL")
    with writer(running.metastore.uri) as writing:
        for one in ("signed", "nameless"):  # other tests know objects by their names alone
            writing.drop_table(behind, one)
    assert any(isinstance(one, Failure) for one in said), "the database is not listed whole"
    mine, other = (one.signal for one in said if isinstance(one, Listed) and one.name == "signed")
    assert mine
    assert other
    assert mine != other


def test_a_crawl_reads_what_its_database_says_is_another_and_takes_over_the_rest(
    spark: SparkSession, running: Backed, estate: Callable[..., RunConfig]
) -> None:
    options = running.options
    source = {"kind": "hms-database", "url": options.url, "user": options.user}
    sources = {"lake": {**source, "include": [SPACE]}}
    config = estate(sources, crawl={"full_every": "7d"})
    before = crawl_estate(spark, config, "r0")
    views = [row["key"] for row in outcome_rows(config, "r0") if row["outcome"] == "view"]
    assert {f"{SPACE}.signed", f"{SPACE}.other"} <= {*views}
    assert crawl_estate(spark, config, "r1").counts["taken_over"] == len(views)
    q = running.quoted
    running.execute(
        f"UPDATE {q('COLUMNS_V2')} SET {q('TYPE_NAME')} = 'bigint' WHERE {q('CD_ID')} IN (SELECT"
        f" {q('CD_ID')} FROM {q('SDS')} s, {q('TBLS')} t WHERE s.{q('SD_ID')} = t.{q('SD_ID')}"
        f" AND {q('TBL_NAME')} = 'signed') AND {q('COLUMN_NAME')} = 'x'"
    )
    now = crawl_estate(spark, config, "r2")
    rows = {row["key"]: row for row in outcome_rows(config, "r2")}
    assert rows[f"{SPACE}.signed"]["seen_in"] is None
    assert '"name":"x","type":"long"' in rows[f"{SPACE}.signed"]["model"]
    anew = [key for key, row in rows.items() if not row["seen_in"] and row["outcome"] == "view"]
    assert anew == [f"{SPACE}.signed"], "and nothing else"
    assert crawl_estate(spark, estate(sources), "full").counts["stands_on"] is None
    found, wanted = outcome_rows(config, "r2"), outcome_rows(config, "full")
    assert [{**row, "seen_in": None} for row in found] == wanted
    assert now.counts["sources"] == before.counts["sources"]


def test_why_all_is_read_is_said_where_the_database_makes_no_digests(
    spark: SparkSession,
    running: Backed,
    estate: Callable[..., RunConfig],
    capsys: pytest.CaptureFixture[str],
) -> None:
    options = running.options
    source = {"kind": "hms-database", "url": options.url, "user": options.user}
    config = estate({"lake": {**source, "include": [SPACE]}}, crawl={"full_every": "7d"})
    told = {diagnosis.what: diagnosis for diagnosis in examine(config, quick=True)}[
        "events of lake"
    ]
    assert (told.told, told.hint) == ("its database makes digests of entries", "")
    if isinstance(running.server, MariaDB):
        return  # whose functions nothing stands in for
    refused = "could not compute hash: unsupported"
    running.execute(
        "CREATE SCHEMA barred",
        f"CREATE FUNCTION barred.hashint8extended(bigint, bigint) RETURNS bigint LANGUAGE plpgsql"
        f" AS $$ BEGIN RAISE EXCEPTION '{refused}'; END $$",
        "ALTER DATABASE hms SET search_path = public, barred, pg_catalog",
    )
    try:
        told = {diagnosis.what: diagnosis for diagnosis in examine(config, quick=True)}[
            "events of lake"
        ]
        assert told.told.startswith("each crawl reads all: its database makes no digests: ")
        assert refused in told.told
        assert told.code == 0
        capsys.readouterr()
        assert crawl_estate(spark, config, "all").exit_code == 0
    finally:
        running.execute("ALTER DATABASE hms RESET search_path", "DROP SCHEMA barred CASCADE")
    said = capsys.readouterr().err
    assert "lake cannot be followed: its database makes no digests: " in said
    assert refused in said


def test_databases_without_digests_are_told_where_others_have_them(
    spark: SparkSession, estate: Callable[..., RunConfig]
) -> None:
    url = "postgresql://db.example/hms"
    config = estate({one: {"kind": "hms-database", "url": url} for one in ("lake", "dumb")})
    place = {"entity": "object", "kind": "view", "task": 0}
    rows = [
        {**place, "source": "lake", "namespace": ["a"], "name": "v", "signal": "4.0.0 f00d"},
        {**place, "source": "lake", "namespace": ["b"], "name": "v", "signal": None},
        {**place, "source": "lake", "namespace": ["b"], "name": "w", "signal": None},
        {**place, "source": "lake", "namespace": ["a"], "name": "t", "task": None},  # not read
        {**place, "source": "dumb", "namespace": ["c"], "name": "v", "signal": None},
    ]
    listed = pa.Table.from_pylist(rows, OBJECTS.schema)
    told = find_unsignalled(spark.createDataFrame(listed), config.sources)
    assert told == ["lake: its database made no digests of 2 objects, such as in b: read in full"]
