"""The page's pictures of a whole run: who must act, who reads what where, who stands on whom.

Each part of the views is tallied where it is rendered, and the driver adds the tallies up: what it
holds is two numbers for each view and each reference, and counts.
"""

from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Final

import orjson

from discovery.judging.duties import ACTING, Duty, duty
from discovery.judging.matrix import READS, Reading
from discovery.judging.standing import Standing
from discovery.lineage.layers import layers
from reports.codes import pages
from reports.lines import Row, codes_of

SPACES: Final = 1_000
"""Namespaces that the heat map has; more are only counted."""
OWNERS: Final = 1_000
"""Owners that are named; more are only counted."""
PICTURED: Final = 120
"""Namespaces in the picture of the lineage: what a browser moves without a stutter."""
LINKED: Final = 1_500
"""Links in that picture."""
_STEPS: Final = (0.5, 0.9, 1.0)

Space = tuple[str, str]
"""Source and namespace, the latter as it is shown."""


@dataclass(frozen=True, slots=True)
class HeatCell:
    """A namespace and an engine.

    Attributes:
        reads: Number of its views that the engine reads.
        judged: Number of its views that the engine has a verdict on.
        level: Colour: 0 reads none, 1 less than half, 2 less than nine of ten, 3 not all, 4 all;
            null: no verdict.
    """

    reads: int
    judged: int
    level: int | None


@dataclass(frozen=True, slots=True)
class HeatRow:
    """A namespace.

    Attributes:
        source: Its source.
        name: Its name, for display.
        views: Number of its views, and of its objects that could not be read.
        cells: One for each engine, in their order.
    """

    source: str
    name: str
    views: int
    cells: tuple[HeatCell, ...]


@dataclass(frozen=True, slots=True)
class OwnerDuties:
    """An owner.

    Attributes:
        owner: The name; empty: nobody is known.
        views: Number of the views.
        acts: How many of them wait for the owner alone.
        duties: Number by `Duty`, in its order.
    """

    owner: str
    views: int
    acts: int
    duties: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PictureLink:
    """Views of a namespace that read views of another.

    Attributes:
        reader: Index of the namespace that reads.
        base: Index of the one that is read.
        number: How many references that are.
    """

    reader: int
    base: int
    number: int


@dataclass(frozen=True, slots=True)
class Picture:
    """The lineage of views, collapsed to their namespaces.

    Attributes:
        spaces: Source, name and number of views of each namespace that is drawn.
        layers: Their indexes by column, from left to right, each from top to bottom.
        links: Who reads whom.
        thin: How many links are not drawn, as others have more references.
        apart: How many namespaces neither read others nor are read.
        left_out: How many linked namespaces are not drawn, as others have more links.
    """

    spaces: tuple[tuple[str, str, int], ...]
    layers: tuple[tuple[int, ...], ...]
    links: tuple[PictureLink, ...]
    thin: int
    apart: int
    left_out: int


@dataclass(frozen=True, slots=True)
class Overview:
    """The whole run, as the page pictures it.

    Attributes:
        engines: Names of the engines, in the order of the cells.
        heat: The namespaces, those with most views first.
        spaces: Number of all namespaces.
        duties: The owners, those first who have most to do.
        owners: Number of all owners.
        waves: Number of views by wave, and in it by standing, both in order.
        picture: The lineage.
        advice: What to do, by code.
    """

    engines: tuple[str, ...]
    heat: tuple[HeatRow, ...]
    spaces: int
    duties: tuple[OwnerDuties, ...]
    owners: int
    waves: tuple[tuple[int, ...], ...]
    picture: Picture
    advice: Mapping[str, str]


def tally(rows: Sequence[Row]) -> str:
    """What a part of the views adds to the overview, as JSON; the rows are one after the other."""
    places: dict[Space, int] = {}
    judged: Counter[tuple[int, str, bool]] = Counter()
    duties: Counter[tuple[str, Duty]] = Counter()
    waves: Counter[tuple[int, Standing]] = Counter()
    codes: set[str] = set()
    at, reads = [], []
    for row in rows:
        place = places.setdefault((row["source"], ".".join(row["namespace"])), len(places))
        at.append(place)
        reads.append(row["reads"] or [])
        standing = Standing(row["standing"])
        duties[row["owner"] or "", duty(standing, row["reason"])] += 1
        if row["wave"] is not None:
            waves[row["wave"], standing] += 1
        codes.update(codes_of(row))
        for engine in row["engines"] or ():
            if engine["status"] != Reading.NOT_JUDGED:
                judged[place, engine["engine"], engine["status"] in READS] += 1
    return orjson.dumps(
        {
            "spaces": list(places),
            "at": at,
            "reads": reads,
            "judged": [(*key, number) for key, number in judged.items()],
            "duties": [(*key, number) for key, number in duties.items()],
            "waves": [(*key, number) for key, number in waves.items()],
            "codes": sorted(codes),
        }
    ).decode()


class Overviewed:
    """Adds tallies up; they come in the order of the rows."""

    def __init__(self, engines: Iterable[str]) -> None:
        self._engines = tuple(engines)
        self._numbers: defaultdict[Space, int] = defaultdict(count().__next__)
        self._at, self._readers, self._bases = array("i"), array("i"), array("i")
        self._judged: Counter[tuple[int, str, bool]] = Counter()
        self._duties: Counter[tuple[str, str]] = Counter()
        self._waves: Counter[tuple[int, str]] = Counter()
        self._codes: set[str] = set()

    def add(self, text: str) -> None:
        """Add the tally of a part."""
        counted = orjson.loads(text)
        numbers = [self._numbers[source, name] for source, name in counted["spaces"]]
        for reads, place in zip(counted["reads"], counted["at"], strict=True):
            row = len(self._at)
            self._at.append(numbers[place])
            self._readers.extend([row] * len(reads))
            self._bases.extend(reads)
        for place, engine, good, number in counted["judged"]:
            self._judged[numbers[place], engine, good] += number
        for owner, act, number in counted["duties"]:
            self._duties[owner, act] += number
        for wave, standing, number in counted["waves"]:
            self._waves[wave, standing] += number
        self._codes.update(counted["codes"])

    def overview(self) -> Overview:
        """All of it, once the last tally is in."""
        views = Counter(self._at)
        named = list(self._numbers)
        most = sorted(views, key=lambda view: (-views[view], named[view]))
        owned = _owners(self._duties)
        last = max((wave for wave, _ in self._waves), default=0)
        return Overview(
            engines=self._engines,
            heat=tuple(
                HeatRow(*named[space], views[space], self._cells(space, views[space]))
                for space in most[:SPACES]
            ),
            spaces=len(named),
            duties=owned[:OWNERS],
            owners=len(owned),
            waves=tuple(
                tuple(self._waves[wave, word] for word in Standing) for wave in range(1, last + 1)
            ),
            picture=pictured(named, views, self._links()),
            advice=advice(self._codes),
        )

    def _cells(self, place: int, views: int) -> tuple[HeatCell, ...]:
        heat_cells = []
        for engine in self._engines:
            reads, others = (self._judged[place, engine, good] for good in (True, False))
            heat_cells.append(HeatCell(reads, reads + others, level(reads, reads + others, views)))
        return tuple(heat_cells)

    def _links(self) -> Counter[tuple[int, int]]:
        """Number of references by the namespace that reads, and the one that is read."""
        links: Counter[tuple[int, int]] = Counter()
        for reader, base in zip(self._readers, self._bases, strict=True):
            links[self._at[reader], self._at[base]] += 1
        return links


def level(reads: int, judged: int, views: int) -> int | None:
    """The colour of a cell, as `HeatCell` has it.

    Args:
        reads: Number of views that the engine reads.
        judged: Number of views that it has a verdict on.
        views: Number of all: what could not be read, or was not judged, is not readable.
    """
    if not judged:
        return None
    if not reads:
        return 0
    return 1 + sum(reads / views >= step for step in _STEPS)


def _owners(duties: Counter[tuple[str, str]]) -> tuple[OwnerDuties, ...]:
    """The owners, those first who have most to mend, then most to look at, then most views."""
    owners = []
    for owner in {owner for owner, _ in duties}:
        numbers = tuple(duties[owner, act] for act in Duty)
        acts = sum(duties[owner, act] for act in ACTING)
        owners.append(OwnerDuties(owner, sum(numbers), acts, numbers))
    return tuple(
        sorted(
            owners,
            key=lambda owner_duties: (
                *(-number for number in owner_duties.duties),
                owner_duties.owner,
            ),
        )
    )


def pictured(
    named: Sequence[Space], views: Mapping[int, int], links: Mapping[tuple[int, int], int]
) -> Picture:
    """The picture of the namespaces that are linked with others.

    Args:
        named: The namespaces.
        views: Number of views by index of the namespace.
        links: Number of references by reader and base, which may be the same namespace.
    """
    weights: Counter[int] = Counter()
    for (reader, base), number in links.items():
        if reader != base:
            weights.update({reader: number, base: number})
    linked = sorted(weights, key=lambda weight: (-weights[weight], named[weight]))
    kept = sorted(linked[:PICTURED], key=lambda space: named[space])
    new = {space: number for number, space in enumerate(kept)}
    picture_links = [
        PictureLink(new[reader], new[base], number)
        for (reader, base), number in links.items()
        if reader != base and reader in new and base in new
    ]
    reads: dict[int, set[int]] = {number: set() for number in range(len(kept))}
    for picture_link in picture_links:
        reads[picture_link.reader].add(picture_link.base)
    most = sorted(picture_links, key=lambda link: (-link.number, link.reader, link.base))[:LINKED]
    return Picture(
        spaces=tuple((*named[space], views[space]) for space in kept),
        layers=layers(reads),
        links=tuple(sorted(most, key=lambda link: (link.reader, link.base))),
        thin=len(picture_links) - len(most),
        apart=len(named) - len(linked),
        left_out=len(linked) - len(kept),
    )


def advice(codes: Iterable[str]) -> dict[str, str]:
    """What to do about some codes: as their pages say."""
    documented = pages()
    relevant = {code: documented[code] for code in sorted(codes) if code in documented}
    return {code: page.advice or page.first for code, page in relevant.items()}
