"""What of a plan's changes is set aside for a reason that the owners have accepted."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from discovery.acceptance import Fault
from discovery.ports import ASIDE
from jobs.migrating.tables import CHANGES
from jobs.warehouse.warehouse import Warehouse

_COLUMNS: Final = ("target", "action", "code", "origins")


@dataclass(frozen=True, slots=True)
class AsideChange:
    """A change that a plan sets aside.

    Attributes:
        target: Name of its target.
        action: What the plan says of it.
        faults: Why: its code, at each view that it is made of.
    """

    target: str
    action: str
    faults: tuple[Fault, ...]


def set_aside(
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
        origins = row["origins"] or () if row["code"] is not None else ()
        faults = tuple(Fault(origin["source"], origin["key"], row["code"]) for origin in origins)
        yield AsideChange(row["target"], row["action"], faults)


def excused(changes: Iterable[AsideChange], accepted: frozenset[Fault]) -> Counter[tuple[str, str]]:
    """How many changes are set aside for accepted reasons only, by target and action."""
    counts: Counter[tuple[str, str]] = Counter()
    for change in changes:
        if change.faults and accepted.issuperset(change.faults):
            counts[change.target, change.action] += 1
    return counts


def excused_of(
    warehouse: Warehouse, plan: str, accepted: frozenset[Fault]
) -> Counter[tuple[str, str]]:
    """How many changes a plan sets aside for accepted reasons only, by target and action."""
    return excused(set_aside(warehouse, plan, accepted), accepted)
