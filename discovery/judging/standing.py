"""Whether a view can move: the rules, in their order, over what is known of the view."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from discovery.checks.subject import Severity
from discovery.judging.matrix import Cell, Reading
from discovery.judging.rules import Ruling, first_that_holds
from discovery.lineage.order import Why
from discovery.outcomes import Reason


class Standing(StrEnum):
    """Whether a view can move, in the order in which a report shows it."""

    READY = "ready"
    REVIEW = "needs review"
    BLOCKED = "blocked"
    NOT_JUDGED = "not judged"


NOT_ASKED: Final = Reason(
    "OWN_ENGINE_NOT_ASKED",
    "No judge knows the dialect of the view; the parser of another engine accepts its text. Try "
    "the view in its own engine, or name a judge of its dialect under `engines`.",
)
DIFFERENT: Final = Reason(
    "READ_BACK_DIFFERS",
    "The view was loaded, and read back otherwise than it was written. The fields that differ are "
    "named; compare them at the target.",
)
UNASSESSED: Final = Reason(
    "NOT_ASSESSED",
    "No engine was asked whether the view can be read: `belvedere assess` has not been run on this "
    "run, or `engines` names none.",
)
NO_JUDGE: Final = Reason(
    "NO_VERDICT",
    "No judge knows the dialect of the view, or the one that does was not available, and no other "
    "parser accepts its text. Nothing is known against the view.",
)
REASONS: Final = (NOT_ASKED, DIFFERENT, UNASSESSED, NO_JUDGE)


class Code(NamedTuple):
    """A code that the checks left at a view.

    Attributes:
        code: The code.
        severity: Of the finding.
        engine: The engine that it is about; None: all of them, or the target.
    """

    code: str
    severity: str
    engine: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What is known of a view, from all stages; what no stage has said is None or empty.

    Attributes:
        failure: The code of why it could not be read.
        aside: The code of why it has no place in the order.
        unplanned: The code of why the latest plan does not write it.
        different: Whether it read back otherwise than it was written.
        dialects: Of its texts; the engines of these names are its own.
        cells: Its cells of the matrix; None: it was not assessed.
        findings: The codes of its findings.
    """

    failure: str | None = None
    aside: str | None = None
    unplanned: str | None = None
    different: bool = False
    dialects: Sequence[str] = ()
    cells: Sequence[Cell] | None = None
    findings: Sequence[Code] = ()

    def is_own(self, engine: str | None) -> bool:
        """Whether the view has a text for the engine."""
        return engine is not None and any(dialect.casefold() == engine for dialect in self.dialects)

    def has(self, status: Reading) -> bool:
        """Whether any engine has that status."""
        return any(cell.status == status for cell in self.cells or ())

    def of_own(self, status: Reading) -> str | None:
        """Why its own engines have that status: the first reason; None where none has it."""
        reasons = [
            cell.reason or ""
            for cell in self.cells or ()
            if cell.status == status and self.is_own(cell.engine)
        ]
        return min(reasons).partition(", ")[0] if reasons else None

    @property
    def error(self) -> str | None:
        """The first code of an error about all engines, or the target."""
        errors = (finding for finding in self.findings if finding.severity == Severity.ERROR)
        return min((error.code for error in errors if error.engine is None), default=None)

    @property
    def warning(self) -> str | None:
        """The first code of a finding about all engines, the target or its own engine."""
        near = (
            finding
            for finding in self.findings
            if finding.engine is None or self.is_own(finding.engine)
        )
        return min((code.code for code in near), default=None)

    @property
    def is_blocked_below(self) -> bool:
        """Whether an engine whose text it has does not read it for what is below."""
        return self.of_own(Reading.BLOCKED) is not None

    @property
    def rejection(self) -> str | None:
        """Why an engine rejects the text that is its own: the first code."""
        return self.of_own(Reading.REJECTED)


class Stands(NamedTuple):
    """The standing of a view, and the code behind it; None if it is ready."""

    standing: Standing
    code: str | None


RULES: Final[tuple[Ruling[Facts, Standing], ...]] = (
    Ruling(
        "unread",
        Standing.BLOCKED,
        lambda facts: facts.failure is not None,
        lambda facts: facts.failure,
    ),
    Ruling(
        "set aside",
        Standing.BLOCKED,
        lambda facts: facts.aside is not None,
        lambda facts: facts.aside,
    ),
    Ruling(
        "faulty",
        Standing.BLOCKED,
        lambda facts: facts.error is not None,
        lambda facts: facts.error,
    ),
    Ruling(
        "not written",
        Standing.BLOCKED,
        lambda facts: facts.unplanned is not None,
        lambda facts: facts.unplanned,
    ),
    Ruling("not assessed", Standing.NOT_JUDGED, lambda facts: facts.cells is None, UNASSESSED.code),
    Ruling(
        "on a faulty base",
        Standing.BLOCKED,
        lambda facts: facts.is_blocked_below and not facts.has(Reading.NATIVE),
        Why.BROKEN_BASE.value,
    ),
    Ruling(
        "rejected",
        Standing.BLOCKED,
        lambda facts: facts.rejection is not None and not facts.has(Reading.NATIVE),
        lambda facts: facts.rejection,
    ),
    Ruling("different", Standing.REVIEW, lambda facts: facts.different, DIFFERENT.code),
    Ruling(
        "warned of",
        Standing.REVIEW,
        lambda facts: facts.warning is not None,
        lambda facts: facts.warning,
    ),
    Ruling(
        "rejected in part",
        Standing.REVIEW,
        lambda facts: facts.rejection is not None,
        lambda facts: facts.rejection,
    ),
    Ruling(
        "blocked in part",
        Standing.REVIEW,
        lambda facts: facts.is_blocked_below,
        Why.BROKEN_BASE.value,
    ),
    Ruling("accepted", Standing.READY, lambda facts: facts.has(Reading.NATIVE)),
    Ruling(
        "accepted elsewhere",
        Standing.REVIEW,
        lambda facts: facts.has(Reading.PORTABLE),
        NOT_ASKED.code,
    ),
    Ruling("without a verdict", Standing.NOT_JUDGED, lambda _: True, NO_JUDGE.code),
)
"""In their order; the last holds always."""


def stands(facts: Facts, rules: Sequence[Ruling[Facts, Standing]] = RULES) -> Stands:
    """Whether a view can move, and the code behind it."""
    rule = first_that_holds(rules, facts)
    return Stands(rule.word, rule.reason(facts))
