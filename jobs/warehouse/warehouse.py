"""The warehouse: a folder that Spark can write, with one dataset per table and run.

A run is visible only when its row stands in `runs`; writing that row is the last thing that a
crawl does. What a stage wrote is read only if its manifest says that all of it is there.
"""

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import reduce
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

from pyspark.sql import DataFrame, SparkSession

from discovery.errors import ConfigurationError, EvidenceError, UnknownLayoutError
from jobs.warehouse.cells import Cells, read_cells, rows_of
from jobs.warehouse.compaction import put_together
from jobs.warehouse.datasets import Dataset, StageTables, Table
from jobs.warehouse.evidence import Manifests
from jobs.warehouse.frames import frame_of, read, stream_rows, write
from jobs.warehouse.manifest import LAYOUT, UPGRADE
from jobs.warehouse.notes import pack_note, read_note
from jobs.warehouse.parts import DerivedRows
from jobs.warehouse.placing import note_written
from jobs.warehouse.retained import RetainedRows, retain_rows, with_places
from jobs.warehouse.runs import RUNS, Run
from jobs.warehouse.storage import Storage, StoredFile, root_of, storage_of
from jobs.warehouse.unnoted import names_in, names_of_journals, without_row

_NOTE: Final = "part-0.zstd.parquet"
_FOLDER_OF_ONE: Final = 0o700
_FILE_OF_ONE: Final = 0o600
Values = tuple[Any, ...]


class Warehouse:
    """The tables of all runs.

    Args:
        place: An absolute path, or a URI that Spark knows.
        spark: Reads where the place is not on this machine; local files are read without it.
    """

    def __init__(self, place: str, spark: SparkSession | None = None) -> None:
        self._place = root_of(place)
        self._spark = spark if "://" in self._place else None
        self._storage: Storage = storage_of(self._place, self._spark)
        self._evidence = Manifests(self._storage, self._place, self._spark)
        self._told: set[str] = set()
        self._left_out: dict[str, set[str]] = {}  # dataset of few rows to names

    @property
    def is_far(self) -> bool:
        """Whether its place is not on this machine, and only Spark reads it."""
        return self._spark is not None

    def begin(self, stage: StageTables, run_id: str) -> None:
        """Say that a stage writes a run's datasets: until `seal`, nobody else reads them."""
        self._evidence.begin(stage, run_id)

    def seal(self, stage: StageTables, run_id: str) -> str:
        """Commit what a stage has written of a run; the digest of its manifest."""
        return self._evidence.seal(stage, run_id)

    def put_together(self, stage: StageTables, run_id: str) -> None:
        """Make few files of what a stage has written, before it is sealed."""
        put_together(self._storage, self._place, stage, run_id)

    def is_sealed(self, stage: StageTables, run_id: str) -> bool:
        """Whether a stage has committed what it wrote of a run."""
        return self._evidence.is_sealed(stage, run_id)

    def is_interrupted(self, run_id: str, stage: str = "") -> bool:
        """Whether a stage, or any, has begun to write of a run, and has not ended."""
        return self._evidence.is_interrupted(run_id, stage)

    @contextmanager
    def sealing(self, stage: StageTables, run_id: str) -> Iterator[None]:
        """Begin, and seal what the block has written if it ends well."""
        self.begin(stage, run_id)
        yield
        self.put_together(stage, run_id)
        self.seal(stage, run_id)

    def damage(self, run_id: str, datasets: Iterable[str] = ()) -> Iterator[str]:
        """What of a run is not as it was written, a sentence for each; every byte is read.

        Args:
            run_id: The run.
            datasets: The datasets that have files, whatever a manifest says.
        """
        return self._evidence.damage(run_id, datasets)

    def write(self, dataset: Dataset, run_id: str, frame: DataFrame) -> None:
        """Write a dataset of a run; what an earlier attempt at this run left is replaced."""
        write(frame, self._uri(dataset, run_id), replaces=True)

    def write_derived(self, run_id: str, *derived: DerivedRows) -> None:
        """Write a dataset of a run as `write` does: by workers, where they reach the warehouse."""
        dataset = derived[0].dataset
        if self._spark is not None:
            self.write(
                dataset, run_id, reduce(DataFrame.unionByName, [rows.rows() for rows in derived])
            )
            return
        self.clear(dataset, run_id)
        for rows in derived:
            rows.write(self._folder(dataset, run_id))

    def retain_rows(
        self,
        spark: SparkSession,
        dataset: Dataset,
        run_id: str,
        left_out: DataFrame,
        filled: Mapping[str, str],
    ) -> RetainedRows:
        """The rows of a dataset of a run that another run takes over.

        Args:
            spark: The session.
            dataset: The dataset.
            run_id: Of the run that has them.
            left_out: The others, `with_places`.
            filled: What a column is to say where it is null.
        """
        folder = self._folder(dataset, run_id)
        files = sorted(self._look_up_files(dataset, run_id) or (), key=lambda file: -file.size)
        rows = with_places(self.frame(spark, dataset, run_id))
        paths = [f"{folder}/{file.path}" for file in files]
        return retain_rows(dataset, paths, rows, left_out, filled)

    def clear(self, dataset: Dataset, run_id: str) -> None:
        """Remove what an earlier attempt at this run has left of a dataset."""
        self._storage.clear(self._folder(dataset, run_id))

    def commit(self, run: Run) -> None:
        """Make a run visible."""
        self.note(RUNS, run.run_id, tuple(getattr(run, name) for name in RUNS.names))

    def note(self, dataset: Dataset, run_id: str, *rows: Values) -> None:
        """Write a dataset of few rows, without Spark, whose job takes 0.3 s."""
        folder = self._folder(dataset, run_id)
        self._storage.replace(f"{folder}/{_NOTE}", pack_note(dataset, rows))
        for file in self._storage.files(folder):
            if file.path.endswith(".parquet") and file.path != _NOTE:
                self._storage.remove(f"{folder}/{file.path}")

    def append(self, dataset: Dataset, run_id: str, frame: DataFrame) -> None:
        """Add rows to a dataset of a run, all or none of them.

        Each time in a folder of its own: what a killed job leaves in one is in no reader's way, and
        no later job takes it for its own.
        """
        write(frame, f"{self._uri(dataset, run_id)}/{uuid4().hex}", replaces=False)

    def read_appended(self, spark: SparkSession, dataset: Dataset, run_id: str) -> DataFrame:
        """A dataset of a run that was written by `append`, for Spark; empty if nothing was.

        Args:
            spark: The session.
            dataset: The dataset.
            run_id: Of the run; `*`: all of them; one that is lost is an `EvidenceError`.
        """
        every = run_id == "*"
        names = names_of_journals(self._storage, self._place, dataset) if every else [run_id]
        places = [self._uri(dataset, name) for name in names if self._look_up_files(dataset, name)]
        if not places:
            return frame_of(spark, dataset.schema)
        return read(spark, dataset, places)

    def write_lines(self, name: str, run_id: str, lines: DataFrame) -> None:
        """Write the only column of a frame as gzipped lines, beside the datasets of a run.

        They are what sources said, with every text of a view, so on this machine nobody but the
        user who crawls may read them.
        """
        written = self._place_of(name, run_id)
        place = Path(written)
        if self._spark is None:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.parent.chmod(_FOLDER_OF_ONE)  # before there is anything in it
        with note_written(written):
            lines.write.mode("overwrite").text(self._for_spark(written), compression="gzip")
        if self._spark is None:
            for path in (place, *place.rglob("*")):
                path.chmod(_FOLDER_OF_ONE if path.is_dir() else _FILE_OF_ONE)

    def count_rows(self, dataset: Dataset, run_id: str, columns: Sequence[str]) -> Counter[Values]:
        """How many rows of a dataset have which values, as they stand in its files."""
        counts: Counter[Values] = Counter()
        if self._spark is not None:
            groups = self.frame(self._spark, dataset, run_id).groupBy(*columns).count()
            for *values, number in stream_rows(groups):
                counts[tuple(_hashable(values))] += number
        else:
            for cells in self._read_cells(dataset, run_id, columns):
                counts.update(zip(*map(_hashable, cells.values()), strict=True))
        return counts

    def frame(self, spark: SparkSession, dataset: Dataset, run_id: str) -> DataFrame:
        """A dataset of a run, for Spark: the files that its stage wrote, no others.

        Raises:
            EvidenceError: It is not as it was written, or not there.
        """
        files, folder = self._look_up_files(dataset, run_id), self._uri(dataset, run_id)
        if files is None:
            message = f"{dataset.name} of {run_id}: there is no such dataset"
            raise EvidenceError(message, hint="run the stage that writes it")
        data = [file for file in self._storage.files(self._folder(dataset, run_id)) if file.is_data]
        places = [folder] if files == data else [f"{folder}/{file.path}" for file in files]
        frame = read(spark, dataset, places)
        raised = self._evidence.raised_columns(dataset, run_id)
        return frame.withColumns({name: frame[name] + 1 for name in raised}) if raised else frame

    def is_written(self, dataset: Dataset, run_id: str) -> bool:
        """Whether a stage has written the dataset of a run; a stage may not have run."""
        return self._look_up_files(dataset, run_id) is not None

    def names(self, dataset: Dataset) -> list[str]:
        """The names that have a folder in a dataset."""
        return names_in(self._storage, self._place, dataset)

    def runs(self) -> list[Run]:
        """The committed runs, oldest first; one whose row cannot be read is told on stderr."""
        runs = [Run.of(row) for row in self._read_noted_rows(RUNS)]
        return sorted(runs, key=lambda run: run.age)

    def find_left_out(self, dataset: Dataset) -> list[str]:
        """The names whose row in a dataset of few rows is lost, or cannot be read."""
        list(self._read_noted_rows(dataset))
        return sorted(self._left_out[dataset.name])

    def run(self, run_id: str | None) -> Run:
        """A committed run, of which all is there; the latest if none is named.

        Raises:
            ConfigurationError: There is no such run.
            EvidenceError: What its crawl wrote is not there any more.
            UnknownLayoutError: A later belvedere wrote it.
        """
        runs = self.runs()
        chosen = [run for run in runs if run_id in {None, run.run_id}]
        if not chosen:
            latest = ", ".join(run.run_id for run in runs[-10:])
            hint = f"committed runs: {latest}" if latest else "`belvedere crawl` makes one"
            message = f"no committed run {run_id}" if run_id else "no committed run"
            raise ConfigurationError(f"{self._place}: {message}", hint=hint)
        self._check(chosen[-1])
        return chosen[-1]

    def whole_runs(self) -> list[Run]:
        """Those of the committed runs of which all is there; the others are told on stderr."""
        runs = []
        for run in self.runs():
            if why := self.why_broken(run):
                self._tell(run.describe_damage(why))
            else:
                runs.append(run)
        return runs

    def lacks(self, run_id: str) -> str:
        """What is not there of all that stages have sealed of a run; empty: all of it is."""
        return self._evidence.lacks(run_id)

    def why_broken(self, run: Run) -> str:
        """What of a run is not there as it was written; empty: it is whole."""
        try:
            self._check(run)
        except (EvidenceError, UnknownLayoutError) as error:
            return str(error)
        return ""

    def table(
        self,
        table: Table | Dataset,
        run_id: str,
        *,
        where: dict[str, Sequence[str]] | None = None,
        columns: Sequence[str] = (),
    ) -> Iterator[dict[str, Any]]:
        """The rows of a table of a run, as they stand in its files.

        Args:
            table: The table; of a dataset, the one of its name.
            run_id: Of the run; `*`, for a dataset of few rows: all of them.
            where: Column to the values that are wanted.
            columns: Which are wanted; all if none is named.

        Raises:
            EvidenceError: It is not as it was written.
        """
        chosen = table.table if isinstance(table, Dataset) else table
        wanted = dict(where or {})
        if chosen.entity is not None:
            wanted["entity"] = [chosen.entity]
        if run_id == "*":
            return self._read_noted_rows(chosen.dataset)
        return self._read_rows(chosen.dataset, run_id, columns or chosen.columns, wanted)

    def _read_noted_rows(self, dataset: Dataset) -> Iterator[dict[str, Any]]:
        """The rows of a dataset of few rows, of all runs; one that is junk or lost is told."""
        self._look_for_lost(dataset)
        for name in self.names(dataset):
            try:
                yield from self._read_notes(dataset, name)
            except UnknownLayoutError as error:
                why = f"{dataset.name} of {name}: {error}"
                raise UnknownLayoutError(why, hint=error.hint) from error
            except (OSError, EvidenceError) as error:
                self._leave_out(dataset, name, str(error))

    def _read_notes(self, dataset: Dataset, name: str) -> Iterator[dict[str, Any]]:
        folder = self._folder(dataset, name)
        files = [file.path for file in self._storage.files(folder) if file.is_data]
        for path in [_NOTE] if _NOTE in files else files:
            for row in read_note(self._storage.read(f"{folder}/{path}"), dataset):
                if (own := row[dataset.names[0]]) != name:
                    raise EvidenceError(f"its row is that of {own}")
                yield row

    def _look_for_lost(self, dataset: Dataset) -> None:
        """Tell, once, of rows of a dataset that are not there, though what they say of is."""
        if dataset.name not in self._left_out:
            self._left_out[dataset.name] = set()
            for name, why in without_row(self._storage, self._place, dataset, self._spark):
                self._leave_out(dataset, name, why)

    def _leave_out(self, dataset: Dataset, name: str, why: str) -> None:
        self._left_out[dataset.name].add(name)
        self._tell(f"{dataset.name} of {name} is left out: {why}")

    def _read_rows(
        self, dataset: Dataset, run_id: str, columns: Sequence[str], where: dict[str, Sequence[str]]
    ) -> Iterator[dict[str, Any]]:
        if self._spark is not None:
            is_written = self.is_written(dataset, run_id)
            frame = (
                self.frame(self._spark, dataset, run_id)
                if is_written
                else frame_of(self._spark, dataset.schema)
            )
            for name, values in where.items():
                frame = frame.where(frame[name].isin(list(values)))
            for row in stream_rows(frame.select(list(columns))):
                yield row.asDict(recursive=True)
            return
        for cells in self._read_cells(dataset, run_id, tuple(dict.fromkeys((*columns, *where)))):
            yield from rows_of(cells, columns, where)

    def _read_cells(self, dataset: Dataset, run_id: str, columns: Sequence[str]) -> Iterator[Cells]:
        """Rows of files on this machine."""
        folder = self._folder(dataset, run_id)
        files = [f"{folder}/{file.path}" for file in self._look_up_files(dataset, run_id) or ()]
        raised = self._evidence.raised_columns(dataset, run_id) if files else ()
        return read_cells(files, dataset.schema, columns, raised)

    def _check(self, run: Run) -> None:
        if run.layout > LAYOUT:
            subject = f"run {run.run_id}, of belvedere {run.version}, has layout {run.layout}"
            raise UnknownLayoutError(f"{subject}, {LAYOUT} is known", hint=UPGRADE)
        self._evidence.check(run.run_id, run.manifest)

    def _look_up_files(self, dataset: Dataset, run_id: str) -> list[StoredFile] | None:
        return self._evidence.files(dataset.name, run_id, dataset.layout)

    def _uri(self, dataset: Dataset, run_id: str) -> str:
        return self._for_spark(self._folder(dataset, run_id))

    def _for_spark(self, place: str) -> str:
        """A place for Spark, which takes its default file system without a scheme."""
        return place if self._spark is not None else f"file://{place}"

    def _folder(self, dataset: Dataset, run_id: str) -> str:
        return self._place_of(dataset.name, run_id)

    def _place_of(self, name: str, run_id: str) -> str:
        return f"{self._place}/{name}/run_id={run_id}"

    def _tell(self, message: str) -> None:
        """Say once, on stderr, what is not read."""
        if message not in self._told:
            self._told.add(message)
            print(message, file=sys.stderr, flush=True)


def _hashable(values: Iterable[object]) -> list[object]:
    return [tuple(value) if isinstance(value, list) else value for value in values]
