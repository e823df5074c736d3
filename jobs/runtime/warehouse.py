"""The warehouse: a folder that Spark can write, with one dataset per table and run.

A run is visible only when its row stands in `runs`; writing that row is the last thing that a
crawl does.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds
from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.pandas.types import from_arrow_schema

from discovery.errors import ConfigurationError
from jobs.runtime import assessed, rows

RUNS: Final = pa.schema(
    [
        pa.field("run_id", pa.string(), metadata={"doc": "Name of the run."}),
        pa.field("started", pa.timestamp("us", "UTC"), metadata={"doc": "When the crawl began."}),
        pa.field("finished", pa.timestamp("us", "UTC"), metadata={"doc": "When it was committed."}),
        pa.field("version", pa.string(), metadata={"doc": "Version of belvedere."}),
        pa.field("exit_code", pa.int32(), metadata={"doc": "How the crawl ended."}),
        pa.field("counts", pa.string(), metadata={"doc": "The counts of the crawl, as JSON."}),
    ]
)
_PARQUET: Final = {  # texts that never repeat: trying a dictionary on them costs a tenth of a crawl
    "compression": "zstd",
    "parquet.enable.dictionary#model": "false",
    "parquet.enable.dictionary#raw": "false",
}
DATASETS: Final = {
    "runs": RUNS,
    "objects": rows.OBJECTS,
    "outcomes": rows.OUTCOMES,
    **assessed.DATASETS,
    "loads": rows.LOADS,
    "verified": rows.VERIFIED,
}


@dataclass(frozen=True, slots=True)
class Table:
    """A table of the warehouse: a projection of one of its datasets."""

    dataset: str
    columns: tuple[str, ...]
    entity: str | None = None


def _columns(schema: pa.Schema, *left_out: str) -> tuple[str, ...]:
    return tuple(name for name in schema.names if name not in left_out)


TABLES: Final = {
    "runs": Table("runs", _columns(RUNS)),
    "objects": Table("objects", _columns(rows.OBJECTS), "object"),
    "namespaces": Table("outcomes", _columns(rows.OUTCOMES, "name", "kind", "raw"), "namespace"),
    "outcomes": Table("outcomes", _columns(rows.OUTCOMES, "raw")),
    "raw": Table("outcomes", ("source", "entity", "namespace", "name", "key", "raw")),
    **{
        name: Table(name, _columns(schema))
        for name, schema in assessed.DATASETS.items()
        if name not in {"assessed", "compared"}
    },
    "loads": Table("loads", _columns(rows.LOADS)),
    "verified": Table("verified", _columns(rows.VERIFIED)),
}


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

    def write(self, dataset: str, run_id: str, frame: DataFrame) -> None:
        """Write a dataset of a run; what an earlier attempt at this run left is replaced."""
        frame.write.mode("overwrite").options(**_PARQUET).parquet(self._of_run(dataset, run_id))

    def commit(self, spark: SparkSession, run: Run) -> None:
        """Make a run visible."""
        row = tuple(getattr(run, name) for name in RUNS.names)
        frame = spark.createDataFrame([row], from_arrow_schema(RUNS)).coalesce(1)
        self.write("runs", run.run_id, frame)

    def archive(self, run_id: str, outcomes: DataFrame) -> None:
        """Write the raw objects of a run as the source `archive` replays them."""
        raw = outcomes.where("raw <> ''").select("raw")
        raw.write.mode("overwrite").text(self._of_run("archive", run_id), compression="gzip")

    def frame(self, spark: SparkSession, dataset: str, run_id: str) -> DataFrame:
        """A dataset of a run, for Spark."""
        schema = from_arrow_schema(DATASETS[dataset])
        return spark.read.schema(schema).parquet(self._of_run(dataset, run_id))

    def written(self, spark: SparkSession, dataset: str, run_id: str) -> bool:
        """Whether a stage has written the dataset of a run; a stage may not have run."""
        try:
            self.frame(spark, dataset, run_id)
        except AnalysisException as error:
            if error.getCondition() == "PATH_NOT_FOUND":
                return False
            raise
        return True

    def nothing(self, spark: SparkSession, dataset: str) -> DataFrame:
        """A dataset without rows."""
        return spark.createDataFrame([], from_arrow_schema(DATASETS[dataset]))

    def views(self, spark: SparkSession, run_id: str) -> DataFrame:
        """The rows of `outcomes` that are views, for Spark."""
        return self.frame(spark, "outcomes", run_id).where("outcome = 'view'")

    def runs(self) -> list[Run]:
        """The committed runs, oldest first."""
        found = [Run(**row) for row in self._rows("runs", "*", RUNS.names, {})]
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
        self, name: str, run_id: str, *, where: dict[str, Sequence[str]] | None = None
    ) -> Iterator[dict[str, Any]]:
        """The rows of a table of a run, as they stand in its files.

        Args:
            name: Of the table.
            run_id: Of the run.
            where: Column to the values that are wanted.
        """
        table = TABLES[name]
        wanted = dict(where or {})
        if table.entity is not None:
            wanted["entity"] = [table.entity]
        return self._rows(table.dataset, run_id, table.columns, wanted)

    def _rows(
        self, dataset: str, run_id: str, columns: Sequence[str], where: dict[str, Sequence[str]]
    ) -> Iterator[dict[str, Any]]:
        schema, place = DATASETS[dataset], self._of_run(dataset, run_id)
        if self._spark is not None:
            frame = self._spark.read.schema(from_arrow_schema(schema)).parquet(place)
            for name, values in where.items():
                frame = frame.where(frame[name].isin(list(values)))
            for row in frame.select(list(columns)).toLocalIterator():
                yield row.asDict(recursive=True)
            return
        files = [str(path) for path in sorted(Path("/").glob(f"{place.lstrip('/')}/*.parquet"))]
        if not files:
            return
        chosen = None
        for name, values in where.items():
            one = pc.field(name).isin(list(values))
            chosen = one if chosen is None else chosen & one
        found = ds.dataset(files, schema=schema, format="parquet")
        for batch in found.to_batches(columns=list(columns), filter=chosen, batch_size=1_000):
            yield from batch.to_pylist()

    def _of_run(self, dataset: str, run_id: str) -> str:
        return f"{self._place}/{dataset}/run_id={run_id}"


def now() -> datetime:
    """The time, in UTC."""
    return datetime.now(UTC)
