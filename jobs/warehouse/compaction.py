"""Few files a run: what Spark leaves in small parts is put together before it is sealed.

Spark writes a file for each of its partitions, on this machine one with checksums beside each, and
a mark that a job has ended. The manifest says of every file what these say, so they go; the parts
of a dataset that is small as a whole become one. It is done before a stage is sealed: whoever is
killed in between has a stage that has not ended, and begins it again.
"""

from pathlib import Path
from typing import Final
from uuid import uuid4

import pyarrow as pa
import pyarrow.parquet as pq

from jobs.warehouse.datasets import Dataset, StageTables
from jobs.warehouse.storage import LocalStorage, Storage, StoredFile

SMALL: Final = 1024 * 1024  # bytes of a dataset, packed: a few thousand views
_NO_DICTIONARY: Final = frozenset({"model", "raw"})


def put_together(storage: Storage, place: str, stage: StageTables, run_id: str) -> None:
    """Put together what a stage has written of a run, where this machine can.

    Args:
        storage: Where the warehouse is.
        place: Of the warehouse.
        stage: What has written.
        run_id: The run.

    Raises:
        OSError: Something could not be written or removed.
    """
    if not isinstance(storage, LocalStorage):
        return
    for name in stage.names:
        tidy(storage, f"{place}/{name}/run_id={run_id}")
    for dataset in stage.datasets:
        compact(storage, f"{place}/{dataset.name}/run_id={run_id}", dataset)


def tidy(storage: LocalStorage, folder: str) -> None:
    """Remove marks and checksums from a folder, and what a killed job has left there.

    Raises:
        OSError: One could not be removed.
    """
    for one in storage.files(folder):
        if one.is_hidden:
            storage.remove(f"{folder}/{one.path}")


def compact(storage: LocalStorage, folder: str, dataset: Dataset) -> None:
    """Put the parts of a small dataset together, in the order of their names.

    What is appended has a folder for each time that it was, and stays as it is: it is a journal.

    Raises:
        OSError: It could not be written.
    """
    parts = [one for one in storage.files(folder) if one.is_data]
    appended = any("/" in one.path for one in parts)
    if len(parts) < 2 or appended or sum(one.size for one in parts) > SMALL:
        return
    tables = [pq.read_table(f"{folder}/{one.path}", partitioning=None) for one in parts]
    whole = pa.concat_tables(one.select(dataset.names).cast(dataset.schema) for one in tables)
    _write(folder, dataset, whole)
    _remove(storage, folder, parts)


def _write(folder: str, dataset: Dataset, whole: pa.Table) -> None:
    name = f"part-00000-{uuid4()}.zstd.parquet"
    unseen = Path(folder, f".{name}")
    packed = [one for one in dataset.names if one not in _NO_DICTIONARY]
    pq.write_table(whole, unseen, compression="zstd", use_dictionary=packed)
    unseen.replace(Path(folder, name))


def _remove(storage: LocalStorage, folder: str, parts: list[StoredFile]) -> None:
    for one in parts:
        storage.remove(f"{folder}/{one.path}")
