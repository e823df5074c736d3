"""What logs prove: that a view was used, or, of the days that they have, that it was not.

A view is proposed to be left behind only if every engine that may read it has a log, each of these
logs has the whole time, and what the used views read is known. It is a proposal: a query once a
year, and what functions of a database read inside, is in no such log.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from itertools import pairwise
from typing import Final

from discovery.display import quantity

QUIET: Final = timedelta(days=4)
"""How long a log may have no query without that being a gap: a long weekend."""


class State(StrEnum):
    """Whether a view is used."""

    USED = "used"
    """Queries name it."""

    READ = "read by used views"
    """Queries read it through views that they name."""

    MENTIONED = "perhaps used"
    """Its name stands in queries of which it is not known what they read."""

    UNUSED = "unused"
    """Nothing of that, and the logs prove it: proposed to be left behind."""

    UNPROVEN = "not proven"
    """Nothing of that, and the logs do not prove it."""


@dataclass(frozen=True, slots=True)
class UsageWindow:
    """The days that are looked at.

    Attributes:
        first: The first.
        last: The last.
    """

    first: date
    last: date

    @classmethod
    def until(cls, last: date, days: int) -> "UsageWindow":
        """So many days up to the last."""
        return cls(last - timedelta(days=days - 1), last)


@dataclass(frozen=True, slots=True)
class Covered:
    """What a log has.

    Attributes:
        log: Its name.
        engine: Whose it is.
        sources: Those that it is about; None: whatever its engine sees.
        days: On which it has queries.
        blind: On which it has queries of which it does not say what they read, or only slow ones.
        unreadable: Lines that cannot be read.
    """

    log: str
    engine: str
    sources: frozenset[str] | None = None
    days: frozenset[date] = frozenset()
    blind: frozenset[date] = frozenset()
    unreadable: int = 0

    def lacks(self, window: UsageWindow) -> str:
        """What it lacks to prove that something was not used; empty: nothing."""
        inside = sorted(day for day in self.days if window.first - QUIET <= day <= window.last)
        if not inside:
            return f"{self.log} has no query since {window.first}"
        if blind := [day for day in self.blind if window.first <= day <= window.last]:
            days = f"{quantity(len(blind), 'day')}, {max(blind)} the last of them"
            return f"{self.log} does not say what all queries read on {days}"
        if self.unreadable:
            return f"{self.log} has {quantity(self.unreadable, 'line')} that cannot be read"
        if inside[0] > window.first + QUIET:
            return f"{self.log} begins on {inside[0]}"
        edges = [window.first, *(day for day in inside if day > window.first), window.last]
        for before, after in pairwise(edges):
            if after - before > QUIET + timedelta(days=1):
                return f"{self.log} has no query between {before} and {after}"
        return ""


def unproven(
    source: str, engines: Iterable[str], logs: Sequence[Covered], window: UsageWindow
) -> str:
    """Why logs do not prove that a view was not used; empty: they do.

    Args:
        source: Of the view.
        engines: That may read it.
        logs: All that were read.
        window: The time.
    """
    for engine in sorted(set(engines)):
        own = [
            log
            for log in logs
            if log.engine == engine and (log.sources is None or source in log.sources)
        ]
        if not own:
            return f"no log of {engine} is read"
        for covered in own:
            if why := covered.lacks(window):
                return why
    return ""


def state(
    used: date | None, read: date | None, mentioned: date | None, window: UsageWindow, why: str
) -> State:
    """Whether a view is used.

    Args:
        used: When it was last named by a query; None: never.
        read: When it was last read through another view.
        mentioned: When its name last stood in a text that is not understood.
        window: The time.
        why: Why the logs prove nothing; empty: they do.
    """
    for last, outcome in ((used, State.USED), (read, State.READ), (mentioned, State.MENTIONED)):
        if last is not None and last >= window.first:
            return outcome
    return State.UNPROVEN if why else State.UNUSED


def readers(
    dialects: Iterable[str],
    seen_by: Iterable[str],
    engines: Collection[str],
    at_home: Collection[str] = (),
) -> frozenset[str]:
    """The engines that may read a view: those of its texts, and those that are said to see it.

    Args:
        dialects: Of its texts.
        seen_by: The engines that the configuration says to see its source.
        engines: Those of the estate.
        at_home: Those of which each session sees its source without naming a catalog. They read
            each other's views, as Spark does Hive's.
    """
    of_texts = {dialect.casefold() for dialect in dialects}
    candidates = of_texts | set(seen_by)
    if of_texts.intersection(at_home):
        candidates |= set(at_home)
    return frozenset(candidates & set(engines) if engines else candidates) or frozenset(candidates)
