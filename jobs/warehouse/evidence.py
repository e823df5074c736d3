"""What a stage has written of a run, so that a reader knows whether all of it is there.

When a stage has ended, its manifest says of each file of each of its datasets: the size, the rows,
a digest of the Parquet footer, and one of the content, where the file is on this machine and has at
most 64 MiB. The digest of a crawl's manifest stands in `runs`.

What every reader proves before it reads: each file is there, and has that size and that footer.
The footer has the place, the size and the bounds of each column, so a file that is missing, cut,
or written anew is seen. A byte that has changed within a page is seen by whoever reads that page,
as it has a checksum; `belvedere check` looks for it in all of them, by the digests of the content.
Files that no manifest names, as a killed attempt leaves them, are not read.

Layout 1 knew no manifests: what a run of it has is read as it lies there, if its footers are whole.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import SparkSession

from discovery.errors import EvidenceError, UnknownLayoutError
from jobs.warehouse.datasets import Dataset, StageTables
from jobs.warehouse.locks import find_worker
from jobs.warehouse.manifest import LAYOUT, UPGRADE, Manifest, ProvenFile
from jobs.warehouse.storage import Storage, StoredFile
from jobs.warehouse.unread import reading_of, why_changed

_WAIT: Final = "wait until that has ended"
_TAIL: Final = 64 * 1024  # more than most footers have
_MAGIC: Final = b"PAR1"
_LAYOUT_KEY: Final = b"belvedere.layout"


class Manifests:
    """The manifests of a warehouse.

    Args:
        storage: Where it is.
        place: Of the warehouse.
        spark: Reaches a place that is not on this machine.
    """

    def __init__(self, storage: Storage, place: str, spark: SparkSession | None = None) -> None:
        self._storage = storage
        self._place = place
        self._spark = spark
        self._open: set[tuple[str, str]] = set()  # run and dataset: at work in this process
        self._known: dict[str, dict[str, Manifest]] = {}
        self._proven: dict[tuple[str, str], list[StoredFile]] = {}

    def begin(self, stage: StageTables, run_id: str) -> None:
        """Say that a stage writes its datasets: until `seal`, nobody else reads them."""
        nothing = dict[str, tuple[ProvenFile, ...]].fromkeys(stage.names, ())
        self._write(Manifest(stage.name, stage.remedy(run_id), False, nothing, run=run_id), run_id)
        self._open |= {(run_id, name) for name in stage.names}
        self._forget(run_id)

    def seal(self, stage: StageTables, run_id: str) -> str:
        """Say what a stage has written; the digest of the manifest."""
        proven = {name: tuple(self._prove_files(name, run_id)) for name in stage.names}
        layouts = {dataset.name: dataset.layout for dataset in stage.datasets}
        manifest = Manifest(stage.name, stage.remedy(run_id), True, proven, layouts, run=run_id)
        self._write(manifest, run_id)
        self._open -= {(run_id, name) for name in stage.names}
        self._forget(run_id)
        return digest_of(manifest.to_json())

    def proof(self, dataset: str, run_id: str) -> list[ProvenFile]:
        """The files of a dataset as they are now, whatever a manifest says."""
        return [*self._prove_files(dataset, run_id)]

    def has_begun(self, stage: StageTables, run_id: str) -> bool:
        """Whether a stage has begun to write, and may have ended."""
        return any(manifest.stage == stage.name for manifest in self._load_all(run_id).values())

    def is_sealed(self, stage: StageTables, run_id: str) -> bool:
        """Whether there is a manifest of what a stage has written, and it has ended."""
        return self.has_begun(stage, run_id) and not self.is_interrupted(run_id, stage.name)

    def is_interrupted(self, run_id: str, stage: str = "") -> bool:
        """Whether a stage, or any, has begun to write, and was killed since, or is at work."""
        manifests = self._load_all(run_id).values()
        return any(not manifest.ended and stage in {"", manifest.stage} for manifest in manifests)

    def files(self, dataset: str, run_id: str, known: int | None = 1) -> list[StoredFile] | None:
        """The files of a dataset, all that a reader may read; None: it is not there.

        Args:
            dataset: Its name.
            run_id: The run.
            known: The latest layout of the dataset that the reader knows; None: it reads no rows.

        Raises:
            EvidenceError: It is not as it was written, or cannot be read; says what is missing, and
                what to do.
            UnknownLayoutError: It was written by a later belvedere.
        """
        key = run_id, dataset
        with reading_of(f"{dataset} of {run_id}"):
            files = self._proven[key] if key in self._proven else self._look_up(dataset, run_id)
        if known is not None and key not in self._open:
            layout = self._find_layout(dataset, run_id)
            if layout > known:
                message = f"{dataset} of {run_id}: has layout {layout}, {known} is known"
                raise UnknownLayoutError(message, hint=UPGRADE)
        return files

    def _find_layout(self, dataset: str, run_id: str) -> int:
        """The layout of a dataset; what no manifest gives one is of the first."""
        layouts = (manifest.layouts.get(dataset) for manifest in self._load_all(run_id).values())
        return next((layout for layout in layouts if layout is not None), 1)

    def raised_columns(self, dataset: Dataset, run_id: str) -> tuple[str, ...]:
        """The columns of a dataset of a run to which a reader has to add 1.

        What no manifest gives a layout is of layout 1, unless this process is writing it.
        """
        if not dataset.from_one or (run_id, dataset.name) in self._open:
            return ()
        return dataset.from_one if self._find_layout(dataset.name, run_id) == 1 else ()

    def check(self, run_id: str, digest: str | None) -> None:
        """Look whether all is there that the manifest with this digest names.

        Raises:
            EvidenceError: It is not; says what is missing, and what to do.
        """
        if digest is None:  # layout 1
            return
        manifest = self._load_all(run_id).get(digest)
        if manifest is None:
            why = f"run {run_id}: its manifest is missing, or is not the one that was committed"
            raise EvidenceError(why, hint=RESTORE)
        for name in manifest.datasets:
            if (run_id, name) not in self._open:
                self.files(name, run_id, None)

    def lacks(self, run_id: str) -> str:
        """What is not there of all that stages have sealed of a run, as a sentence; empty: none."""
        ended = (manifest for manifest in self._load_all(run_id).values() if manifest.ended)
        refusals = (
            self._why_refused(dataset, run_id)
            for manifest in ended
            for dataset in manifest.datasets
        )
        return next(filter(None, refusals), "")

    def damage(self, run_id: str, datasets: Iterable[str] = ()) -> Iterator[str]:
        """What is not as it was written, by its content, a sentence for each.

        Args:
            run_id: The run.
            datasets: The datasets that have files, whatever a manifest says.
        """
        named: set[str] = set()
        try:
            manifests = self._load_all(run_id)
        except (EvidenceError, UnknownLayoutError) as error:
            yield f"{error}; {error.hint}"
            return
        for manifest in manifests.values():
            named |= manifest.datasets.keys()
            for dataset, files in manifest.datasets.items():
                if why := self._why_refused(dataset, run_id):
                    yield why
                    continue
                for file in files:
                    path = f"{self._folder(dataset, run_id)}/{file.path}"
                    if why := why_changed(self._storage, path, file.size, file.content):
                        yield f"{why}; {manifest.remedy(run_id)}"
        yield from filter(
            None,
            (self._why_refused(dataset, run_id) for dataset in datasets if dataset not in named),
        )

    def _why_refused(self, dataset: str, run_id: str) -> str:
        """Why nobody reads a dataset; empty: it is read."""
        try:
            self.files(dataset, run_id, None)
        except EvidenceError as error:
            return f"{error}; {error.hint}"
        return ""

    def _look_up(self, dataset: str, run_id: str) -> list[StoredFile] | None:
        stored_files = self._list_files(dataset, run_id)
        manifests = {} if (run_id, dataset) in self._open else self._load_all(run_id)
        for manifest in manifests.values():
            if dataset in manifest.datasets:
                proven = self._verify(dataset, run_id, manifest, stored_files)
                self._proven[run_id, dataset] = proven  # what has no manifest may still grow
                return proven
        data, alone = [file for file in stored_files if file.is_data], True
        for stored_file in data:
            path = f"{self._folder(dataset, run_id)}/{stored_file.path}"
            metadata = self._parse_footer(path, stored_file.size).metadata or {}
            check_layout(metadata)
            alone &= _LAYOUT_KEY in metadata
        if manifests and data and not alone:
            message = f"{dataset} of {run_id}: no manifest names what is there"
            raise EvidenceError(message, hint="run the stage that writes it again")
        return data or None

    def _verify(
        self, dataset: str, run_id: str, manifest: Manifest, stored_files: Sequence[StoredFile]
    ) -> list[StoredFile]:
        subject, again = f"{dataset} of {run_id}", manifest.remedy(run_id)
        if manifest.is_another(run_id):
            raise EvidenceError(f"{subject}: its manifest is that of {manifest.run}", hint=again)
        if not manifest.ended:
            worker = find_worker(self._place, f"run {run_id}", self._spark)
            if worker is not None and worker.command == manifest.stage:
                raise EvidenceError(f"{subject}: {worker} is at work on it", hint=_WAIT)
            why = f"{subject}: {manifest.stage} has not ended, or was interrupted"
            raise EvidenceError(why, hint=again)
        sizes = {file.path: file.size for file in stored_files}
        for file in manifest.datasets[dataset]:
            if why := self._why_wrong(f"{self._folder(dataset, run_id)}/{file.path}", file, sizes):
                raise EvidenceError(f"{subject}: the file {file.path} {why}", hint=again)
        named = {file.path for file in manifest.datasets[dataset]}
        return [file for file in stored_files if file.path in named]

    def _why_wrong(self, path: str, proven: ProvenFile, sizes: Mapping[str, int]) -> str:
        """What is wrong with a file; empty: nothing that can be seen without reading it."""
        if proven.path not in sizes:
            return "is missing"
        if sizes[proven.path] != proven.size:
            return f"has {sizes[proven.path]} bytes, and had {proven.size} when it was written"
        if proven.footer and digest_of(self._read_footer(path, proven.size)) != proven.footer:
            return "is not the one that was written"
        return ""

    def _prove_files(self, dataset: str, run_id: str) -> Iterator[ProvenFile]:
        for file in self._list_files(dataset, run_id):
            path, rows, footer = f"{self._folder(dataset, run_id)}/{file.path}", 0, ""
            if file.path.endswith(".parquet"):
                rows = self._parse_footer(path, file.size).num_rows
                footer = digest_of(self._read_footer(path, file.size))
            yield ProvenFile(
                file.path, file.size, rows, footer, self._storage.digest(path, file.size)
            )

    def _list_files(self, dataset: str, run_id: str) -> list[StoredFile]:
        """The files of a dataset, but those that a job has not finished, and its marks."""
        stored_files = self._storage.files(self._folder(dataset, run_id))
        return [stored_file for stored_file in stored_files if not stored_file.is_hidden]

    def _read_footer(self, path: str, size: int) -> bytes:
        """The footer of a Parquet file, with its length and magic.

        The last eight bytes are the length of what is before them, little-endian, and `PAR1`:
        https://parquet.apache.org/docs/file-format/
        """
        tail = self._storage.tail(path, size, _TAIL)
        if size < 12 or tail[-4:] != _MAGIC:
            raise EvidenceError(f"{path}: is no Parquet file, or a part of one", hint=RESTORE)
        length = int.from_bytes(tail[-8:-4], "little") + 8
        return tail[-length:] if length <= len(tail) else self._storage.tail(path, size, length)

    def _parse_footer(self, path: str, size: int) -> Any:  # noqa: ANN401 - pyarrow's metadata
        footer = pa.BufferReader(_MAGIC + self._read_footer(path, size))
        try:
            return pq.read_metadata(footer)
        except (pa.ArrowException, OSError, UnicodeDecodeError) as error:  # all of them Arrow's
            why = str(error).partition("\n")[0]
            raise EvidenceError(f"{path}: its footer is damaged: {why}", hint=RESTORE) from error

    def _load_all(self, run_id: str) -> dict[str, Manifest]:
        """The manifests of a run by their digests."""
        if run_id not in self._known:
            folder = f"{self._place}/manifests/run_id={run_id}"
            with reading_of(f"manifests of {run_id}"):
                files = [file for file in self._storage.files(folder) if not file.is_hidden]
            self._known[run_id] = dict(self._load(f"{folder}/{file.path}") for file in files)
        return self._known[run_id]

    def _load(self, path: str) -> tuple[str, Manifest]:
        try:
            text = self._storage.read(path)
            return digest_of(text), Manifest.from_json(text)
        except UnknownLayoutError as error:
            raise UnknownLayoutError(f"{path}: {error}", hint=error.hint) from error
        except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
            raise EvidenceError(f"{path}: is no manifest: {error}", hint=RESTORE) from error

    def _write(self, manifest: Manifest, run_id: str) -> None:
        self._storage.replace(self._path(run_id, manifest.stage), manifest.to_json())

    def _path(self, run_id: str, stage: str) -> str:
        return f"{self._place}/manifests/run_id={run_id}/{stage}.json"

    def _folder(self, dataset: str, run_id: str) -> str:
        return f"{self._place}/{dataset}/run_id={run_id}"

    def _forget(self, run_id: str) -> None:
        self._known.pop(run_id, None)
        self._proven = {key: value for key, value in self._proven.items() if key[0] != run_id}


RESTORE: Final = "restore it from a copy of the warehouse, or make the run anew"


def marked(schema: pa.Schema, layout: int) -> pa.Schema:
    """A schema that says its layout, for a file that no manifest names."""
    return schema.with_metadata({_LAYOUT_KEY: str(layout)})


def check_layout(metadata: Mapping[bytes, bytes]) -> None:
    """Look whether a file is of a layout that is known; one that says none is of the first.

    Raises:
        UnknownLayoutError: It was written by a later belvedere.
    """
    layout = metadata.get(_LAYOUT_KEY, b"1").decode(errors="replace")
    if not layout.isdigit() or int(layout) > LAYOUT:
        raise UnknownLayoutError(f"a file has layout {layout}, {LAYOUT} is known", hint=UPGRADE)


def digest_of(data: bytes) -> str:
    """SHA-256, in hexadecimal."""
    return hashlib.sha256(data).hexdigest()
