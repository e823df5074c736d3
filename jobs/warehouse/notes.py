"""Datasets of few rows: one small file, read whole and without Spark."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from jobs.warehouse.datasets import Dataset
from jobs.warehouse.evidence import check_layout


def read_note(data: bytes, dataset: Dataset) -> Iterator[dict[str, Any]]:
    """The rows of a small file; a column that its layout did not have is null.

    Spark writes times as INT96, which knows no zone: they are in UTC.
    """
    file = pq.ParquetFile(pa.BufferReader(data), coerce_int96_timestamp_unit="us")
    if "layout" not in dataset.names:  # where it is, it is looked at when the run is
        check_layout(file.schema_arrow.metadata or {})
    for row in file.read().to_pylist():
        yield {name: _in_utc(row.get(name)) for name in dataset.names}


def _in_utc(value: Any) -> Any:  # noqa: ANN401 - a cell
    if isinstance(value, datetime):
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)
    return value
