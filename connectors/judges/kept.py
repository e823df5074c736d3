"""Processes of judges that a worker keeps for its next task: the start of one takes seconds.

Spark gives a worker one task after the other, and ends it when it has had none for a minute. What
it keeps ends with it: a process of ours ends with its input.
"""

import logging
import os
from collections.abc import Callable, Hashable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Final, Protocol, TypeVar, cast, runtime_checkable

from discovery.ports import Resource

log = logging.getLogger(__name__)

MOST: Final = "BELVEDERE_JUDGES_KEPT"
"""The variable with the number of processes that a worker has before it ends those left idle."""

_MOST: Final = 5  # as many as a task of `assess` has: three to five, of up to 400 MB each


@runtime_checkable
class Keepable(Protocol):
    """What can be kept: others end with the task."""

    @property
    def is_running(self) -> bool:
        """Whether there is a process that answers."""


_R = TypeVar("_R", bound=Resource)


class Keeper:
    """What is lent, and what is kept of it.

    Args:
        most: How many there are at a time; if more are lent, none is kept.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._lent = 0
        self._idle: dict[Hashable, Resource] = {}  # what was used last comes last

    @contextmanager
    def lend(self, key: Hashable, make: Callable[[], _R]) -> Iterator[_R]:
        """What was kept, or a new one; it is kept thereafter, if nothing went wrong meanwhile.

        Args:
            key: All that it is made of: no two kinds have the same.
            make: Makes one.
        """
        lent = cast(_R, self._idle.pop(key)) if key in self._idle else make()
        self._lent += 1
        self._make_room()
        is_sound = False
        try:
            yield lent
            is_sound = _is_running(lent)
        finally:
            self._lent -= 1
            if is_sound and key not in self._idle:
                self._idle[key] = lent
                self._make_room()
            else:  # it has ended, or was left in the middle of an answer
                lent.close()

    def _make_room(self) -> None:
        while self._idle and self._lent + len(self._idle) > self._most:
            self._idle.pop(next(iter(self._idle))).close()


def _is_running(lent: object) -> bool:
    return isinstance(lent, Keepable) and lent.is_running


def stated(text: str) -> int:
    """The number that `BELVEDERE_JUDGES_KEPT` says; five, with a warning, where it says none."""
    if text.isdecimal():
        return int(text)
    if text:
        log.warning("%s=%s: no number from 0 on; it is %d", MOST, text, _MOST)
    return _MOST


_OF_WORKER: Final = Keeper(stated(os.environ.get(MOST, "")))


def lend(key: Hashable, make: Callable[[], _R]) -> AbstractContextManager[_R]:
    """See `Keeper.lend`, of this process. A function: Spark carries its name to a worker."""
    return _OF_WORKER.lend(key, make)
