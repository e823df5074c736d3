"""What lies in a warehouse, whatever its rows say: the folders of each run, plan and execution.

Nothing here decides; it is counted, and taken away when it is said so.
"""

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from pyspark.sql import SparkSession

from discovery.errors import EvidenceError
from jobs.warehouse.storage import Storage, StoredFile, root_of, storage_of
from jobs.warehouse.unread import reading_of

_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
_FOLDER: Final = "run_id="
MANIFESTS: Final = "manifests"
REMOVED: Final = "removed"
"""The folder of marks: what has one and no row is being removed, or its removal was killed."""
_MARK: Final = "mark"


@dataclass(frozen=True, slots=True)
class Stored:
    """What lies under one name.

    Attributes:
        files: How many files.
        size: Of them, in bytes.
        datasets: The folders that have some.
    """

    files: int
    size: int
    datasets: tuple[str, ...]


class Inventory:
    """The folders of a warehouse.

    Args:
        place: Of the warehouse, as it has it.
        folders: Names of all that stages write; others are left alone.
        spark: Reaches a place that is not on this machine.
    """

    def __init__(self, place: str, folders: Iterable[str], spark: SparkSession | None) -> None:
        self._place = root_of(place)
        self._storage: Storage = storage_of(self._place, spark)
        self._names: dict[str, list[str]] = {}
        for folder in sorted({*folders, MANIFESTS, REMOVED}):
            for name in self._storage.folders(f"{self._place}/{folder}"):
                stem = name.removeprefix(_FOLDER)
                if name.startswith(_FOLDER) and _NAME.fullmatch(stem):
                    self._names.setdefault(stem, []).append(folder)

    @property
    def names(self) -> Mapping[str, list[str]]:
        """Name of each run, plan or execution to the folders that it has."""
        return self._names

    def names_in(self, dataset: str) -> set[str]:
        """The names of which a dataset of few rows has data, be it readable or not."""
        candidates = (name for name, folders in self._names.items() if dataset in folders)
        return {name for name in candidates if self._may_have_data(dataset, name)}

    def _may_have_data(self, dataset: str, name: str) -> bool:
        stored_files = self._look_into(dataset, name)
        return stored_files is None or any(file.is_data for file in stored_files)

    def _look_into(self, folder: str, name: str) -> list[StoredFile] | None:
        """The files of a name in a folder; None: nobody may look there."""
        with suppress(EvidenceError), reading_of(folder):
            return self._storage.files(self._path(folder, name))
        return None

    def is_going(self, name: str) -> bool:
        """Whether somebody removes what lies under a name, or was killed as they did."""
        return REMOVED in self._names.get(name, ())

    def find_touched_time(self, name: str) -> datetime | None:
        """When what lies under a name was last added to; None: its place does not tell."""
        if "://" in self._place:
            return None
        times = []
        for folder in self._names.get(name, ()):
            with suppress(OSError):  # it has been removed meanwhile
                times.append(Path(self._path(folder, name)).stat().st_mtime)
        return datetime.fromtimestamp(max(times), UTC) if times else None

    def measure_stored(self, name: str) -> Stored:
        """What lies under a name; of a folder that nobody may look into, that it is there."""
        files, size, datasets = 0, 0, []
        for folder in self._names.get(name, ()):
            stored_files = self._look_into(folder, name)
            datasets += [folder] if stored_files != [] else []
            for stored_file in stored_files or ():
                files, size = files + 1, size + stored_file.size
        return Stored(files, size, tuple(datasets))

    def take_away(self, name: str, first: str) -> None:
        """Remove all that lies under a name.

        Args:
            name: Of a run or a plan.
            first: The dataset whose row makes it visible. It goes before all others: whoever is
                killed in between leaves files that nobody takes for a run, and a mark by which
                nobody takes its row for lost.

        Raises:
            OSError: Something could not be removed.
        """
        folders = {*self._names.get(name, ())}
        with suppress(OSError):  # a full disk is made emptier without it
            self._storage.replace(f"{self._path(REMOVED, name)}/{_MARK}", b"")
        place = {first: -1, MANIFESTS: 1, REMOVED: 2}
        for folder in sorted(
            folders | {REMOVED}, key=lambda folder: (place.get(folder, 0), folder)
        ):
            self._storage.clear(self._path(folder, name))
        self._names.pop(name, None)

    def empty(self, name: str, last: str) -> None:
        """Remove all that lies under a name, but one dataset.

        Raises:
            OSError: Something could not be removed.
        """
        for folder in self._names.get(name, ()):
            if folder != last:
                self._storage.clear(self._path(folder, name))

    def take_part(self, name: str, folder: str) -> None:
        """Remove one folder of a name, if it has it.

        Raises:
            OSError: Something could not be removed.
        """
        if folder in self._names.get(name, ()):
            self._storage.clear(self._path(folder, name))

    def _path(self, folder: str, name: str) -> str:
        return f"{self._place}/{folder}/{_FOLDER}{name}"
