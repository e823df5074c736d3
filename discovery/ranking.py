"""Counts by size, in an order that is the same each time, whichever row of Spark's came first."""

from collections.abc import Mapping


def ranked(counts: Mapping[str, int], most: int | None = None) -> list[tuple[str, int]]:
    """What is counted with its number, the largest first, of equal ones by name.

    Args:
        counts: What is counted, to how many.
        most: How many at most; None: all.
    """
    return sorted(counts.items(), key=lambda counted: (-counted[1], counted[0]))[:most]
