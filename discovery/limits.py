"""Limits: how much of what a run may hold before it counts as a finding."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction

from discovery.ranking import ranked


@dataclass(frozen=True, slots=True)
class Limit:
    """How many there may be: a number, or a part of all of them.

    Attributes:
        value: The number, or percent, as exactly as it is stated.
        percent: Whether it is percent.
    """

    value: float | Fraction
    percent: bool = False

    @classmethod
    def of(cls, stated: int | str) -> "Limit":
        """From the configuration: `10` or `5%`."""
        if isinstance(stated, int):
            return cls(stated)
        return cls(Fraction(stated.rstrip("%")), percent=True)

    def allows(self, number: int, total: int) -> bool:
        """Whether that many of all are few enough."""
        return number * 100 <= self.value * total if self.percent else number <= self.value

    def __str__(self) -> str:
        return f"{float(self.value):g}{'%' if self.percent else ''}"


class Lack(StrEnum):
    """What a crawl does not have of an estate; the value says it in words."""

    UNLISTED = "could not be listed"
    UNREAD = "could not be read"
    UNDECODED = "could not be decoded"


@dataclass(frozen=True, slots=True)
class Lacking:
    """What failed alike in a source.

    Attributes:
        source: Its name.
        lack: What there is not.
        code: Of the failures.
    """

    source: str
    lack: Lack
    code: str


@dataclass(frozen=True, slots=True)
class CrawlLimits:
    """How much a crawl may lack.

    Attributes:
        unlisted: Of namespaces; a whole source is one.
        unread: Of objects.
        undecoded: Of objects.
        codes: By code, of objects and namespaces: as long as there are no more than that, failures
            of this code count nowhere else.
    """

    unlisted: Limit = Limit(0)
    unread: Limit = Limit(0)
    undecoded: Limit = Limit(0)
    codes: Mapping[str, Limit] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Excess:
    """More than a limit allows.

    Attributes:
        lack: What there is not.
        number: Of objects, or namespaces.
        total: Of all of these.
        limit: What is allowed.
        codes: Those failures by code.
        source: The one that most of them are of.
    """

    lack: Lack
    number: int
    total: int
    limit: Limit
    codes: Mapping[str, int]
    source: str

    def __str__(self) -> str:
        entities = "namespaces" if self.lack is Lack.UNLISTED else "objects"
        codes = ", ".join(f"{number:,} {code}" for code, number in self.codes.items())
        return (
            f"{self.number:,} of {self.total:,} {entities} {self.lack.value} ({codes}; mostly from"
            f" {self.source}), limit {self.limit}"
        )


def excesses(
    failed: Mapping[Lacking, int], objects: int, namespaces: int, limits: CrawlLimits
) -> Iterator[Excess]:
    """What a crawl lacks beyond its limits, the gravest first.

    Args:
        failed: Numbers of failures.
        objects: How many were listed.
        namespaces: How many were listed or tried, whole sources included.
        limits: What is allowed.
    """
    of_code: Counter[str] = Counter()
    for lacking, number in failed.items():
        of_code[lacking.code] += number
    total = objects + namespaces
    excused = {
        code
        for code, limit in limits.codes.items()
        if code in of_code and limit.allows(of_code[code], total)
    }
    allowed = {
        Lack.UNLISTED: (limits.unlisted, namespaces),
        Lack.UNREAD: (limits.unread, objects),
        Lack.UNDECODED: (limits.undecoded, objects),
    }
    for lack, (limit, every) in allowed.items():
        counted = {
            lacking: number
            for lacking, number in failed.items()
            if lacking.lack is lack and lacking.code not in excused
        }
        if not limit.allows(sum(counted.values()), every):
            yield _excess(lack, counted, every, limit)


def _excess(lack: Lack, counted: Mapping[Lacking, int], total: int, limit: Limit) -> Excess:
    codes, sources = Counter[str](), Counter[str]()
    for lacking, number in counted.items():
        codes[lacking.code] += number
        sources[lacking.source] += number
    ((source, _),) = ranked(sources, 1)
    return Excess(lack, codes.total(), total, limit, dict(ranked(codes)), source)
