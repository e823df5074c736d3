"""Datasets of few rows: one small file, read whole and without Spark."""

from collections.abc import Iterator
from typing import Any

import pyarrow as pa

from jobs.warehouse.cells import cells_of, parquet_file, rows_of
from jobs.warehouse.datasets import Dataset
from jobs.warehouse.evidence import check_layout


def read_note(data: bytes, dataset: Dataset) -> Iterator[dict[str, Any]]:
    """The rows of a small file; a column that its layout did not have is null."""
    file = parquet_file(pa.BufferReader(data))
    if "layout" not in dataset.names:  # where it is, it is looked at when the run is
        check_layout(file.schema_arrow.metadata or {})
    for cells in cells_of(file, dataset.schema, dataset.names):
        yield from rows_of(cells, dataset.names, {})
