"""What of a run is accepted: the objects of the baseline with all that stands at them."""

from collections.abc import Iterator, Sequence

from discovery.acceptance import Fault
from discovery.judging.standing import Standing
from discovery.ports import ASIDE
from reports.lines import Row
from reports.tallies import Place, sort_of
from reports.thresholds import Excused, Marked


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
    failed = {("failure", row["code"])} if row["outcome"] == "failure" else set()
    aside = {("set aside", row["aside"])} if row["aside"] else set()
    graded = {(finding["severity"], finding["code"]) for finding in findings}
    planned = {
        entry["code"] for entry in row["plan"] or () if entry["action"] in ASIDE and entry["code"]
    }
    everywhere = {
        finding["code"]
        for finding in findings
        if finding["severity"] == "error" and not finding["engine"]
    }
    reason = row["reason"] or ""
    is_blocked = row["standing"] == Standing.BLOCKED
    return Marked(
        source=row["source"],
        key=row["key"],
        standing=row["standing"],
        reason=reason,
        codes=frozenset(
            (
                *failed,
                *aside,
                *graded,
                *(("note", note["code"]) for note in row["notes"] or ()),
                *(("planned", code) for code in planned),
                *([("standing", reason)] if reason and not aside else []),
            )
        ),
        blocking=frozenset(
            (*(code for _, code in (*failed, *aside)), *planned, *everywhere) if is_blocked else ()
        ),
        severities=severities,
    )


def _lost(views: Sequence[Row], lost: Sequence[Row]) -> Iterator[Marked]:
    """What is no row of the report: namespaces that failed, and what was skipped."""
    shown = {(view["source"], view["key"]) for view in views if view["outcome"] == "failure"}
    for row in lost:
        if (row["source"], row["key"]) not in shown or row["outcome"] != "failure":
            codes = frozenset({(sort_of(row), row["code"])})
            yield Marked(source=row["source"], key=row["key"], codes=codes)
