"""What every code means: its page, for `belvedere explain`, for docs/codes.md and for reports."""

import inspect
from collections.abc import Iterator, Mapping
from functools import cache
from types import ModuleType
from typing import Final, NamedTuple

from discovery import errors
from discovery.checks import EVERY, OF_NAMES
from discovery.errors import BelvedereError
from discovery.judging import draft_bases, drafting, standing, ways
from discovery.judging import reasons as classes
from discovery.lineage.order import Why
from discovery.migration.changes import Blocked
from discovery.outcomes import NOTES, SKIP_REASONS, Reason
from reports.engines import shared


class CodePage(NamedTuple):
    """What a code means.

    Attributes:
        code: The code.
        group: What it is a code of, as a title of docs/codes.md.
        text: What it means, in full.
        advice: What to do; empty where the text says it.
    """

    code: str
    group: str
    text: str
    advice: str = ""

    @property
    def first(self) -> str:
        """The first sentence of the text."""
        return " ".join(self.text.split("\n\n")[0].split())


FAILURES: Final = "Failures"
GROUPS: Final[Mapping[str, str]] = {
    FAILURES: "",
    "Skipped objects": "",
    "Notes": "",
    "Configuration of engines": "",
    "Findings": "What the checks of `assess` find in views.",
    "Set aside": "Why a view has no place in the waves.",
    "Blocked": "Why a plan does not write a view, where no failure above says so.",
    "Engines": "Why an engine cannot read a view where it is stored.",
    "Drafts": "Why a text that a translator proposes is not shown.",
    "Standing": "Why a report calls a view blocked, or says that it needs review.",
}
"""The groups in their order, with what is said of each."""


_ASIDE: Final[Mapping[Why, str]] = {
    Why.SELF_REFERENCE: "drop the view, or recreate it at its source with another base",
    Why.RING: "recreate one view of the ring at its source with another base",
    Why.UNRESOLVED: "repair its SQL at the source, or name a judge of its dialect",
    Why.MISSING_BASE: "restore what is missing, or drop the view at its source",
    Why.BROKEN_BASE: "mend the views below it first",
}


ASSESSED: Final = frozenset({"Findings", "Set aside", "Engines", "Standing", "Drafts"})
"""Groups of codes that only `assess` gives."""


def group_of(code: str) -> str:
    """The group of a code; empty: there is no such code."""
    page = pages().get(code)
    return page.group if page else ""


@cache
def pages() -> Mapping[str, CodePage]:
    """The page of every code, group by group, in order."""
    order = list(GROUPS)
    code_pages = sorted(_code_pages(), key=lambda page: order.index(page.group))
    return {page.code: page for page in code_pages}


def _code_pages() -> Iterator[CodePage]:
    kinds = [var for var in vars(errors).values() if inspect.isclass(var)]
    coded = [
        error
        for error in kinds
        if issubclass(error, BelvedereError) and error is not BelvedereError
    ]
    for kind in sorted(coded, key=lambda error: error.code):
        yield CodePage(kind.code, FAILURES, inspect.cleandoc(kind.__doc__ or ""), kind.advice)
    reasons: Mapping[str, tuple[Reason, ...]] = {
        "Skipped objects": SKIP_REASONS,
        "Notes": NOTES,
        "Configuration of engines": shared.FINDINGS,
        "Engines": (*ways.REASONS, *classes.REASONS),
        "Drafts": (*drafting.REASONS, draft_bases.OVER_UNREADABLE),
        "Standing": standing.REASONS,
    }
    for group, group_reasons in reasons.items():
        for reason in sorted(group_reasons, key=lambda code: code.code):
            yield CodePage(reason.code, group, reason.text)
    for check in sorted(EVERY, key=lambda module: module.CODE):
        yield CodePage(
            check.CODE, "Findings", inspect.cleandoc(check.__doc__ or ""), _advice(check)
        )
    for why in Why:
        yield CodePage(why.value, "Set aside", why.meaning, _ASIDE[why])
    for blocked in Blocked:
        yield CodePage(blocked.value, "Blocked", blocked.meaning)


def _advice(check: ModuleType) -> str:
    """What the check says to do about its own example."""
    answer = check.check(check.EXAMPLE_BAD)
    hint: str = (answer if check in OF_NAMES else next(answer)).hint
    return hint
