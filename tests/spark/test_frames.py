"""Rows of a frame, as Python reads them."""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as f

from jobs.warehouse.datasets import Dataset
from jobs.warehouse.frames import read, stream_rows


@pytest.mark.parametrize("name", ["at 10:00", "st*r [x]?{a,b}:z", "%41#é", "back\\slash"])
def test_files_are_read_whatever_signs_their_folder_has(
    spark: SparkSession, tmp_path: Path, name: str
) -> None:
    (folder := tmp_path / name).mkdir()
    numbers = Dataset.of("numbers", [pa.field("n", pa.int64())])
    for number in range(2):
        pq.write_table(pa.table({"n": [number]}, numbers.schema), folder / f"part-{number}.parquet")
    found = read(spark, numbers, [f"file://{folder}"])
    assert sorted(row.n for row in found.collect()) == [0, 1]
    one = read(spark, numbers, [f"file://{folder}/part-1.parquet"])
    assert [row.n for row in one.collect()] == [1]


def test_streamed_rows_leave_nothing_with_the_scheduler(spark: SparkSession) -> None:
    few = spark.range(3).withColumn("name", f.concat(f.lit("n"), "id"))
    joined = spark.range(9, numPartitions=3).join(f.broadcast(few), "id").orderBy("id")
    before = _queries_at_work(spark)
    rows = [row.asDict() for row in stream_rows(joined.select("name"))]
    assert rows == [{"name": f"n{number}"} for number in range(3)]
    assert _queries_at_work(spark) == before


def _queries_at_work(spark: SparkSession) -> int:
    """Of how many queries the scheduler keeps jobs."""
    context: Any = spark.sparkContext._jsc.sc()
    number: int = context.dagScheduler().activeQueryToJobs().size()
    return number
