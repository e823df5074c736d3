"""Parts of a dataset that workers write themselves, where driver and executors share a disk.

Spark would take the rows from its workers and write them with ten times the CPU that Arrow needs:
what a worker makes of its partition, it writes into a file that no reader sees, and Spark takes
only the file's name. Of several attempts at a partition Spark takes the name from one; the driver
gives that file the name that readers see. Runs on executors; imports neither pydantic nor the
configuration.
"""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark import TaskContext
from pyspark.sql import DataFrame
from pyspark.sql.pandas.types import from_arrow_schema

from jobs.warehouse.carried import Carried
from jobs.warehouse.datasets import Dataset
from jobs.warehouse.placing import place_errors
from jobs.warehouse.rows import ArrowFunction

SUFFIX: Final = ".zstd.parquet"
_WRITTEN: Final = pa.schema([("part", pa.string())])
_GROUP: Final = 32 * 1024 * 1024  # bytes of rows in memory: some 3 MB packed
_NO_DICTIONARY: Final = frozenset({"model", "raw"})  # texts that never repeat


@dataclass(frozen=True, slots=True)
class DerivedRows:
    """Rows of a dataset that executors make of those of a frame.

    Attributes:
        dataset: The dataset.
        given: What they are made of.
        make: What makes them of a partition.
    """

    dataset: Dataset
    given: DataFrame
    make: ArrowFunction

    def rows(self) -> DataFrame:
        """They, for Spark."""
        return self.given.mapInArrow(Carried(self.make), from_arrow_schema(self.dataset.schema))

    def write(self, folder: str) -> None:
        """Write them into a folder on the disk that driver and executors share.

        All of the parts are there when it returns; before that, nobody sees any.

        Args:
            folder: On that disk; parts of the same dataset that are there stay.

        Raises:
            OSError: They could not be written.
        """
        place = Path(folder)
        place.mkdir(parents=True, exist_ok=True)
        write = _writing(self.dataset, self.make, folder)
        named = self.given.mapInArrow(Carried(write), from_arrow_schema(_WRITTEN)).collect()
        for (part,) in sorted(named):
            (place / _hidden_name(part)).replace(place / part)
        if not named and not any(place.glob(f"[!.]*{SUFFIX}")):
            pq.write_table(self.dataset.schema.empty_table(), place / _name(0))


def packing(schema: pa.Schema) -> dict[str, Any]:
    """How the rows of a dataset are packed, for Arrow's writer of Parquet."""
    packed = [name for name in schema.names if name not in _NO_DICTIONARY]
    return {"compression": "zstd", "use_dictionary": packed, "write_page_checksum": True}


def _writing(dataset: Dataset, make: ArrowFunction, folder: str) -> ArrowFunction:
    """What writes a partition: rows in, the name of its part out; none if it has no rows."""

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        context = TaskContext.get()
        part = _name(context.partitionId() if context else 0)
        if _write(Path(folder, _hidden_name(part)), dataset.schema, make(batches)):
            yield pa.RecordBatch.from_pydict({"part": [part]}, schema=_WRITTEN)

    return run


def _write(path: Path, schema: pa.Schema, batches: Iterable[pa.RecordBatch]) -> bool:
    """Write a file if there are rows for it, some MB of them at a time; whether there are."""
    done = False
    try:
        groups = _groups(batches)
        if (first := next(groups, None)) is not None:
            with (
                place_errors(path.parent),
                pq.ParquetWriter(path, schema, **packing(schema)) as writer,
            ):
                writer.write_table(first)
                for group in groups:
                    writer.write_table(group)
            done = True
    finally:
        if not done:
            with suppress(OSError):
                path.unlink(missing_ok=True)
    return done


def _groups(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.Table]:
    """Batches put together as far as they are held in memory."""
    gathered: list[pa.RecordBatch] = []
    size = 0
    for batch in batches:
        if not batch.num_rows:
            continue
        gathered.append(batch)
        size += batch.nbytes
        if size >= _GROUP:
            yield pa.Table.from_batches(gathered)
            gathered, size = [], 0
    if gathered:
        yield pa.Table.from_batches(gathered)


def _name(partition: int) -> str:
    return f"part-{partition:05}-{uuid4()}{SUFFIX}"


def _hidden_name(part: str) -> str:
    """The name of a part while it is written: hidden, so that no reader takes it for one."""
    return f".{part}"
