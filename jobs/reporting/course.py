"""How far each of the latest runs was: what their latest plans said, and what of it was written."""

from collections.abc import Callable, Sequence

from jobs.reporting.gathering import WrittenCounts
from jobs.reporting.run_tables import RunTables
from jobs.warehouse.runs import Run
from jobs.warehouse.warehouse import Warehouse
from reports.course import of_crawl, with_plan
from reports.head import Counts, CoursePoint


def course(
    warehouse: Warehouse,
    runs: Sequence[Run],
    written: Callable[[Sequence[RunTables]], WrittenCounts],
) -> tuple[CoursePoint, ...]:
    """The runs; nothing, if there is only one.

    Args:
        warehouse: Where they are.
        runs: Committed runs, oldest first.
        written: Number of changes that were applied, of the latest plans of some runs.
    """
    if len(runs) < 2:
        return ()
    all_tables = [RunTables(warehouse, run.run_id) for run in runs]
    done = written([run_tables for run_tables in all_tables if run_tables.plan is not None])
    points = []
    for run, tables in zip(runs, all_tables, strict=True):
        started = run.started.isoformat(timespec="seconds")
        point = of_crawl(run.run_id, started, run.record.sources)
        if tables.plan is not None:
            point = with_plan(point, _actions(tables), done.get(tables.plan, {}))
        points.append(point)
    return tuple(points)


def _actions(planned: RunTables) -> dict[str, Counts]:
    """Number of changes of a run's latest plan by target and action, as it says."""
    return {name: place.get("counts", {}) for name, place in planned.destinations.items()}
