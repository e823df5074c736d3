"""Whether what a crawl did not see is gone: only then may it be dropped from a target."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from discovery.crawl_record import Listing, SourceCounts
from discovery.model import decoded
from discovery.patterns import Patterns

ENOUGH: Final = 0.75
"""A source that has less than this part of what it had may have lost it, or may not show it."""

SHRUNK: Final = "--allow-shrink"


class Unseen(Enum):
    """What a plan makes of what the run did not see, at a target that has it."""

    MAY_BE_THERE = "may be there"
    """Not all was seen: nothing is known of it."""
    GONE = "gone"
    """Texts that were made of it go with the text beside which they were written; views stay."""
    DROPPED = "dropped"
    """Views go, too."""


@dataclass(frozen=True, slots=True)
class SeenRun:
    """What a crawl saw.

    Attributes:
        run_id: Its name.
        sources: By name.
        listing: Where it is another run's; None: it has listed by itself.
    """

    run_id: str
    sources: Mapping[str, SourceCounts]
    listing: Listing | None = None

    @property
    def complete(self) -> bool:
        """Whether all of it was seen whole."""
        return all(source.complete for source in self.sources.values())


def believed_run(runs: Sequence[SeenRun], confirmed: Collection[str]) -> SeenRun | None:
    """The latest run that shows what its sources have; None: there is none.

    It saw everything, and has not far less than the one that was believed before it, unless a
    person has said that it is so. A source that shows less than it has, as one does to a user whose
    rights are gone, goes on with that the next night: that night is no proof either.

    Args:
        runs: Oldest first.
        confirmed: The runs of which a person has said that their sources have lost what they lack.
    """
    seen_run: SeenRun | None = None
    for run in runs:
        proven = seen_run is None or run.run_id in confirmed or not _why_shrunk(run, seen_run)
        if run.complete and proven:
            seen_run = run
    return seen_run


def why_unseen(now: SeenRun) -> str:
    """Why a run has not seen everything; empty: it has."""
    for name, source in now.sources.items():
        if source.unread:
            return f"{name}: {source.unread} objects or namespaces could not be listed or read"
        if not source.reconciled:
            return f"{name}: what was listed and what came of it do not agree"
    return ""


def is_left_out(source: str, key: str, asked: Mapping[str, Patterns]) -> bool:
    """Whether a view was not asked for, so that a run without it proves nothing of it.

    Args:
        source: Its source.
        key: Its key there.
        asked: What was asked for, by source.
    """
    patterns, levels = asked.get(source, Patterns()), decoded(key)
    return patterns.leaves_out(levels[:-1], levels[-1])


def why_outdated(current: Listing, others: Iterable[Listing]) -> str:
    """Why what a run has not seen may be there all the same; empty: nobody has looked since.

    Args:
        current: Who has listed what the run has.
        others: Who has listed what the others have.
    """
    later = [
        listing
        for listing in others
        if listing.started > current.started and listing.run_id != current.run_id
    ]
    if not later:
        return ""
    latest = max(later, key=lambda listing: listing.started).run_id
    return f"it has what run {current.run_id} has listed, and run {latest} has listed since"


def why_doubted(
    now: SeenRun, others: Sequence[SeenRun], confirmed: Collection[str], lost: Collection[str] = ()
) -> str:
    """Why it is doubted that what a run has not seen is gone; empty: it is not.

    Args:
        now: The run.
        others: The other runs, oldest first.
        confirmed: The runs of which a person has said that their sources have lost what they lack.
        lost: The runs of which nobody can read what they saw: one of them may be the latest.
    """
    if now.run_id in confirmed:
        return ""
    if lost:
        reason = (
            f"what run {', '.join(sorted(lost))} saw is not known, as its row in `runs` is lost"
        )
        return f"{reason}: restore that; if run {now.run_id} saw all there is, say {SHRUNK}"
    before = believed_run(others, confirmed)
    if before is None:
        return ""
    why = _why_shrunk(now, before)
    return why and f"{why}; if that is so, say {SHRUNK}"


def _why_shrunk(now: SeenRun, before: SeenRun) -> str:
    for name, previous in before.sources.items():
        current = now.sources.get(name)
        if current is None:
            return f"{name} was not crawled, and was in run {before.run_id}"
        for kind, number, earlier in (
            ("objects", current.listed, previous.listed),
            ("views", current.views, previous.views),
        ):
            if number < ENOUGH * earlier:
                reason = f"{name} has {number} {kind}, and had {earlier} in run {before.run_id}"
                return f"{reason}: less than {ENOUGH:.0%}"
    return ""
