"""Rows of an earlier run go from file to file: all but those that are left out."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from discovery.errors import EvidenceError
from jobs.warehouse.retained import copy_rows

SCHEMA = pa.schema([("id", pa.int64()), ("model", pa.string()), ("seen_in", pa.string())])
COUNT = 2_500
"""More than two batches of a file that is read."""


def file(place: Path, schema: pa.Schema = SCHEMA) -> str:
    seen = [None if number % 2 else "r1" for number in range(COUNT)]
    columns = {"id": range(COUNT), "model": ["é"] * COUNT, "seen_in": seen}
    path = str(place / "part-0.parquet")
    pq.write_table(
        pa.table(columns, schema=schema), path, use_dictionary=False, write_page_checksum=True
    )
    return path


@pytest.mark.parametrize("left_out", [(), (0,), (999, 1000, 1001, COUNT - 1), range(COUNT)])
def test_all_rows_are_there_but_those_left_out(tmp_path: Path, left_out: tuple[int, ...]) -> None:
    rows = pa.Table.from_batches(copy_rows(file(tmp_path), SCHEMA, frozenset(left_out), {}), SCHEMA)
    assert rows.column("id").to_pylist() == sorted(set(range(COUNT)) - set(left_out))


def test_what_was_null_says_where_it_is_from(tmp_path: Path) -> None:
    rows = pa.Table.from_batches(copy_rows(file(tmp_path), SCHEMA, (), {"seen_in": "r2"}), SCHEMA)
    assert rows.column("seen_in").to_pylist() == ["r1", "r2"] * (COUNT // 2)


def test_columns_are_those_of_the_dataset_whatever_wrote_the_file(tmp_path: Path) -> None:
    written = pa.schema(
        [("model", pa.large_string()), ("seen_in", pa.string()), ("id", pa.int32())]
    )
    for batch in copy_rows(file(tmp_path, written), SCHEMA, (), {}):
        assert batch.schema == SCHEMA


def test_a_byte_that_has_changed_is_no_row(tmp_path: Path) -> None:
    path = file(tmp_path)
    column = pq.read_metadata(path).row_group(0).column(0)
    data = bytearray(Path(path).read_bytes())
    data[column.data_page_offset + column.total_compressed_size - 1] ^= 1
    Path(path).write_bytes(data)
    with pytest.raises(EvidenceError, match=r"part-0\.parquet: cannot be read"):
        list(copy_rows(path, SCHEMA, (), {}))
