"""Whether what a crawl did not see is gone: only then may it be dropped from a target."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from discovery.crawl_record import Listing, SourceCounts
from discovery.display import quantity
from discovery.migration.wanted import Origin
from discovery.model import decoded
from discovery.patterns import Patterns

ENOUGH: Final = 0.75
"""A source that has less than this part of what it had may have lost it, or may not show it."""

SHRUNK: Final = "--allow-shrink"


@dataclass(frozen=True, slots=True)
class Unseen:
    """What a plan makes of what the run did not see, at a target that has it.

    Attributes:
        is_gone: Whether what was asked for was seen whole: texts of what was not go with the text
            beside which they were written. Else nothing is known of it.
        drops: Whether views go, too.
        asked: What of each source was asked for; of one that is not in it, nothing.
        is_lost: Whether a person says that what the run lacks is lost, also where it was not asked
            for it: texts of that go, views stay.
    """

    is_gone: bool
    drops: bool
    asked: Mapping[str, Patterns]
    is_lost: bool = False

    def is_seen_whole(self, origins: Iterable[Origin]) -> bool:
        """Whether texts that nobody wants of what was made of some views are of nothing any more.

        Args:
            origins: The views.
        """
        return self.is_gone and (self.is_lost or not is_left_out(origins, self.asked))


@dataclass(frozen=True, slots=True)
class SeenRun:
    """What a crawl saw.

    Attributes:
        run_id: Its name.
        sources: By name.
        listing: Where it is another run's; None: it has listed by itself.
        systems: Digests of the places at each of which a source's system is reached; of a source
            that is not in it, nobody knows.
    """

    run_id: str
    sources: Mapping[str, SourceCounts]
    listing: Listing | None = None
    systems: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @property
    def complete(self) -> bool:
        """Whether all of it was seen whole."""
        return all(source.complete for source in self.sources.values())


def believed_runs(runs: Sequence[SeenRun], confirmed: Collection[str]) -> dict[str, SeenRun]:
    """By source, the latest run that shows what it has.

    That saw everything, asked the systems that the one believed before it asked, and has not far
    less of any, unless a person has said that it is so. A source that shows less than it has, as
    one does to a user whose rights are gone, goes on with that the next night: that night is no
    proof either.

    Args:
        runs: Oldest first.
        confirmed: The runs of which a person has said that their sources have lost what they lack.
    """
    believed: dict[str, SeenRun] = {}
    for run in runs:
        if run.complete and (run.run_id in confirmed or not _why_no_proof(run, believed)):
            believed |= dict.fromkeys(run.sources, run)
    return believed


def why_unseen(now: SeenRun) -> str:
    """Why a run has not seen everything; empty: it has."""
    for name, source in now.sources.items():
        if source.unread:
            unread = quantity(source.unread, "object or namespace", "objects or namespaces")
            return f"{name}: {unread} could not be listed or read"
        if not source.reconciled:
            return f"{name}: what was listed and what came of it do not agree"
    return ""


def is_left_out(origins: Iterable[Origin], asked: Mapping[str, Patterns]) -> bool:
    """Whether one of some views was not asked for: a run without it proves nothing of it.

    Args:
        origins: The views.
        asked: What of each source was asked for; of one that is not in it, nothing.
    """

    def leaves_out(origin: Origin) -> bool:
        if (patterns := asked.get(origin.source)) is None:
            return True
        levels = decoded(origin.key)
        return patterns.leaves_out(levels[:-1], levels[-1])

    return any(map(leaves_out, origins))


def why_kept(origins: Collection[Origin], asked: Mapping[str, Patterns], *, at_source: bool) -> str:
    """Why a view stays that belvedere has written and no rule leads to; empty: it is gone.

    Args:
        origins: The views of which it was made last.
        asked: What of each source was asked for.
        at_source: Whether the run has, or could not read, one of them.
    """
    if at_source:
        return "their sources have them"
    if is_left_out(origins, asked):
        return (
            "their sources were not asked for them (`include`, `exclude`), or are not in this run"
        )
    return "" if origins else "an earlier belvedere wrote them, and did not note of which views"


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
    why = _why_no_proof(now, believed_runs(others, confirmed))
    return why and f"{why}; if what the run lacks is lost, say {SHRUNK}"


def _why_no_proof(now: SeenRun, believed: Mapping[str, SeenRun]) -> str:
    for name, before in believed.items():
        previous, current = before.sources[name], now.sources.get(name)
        if current is None:  # it was not asked: what was made of it stays
            continue
        if is_other_system(now.systems.get(name), before.systems.get(name)):
            where = "its `uri` or `url`, its catalog, warehouse or region"
            return f"{name} is at another place than in run {before.run_id} ({where})"
        for kind, number, earlier in (
            ("objects", current.listed, previous.listed),
            ("views", current.views, previous.views),
        ):
            if number < ENOUGH * earlier:
                reason = f"{name} has {number} {kind}, and had {earlier} in run {before.run_id}"
                return f"{reason}: less than {ENOUGH:.0%}"
    return ""


def is_other_system(now: Sequence[str] | None, before: Sequence[str] | None) -> bool:
    """Whether two runs reached a source at no place that is known of both."""
    return bool(now and before) and set(now or ()).isdisjoint(before or ())
