"""Iceberg views that we write, before Iceberg's own server and before Spark.

Fetches what test_iceberg.py fetches.
"""

import json
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from connectors.iceberg import jdbc_store, rest_store
from discovery.migration.diff import differences
from discovery.model import Column, Identifier, Primitive, Representation, Schema, View
from discovery.ports import Action
from tests.contract.iceberg import CHANGED, HISTORY, VIEW, versions_of, with_history
from tests.contract.stores import ICEBERG_ORDERS, Made, apply, change, create, present
from tests.live.conftest import Server
from tests.live.contract import CONTRACT, empty

pytestmark = [pytest.mark.live, pytest.mark.timeout(1_800)]
HERE = Path(__file__).parent / "iceberg"
ROWS = View(
    identifier=Identifier(("sales",), "v_rows"),
    columns=(
        Column("id", Primitive("long"), "the id"),
        Column("amount", Primitive("decimal(10,2)")),
        Column("code", Primitive("varchar(3)")),
        Column("small", Primitive("byte")),
    ),
    representations=(
        Representation(
            dialect="spark",
            sql="SELECT id, amount, cast('abc' AS varchar(3)), cast(7 AS tinyint) FROM t",
            default_schema="sales",
        ),
    ),
    comment="rows of t",
)


def emptied(server: Server) -> rest_store.RestStore:
    """A store on a server from which everything is removed."""
    store = rest_store.RestStore(rest_store.Options(uri=server.uri))
    empty(store)
    return store


@pytest.mark.parametrize("contract", CONTRACT, ids=lambda one: str(one.__name__))
def test_the_rest_store_keeps_the_contract_on_icebergs_own_server(
    contract: Callable[[Made], None], server: Server
) -> None:
    nowhere = rest_store.RestStore(rest_store.Options(uri="http://127.0.0.1:1", timeout=2))
    contract(Made(emptied(server), nowhere, orders=ICEBERG_ORDERS))


def test_a_dialect_that_was_added_is_taken_away_again(server: Server) -> None:
    with emptied(server) as store:
        store.prepare([Schema(levels=("sales",))])
        before = store.hold(ROWS).view
        more = (*ROWS.representations, Representation(dialect="trino", sql="SELECT 1 AS id"))
        after = store.hold(replace(ROWS, representations=more)).view
        assert apply(store, *create(before)) == ["create"]
        assert apply(store, change(Action.ADD_DIALECT, after, before)) == ["add-dialect"]
        assert apply(store, change(Action.REPLACE, before, after)) == ["replace"]
        assert apply(store, change(Action.ADD_DIALECT, after, before)) == ["add-dialect"]
        assert differences(after, present(store, before)[before.identifier]) == ()


def test_a_view_of_an_iceberg_source_is_registered_with_the_versions_before(
    server: Server, tmp_path: Path
) -> None:
    options = rest_store.Options(uri=server.uri, registered_in=(tmp_path / "new").as_uri())
    emptied(server).close()
    with rest_store.RestStore(options) as store:
        assert not store.probe().problems
        store.prepare([Schema(levels=("sales",))])
        (creation,) = create(store.hold(VIEW).view)
        assert apply(store, with_history(creation)) == ["create"]
        there = store.read_at(VIEW.identifier)
        assert there is not None
        assert versions_of(there.metadata.document) == HISTORY
        assert not differences(creation.view, there.view)
        after = store.hold(CHANGED).view
        assert apply(store, change(Action.REPLACE, after, creation.view)) == ["replace"]
        assert apply(store, change(Action.DROP, after, after)) == ["drop"]


def test_spark_reads_replaces_and_drops_views_of_a_jdbc_catalog_that_we_wrote(
    pyspark_bin: Path, tmp_path: Path
) -> None:
    database, warehouse, options = catalog_in(tmp_path)
    other = replace(ROWS, identifier=Identifier(("sales",), "Größe 100%"))
    with jdbc_store.JdbcStore(options) as store:
        store.prepare([Schema(levels=("sales",))])
        held, second = store.hold(ROWS).view, store.hold(other).view
        assert apply(store, *create(held, second)) == ["create", "create"]
        statements = [
            "CREATE TABLE prod.sales.t (id BIGINT, amount DECIMAL(10,2))",
            "INSERT INTO prod.sales.t VALUES (1, 2.50), (2, NULL)",
            "SELECT id, cast(amount AS string), code, small FROM prod.sales.v_rows ORDER BY id",
            "SELECT count(*) FROM prod.sales.`Größe 100%`",
            "SHOW VIEWS IN prod.sales",
            "ALTER VIEW prod.sales.v_rows SET TBLPROPERTIES ('colour' = 'red')",
            "DROP VIEW prod.sales.`Größe 100%`",
        ]
        rows = asked(pyspark_bin, database, warehouse, *statements)
        assert rows[2] == [[1, "2.50", "abc", 7], [2, None, "abc", 7]]
        assert rows[3] == [[2]]
        assert sorted(row[1] for row in rows[4]) == ["Größe 100%", "v_rows"]
        there = present(store, held, second)
        assert there.keys() == {held.identifier}, "Spark has dropped the other"
        view = there[held.identifier]
        assert ("colour", "red") in view.properties
        assert view.columns == held.columns, "the types are still known"
        apply(store, change(Action.REPLACE, held, view))
        again = ["CREATE OR REPLACE VIEW prod.sales.v_rows AS SELECT id FROM prod.sales.t"]
        asked(pyspark_bin, database, warehouse, *again)
        assert [column.name for column in present(store, held)[held.identifier].columns] == ["id"]


def test_spark_completes_names_by_the_version_and_runs_a_text_under_its_own_settings(
    pyspark_bin: Path, tmp_path: Path
) -> None:
    database, warehouse, options = catalog_in(tmp_path)
    zone = "spark.sql.session.timeZone"
    sql = "SELECT date_format(timestamp_seconds(0), 'yyyy-MM-dd HH:mm') AS who"
    compared = "SELECT CAST('a' = 'A' AS STRING) AS who"
    texts = {
        "v_short": ("SELECT who FROM t", None, "sales"),
        "v_two": ("SELECT who FROM sales.t", None, "els"),
        "v_session": ("SELECT who FROM t", "spark_catalog", "sales"),
        "v_star": ("SELECT * FROM t", None, "sales"),
        "v_nowhere": ("SELECT who FROM t", "nowhere", "sales"),
        "v_zone": (sql, None, "sales"),
        "v_collated": (compared, None, "sales"),
    }
    views = [
        View(
            identifier=Identifier(("sales",), name),
            columns=(Column("who", Primitive("string")),),
            representations=(
                Representation(
                    dialect="spark", sql=sql, default_catalog=catalog, default_schema=schema
                ),
            ),
            properties=(
                ("collation", "UTF8_LCASE"),
                (f"view.sqlConfig.{zone}", "America/New_York"),
            ),
        )
        for name, (sql, catalog, schema) in texts.items()
    ]
    with jdbc_store.JdbcStore(options) as store:
        store.prepare([Schema(levels=("sales",)), Schema(levels=("els",))])
        apply(store, *create(*(store.hold(view).view for view in views)))
    place = (tmp_path / "session").as_uri()
    begin = [
        f"CREATE DATABASE spark_catalog.sales LOCATION '{place}'",
        f"CREATE TABLE spark_catalog.sales.t USING parquet LOCATION '{place}/t' AS SELECT 's' who",
        "CREATE TABLE prod.sales.t AS SELECT 'right' who",
        "ALTER TABLE prod.sales.t ADD COLUMN first STRING FIRST",
        "CREATE TABLE prod.els.t AS SELECT 'WRONG' who",
        "USE spark_catalog.sales",
        f"SET {zone} = America/New_York",
        f"CREATE VIEW v_zone AS {sql}",
        f"SET {zone} = Asia/Tokyo",
        "SELECT who FROM v_zone",
        f"CREATE VIEW v_collated DEFAULT COLLATION UTF8_LCASE AS {compared}",
        "SELECT who FROM v_collated",
        "USE prod.els",
    ]
    reads = [f"SELECT who FROM prod.sales.{name}" for name in texts]
    rows = asked(pyspark_bin, database, warehouse, *begin, *reads)
    assert not [row for row in rows[: len(begin)] if isinstance(row, str)], rows
    assert rows[9] == [["1969-12-31 19:00"]], "Spark's own view keeps the zone of its maker"
    assert rows[11] == [["true"]], "and the collation"
    *led, star, nowhere, zoned, collated = rows[len(begin) :]
    assert led == [[["right"]], [["right"]], [["s"]]]
    assert star == [[None]], "it takes the first column, whatever that is called"
    assert "`nowhere`.`sales`.`t` cannot be found" in nowhere
    assert zoned == [["1970-01-01 09:00"]], "that of the session that reads"
    assert collated == [["false"]], "by bytes"


def catalog_in(folder: Path) -> tuple[Path, str, jdbc_store.Options]:
    """A catalog on SQLite: its database, its warehouse, and how our store reaches it."""
    database, warehouse = folder / "catalog.db", (folder / "warehouse").as_uri()
    url = f"sqlite:///{database}"
    return (
        database,
        warehouse,
        jdbc_store.Options(url=url, warehouse=warehouse, catalog_name="prod"),
    )


def asked(programs: Path, database: Path, warehouse: str, *statements: str) -> Any:
    command = [
        str(programs / "python"),
        str(HERE / "spark_reads.py"),
        str(database),
        warehouse,
        *statements,
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-4000:]
    return json.loads(done.stdout.splitlines()[-1])
