"""A cell of the matrix: what an engine can do with a view where it is stored, and what proves it.

What the running engine says of the view where it is comes first; nobody has to guess then. Else,
what is judged is what the engine will really parse (`paths`): a store that it cannot reach, an
entry that it refuses and an error of a check come before its parser; what is below comes behind:
it blocks, or the cell is no surer than that is.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from discovery.judging.asking import LIVE, VERDICT_WORDS
from discovery.judging.reasons import reason_of
from discovery.judging.rules import Ruling, first_that_holds
from discovery.judging.ways import NO_TEXT, Path, Way
from discovery.lineage.blockers import HEARD, REJECTED, UNPROVEN
from discovery.ports import ANALYZE, OPINION, PARSE


class Reading(StrEnum):
    """What an engine can do with a view, in the order in which a report shows it."""

    NATIVE = "native"
    PORTABLE = "portable"
    REJECTED = "rejected"
    BLOCKED = "blocked"
    UNREACHABLE = "unreachable"
    NOT_JUDGED = "not judged"


READS: Final = (Reading.NATIVE, Reading.PORTABLE)
"""The statuses with which an engine reads a view."""
NOBODY: Final = "no parser of this engine is known"
UNTRIED: Final = "how the engine reads such an entry is not known"
_ACCEPTED: Final = VERDICT_WORDS[True]
_REFUSED: Final = VERDICT_WORDS[False]
_SILENT: Final = VERDICT_WORDS[None]


class Answer(NamedTuple):
    """What a judge said of one text of the view.

    Attributes:
        engine: Whose judge it is.
        dialect: Of the text.
        grade: What the answer proves; `OPINION`: nothing.
        verdict: `accepted`, `rejected` or `not judged`.
        message: What the judge said.
        version: Of the judge.
    """

    engine: str
    dialect: str
    grade: str
    verdict: str
    message: str | None = None
    version: str | None = None


class Below(NamedTuple):
    """What a view stands on and an engine does not read, or is not proved to.

    Attributes:
        blocked: What it cannot read, or why the order sets the view aside; None: nothing.
        unproven: What its analyzer cannot say that it reads, and the running engine was not asked
            of; None: nothing.
    """

    blocked: str | None = None
    unproven: str | None = None


NOTHING_BELOW: Final = Below()


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What is known of a view and an engine.

    Attributes:
        path: How the engine comes to the view.
        takes: The dialect of the text that is parsed in the end; None: none of them is.
        answer: What the engine that gets it said of it: its analyzer, else its parser; None:
            neither was asked.
        live: What the running engine said of the view, if it judged.
        errors: Codes of what makes the engine refuse or misread the view though its SQL is fine.
        below: What the view stands on.
    """

    path: Path
    takes: str | None = None
    answer: Answer | None = None
    live: Answer | None = None
    errors: tuple[str, ...] = ()
    below: Below = NOTHING_BELOW

    @classmethod
    def of(
        cls,
        path: Path,
        dialects: Sequence[str],
        answers: Sequence[Answer],
        errors: tuple[str, ...] = (),
        below: Below = NOTHING_BELOW,
    ) -> "Evidence":
        """With the text that the engine takes, of those that the view has, and what was said of it.

        Args:
            path: How the engine comes to the view.
            dialects: Of the view's texts, in their order.
            answers: What all judges said of all texts.
            errors: As the attribute.
            below: As the attribute.
        """
        takes, parser = path.text(dialects), path.parser
        relevant = [
            answer for answer in answers if answer.engine == parser and answer.dialect == takes
        ]
        live = _live(path.engine, answers)
        return cls(
            path=path, takes=takes, answer=_best(relevant), live=live, errors=errors, below=below
        )

    def says(self, verdict: str) -> bool:
        """Whether that parser's answer is a verdict, and this one."""
        answer = self.answer
        return answer is not None and answer.grade != OPINION and answer.verdict == verdict

    def shows(self, verdict: str) -> bool:
        """Whether the running engine has given this verdict."""
        return self.live is not None and self.live.verdict == verdict

    @property
    def silence(self) -> str:
        """Why there is no verdict."""
        if self.path.way is Way.UNKNOWN:
            return UNTRIED
        answer = self.answer
        if answer is None:
            return self.path.unjudged or NOBODY
        if answer.grade == OPINION:
            return f"an opinion, no verdict: {answer.version} says {answer.verdict}"
        return answer.message or NOBODY


def _best(answers: Sequence[Answer]) -> Answer | None:
    """The answer that proves most; an analyzer that could not judge leaves it to the parser.

    So does one that is not here: what is said of that is of the grade of parsers, too.
    """
    analyzed = (
        answer for answer in answers if answer.grade == ANALYZE and answer.verdict != _SILENT
    )
    parsed = [answer for answer in answers if answer.grade not in {ANALYZE, LIVE}]
    spoken = (answer for answer in parsed if answer.verdict != _SILENT)
    return next(analyzed, None) or next(spoken, None) or next(iter(parsed), None)


def _live(engine: str, answers: Sequence[Answer]) -> Answer | None:
    """The verdict of the running engine; None: it was not asked, or did not say."""
    live_answers = (
        answer for answer in answers if answer.grade == LIVE and answer.engine == engine
    )
    return next((answer for answer in live_answers if answer.verdict != _SILENT), None)


class Cell(NamedTuple):
    """What an engine can do with a view.

    Attributes:
        engine: The engine.
        status: One of `Reading`.
        reason: A code, codes separated by `, `, or the source and key of what blocks it; of a view
            that it reads, the setting that this hangs on: `with …`, and the view below that makes
            it less sure: `no surer than …`.
        grade: The grade that proved it; None where nothing did.
    """

    engine: str
    status: str
    reason: str | None = None
    grade: str | None = None


def _is_out_of_reach(evidence: Evidence) -> bool:
    path = evidence.path
    return path.way is Way.UNREACHABLE or (path.way is Way.AS_TABLE and not path.dialects)


def _has_no_text(evidence: Evidence) -> bool:
    return evidence.path.way is Way.PARSES and evidence.takes is None


def _class_of(evidence: Evidence) -> str:
    answer = evidence.answer
    return reason_of(answer.message if answer else None).code


def _why_refused(evidence: Evidence) -> str | None:
    """Why the running engine refuses a view: what is known of the entry tells more than it says."""
    if evidence.errors:
        return _codes(evidence)
    if evidence.path.way is Way.REFUSES:
        return evidence.path.reason
    return reason_of(evidence.live.message if evidence.live else None).code


def _codes(evidence: Evidence) -> str:
    return ", ".join(sorted(set(evidence.errors)))


def _is_live_own(evidence: Evidence) -> bool:
    live = evidence.live
    return evidence.shows(_ACCEPTED) and live is not None and live.dialect.casefold() == live.engine


def _is_lessened(evidence: Evidence) -> bool:
    """Whether an analyzer accepts the text over columns of a view that may not give them.

    An analyzer is told what views below declare. A view of which it is not known that the engine
    reads it may give no columns, so as of a base that is unknown, the parser alone has spoken.
    """
    answer, unproven = evidence.answer, evidence.below.unproven
    return unproven is not None and answer is not None and answer.grade == ANALYZE


def _on_what(evidence: Evidence) -> str | None:
    """The setting that an acceptance hangs on, and the view below that makes it less sure."""
    conditions = [evidence.path.under] if evidence.path.under else []
    if _is_lessened(evidence):
        conditions.append(f"no surer than {evidence.below.unproven}")
    return "; ".join(conditions) or None


def _is_own(evidence: Evidence) -> bool:
    takes = evidence.takes
    return takes is not None and takes.casefold() == evidence.path.engine


RULES: Final[tuple[Ruling[Evidence, Reading], ...]] = (
    Ruling(
        "refused live",
        Reading.REJECTED,
        lambda evidence: evidence.shows(_REFUSED),
        _why_refused,
    ),
    Ruling(
        "misread live",  # that it gives columns back does not say that they are the view's
        Reading.REJECTED,
        lambda evidence: evidence.shows(_ACCEPTED) and bool(evidence.errors),
        _codes,
    ),
    Ruling("own, live", Reading.NATIVE, _is_live_own),
    Ruling("foreign, live", Reading.PORTABLE, lambda evidence: evidence.shows(_ACCEPTED)),
    Ruling(
        "out of reach",
        Reading.UNREACHABLE,
        _is_out_of_reach,
        lambda evidence: evidence.path.reason,
    ),
    Ruling("faulty entry", Reading.REJECTED, lambda evidence: bool(evidence.errors), _codes),
    Ruling(
        "refused entry",
        Reading.REJECTED,
        lambda evidence: evidence.path.way is Way.REFUSES,
        lambda evidence: evidence.path.reason,
    ),
    Ruling("no text for it", Reading.REJECTED, _has_no_text, NO_TEXT.code),
    Ruling("refused text", Reading.REJECTED, lambda evidence: evidence.says(_REFUSED), _class_of),
    Ruling(
        "faulty base",
        Reading.BLOCKED,
        lambda evidence: evidence.below.blocked is not None,
        lambda evidence: evidence.below.blocked,
    ),
    Ruling(
        "own text",
        Reading.NATIVE,
        lambda evidence: evidence.says(_ACCEPTED) and _is_own(evidence),
        _on_what,
    ),
    Ruling("foreign text", Reading.PORTABLE, lambda evidence: evidence.says(_ACCEPTED), _on_what),
    Ruling("no verdict", Reading.NOT_JUDGED, lambda _: True, lambda evidence: evidence.silence),
)
"""In their order; the last holds always."""
_BY_A_PARSER: Final = frozenset({"refused text", "own text", "foreign text"})
_BY_THE_ENGINE: Final = frozenset({"refused live", "own, live", "foreign, live"})


def cell(evidence: Evidence) -> Cell:
    """What an engine can do with a view."""
    rule = first_that_holds(RULES, evidence)
    answer = evidence.answer if rule.name in _BY_A_PARSER else None
    grade = answer.grade if answer else LIVE if rule.name in _BY_THE_ENGINE else None
    if rule.word in READS and grade == ANALYZE and _is_lessened(evidence):
        grade = PARSE
    return Cell(evidence.path.engine, rule.word, rule.reason(evidence), grade)


def said_by_itself(status: Reading, grade: str | None) -> str | None:
    """What a cell that was decided without a look below says to views above it; None: all is well.

    Args:
        status: Of the cell.
        grade: That proved it.
    """
    if status is Reading.REJECTED:
        return REJECTED
    if status in READS and grade == LIVE:
        return HEARD
    return None if status in READS and grade == ANALYZE else UNPROVEN
