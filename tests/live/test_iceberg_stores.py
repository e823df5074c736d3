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
        there = store.there(VIEW.identifier)
        assert there is not None
        assert versions_of(there.metadata.document) == HISTORY
        assert not differences(creation.view, there.view)
        after = store.hold(CHANGED).view
        assert apply(store, change(Action.REPLACE, after, creation.view)) == ["replace"]
        assert apply(store, change(Action.DROP, after, after)) == ["drop"]


def test_spark_reads_replaces_and_drops_views_of_a_jdbc_catalog_that_we_wrote(
    pyspark_bin: Path, tmp_path: Path
) -> None:
    database, warehouse = tmp_path / "catalog.db", (tmp_path / "warehouse").as_uri()
    options = jdbc_store.Options(
        url=f"sqlite:///{database}", warehouse=warehouse, catalog_name="prod"
    )
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
        found = there[held.identifier]
        assert ("colour", "red") in found.properties
        assert found.columns == held.columns, "the types are still known"
        apply(store, change(Action.REPLACE, held, found))
        again = ["CREATE OR REPLACE VIEW prod.sales.v_rows AS SELECT id FROM prod.sales.t"]
        asked(pyspark_bin, database, warehouse, *again)
        assert [one.name for one in present(store, held)[held.identifier].columns] == ["id"]


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
