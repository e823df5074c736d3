"""Iceberg views that we wrote, as the real Trino 476 reads them: by REST and by JDBC.

Views of a metastore are planned, applied and verified as in any migration; Trino is configured with
what `belvedere engine-config` prints, makes the table that they read, and is then asked. Fetches
what test_engines.py fetches.
"""

import io
import json
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from connectors import registry
from connectors.iceberg import jdbc_store
from discovery.errors import NotHeldError
from discovery.model import Column, Identifier, Primitive, Representation, Schema, View
from discovery.ports import Action
from jobs import engine_config
from jobs.console import command
from jobs.migrating.asking import AskedAt
from jobs.verify import verify_plan
from tests.conftest import spark_entry, trino_entry
from tests.contract.stores import apply, change, create
from tests.iceberg_server import iceberg_server
from tests.live import trino_server
from tests.live.conftest import Server, TrinoHome
from tests.live.trino_server import Trino
from tests.migrated import Estate, Migration

pytestmark = [pytest.mark.live, pytest.mark.slow, pytest.mark.timeout(1_800)]
Place = dict[str, Any]
ROW = """\
CAST(7 AS bigint) id, DECIMAL '12.50' amount, DATE '2026-11-21' day, ARRAY['a', 'b'] tags,
TIMESTAMP '2026-11-21 08:00:00.000001' at, CAST(ROW(1) AS row(a integer)) part
"""
ORDERS = {
    "id": "bigint",
    "amount": "decimal(4,2)",
    "day": "date",
    "tags": "array(varchar)",
    "at": "timestamp(6)",
    "part": "row(a integer)",
}
VIEWS = {  # texts as Trino itself formats them and keeps them in a metastore
    "v_orders": ("SELECT *\nFROM\n  t\nWHERE (id > 0)\n", ORDERS),
    "v_top": ("SELECT amount\nFROM\n  sales.v_orders\n", {"amount": "decimal(4,2)"}),
    "v_both": ("SELECT 1 id\n", {"id": "integer"}),
    "v_narrow": (
        "SELECT\n  CAST(7 AS tinyint) small\n, CAST('abc' AS varchar(3)) code\n",
        {"small": "tinyint", "code": "varchar(3)"},
    ),
}
WIDER = {"small": "integer", "code": "varchar"}
MORE = {"v_orders": {"comment": "open 'orders'", "runAsInvoker": False, "owner": "alice"}}
SPARKS = (
    spark_entry("v_both", "SELECT 1 AS id", "sales"),
    spark_entry("v_spark", "SELECT 2 AS id", "sales"),
)
SALES, DEEP = Schema(levels=("sales",)), Schema(levels=("deep", "sales"))


def entries(catalog: str) -> list[dict[str, Any]]:
    """Views that Trino made in a metastore which it knew by the name that the target gets."""
    found = []
    for name, (sql, types) in VIEWS.items():
        columns = [{"name": one, "type": kind} for one, kind in types.items()]
        more = {"catalog": catalog, "columns": columns, **MORE.get(name, {})}
        found.append(trino_entry(name, sql, "sales", **more))
    return found


def nested(catalog: str) -> list[View]:
    """Two views in a nested namespace, of which one reads the other by its short name."""
    texts = {"v_low": "SELECT BIGINT '3' id", "v_high": "SELECT id FROM v_low"}
    context: dict[str, Any] = {"default_catalog": catalog, "default_schema": "deep.sales"}
    return [
        View(
            identifier=Identifier(DEEP.levels, name),
            columns=(Column("id", Primitive("long")),),
            representations=(Representation(dialect="trino", sql=sql, **context),),
        )
        for name, sql in texts.items()
    ]


def target(place: Place) -> dict[str, Any]:
    """The options of a target where a source is."""
    if place["kind"] == "iceberg-rest":
        return dict(place)
    more = {"catalog_name": place["catalog"], "warehouse": place["io"]["warehouse"]}
    return {"kind": place["kind"], "url": place["url"], **more}


@pytest.fixture(scope="module")
def places(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Place]]:
    """Where the catalogs are, as sources; each has the nested views."""
    folder = tmp_path_factory.mktemp("jdbc")
    jdbc = {"kind": "iceberg-jdbc", "url": f"sqlite:///{folder}/catalog.db", "catalog": "prod"}
    with iceberg_server() as stand_in:
        made: dict[str, Place] = {
            "by_rest": {"kind": "iceberg-rest", "uri": server.uri},
            "by_jdbc": {**jdbc, "io": {"warehouse": folder.as_uri()}},
            "stand_in": {"kind": "iceberg-rest", "uri": stand_in.uri},
        }
        for name, place in made.items():
            options = target(place)
            kind = registry.STORES[options.pop("kind")]
            with kind.connector()(kind.options()(**options)) as store:
                store.prepare([SALES, DEEP])  # with the tables of a JDBC catalog
                views = [store.hold(view).view for view in nested(name)]
                assert apply(store, *create(*views)) == ["create", "create"]
        yield made


@pytest.fixture(scope="module")
def trino(
    places: dict[str, Place], trino_home: TrinoHome, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Trino]:
    """Trino with the catalogs as the command prints them, and a table in two of them."""
    folder = tmp_path_factory.mktemp("trino")
    estate, catalogs = folder / "estate.yaml", {}
    estate.write_text(json.dumps({"warehouse": "w", "sources": places}), encoding="utf-8")
    for name in places:
        asked = ["--config", str(estate), "--source", name, "--engine", "trino"]
        with redirect_stdout(io.StringIO()) as printed:
            assert engine_config.main(asked) == command.FINE
        catalogs[name] = printed.getvalue()
    with trino_server.trino(trino_home.home, trino_home.java, folder, catalogs) as running:
        for name in ("by_rest", "by_jdbc"):
            running.rows(f"CREATE TABLE {name}.sales.t AS SELECT {ROW}")
        yield running


@pytest.mark.parametrize("catalog", ["by_rest", "by_jdbc"])
def test_trino_reads_the_views_that_a_migration_wrote(
    catalog: str,
    trino: Trino,
    places: dict[str, Place],
    spark: SparkSession,
    estate: Estate,
    tmp_path: Path,
) -> None:
    rules = [{"source": one, "target": "t"} for one in ("a", "b")]
    engines = {"spark": {}, "trino": {"url": trino.uri, "targets": {catalog: "t"}}}
    more = {"targets": {"t": target(places[catalog])}, "mapping": rules, "engines": engines}
    migration = Migration(spark, estate, tmp_path, more)
    migration.crawl(*entries(catalog), other=SPARKS)
    counts = migration.counts(migration.plan())
    assert counts["create"] == 5
    assert (migration.apply().written, migration.verify().exit_code) == (5, command.FINE)
    verified = verify_plan(spark, migration.config, tmp_path / "plan", live=True)
    answer = AskedAt("trino", "t", same=4, unasked=1)  # v_spark has no text of Trino
    assert (verified.exit_code, verified.asked) == (command.FINE, (answer,))
    both = migration.there()["sales.v_both"]
    assert {representation.dialect for representation in both.representations} == {"spark", "trino"}
    listed = [name for (name,) in trino.rows(f"SHOW TABLES FROM {catalog}.sales")]
    assert listed == sorted((*VIEWS, "v_spark", "t"))
    for name, (sql, columns) in VIEWS.items():
        place = f"{catalog}.sales.{name}"
        ((text,),) = trino.rows(f"SHOW CREATE VIEW {place}")
        assert text.endswith(f" AS\n{sql.rstrip()}")
        assert ("COMMENT 'open ''orders''' SECURITY DEFINER" in text) == (name == "v_orders")
        described = {row[0]: row[1] for row in trino.rows(f"DESCRIBE {place}")}
        assert described == (WIDER if name == "v_narrow" else columns)
    found = {name: trino.rows(f"SELECT * FROM {catalog}.sales.{name}") for name in VIEWS}
    (row,) = trino.rows(f"SELECT * FROM {catalog}.sales.t")
    assert found.pop("v_orders") == [row]
    assert found == {"v_top": [["12.50"]], "v_both": [[1]], "v_narrow": [[7, "abc"]]}
    refused = trino.refusal(f"SELECT * FROM {catalog}.sales.v_spark")
    assert refused == "Cannot read unsupported dialect 'spark' for view 'sales.v_spark'"


@pytest.mark.parametrize("catalog", ["by_jdbc", "stand_in"])
def test_trino_reads_views_in_nested_namespaces_that_we_wrote(catalog: str, trino: Trino) -> None:
    space = f'{catalog}."deep.sales"'
    assert trino.rows(f"SHOW TABLES FROM {space}") == [["v_high"], ["v_low"]]
    assert trino.rows(f"SELECT id FROM {space}.v_high") == [[3]]


def test_trino_cannot_name_a_nested_namespace_to_a_server_with_a_separator_of_its_own(
    trino: Trino,
) -> None:
    """Trino 476 (Iceberg 1.9.1) joins levels with 0x1F; Iceberg's server 1.11 wants a dot."""
    assert trino.rows("SHOW SCHEMAS FROM by_rest LIKE 'deep%'") == [["deep"], ["deep.sales"]]
    for sql in ('SELECT id FROM by_rest."deep.sales".v_high', 'CREATE SCHEMA by_rest."own.deep"'):
        assert trino.refusal(sql).startswith("Failed to ")


@pytest.mark.parametrize(
    ("kind", "sql", "told"),
    [
        ("char(5)", "SELECT CAST('a' AS char(5)) c", "is stale or in invalid state"),
        ("timestamp(9)", "SELECT CAST(NULL AS timestamp(9)) c", "Cannot convert from Iceberg type"),
        ("null", "SELECT 1 c", "Cannot convert from Iceberg type"),
    ],
)
def test_trino_refuses_columns_of_iceberg_that_no_plan_writes_for_it(
    kind: str, sql: str, told: str, trino: Trino, places: dict[str, Place]
) -> None:
    view = View(
        identifier=Identifier(SALES.levels, "v_refused"),
        columns=(Column("c", Primitive(kind)),),
        representations=(Representation(dialect="trino", sql=sql),),
    )
    place = places["by_jdbc"]
    options = jdbc_store.Options(
        url=place["url"], catalog_name=place["catalog"], warehouse=place["io"]["warehouse"]
    )
    with jdbc_store.JdbcStore(options) as store:
        with pytest.raises(NotHeldError, match=r"trino (refuses|cannot read) the column c"):
            store.hold(view)
        (creation,) = create(view)
        assert apply(store, creation) == ["create"]
        assert told in trino.refusal("SELECT * FROM by_jdbc.sales.v_refused")
        columns = "SELECT count(*) FROM by_jdbc.information_schema.columns"
        refused = trino.asked(columns)[1].startswith("Error listing table columns for catalog")
        assert refused == (kind != "char(5)"), "which one view costs all"
        apply(store, change(Action.DROP, view, view))
