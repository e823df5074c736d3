"""Files in which a byte is another: rows are as they were written, or the file is named."""

import shutil
from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from discovery.errors import EvidenceError, UnknownLayoutError
from jobs.console.ending import ending
from jobs.migrating.tables import APPLIES
from jobs.warehouse.cells import read_cells, rows_of
from jobs.warehouse.compaction import compact
from jobs.warehouse.evidence import marked
from jobs.warehouse.manifest import LAYOUT
from jobs.warehouse.notes import pack_note, read_note
from jobs.warehouse.storage import LocalStorage
from jobs.warehouse.warehouse import Warehouse

ROW = ("x0", "p0", "anna", datetime(2026, 11, 21, 1, 2, 3, 4, tzinfo=UTC))
NAMED = dict(zip(APPLIES.names, ROW, strict=True))
NUMBERS = pa.schema([pa.field("n", pa.string())])


def test_whatever_byte_of_a_note_changes_its_rows_are_as_written_or_it_is_refused() -> None:
    sound = pack_note(APPLIES, [ROW])
    assert list(read_note(sound, APPLIES)) == [NAMED]
    refused = 0
    for at in range(len(sound)):
        data = bytearray(sound)
        data[at] ^= 1 << at % 8
        try:
            assert list(read_note(bytes(data), APPLIES)) == [NAMED], at
        except (EvidenceError, OSError, UnknownLayoutError):
            refused += 1
    assert refused > len(sound) // 4


def test_a_note_that_was_written_without_a_digest_is_read() -> None:
    written = pa.BufferOutputStream()
    pq.write_table(pa.Table.from_pylist([NAMED], marked(APPLIES.schema, LAYOUT)), written)
    assert list(read_note(written.getvalue().to_pybytes(), APPLIES)) == [NAMED]


def test_a_note_whose_layout_is_not_known_is_named(tmp_path: Path) -> None:
    warehouse = Warehouse(str(tmp_path))
    warehouse.note(APPLIES, "x0", ROW)
    path = next(tmp_path.rglob("*.parquet"))
    table = pq.read_table(path).replace_schema_metadata({"belvedere.layout": "99"})
    pq.write_table(table, path)
    with pytest.raises(UnknownLayoutError, match="applies of x0: a file has layout 99"):
        list(warehouse.table(APPLIES, "*"))


def test_a_copy_of_a_note_is_no_second_row(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    warehouse = Warehouse(str(tmp_path))
    warehouse.note(APPLIES, "x0", ROW)
    path = next(tmp_path.rglob("*.parquet"))
    shutil.copy(path, path.with_name("part-0.copy.parquet"))
    shutil.copytree(path.parent, path.parent.with_name("run_id=x0.bak"))
    assert list(warehouse.table(APPLIES, "*")) == [NAMED]
    assert "applies of x0.bak is left out: its row is that of x0" in capsys.readouterr().err


def test_rows_of_which_a_byte_is_another_are_no_bug_and_name_their_file(tmp_path: Path) -> None:
    path = tmp_path / "part-0.parquet"
    pq.write_table(pa.Table.from_pylist([{"n": "é" * 100}], NUMBERS), path, compression="zstd")
    sound, told = path.read_bytes(), set()
    for at in range(4, 60):
        data = bytearray(sound)
        data[at] ^= 0x80
        path.write_bytes(data)
        try:
            list(read_cells([str(path)], NUMBERS, ["n"]))
        except EvidenceError as error:
            told.add(str(error).partition(": cannot be read: ")[0])
    assert told == {str(path)}
    with pytest.raises(FileNotFoundError):
        list(read_cells([str(tmp_path / "gone")], NUMBERS, ["n"]))


def test_parts_that_are_put_together_have_rows_that_prove_themselves(tmp_path: Path) -> None:
    storage, folder = LocalStorage(), tmp_path / "applies" / "run_id=x0"
    folder.mkdir(parents=True)
    for number in range(2):
        pq.write_table(pa.Table.from_pylist([NAMED], APPLIES.schema), folder / f"{number}.parquet")
    compact(storage, str(folder), APPLIES)
    (path,) = folder.iterdir()
    sound, refused = path.read_bytes(), 0
    for at in range(4, 400):
        data = bytearray(sound)
        data[at] ^= 1 << at % 8
        path.write_bytes(data)
        try:
            (cells,) = read_cells([str(path)], APPLIES.schema, APPLIES.names)
            assert [*rows_of(cells, APPLIES.names, {})] == [NAMED, NAMED], at
        except EvidenceError:
            refused += 1
    assert refused > 100


def test_a_file_that_spark_cannot_read_is_named() -> None:
    said = (
        "An error occurred while calling o1.collect.\n: org.apache.spark.SparkException: "
        "[FAILED_READ_FILE.NO_HINT] Encountered error while reading file "
        "file:///w/outcomes/run_id=r/part-0.parquet.  SQLSTATE: KD001"
    )
    error = type("Py4JJavaError", (Exception,), {"__module__": "py4j.protocol"})(said)
    assert ending(error).sentence == "/w/outcomes/run_id=r/part-0.parquet: cannot be read"
    assert "belvedere check" in ending(error).hint
