"""How far a migration has come, run by run: what is there, what is left, what is set aside."""

from collections.abc import Mapping

from discovery.crawl_record import SourceCounts
from discovery.ports import ASIDE, WRITING, Action
from reports.head import Counts, CoursePoint


def with_plan(point: CoursePoint, actions: Counts, written: int) -> CoursePoint:
    """A run with what its latest plan said, and what was done of it.

    Args:
        point: The run.
        actions: Number of changes by action.
        written: How many of them were applied.
    """
    writing = sum(actions.get(action, 0) for action in WRITING)
    return CoursePoint(
        run_id=point.run_id,
        started=point.started,
        views=point.views,
        failures=point.failures,
        there=actions.get(Action.KEEP, 0) + min(written, writing),
        left=max(0, writing - written),
        aside=sum(actions.get(action, 0) for action in ASIDE),
    )


def of_crawl(run_id: str, started: str, sources: Mapping[str, SourceCounts]) -> CoursePoint:
    """A run as its crawl has counted it.

    Args:
        run_id: Its name.
        started: When it began, ISO 8601.
        sources: Its counts by source.
    """
    views = sum(counts.views for counts in sources.values())
    failures = sum(counts.failures for counts in sources.values())
    return CoursePoint(run_id, started, views, failures)
