"""A warehouse as it would be on HDFS: nothing but Spark and its JVM reads it."""

from pyspark.sql import SparkSession

from jobs.warehouse.evidence import Manifests
from jobs.warehouse.storage import HadoopStorage
from jobs.warehouse.warehouse import Warehouse


def by_spark(place: str, spark: SparkSession) -> Warehouse:
    """The warehouse of a folder, reached through Hadoop's file systems."""
    warehouse, uri = Warehouse(place), f"file://{place}"
    warehouse._place, warehouse._spark, warehouse._storage = uri, spark, HadoopStorage(spark, uri)
    warehouse._evidence = Manifests(warehouse._storage, uri)
    return warehouse
