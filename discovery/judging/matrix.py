"""A cell of the matrix: what an engine can do with a view where it is stored, and what proves it.

An error of a check, or its parser's refusal where it accepts no text, rejects; what is below
blocks; then what its parser accepts is native or portable.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from discovery.judging.rules import Ruling, first_that_holds
from discovery.outcomes import Reason
from discovery.ports import OPINION, PARSE


class Reading(StrEnum):
    """What an engine can do with a view, in the order in which a report shows it."""

    NATIVE = "native"
    PORTABLE = "portable"
    REJECTED = "rejected"
    BLOCKED = "blocked"
    NOT_JUDGED = "not judged"


REJECTED: Final = Reason(
    PARSE,
    "The parser of the view's own engine rejects its SQL, so that engine cannot run it as it is "
    "stored. Look at the position that is marked; recreate or drop the view at its source.",
)
REASONS: Final = (REJECTED,)
NOBODY: Final = "no parser of this engine is known"
_ACCEPTED: Final = "accepted"
_REFUSED: Final = "rejected"


class Answer(NamedTuple):
    """What a judge of the engine said of one text of the view.

    Attributes:
        dialect: Of the text.
        grade: What the answer proves; `OPINION`: nothing.
        verdict: `accepted`, `rejected` or `not judged`.
        message: What the judge said.
        version: Of the judge.
    """

    dialect: str
    grade: str
    verdict: str
    message: str | None = None
    version: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What is known of a view and an engine.

    Attributes:
        engine: The engine.
        answers: What its judge said of the view's texts; none: there is no judge.
        errors: Codes of what makes it refuse or misread the view though its SQL is fine.
        below: What the view stands on and the engine cannot read, or why the order sets it aside.
    """

    engine: str
    answers: tuple[Answer, ...] = ()
    errors: tuple[str, ...] = ()
    below: str | None = None

    def proof(self, verdict: str, *, own: bool = False) -> Answer | None:
        """An answer that proves something, of that verdict; of the engine's own text if asked."""
        for one in self.answers:
            if one.grade == OPINION or one.verdict != verdict:
                continue
            if not own or one.dialect.casefold() == self.engine:
                return one
        return None

    @property
    def silence(self) -> str:
        """Why there is no verdict."""
        for one in self.answers:
            if one.grade == OPINION:
                return f"an opinion, no verdict: {one.version} says {one.verdict}"
            if one.message:
                return one.message
        return NOBODY


class Cell(NamedTuple):
    """What an engine can do with a view.

    Attributes:
        engine: The engine.
        status: One of `Reading`.
        reason: A code, codes separated by `, `, or the source and key of what blocks it.
        grade: The grade that proved it; None where nothing did.
    """

    engine: str
    status: str
    reason: str | None = None
    grade: str | None = None


def _accepts(evidence: Evidence, *, own: bool = False) -> bool:
    return evidence.proof(_ACCEPTED, own=own) is not None


def _refuses(evidence: Evidence) -> bool:
    return evidence.proof(_REFUSED) is not None and not _accepts(evidence)


RULES: Final[tuple[Ruling[Evidence, Reading], ...]] = (
    Ruling(
        "faulty entry",
        Reading.REJECTED,
        lambda evidence: bool(evidence.errors),
        lambda evidence: ", ".join(sorted(set(evidence.errors))),
    ),
    Ruling("refused text", Reading.REJECTED, _refuses, REJECTED.code),
    Ruling(
        "faulty base",
        Reading.BLOCKED,
        lambda evidence: evidence.below is not None,
        lambda evidence: evidence.below,
    ),
    Ruling("own text", Reading.NATIVE, lambda evidence: _accepts(evidence, own=True)),
    Ruling("foreign text", Reading.PORTABLE, _accepts),
    Ruling("no verdict", Reading.NOT_JUDGED, lambda _: True, lambda evidence: evidence.silence),
)
"""In their order; the last holds always."""


def cell(evidence: Evidence) -> Cell:
    """What an engine can do with a view."""
    rule = first_that_holds(RULES, evidence)
    return Cell(evidence.engine, rule.word, rule.reason(evidence), _grade(rule.word, evidence))


def _grade(word: Reading, evidence: Evidence) -> str | None:
    """The grade of the answer that decided; a check that did has none."""
    if word in {Reading.NATIVE, Reading.PORTABLE}:
        proof = evidence.proof(_ACCEPTED, own=word is Reading.NATIVE)
    elif word is Reading.REJECTED and not evidence.errors:
        proof = evidence.proof(_REFUSED)
    else:
        return None
    return proof.grade if proof else None
