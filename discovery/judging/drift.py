"""What has changed of a view between two runs: the sorts of changes, and the rule for each.

What the other run could not list is unknown, never gone. Tables, and what vanished while a run
looked at it, are as if they were not there: a view that is a table now has vanished.
"""

from collections.abc import Mapping
from typing import Final

from discovery.judging.matrix import READS, Reading
from discovery.outcomes import TABLE, VANISHED

APPEARED: Final = "appeared"
GONE: Final = "vanished"
CHANGED: Final = "changed"
BROKEN: Final = "newly broken"
COMPATIBLE: Final = "newly compatible"
UNKNOWN: Final = "unknown"
SORTS: Final = (BROKEN, GONE, CHANGED, APPEARED, COMPATIBLE, UNKNOWN)
"""In the order in which a report shows them."""

BAD: Final = (Reading.REJECTED, Reading.BLOCKED)
"""The statuses with which an engine reads no view; others are neither this nor `READS`."""
ABSENT_CODES: Final = frozenset({TABLE.code, VANISHED.code})
"""Codes of objects that count as not there."""
OUTCOMES: Final = ("view", "failure", "skipped", None)
"""What a run has of an object; None: it does not have it."""

_OUTCOME_CHANGES: Final[Mapping[tuple[str, str], str]] = {
    ("view", "failure"): BROKEN,
    ("failure", "view"): COMPATIBLE,
    ("view", "skipped"): GONE,
    ("skipped", "view"): APPEARED,
}


def outcome_change(was: str | None, now: str | None, *, is_known: bool) -> str | None:
    """The sort of change by what two runs have of an object; None: none that this tells.

    Args:
        was: What the earlier run has, of `OUTCOMES`.
        now: What the later one has.
        is_known: Of an object that one run lacks: whether that run listed where it would be.
    """
    if was is not None and now is not None:
        return _OUTCOME_CHANGES.get((was, now))
    if "view" not in (was, now):
        return None
    if not is_known:
        return UNKNOWN
    return APPEARED if was is None else GONE


def change_detail(sort: str, was: str | None, code: str | None) -> tuple[str, ...]:
    """What is said beside the sort of a changed outcome.

    Args:
        sort: What `outcome_change` says.
        was: What the earlier run has of the object.
        code: Why it is no view in the run where it is none; None: that run does not have it.
    """
    if sort == UNKNOWN:
        return ("not listed then" if was is None else "not listed this time",)
    return (code,) if code else ()


def reading_change(was: str, now: str) -> str | None:
    """The sort of change by what an engine could do with a view; None: none.

    A status that says neither that it reads the view nor that it does not is no change.
    """
    if was in READS and now in BAD:
        return BROKEN
    return COMPATIBLE if was in BAD and now in READS else None
