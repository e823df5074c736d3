"""What is proven to be gone from its source of what belvedere has written and nobody wants."""

from typing import Final

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f
from pyspark.sql.pandas.types import from_arrow_schema

from discovery.patterns import Patterns
from jobs.configuration.loader import RunConfig
from jobs.console import command
from jobs.crawling.including import patterns_of
from jobs.migrating.our_writes import at_source, latest_origins
from jobs.migrating.tables import KEY
from jobs.migrating.workers import planning
from jobs.warehouse.carried import Carried
from jobs.warehouse.warehouse import Warehouse

_PLACES: Final = pa.schema([(name, pa.string()) for name in KEY])
_KEPT: Final = "their sources have them"
_LEFT_OUT: Final = "their sources were not asked for them (`include`, `exclude`)"
_UNKNOWN: Final = "an earlier belvedere wrote them, and did not note of which views"


def find_gone(
    spark: SparkSession,
    warehouse: Warehouse,
    orphaned: DataFrame,
    run_id: str,
    config: RunConfig,
) -> DataFrame:
    """The rows of what is proven to be gone; says how much stays, and why.

    Args:
        spark: The session.
        warehouse: Where the run is.
        orphaned: What we wrote and no view of the run is mapped to.
        run_id: The run.
        config: Says what was asked for where the run does not: an earlier belvedere's.
    """
    asked = {**patterns_of(config.sources), **warehouse.run(run_id).record.patterns}
    kept = at_source(spark, warehouse, run_id).withColumn("kept", f.lit(_KEPT))
    if any(patterns != Patterns() for patterns in asked.values()):
        left_out = (
            latest_origins(spark, warehouse)
            .mapInArrow(Carried(planning.find_left_out(asked)), from_arrow_schema(_PLACES))
            .withColumn("kept", f.lit(_LEFT_OUT))
        )
        kept = kept.unionByName(left_out).groupBy(*KEY).agg(f.min("kept").alias("kept"))
    joined = orphaned.join(kept, KEY, "left")
    stays = f.coalesce("kept", f.when(~f.col("is_known"), _UNKNOWN))
    marked = joined.withColumn("stays", stays).localCheckpoint()
    staying = marked.where("stays is not null").groupBy("target", "stays").count()
    for target, why, number in staying.orderBy("target", "stays").collect():
        command.say(f"{target}: {number:,} views stay where no rule leads any more: {why}")
    return marked.where("stays is null").drop("kept", "is_known", "stays")
