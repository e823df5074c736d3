"""Rows that executors write themselves are those that Spark would have written."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import pyarrow as pa
import pytest
from pyspark.errors import PythonException
from pyspark.sql import SparkSession

from jobs.warehouse.datasets import Dataset, StageTables
from jobs.warehouse.parts import DerivedRows
from jobs.warehouse.retained import FILE, ROW, with_places
from jobs.warehouse.warehouse import Warehouse

NUMBERS = Dataset.of(
    "numbers", [pa.field("id", pa.int64()), pa.field("tags", pa.list_(pa.string()))]
)
STAGE = StageTables("counting", (NUMBERS,), "count again")


def tagged(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        numbers = batch.column("id").to_pylist()
        rows = {
            "id": numbers,
            "tags": [[str(number), None] if number % 2 else None for number in numbers],
        }
        yield pa.RecordBatch.from_pydict(rows, schema=NUMBERS.schema)


def rows(spark: SparkSession, warehouse: Warehouse, run_id: str) -> list[tuple[int, object]]:
    """By Spark and by Arrow the same."""
    by_spark = warehouse.frame(spark, NUMBERS, run_id).orderBy("id").collect()
    by_arrow = sorted(warehouse.table(NUMBERS, run_id), key=lambda row: row["id"])
    assert [row.asDict() for row in by_spark] == by_arrow
    return [(row["id"], row["tags"]) for row in by_arrow]


@pytest.mark.parametrize("count", [0, 7])
def test_rows_are_those_that_spark_writes(spark: SparkSession, tmp_path: Path, count: int) -> None:
    warehouse = Warehouse(str(tmp_path), spark)
    made = DerivedRows(NUMBERS, spark.range(count, numPartitions=3), tagged)
    for run_id in ("mine", "sparks"):
        warehouse.begin(STAGE, run_id)
    warehouse.write(NUMBERS, "sparks", made.rows())
    for _ in range(2):  # what an earlier attempt has left is replaced
        warehouse.write_derived("mine", made)
    for run_id in ("mine", "sparks"):
        warehouse.seal(STAGE, run_id)
    assert rows(spark, warehouse, "mine") == rows(spark, warehouse, "sparks")
    assert len(rows(spark, warehouse, "mine")) == count


def test_a_job_that_fails_leaves_nothing_that_is_read(spark: SparkSession, tmp_path: Path) -> None:
    def failing(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in tagged(batches):
            assert batch.column("id")[0].as_py() < 4, "the last partition fails"
            yield batch

    warehouse = Warehouse(str(tmp_path), spark)
    warehouse.begin(STAGE, "night")
    with pytest.raises(PythonException, match="the last partition fails"):
        warehouse.write_derived(
            "night", DerivedRows(NUMBERS, spark.range(7, numPartitions=3), failing)
        )
    assert not [path for path in tmp_path.rglob("part-*") if path.suffix == ".parquet"]


def test_rows_that_are_taken_over_are_the_same_by_workers_and_by_spark(
    spark: SparkSession, tmp_path: Path
) -> None:
    warehouse = Warehouse(str(tmp_path / "an estate of 100 %, é"), spark)
    with warehouse.sealing(STAGE, "before"):
        made = DerivedRows(NUMBERS, spark.range(7, numPartitions=3), tagged)
        warehouse.write_derived("before", made, made)
    before = with_places(warehouse.frame(spark, NUMBERS, "before"))
    left_out = before.where("id in (2, 3)").select(FILE, ROW)
    kept = warehouse.retain_rows(spark, NUMBERS, "before", left_out, {})
    with warehouse.sealing(STAGE, "by_spark"):
        warehouse.write(NUMBERS, "by_spark", kept.rows())
    with warehouse.sealing(STAGE, "by_workers"):
        warehouse.write_derived("by_workers", kept)
    found = rows(spark, warehouse, "by_workers")
    assert found == rows(spark, warehouse, "by_spark")
    assert [number for number, _ in found] == sorted([0, 1, 4, 5, 6] * 2)
