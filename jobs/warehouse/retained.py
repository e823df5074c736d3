"""Rows of an earlier run that a run takes over: workers write them from its files into its own.

Spark would read, convert and write each row for twice the CPU that this takes. It only tells which
are left out, by their numbers in the files. Runs on executors; imports neither pydantic nor
the configuration.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import pyarrow as pa
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as f

from jobs.warehouse.cells import batches_of, open_parquet
from jobs.warehouse.datasets import Dataset
from jobs.warehouse.parts import DerivedRows
from jobs.warehouse.rows import ArrowFunction

FILE: Final = "_file"
"""Name of the file that a row stands in; it has a UUID, so no two files of a dataset share one."""
ROW: Final = "_row"
"""Number of a row in its file, from 0."""


@dataclass(frozen=True, slots=True)
class RetainedRows(DerivedRows):
    """Rows of an earlier run.

    Attributes:
        frame: The same, as Spark reads them: it does where a warehouse is not on this machine.
    """

    frame: DataFrame

    def rows(self) -> DataFrame:
        """They, for Spark."""
        return self.frame


def with_places(frame: DataFrame) -> DataFrame:
    """A frame of files with the place of each row: `FILE` and `ROW`."""
    place = {FILE: f.col("_metadata.file_name"), ROW: f.col("_metadata.row_index")}
    return frame.withColumns(place)


def retain_rows(
    dataset: Dataset,
    files: Sequence[str],
    rows: DataFrame,
    left_out: DataFrame,
    filled: Mapping[str, str],
) -> RetainedRows:
    """The rows of files but for some.

    Args:
        dataset: Whose.
        files: Where they are, the largest first: so shares are of about the same size.
        rows: The same, `with_places`.
        left_out: Those that are not taken over, or their places.
        filled: What a column is to say where it is null.
    """
    kept = rows.join(left_out, [FILE, ROW], "left_anti")
    marked = {name: f.coalesce(name, f.lit(value)) for name, value in filled.items()}
    shares = rows.sparkSession.sparkContext.defaultParallelism
    return RetainedRows(
        dataset,
        _dealt(files, left_out, min(shares, len(files))),
        _copying(dataset.schema, filled),
        kept.withColumns(marked).select(*dataset.names),
    )


def _dealt(files: Sequence[str], left_out: DataFrame, shares: int) -> DataFrame:
    """The files, in as many partitions as write a part each, with the rows that are left out."""
    columns: list[Column] = [
        f.struct(
            f.lit(file).alias("path"),
            f.lit(file.rpartition("/")[2]).alias(FILE),
            f.lit(number % shares).alias("share"),
        )
        for number, file in enumerate(files)
    ]
    listed = left_out.sparkSession.range(1).select(f.inline(f.array(*columns)))
    by_file = left_out.groupBy(FILE).agg(f.collect_list(ROW).alias("left_out"))
    joined = listed.join(by_file, FILE, "left")
    return joined.select("path", "left_out", "share").repartitionById(shares, f.col("share"))


def _copying(schema: pa.Schema, filled: Mapping[str, str]) -> ArrowFunction:
    """What copies rows: files in, rows out."""

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            paths, left_out = (batch.column(name).to_pylist() for name in ("path", "left_out"))
            for path, numbers in zip(paths, left_out, strict=True):
                yield from copy_rows(path, schema, frozenset(numbers or ()), filled)

    return run


def copy_rows(
    path: str, schema: pa.Schema, left_out: Collection[int], filled: Mapping[str, str]
) -> Iterator[pa.RecordBatch]:
    """The rows of a file but for some.

    Args:
        path: Of the file.
        schema: Of its dataset.
        left_out: The numbers of the rows that are not wanted.
        filled: What a column is to say where it is null.

    Raises:
        EvidenceError: The file has something else than rows: a byte of it has changed.
    """
    start = 0
    with open_parquet(path) as parquet:
        for batch in batches_of(parquet, schema.names):
            stop = start + batch.num_rows
            wanted = [number not in left_out for number in range(start, stop)]
            rows = batch if all(wanted) else batch.filter(pa.array(wanted))
            yield _filled(rows.select(schema.names).cast(schema), filled)
            start = stop


def _filled(rows: pa.RecordBatch, filled: Mapping[str, str]) -> pa.RecordBatch:
    for name, value in filled.items():
        place = rows.schema.get_field_index(name)
        rows = rows.set_column(place, rows.schema.field(place), rows.column(name).fill_null(value))
    return rows
