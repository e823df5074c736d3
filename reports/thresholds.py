"""Thresholds: how much of what a run may hold before a report ends with exit code 3."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

from discovery.acceptance import Fault
from discovery.judging.standing import Standing
from discovery.limits import Limit
from reports.codes import ASSESSED, group_of
from reports.head import Cause, ReportHead

SEVERITIES: Final = ("error", "warning")
_DIGITS: Final = 9  # of a percentage, behind the point


@dataclass(frozen=True, slots=True)
class Limits:
    """The thresholds of a configuration.

    Attributes:
        codes: By code.
        severity: By severity of findings.
        standing: By standing.
    """

    codes: Mapping[str, Limit] = field(default_factory=dict)
    severity: Mapping[str, Limit] = field(default_factory=dict)
    standing: Mapping[str, Limit] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Marked:
    """An object of a report with the codes that stand at it.

    Attributes:
        source: Its source.
        key: Its key.
        standing: Its standing.
        reason: The code behind that.
        codes: Sort, as in the head's causes, and code of all that stands at it.
        blocking: Those of the codes that would block it, each by itself.
        severities: Severity of findings to their codes.
    """

    source: str
    key: str
    standing: str = ""
    reason: str = ""
    codes: frozenset[tuple[str, str]] = frozenset()
    blocking: frozenset[str] = frozenset()
    severities: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def accepted(self, accepted: frozenset[Fault]) -> frozenset[str]:
        """Those of its codes that are accepted."""
        every = {*(code for _, code in self.codes), self.reason}
        return frozenset(
            code for code in every if code and Fault(self.source, self.key, code) in accepted
        )


@dataclass(frozen=True, slots=True)
class Excused:
    """What of a run is accepted, and counts towards no threshold.

    Attributes:
        codes: Number of objects by sort and code.
        severity: Number of views of whose findings of a severity all are accepted.
        standing: Number of views of whose standing all reasons that are known are accepted.
        met: The accepted faults that there are.
    """

    codes: Counter[tuple[str, str]] = field(default_factory=Counter)
    severity: Counter[str] = field(default_factory=Counter)
    standing: Counter[str] = field(default_factory=Counter)
    met: frozenset[Fault] = frozenset()

    @classmethod
    def of(cls, objects: Iterable[Marked], accepted: frozenset[Fault]) -> "Excused":
        """What of some objects, each once, is accepted."""
        codes, severity = Counter[tuple[str, str]](), Counter[str]()
        standing, met = Counter[str](), set[Fault]()
        for object_ in objects:
            excused = object_.accepted(accepted)
            met |= {Fault(object_.source, object_.key, code) for code in excused}
            codes.update(pair for pair in object_.codes if pair[1] in excused)
            severity.update(
                word for word, causes in object_.severities.items() if causes <= excused
            )
            standing[object_.standing] += object_.reason in excused and object_.blocking <= excused
        return cls(codes, severity, standing, frozenset(met))

    def count_unaccepted(self, cause: Cause) -> int:
        """At how many objects a code stands without being accepted."""
        return cause.number - self.codes[cause.sort, cause.code]


_NOTHING: Final = Excused()


def exceeded(head: ReportHead, limits: Limits, excused: Excused = _NOTHING) -> Iterator[str]:
    """What is over, in words; a threshold on what no stage has looked for is over, too.

    Args:
        head: Of the report.
        limits: The thresholds.
        excused: What counts towards none of them.
    """
    is_assessed = head.engines is not None
    for code, limit in limits.codes.items():
        if not is_assessed and group_of(code) in ASSESSED:
            yield f"{code}: not assessed, limit {limit}"
        else:
            yield from _code_excesses(code, head, limit, excused)
    for severity, limit in limits.severity.items():
        if head.severities is None:
            yield f"{severity}: not assessed, limit {limit}"
        else:
            number = head.severities.get(severity, 0) - excused.severity[severity]
            yield from _excesses(severity, number, head, limit)
    for word, limit in limits.standing.items():
        if not is_assessed and word in {Standing.BLOCKED, Standing.REVIEW}:
            yield f"{word}: not assessed, limit {limit}"
            continue
        number = head.standing.get(word, 0) - excused.standing[word]
        yield from _excesses(word, number, head, limit)


def _code_excesses(code: str, head: ReportHead, limit: Limit, excused: Excused) -> Iterator[str]:
    """What is over of a code: at views, or of all that was lost, whose objects are views, too."""
    at_views, lost = (
        [excused.count_unaccepted(cause) for cause in causes if cause.code == code]
        for causes in (head.causes, head.losses)
    )
    number = max(at_views, default=0)
    if sum(lost) <= number:
        yield from _excesses(code, number, head, limit)
    elif not limit.allows(sum(lost), max(head.total, sum(lost))):
        yield f"{code}: {sum(lost):,} objects and namespaces, limit {limit}"


def _share_text(number: int, total: int, limit: Limit) -> str:
    """The part of all, with as many digits as show that it is over the limit."""
    texts = [f"{number / total:.{digits}%}" for digits in range(1, _DIGITS + 1)]
    bound = limit.value if limit.percent else 0
    return next((text for text in texts if Fraction(text.rstrip("%")) > bound), texts[0])


def _excesses(label: str, number: int, head: ReportHead, limit: Limit) -> Iterator[str]:
    if not limit.allows(number, head.total):
        share = f" ({_share_text(number, head.total, limit)})" if head.total else ""
        yield f"{label}: {number:,} of {head.total:,} views{share}, limit {limit}"
