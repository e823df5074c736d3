"""Run by a PySpark of its own (4.1.4): reads, alters and drops views of an Iceberg JDBC catalog.

Arguments: the file of the catalog's SQLite database, the warehouse, and statements; one JSON line
at the end: the rows of each statement, or why it is refused. `SCHEMA` with a name asks for the
schema of a table or view, as JSON in a row.
"""

import json
import sys

from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

PACKAGES = (
    "org.apache.iceberg:iceberg-spark-runtime-4.1_2.13:1.12.0,org.xerial:sqlite-jdbc:3.49.1.0"
)
database, warehouse, *statements = sys.argv[1:]
CATALOG = "spark.sql.catalog.prod"
spark = (
    SparkSession.builder.master("local[1]")
    .config("spark.ui.enabled", "false")
    .config("spark.driver.bindAddress", "127.0.0.1")
    .config("spark.driver.host", "127.0.0.1")
    .config("spark.jars.packages", PACKAGES)
    .config(
        "spark.sql.extensions",
        "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions",
    )
    .config(CATALOG, "org.apache.iceberg.spark.SparkCatalog")
    .config(f"{CATALOG}.type", "jdbc")
    .config(f"{CATALOG}.uri", f"jdbc:sqlite:{database}")
    .config(f"{CATALOG}.jdbc.schema-version", "V1")
    .config(f"{CATALOG}.warehouse", warehouse)
    .getOrCreate()
)
spark.sparkContext.setLogLevel("OFF")


def said(sql: str) -> list[list[object]] | str:
    """The rows of a statement, or why it is refused."""
    try:
        if sql.startswith("SCHEMA "):
            return [[spark.table(sql.partition(" ")[2]).schema.json()]]
        return [list(row) for row in spark.sql(sql).collect()]
    except PySparkException as refusal:
        return str(refusal).partition("\n")[0]


print(json.dumps([said(statement) for statement in statements]))
spark.stop()
