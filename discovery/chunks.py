"""Items in bounded groups."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

Item = TypeVar("Item")


def chunks(items: Iterable[Item], size: int) -> Iterator[tuple[Item, ...]]:
    """Items in tuples of at most `size` (what `itertools.batched` does since Python 3.12)."""
    left = iter(items)
    while chunk := tuple(islice(left, size)):
        yield chunk
