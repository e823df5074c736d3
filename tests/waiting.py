"""How tests wait for what another thread or process does."""

import time
from collections.abc import Callable


def until(reached: Callable[[], bool]) -> None:
    """Wait for a condition, two minutes at most."""
    end = time.monotonic() + 120
    while not reached():
        assert time.monotonic() < end, "it never came to that"
        time.sleep(0.01)
