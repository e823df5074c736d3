"""The stage `usage`: logs are read, and what they say is written as tables of a run."""

from collections.abc import Sequence
from datetime import date
from typing import Any

import pyarrow as pa
from pyspark import Broadcast
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f
from pyspark.sql.pandas.types import from_arrow_schema

from discovery.usage.coverage import Covered, UsageWindow
from discovery.usage.model import StatedLog
from discovery.usage.resolving import Key, Log, closure
from jobs.assessing import tables as assessed
from jobs.assessing.graph import links
from jobs.assessing.workers.graph import Graph
from jobs.configuration.loader import RunConfig
from jobs.console.progress import progress
from jobs.crawling.views import views_of
from jobs.using import tables, workers
from jobs.using.files import engines_at_home, groups_of, meaning, sources_of
from jobs.warehouse.carried import Carried
from jobs.warehouse.frames import frame_of
from jobs.warehouse.locks import hold_lock
from jobs.warehouse.warehouse import Warehouse

_NOT_ASSESSED = "what views read is not known: run `belvedere assess`"
_USERS = 10
_TASKS = 4  # of each core: files differ in size


def write_usage(
    spark: SparkSession,
    config: RunConfig,
    warehouse: Warehouse,
    run_id: str,
    logs: Sequence[StatedLog],
    window: UsageWindow,
) -> None:
    """Write the tables of usage of a run anew, from the logs as they are now.

    Raises:
        ConfigurationError: A log has no files, or it is not clear what it is about.
    """
    meant = [(log, meaning(log, config)) for log in logs]
    files = _list_files(spark, logs)
    with (
        hold_lock(config.warehouse, f"run {run_id}", "usage", spark),
        warehouse.sealing(tables.STAGE, run_id),
    ):
        views = views_of(spark, warehouse, run_id)
        read, unknown = _compute_reads(spark, warehouse, run_id)
        places = {
            (source, key): (tuple(namespace), name)
            for source, namespace, name, key in _collect(views.select(*assessed.VIEW))
        }
        broadcast_views = spark.sparkContext.broadcast(
            workers.Views(places, closure(read), config.catalogs, config.sources, config.settings)
        )
        with progress(spark, "reading logs"):
            run = workers.read_logs(meant, _BroadcastViews(broadcast_views))
            rows = files.mapInArrow(Carried(run), from_arrow_schema(tables.READ_LOGS.schema))
            warehouse.write(tables.READ_LOGS, run_id, rows)
            _write_usage_tables(spark, warehouse, run_id)
        covered = _read_covered(warehouse, run_id, meant)
        _write_views(spark, config, warehouse, run_id, (covered, window, unknown))
        broadcast_views.destroy()


class _BroadcastViews:
    """What Spark has brought to a worker."""

    def __init__(self, broadcast: Broadcast[workers.Views]) -> None:
        self._brought = broadcast

    def __call__(self) -> workers.Views:
        """It."""
        return self._brought.value


def _list_files(spark: SparkSession, logs: Sequence[StatedLog]) -> DataFrame:
    """Rows of the number of a log and files of it, the largest first."""
    groups = [(size, n, files) for n, log in enumerate(logs) for files, size in groups_of(log)]
    groups.sort(reverse=True)
    schema = pa.schema([("log", pa.int32()), ("files", pa.list_(pa.string()))])
    named = [(number, files) for _, number, files in groups]
    tasks = min(len(groups), _TASKS * spark.sparkContext.defaultParallelism)
    return frame_of(spark, schema, named).repartition(tasks)


def _compute_reads(
    spark: SparkSession, warehouse: Warehouse, run_id: str
) -> tuple[dict[Key, set[Key]], dict[Key, str]]:
    """What each view reads, and of which that is not known, and why; with no key: of all."""
    if not warehouse.is_written(assessed.ASSESSED, run_id):
        return {}, {("", ""): _NOT_ASSESSED}
    graph = Graph.of(links(spark, warehouse, run_id).distinct().toArrow())
    reads = {graph.key(view): {*map(graph.key, below)} for view, below in graph.reads.items()}
    unknown = map(graph.key, graph.unknown)
    return reads, {key: f"what {key[0]}/{key[1]} reads is not known" for key in unknown}


def _write_usage_tables(spark: SparkSession, warehouse: Warehouse, run_id: str) -> None:
    """Write `usage` and `usage_logs` from what the workers have found."""
    rows = warehouse.frame(spark, tables.READ_LOGS, run_id)
    place = [*assessed.VIEW, "log", "engine", "user", "day"]
    seen = rows.where("key is not null").groupBy(*place)
    usage = seen.agg(
        *(f.sum(name).alias(name) for name in ("uses", "reads", "mentions")),
        f.min("first").alias("first"),
        f.max_by("seen_at", "last").alias("seen_at"),
        f.max("last").alias("last"),
    )
    warehouse.write(tables.USAGE, run_id, usage.select(tables.USAGE.names))
    logs = rows.where("file is not null").select(tables.USAGE_LOGS.names)
    warehouse.write(tables.USAGE_LOGS, run_id, logs.coalesce(1))


def _read_covered(
    warehouse: Warehouse, run_id: str, logs: Sequence[tuple[StatedLog, Log]]
) -> list[Covered]:
    """What the logs have."""
    days: dict[str, set[date]] = {}
    blind: dict[str, set[date]] = {}
    unreadable: dict[str, int] = {}
    for row in warehouse.table(tables.USAGE_LOGS, run_id):
        name = row["log"]
        days.setdefault(name, set()).update(row["days"])
        blind.setdefault(name, set()).update(row["blind"])
        unreadable[name] = unreadable.get(name, 0) + row["unreadable"]
    return [
        Covered(
            log.name,
            log.kind,
            sources_of(log, meant),
            frozenset(days.get(log.name, ())),
            frozenset(blind.get(log.name, ())),
            unreadable.get(log.name, 0),
        )
        for log, meant in logs
    ]


def _write_views(
    spark: SparkSession,
    config: RunConfig,
    warehouse: Warehouse,
    run_id: str,
    proof: tuple[Sequence[Covered], UsageWindow, dict[Key, str]],
) -> None:
    """Write `view_usage`."""
    covered, window, unknown = proof
    usage = warehouse.frame(spark, tables.USAGE, run_id)
    last = {"last_use": "uses", "last_read": "reads", "last_mention": "mentions"}
    summed = usage.groupBy("source", "key").agg(
        *(f.sum(name).alias(name) for name in last.values()),
        *(
            f.max(f.when(f.col(column) > 0, f.col("day"))).alias(name)
            for name, column in last.items()
        ),
        f.min("first").alias("first"),
        f.max("last").alias("last"),
        f.slice(f.array_sort(f.collect_set("user")), 1, _USERS).alias("users"),
        f.collect_set("engine").alias("engines"),
    )
    seen = {tuple(row) for row in _collect(summed.select("source", "key"))}
    why = next((reason for key, reason in unknown.items() if key in seen or key == ("", "")), "")
    seen_by: dict[str, frozenset[str]] = {}
    for engine, catalogs in config.catalogs.items():
        for source in catalogs.values():
            seen_by[source] = seen_by.get(source, frozenset()) | {engine}
    views = views_of(spark, warehouse, run_id).select(*assessed.VIEW, "dialects")
    seeing = seen_by, frozenset(config.engines), engines_at_home(config.sources)
    judge = workers.judge_views(covered, window, *seeing, why)
    judged = views.join(summed, ["source", "key"], "left").mapInArrow(
        Carried(judge), from_arrow_schema(tables.VIEW_USAGE.schema)
    )
    warehouse.write(tables.VIEW_USAGE, run_id, judged)


def _collect(frame: DataFrame) -> list[tuple[Any, ...]]:
    return list(zip(*(column.to_pylist() for column in frame.toArrow().columns), strict=True))
