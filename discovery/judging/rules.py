"""A table of rules: the first that holds decides, and a test can walk all of them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

Given = TypeVar("Given")
Word = TypeVar("Word")


@dataclass(frozen=True, slots=True)
class Ruling(Generic[Given, Word]):
    """What follows from facts.

    Attributes:
        name: What it is called in tests.
        word: What follows.
        holds: Whether it follows from the facts.
        why: The reason that is shown, or where it is among the facts.
    """

    name: str
    word: Word
    holds: Callable[[Given], bool]
    why: str | Callable[[Given], str | None] | None = None

    def reason(self, given: Given) -> str | None:
        """The reason that is shown with facts for which it holds."""
        return self.why(given) if callable(self.why) else self.why


def first_that_holds(rules: Sequence[Ruling[Given, Word]], given: Given) -> Ruling[Given, Word]:
    """The rule that decides; the last of a table holds always."""
    return next(rule for rule in rules if rule.holds(given))
