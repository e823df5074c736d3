"""Options that are wrong together: all of them at once, each with its name."""

from collections.abc import Sequence
from typing import Any

from discovery.errors import ConfigurationError


class OptionMistakesError(ConfigurationError):
    """Some options do not go together.

    Args:
        mistakes: Name of each option, and what is wrong about it.
    """

    def __init__(self, mistakes: Sequence[tuple[str, str]]) -> None:
        super().__init__("; ".join(f"{name}: {why}" for name, why in mistakes))
        self.mistakes = tuple(mistakes)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.mistakes,)
