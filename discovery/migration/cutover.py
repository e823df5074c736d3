"""Whether sources can be switched off: what of their views targets do not hold yet, day by day."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final

from discovery.ports import ASIDE, WRITING, Action

_VERBS: Final[Mapping[str, str]] = {
    Action.CREATE: "to be created",
    Action.REPLACE: "to be replaced",
    Action.ADD_DIALECT: "to get a dialect",
    Action.DROP: "to be dropped",
    Action.CONFLICT: "in conflict",
    Action.BLOCKED: "blocked",
}


@dataclass(frozen=True, slots=True)
class TargetState:
    """What a plan says of a target, made for nothing but to see.

    Attributes:
        counts: Number of views by action; those that are accepted as set aside are left out.
        namespaces: How many namespaces are missing there, or are to be changed.
    """

    counts: Mapping[str, int]
    namespaces: int = 0

    @property
    def there(self) -> int:
        """How many views are as they are to be."""
        return self.counts.get(Action.KEEP, 0)

    @property
    def left(self) -> int:
        """How many are not."""
        return sum(self.counts.get(action, 0) for action in (*WRITING, *ASIDE))

    @property
    def is_ready(self) -> bool:
        """Whether it has all that its sources have, as they have it."""
        return not self.left and not self.namespaces

    def __str__(self) -> str:
        parts = [
            f"{number:,} {_VERBS[action]}"
            for action in (*WRITING, *ASIDE)
            if (number := self.counts.get(action, 0))
        ]
        if self.namespaces:
            parts.append(f"{self.namespaces:,} namespaces missing or with other words")
        return f"{self.there:,} views as they are to be; {', '.join(parts) or 'nothing is left'}"


@dataclass(frozen=True, slots=True)
class Remainder:
    """What was left at a target at the end of a day.

    Attributes:
        day: In UTC.
        target: Its name.
        there: Views that were as they were to be.
        left: Views that were not.
    """

    day: date
    target: str
    there: int
    left: int


def burn_down(
    plans: Iterable[tuple[datetime, Mapping[str, Mapping[str, int]]]],
) -> list[Remainder]:
    """What was left day by day: by the last plan of a day, which says what it found.

    Args:
        plans: When each was made, and its counts by target and action.
    """
    last: dict[tuple[date, str], TargetState] = {}
    for created, targets in sorted(plans, key=lambda one: one[0]):
        for name, counts in targets.items():
            last[created.date(), name] = TargetState(counts)
    return [
        Remainder(day, target, state.there, state.left) for (day, target), state in last.items()
    ]
