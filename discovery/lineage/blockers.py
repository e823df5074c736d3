"""What keeps views from being read or moved: whatever stands on what is faulty, and how much it is.

All of it from names alone, so it fits on a driver.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Final, Generic

from discovery.lineage.order import Aside, Node, Why, above, readers

UNREAD: Final = "UNREAD"
"""Why a base blocks that is there and is no view that was read."""


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


def blocked_by(
    reads: Mapping[Node, AbstractSet[Node]],
    aside: Mapping[Node, Aside[Node]],
    rejected: Mapping[str, AbstractSet[Node]],
    taken: Mapping[str, AbstractSet[tuple[Node, Node]]],
) -> Iterator[tuple[Node, str, Why | Node]]:
    """Each node that an engine cannot read for what is below it: node, engine, and the cause.

    Args:
        reads: Each node with what it reads.
        aside: What the order sets aside: no engine reads it.
        rejected: What each engine rejects.
        taken: Of engines that take texts of views below into the one above, such pairs: what they
            say of the view below is not what they say of its text there.
    """
    whole = readers(reads)
    for engine, nodes in rejected.items():
        within = taken.get(engine)
        higher = whole if not within else _without(whole, within)
        for node, one in aside.items():
            yield node, engine, one.why
        for node, base in above(higher, nodes):
            if node not in aside:
                yield node, engine, base


def _without(
    higher: Mapping[Node, Sequence[Node]], pairs: AbstractSet[tuple[Node, Node]]
) -> dict[Node, list[Node]]:
    """What reads each node, but for these pairs of a view and what it reads."""
    return {
        base: [view for view in views if (view, base) not in pairs]
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
        {node: [base for base in one.because if base != node] for node, one in aside.items()}
    )
    faults = _faults(aside, higher)
    direct = Counter({root: len(higher.get(root, ())) for root in faults})
    most = sorted(faults, key=lambda one: (-direct[one], str(one)))[:among]
    found = [
        Weight(root, faults[root], direct[root], sum(1 for _ in above(higher, [root])))
        for root in most
    ]
    return tuple(sorted(found, key=lambda one: (-one.views, -one.direct, str(one.root)))[:first])


def _faults(
    aside: Mapping[Node, Aside[Node]], higher: Mapping[Node, Sequence[Node]]
) -> dict[Node, str]:
    """What is faulty itself, with the code of it; what stands on that is not."""
    faults: dict[Node, str] = {}
    for node, one in aside.items():
        if one.why is Why.MISSING_BASE:
            faults.update(dict.fromkeys(one.because, one.why.value))
        elif one.why is not Why.BROKEN_BASE:
            faults[node] = one.why.value
    for base in higher.keys() - aside.keys() - faults.keys():
        faults[base] = UNREAD
    return faults
