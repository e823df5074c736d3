"""Parquet files that are read without Spark, as Python's values.

Arrow's reader of Parquet alone: Arrow's datasets, its scalars and its times with a zone import
pandas, a quarter of a second that each command without Spark would wait.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from discovery.errors import EvidenceError
from jobs.warehouse.evidence import RESTORE
from jobs.warehouse.placing import place_errors

Cells = dict[str, list[Any]]
"""Some rows by column."""
_BATCH: Final = 1_000
_EPOCH: Final = datetime.fromtimestamp(0, UTC)
_MICROSECOND: Final = timedelta(microseconds=1)


def read_cells(
    files: Iterable[str], schema: pa.Schema, columns: Sequence[str], raised: Collection[str] = ()
) -> Iterator[Cells]:
    """The rows of files, some at a time.

    Args:
        files: Their places.
        schema: Of the dataset; a column that a file does not have is null.
        columns: Which are wanted.
        raised: Those of them that count from one less in these files.

    Raises:
        EvidenceError: A file has something else than rows: a byte of it has changed.
    """
    for file in files:
        with open_parquet(file) as parquet:
            yield from cells_of(parquet, schema, columns, raised)


@contextmanager
def open_parquet(file: str) -> Iterator[pq.ParquetFile]:
    """A file, as `parquet_file` says, that is read in the block.

    Raises:
        EvidenceError: Arrow or Python make nothing of it; says which file it is.
        OSError: It is not there any more, or the system does not give it; names it, as Arrow does
            in words alone.
    """
    try:
        with place_errors(file), parquet_file(file) as parquet:
            yield parquet
    except (pa.ArrowException, UnicodeDecodeError, OverflowError, OSError) as error:
        if isinstance(error, OSError) and error.errno is not None:  # of the file system
            raise
        why = str(error).partition("\n")[0]
        raise EvidenceError(f"{file}: cannot be read: {why}", hint=RESTORE) from error


def parquet_file(file: str | pa.BufferReader) -> pq.ParquetFile:
    """A file, its pages proven by their checksums, where they have some.

    Spark writes times as INT96, which knows no zone: they are in UTC.
    """
    return pq.ParquetFile(file, coerce_int96_timestamp_unit="us", page_checksum_verification=True)


def cells_of(
    parquet: pq.ParquetFile, schema: pa.Schema, columns: Sequence[str], raised: Collection[str] = ()
) -> Iterator[Cells]:
    """The rows of a file, as `read_cells` says.

    Raises:
        ArrowInvalid: As `batches_of` says.
    """
    stored = set(parquet.schema_arrow.names)
    for batch in batches_of(parquet, [name for name in columns if name in stored]):
        yield {
            name: _values(batch.column(name), schema.field(name).type, name in raised)
            if name in stored
            else [None] * batch.num_rows
            for name in columns
        }


def batches_of(parquet: pq.ParquetFile, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
    """Some columns of a file, some rows at a time.

    Raises:
        ArrowInvalid: Its rows are not as many as its footer says: the head of a page, which has no
            checksum, is another, and Arrow passes over pages of a kind that it does not know.
    """
    left = parquet.metadata.num_rows
    for batch in parquet.iter_batches(_BATCH, columns=columns, use_threads=False):  # small files
        left -= batch.num_rows
        yield batch
    if left:
        raise pa.ArrowInvalid(f"it has {left} rows fewer than it had")


def rows_of(
    cells: Cells, columns: Sequence[str], where: Mapping[str, Sequence[str]]
) -> Iterator[dict[str, Any]]:
    """Some columns of those rows whose values are among the wanted ones; a null never is."""
    chosen = [(cells[name], frozenset(values)) for name, values in where.items()]
    rows = zip(*(cells[name] for name in columns), strict=True)
    for number, values in enumerate(rows):
        if not chosen or all(column[number] in wanted for column, wanted in chosen):
            yield dict(zip(columns, values, strict=True))


def _values(column: pa.Array, kind: pa.DataType, raised: bool) -> list[Any]:
    if pa.types.is_timestamp(kind):
        micros = column.cast(pa.timestamp("us", column.type.tz)).view(pa.int64()).to_pylist()
        return [None if count is None else _EPOCH + count * _MICROSECOND for count in micros]
    values: list[Any] = column.to_pylist()
    return [None if value is None else value + 1 for value in values] if raised else values
