"""What of a plan's changes is set aside for a reason that the owners have accepted."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Self

from discovery.acceptance import Fault
from discovery.ports import ASIDE
from jobs.migrating.tables import CHANGES
from jobs.warehouse.warehouse import Warehouse

_COLUMNS: Final = ("target", "key", "action", "code", "origins")


@dataclass(frozen=True, slots=True)
class AsideChange:
    """A change that a plan sets aside.

    Attributes:
        target: Name of its target.
        action: What the plan says of it.
        faults: Why: its code, at each view that it is made of; of none: at its place in its target.
    """

    target: str
    action: str
    faults: tuple[Fault, ...]

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> Self:
        """What a row of `CHANGES` says."""
        origins = [(origin["source"], origin["key"]) for origin in row["origins"] or ()]
        places = origins or [(row["target"], row["key"])]
        faults = (Fault(*place, row["code"]) for place in places if row["code"] is not None)
        return cls(row["target"], row["action"], tuple(faults))


def read_aside_changes(
    warehouse: Warehouse, plan: str, accepted: frozenset[Fault] | None = None
) -> Iterator[AsideChange]:
    """The changes of a plan that are set aside.

    Args:
        warehouse: Where it is.
        plan: Its name.
        accepted: Only those with the code of one of these; None: all.
    """
    where: dict[str, list[str]] = {"action": list(ASIDE)}
    if accepted is not None:
        where["code"] = sorted({fault.code for fault in accepted})
        if not accepted:
            return
    for row in warehouse.table(CHANGES, plan, where=dict(where), columns=_COLUMNS):
        yield AsideChange.of(row)


def excused(changes: Iterable[AsideChange], accepted: frozenset[Fault]) -> Counter[tuple[str, str]]:
    """How many changes are set aside for accepted reasons only, by target and action."""
    counts: Counter[tuple[str, str]] = Counter()
    for change in changes:
        if change.faults and accepted.issuperset(change.faults):
            counts[change.target, change.action] += 1
    return counts


def count_excused(
    warehouse: Warehouse, plan: str, accepted: frozenset[Fault]
) -> Counter[tuple[str, str]]:
    """How many changes a plan sets aside for accepted reasons only, by target and action."""
    return excused(read_aside_changes(warehouse, plan, accepted), accepted)
