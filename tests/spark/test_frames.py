"""Rows of a frame, as Python reads them."""

from typing import Any

from pyspark.sql import SparkSession
from pyspark.sql import functions as f

from jobs.warehouse.frames import streamed


def test_streamed_rows_leave_nothing_with_the_scheduler(spark: SparkSession) -> None:
    few = spark.range(3).withColumn("name", f.concat(f.lit("n"), "id"))
    joined = spark.range(9, numPartitions=3).join(f.broadcast(few), "id").orderBy("id")
    before = _queries_at_work(spark)
    rows = [row.asDict() for row in streamed(joined.select("name"))]
    assert rows == [{"name": f"n{number}"} for number in range(3)]
    assert _queries_at_work(spark) == before


def _queries_at_work(spark: SparkSession) -> int:
    """Of how many queries the scheduler keeps jobs."""
    context: Any = spark.sparkContext._jsc.sc()
    number: int = context.dagScheduler().activeQueryToJobs().size()
    return number
