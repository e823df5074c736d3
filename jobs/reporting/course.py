"""How far each of the latest runs was: what their latest plans said, and what of it was written."""

from collections.abc import Mapping, Sequence

from jobs.reporting.gathering import WrittenCounts
from jobs.reporting.run_tables import RunTables
from jobs.warehouse.runs import Run
from reports.course import of_crawl, with_plan
from reports.head import Counts, CoursePoint


def course(
    runs: Sequence[Run], tables: Mapping[str, RunTables], written: WrittenCounts
) -> tuple[CoursePoint, ...]:
    """The runs; nothing, if there is only one.

    Args:
        runs: Committed runs, oldest first.
        tables: Of each run, by its name.
        written: Number of changes of their latest plans that were applied.
    """
    if len(runs) < 2:
        return ()
    points = []
    for run in runs:
        started = run.started.isoformat(timespec="seconds")
        point = of_crawl(run.run_id, started, run.record.sources)
        planned = tables[run.run_id]
        if planned.plan is not None:
            point = with_plan(point, _actions(planned), written.get(planned.plan, {}))
        points.append(point)
    return tuple(points)


def _actions(planned: RunTables) -> dict[str, Counts]:
    """Number of changes of a run's latest plan by target and action, as it says."""
    return {name: place.get("counts", {}) for name, place in planned.destinations.items()}
