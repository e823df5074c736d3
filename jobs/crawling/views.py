"""The views that a crawl saw."""

from pyspark.sql import DataFrame, SparkSession

from jobs.crawling.tables import OUTCOMES
from jobs.warehouse.warehouse import Warehouse


def views_of(spark: SparkSession, warehouse: Warehouse, run_id: str) -> DataFrame:
    """The rows of `outcomes` that are views, for Spark."""
    return warehouse.frame(spark, OUTCOMES, run_id).where("outcome = 'view'")
