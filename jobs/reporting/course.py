"""How far each of the latest runs was: what their latest plans said, and what of it was written."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import reduce

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as f

from jobs.reporting.history import RUNS
from jobs.reporting.lines import RunTables
from jobs.warehouse.warehouse import Run
from reports.course import of_crawl, with_plan
from reports.head import CoursePoint


def course(tables: RunTables, runs: Sequence[Run]) -> tuple[CoursePoint, ...]:
    """The latest runs; nothing, if there is only one.

    Args:
        tables: Of the run that is reported.
        runs: The committed runs up to it, oldest first; itself the last.
    """
    if len(runs) < 2:
        return ()
    return tuple(_points(tables, runs[-RUNS:]))


def _points(tables: RunTables, runs: Sequence[Run]) -> Iterator[CoursePoint]:
    every = [tables.of(run.run_id) for run in runs]
    planned = [one for one in every if one.plan is not None]
    written = _written(planned)
    for run, mine in zip(runs, every, strict=True):
        started = run.started.isoformat(timespec="seconds")
        point = of_crawl(run.run_id, started, json.loads(run.counts)["sources"])
        plan = mine.plan
        yield point if plan is None else with_plan(point, _actions(mine), written.get(plan, 0))


def _actions(planned: RunTables) -> Counter[str]:
    """Number of changes of a run's latest plan by action, as it says."""
    found: Counter[str] = Counter()
    for one in planned.destinations.values():
        found.update(one.get("counts", {}))
    return found


def _written(planned: Sequence[RunTables]) -> dict[str, int]:
    """Number of changes that were applied, by plan."""
    frames = [one.written_by_plan().select(_plan(one)) for one in planned]
    if not frames:
        return {}
    return {row["plan"]: row["count"] for row in _united(frames).groupBy("plan").count().collect()}


def _plan(tables: RunTables) -> Column:
    return f.lit(tables.plan).alias("plan")


def _united(frames: Sequence[DataFrame]) -> DataFrame:
    return reduce(DataFrame.unionByName, frames)
