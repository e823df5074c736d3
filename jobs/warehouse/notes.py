"""Datasets of few rows: one small file, written and read whole, and without Spark.

Such a row says that something is there, and no manifest says what the row was: so the file has a
digest of its rows, by which a reader sees that none of its bytes has changed.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final

import pyarrow as pa
import pyarrow.parquet as pq

from discovery.errors import EvidenceError, UnknownLayoutError
from jobs.warehouse.cells import cells_of, parquet_file, rows_of
from jobs.warehouse.datasets import Dataset
from jobs.warehouse.evidence import RESTORE, check_layout, marked
from jobs.warehouse.manifest import LAYOUT

_ROWS: Final = b"belvedere.rows"
_KEPT: Final = 2_048  # files, of some KB each: a year of nights has four a night
_OTHERWISE: Final = (pa.ArrowException, ArithmeticError, AttributeError, TypeError, ValueError)
"""What Arrow and Python make of a file in which a byte is another."""


def pack_note(dataset: Dataset, rows: Sequence[Sequence[object]]) -> bytes:
    """The file of some rows."""
    schema = marked(dataset.schema, LAYOUT)
    named = [dict(zip(schema.names, row, strict=True)) for row in rows]
    table = pa.Table.from_pylist(named, schema)
    digest = _digest(_rows_of_file(parquet_file(pa.BufferReader(_packed(table)))))
    return _packed(table.replace_schema_metadata({**schema.metadata, _ROWS: digest}))


def _packed(table: pa.Table) -> bytes:
    written = pa.BufferOutputStream()
    pq.write_table(table, written, compression="zstd")
    data: bytes = written.getvalue().to_pybytes()
    return data


def read_note(data: bytes, dataset: Dataset) -> Iterator[dict[str, object]]:
    """The rows of a small file; a column that its layout did not have is null.

    Raises:
        EvidenceError: They are not as they were written.
        OSError: It is no such file.
        UnknownLayoutError: A later belvedere wrote it.
    """
    try:
        # where the layout is a column, it is looked at when the run is
        rows = _parse_rows(data, checks_layout="layout" not in dataset.names)
    except UnknownLayoutError:
        raise
    except _OTHERWISE as error:
        why = str(error).partition("\n")[0]
        raise EvidenceError(f"it cannot be read: {why}", hint=RESTORE) from error
    for row in rows:
        yield {name: row.get(name) for name in dataset.names}


@lru_cache(_KEPT)
def _parse_rows(data: bytes, *, checks_layout: bool) -> list[dict[str, object]]:
    """All that a file has, if that is what was written.

    A turn of `sync` reads the rows of all nights before it a hundred times; their bytes are read
    each time, and what they say is kept.
    """
    file = parquet_file(pa.BufferReader(data))
    metadata = file.schema_arrow.metadata or {}
    if checks_layout:
        check_layout(metadata)
    rows = _rows_of_file(file)
    if _ROWS in metadata and metadata[_ROWS].decode() != _digest(rows):
        raise ValueError("its rows are not those that were written")
    return rows


def _rows_of_file(file: pq.ParquetFile) -> list[dict[str, object]]:
    schema = file.schema_arrow
    batches = cells_of(file, schema, schema.names)
    return [row for cells in batches for row in rows_of(cells, schema.names, {})]


def _digest(rows: Sequence[Mapping[str, object]]) -> str:
    """Of rows, whatever order their columns have; a null is as good as none."""
    filled = [{name: value for name, value in row.items() if value is not None} for row in rows]
    text = json.dumps(filled, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()
