"""The plan of a crawl: the listing, cut as it streams by, for a bounded number of connections."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TypeVar

from discovery.outcomes import Failure, Listed

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Planned:
    """A listed object, or what could not be listed, with its place in the plan.

    Attributes:
        answer: From the listing.
        task: Number of its task; the objects of a task are fetched together.
        slot: Number of the connection that will fetch it.
    """

    answer: Listed | Failure
    task: int
    slot: int


def plan(listing: Iterable[Listed | Failure], *, batch: int, connections: int) -> Iterator[Planned]:
    """Cut a listing into tasks of at most `batch` fetched objects, dealt round to the connections.

    A task ends with a namespace where it can, so that few namespaces are asked for twice. Objects
    that are only counted cost no fetch and do not fill a batch.
    """
    task, fetched, within = 0, 0, None
    for answer in listing:
        listed = answer if isinstance(answer, Listed) else answer.listed
        if fetched >= batch or (fetched * 2 >= batch and listed.namespace != within):
            task, fetched = task + 1, 0
        within = listed.namespace
        fetched += isinstance(answer, Listed) and listed.is_read
        yield Planned(answer, task, task % connections)


def chunks(items: Iterable[Item], size: int) -> Iterator[tuple[Item, ...]]:
    """Items in tuples of at most `size` (what `itertools.batched` does since Python 3.12)."""
    left = iter(items)
    while chunk := tuple(islice(left, size)):
        yield chunk
