"""What an interrupted crawl has left: its listing, and its finished tasks. See ADR 0009.

It lies in `tasks/run_id=<id>` until the crawl is committed. Where only Spark reaches a warehouse it
is the listing alone: rows are those of whole jobs, and lie where they will stay.
"""

import json
import math
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from pyspark.sql import SparkSession

from discovery import __version__
from discovery.errors import BelvedereError, ConfigurationError
from jobs.configuration import identity
from jobs.configuration.loader import RunConfig
from jobs.crawling.finished import FinishedTasks
from jobs.crawling.tables import OBJECTS, STAGE
from jobs.warehouse.evidence import Manifests
from jobs.warehouse.manifest import ProvenFile
from jobs.warehouse.storage import LocalStorage, Storage, root_of, storage_of
from jobs.warehouse.warehouse import Warehouse

TASKS: Final = "tasks"
"""Folder of what is kept."""

LATEST: Final = ""
"""In place of a run's name: the one that was interrupted last."""

_FRESH: Final = 3 * 24 * 3600.0  # seconds
_LISTING: Final = "listing.json"
_OF_ONE: Final = 0o700  # it has every text of a view
_MEMBERS: Final = ("path", "size", "rows", "footer", "content")


class InterruptedCrawl:
    """What an earlier attempt at a run has left, and the next one goes on with.

    Args:
        config: Of the crawl.
        run_id: The run.
        spark: Reaches the warehouse.

    Attributes:
        finished: Its finished tasks; None: they cannot be kept there, only whole jobs can.
        marks: How far the sources' records of changes were before the listing.
        began: When the listing began, in seconds since the epoch.
        is_resumed: Whether that was an earlier attempt's.
    """

    def __init__(self, config: RunConfig, run_id: str, spark: SparkSession | None = None) -> None:
        self._place = root_of(config.warehouse)
        self._run_id = run_id
        self._storage = storage_of(self._place, spark)
        self._folder = f"{self._place}/{TASKS}/run_id={run_id}"
        self._places = {name: identity.of_source(config, name) for name in config.sources}
        here = "://" not in self._place
        self.finished = FinishedTasks(self._folder, self._places) if here else None
        self.marks: Mapping[str, str] = {}
        self.began = time.time()
        self.is_resumed = False

    def begin(self) -> bool:
        """Make room for what is kept; whether the listing is there as it was written.

        Where it is not, tasks of an earlier one go, too: what has changed since they were done
        is before the marks of the new listing, so no later crawl would see it.
        """
        match _read_listing(self._storage, self._folder):
            case {"listing": noted, "marks": {**marks}, **others} if noted == self._read_proof():
                self.marks = {str(name): str(mark) for name, mark in marks.items()}
                began = others.get("began", others.get("at"))
                self.began = float(began) if isinstance(began, int | float) else self.began
                self.is_resumed = True
            case _:
                self._storage.clear(self._folder)
        if self.finished is not None:
            folder = Path(self._folder)
            folder.mkdir(parents=True, exist_ok=True)
            folder.chmod(_OF_ONE)
        return self.is_resumed

    def note_listing(self, marks: Mapping[str, str]) -> None:
        """Say that the listing is whole.

        Args:
            marks: How far the sources' records of changes were before it.
        """
        self.marks = marks
        times = {"began": self.began, "at": time.time()}
        noted = {"listing": self._read_proof(), "marks": marks, **times}
        self._storage.replace(f"{self._folder}/{_LISTING}", json.dumps(noted).encode())

    def clear(self) -> None:
        """Remove what is kept: the run is committed."""
        self._storage.clear(self._folder)

    def _read_proof(self) -> Mapping[str, object] | str:
        """What a listing is known by: the sources, and its files with all that is in them."""
        try:
            files = Manifests(self._storage, self._place).proof(OBJECTS.name, self._run_id)
        except BelvedereError as error:  # a file that is cut short
            return str(error)
        members = [_members(file) for file in files]
        return {"release": __version__, "sources": self._places, "files": members}


def find_run_to_resume(config: RunConfig, run_id: str, spark: SparkSession) -> str | None:
    """The run that is gone on with.

    Args:
        config: Of the crawl.
        run_id: Its name; `LATEST`: see `find_latest_interrupted`.
        spark: Reaches the warehouse.

    Returns:
        Its name; None: none was interrupted, so a new one is begun.

    Raises:
        ConfigurationError: There is none of that name.
    """
    place = root_of(config.warehouse)
    storage = storage_of(place, spark)
    if run_id == LATEST:
        return find_latest_interrupted(config.warehouse, spark)
    if not Manifests(storage, place).has_begun(STAGE, run_id):
        hint = "`belvedere runs` lists what was interrupted; --run-id begins a run of that name"
        raise ConfigurationError(f"no crawl {run_id} has begun in {place}", hint=hint)
    return run_id


def find_latest_interrupted(warehouse: str, spark: SparkSession | None) -> str | None:
    """Of the crawls that were interrupted, the one that came furthest last; None: there is none.

    It did so in the last three days, and no crawl that is committed has begun since it had listed:
    what an older one has listed is out of date.

    Args:
        warehouse: The place of the warehouse.
        spark: Reaches it where it is not on this machine.
    """
    place = root_of(warehouse)
    storage = storage_of(place, spark)
    folders = [f"{place}/{TASKS}/{folder}" for folder in storage.folders(f"{place}/{TASKS}")]
    attempts = [
        (_read_touched_time(storage, folder), folder.rpartition("=")[2]) for folder in folders
    ]
    runs = Warehouse(warehouse, spark).runs()
    ended = {run.run_id for run in runs}
    latest = max((run.started.timestamp() for run in runs), default=0.0)
    left = [
        attempt
        for attempt in attempts
        if attempt[1] not in ended
        and attempt[0] > time.time() - _FRESH
        and _read_listed_time(storage, f"{place}/{TASKS}/run_id={attempt[1]}") > latest
    ]
    return max(left)[1] if left else None


def _read_listed_time(storage: Storage, folder: str) -> float:
    """When what a crawl has listed was whole; what it has not listed yet, it will list."""
    match _read_listing(storage, folder):
        case {"at": int(at) | float(at)}:
            return float(at)
    return math.inf


def _read_touched_time(storage: Storage, folder: str) -> float:
    """When what is kept of a crawl was last added to; where only Spark reaches it: was listed."""
    if not isinstance(storage, LocalStorage):
        match _read_listing(storage, folder):
            case {"at": float(at)}:
                return at
        return 0.0
    try:
        return Path(folder).stat().st_mtime
    except OSError:  # it has been removed meanwhile
        return 0.0


def _read_listing(storage: Storage, folder: str) -> object:
    """What is noted of a listing; None: nothing that can be read."""
    try:
        return json.loads(storage.read(f"{folder}/{_LISTING}"))
    except (OSError, ValueError, RecursionError):
        return None


def _members(file: ProvenFile) -> dict[str, object]:
    return {name: getattr(file, name) for name in _MEMBERS}
