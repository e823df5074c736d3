"""Thresholds: how much of what a run may hold before a report ends with exit code 3."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from discovery.limits import Limit
from reports.head import ReportHead

SEVERITIES: Final = ("error", "warning")


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


def exceeded(head: ReportHead, limits: Limits) -> Iterator[str]:
    """What is over, in words; a threshold on what no stage has looked for is over, too."""
    for code, limit in limits.codes.items():
        number = max(
            (one.number for one in (*head.causes, *head.losses) if one.code == code), default=0
        )
        yield from _over(code, number, head, limit)
    for severity, limit in limits.severity.items():
        if head.severities is None:
            yield f"{severity}: not assessed, allowed are {limit}"
        else:
            yield from _over(severity, head.severities.get(severity, 0), head, limit)
    for word, limit in limits.standing.items():
        yield from _over(word, head.standing.get(word, 0), head, limit)


def _over(what: str, number: int, head: ReportHead, limit: Limit) -> Iterator[str]:
    if not limit.allows(number, head.total):
        share = f" ({number / head.total:.1%})" if head.total else ""
        yield f"{what}: {number:,} of {head.total:,} views{share}, allowed are {limit}"
