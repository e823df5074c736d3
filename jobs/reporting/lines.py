"""The rows of a report: one for each view and each object that could not be read, numbered.

Everything is joined on Spark; what reaches the driver is counts and, later, finished text.
"""

import json
from functools import cached_property, reduce
from typing import Any, Final

import pyarrow as pa
from pyspark import StorageLevel
from pyspark.sql import Column, DataFrame, SparkSession, Window
from pyspark.sql import functions as f
from pyspark.sql.pandas.types import from_arrow_type

from discovery.ports import ASIDE
from jobs.assessing import tables as assessed
from jobs.crawling import tables as rows
from jobs.migrating import tables as planned
from jobs.migrating.journal import history
from jobs.migrating.plans import latest_plan
from jobs.reporting import workers
from jobs.tables import DATASETS
from jobs.warehouse.datasets import Dataset
from jobs.warehouse.decisions import decided
from jobs.warehouse.rows import column
from jobs.warehouse.warehouse import Warehouse

PART: Final = 64  # views whose details are packed together
KEYS: Final = ["source", "key"]


def _listed(name: str, table: Dataset, columns: tuple[str, ...], meaning: str) -> pa.Field:
    """A list of structs whose fields are columns of a table."""
    fields = [pa.field(one, table.field(one).type) for one in columns]
    return column(name, pa.list_(pa.struct(fields)), meaning)


_ENGINES: Final = ("engine", "status", "grade", "reason")
_FINDINGS: Final = ("code", "severity", "engine", "dialect", "message", "hint")
_PLANNED: Final = ("target", "action", "code", "reason")
_TEXTS: Final = pa.list_(pa.string())
_KEPT: Final = (
    *("source", "namespace", "name", "key", "outcome", "format", "dialects", "columns", "security"),
    *("owner", "notes", "stage", "code", "message", "hint", "fingerprint"),
)
LINES: Final = pa.schema(
    [
        *(rows.OUTCOMES.field(name) for name in _KEPT),
        column(
            "standing", pa.string(), "`ready`, `needs review`, `blocked` or `not judged`: see page."
        ),
        column("reason", pa.string(), "The code behind that; null if it is ready."),
        _listed("engines", assessed.MATRIX, _ENGINES, "Its rows of `matrix`; null: not assessed."),
        _listed("findings", assessed.FINDINGS, _FINDINGS, "Its rows of `findings`."),
        assessed.WAVES.field("wave"),
        assessed.WAVES.field("aside"),
        assessed.WAVES.field("because"),
        _listed("plan", planned.CHANGES, _PLANNED, "What the latest plan says; null: no plan."),
        column("differences", _TEXTS, "Fields that read back otherwise; null: not read back."),
        column("changes", _TEXTS, "What has changed since the run that is compared with."),
    ]
)
"""A view in a report: what JSON, CSV and the others are written from."""


def lines(tables: "RunTables", changes: DataFrame | None) -> DataFrame:
    """The rows, with their number (`row`, by source and key), kept on disk until unpersisted.

    Args:
        tables: Of a committed run.
        changes: Source, key and `changes`, if the run is compared with another.
    """
    outcomes = tables.frame("outcomes")
    mine = outcomes.where("entity = 'object' and outcome in ('view', 'failure')").select(*_KEPT)
    order = Window.orderBy(f.struct("source", "key", "name"))
    found = mine.withColumn("row", f.row_number().over(order) - 1)
    for part in (
        _gathered(tables.some("matrix", *KEYS, *_ENGINES), "engines", _ENGINES),
        _gathered(tables.some("findings", *KEYS, *_FINDINGS), "findings", _FINDINGS),
        tables.some("waves", *KEYS, "wave", "aside", "because"),
        _gathered(tables.of_plan("changes", *_PLANNED), "plan", _PLANNED),
        _unplanned(tables),
        _differences(tables),
        changes if changes is not None else tables.empty(*KEYS, "changes array<string>"),
    ):
        found = found.join(part, KEYS, "left")
    judged = found.withColumn("stands", _stands()).select("*", "stands.*")
    return judged.select("row", *LINES.names).persist(StorageLevel.DISK_ONLY)


class RunTables:
    """The datasets of a run; one that no stage has written yet is empty.

    Args:
        spark: The session.
        warehouse: Where the run is.
        run_id: A committed run.
    """

    def __init__(self, spark: SparkSession, warehouse: Warehouse, run_id: str) -> None:
        self._spark, self.warehouse, self._run_id = spark, warehouse, run_id
        self._written: dict[str, bool] = {}

    @property
    def plan(self) -> str | None:
        """The latest plan of the run; None: nothing was planned."""
        return None if self._latest is None else str(self._latest["plan"])

    @property
    def destinations(self) -> dict[str, dict[str, Any]]:
        """The targets of that plan; none, if nothing was planned."""
        found: dict[str, dict[str, Any]] = {}
        return found if self._latest is None else json.loads(self._latest["targets"])

    @cached_property
    def _latest(self) -> dict[str, Any] | None:
        return latest_plan(self.warehouse, self._run_id)

    def of_plan(self, name: str, *columns: str) -> DataFrame:
        """Some columns of `changes` or `verified` of the latest plan, for each view behind them."""
        if self.plan is None:
            return self.empty(*KEYS, *(_typed(name, column) for column in columns))
        made = self.of(self.plan)
        origins = (
            made.frame("changes")
            .where("target <> ''")
            .select("target", f.col("key").alias("at"), f.explode("origins").alias("one"))
        )
        found = made.frame(name).withColumnRenamed("key", "at")
        return origins.join(found, ["target", "at"]).select(
            f.col("one.source").alias("source"), f.col("one.key").alias("key"), *columns
        )

    def written_by_plan(self) -> DataFrame:
        """The places (`target`, `at`) that the latest plan has written, and still holds."""
        runs = history(self.warehouse).holding(self.plan or "")
        frames = [self.of(run).appended("events").where(planned.WRITTEN) for run in runs]
        nothing = self.warehouse.nothing(self._spark, planned.EVENTS)
        events = reduce(DataFrame.unionByName, frames, nothing)
        return events.select("target", f.col("key").alias("at")).distinct()

    def of(self, run_id: str) -> "RunTables":
        """Those of another run."""
        return RunTables(self._spark, self.warehouse, run_id)

    def written(self, name: str) -> bool:
        """Whether a stage has written it."""
        if name not in self._written:
            self._written[name] = self.warehouse.written(DATASETS[name], self._run_id)
        return self._written[name]

    def frame(self, name: str) -> DataFrame:
        """All of it."""
        if self.written(name):
            return self.warehouse.frame(self._spark, DATASETS[name], self._run_id)
        return self.warehouse.nothing(self._spark, DATASETS[name])

    def appended(self, name: str) -> DataFrame:
        """All that was appended to one that grows; nothing, if nothing was."""
        return self.warehouse.appended(self._spark, DATASETS[name], self._run_id)

    def some(self, name: str, *columns: str) -> DataFrame:
        """Some of its columns."""
        return self.frame(name).select(*columns)

    def empty(self, *columns: str) -> DataFrame:
        """No rows; a column is `name` (a text) or `name type`."""
        fields = ", ".join(one if " " in one else f"{one} string" for one in columns)
        return self._spark.createDataFrame([], fields)


def _typed(name: str, column: str) -> str:
    """A column of a dataset with its type, as Spark spells it."""
    kind = from_arrow_type(DATASETS[name].field(column).type)
    return f"{column} {kind.simpleString()}"


def _gathered(frame: DataFrame, name: str, columns: tuple[str, ...]) -> DataFrame:
    """A row for each view, with its rows of a table as a sorted list."""
    gathered = f.sort_array(f.collect_list(f.struct(*columns))).alias(name)
    return frame.groupBy(*KEYS).agg(gathered)


def _unplanned(tables: RunTables) -> DataFrame:
    """Per view, the code of why the latest plan does not write it at any of its targets.

    What it has blocked and was written since, as a person has adopted its draft, is no such view.
    """
    if tables.plan is None:
        return tables.empty(*KEYS, "unplanned")
    changes = tables.of_plan("changes", "target", "at", "action", "code")
    aside = changes.where(f.col("action").isin(list(ASIDE)))
    waits = aside.join(tables.written_by_plan(), ["target", "at"], "left_anti")
    first = f.min_by("code", f.struct("target", "action", "code"))
    return waits.groupBy(*KEYS).agg(first.alias("unplanned"))


def _differences(tables: RunTables) -> DataFrame:
    """Per view, the fields that read back otherwise at any of its targets."""
    verified = tables.of_plan("verified", "differences")
    every = f.array_sort(f.array_distinct(f.flatten(f.collect_list("differences"))))
    return verified.groupBy(*KEYS).agg(every.alias("differences"))


def _stands() -> Column:
    """Standing and reason of each row; only codes and words go to Python, and come back."""
    facts = {
        "failure": f.when(f.col("outcome") == "failure", f.col("code")),
        "aside": f.col("aside"),
        "unplanned": f.col("unplanned"),
        "different": f.size(f.coalesce("differences", f.array())) > 0,
        "dialects": f.col("dialects"),
        **{f"cell_{name}": f.col(f"engines.{name}") for name in ("engine", "status", "reason")},
        **{f"found_{name}": f.col(f"findings.{name}") for name in ("code", "severity", "engine")},
    }
    return decided(workers.stands, workers.STANDS, facts)


_DETAILS: Final = {
    "verdicts": ("dialect", "engine", "version", "verdict", "message", "line", "column"),
    "references": (
        *("dialect", "written", "base_source", "base_namespace", "base_name", "base_key"),
        *("base_kind", "read_by"),
    ),
    "lineage": ("dialect", "column", "base_source", "base_key", "base_column"),
}


def full(tables: RunTables, views: DataFrame, reads: DataFrame, history: DataFrame) -> DataFrame:
    """The rows with all that opens below them, in order, a bounded number to a partition.

    Args:
        tables: Of the run.
        views: What `lines` returned.
        reads: What `edges` returned.
        history: Source, key and `history`.
    """
    rows = views
    for name, columns in _DETAILS.items():
        part = _gathered(tables.some(name, *KEYS, *columns), name, columns)
        rows = rows.join(part, KEYS, "left")
    grouped = reads.groupBy(*KEYS).agg(f.array_sort(f.collect_set("base")).alias("reads"))
    models = tables.frame("outcomes").where("outcome = 'view'").select(*KEYS, "model")
    for part in (grouped, history, models):  # by the same keys: nothing is dealt twice
        rows = rows.join(part, KEYS, "left")
    count = views.count()
    cores = views.sparkSession.sparkContext.defaultParallelism
    per = PART * max(1, min(32, count // (PART * 2 * cores)))
    partitions = max(1, -(-count // per))
    place = f.floor(f.col("row") / per).cast("int")
    return rows.repartitionById(partitions, place).sortWithinPartitions("row")


def edges(tables: RunTables, views: DataFrame) -> DataFrame:
    """Views that read each other: source, key and `row`, and the number of its `base`."""
    read = tables.some("references", *KEYS, "base_source", "base_key").distinct()
    numbers = views.select("row", *KEYS)
    bases = numbers.toDF("base", "base_source", "base_key")
    return (
        read.join(bases, ["base_source", "base_key"])
        .join(numbers, KEYS)
        .select(*KEYS, "row", "base")
    )


assert set(_DETAILS) <= set(DATASETS)  # noqa: S101 - a name that is wrong would read as "not run"
