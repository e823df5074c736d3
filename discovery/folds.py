"""How sources compare names, by name: so that a recording can say how its own did."""

from collections.abc import Callable, Mapping
from typing import Final

Fold = Callable[[str], str]


def _as_it_is(name: str) -> str:
    return name


NONE: Final = "none"
FOLDS: Final[Mapping[str, Fold]] = {NONE: _as_it_is, "lower": str.lower, "upper": str.upper}
"""Each is idempotent, and all of them differ on each of the probes."""
_PROBES: Final = ("aB", "Straße", "İI", "ΑΣ")


def name_of(fold: Fold) -> str:
    """The name of a fold, found by what it does to names.

    Raises:
        ValueError: It is none of those that have a name.
    """
    for name, candidate in FOLDS.items():
        if all(fold(probe) == candidate(probe) for probe in _PROBES):
            return name
    raise ValueError("a fold without a name: give it one in discovery.folds")
