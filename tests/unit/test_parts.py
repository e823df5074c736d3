"""What workers write themselves: whole files, which nobody sees before they count."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from jobs.warehouse import parts
from jobs.warehouse.datasets import Dataset
from jobs.warehouse.placing import place_errors

NUMBERS = Dataset.of("numbers", [pa.field("number", pa.int64()), pa.field("model", pa.string())])


def batch(*numbers: int) -> pa.RecordBatch:
    columns = {"number": [*numbers], "model": [str(number) for number in numbers]}
    return pa.RecordBatch.from_pydict(columns, schema=NUMBERS.schema)


def written(folder: Path, *batches: pa.RecordBatch) -> list[str]:
    """What a worker says that it has written of its partition."""
    write = parts._writing(NUMBERS, iter, str(folder))
    return [name for said in write(batches) for name in said.column("part").to_pylist()]


def test_a_partition_is_one_hidden_file_until_the_driver_has_its_name(tmp_path: Path) -> None:
    (name,) = written(tmp_path, batch(1, 2), batch(), batch(3))
    (file,) = tmp_path.iterdir()
    assert file.name == f".{name}"
    assert pq.read_table(file).column("number").to_pylist() == [1, 2, 3]


def test_a_partition_without_rows_leaves_no_file(tmp_path: Path) -> None:
    assert written(tmp_path) == written(tmp_path, batch()) == []
    assert not list(tmp_path.iterdir())


def test_what_fails_midway_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "_GROUP", 1)

    def broken(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        yield from batches
        raise OSError("no space left on device")

    with pytest.raises(OSError, match="no space"):
        list(parts._writing(NUMBERS, broken, str(tmp_path))([batch(1), batch(2)]))
    assert not list(tmp_path.iterdir())


def test_no_more_rows_are_held_than_a_group_of_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parts, "_GROUP", 2 * batch(1).nbytes)
    written(tmp_path, *map(batch, range(5)))
    (file,) = tmp_path.iterdir()
    metadata = pq.read_metadata(file)
    assert [metadata.row_group(at).num_rows for at in range(metadata.num_row_groups)] == [2, 2, 1]


def test_pages_are_proven_by_checksums_and_long_texts_have_no_dictionary(tmp_path: Path) -> None:
    written(tmp_path, batch(1, 1))
    (file,) = tmp_path.iterdir()
    number, model = (pq.read_metadata(file).row_group(0).column(at) for at in range(2))
    assert number.has_dictionary_page
    assert not model.has_dictionary_page
    assert number.compression == model.compression == "ZSTD"
    data = bytearray(file.read_bytes())
    data[model.data_page_offset + model.total_compressed_size - 1] ^= 1
    file.write_bytes(data)
    with pytest.raises(OSError, match="CRC"):
        pq.read_table(file, page_checksum_verification=True)


def test_a_disk_that_is_full_is_named() -> None:
    with pytest.raises(OSError, match="No space left on device: '/w/outcomes'"):  # noqa: SIM117 - the file fails as it is closed
        with place_errors("/w/outcomes"), Path("/dev/full").open("wb") as file:
            file.write(b"rows")
