"""What of a run is accepted: the objects of the baseline with all that stands at them."""

from collections.abc import Iterator, Sequence
from typing import Final

from discovery.acceptance import Fault
from discovery.judging.standing import Standing
from reports.lines import Row, codes_at
from reports.tallies import Place, sort_of
from reports.thresholds import Excused, Marked

_BLOCKING: Final = frozenset({"failure", "set aside", "planned"})
"""Sorts of codes that would block a view, each by itself; so would an error for all engines."""


def places(accepted: frozenset[Fault]) -> frozenset[Place]:
    """Where something is accepted: source and key."""
    return frozenset((fault.source, fault.object) for fault in accepted)


def excused(views: Sequence[Row], lost: Sequence[Row], accepted: frozenset[Fault]) -> Excused:
    """What of a run is accepted.

    Args:
        views: The rows of the report at the places of the faults.
        lost: What was lost or skipped there.
        accepted: The faults that are accepted.
    """
    return Excused.of((*map(marked, views), *_lost(views, lost)), accepted)


def marked(row: Row) -> Marked:
    """A row of the report with its codes."""
    findings = row["findings"] or ()
    severities = {
        word: frozenset(finding["code"] for finding in findings if finding["severity"] == word)
        for word in {finding["severity"] for finding in findings}
    }
    stated = [*codes_at(row)]
    blocking = {
        code.code
        for code in stated
        if code.sort in _BLOCKING or (code.sort == "error" and not code.engine)
    }
    return Marked(
        source=row["source"],
        key=row["key"],
        standing=row["standing"],
        reason=row["reason"] or "",
        codes=frozenset((code.sort, code.code) for code in stated),
        blocking=frozenset(blocking if row["standing"] == Standing.BLOCKED else ()),
        severities=severities,
    )


def _lost(views: Sequence[Row], lost: Sequence[Row]) -> Iterator[Marked]:
    """What is no row of the report: namespaces that failed, and what was skipped."""
    shown = {(view["source"], view["key"]) for view in views if view["outcome"] == "failure"}
    for row in lost:
        if (row["source"], row["key"]) not in shown or row["outcome"] != "failure":
            codes = frozenset({(sort_of(row), row["code"])})
            yield Marked(source=row["source"], key=row["key"], codes=codes)
