"""Few files a run: what Spark leaves in small parts is put together before it is sealed.

Spark writes a file for each of its partitions, on this machine one with checksums beside each, and
a mark that a job has ended. The manifest says of every file what these say, so they go; the parts
of a dataset that is small as a whole become one. It is done before a stage is sealed: whoever is
killed in between has a stage that has not ended, and begins it again. So the parts go first: rows
that are not there are made again, and rows that are there twice nobody would notice.
"""

from typing import Final
from uuid import uuid4

import pyarrow as pa
import pyarrow.parquet as pq

from jobs.warehouse.datasets import Dataset, StageTables
from jobs.warehouse.parts import SUFFIX, packing
from jobs.warehouse.storage import Storage

SMALL: Final = 1024 * 1024  # bytes of a dataset, packed: a few thousand views


def put_together(storage: Storage, place: str, stage: StageTables, run_id: str) -> None:
    """Put together what a stage has written of a run.

    Args:
        storage: Where the warehouse is.
        place: Of the warehouse.
        stage: What has written.
        run_id: The run.

    Raises:
        OSError: Something could not be read, written or removed.
    """
    for name in stage.names:
        tidy(storage, f"{place}/{name}/run_id={run_id}")
    for dataset in () if stage.is_journal else stage.datasets:
        compact(storage, f"{place}/{dataset.name}/run_id={run_id}", dataset)


def tidy(storage: Storage, folder: str) -> None:
    """Remove marks and checksums from a folder, and what a killed job has left there.

    Raises:
        OSError: One could not be removed.
    """
    for file in storage.files(folder):
        if file.is_hidden:
            storage.remove(f"{folder}/{file.path}")


def compact(storage: Storage, folder: str, dataset: Dataset) -> None:
    """Put the parts of a small dataset together, in the order of their names.

    Raises:
        OSError: It could not be read, written or removed.
    """
    parts = [file for file in storage.files(folder) if file.is_data]
    if len(parts) < 2 or sum(stored_file.size for stored_file in parts) > SMALL:
        return
    files = (pa.BufferReader(storage.read(f"{folder}/{stored_file.path}")) for stored_file in parts)
    tables = [pq.read_table(file).select(dataset.names).cast(dataset.schema) for file in files]
    buffer = pa.BufferOutputStream()
    pq.write_table(pa.concat_tables(tables), buffer, **packing(dataset.schema))
    for part in parts:
        appended, below, _ = part.path.partition("/")
        if below:
            storage.clear(f"{folder}/{appended}")
        else:
            storage.remove(f"{folder}/{part.path}")
    name = f"part-00000-{uuid4()}{SUFFIX}"
    storage.replace(f"{folder}/{name}", buffer.getvalue().to_pybytes())
