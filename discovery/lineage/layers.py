"""Where things stand in a picture of who reads whom: bases to the left, readers to the right."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Final, TypeVar

from discovery.lineage.order import components, readers

Node = TypeVar("Node", bound=str | int)
_SWEEPS: Final = 4
"""How often the order within layers is mended; later ones hardly move anything."""


def layers(reads: Mapping[Node, AbstractSet[Node]]) -> tuple[tuple[Node, ...], ...]:
    """Cut a graph into layers: each thing stands right of what it reads, those of a ring together.

    Within a layer, things stand near the middle of what they are linked with, so that few links
    cross (the barycenter method of Sugiyama, Tagawa and Toda, 1981). The answer depends on the
    graph only, not on the order in which it is told.

    Args:
        reads: Each thing with what it reads; what is read and not a key itself is left out.
    """
    fixed = {node: reads[node] & reads.keys() for node in sorted(reads)}
    depth: dict[Node, int] = {}
    for component in components(fixed):
        below = {base for node in component for base in fixed[node]}.difference(component)
        depth.update(dict.fromkeys(component, max((depth[base] for base in below), default=-1) + 1))
    ranks: list[list[Node]] = [[] for _ in range(max(depth.values(), default=-1) + 1)]
    for node in fixed:
        ranks[depth[node]].append(node)
    above = readers(fixed)
    for sweep in range(_SWEEPS):
        forward = sweep % 2 == 0
        links = fixed if forward else above
        for layer in ranks if forward else reversed(ranks):
            _order_layer(layer, links, _heights(ranks))
    return tuple(map(tuple, ranks))


def _heights(ranks: Sequence[Sequence[Node]]) -> dict[Node, float]:
    """How far down each thing stands, from the middle of its layer."""
    return {
        node: place - (len(layer) - 1) / 2 for layer in ranks for place, node in enumerate(layer)
    }


def _order_layer(
    layer: list[Node],
    links: Mapping[Node, AbstractSet[Node] | Sequence[Node]],
    heights: Mapping[Node, float],
) -> None:
    """Order a layer by the mean height of what its things are linked with."""

    def mean(node: Node) -> float:
        linked = [heights[other] for other in links.get(node, ())]
        return sum(linked) / len(linked) if linked else heights[node]

    layer.sort(key=mean)
