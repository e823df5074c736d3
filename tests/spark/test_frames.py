"""Rows of a frame, as Python reads them."""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as f
from pyspark.sql.pandas.types import from_arrow_schema

from jobs.tables import DATASETS
from jobs.warehouse.datasets import Dataset
from jobs.warehouse.frames import frame_of, read, stream_rows, write


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


def test_rows_of_the_driver_are_a_frame(spark: SparkSession, tmp_path: Path) -> None:
    places = pa.schema([("source", pa.string()), ("levels", pa.list_(pa.string()))])
    frame = frame_of(spark, places, [("a", ["x", "y"]), ("half \ud800", None)])
    rows = [tuple(row) for row in frame.orderBy("source").collect()]
    assert rows == [("a", ["x", "y"]), ("half \\ud800", None)]
    write(frame_of(spark, places), f"file://{tmp_path}/none", replaces=True)
    (written,) = tmp_path.glob("none/part-*.parquet")
    assert pq.read_table(written).num_rows == 0, "a dataset without rows has a file"


def test_what_no_rows_are_joined_with_is_not_read(
    spark: SparkSession, capsys: pytest.CaptureFixture[str]
) -> None:
    many = spark.range(3)
    for schema in (dataset.schema for dataset in DATASETS.values()):
        assert frame_of(spark, schema).schema == from_arrow_schema(schema)
    nothing = frame_of(spark, pa.schema([("id", pa.int64())]))
    many.join(nothing, "id").unionByName(nothing).explain()
    assert "Join" not in (plan := capsys.readouterr().out)
    assert "LocalTableScan <empty>" in plan
