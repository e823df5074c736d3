"""What a crawl will ask, and how long that will take: by what an earlier run, or a sample, took."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Extent:
    """What is to be fetched of a source.

    Attributes:
        listed: Objects that were listed.
        fetched: Objects and namespaces that are asked for: the others are only counted.
        tasks: In how many batches.
        connections: Over how many connections.
        rate: Objects a second at most; None: any.
    """

    listed: int
    fetched: int
    tasks: int
    connections: int
    rate: float | None = None

    @property
    def least(self) -> float:
        """Seconds that it takes at its rate."""
        return self.fetched / self.rate if self.rate else 0.0

    def to_json(self) -> dict[str, int | float | None]:
        """As data, for programs."""
        return {
            "listed": self.listed,
            "fetched": self.fetched,
            "tasks": self.tasks,
            "connections": self.connections,
            "rate": self.rate,
        }


@dataclass(frozen=True, slots=True)
class Experience:
    """How long it took to fetch.

    Attributes:
        what: What was fetched and in which time, for people.
        per_object: Seconds for each object of a source, over all of its connections.
    """

    what: str
    per_object: Mapping[str, float]

    @classmethod
    def of_run(cls, run_id: str, fetched: Mapping[str, int], seconds: float) -> "Experience":
        """That of a crawl, whose sources were fetched side by side.

        Args:
            run_id: Its name.
            fetched: Number of objects by source.
            seconds: From the first fetch to the last.
        """
        number = sum(fetched.values())
        each = {name: seconds / number for name, objects in fetched.items() if objects}
        return cls(f"run {run_id} fetched {number:,} in {duration_text(seconds)}", each)


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a crawl will take.

    Attributes:
        seconds: From the first fetch to the last; None: nothing says it.
        rests_on: What says it, or why nothing does.
    """

    seconds: float | None
    rests_on: str


def estimate(extents: Mapping[str, Extent], experiences: Sequence[Experience]) -> Estimate:
    """How long a crawl will take, by the latest experience with the same sources.

    Args:
        extents: By source.
        experiences: Of earlier crawls, the latest last.
    """
    wanted = {name: extent.fetched for name, extent in extents.items() if extent.fetched}
    least = max((extent.least for extent in extents.values()), default=0.0)
    if not wanted:
        return Estimate(0.0, "nothing is to be fetched")
    for experience in reversed(experiences):
        if wanted.keys() <= experience.per_object.keys():
            seconds = sum(number * experience.per_object[name] for name, number in wanted.items())
            return Estimate(max(least, seconds), experience.what)
    why = "no crawl of all of these sources is there to go by"
    if least:
        return Estimate(None, f"{why}; at their rates not less than {duration_text(least)}")
    return Estimate(None, why)


def sentences(
    extents: Mapping[str, Extent], total: Estimate, *, asked: bool = True
) -> Iterator[str]:
    """What is told of an estimate, source by source, and in the end of all.

    Args:
        extents: By source.
        total: The estimate.
        asked: Whether somebody asked for it: then it is also told that nothing is known.
    """
    for name, extent in sorted(extents.items()):
        bound = f", at most {extent.rate:g} a second" if extent.rate else ""
        yield (
            f"{name}: {extent.listed:,} listed; {extent.fetched:,} to fetch, namespaces included, "
            f"in {_counted(extent.tasks, 'batch', 'batches')} over "
            f"{_counted(extent.connections, 'connection', 'connections')}{bound}"
        )
    if total.seconds is None and (asked or any(extent.rate for extent in extents.values())):
        yield f"how long that takes is not known: {total.rests_on}"
    elif total.seconds:
        yield f"that takes about {duration_text(total.seconds)}: {total.rests_on}"
    elif total.seconds is not None:
        yield total.rests_on


def _counted(number: int, singular: str, plural: str) -> str:
    return f"{number:,} {singular if number == 1 else plural}"


def duration_text(seconds: float) -> str:
    """A time for people: 8 s, 3 min, 2 h 5 min."""
    if seconds < 99.5:
        return f"{max(1, round(seconds))} s"
    minutes = round(seconds / 60)
    hours, rest = divmod(minutes, 60)
    if not hours:
        return f"{minutes} min"
    return f"{hours} h {rest} min" if rest else f"{hours} h"
