"""What a run says of its crawl: what it counted, and what later crawls, plans and reports go by.

It is kept as JSON, the column `counts` of the table `runs`. What an earlier belvedere did not write
is not known, or none.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import Any, Final, Self

from discovery.addresses import SourceAddress
from discovery.patterns import Patterns


@dataclass(frozen=True, slots=True)
class SourceCounts:
    """What a crawl saw of a source.

    Attributes:
        listed: Objects.
        views: Those of them that are views.
        failures: Those that could not be read or decoded.
        skipped: Those that are no views.
        namespaces: That were listed.
        unread: Objects, namespaces or the source itself, that could not be listed or read.
        unlisted: Namespaces or the source itself, that could not be listed.
        undecoded: Objects that were read and not understood.
        accepted: Of the failures, those that a baseline names.
        formats: Number of views by the format in which they are stored.
        codes: Number of failures and skipped objects by code.
        reconciled: Whether each listed object has an outcome.
    """

    listed: int = 0
    views: int = 0
    failures: int = 0
    skipped: int = 0
    namespaces: int = 0
    unread: int = 0
    unlisted: int = 0
    undecoded: int = 0
    accepted: int = 0
    formats: Mapping[str, int] = field(default_factory=dict)
    codes: Mapping[str, int] = field(default_factory=dict)
    reconciled: bool = True

    @classmethod
    def of(cls, counts: Mapping[str, Any]) -> Self:
        """Of the counts of a run; what an earlier belvedere did not count is taken for none."""
        counted = {
            member.name: counts[member.name] for member in fields(cls) if member.name in counts
        }
        numbers = {name: int(value) for name, value in counted.items() if name not in _OTHERS}
        return cls(**{**counted, **numbers, "reconciled": bool(counts.get("reconciled", True))})

    def to_json(self) -> dict[str, Any]:
        """The inverse of `of`."""
        return {member.name: getattr(self, member.name) for member in fields(self)}

    @property
    def outcomes(self) -> int:
        """How many objects have come to something."""
        return self.views + self.failures + self.skipped

    @property
    def complete(self) -> bool:
        """Whether it was seen whole."""
        return self.reconciled and not self.unread


_OTHERS: Final = frozenset({"formats", "codes", "reconciled"})


@dataclass(frozen=True, slots=True)
class Listing:
    """Who has listed what a run has.

    Attributes:
        run_id: The run that has; another one, where only its failures were asked again.
        started: When that began.
    """

    run_id: str
    started: datetime


@dataclass(frozen=True, slots=True)
class Fetching:
    """What a crawl has fetched.

    Attributes:
        fetched: Number of objects by source.
        seconds: From the first fetch to the last.
    """

    fetched: Mapping[str, int]
    seconds: float


@dataclass(frozen=True, slots=True)
class CrawlRecord:
    """What a run says of its crawl.

    Attributes:
        sources: What it counted of each.
        seconds: How long it took.
        reasons: Of its exit code: a code, why, and what to do; None: not known.
        places: A digest of where each source is; None: not known.
        addresses: Where sources are, without secrets, of those that are at a place with a name.
        stands_on: The run of which what has not changed was taken over; empty: all was read.
        fetching: What it fetched; None: not all of that in one attempt, or it is not known.
        marks: How far the sources' records of changes were before they were listed.
        listing: Where it is another run's; None: it has listed by itself.
        patterns: Which objects of each source were asked for; of a source that is not in it, nobody
            knows.
        systems: Digests of the places at each of which a source's system is reached; of a source
            that is not in it, nobody knows.
    """

    sources: Mapping[str, SourceCounts] = field(default_factory=dict)
    seconds: float = 0.0
    reasons: Sequence[tuple[int, str, str]] | None = None
    places: Mapping[str, str] | None = None
    addresses: Mapping[str, SourceAddress] = field(default_factory=dict)
    stands_on: str = ""
    fetching: Fetching | None = None
    marks: Mapping[str, str] = field(default_factory=dict)
    listing: Listing | None = None
    patterns: Mapping[str, Patterns] = field(default_factory=dict)
    systems: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, members: Mapping[str, Any]) -> Self:
        """The inverse of `to_json`.

        Raises:
            AttributeError, KeyError, TypeError, ValueError: It is none.
        """
        reasons, fetching, listing = map(members.get, ("reasons", "fetching", "listing"))
        return cls(
            sources={name: SourceCounts.of(source) for name, source in members["sources"].items()},
            seconds=float(members.get("seconds", 0)),
            reasons=reasons and [(code, why, then) for code, why, then in reasons],
            places=members.get("places"),
            addresses={
                name: SourceAddress.from_json(place)
                for name, place in (members.get("addresses") or {}).items()
            },
            stands_on=members.get("stands_on") or "",
            fetching=fetching and Fetching(fetching["fetched"], float(fetching["seconds"])),
            marks=members.get("marks") or {},
            listing=listing
            and Listing(listing["run_id"], datetime.fromisoformat(listing["started"])),
            patterns={
                name: Patterns(tuple(include), tuple(exclude))
                for name, (include, exclude) in (members.get("patterns") or {}).items()
            },
            systems={
                name: [str(digest) for digest in digests]
                for name, digests in (members.get("systems") or {}).items()
            },
        )

    def to_json(self) -> dict[str, object]:
        """What is kept."""
        fetching = self.fetching and {
            "fetched": self.fetching.fetched,
            "seconds": self.fetching.seconds,
        }
        listing = self.listing and {
            "run_id": self.listing.run_id,
            "started": self.listing.started.isoformat(),
        }
        return {
            "sources": {name: counts.to_json() for name, counts in self.sources.items()},
            "reasons": self.reasons,
            "seconds": self.seconds,
            "places": self.places,
            "addresses": {name: place.to_json() for name, place in self.addresses.items()},
            "stands_on": self.stands_on or None,
            "fetching": fetching,
            "marks": self.marks,
            **({"listing": listing} if listing else {}),
            "patterns": {
                name: [list(patterns.include), list(patterns.exclude)]
                for name, patterns in self.patterns.items()
            },
            "systems": {name: list(digests) for name, digests in self.systems.items()},
        }
