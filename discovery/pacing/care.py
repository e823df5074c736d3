"""The pace of a connection: a rate, and less of it where the source begins to answer slowly."""

from collections import deque
from dataclasses import dataclass
from statistics import median
from typing import Final, Protocol, runtime_checkable

SLOW_DOWN: Final = 3.0
"""How many times its idle latency a source may take, unless the configuration says otherwise."""

_NOISE: Final = 0.01  # seconds: what is slower by less is not slower
_SEEN: Final = 5  # latencies, of which the median counts: one slow answer is no slow server
_STEP: Final = 0.2
_MOST: Final = 0.8  # at rest: a crawl becomes five times as long, and still ends
_LEAST: Final = 0.05
_LONGEST: Final = 60.0  # seconds at rest for a server's sake; a rate may ask for more


@dataclass(frozen=True, slots=True)
class Care:
    """How a source is spared.

    Attributes:
        rate: Objects that are fetched in a second at most, over all connections; None: any.
        slow_down: How many times its idle latency a source may take to answer before less is
            asked of it; 0: any.
    """

    rate: float | None = None
    slow_down: float = SLOW_DOWN


@runtime_checkable
class PulsingSource(Protocol):
    """A source that can be asked how it is."""

    def pulse(self) -> None:
        """Ask for something small that costs the whole of the system a look. Does I/O."""


class Pace:
    """The pace of one connection, which learns how a source answers when it has nothing to do.

    The share of the time that it rests grows by steps as long as answers are slow, and halves with
    each that is not: asking less is tried at once, asking more with care.

    Args:
        care: How the source is spared.
        connections: How many there may be, which share the rate evenly.
    """

    def __init__(self, care: Care, connections: int) -> None:
        self._care, self._connections = care, connections
        self._idle: float | None = None
        self._latencies: deque[float] = deque(maxlen=_SEEN)
        self._share = 0.0

    def learn(self, latency: float) -> None:
        """Take note of how long the source took for a small answer, in seconds."""
        self._idle = latency if self._idle is None else min(self._idle, latency)
        self._latencies.append(latency)

    @property
    def is_slow(self) -> bool:
        """Whether the source takes longer for its answers than it would at rest."""
        if self._idle is None or not self._care.slow_down:
            return False
        usual = median(self._latencies)
        return usual > self._idle * self._care.slow_down and usual > self._idle + _NOISE

    def rest(self, fetched: int, seconds: float) -> float:
        """Seconds to rest after a task.

        Args:
            fetched: How many objects it has fetched.
            seconds: How long it took.
        """
        if self.is_slow:
            self._share = min(_MOST, self._share + _STEP)
        else:
            self._share = self._share / 2 if self._share > _LEAST else 0.0
        spared = min(_LONGEST, seconds * self._share / (1 - self._share))
        rate = self._care.rate
        owed = fetched * self._connections / rate - seconds if rate else 0.0
        return max(spared, owed, 0.0)
