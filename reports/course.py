"""How far a migration has come, run by run: what is there, what is left, what is set aside."""

from collections.abc import Mapping
from dataclasses import replace

from discovery.crawl_record import SourceCounts
from discovery.ports import ASIDE, WRITING, Action
from reports.head import Counts, CoursePoint


def with_plan(
    point: CoursePoint, actions: Mapping[str, Counts], written: Mapping[str, Counts]
) -> CoursePoint:
    """A run with what its latest plan said, and what was done of it.

    What was written at a target beyond what the plan writes there are drafts that somebody adopted
    afterwards, and that it had set aside.

    Args:
        point: The run.
        actions: Number of changes by target and action.
        written: How many of them were applied.
    """
    present = left = aside = 0
    for target, counts in actions.items():
        done = sum(written.get(target, {}).values())
        writing = sum(counts.get(action, 0) for action in WRITING)
        set_aside = sum(counts.get(action, 0) for action in ASIDE)
        present += counts.get(Action.KEEP, 0) + done
        left += max(0, writing - done)
        aside += max(0, set_aside - max(0, done - writing))
    return replace(point, there=present, left=left, aside=aside)


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
