"""Why changes of a plan are not written: a row for each, with code, message and hint."""

from typing import Final

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as f

from discovery.errors import BelvedereError, MovedError
from discovery.migration.changes import Blocked
from jobs.crawling import tables as rows
from jobs.migrating.listings import seen_by
from jobs.migrating.our_writes import at_source
from jobs.migrating.plan_folder import PlanHead
from jobs.migrating.tables import KEY
from jobs.warehouse.warehouse import Warehouse

WHY: Final = ("code", "message", "hint")


def recheck(
    spark: SparkSession, warehouse: Warehouse, head: PlanHead, changes: DataFrame
) -> DataFrame | None:
    """What has changed in its source since the plan was made, as far as a later crawl saw it.

    So has what is to be dropped, if it is there again.
    """
    if head.undoes is not None:
        return None
    latest = warehouse.run(None)
    if latest.run_id == head.crawl:
        return None
    origins = changes.select(*KEY, f.explode("origins").alias("one")).select(
        *KEY, "one.source", f.col("one.key").alias("of"), "one.at"
    )
    outcomes = warehouse.frame(spark, rows.OUTCOMES, latest.run_id).where("entity = 'object'")
    seen = outcomes.select("source", f.col("key").alias("of"), "outcome", "fingerprint")
    crawled = seen.select("source").distinct()
    joined = origins.join(f.broadcast(crawled), "source").join(seen, ["source", "of"], "left")
    gone = f.lit(seen_by(latest).complete) & f.col("outcome").isNull()
    other = (f.col("outcome") == "view") & (f.col("fingerprint") != f.col("at"))
    again = at_source(spark, warehouse, latest.run_id)
    back = changes.where("action = 'drop'").select(*KEY).join(again, KEY, "left_semi")
    moved = joined.where(gone | other).select(*KEY).unionByName(back).distinct()
    error = MovedError(f"its source has changed since the plan was made: run {latest.run_id}")
    return moved.select(*KEY, *_error_columns(error))


def all_of(changes: DataFrame, target: str, error: BelvedereError) -> DataFrame:
    """The reason why nothing is written into a target, for each change."""
    return changes.where(changes["target"] == target).select(*KEY, *_error_columns(error))


def because(below: DataFrame | None) -> DataFrame | None:
    """The reason why what stands on something that failed is not written."""
    if below is None:
        return None
    hint = f.lit("mend that, and apply the plan again").alias("hint")
    code = f.lit(Blocked.BLOCKED_BY.value).alias("code")
    return below.select(*KEY, code, f.col("below").alias("message"), hint)


def _error_columns(error: BelvedereError) -> list[Column]:
    texts = (error.code, str(error), error.hint)
    return [f.lit(text).alias(name) for name, text in zip(WHY, texts, strict=True)]
