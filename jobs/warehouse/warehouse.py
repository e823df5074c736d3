"""The warehouse: a folder that Spark can write, with one dataset per table and run.

A run is visible only when its row stands in `runs`; writing that row is the last thing that a
crawl does.
"""

import secrets
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds
import pyarrow.parquet as pq
from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.pandas.types import from_arrow_schema

from discovery.errors import ConfigurationError
from jobs.warehouse.datasets import Dataset, Table

RUNS: Final = Dataset.of(
    "runs",
    [
        pa.field("run_id", pa.string(), metadata={"doc": "Name of the run."}),
        pa.field("started", pa.timestamp("us", "UTC"), metadata={"doc": "When the crawl began."}),
        pa.field("finished", pa.timestamp("us", "UTC"), metadata={"doc": "When it was committed."}),
        pa.field("version", pa.string(), metadata={"doc": "Version of belvedere."}),
        pa.field("exit_code", pa.int32(), metadata={"doc": "How the crawl ended."}),
        pa.field("counts", pa.string(), metadata={"doc": "The counts of the crawl, as JSON."}),
    ],
)
_PARQUET: Final = {  # texts that never repeat: trying a dictionary on them costs a tenth of a crawl
    "compression": "zstd",
    "parquet.enable.dictionary#model": "false",
    "parquet.enable.dictionary#raw": "false",
}
_FOLDER_OF_ONE: Final = 0o700
_FILE_OF_ONE: Final = 0o600
Values = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Run:
    """A committed run."""

    run_id: str
    started: datetime
    finished: datetime
    version: str
    exit_code: int
    counts: str


class Warehouse:
    """The tables of all runs.

    Args:
        place: An absolute path, or a URI that Spark knows.
        spark: Reads where the place is not on this machine; local files are read without it.
    """

    def __init__(self, place: str, spark: SparkSession | None = None) -> None:
        self._place = place.removeprefix("file://").rstrip("/")
        self._spark = spark if "://" in self._place else None

    def write(self, dataset: Dataset, run_id: str, frame: DataFrame) -> None:
        """Write a dataset of a run; what an earlier attempt at this run left is replaced."""
        frame.write.mode("overwrite").options(**_PARQUET).parquet(self._uri(dataset, run_id))

    def commit(self, run: Run) -> None:
        """Make a run visible."""
        self.note(RUNS, run.run_id, tuple(getattr(run, name) for name in RUNS.names))

    def note(self, dataset: Dataset, run_id: str, *rows: Values) -> None:
        """Write a dataset of few rows; on this machine without Spark, whose job takes 0.3 s."""
        schema = dataset.schema
        if self._spark is not None:
            frame = self._spark.createDataFrame(list(rows), from_arrow_schema(schema)).coalesce(1)
            self.write(dataset, run_id, frame)
            return
        folder = Path(self._of_run(dataset, run_id))
        folder.mkdir(parents=True, exist_ok=True)
        unseen = folder / ".unseen"
        named = [dict(zip(schema.names, row, strict=True)) for row in rows]
        pq.write_table(pa.Table.from_pylist(named, schema), unseen, compression="zstd")
        unseen.replace(folder / "part-0.zstd.parquet")  # whole, or not there

    def append(self, dataset: Dataset, run_id: str, frame: DataFrame) -> None:
        """Add rows to a dataset of a run, all or none of them.

        Each time in a folder of its own: what a killed job leaves in one is in no reader's way, and
        no later job takes it for its own.
        """
        place = f"{self._uri(dataset, run_id)}/{uuid4().hex}"
        frame.write.options(**_PARQUET).parquet(place)

    def appended(self, spark: SparkSession, dataset: Dataset, run_id: str) -> DataFrame:
        """A dataset of a run that was written by `append`, for Spark; empty if nothing was."""
        schema = from_arrow_schema(dataset.schema)
        try:
            reader = spark.read.schema(schema).option("recursiveFileLookup", "true")
            return reader.parquet(self._uri(dataset, run_id))
        except AnalysisException:  # nothing has been appended yet
            return spark.createDataFrame([], schema)

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
        lines.write.mode("overwrite").text(self._for_spark(written), compression="gzip")
        if self._spark is None:
            for path in (place, *place.rglob("*")):
                path.chmod(_FOLDER_OF_ONE if path.is_dir() else _FILE_OF_ONE)

    def counted(self, dataset: Dataset, run_id: str, columns: Sequence[str]) -> Counter[Values]:
        """How many rows of a dataset have which values, as they stand in its files."""
        found: Counter[Values] = Counter()
        if self._spark is not None:
            groups = self.frame(self._spark, dataset, run_id).groupBy(*columns).count()
            for *values, number in groups.toLocalIterator():
                found[_hashable(values)] += number
        else:
            for batch in self._batches(dataset, run_id, columns):
                cells = [column.to_pylist() for column in batch.columns]
                found.update(map(_hashable, zip(*cells, strict=True)))
        return found

    def frame(self, spark: SparkSession, dataset: Dataset, run_id: str) -> DataFrame:
        """A dataset of a run, for Spark."""
        schema = from_arrow_schema(dataset.schema)
        return spark.read.schema(schema).parquet(self._uri(dataset, run_id))

    def written(self, spark: SparkSession, dataset: Dataset, run_id: str) -> bool:
        """Whether a stage has written the dataset of a run; a stage may not have run."""
        try:
            self.frame(spark, dataset, run_id)
        except AnalysisException as error:
            if error.getCondition() == "PATH_NOT_FOUND":
                return False
            raise
        return True

    def nothing(self, spark: SparkSession, dataset: Dataset) -> DataFrame:
        """A dataset without rows."""
        return spark.createDataFrame([], from_arrow_schema(dataset.schema))

    def runs(self) -> list[Run]:
        """The committed runs, oldest first."""
        found = [_run(row) for row in self._rows(RUNS, "*", RUNS.names, {})]
        return sorted(found, key=lambda run: (run.started, run.run_id))

    def run(self, run_id: str | None) -> Run:
        """A committed run; the latest if none is named.

        Raises:
            ConfigurationError: There is no such run.
        """
        runs = self.runs()
        chosen = [run for run in runs if run_id in {None, run.run_id}]
        if not chosen:
            known = ", ".join(run.run_id for run in runs[-10:]) or "none at all"
            what = f"no committed run {run_id}" if run_id else "no committed run"
            raise ConfigurationError(f"{self._place}: {what}", hint=f"committed runs: {known}")
        return chosen[-1]

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
            run_id: Of the run.
            where: Column to the values that are wanted.
            columns: Which are wanted; all if none is named.
        """
        chosen = table.table if isinstance(table, Dataset) else table
        wanted = dict(where or {})
        if chosen.entity is not None:
            wanted["entity"] = [chosen.entity]
        return self._rows(chosen.dataset, run_id, columns or chosen.columns, wanted)

    def has(self, dataset: Dataset, run_id: str) -> bool:
        """As `written`, without Spark where the place is on this machine."""
        if self._spark is not None:
            return self.written(self._spark, dataset, run_id)
        return any(Path(self._of_run(dataset, run_id)).glob("**/*.parquet"))

    def _rows(
        self, dataset: Dataset, run_id: str, columns: Sequence[str], where: dict[str, Sequence[str]]
    ) -> Iterator[dict[str, Any]]:
        if self._spark is not None:
            frame = self.appended(self._spark, dataset, run_id)
            for name, values in where.items():
                frame = frame.where(frame[name].isin(list(values)))
            for row in frame.select(list(columns)).toLocalIterator():
                yield row.asDict(recursive=True)
            return
        chosen = None
        for name, values in where.items():
            one = pc.field(name).isin(list(values))
            chosen = one if chosen is None else chosen & one
        for batch in self._batches(dataset, run_id, columns, chosen):
            yield from batch.to_pylist()

    def _batches(
        self, dataset: Dataset, run_id: str, columns: Sequence[str], chosen: pc.Expression = None
    ) -> Iterator[pa.RecordBatch]:
        """Rows of files on this machine."""
        place = self._of_run(dataset, run_id)
        found = sorted(Path("/").glob(f"{place.lstrip('/')}/**/*.parquet"))
        files = [str(path) for path in found if "_temporary" not in path.parts]
        if files:
            whole = ds.dataset(files, schema=dataset.schema, format="parquet")
            yield from whole.to_batches(columns=list(columns), filter=chosen, batch_size=1_000)

    def _uri(self, dataset: Dataset, run_id: str) -> str:
        return self._for_spark(self._of_run(dataset, run_id))

    def _for_spark(self, place: str) -> str:
        """A place for Spark, which takes its default file system without a scheme."""
        return place if self._spark is not None else f"file://{place}"

    def _of_run(self, dataset: Dataset, run_id: str) -> str:
        return self._place_of(dataset.name, run_id)

    def _place_of(self, name: str, run_id: str) -> str:
        return f"{self._place}/{name}/run_id={run_id}"


def new_id() -> str:
    """A name for an execution, made of the time."""
    return f"{now():%Y%m%dT%H%M%SZ}-{secrets.token_hex(2)}"


def _run(row: dict[str, Any]) -> Run:
    """Spark's rows have times without a zone, in that of this machine."""
    times = {name: row[name].astimezone(UTC) for name in ("started", "finished")}
    return Run(**{**row, **times})


def _hashable(values: Iterable[object]) -> Values:
    return tuple(tuple(one) if isinstance(one, list) else one for one in values)


def now() -> datetime:
    """The time, in UTC."""
    return datetime.now(UTC)
