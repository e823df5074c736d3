"""How tests wait for what another thread or process does, and how they do not wait."""

import time
from collections.abc import Callable
from types import ModuleType, SimpleNamespace

import pytest


def until(reached: Callable[[], bool]) -> None:
    """Wait for a condition, two minutes at most."""
    end = time.monotonic() + 120
    while not reached():
        assert time.monotonic() < end, "it never came to that"
        time.sleep(0.01)


def waits_of(module: ModuleType, monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The seconds that a module waits from now on, each as long as nothing.

    Threads that tests before have left wait as ever: they have the clock of all.
    """
    waits: list[float] = []
    clock = SimpleNamespace(sleep=waits.append, monotonic=time.monotonic)
    monkeypatch.setattr(module, "time", clock)
    return waits
