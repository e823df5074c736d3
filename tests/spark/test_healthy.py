"""Nothing that its engine can read is set aside: a live metastore and a live PostgreSQL.

What looks like a table and is none of the estate's: aliases, metadata tables, an engine's own
objects, sequences, files, common table expressions, names that an expression makes.
"""

from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from jobs.assess import assess_run
from jobs.crawl import crawl_estate
from jobs.embedded.metastore import EmbeddedMetastore
from jobs.embedded.postgres import EmbeddedPostgreSQL
from jobs.embedded.thrift_writer import Writer
from jobs.tables import TABLES
from jobs.warehouse.warehouse import Warehouse
from tests.conftest import hive_entry, trino_entry
from tests.migrated import Estate

DATABASE = "well"
SPARK = {
    "v_plain": "SELECT id FROM t",
    "v_file": "SELECT id FROM parquet.`{folder}/well.db/t`",
    "v_identifier": "SELECT id FROM IDENTIFIER('well.t')",
    "v_cte": "WITH a AS (SELECT id FROM t), b AS (SELECT id FROM a) SELECT id FROM b",
    "v_values": "SELECT * FROM VALUES (1) AS missing_one(id)",
    "v_range": "SELECT id FROM range(3) AS r",
    "v_lateral": "SELECT id FROM t LATERAL VIEW explode(array(1)) x AS y",
    "v_any_case": "SELECT ID FROM SPARK_CATALOG.Well.V_PLAIN",
}
HIVE = {
    "h_star": "select `a`.* from `well`.`t` `a`",
    "h_both": "select `a`.* from `well`.`t` `a` join `well`.`v_plain` `b` on `a`.`id` = `b`.`id`",
    "h_deep": "select `q`.* from (select `a`.* from `well`.`t` `a`) `q`",
}
TRINO = {
    "t_partitions": 'SELECT count(*) id FROM "t$partitions"',
    "t_tables": "SELECT 1 id FROM information_schema.tables",
    "t_system": "SELECT 1 id FROM system.runtime.nodes",
    "t_unnest": "SELECT x id FROM UNNEST(ARRAY[1]) AS u (x)",
    "t_elsewhere": "SELECT id FROM hive.well.t",
}
POSTGRESQL = (
    "CREATE TABLE well.t (id int)",
    "CREATE SEQUENCE well.numbers",
    "CREATE VIEW well.p_class AS SELECT relname FROM pg_class",
    "CREATE VIEW well.p_sequence AS SELECT last_value FROM well.numbers",
    "CREATE VIEW well.p_schema AS SELECT table_name FROM information_schema.tables",
    (
        "CREATE VIEW well.p_forward AS"
        " WITH RECURSIVE a AS (SELECT n FROM b), b AS (SELECT 1 AS n) SELECT n FROM a"
    ),
    "CREATE VIEW well.p_series AS SELECT n FROM generate_series(1, 3) AS n",
    "CREATE VIEW well.p_plain AS SELECT t.* FROM well.t",
)


@pytest.mark.timeout(900)
def test_no_healthy_view_is_set_aside(
    spark: SparkSession,
    metastore: EmbeddedMetastore,
    hms: Writer,
    postgresql: EmbeddedPostgreSQL,
    estate: Estate,
    tmp_path: Path,
) -> None:
    spark.sql(f"DROP DATABASE IF EXISTS {DATABASE} CASCADE")
    spark.sql(f"CREATE DATABASE {DATABASE}")
    spark.sql(f"CREATE TABLE {DATABASE}.t USING parquet AS SELECT 1 AS id")
    spark.catalog.setCurrentDatabase(DATABASE)
    for name, text in SPARK.items():
        spark.sql(f"CREATE VIEW {name} AS {text.format(folder=metastore.warehouse)}")
        assert spark.table(name).count() >= 0, "Spark itself reads it"
    spark.catalog.setCurrentDatabase("default")
    for name, text in HIVE.items():
        hms.create_table(hive_entry(name, text, DATABASE))
    for name, text in TRINO.items():
        catalog = {"catalog": "tpch", "schema": "tiny"} if name == "t_elsewhere" else {}
        hms.create_table(trino_entry(name, text, DATABASE, **catalog))
    postgresql.execute(("DROP SCHEMA IF EXISTS well CASCADE", "CREATE SCHEMA well", *POSTGRESQL))

    sources = {
        "lake": {"kind": "hms", "uri": metastore.uri, "include": [DATABASE]},
        "shop": {
            "kind": "postgresql",
            "url": postgresql.url(),
            "user": "postgres",
            "include": [DATABASE],
        },
    }
    catalogs = {"trino": {"hive": "lake"}, "spark": {"spark_catalog": "lake"}}
    engines = ["hive", "postgresql", "spark", "trino"]
    config = estate(sources, engines=engines, catalogs=catalogs)
    run = crawl_estate(spark, config).run_id
    assess_run(spark, config, run)
    waves = list(Warehouse(config.warehouse).table(TABLES["waves"], run))
    views = {*SPARK, *HIVE, *TRINO} | {text.split(".")[1].split()[0] for text in POSTGRESQL[2:]}
    assert {row["name"] for row in waves} == views
    assert [(row["name"], row["aside"], row["because"]) for row in waves if row["aside"]] == []
    spark.sql(f"DROP DATABASE {DATABASE} CASCADE")
