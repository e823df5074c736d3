"""Rows and Arrow batches: what every stage's tables share.

Runs on executors; imports neither pydantic nor the configuration.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

import pyarrow as pa

from discovery.chunks import chunks

ArrowFunction = Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]
"""What executors run: batches in, batches out."""
MAX_ROWS: Final = 1_000
MAX_BYTES: Final = 8 * 1024 * 1024


def column(name: str, kind: pa.DataType, meaning: str) -> pa.Field:
    """A column with its meaning, which docs/tables.md shows."""
    return pa.field(name, kind, metadata={"doc": meaning})


def to_batches(rows: Iterable[tuple[object, ...]], schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """Rows of one of the smaller tables."""
    for chunk in chunks(rows, MAX_ROWS):
        yield batch_of(chunk, schema)


def batch_of(rows: Sequence[tuple[object, ...]], schema: pa.Schema) -> pa.RecordBatch:
    """Rows as one batch; halves of surrogate pairs are shown as escapes."""
    columns = zip(zip(*rows, strict=True), schema, strict=True)
    try:
        arrays = [pa.array(values, field.type) for values, field in columns]
    except UnicodeEncodeError:  # a name or message with half of a surrogate pair
        return batch_of([tuple(_unicode(value) for value in row) for row in rows], schema)
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def _unicode(value: object) -> object:
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, tuple | list):
        return [_unicode(item) for item in value]
    if isinstance(value, dict):
        return {name: _unicode(item) for name, item in value.items()}
    return value
