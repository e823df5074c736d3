"""How far a migration has come, run by run: what is there, what is left, what is set aside."""

from collections.abc import Mapping
from dataclasses import replace

from discovery.crawl_record import SourceCounts
from discovery.ports import ASIDE, WRITING, Action
from reports.head import Counts, CoursePoint, counted


def with_plan(
    point: CoursePoint, actions: Mapping[str, Counts], written: Mapping[str, Counts]
) -> CoursePoint:
    """A run with what its latest plan said, and what was done of it.

    What it had set aside and was written are drafts that somebody adopted afterwards; what was
    dropped is no longer there.

    Args:
        point: The run.
        actions: Number of changes by target and action.
        written: How many of them were applied, by the same.
    """
    present = left = aside = 0
    for target, counts in actions.items():
        done = written.get(target, {})
        carried_out, adopted = counted(done, WRITING), counted(done, ASIDE)
        present += counts.get(Action.KEEP, 0) + carried_out + adopted - done.get(Action.DROP, 0)
        left += counted(counts, WRITING) - carried_out
        aside += counted(counts, ASIDE) - adopted
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
