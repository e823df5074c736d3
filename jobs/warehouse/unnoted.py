"""What stages have sealed, and no row makes known.

Either the row is lost, and then the latest run is not the latest that shows; or it was killed who
has sealed and was to write the row next. Who removes a run leaves a mark before its row goes.
"""

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import PurePosixPath
from typing import Final

from pyspark.sql import SparkSession

from discovery.errors import EvidenceError
from jobs.warehouse.datasets import Dataset
from jobs.warehouse.inventory import MANIFESTS, REMOVED
from jobs.warehouse.locks import at_work
from jobs.warehouse.storage import Storage, StoredFile
from jobs.warehouse.unread import reading_of

_FOLDER: Final = "run_id="
WHY: Final = (
    "its files are sealed, and it has no row: that is lost, or its command was killed in between; "
    "restore it from a copy of the warehouse, or `belvedere prune`, if nothing stands on it"
)
LOST: Final = (
    "its files are sealed, and it has no row, though it had one, as a later stage has sealed what "
    "it wrote: restore it from a copy of the warehouse"
)


def names_in(storage: Storage, place: str, dataset: Dataset) -> list[str]:
    """The names that have a folder in a dataset of a warehouse."""
    folders = storage.folders(f"{place}/{dataset.name}")
    return [name.removeprefix(_FOLDER) for name in folders if name.startswith(_FOLDER)]


def names_of_journals(storage: Storage, place: str, dataset: Dataset) -> list[str]:
    """The names that have a folder in a dataset, or had one: its stage has sealed what is there.

    Whoever goes by all journals would take what is written in a lost one for never written.
    """
    if not dataset.journal_of:
        return names_in(storage, place, dataset)
    manifests = (PurePosixPath(file.path) for file in storage.files(f"{place}/{MANIFESTS}"))
    sealed = {
        manifest.parent.name.removeprefix(_FOLDER)
        for manifest in manifests
        if manifest.name == f"{dataset.journal_of}.json"
    }
    return sorted({*names_in(storage, place, dataset), *sealed})


def without_row(
    storage: Storage, place: str, dataset: Dataset, spark: SparkSession | None
) -> Iterator[tuple[str, str]]:
    """What is sealed and has no row, and why, but for what is at work or being removed.

    Args:
        storage: Where the warehouse is.
        place: Of it.
        dataset: Of the rows.
        spark: Reaches a place that is not on this machine.
    """
    if not dataset.commits:
        return
    sealed: dict[str, list[str]] = {}  # first: what is sealed later has its row later, too
    for file in _list_below(storage, f"{place}/{MANIFESTS}")[0]:
        folder, name = PurePosixPath(file.path).parent.name, PurePosixPath(file.path).stem
        if folder.startswith(_FOLDER) and not file.is_hidden and name in dataset.commits:
            sealed.setdefault(folder, []).append(file.path)
    rows, closed = _list_below(storage, f"{place}/{dataset.name}")
    noted = closed | {PurePosixPath(row.path).parts[0] for row in rows if row.is_data}
    left = [name for name in sealed if name not in noted]
    going = storage.folders(f"{place}/{REMOVED}") if left else ()
    busy = " ".join(name for name, _ in at_work(place, spark)) if left else ""
    for folder in left:
        name = folder.removeprefix(_FOLDER)
        if folder in going or f"_{name}.lock" in busy:
            continue
        if any(_has_ended(storage, f"{place}/{MANIFESTS}/{path}") for path in sealed[folder]):
            stages = {PurePosixPath(path).stem for path in sealed[folder]}
            yield name, WHY if stages <= {*dataset.before} else LOST


def _list_below(storage: Storage, place: str) -> tuple[list[StoredFile], set[str]]:
    """The files below a folder, and the folders in it that nobody may look into.

    What is the matter with those, whoever reads them says: it is not the matter of others.
    """
    with suppress(EvidenceError), reading_of(place):
        return storage.files(place), set()
    files, closed = list[StoredFile](), set[str]()
    for name in storage.folders(place):
        try:
            with reading_of(place):
                stored_files = storage.files(f"{place}/{name}")
        except EvidenceError:
            closed.add(name)
        else:
            files += [StoredFile(f"{name}/{file.path}", file.size) for file in stored_files]
    return files, closed


def _has_ended(storage: Storage, path: str) -> bool:
    """Whether a stage has sealed what it wrote; a manifest that is junk may have said so."""
    try:
        return bool(json.loads(storage.read(path))["ended"])
    except (OSError, ValueError, KeyError, TypeError):
        return True
