"""What views read, who can read them, in which order they can move: whole, on Spark."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from pyiceberg.schema import Schema
from pyiceberg.types import LongType, NestedField
from pyspark.sql import SparkSession

from jobs.assess import assess_run
from jobs.configuration import loader
from jobs.configuration.loader import RunConfig
from jobs.crawl import crawl_estate
from jobs.embedded.iceberg import EmbeddedCatalog, NewView
from jobs.embedded.metastore import EmbeddedMetastore
from jobs.embedded.postgres import EmbeddedPostgreSQL
from jobs.embedded.thrift_writer import Writer
from jobs.tables import TABLES
from jobs.warehouse.warehouse import Warehouse
from tests.conftest import hive_entry, spark_entry, trino_entry
from tests.statements import ENDLESS

ENGINES = ["hive", "mysql", "spark", "trino"]
pytestmark = pytest.mark.timeout(900)  # a JVM per engine and executor starts


@pytest.fixture(scope="module")
def tables(
    spark: SparkSession,
    metastore: EmbeddedMetastore,
    hms: Writer,
    postgresql: EmbeddedPostgreSQL,
    tmp_path_factory: pytest.TempPathFactory,
) -> Callable[[str], list[dict[str, Any]]]:
    """The tables of an assessed estate: two sources, of which one is the metastore."""
    for name in ("rel", "rel2"):
        hms.create_database(name, f"{metastore.warehouse.as_uri()}/{name}.db")
    for entry in ENTRIES:
        hms.create_table(entry)
    for name in ("twice", "idle"):
        hms.create_function("rel", name, f"example.{name.title()}", "alice")
    folder = tmp_path_factory.mktemp("assess")
    drop = "DROP SCHEMA IF EXISTS rel CASCADE"
    postgresql.execute((drop, "CREATE SCHEMA rel", "CREATE TABLE rel.wide (id int, name text)"))
    ice = EmbeddedCatalog(folder / "ice")
    ice.create_namespace(("sales",), {})
    ice.create_table(("sales",), "orders", Schema(NestedField(1, "amount", LongType())))
    for name, (catalog, table) in ICEBERG.items():
        view = NewView([COLUMN], {"spark": f"SELECT amount FROM {table}"}, ("sales",))
        document = view.metadata((ice.warehouse / name).as_uri())
        document["versions"][0]["default-catalog"] = catalog
        ice.write_view(("sales",), name, json.dumps(document).encode())
    ice.close()
    other = [
        hive_entry("far", "SELECT id FROM rel.base", database="elsewhere"),
        {"kind": "mysql_view", "payload": MYSQL_VIEW},
        hive_entry("one", "SELECT 1 AS id", database="same"),
        hive_entry("ONE", "SELECT 1 AS id", database="same"),
    ]
    (folder / "other.jsonl").write_text("\n".join(map(json.dumps, other)), encoding="utf-8")
    (folder / "estate.yaml").write_text(
        f"""\
warehouse: w
sources:
  lake: {{kind: hms, uri: "{metastore.uri}", include: [rel, rel2]}}
  other: {{kind: archive, path: other.jsonl}}
  shop: {{kind: postgresql, url: "{postgresql.url()}", user: postgres, include: [rel]}}
  ice: {{kind: iceberg-jdbc, url: "{ice.url}"}}
engines: {ENGINES}
catalogs:
  trino: {{lake_in_trino: lake, shop_in_trino: shop}}
  spark: {{ice: ice}}
""",
        encoding="utf-8",
    )

    checked: RunConfig = loader.load(folder / "estate.yaml")
    crawled = crawl_estate(spark, checked)
    assess_run(spark, checked, crawled.run_id)
    warehouse = Warehouse(checked.warehouse)
    return lambda name: list(warehouse.table(TABLES[name], crawled.run_id))


WIDE = {"cols": [{"name": "id", "type": "int"}, {"name": "name", "type": "string"}]}
TABLE = {"tableType": "MANAGED_TABLE", "viewExpandedText": None, "viewOriginalText": None}
COLUMN = {"id": 1, "name": "amount", "required": False, "type": "long"}
ICEBERG = {
    "of_ice": ("ice", "orders"),
    "of_ice_elsewhere": ("lakehouse", "orders"),
    "of_another": ("hive_prod", "customers"),
}
"""Views of Iceberg: their default catalog, and what they read."""
MYSQL_VIEW = {
    "schema": "shop",
    "name": "in_mysql",
    "definition": "select `shop`.`f`(1) AS `id`",
    "columns": [{"name": "id", "type": "int", "comment": None}],
}
ENTRIES = [
    {**hive_entry("base", ""), **TABLE},
    {**hive_entry("wide", ""), **TABLE, "sd": {**WIDE, "serdeInfo": {"parameters": {}}}},
    spark_entry("stale", "SELECT * FROM rel.wide"),
    spark_entry("broken", "SELECT gone AS id FROM rel.wide"),
    spark_entry("narrowed", "SELECT CAST(id AS BIGINT) AS id FROM rel.base"),
    hive_entry("hive_one", "SELECT `base`.`id` FROM `rel`.`base`"),
    spark_entry("on_hive", "SELECT id FROM Hive_One"),
    spark_entry("two", "SELECT a.id FROM on_hive a JOIN rel.base b ON a.id = b.id"),
    trino_entry("in_trino", "SELECT id FROM lake_in_trino.rel.base UNION SELECT id FROM hive_one"),
    trino_entry("not_here", "SELECT id FROM somewhere.x.y"),
    spark_entry("calling", "SELECT max(rel.Twice(id)) AS id, twice(1), other.f(2) FROM rel.base"),
    hive_entry("calling_too", "SELECT `rel`.`twice`(`id`) FROM `rel`.`base`"),
    spark_entry("ring_a", "SELECT id FROM ring_b"),
    spark_entry("ring_b", "SELECT id FROM ring_a"),
    spark_entry("behind", "SELECT id FROM ring_a"),
    spark_entry("narcissus", "SELECT id FROM narcissus"),
    trino_entry("stale_far", "SELECT * FROM shop_in_trino.rel.wide"),
    spark_entry("broken_far", "SELECT id FROM ice.sales.orders"),
    spark_entry("endless", ENDLESS),
    spark_entry("garbled", "SELECT FROM WHERE ((("),
    spark_entry("lost", "SELECT id FROM gone"),
    {**trino_entry("undecoded", ""), "viewOriginalText": "/* Presto View: e30= */"},
    spark_entry("on_undecoded", "SELECT x FROM undecoded"),
]


DRIFT = ("COLUMNS_DRIFT", "spark")


def named(rows: list[dict[str, Any]], *columns: str) -> dict[str, Any]:
    return {row["name"]: tuple(row[column] for column in columns) for row in rows}


def test_every_view_is_in_a_wave_or_set_aside_with_the_reason(
    tables: Callable[[str], list[dict[str, Any]]],
) -> None:
    assert named(tables("waves"), "wave", "aside", "because") == {
        "hive_one": (1, None, None),
        "on_hive": (2, None, None),
        "two": (3, None, None),
        "in_trino": (2, None, None),
        "not_here": (1, None, None),
        "far": (1, None, None),
        "stale": (1, None, None),
        "broken": (1, None, None),
        "narrowed": (1, None, None),
        "stale_far": (1, None, None),
        "broken_far": (1, None, None),
        "calling": (1, None, None),
        "calling_too": (1, None, None),
        "one": (1, None, None),
        "ONE": (1, None, None),
        "ring_a": (None, "RING", ["lake/rel.ring_a", "lake/rel.ring_b"]),
        "ring_b": (None, "RING", ["lake/rel.ring_a", "lake/rel.ring_b"]),
        "behind": (None, "BROKEN_BASE", ["lake/rel.ring_a"]),
        "narcissus": (None, "SELF_REFERENCE", ["lake/rel.narcissus"]),
        "garbled": (None, "UNRESOLVED", []),
        "endless": (None, "UNRESOLVED", []),
        "in_mysql": (1, None, None),
        "lost": (None, "MISSING_BASE", ["lake/rel.gone"]),
        "on_undecoded": (None, "BROKEN_BASE", ["lake/rel.undecoded"]),
        **dict.fromkeys(ICEBERG, (1, None, None)),
    }


def test_references_lead_to_places_by_the_rules_of_the_views_own_format(
    tables: Callable[[str], list[dict[str, Any]]],
) -> None:
    found = {
        (row["name"], ".".join(row["written"])): (
            row["base_source"],
            row["base_key"],
            row["base_kind"],
        )
        for row in tables("references")
    }
    assert found["on_hive", "Hive_One"] == ("lake", "rel.hive_one", "view")
    assert found["two", "rel.base"] == ("lake", "rel.base", "table")
    assert found["in_trino", "lake_in_trino.rel.base"] == ("lake", "rel.base", "table")
    assert found["in_trino", "hive_one"] == ("lake", "rel.hive_one", "view")
    assert found["not_here", "somewhere.x.y"] == (None, None, "outside")
    assert found["far", "rel.base"] == ("other", "rel.base", "unknown")
    assert found["lost", "gone"] == ("lake", "rel.gone", "missing")
    assert found["on_undecoded", "undecoded"] == ("lake", "rel.undecoded", "unread")
    assert all(row["read_by"].startswith(row["dialect"]) for row in tables("references"))


def test_bases_have_their_columns(tables: Callable[[str], list[dict[str, Any]]]) -> None:
    rows = {(row["source"], row["key"]): row for row in tables("bases")}
    assert rows["lake", "rel.base"]["columns"] == [
        {"name": "id", "type": '"integer"', "nullable": True}
    ]
    assert rows["lake", "rel.gone"]["state"] == "missing"
    assert rows["shop", "rel.wide"]["columns"] == [
        {"name": "id", "type": '"integer"', "nullable": True},
        {"name": "name", "type": '"string"', "nullable": True},
    ]
    assert rows["ice", "sales.orders"]["columns"] == [
        {"name": "amount", "type": '"long"', "nullable": True}
    ]
    assert rows["other", "rel.base"]["state"] == "unknown"


def test_functions_are_those_of_the_sources_and_those_that_views_call(
    tables: Callable[[str], list[dict[str, Any]]],
) -> None:
    mine = [row for row in tables("functions") if row["namespace"] != ["fun"]]  # another test's
    found = {(row["source"], row["name"]): row for row in mine}
    told = {name: (row["state"], row["key"], row["views"]) for (_, name), row in found.items()}
    assert len(found) == 5
    assert told == {
        "idle": ("known", "rel.idle", 0),
        "twice": ("both", "rel.twice", 2),
        "max": ("called", None, 1),
        "f": ("called", None, 1),
    }
    assert found["other", "f"]["namespace"] == ["shop"]
    assert found["lake", "twice"]["implementation"] == "example.Twice"
    assert found["lake", "f"]["namespace"] == ["other"]


def test_calls_lead_to_the_functions_that_are_known(
    tables: Callable[[str], list[dict[str, Any]]],
) -> None:
    found = {
        (row["name"], ".".join(row["written"])): (row["function_source"], row["function_key"])
        for row in tables("calls")
    }
    assert found == {
        ("calling", "max"): (None, None),
        ("calling", "rel.Twice"): ("lake", "rel.twice"),
        ("calling", "twice"): ("lake", "rel.twice"),
        ("calling", "other.f"): (None, None),
        ("calling_too", "rel.twice"): ("lake", "rel.twice"),
        ("in_mysql", "shop.f"): (None, None),
    }


def test_each_column_says_where_it_comes_from(
    tables: Callable[[str], list[dict[str, Any]]],
) -> None:
    found = {
        (row["name"], row["column"]): (row["base_source"], row["base_key"], row["base_column"])
        for row in tables("lineage")
    }
    assert found["on_hive", "id"] == ("lake", "rel.hive_one", "id")
    assert found["stale", "name"] == ("lake", "rel.wide", "name")


def test_the_matrix_says_who_can_read_what(tables: Callable[[str], list[dict[str, Any]]]) -> None:
    found = {
        (row["name"], row["engine"]): (row["status"], row["reason"]) for row in tables("matrix")
    }
    assert found["hive_one", "hive"] == ("native", None)
    assert found["hive_one", "trino"] == ("rejected", "HIVE_VIEWS_OFF")
    assert found["on_hive", "spark"] == ("native", None)
    assert found["on_hive", "trino"] == ("rejected", "SPARK_UNQUALIFIED")
    assert found["in_trino", "spark"] == ("rejected", "TRINO_ENTRY")
    assert found["in_trino", "trino"] == ("blocked", "lake/rel.hive_one")
    assert found["two", "hive"] == ("rejected", "UNKNOWN_TABLE"), "short names are in `default`"
    assert found["behind", "spark"] == ("blocked", "BROKEN_BASE")
    assert found["garbled", "spark"] == ("rejected", "TEXT_ENDS_EARLY")
    assert len(found) == 27 * len(ENGINES)


def test_spark_s_analyzer_judges_where_all_that_is_read_is_known(
    tables: Callable[[str], list[dict[str, Any]]],
) -> None:
    found = {
        row["name"]: (row["status"], row["reason"], row["grade"])
        for row in tables("matrix")
        if row["engine"] == "spark"
    }
    for name in ("on_hive", "two", "stale"):
        assert found[name] == ("native", None, "ANALYZE"), name
    assert found["hive_one"] == ("portable", None, "ANALYZE"), "under what Spark does with it"
    assert found["one"] == ("portable", None, "ANALYZE"), "it reads nothing"
    assert found["broken"] == ("rejected", "UNKNOWN_COLUMN", "ANALYZE")
    assert found["broken_far"] == ("rejected", "UNKNOWN_COLUMN", "ANALYZE"), "in another catalog"
    assert found["narrowed"] == ("rejected", "COLUMNS_REFUSED", "ANALYZE")
    assert found["calling"] == ("native", None, "PARSE"), "a function of the estate"
    assert found["far"] == ("portable", None, "PARSE"), "nobody knows its base"
    said = {
        (row["name"], row["grade"]): (row["verdict"], row["message"])
        for row in tables("verdicts")
        if row["engine"] == "spark"
    }
    assert said["narrowed", "PARSE"][0] == "accepted"
    assert said["narrowed", "ANALYZE"][1].startswith("[CANNOT_UP_CAST_DATATYPE]")
    verdict, message = said["calling", "ANALYZE"]
    assert verdict == "not judged"
    assert message.startswith("it calls a function of the estate")
    drift = {
        row["engine"]: row["message"]
        for row in tables("findings")
        if (row["name"], row["code"]) == ("narrowed", "COLUMNS_DRIFT")
    }
    assert drift == dict.fromkeys(("spark", "hive"), "id is declared integer, returned long")


def test_an_opinion_proves_nothing_and_that_its_server_has_described_a_view_does(
    tables: Callable[[str], list[dict[str, Any]]],
) -> None:
    said = {row["grade"]: row for row in tables("verdicts") if row["engine"] == "mysql"}
    assert {row["name"] for row in said.values()} == {"in_mysql"}, "no opinions on others' texts"
    assert {grade: row["verdict"] for grade, row in said.items()} == {
        "OPINION": "accepted",
        "ANALYZE": "accepted",
    }
    assert said["OPINION"]["version"].startswith("sqlglot ")
    assert said["ANALYZE"]["version"] == "the server, as it was crawled"
    cells = {row["name"]: row for row in tables("matrix") if row["engine"] == "mysql"}
    assert (cells["in_mysql"]["status"], cells["in_mysql"]["grade"]) == ("native", "ANALYZE")
    assert (cells["hive_one"]["status"], cells["hive_one"]["reason"]) == (
        "unreachable",
        "OUT_OF_REACH",
    )


def test_checks_see_the_views_and_names_that_meet(
    tables: Callable[[str], list[dict[str, Any]]],
) -> None:
    found = {(row["name"], row["code"], row["engine"]) for row in tables("findings")}
    assert ("one", "NAME_DIFFERS_BY_CASE", None) in found
    assert ("ONE", "NAME_DIFFERS_BY_CASE", None) in found
    assert ("in_trino", "TRINO_ENTRY", "spark") in found
    assert ("stale", "STALE_COLUMNS", None) in found
    assert ("broken", "BROKEN_COLUMN", None) in found
    assert ("stale_far", "STALE_COLUMNS", None) in found
    assert ("broken_far", "BROKEN_COLUMN", None) in found
    assert {name for name, code, _ in found if "COLUMN" in code} == {
        *("stale", "broken", "stale_far", "broken_far", "narrowed")
    }
    assert {name for name, code, engine in found if (code, engine) == DRIFT} == {
        *("stale", "narrowed")
    }
    assert ("two", "SPARK_UNQUALIFIED", "trino") in found


def test_a_default_catalog_that_spark_has_not_is_refused_if_it_is_the_views_own(
    tables: Callable[[str], list[dict[str, Any]]],
) -> None:
    found = [row["name"] for row in tables("findings") if row["code"] == "ICEBERG_OTHER_CATALOG"]
    assert found == ["of_ice_elsewhere"]
    spark_cells = {row["name"]: row for row in tables("matrix") if row["engine"] == "spark"}
    refused = {name: (spark_cells[name]["status"], spark_cells[name]["reason"]) for name in ICEBERG}
    assert refused.pop("of_ice_elsewhere") == ("rejected", "ICEBERG_OTHER_CATALOG")
    assert {status for status, _ in refused.values()} == {"native"}
