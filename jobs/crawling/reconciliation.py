"""Reconciliation: what was listed against what became of it, per source and namespace."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from discovery.acceptance import Fault
from discovery.crawl_record import SourceCounts
from discovery.display import quantity
from discovery.limits import CrawlLimits, Excess, Lack, Lacking, excesses
from discovery.outcomes import Stage
from jobs.crawling import tables as rows
from jobs.warehouse.warehouse import Warehouse

_PLACE: Final = ("source", "entity", "namespace")
_FATE: Final = ("outcome", "format", "stage", "code")


class Fate(NamedTuple):
    """What became of a listed object or namespace."""

    is_object: bool
    outcome: str
    format: str
    stage: str
    code: str


@dataclass(slots=True)
class Counts:
    """The counts of a source: objects, and namespaces apart."""

    listed: int = 0
    views: int = 0
    failures: int = 0
    skipped: int = 0
    namespaces: int = 0
    is_unlisted: bool = False  # as a whole
    failed: Counter[tuple[Lack, str]] = field(default_factory=Counter)  # namespaces, too
    formats: Counter[str] = field(default_factory=Counter)  # of views
    codes: Counter[str] = field(default_factory=Counter)  # of failures and skipped objects
    accepted: Counter[tuple[Lack, str]] = field(default_factory=Counter)  # of those that failed
    mismatches: list[str] = field(default_factory=list)

    def lacks(self, lack: Lack) -> int:
        """How many objects or namespaces it lacks in this way."""
        return sum(number for (kind, _), number in self.failed.items() if kind is lack)

    @property
    def total(self) -> SourceCounts:
        """What the run says of the source."""
        return SourceCounts(
            listed=self.listed,
            views=self.views,
            failures=self.failures,
            skipped=self.skipped,
            namespaces=self.namespaces,
            unread=self.lacks(Lack.UNLISTED) + self.lacks(Lack.UNREAD),
            unlisted=self.lacks(Lack.UNLISTED),
            undecoded=self.lacks(Lack.UNDECODED),
            accepted=self.accepted.total(),
            formats=dict(sorted(self.formats.items())),
            codes=dict(sorted(self.codes.items())),
            reconciled=not self.mismatches,
        )


def reconcile(warehouse: Warehouse, run_id: str, sources: Iterable[str]) -> dict[str, Counts]:
    """Count objects and outcomes of a run as they stand in their files."""
    counts = {source: Counts() for source in sources}
    balance = warehouse.count_rows(rows.OBJECTS, run_id, _PLACE)
    for (source, entity, _), number in balance.items():
        counts[source].listed += number * (entity == "object")
        counts[source].namespaces += number * (entity == "namespace")
        counts[source].is_unlisted |= entity == "source"
    for (*place, outcome, kind, stage, code), number in warehouse.count_rows(
        rows.OUTCOMES, run_id, (*_PLACE, *_FATE)
    ).items():
        balance[tuple(place)] -= number
        _add(counts[place[0]], Fate(place[1] == "object", outcome, kind, stage, code), number)
    for (source, entity, namespace), difference in sorted(balance.items()):
        if difference:
            lost = quantity(abs(difference), f"{entity} row")
            lost += " without" if difference > 0 else " beyond"
            counts[source].mismatches.append(f"{'.'.join(namespace)}: {lost} what was listed")
    return counts


def accept(
    counts: Mapping[str, Counts], failures: Iterable[Mapping[str, Any]], accepted: frozenset[Fault]
) -> None:
    """Count the failures that are accepted.

    Args:
        counts: Of the run; theirs are added.
        failures: Rows of `outcomes`.
        accepted: The faults.
    """
    for row in failures:
        if Fault(row["source"], row["key"], row["code"]) in accepted:
            fate = Fate(row["entity"] == "object", "failure", "", row["stage"], row["code"])
            counts[row["source"]].accepted[_lack(fate), fate.code] += 1


def beyond(counts: Mapping[str, Counts], limits: CrawlLimits) -> list[Excess]:
    """What a crawl lacks beyond its limits, but for what is accepted."""
    failed = {
        Lacking(source, lack, code): number
        for source, entry in counts.items()
        for (lack, code), number in (entry.failed - entry.accepted).items()
    }
    objects = sum(entry.listed for entry in counts.values())
    namespaces = sum(entry.namespaces + entry.is_unlisted for entry in counts.values())
    return list(excesses(failed, objects, namespaces, limits))


def _add(entry: Counts, fate: Fate, number: int) -> None:
    match fate.outcome:
        case "view":
            entry.views += number
            entry.formats[fate.format] += number
        case "skipped":
            entry.skipped += number * fate.is_object
            entry.codes[fate.code] += number
        case "failure":
            entry.failures += number * fate.is_object
            entry.failed[_lack(fate), fate.code] += number
            entry.codes[fate.code] += number


def _lack(fate: Fate) -> Lack:
    if not fate.is_object:
        return Lack.UNLISTED
    return Lack.UNDECODED if fate.stage == Stage.DECODE else Lack.UNREAD
