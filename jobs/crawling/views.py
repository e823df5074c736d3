"""The views that a crawl saw."""

from pyspark.sql import DataFrame, SparkSession

from jobs.crawling.tables import OUTCOMES
from jobs.warehouse.warehouse import Warehouse


def views_of(spark: SparkSession, warehouse: Warehouse, run_id: str) -> DataFrame:
    """The rows of `outcomes` that are views, for Spark."""
    return warehouse.frame(spark, OUTCOMES, run_id).where("outcome = 'view'")


def count_views(warehouse: Warehouse, run_id: str) -> int:
    """How many of them there are."""
    return warehouse.count_rows(OUTCOMES, run_id, ("outcome",))["view",]
