"""What the sources of new views said of them, for stores that keep the versions before."""

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f

from discovery.ports import Action
from jobs.crawling.tables import OUTCOMES
from jobs.migrating.plan_folder import PlanHead
from jobs.warehouse.warehouse import Warehouse


def with_raw(
    spark: SparkSession, warehouse: Warehouse, head: PlanHead, changes: DataFrame
) -> DataFrame:
    """Changes with the column `raw`: of each new view, what the first source of it said.

    What an undo makes was there before, as it makes it: no source has said that.

    Args:
        spark: The session.
        warehouse: Where the run is.
        head: Of the plan.
        changes: Rows of `changes`.
    """
    if head.undoes is not None:
        return changes
    outcomes = warehouse.frame(spark, OUTCOMES, head.crawl).where(
        "outcome = 'view' AND format = 'iceberg'"
    )
    first = f.when(f.col("action") == Action.CREATE.value, f.try_element_at("origins", f.lit(1)))
    keyed = changes.withColumn("origin", first).selectExpr(
        "*", "origin.source AS raw_source", "origin.key AS raw_key"
    )
    raws = outcomes.selectExpr("source AS raw_source", "key AS raw_key", "raw")
    return keyed.join(raws, ["raw_source", "raw_key"], "left").drop("origin")
