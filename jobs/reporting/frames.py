"""The datasets of a run on Spark, as a report joins them."""

from collections.abc import Iterable, Sequence
from typing import Final

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f

from discovery.ports import ASIDE
from jobs.migrating import tables as migrating
from jobs.reporting import lines
from jobs.reporting.lines import KEYS
from jobs.reporting.run_tables import RunTables
from jobs.tables import DATASETS
from jobs.warehouse.frames import frame_of, united

AT: Final = ["target", "at"]
SHOWN: Final = "entity = 'object' and outcome in ('view', 'failure')"
"""What has a row in a report."""


class Frames:
    """The datasets of a run on Spark; one that no stage has written yet is empty.

    Args:
        spark: The session.
        tables: Of the run.
    """

    def __init__(self, spark: SparkSession, tables: RunTables) -> None:
        self._spark, self._tables = spark, tables
        self._warehouse = tables.warehouse

    def frame(self, name: str, run_id: str | None = None) -> DataFrame:
        """All of a dataset of the run, or of another, or of a plan."""
        run_or_plan = self._tables.run_id if run_id is None else run_id
        if self._warehouse.is_written(DATASETS[name], run_or_plan):
            return self._warehouse.frame(self._spark, DATASETS[name], run_or_plan)
        return frame_of(self._spark, DATASETS[name].schema)

    def events(self, executions: Iterable[str]) -> DataFrame:
        """What targets answered in some executions."""
        name = migrating.EVENTS
        frames = [self._warehouse.read_appended(self._spark, name, run) for run in executions]
        return united([frame_of(self._spark, name.schema), *frames])

    def some(self, name: str, *columns: str) -> DataFrame:
        """Some columns of a dataset, for each view."""
        return self.frame(name).select(*KEYS, *columns)

    def of_plan(self, name: str, *columns: str) -> DataFrame:
        """Some columns of `changes` or `verified` of the latest plan, for each view behind them."""
        plan = self._tables.plan
        if plan is None:
            return self.empty(*KEYS, *map(DATASETS[name].field, columns))
        origins = (
            self.frame("changes", plan)
            .where("target <> ''")
            .select("target", f.col("key").alias("at"), f.explode("origins").alias("one"))
        )
        table = self.frame(name, plan).withColumnRenamed("key", "at")
        return origins.join(table, AT).select("one.source", "one.key", *columns)

    def waiting(self) -> DataFrame:
        """Per view, the code of why the latest plan does not write it at any of its targets.

        What it has blocked and was written since, as a person has adopted its draft, does not wait.
        """
        if self._tables.plan is None:
            return self.empty(*KEYS, "unplanned")
        changes = self.of_plan("changes", "target", "at", "action", "code")
        aside = changes.where(f.col("action").isin(list(ASIDE)))
        done = self.events(self._tables.executions).where(migrating.WRITTEN)
        written = done.select("target", f.col("key").alias("at")).distinct()
        first = f.min_by("code", f.struct("target", "action", "code"))
        waits = aside.join(written, AT, "left_anti").groupBy(*KEYS)
        return waits.agg(first.alias("unplanned"))

    def empty(self, *columns: str | pa.Field) -> DataFrame:
        """No rows; a column that is only named is one of texts."""
        fields = [
            pa.field(column, pa.string()) if isinstance(column, str) else column
            for column in columns
        ]
        return frame_of(self._spark, pa.schema(fields))

    def judged(self) -> DataFrame:
        """The rows of the report with what standings are made of, and no text of a view."""
        flattened = "array_sort(array_distinct(flatten(collect_list(differences))))"
        differences = self.of_plan("verified", "differences").groupBy(*KEYS)
        rows = self.frame("outcomes").where(SHOWN).select(*lines.KEPT)
        for part in (
            gathered(self.some("matrix", *lines.ENGINES), "engines", lines.ENGINES),
            gathered(self.some("findings", *lines.FINDINGS), "findings", lines.FINDINGS),
            self.some("waves", *lines.WAVES),
            self.some("view_usage", *lines.USED),
            gathered(self.of_plan("changes", *lines.PLANNED), "plan", lines.PLANNED),
            self.waiting(),
            differences.agg(f.expr(flattened).alias("differences")),
        ):
            rows = rows.join(part, KEYS, "left")
        return rows


def gathered(frame: DataFrame, name: str, columns: Sequence[str]) -> DataFrame:
    """A row for each view, with its rows of a table as a sorted list."""
    rows = f.sort_array(f.collect_list(f.struct(*columns))).alias(name)
    return frame.groupBy(*KEYS).agg(rows)
