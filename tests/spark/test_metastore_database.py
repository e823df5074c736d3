"""A metastore's own database as a source: what Thrift says, read without the server."""

import json
from collections.abc import Callable, Container
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession
from sqlalchemy import func, select, text

from connectors.hms import HiveMetastore
from connectors.hms import Options as HmsOptions
from connectors.hms_database.source import BYPASS, MetastoreDatabase
from connectors.hms_database.tables import OF_RIGHTS, OF_VIEWS, TBLS
from discovery.errors import DeniedError, ListingError, ReadError, UnsupportedVersionError
from discovery.model import Identifier, View
from discovery.outcomes import Kind, Listed, RawObject
from discovery.ports import CrawlTask, ViewSource
from jobs.configuration.loader import RunConfig
from jobs.crawl import crawl_estate
from jobs.embedded.postgres import EmbeddedPostgreSQL
from jobs.embedded.thrift_writer import writer
from tests.backing import Backed
from tests.conftest import outcome_rows
from tests.databases.crawled import failure, outcomes
from tests.servers import MariaDB

GOLDEN = sorted((Path(__file__).parents[1] / "golden" / "hms").glob("*.json"))
HOSTILE = {"quotes": "a'b\"`c", "lines": "a\nb", "unicode": "größe %s"}
LONGEST = f"SELECT {'x' * 3_000_000} AS c"


@pytest.fixture(scope="module", params=["postgresql", "mariadb"])
def estate_of(request: pytest.FixtureRequest) -> Backed:
    """A metastore with all golden entries, hostile ones, a skewed table, a function, rights."""
    backed: Backed = request.getfixturevalue(
        "backed" if request.param == "postgresql" else "on_maria"
    )
    fill(backed)
    return backed


def fill(backed: Backed) -> None:
    """The same in each database; what Thrift refuses is put in by SQL."""
    q = backed.quoted
    with writer(backed.metastore.uri) as writing:
        place = backed.metastore.warehouse.as_uri()
        for name in ("gold", "odd"):
            writing.create_database(name, f"{place}/{name}.db", "the comment")
        for number, path in enumerate(GOLDEN):
            raw = json.loads(path.read_text(encoding="utf-8"))["raw"]
            entry = raw.get("payload", raw)
            name = f"g{number}_{entry['tableName']}"
            writing.create_table({**entry, "dbName": "gold", "tableName": name})
        for name in (*HOSTILE, "untyped", "external", "long", "nulls", "bare", "plain"):
            writing.create_table(view(name))
        writing.create_table(skewed())
        writing.create_function("odd", "f", "org.example.F", "o", "file:/a.jar", "file:/b.jar")
    named = f"WHERE {q('TBL_NAME')} ="
    for was, name in HOSTILE.items():
        escaped = name.replace("'", "''")
        backed.execute(f"UPDATE {q('TBLS')} SET {q('TBL_NAME')} = '{escaped}' {named} '{was}'")
    backed.execute(
        f"UPDATE {q('TBLS')} SET {q('TBL_TYPE')} = NULL {named} 'untyped'",
        f"UPDATE {q('TBLS')} SET {q('TBL_TYPE')} = NULL, {q('VIEW_ORIGINAL_TEXT')} = NULL"
        f" {named} 'external'",
        f"UPDATE {q('TBLS')} SET {q('VIEW_ORIGINAL_TEXT')} = '{LONGEST}' {named} 'long'",
        f"UPDATE {q('TBLS')} SET {q('OWNER')} = NULL, {q('VIEW_EXPANDED_TEXT')} = NULL"
        f" {named} 'nulls'",
        f"UPDATE {q('TABLE_PARAMS')} SET {q('PARAM_VALUE')} = NULL WHERE {q('PARAM_KEY')} = 'gone'",
        f"UPDATE {q('TBLS')} SET {q('SD_ID')} = NULL {named} 'bare'",
    )


def view(name: str) -> dict[str, Any]:
    return {
        "dbName": "odd",
        "tableName": name,
        "tableType": "VIRTUAL_VIEW",
        "owner": "o",
        "parameters": {"k": "v", "gone": "soon", "empty": "", "EXTERNAL": "TRUE"},
        "partitionKeys": [{"name": "p", "type": "int"}],
        "viewOriginalText": "select 1 as x",
        "viewExpandedText": "select 1 as `x`",
        "sd": {
            "cols": [{"name": "x", "type": "int", "comment": ""}, {"name": "y", "type": "string"}],
            "serdeInfo": {"name": "s", "parameters": {"a": "b"}},
            "parameters": {"c": "d"},
        },
    }


def skewed() -> dict[str, Any]:
    entry = view("skewed")
    more = {
        "bucketCols": ["y", "x"],
        "sortCols": [{"col": "y", "order": 0}, {"col": "x", "order": 1}],
        "skewedInfo": {
            "skewedColNames": ["x", "y"],
            "skewedColValues": [["1", "a"], ["2", "b"]],
        },
    }
    return {**entry, "tableType": "MANAGED_TABLE", "sd": {**entry["sd"], **more}}


def told(source: ViewSource) -> dict[str, Any]:
    """All that a source says: its listing, what each object is, the bases, functions, rights."""
    with source:
        listed = [item for item in source.listing() if isinstance(item, Listed)]
        names = [one.identifier for one in listed if one.kind is not Kind.NAMESPACE]
        loaded = list(source.load(CrawlTask("s", tuple(listed))))
        bases = source.load_tables(names)  # type: ignore[attr-defined]  # a TableSource, too
        return {
            "listing": listed,
            "loaded": {outcome.listed: meant(outcome) for outcome in loaded},
            "bases": {base.listed: meant(base) for base in bases},
            "functions": sorted(map(str, source.functions())),  # type: ignore[attr-defined]  # the same
            "grants": sorted(map(str, source.grants())),  # type: ignore[attr-defined]  # the same
        }


def meant(answer: object) -> Any:
    """The payload, or the code of a failure: each says in its own words what is missing."""
    return answer.payload if isinstance(answer, RawObject) else getattr(answer, "code", answer)


def test_both_readers_say_the_same_of_one_metastore(estate_of: Backed) -> None:
    thrift = told(HiveMetastore(HmsOptions(uri=estate_of.metastore.uri)))
    database = told(MetastoreDatabase(estate_of.options))
    assert len(thrift["listing"]) > len(GOLDEN) + 10
    assert {one.name for one in thrift["listing"]} >= set(HOSTILE.values())
    types = {
        one.name: said["tableType"]
        for one, said in thrift["bases"].items()
        if one.name in {"untyped", "external"}
    }
    assert types == {"untyped": "VIRTUAL_VIEW", "external": "EXTERNAL_TABLE"}
    assert thrift["listing"] == database["listing"]
    for part in ("loaded", "bases"):
        said, read = thrift[part], database[part]
        assert [one for one in {**said, **read} if said.get(one) != read.get(one)] == [], part
    for part in ("functions", "grants"):
        assert thrift[part] == database[part]
    assert len(thrift["functions"]) == 1
    assert thrift["grants"]


def test_whole_warehouses_are_equal(
    spark: SparkSession, estate_of: Backed, estate: Callable[..., RunConfig]
) -> None:
    options = estate_of.options
    reader = {"kind": "hms-database", "url": options.url, "user": options.user, "batch": 40}
    found = []
    for name, source in (
        ("thrift", {"kind": "hms", "uri": estate_of.metastore.uri}),
        ("database", {**reader, "connections": 2}),
    ):
        config = estate({"lake": {**source, "include": ["gold", "odd"]}})
        assert crawl_estate(spark, config, name).counts["sources"]["lake"]["reconciled"]
        found.append(outcome_rows(config, name))
    different = [one["key"] for one, other in zip(*found, strict=True) if one != other]
    assert different == []
    assert {row["outcome"] for row in found[0]} >= {"view", "failure", "skipped"}


def test_entries_whose_rows_are_missing_are_failures_and_cost_no_other(estate_of: Backed) -> None:
    q = estate_of.quoted
    parts = {"no_serde": "SERDES", "no_columns": "CDS", "no_descriptor": "SDS"}
    keys = {"SERDES": "SERDE_ID", "CDS": "CD_ID", "SDS": "SD_ID"}
    with writer(estate_of.metastore.uri) as writing:
        place = f"{estate_of.metastore.warehouse.as_uri()}/orphans.db"
        writing.create_database("orphans", place)
        for name in ("whole", *parts):
            writing.create_table({**view(name), "dbName": "orphans"})
    unchecked = "SET session_replication_role = replica"
    if isinstance(estate_of.server, MariaDB):
        unchecked = "SET foreign_key_checks = 0"
    for name, table in parts.items():
        number = estate_of.metastore.query(
            f"SELECT s.{q(keys[table])} FROM {q('TBLS')} t JOIN {q('SDS')} s "
            f"ON s.{q('SD_ID')} = t.{q('SD_ID')} WHERE t.{q('TBL_NAME')} = '{name}'"
        )[0][0]
        estate_of.execute(unchecked, f"DELETE FROM {q(table)} WHERE {q(keys[table])} = {number}")
    found = outcomes(MetastoreDatabase(replace(estate_of.options, include=("orphans",))))
    assert isinstance(found["whole"].result, View)
    for name, table in parts.items():
        code, why = failure(found[name])
        assert code == "READ_FAILED"
        assert table in why


def test_nothing_can_be_written(estate_of: Backed) -> None:
    with MetastoreDatabase(estate_of.options) as source:
        session = source._client.session
        count = select(func.count()).select_from(TBLS)
        before = session.read(lambda connection: connection.scalar(count))
        delete = text(f"DELETE FROM {estate_of.quoted('TABLE_PARAMS')}")
        with pytest.raises(ReadError, match=r"read-only|READ ONLY"):
            session.read(lambda connection: connection.execute(delete))
        assert session.read(lambda connection: connection.scalar(count)) == before


def test_what_belongs_to_an_entry_is_read_as_of_one_moment(estate_of: Backed) -> None:
    q = estate_of.quoted
    owner = select(TBLS.c.OWNER).where(TBLS.c.TBL_NAME.in_(["plain"]))

    def ask(connection: Any) -> tuple[str, str]:
        first = connection.scalar(owner)
        estate_of.execute(
            f"UPDATE {q('TBLS')} SET {q('OWNER')} = 'new' WHERE {q('TBL_NAME')} = 'plain'"
        )
        return first, connection.scalar(owner)

    with MetastoreDatabase(estate_of.options) as source:
        assert source._client.session.read(ask) == ("o", "o")
        assert source._client.session.read(lambda connection: connection.scalar(owner)) == "new"


def test_a_connection_that_is_killed_between_two_reads_costs_nothing(estate_of: Backed) -> None:
    server = estate_of.server
    others = server.connections() if isinstance(server, MariaDB) else set[int]()
    with MetastoreDatabase(estate_of.options) as source:
        listed = tuple(item for item in source.listing() if isinstance(item, Listed))
        task = CrawlTask("s", listed)
        whole = {outcome.listed for outcome in source.load(task)}
        answers = source.load(task)
        found = {next(answers).listed}
        kill_reader(estate_of, others)
        assert found | {answer.listed for answer in answers} == whole


def kill_reader(backed: Backed, others: Container[int]) -> None:
    """End every connection of the reader."""
    if isinstance(backed.server, MariaDB):
        backed.server.kill_connections(others)
        return
    ours = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
    backed.execute(f"{ours} WHERE application_name = 'belvedere'")


def test_least_rights_suffice_and_one_that_is_missing_is_told_with_its_grant(
    estate_of: Backed,
) -> None:
    q = estate_of.quoted
    is_maria = isinstance(estate_of.server, MariaDB)
    user = "reader@localhost" if is_maria else "reader"
    if is_maria:
        estate_of.execute(f"CREATE OR REPLACE USER {user}")
    else:
        estate_of.execute("DROP ROLE IF EXISTS reader", f"CREATE ROLE {user} LOGIN")
    try:
        for table in OF_VIEWS:
            estate_of.execute(f"GRANT SELECT ON {q(table.name)} TO {user}")
        options = replace(estate_of.options, user="reader")
        with MetastoreDatabase(options) as source:
            assert source.probe().problems == (BYPASS,)
            objects = [item for item in source.listing() if isinstance(item, Listed)]
            assert len(list(source.functions())) == 1
            with pytest.raises(DeniedError):
                list(source.grants())
        assert len(outcomes(MetastoreDatabase(options))) == len(objects)
        estate_of.execute(f"REVOKE SELECT ON {q('SERDES')} FROM {user}")
        with MetastoreDatabase(options) as source, pytest.raises(DeniedError) as raised:
            source.probe()
        assert "SERDES" in raised.value.message
        (statement,) = raised.value.hint.split("; ")
        with MetastoreDatabase(options) as source:
            with pytest.raises(DeniedError) as again:
                list(source.load(CrawlTask("s", tuple(objects))))
            assert again.value.hint == statement
            estate_of.execute(statement.replace("TO reader", f"TO {user}"))
            assert source.probe().version
        there = {table.name for table in OF_RIGHTS}
        for name in there & set(tables_of(estate_of)):
            estate_of.execute(f"GRANT SELECT ON {q(name)} TO {user}")
    finally:
        if not is_maria:
            estate_of.execute("DROP OWNED BY reader", "DROP ROLE reader")


def tables_of(backed: Backed) -> list[str]:
    """The tables that are there."""
    with MetastoreDatabase(backed.options) as source:
        query = text("SELECT table_name FROM information_schema.tables")
        return source._client.session.read(lambda connection: list(connection.scalars(query)))


@pytest.mark.parametrize(
    ("found", "why"),
    [
        ("UPDATE {V} SET {S} = '5.0.0'", "tables are of version '5.0.0'; known are 1.2 to 4.x"),
        ("UPDATE {V} SET {S} = '1.1.0'", "tables are of version '1.1.0'"),
        ("UPDATE {V} SET {S} = 'mine'", "tables are of version 'mine'"),
        ("DELETE FROM {V}", "VERSION has 0 rows"),
        ("INSERT INTO {V} VALUES (2, '2.3.0', '')", "VERSION has 2 rows"),
    ],
)
def test_versions_that_are_not_known_are_refused(estate_of: Backed, found: str, why: str) -> None:
    q = estate_of.quoted
    estate_of.execute(found.format(V=q("VERSION"), S=q("SCHEMA_VERSION")))
    try:
        with MetastoreDatabase(estate_of.options) as source:
            with pytest.raises(UnsupportedVersionError) as raised:
                list(source.listing())
            assert why in raised.value.message
    finally:
        row = f"INSERT INTO {q('VERSION')} VALUES (1, '2.3.0', '')"
        estate_of.execute(f"DELETE FROM {q('VERSION')}", row)


def test_what_is_no_metastore_or_has_no_such_catalog_or_schema_is_told(
    backed: Backed, postgresql: EmbeddedPostgreSQL
) -> None:
    for options, why in (
        (replace(backed.options, url=postgresql.url()), "there is no table VERSION"),
        (replace(backed.options, schema_name="a\"b'c"), "in the schema 'a\"b\\'c'"),
    ):
        with MetastoreDatabase(options) as source:
            with pytest.raises(UnsupportedVersionError) as raised:
                source.probe()
            assert why in raised.value.message
    elsewhere = MetastoreDatabase(replace(backed.options, catalog="lake"))
    with elsewhere, pytest.raises(ListingError, match="before Hive 3 knows none"):
        list(elsewhere.listing())
    with MetastoreDatabase(replace(backed.options, schema_name="public")) as source:
        assert list(source.load_tables([Identifier(("no",), "no")])) == []
        assert source.probe().version
