"""The rows of a report gathered on Spark: what reaches the driver is counts and finished text."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from typing import Final, Self

import pyarrow as pa
from pyspark import StorageLevel
from pyspark.sql import DataFrame, SparkSession, Window
from pyspark.sql import functions as f
from pyspark.sql.pandas.types import from_arrow_schema

from discovery.judging.standing import Standing
from jobs.console.session import measure_joins
from jobs.migrating import tables as migrating
from jobs.reporting import drift_on_spark, lines, workers
from jobs.reporting.frames import SHOWN, Frames, gathered
from jobs.reporting.gathering import WrittenCounts
from jobs.reporting.lines import KEYS, PART
from jobs.reporting.past import PastRuns
from jobs.reporting.run_tables import RunTables
from jobs.warehouse.carried import Carried
from jobs.warehouse.frames import stream_rows, united
from jobs.warehouse.runs import Run
from reports.head import Counts
from reports.lines import Row
from reports.tallies import Place

_LOST: Final = "outcome in ('failure', 'skipped')"
_THERE: Final = ("target", "there")
_UNCHANGED: Final = pa.field("changes", pa.list_(pa.struct([("sort", pa.string())])))


class OnSpark:
    """The rows of a run's report; what it keeps on disk is freed when it is left.

    Args:
        spark: The session.
        run: The run.
        tables: Of the run.
        against: The run to compare with, and its tables; None: there is none.
    """

    def __init__(
        self,
        spark: SparkSession,
        run: Run,
        tables: RunTables,
        against: tuple[Run, RunTables] | None,
    ) -> None:
        self.session, self._run, self._tables = spark, run, tables
        self._frames = Frames(spark, tables)
        self._before = None if against is None else Frames(spark, against[1])
        self._against = against
        self._kept: list[DataFrame] = []
        self._stack = ExitStack()
        self._changes: DataFrame
        self._rendered: DataFrame

    def __enter__(self) -> Self:
        self._stack.enter_context(measure_joins(self.session))
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()
        for frame in self._kept:
            frame.unpersist()

    def changes(self) -> Iterator[Row]:
        """See `Gathering`."""
        if self._against is None or self._before is None:
            return
        runs = self._run, self._against[0]
        changes = drift_on_spark.changes(self._frames, self._before, *runs, self._keep)
        self._changes = self._keep(changes)
        ordered = self._changes.orderBy(*KEYS, "sort", f.array_join("detail", ","))
        for row in stream_rows(ordered):
            yield row.asDict(recursive=True)

    def standings_before(self) -> Counts | None:
        """See `Gathering`."""
        if (
            self._before is None
            or self._against is None
            or not self._against[1].is_written("matrix")
        ):
            return None
        counted = self._before.judged().mapInArrow(
            Carried(workers.stands), from_arrow_schema(workers.STANDINGS)
        )
        rows = counted.groupBy("standing").agg(f.sum("number").alias("number")).collect()
        numbers = {row["standing"]: row["number"] for row in rows}
        return {word: numbers.get(word, 0) for word in Standing}

    def render(self, rendering: workers.Rendering, past: PastRuns) -> int:
        """See `Gathering`."""
        rendered = self._join_rows(past).mapInArrow(
            Carried(workers.render(rendering)), from_arrow_schema(workers.RENDERED)
        )
        self._rendered = self._keep(rendered)
        return self._rendered.count()

    def counts(self) -> Iterator[str]:
        """See `Gathering`."""
        for (text,) in stream_rows(self._rendered.select("counts")):
            yield text

    def parts(self) -> Iterator[Row]:
        """See `Gathering`."""
        for row in stream_rows(self._rendered.drop("counts")):
            yield row.asDict(recursive=True)

    def losses(self, accepted: frozenset[Place]) -> Iterator[str]:
        """See `Gathering`."""
        lost = self._frames.frame("outcomes").where(_LOST).select(*lines.LOST)
        tallied = lost.mapInArrow(
            Carried(workers.losses(accepted)), from_arrow_schema(workers.TALLIES)
        )
        for (text,) in stream_rows(tallied):
            yield text

    def count_written(self, planned: Sequence[RunTables]) -> WrittenCounts:
        """See `Gathering`."""
        frames = [
            self._frames.frame("changes", run_tables.plan)
            .join(
                self._frames.events(run_tables.executions).where(migrating.WRITTEN),
                ["target", "key"],
                "left_semi",
            )
            .select(f.lit(run_tables.plan).alias("plan"), "target", "action")
            for run_tables in planned
        ]
        if not frames:
            return {}
        counts: dict[str, dict[str, dict[str, int]]] = {}
        for row in united(frames).groupBy("plan", "target", "action").count().collect():
            of_plan = counts.setdefault(row["plan"], {})
            of_plan.setdefault(row["target"], {})[row["action"]] = row["count"]
        return counts

    def _keep(self, frame: DataFrame) -> DataFrame:
        self._kept.append(frame.persist(StorageLevel.DISK_ONLY))
        return self._kept[-1]

    def _join_rows(self, past: PastRuns) -> DataFrame:
        """The rows with all that opens below them, in order, a bounded number to a partition."""
        numbers = self._number_rows()
        rows = self._frames.judged()
        for name, columns in lines.DETAILS.items():
            details = gathered(self._frames.some(name, *columns), name, columns)
            rows = rows.join(details, KEYS, "left")
        models = self._frames.frame("outcomes").where("outcome = 'view'").select(*KEYS, "model")
        for part in (numbers, models, self._changed(), *self._histories(past)):
            rows = rows.join(part, KEYS, "left")  # by the same keys: nothing is dealt twice
        count = numbers.count()
        cores = self.session.sparkContext.defaultParallelism
        per = PART * max(1, min(32, count // (PART * 2 * cores)))
        place = f.floor(f.col("row") / per).cast("int")
        partitioned = rows.repartitionById(max(1, -(-count // per)), place)
        return partitioned.sortWithinPartitions("row")

    def _number_rows(self) -> DataFrame:
        """Source, key, `row`; the numbers of those that the view `reads`, and of its `readers`."""
        order = Window.orderBy(f.struct(*KEYS, "name"))
        shown = self._frames.frame("outcomes").where(SHOWN).select(*KEYS, "name")
        numbers = self._keep(shown.select(*KEYS, (f.row_number().over(order) - 1).alias("row")))
        read = self._frames.some("references", "base_source", "base_key").distinct()
        bases = numbers.toDF("base_source", "base_key", "base")
        edges = read.join(bases, ["base_source", "base_key"]).join(numbers, KEYS)
        reads = edges.groupBy("row").agg(f.array_sort(f.collect_set("base")).alias("reads"))
        readers = edges.groupBy(f.col("base").alias("row")).agg(f.count("*").alias("readers"))
        return numbers.join(reads, "row", "left").join(readers, "row", "left")

    def _changed(self) -> DataFrame:
        """Source, key, and what is otherwise, as `changes`."""
        if self._against is None:
            return self._frames.empty(*KEYS, _UNCHANGED)
        return gathered(self._changes, "changes", ("sort", "detail"))

    def _histories(self, past: PastRuns) -> Iterator[DataFrame]:
        """What histories are made of: `sightings`, `planned` and `done`."""
        seen = [
            self._frames.frame("outcomes", run.run_id)
            .where(SHOWN)
            .select(*KEYS, f.lit(number).alias("number"), "code", "fingerprint")
            for number, run in enumerate(past.runs)
        ]
        yield gathered(united(seen), "sightings", lines.SIGHTINGS)
        nothing = self._frames.empty(*KEYS, *lines.HISTORY, "there")
        planned = united([nothing, *(self._planned_changes(plan.name) for plan in past.plans)])
        yield gathered(planned, "planned", lines.HISTORY)
        places = planned.select(*KEYS, "plan", "target", "there").distinct()
        events = [self._frames.events(()).withColumn("plan", f.lit(""))]
        for run, plan in past.applies.items():
            events.append(self._frames.events([run]).withColumn("plan", f.lit(plan)))
        done = united(events).withColumnRenamed("key", "there")
        yield gathered(done.join(places, [*_THERE, "plan"]), "done", lines.DONE)

    def _planned_changes(self, plan: str) -> DataFrame:
        """The changes of a plan, for each view behind them; what stays as it is has no entry."""
        changes = self._frames.frame("changes", plan).where("target <> '' and action <> 'keep'")
        exploded = changes.withColumns({"plan": f.lit(plan), "one": f.explode("origins")})
        place = f.col("key").alias("there")
        return exploded.select("one.source", "one.key", *lines.HISTORY, place)
