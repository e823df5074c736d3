"""What keeps views from being read or moved: whatever stands on what is faulty, and how much it is.

All of it from names alone, so it fits on a driver.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Final, Generic, NamedTuple

from discovery.lineage.order import Aside, Node, Why, above, readers

UNREAD: Final = "UNREAD"
"""Why a base blocks that is there and is no view that was read."""


REJECTED: Final = "rejected"
UNPROVEN: Final = "unproven"
HEARD: Final = "heard"
"""What an engine says of a view by itself, as `ByItself` has it."""


@dataclass(frozen=True, slots=True)
class Weight(Generic[Node]):
    """Something faulty, and what it holds back.

    Attributes:
        root: What is faulty.
        why: Why: a code.
        direct: How many views read it.
        views: How many stand on it, over others, too.
    """

    root: Node
    why: str
    direct: int
    views: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ByItself(Generic[Node]):
    """What an engine says of nodes, of each without a look at what is below it.

    Attributes:
        rejected: What it rejects.
        unproven: What it is not known to read, as far as its analyzer can tell: what was parsed
            only, or not judged, or is out of its reach.
        heard: What it reads, as it said itself when it was asked: nothing below counts there.
        taken: Where it takes texts of views below into the one above, such pairs: what it says of
            the view below is not what it says of its text there.
    """

    rejected: AbstractSet[Node] = frozenset()
    unproven: AbstractSet[Node] = frozenset()
    heard: AbstractSet[Node] = frozenset()
    taken: AbstractSet[tuple[Node, Node]] = frozenset()


class OnBases(NamedTuple, Generic[Node]):
    """What a node is for an engine for what is below it: not to be read, or no surer than that.

    Attributes:
        node: The node.
        engine: The engine.
        blocked: Why the engine cannot read it: what it reads, or why it is set aside; None: it can.
        unproven: What it reads and the engine is not proved to read; None: there is no such.
    """

    node: Node
    engine: str
    blocked: Why | Node | None = None
    unproven: Node | None = None


def on_bases(
    reads: Mapping[Node, AbstractSet[Node]],
    aside: Mapping[Node, Aside[Node]],
    engines: Mapping[str, ByItself[Node]],
) -> Iterator[OnBases[Node]]:
    """Each node that an engine reads not at all, or not as surely, for what is below it.

    What is below may be so over any number of others.

    Args:
        reads: Each node with what it reads.
        aside: What the order sets aside: no engine reads it.
        engines: What each engine says of nodes by themselves.
    """
    all_readers = readers(reads)
    for engine, by_itself in engines.items():
        higher = _heeding_readers(all_readers, by_itself)
        blocked: dict[Node, Why | Node] = {node: entry.why for node, entry in aside.items()}
        for node, base in above(higher, by_itself.rejected):
            blocked.setdefault(node, base)
        for node, why in blocked.items():
            yield OnBases(node, engine, blocked=why)
        for node, base in above(higher, by_itself.unproven):
            if node not in blocked and node not in by_itself.rejected:
                yield OnBases(node, engine, unproven=base)


def _heeding_readers(
    higher: Mapping[Node, Sequence[Node]], by_itself: ByItself[Node]
) -> Mapping[Node, Sequence[Node]]:
    """What reads each node, less the views for which it does not matter what is said of that."""
    if not by_itself.taken and not by_itself.heard:
        return higher
    return {
        base: [
            view
            for view in views
            if view not in by_itself.heard and (view, base) not in by_itself.taken
        ]
        for base, views in higher.items()
    }


def weighed(
    aside: Mapping[Node, Aside[Node]], *, among: int, first: int
) -> tuple[Weight[Node], ...]:
    """The roots of what is set aside: missing bases, unread or faulty views, rings; heaviest first.

    Args:
        aside: What is set aside.
        among: Of how many roots, those with most direct readers, the whole weight is looked for.
        first: How many are wanted.
    """
    higher = readers(
        {node: [base for base in entry.because if base != node] for node, entry in aside.items()}
    )
    faults = _faults(aside, higher)
    direct = Counter({root: len(higher.get(root, ())) for root in faults})
    most = sorted(faults, key=lambda fault: (-direct[fault], str(fault)))[:among]
    roots = [
        Weight(root, faults[root], direct[root], sum(1 for _ in above(higher, [root])))
        for root in most
    ]
    return tuple(
        sorted(roots, key=lambda weight: (-weight.views, -weight.direct, str(weight.root)))[:first]
    )


def _faults(
    aside: Mapping[Node, Aside[Node]], higher: Mapping[Node, Sequence[Node]]
) -> dict[Node, str]:
    """What is faulty itself, with the code of it; what stands on that is not."""
    faults: dict[Node, str] = {}
    for node, entry in aside.items():
        if entry.why is Why.MISSING_BASE:
            faults.update(dict.fromkeys(entry.because, entry.why.value))
        elif entry.why is not Why.BROKEN_BASE:
            faults[node] = entry.why.value
    for base in higher.keys() - aside.keys() - faults.keys():
        faults[base] = UNREAD
    return faults
