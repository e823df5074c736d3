"""Whether sources can be switched off: what of their views targets do not hold yet, day by day."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Final

from discovery.display import quantity
from discovery.ports import ASIDE, WRITING, Action

Counts = Mapping[str, int]
"""Numbers by action."""
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
        functions: How many functions that its views call are missing there.
        rights: How many rights are not given there.
        tags: How many things have not the tags that they are to have.
        staying: Of how many views nothing is written there, as they stay where they are.
        unchangeable: How many namespaces differ in nothing but what the target cannot change: that
            is told and left, as nobody can do anything about it there.
    """

    counts: Counts
    namespaces: int = 0
    functions: int = 0
    rights: int = 0
    tags: int = 0
    staying: int = 0
    unchangeable: int = 0

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
        return not (self.left or any(self.beside.values()))

    @property
    def beside(self) -> Mapping[tuple[str, str], int]:
        """What beside views it does not hold, by what it is and how it is not held."""
        return {
            ("namespace", "missing or different"): self.namespaces,
            ("function", "missing"): self.functions,
            ("right", "not given"): self.rights,
            ("tag", "not given"): self.tags,
        }

    def after(self, written: Counts) -> "TargetState":
        """The same once some of the changes were written."""
        done = {action: min(many, self.counts.get(action, 0)) for action, many in written.items()}
        left = {action: many - done.get(action, 0) for action, many in self.counts.items()}
        arrived = sum(done.values()) - done.get(Action.DROP, 0)
        return replace(self, counts={**left, Action.KEEP: self.there + arrived})

    def __str__(self) -> str:
        parts = [
            f"{number:,} {_VERBS[action]}"
            for action in (*WRITING, *ASIDE)
            if (number := self.counts.get(action, 0))
        ]
        parts += [
            f"{quantity(number, noun)} {state}"
            for (noun, state), number in self.beside.items()
            if number
        ]
        staying = quantity(self.staying, "stays where it is", "stay where they are")
        beside = [staying] if self.staying else []
        if self.unchangeable:
            unlike = quantity(self.unchangeable, "namespace differs", "namespaces differ")
            beside += [f"{unlike} in what it cannot change"]
        up_to_date = "; ".join([f"{quantity(self.there, 'view')} up to date", *beside])
        return f"{up_to_date}; {', '.join(parts) or 'nothing is left'}"


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


@dataclass(frozen=True, slots=True)
class PlannedCounts:
    """What a plan found.

    Attributes:
        plan: Its name.
        created: When it was made.
        targets: Number of views by target and action.
    """

    plan: str
    created: datetime
    targets: Mapping[str, Counts]


def burn_down(
    plans: Iterable[PlannedCounts],
    days: int,
    written: Callable[[Collection[str]], Mapping[tuple[str, str], Counts]],
) -> list[Remainder]:
    """What was left day by day: by the last plan of a day, and what was written of it.

    Args:
        plans: All of them.
        days: How many days are wanted, the last ones.
        written: Of some plans, the number of changes written by action, by plan and target.
    """
    last: dict[tuple[date, str], PlannedCounts] = {}
    for plan in sorted(plans, key=lambda plan: plan.created):
        last.update({(plan.created.date(), target): plan for target in plan.targets})
    wanted = sorted({day for day, _ in last})[-days:]
    shown = {place: planned for place, planned in last.items() if place[0] in wanted}
    done = written({plan.plan for plan in shown.values()})
    remainders = []
    for (day, target), planned in shown.items():
        state = TargetState(planned.targets[target]).after(done.get((planned.plan, target), {}))
        remainders.append(Remainder(day, target, state.there, state.left))
    return remainders
