"""Parquet files as Python's values: times, columns that are not there, rows that are wanted."""

import subprocess
import sys
import zipfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from jobs.warehouse.cells import Cells, read_cells, rows_of

REPOSITORY = Path(__file__).parents[2]
NOON = datetime(2026, 11, 21, 12, 0, 0, 123456, UTC)
SCHEMA = pa.schema([("name", pa.string()), ("at", pa.timestamp("us", "UTC")), ("wave", pa.int32())])


def written(place: Path, table: pa.Table, **options: Any) -> list[str]:
    pq.write_table(table, place / "one.parquet", **options)
    return [str(place / "one.parquet")]


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        (pa.timestamp("us", "UTC"), {}),
        (pa.timestamp("us", "Asia/Kathmandu"), {}),
        (pa.timestamp("ns", "UTC"), {}),
        (pa.timestamp("ns"), {"use_deprecated_int96_timestamps": True}),  # as Spark writes them
    ],
)
def test_a_time_is_an_instant_in_utc(
    tmp_path: Path, kind: pa.DataType, options: dict[str, Any]
) -> None:
    before = datetime(1969, 12, 31, 23, 59, 59, 999999, UTC)
    values = [NOON, None, before]
    if kind.tz is None:
        values = [value and value.replace(tzinfo=None) for value in values]
    files = written(tmp_path, pa.table({"at": pa.array(values, kind)}), **options)
    (found,) = read_cells(files, SCHEMA, ["at"])
    assert found == {"at": [NOON, None, before]}
    assert [one.tzinfo for one in found["at"] if one] == [UTC, UTC]


def test_a_column_that_a_file_does_not_have_is_null(tmp_path: Path) -> None:
    files = written(tmp_path, pa.table({"name": ["a", "b"]}))
    assert list(read_cells(files, SCHEMA, ["wave", "name"])) == [
        {"wave": [None, None], "name": ["a", "b"]}
    ]
    assert list(read_cells(files, SCHEMA, ["wave"])) == [{"wave": [None, None]}]


def test_what_counted_from_nought_counts_from_one(tmp_path: Path) -> None:
    files = written(tmp_path, pa.table({"wave": pa.array([0, None, 4], pa.int32())}))
    assert list(read_cells(files, SCHEMA, ["wave"], raised=["wave"])) == [{"wave": [1, None, 5]}]


def test_rows_are_those_that_are_wanted() -> None:
    cells: Cells = {"name": ["a", "b", None], "kind": ["x", "y", "x"], "at": [1, 2, 3]}
    assert list(rows_of(cells, ["at"], {"kind": ["x"], "name": ["a", "b"]})) == [{"at": 1}]
    assert list(rows_of(cells, ["at", "name"], {})) == [
        {"at": 1, "name": "a"},
        {"at": 2, "name": "b"},
        {"at": 3, "name": None},
    ]
    assert list(rows_of(cells, ["at"], {"kind": []})) == []


def test_a_report_of_few_views_does_not_import_pandas(tmp_path: Path) -> None:
    with zipfile.ZipFile(REPOSITORY / "tests" / "layouts" / "1.zip") as stored:
        stored.extractall(tmp_path)
    (warehouse,) = (path.parent for path in tmp_path.rglob("runs"))
    code = (
        "import sys; from jobs.report import main; "
        f"code = main(['--warehouse', {str(warehouse)!r}, '--out', {str(tmp_path / 'r')!r}]); "
        "print(code, 'pandas' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "0 False", done.stderr


def test_a_file_that_another_one_has_removed_meanwhile_is_named(tmp_path: Path) -> None:
    (file,) = written(tmp_path, pa.table({"name": ["a"]}))
    cells = read_cells([file], SCHEMA, ["name"])
    Path(file).unlink()
    with pytest.raises(FileNotFoundError) as raised:
        list(cells)
    assert raised.value.filename == file
