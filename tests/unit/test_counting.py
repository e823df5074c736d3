"""Rows that executors are done with are counted, and reach the function as they are."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import pyarrow as pa
from pyspark import cloudpickle

from jobs.warehouse.counting import CountedRows, count

SCHEMA = pa.schema([("n", pa.int64())])


def halves(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Hands on the first half of each batch."""
    for batch in batches:
        yield batch.slice(0, batch.num_rows // 2)


def batch(*numbers: int) -> pa.RecordBatch:
    return pa.RecordBatch.from_arrays([pa.array(numbers, pa.int64())], schema=SCHEMA)


def test_what_is_done_is_counted_while_the_rest_is_not(tmp_path: Path) -> None:
    run = cloudpickle.loads(cloudpickle.dumps(CountedRows(halves, str(tmp_path))))  # type: ignore[no-untyped-call] # it has no types
    answers = run([batch(*range(300)), batch(), batch(1, 2)])
    assert count(str(tmp_path)) == 0
    assert next(answers).column(0).to_pylist() == list(range(64))
    assert count(str(tmp_path)) == 0, "the function may still be at these"
    next(answers)
    assert count(str(tmp_path)) == 128
    left = [number for answer in answers for number in answer.column(0).to_pylist()]
    assert left == [*range(256, 256 + 22), 1]
    assert count(str(tmp_path)) == 302


def test_processes_count_side_by_side(tmp_path: Path) -> None:
    (tmp_path / "another").write_bytes(b"." * 7)
    list(CountedRows(halves, str(tmp_path))([batch(1, 2, 3)]))
    assert count(str(tmp_path)) == 10
