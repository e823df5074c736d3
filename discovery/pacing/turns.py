"""Turns: whatever asks, and from how many threads, there are no more in a second than a rate."""

import threading
import time
from collections.abc import Callable


class Turns:
    """Turns at a rate.

    Args:
        rate: Turns a second at most; None: any.
        clock: Seconds, that only grow.
        sleep: Waits for some seconds.
    """

    def __init__(
        self,
        rate: float | None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._between = 1 / rate if rate else 0.0
        self._clock, self._sleep = clock, sleep
        self._next = clock()
        self._taking = threading.Lock()

    def wait(self) -> None:
        """Wait for the next turn, and take it."""
        with self._taking:
            now = self._clock()
            at = max(now, self._next)
            self._next = at + self._between
        if at > now:
            self._sleep(at - now)
