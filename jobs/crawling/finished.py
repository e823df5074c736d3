"""The rows of finished tasks, kept until their crawl is committed: who goes on does the others.

A worker writes the rows of a task into a file of its own as it hands them to Spark, and names it
when it is whole: by a digest of all that the rows depend on: the release, where the source is, and
the objects of the task. So a file is the task, whoever finds it, and one that is cut short has no
such name. It ends with a digest of what is before it and of its name, as Arrow takes whatever
stands in a file for its rows. Runs on executors; imports neither pydantic nor the configuration.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final
from uuid import uuid4

import pyarrow as pa
from pyarrow import ipc

from discovery import __version__
from discovery.crawl import Assigned
from discovery.outcomes import Failure
from jobs.crawling.tables import OUTCOMES
from jobs.warehouse.placing import place_errors

SUFFIX: Final = ".arrow"
_PACKED: Final = ipc.IpcWriteOptions(compression="lz4")
_DIGEST: Final = 20  # bytes


@dataclass(frozen=True, slots=True)
class FinishedTasks:
    """The finished tasks of a crawl.

    Attributes:
        folder: Where they are, on a disk that driver and executors share.
        places: Name of each source to a digest of where it is.
    """

    folder: str
    places: Mapping[str, str]

    def name(self, source: str, planned: Sequence[Assigned]) -> str:
        """The name of a task: equal for equal rows."""
        identities = [_identity(assigned) for assigned in planned]
        text = json.dumps([__version__, source, self.places.get(source), identities])
        digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_DIGEST)
        return digest.hexdigest()

    def rows(self, name: str, number: int) -> list[pa.RecordBatch] | None:
        """The rows of a task; None: it is not finished, or its file is none.

        Args:
            name: Of the task.
            number: How many objects it has: each has one row.
        """
        try:
            data = Path(self._path(name)).read_bytes()
        except OSError:
            return None
        kept, digest = memoryview(data)[:-_DIGEST], data[-_DIGEST:]
        if digest != _hash(name)(kept).digest():
            return None
        with ipc.open_file(pa.py_buffer(kept)) as reader:
            batches = [reader.get_batch(at) for at in range(reader.num_record_batches)]
        fits = all(batch.schema.equals(OUTCOMES.schema) for batch in batches)
        return batches if fits and sum(batch.num_rows for batch in batches) == number else None

    def keep(self, name: str, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Hand the rows of a task on, and keep them: its file has its name when all were taken.

        Raises:
            OSError: They could not be written.
        """
        unseen = Path(self.folder, f".{name}.{uuid4().hex}")
        try:
            with (
                place_errors(self.folder),
                pa.OSFile(str(unseen), "wb") as file,
                ipc.new_file(file, OUTCOMES.schema, options=_PACKED) as writer,
            ):
                for batch in batches:
                    writer.write(batch)
                    yield batch
            with unseen.open("rb+") as file:
                file.write(hashlib.file_digest(file, _hash(name)).digest())
            unseen.replace(self._path(name))
        finally:
            with suppress(OSError):
                unseen.unlink(missing_ok=True)

    def count(self) -> int:
        """How many are finished."""
        try:
            return sum(path.suffix == SUFFIX for path in Path(self.folder).iterdir())
        except FileNotFoundError:
            return 0

    def _path(self, name: str) -> str:
        return f"{self.folder}/{name}{SUFFIX}"


def _hash(name: str) -> partial["hashlib.blake2b"]:
    """The digest of what is kept of a task: no other's has the same, whatever its rows."""
    return partial(hashlib.blake2b, digest_size=_DIGEST, key=name.encode())


def _identity(assigned: Assigned) -> list[object]:
    """What of a planned object its row depends on."""
    answer = assigned.answer
    if isinstance(answer, Failure):
        listed = answer.listed
        why = [answer.stage, answer.code, answer.message, answer.hint]
    else:
        listed, why = answer, []
    return [[*listed.namespace], listed.name, listed.kind, listed.handle, listed.signal, *why]
