"""Entries that belvedere wrote, read by the Spark whose session catalog is that metastore."""

from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal
from pathlib import Path

import pytest
from pyspark.errors import AnalysisException
from pyspark.sql import Row, SparkSession

from connectors.hms_stores.native import MetastoreStore, Options
from discovery.model import (
    Column,
    Field,
    Identifier,
    ListOf,
    Primitive,
    Representation,
    Schema,
    Struct,
    View,
)
from discovery.ports import Action
from jobs.console import command
from jobs.embedded.metastore import EmbeddedMetastore
from tests.conftest import hive_entry
from tests.contract.stores import apply, change, create
from tests.migrated import TABLE, Estate, Migration

DATA, MADE = "hms_data", "hms_made"
ID = Column("Id", Primitive("long"), "the id")


@pytest.fixture
def store(spark: SparkSession, metastore: EmbeddedMetastore) -> Iterator[MetastoreStore]:
    """The store, a table `t` in one database, another `t` where views are, and a namesake."""
    for database, first in ((DATA, "right"), (MADE, "wrong")):
        spark.sql(f"DROP DATABASE IF EXISTS {database} CASCADE")
        spark.sql(f"CREATE DATABASE {database}")
        spark.sql(f"CREATE TABLE {database}.t USING parquet AS SELECT 1L AS id, '{first}' AS name")
    with MetastoreStore(Options(uri=metastore.uri, takes_over=True)) as made:
        yield made


def view(name: str, text: Representation, *columns: Column, comment: str | None = None) -> View:
    return View(
        identifier=Identifier((MADE,), name),
        columns=columns or (ID,),
        representations=(text,),
        comment=comment,
    )


def written(store: MetastoreStore, wanted: View) -> View:
    held = store.hold(wanted).view
    assert apply(store, *create(held)) == ["create"]
    return held


def test_spark_reads_a_spark_view_in_the_context_of_another_database(
    spark: SparkSession, store: MetastoreStore
) -> None:
    sql = "SELECT id AS Id, upper(name) AS `the label` FROM t"
    text = Representation(dialect="spark", sql=sql, default_catalog="spark_catalog").within((DATA,))
    label = Column("the label", Primitive("string"))
    written(store, view("v", text, ID, label, comment="what is right"))
    spark.catalog.setCurrentDatabase(MADE)
    found = spark.table(f"{MADE}.v")
    assert found.collect() == [Row(**{"Id": 1, "the label": "RIGHT"})]
    assert found.dtypes == [("Id", "bigint"), ("the label", "string")]
    assert found.schema["Id"].metadata["comment"] == "the id"
    told = {row.col_name: row.data_type for row in spark.sql(f"DESC EXTENDED {MADE}.v").collect()}
    assert told["Comment"] == "what is right"
    assert told["View Catalog and Namespace"] == f"spark_catalog.{DATA}"
    assert told["Type"] == "VIEW"


def test_a_database_alone_is_one_of_the_session_catalog(
    spark: SparkSession, store: MetastoreStore
) -> None:
    text = Representation(dialect="spark", sql="SELECT name AS n FROM t").within((DATA,))
    written(store, view("v_old", text, Column("n", Primitive("string"))))
    assert spark.table(f"{MADE}.v_old").collect() == [Row(n="right")]


def test_spark_reads_a_hive_view_whose_short_names_were_written_out(
    spark: SparkSession, store: MetastoreStore
) -> None:
    text = Representation(dialect="hive", sql="select t.name as n from t").within((DATA,))
    held = written(store, view("v_hive", text, Column("n", Primitive("string"), "a name")))
    assert held.representations[0].sql == f"select t.name as n from `{DATA}`.t"
    spark.catalog.setCurrentDatabase(MADE)
    found = spark.table(f"{MADE}.v_hive")
    assert found.collect() == [Row(n="right")]
    assert found.schema["n"].metadata["comment"] == "a name"


def test_spark_takes_the_types_and_names_that_are_stated(
    spark: SparkSession, store: MetastoreStore
) -> None:
    sql = (
        "SELECT CAST(1.5 AS DECIMAL(10,2)) AS d, TIMESTAMP_NTZ'2026-01-02 03:04:05' AS ts,"
        " named_struct('A b', array('x')) AS s, CAST('ab' AS VARCHAR(3)) AS v, 1Y AS `Ünï ☃`"
    )
    struct = Struct(
        (Field("A b", ListOf(Primitive("string"), contains_null=False), nullable=False),)
    )
    columns = (
        Column("d", Primitive("decimal(10,2)")),
        Column("ts", Primitive("timestamp")),
        Column("s", struct, nullable=False),
        Column("v", Primitive("varchar(3)")),
        Column("Ünï ☃", Primitive("byte")),
    )
    written(store, view("v_types", Representation(dialect="spark", sql=sql), *columns))
    found = spark.table(f"{MADE}.v_types")
    assert [kind for _, kind in found.dtypes] == [
        "decimal(10,2)",
        "timestamp_ntz",
        "struct<A b:array<string>>",
        "string",
        "tinyint",
    ]
    (row,) = found.collect()
    assert tuple(row) == (
        Decimal("1.50"),
        datetime(2026, 1, 2, 3, 4, 5),  # noqa: DTZ001 - a timestamp without a zone
        Row(**{"A b": ["x"]}),
        "ab",
        1,
    )


def test_a_text_that_returns_other_names_is_refused_by_spark_and_never_misread(
    spark: SparkSession, store: MetastoreStore
) -> None:
    text = Representation(dialect="spark", sql="SELECT 1L AS other")
    written(store, view("v_other", text))
    with pytest.raises(AnalysisException, match="INCOMPATIBLE_VIEW_SCHEMA_CHANGE"):
        spark.table(f"{MADE}.v_other").collect()


def test_a_view_that_spark_made_is_replaced_renamed_and_read(
    spark: SparkSession, store: MetastoreStore
) -> None:
    spark.catalog.setCurrentDatabase(DATA)
    spark.sql(f"CREATE VIEW {MADE}.v_own (Label COMMENT 'c') AS SELECT name FROM t")
    (mine,) = store.present([Identifier((MADE,), "v_own")])
    (text,) = mine.representations
    other = Representation(
        dialect="spark",
        sql="SELECT concat(name, '!') AS name FROM t",
        default_catalog=text.default_catalog,
    ).within(text.default_levels)
    wanted = View(
        identifier=mine.identifier,
        columns=mine.columns,
        representations=(other,),
        properties=mine.properties,
    )
    held = store.hold(wanted).view
    assert apply(store, change(Action.REPLACE, held, mine)) == ["replace"]
    spark.catalog.refreshTable(f"{MADE}.v_own")
    assert spark.table(f"{MADE}.v_own").collect() == [Row(Label="right!")]
    assert apply(store, change(Action.RENAME, held, held, "v_new")) == ["rename"]
    assert spark.table(f"{MADE}.v_new").collect() == [Row(Label="right!")]
    (found,) = store.present([Identifier((MADE,), "v_new")])
    assert apply(store, change(Action.DROP, found, found)) == ["drop"]
    assert not spark.catalog.tableExists(f"{MADE}.v_new")


def test_spark_changes_and_drops_what_belvedere_made(
    spark: SparkSession, store: MetastoreStore
) -> None:
    text = Representation(dialect="spark", sql="SELECT id AS Id FROM t").within((DATA,))
    held = written(store, view("v_mine", text))
    spark.catalog.setCurrentDatabase(DATA)
    spark.sql(f"ALTER VIEW {MADE}.v_mine AS SELECT id + 1 AS Id FROM t")
    wanted = store.hold(view("v_mine", text, comment="late")).view
    (answer,) = store.apply([change(Action.REPLACE, wanted, held)])
    assert (answer.failure or ("",))[0] == "MOVED"
    assert spark.table(f"{MADE}.v_mine").collect() == [Row(Id=2)]
    spark.sql(f"DROP VIEW {MADE}.v_mine")
    assert list(store.present([held.identifier])) == []


def test_views_migrate_into_a_metastore_and_are_taken_back(
    spark: SparkSession, estate: Estate, metastore: EmbeddedMetastore, tmp_path: Path
) -> None:
    spark.sql("DROP DATABASE IF EXISTS moved CASCADE")
    more = {"targets": {"t": {"kind": "hms", "uri": metastore.uri}}, "engines": []}
    migration = Migration(spark, estate, tmp_path, more)
    base = hive_entry("base", "select `t`.`id` from `moved`.`t`", "moved")
    top = hive_entry("top", "select `base`.`id` from `moved`.`base`", "moved")
    migration.crawl({**TABLE, "dbName": "moved"}, base, top)
    assert migration.counts(migration.plan()) == {"create": 2}
    first = migration.apply()
    assert (first.written, first.failed) == (2, 0)
    assert migration.verify().exit_code == command.FINE
    assert migration.counts(migration.plan()) == {"keep": 2}
    told = spark.sql("DESC EXTENDED moved.base").collect()
    assert {"View Text": "select `t`.`id` from `moved`.`t`"}.items() <= {
        row.col_name: row.data_type for row in told
    }.items()
    back = migration.undo(first.run)
    assert (back.written, back.failed) == (2, 0)
    assert ("moved",) not in migration.schemas()
    with migration.store() as target:
        assert list(target.present([Identifier(("moved",), "base")])) == []
    spark.sql("DROP DATABASE IF EXISTS moved CASCADE")


def test_renamed_views_give_the_rows_of_the_old_ones_through_each_other(
    spark: SparkSession,
    store: MetastoreStore,
    metastore: EmbeddedMetastore,
    estate: Estate,
    tmp_path: Path,
) -> None:
    spark.sql("DROP DATABASE IF EXISTS bronze CASCADE")
    spark.catalog.setCurrentDatabase(DATA)
    spark.sql(f"CREATE VIEW {DATA}.base AS SELECT id, name AS `a Name` FROM t")
    spark.sql(f"CREATE VIEW {DATA}.top AS SELECT b.*, 'base' AS said FROM {DATA}.base AS b, t")
    spark.catalog.setCurrentDatabase("default")
    before = spark.table(f"{DATA}.top").collect()
    assert [row["a Name"] for row in before] == ["right"]
    rule = {"source": "lake", "target": "t", "namespace": ["bronze"], "name": "{name}_v"}
    more = {
        "engines": ["spark"],
        "catalogs": {"spark": {"spark_catalog": "lake"}},
        "mapping": [rule],
        "targets": {"t": {"kind": "hms", "uri": metastore.uri}},
    }
    migration = Migration(spark, estate, tmp_path, more)
    migration.begin({"lake": {"kind": "hms", "uri": metastore.uri, "include": [f"{DATA}.*"]}})
    migration.plan()
    (top,) = [line for line in migration.lines() if line["name"] == "top_v"]
    assert f"{DATA}.base is spark_catalog.bronze.base_v" in top["reason"]
    migration.adopt()
    assert (migration.apply().failed, migration.verify().exit_code) == (0, command.FINE)
    spark.sql(f"DROP VIEW {DATA}.base")
    moved = spark.table("bronze.top_v")
    assert moved.collect() == before
    assert moved.columns == ["id", "a Name", "said"]
    spark.sql("DROP DATABASE bronze CASCADE")


def test_the_database_of_a_plan_is_made_with_the_comment_of_its_source(
    spark: SparkSession, store: MetastoreStore
) -> None:
    spark.sql("DROP DATABASE IF EXISTS hms_new CASCADE")
    assert store.prepare([Schema(levels=("hms_new",), comment="new")]) == (("hms_new",),)
    told = {row.info_name: row.info_value for row in spark.sql("DESC DATABASE hms_new").collect()}
    assert told["Comment"] == "new"
    spark.sql("DROP DATABASE hms_new")
