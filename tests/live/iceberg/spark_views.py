"""Run by a PySpark of its own (4.1.4): makes Iceberg views and prints what Spark says of them.

Arguments: the type of the catalog (`rest`, `hive`) and its URI. One JSON line at the end: name of
the view to its columns (name, type as Spark's JSON, nullable, comment), comment, context and SQL.
"""

import json
import sys
from pathlib import Path

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
views = ["ice.v_plain", "ice.v_cols", "ice.v_types", "ice.v_versions"]
scripts = ["spark.sql"]
if kind == "rest":  # a metastore has no nested namespaces
    scripts.append("spark_nested.sql")
    views.append("ice.eu.west.v_deep")
for script in scripts:
    for statement in (Path(__file__).parent / script).read_text("utf-8").split(";\n")[:-1]:
        spark.sql(statement)
told = {}
for view in views:
    shown = spark.sql(f"show create table prod.{view}").collect()[0][0]
    described = {row[0]: row[1] for row in spark.sql(f"describe extended prod.{view}").collect()}
    told[view] = {
        "columns": [
            {
                "name": struct_field.name,
                "type": struct_field.dataType.jsonValue(),
                "nullable": struct_field.nullable,
                "comment": struct_field.metadata.get("comment"),
            }
            for struct_field in spark.table(f"prod.{view}").schema
        ],
        "sql": shown.partition("AS\n")[2].rstrip("\n"),
        "comment": described.get("Comment"),
        "context": described["View Catalog and Namespace"],
    }
print(json.dumps(told))
spark.stop()
