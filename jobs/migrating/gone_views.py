"""What is proven to be gone from its source of what belvedere has written and nobody wants."""

from collections.abc import Mapping

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f
from pyspark.sql.types import StringType, StructField, StructType

from discovery.display import quantity
from discovery.patterns import Patterns
from jobs.console import command
from jobs.migrating.our_writes import at_source
from jobs.migrating.tables import KEY
from jobs.migrating.workers import planning
from jobs.warehouse.carried import Carried
from jobs.warehouse.warehouse import Warehouse


def find_gone(
    spark: SparkSession,
    warehouse: Warehouse,
    orphaned: DataFrame,
    run_id: str,
    asked: Mapping[str, Patterns],
) -> DataFrame:
    """The rows of what is proven to be gone; says how much stays, and why.

    Args:
        spark: The session.
        warehouse: Where the run is.
        orphaned: What we wrote and no view of the run is mapped to.
        run_id: The run.
        asked: What of each source was asked for.
    """
    kept = at_source(spark, warehouse, run_id).withColumn("is_at_source", f.lit(True))
    joined = orphaned.join(kept, KEY, "left")
    schema = StructType([*joined.schema.fields, StructField("stays", StringType())])
    marked = joined.mapInArrow(Carried(planning.say_why_kept(asked)), schema).localCheckpoint()
    staying = marked.where("stays is not null").groupBy("target", "stays").count()
    for target, why, number in staying.orderBy("target", "stays").collect():
        staying_views = quantity(number, "view stays", "views stay")
        command.say(f"{target}: {staying_views} where no rule leads any more: {why}")
    return marked.where("stays is null").drop("is_at_source", "stays")
