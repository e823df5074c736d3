"""The order in which views can move: waves; what cannot be ordered is set aside and named.

And the walk upwards: whatever stands on some of them.
"""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Generic, TypeVar

from discovery.errors import Coded

Node = TypeVar("Node", bound=Hashable)


class Why(Coded):
    """Why a view is set aside. A view gets the first that holds, in this order."""

    SELF_REFERENCE = "SELF_REFERENCE", "The view reads itself; no engine can create it again."
    RING = "RING", "The view stands in a ring: each view of it reads, over others, itself."
    UNRESOLVED = "UNRESOLVED", "Nobody can read its SQL: what it needs is unknown, not nothing."
    MISSING_BASE = "MISSING_BASE", "Something that the view reads is not in its source any more."
    BROKEN_BASE = "BROKEN_BASE", "The view reads one that is set aside itself or cannot be read."


@dataclass(frozen=True, slots=True)
class Aside(Generic[Node]):
    """Why a view has no wave.

    Attributes:
        why: The reason.
        because: What it is about: the ring it stands in, the bases that are missing, the views
            below that are set aside themselves; nothing for a view whose SQL nobody can read.
    """

    why: Why
    because: tuple[Node, ...] = ()


@dataclass(frozen=True, slots=True)
class Order(Generic[Node]):
    """What can be created side by side, wave by wave, and what is set aside."""

    waves: tuple[tuple[Node, ...], ...]
    aside: Mapping[Node, Aside[Node]]

    def places(self) -> Iterator[tuple[Node, int | Aside[Node]]]:
        """Each node with the number of its wave, from 1, or why it has none."""
        for number, wave in enumerate(self.waves, 1):
            for node in wave:
                yield node, number
        yield from self.aside.items()


def order(
    reads: Mapping[Node, AbstractSet[Node]],
    *,
    missing: AbstractSet[Node] = frozenset(),
    unresolved: AbstractSet[Node] = frozenset(),
) -> Order[Node]:
    """Cut the views into waves: what a view reads is in an earlier one.

    Linear in the number of views and references, whatever the depth. Not graphlib's: it visits
    wave by wave, so 200,000 views cost twice as much each as 10,000 (the processor's caches); this
    walks chain by chain.

    Args:
        reads: Each view with what it reads. What is no view itself, such as a table, is there
            before the first wave.
        missing: What is read and known not to be there.
        unresolved: Views of which nobody can tell what they read; they are not independent.
    """
    aside: dict[Node, Aside[Node]] = {}
    number: dict[Node, int] = {}  # of its wave
    waves: list[list[Node]] = []
    for component in components(reads):
        view, *others = component
        if others:
            ring = Aside(Why.RING, tuple(sorted(component, key=str)))
            aside.update(dict.fromkeys(component, ring))
            continue
        bases = reads[view]
        fault = _fault(view, bases, missing, view in unresolved)
        broken = () if aside.keys().isdisjoint(bases) else bases & aside.keys()
        if fault is not None:
            aside[view] = fault
        elif broken:
            aside[view] = Aside(Why.BROKEN_BASE, tuple(sorted(broken, key=str)))
        else:
            wave = number[view] = max((number.get(base, -1) for base in bases), default=-1) + 1
            if wave == len(waves):
                waves.append([])
            waves[wave].append(view)
    return Order(tuple(map(tuple, waves)), aside)


def readers(reads: Mapping[Node, Iterable[Node]]) -> dict[Node, list[Node]]:
    """Each node with what reads it, in a fixed order."""
    read_by: dict[Node, list[Node]] = {}
    for view in sorted(reads, key=str):
        for base in reads[view]:
            read_by.setdefault(base, []).append(view)
    return read_by


def above(
    readers: Mapping[Node, Sequence[Node]], start: Iterable[Node]
) -> Iterator[tuple[Node, Node]]:
    """Whatever stands on some nodes, over any number of others, each once, and on which it stands.

    The nearest come first. Linear, whatever the depth, and rings end it of themselves.

    Args:
        readers: Each node with what reads it.
        start: The nodes; they are not among the answer, though one stands on another.
    """
    left = sorted(set(start), key=str)
    seen = set(left)
    for base in left:  # grows while it is walked
        for view in readers.get(base, ()):
            if view not in seen:
                seen.add(view)
                left.append(view)
                yield view, base


def below(reads: Mapping[Node, AbstractSet[Node]], *, most: int) -> Iterator[tuple[Node, Node]]:
    """Each node with every one that it reads, over any number of others.

    One that reads itself so, or reads one that does, is with itself alone: there is no end to it.

    Args:
        reads: Each node with what it reads.
        most: One that stands on more is told as if there were no end to them.
    """
    reach: dict[Node, frozenset[Node]] = {}
    for component in components(reads):
        for node in component:
            bases = reads[node]
            rests = len(component) == 1 and node not in bases
            ends = rests and not any(base in reach.get(base, ()) for base in bases)
            under = frozenset(bases).union(*(reach.get(base, ()) for base in bases))
            reach[node] = under if ends and len(under) <= most else frozenset({node})
    for node in sorted(reach, key=str):
        for base in sorted(reach[node], key=str):
            yield node, base


def _fault(
    view: Node, bases: AbstractSet[Node], missing: AbstractSet[Node], unresolved: bool
) -> Aside[Node] | None:
    """What is wrong with the view itself."""
    if view in bases:
        return Aside(Why.SELF_REFERENCE, (view,))
    if unresolved:
        return Aside(Why.UNRESOLVED)
    if not missing.isdisjoint(bases):
        return Aside(Why.MISSING_BASE, tuple(sorted(bases & missing, key=str)))
    return None


def components(reads: Mapping[Node, AbstractSet[Node]]) -> Iterator[list[Node]]:
    """The strongly connected components, bases first (Tarjan's algorithm without recursion)."""
    closed: set[Node] = set()
    for root in reads:
        if root in closed:
            continue
        low, stack = {root: 0}, [root]
        path = [(root, 0, iter(reads[root]))]
        while path:
            view, position, bases = path[-1]
            base = next(
                (node for node in bases if node in low or _is_new(node, reads, closed)), None
            )
            if base is None:
                path.pop()
                if path:
                    low[path[-1][0]] = min(low[path[-1][0]], low[view])
                if low[view] == position:
                    closed.update(stack[position:])
                    yield _pop_component(stack, position, low)
            elif base in low:
                low[view] = min(low[view], low[base])
            else:
                low[base] = len(stack)
                path.append((base, len(stack), iter(reads[base])))
                stack.append(base)


def _is_new(base: Node, reads: Mapping[Node, AbstractSet[Node]], closed: AbstractSet[Node]) -> bool:
    """Whether it is a view that the walk has not met."""
    return base in reads and base not in closed


def _pop_component(stack: list[Node], position: int, low: dict[Node, int]) -> list[Node]:
    """What stands on the stack from the position on, taken off it."""
    component = stack[position:]
    del stack[position:]
    for view in component:
        del low[view]
    return component
