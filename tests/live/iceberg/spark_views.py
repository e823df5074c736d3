"""Run by a PySpark of its own (4.1.4): makes Iceberg views and prints what Spark says of them.

Arguments: the type of the catalog (`rest`, `hive`) and its URI. One JSON line at the end: name of
the view to its columns (name, type as Spark's JSON, nullable, comment), comment, context and SQL.
"""

import json
import sys

from pyspark.sql import SparkSession

RUNTIME = "org.apache.iceberg:iceberg-spark-runtime-4.1_2.13:1.12.0"
kind, uri, warehouse = sys.argv[1:4]
CATALOG = "spark.sql.catalog.prod"
spark = (
    SparkSession.builder.master("local[1]")
    .config("spark.ui.enabled", "false")
    .config("spark.driver.bindAddress", "127.0.0.1")
    .config("spark.driver.host", "127.0.0.1")
    .config("spark.jars.packages", RUNTIME)
    .config("spark.hadoop.iceberg.engine.hive.lock-enabled", "false")  # Derby has no lock tables
    .config(
        "spark.sql.extensions",
        "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions",
    )
    .config(CATALOG, "org.apache.iceberg.spark.SparkCatalog")
    .config(f"{CATALOG}.type", kind)
    .config(f"{CATALOG}.uri", uri)
    .config(f"{CATALOG}.warehouse", warehouse)
    .getOrCreate()
)
spark.sparkContext.setLogLevel("OFF")
STATEMENTS = """
create namespace if not exists prod.ice
create table if not exists prod.ice.events (id bigint not null comment 'the id', name string, amt decimal(10,2), ts timestamp, ntz timestamp_ntz, d date, tags array<string>, m map<string,int>, st struct<a:int,b:string>, bin binary, f float) using iceberg
use prod.ice
create or replace view v_plain comment 'an iceberg view' tblproperties ('k'='v') as select id, name from events where amt > 1
create or replace view v_cols (event_count comment 'Count of events', event_date) comment 'Daily event counts' as select count(1), cast(ts as date) from events group by 2
create or replace view v_types as select * from prod.ice.events
create or replace view v_versions as select id, 0 as n from events
create or replace view v_versions as select id, 1 as n from events
create or replace view v_versions as select id, 2 as n from events where name = 'it''s "x"'
alter view v_versions set tblproperties ('k2'='x')
"""
NESTED = """
create namespace if not exists prod.ice.eu
create namespace if not exists prod.ice.eu.west comment 'the west'
create or replace view prod.ice.eu.west.v_deep as select id from prod.ice.events
"""
views = ["ice.v_plain", "ice.v_cols", "ice.v_types", "ice.v_versions"]
for statement in STATEMENTS.strip().splitlines():
    spark.sql(statement)
if kind == "rest":
    for statement in NESTED.strip().splitlines():
        spark.sql(statement)
    views.append("ice.eu.west.v_deep")
told = {}
for view in views:
    shown = spark.sql(f"show create table prod.{view}").collect()[0][0]
    described = {row[0]: row[1] for row in spark.sql(f"describe extended prod.{view}").collect()}
    told[view] = {
        "columns": [
            {
                "name": one.name,
                "type": one.dataType.jsonValue(),
                "nullable": one.nullable,
                "comment": one.metadata.get("comment"),
            }
            for one in spark.table(f"prod.{view}").schema
        ],
        "sql": shown.partition("AS\n")[2].rstrip("\n"),
        "comment": described.get("Comment"),
        "context": described["View Catalog and Namespace"],
    }
print(json.dumps(told))
spark.stop()
