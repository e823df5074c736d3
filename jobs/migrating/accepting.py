"""What of a plan's changes is set aside for a reason that the owners have accepted."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from discovery.acceptance import Fault
from discovery.ports import ASIDE
from jobs.migrating.tables import CHANGES
from jobs.warehouse.warehouse import Warehouse

COLUMNS: Final = ("target", "key", "action", "code", "origins", "reason")


def set_aside(
    warehouse: Warehouse, plan: str, accepted: frozenset[Fault] | None = None
) -> Iterator[Mapping[str, Any]]:
    """The changes of a plan that are set aside.

    Args:
        warehouse: Where it is.
        plan: Its name.
        accepted: Only those with the code of one of these; None: all.
    """
    where: dict[str, list[str]] = {"action": list(ASIDE)}
    if accepted is not None:
        where["code"] = sorted({one.code for one in accepted})
        if not accepted:
            return
    yield from warehouse.table(CHANGES, plan, where=dict(where), columns=COLUMNS)


def faults(change: Mapping[str, Any]) -> list[Fault]:
    """Those that set a change aside: its code, at each view that it is made of."""
    if change["code"] is None:
        return []
    return [Fault(one["source"], one["key"], change["code"]) for one in change["origins"] or ()]


def excused(
    changes: Iterable[Mapping[str, Any]], accepted: frozenset[Fault]
) -> Counter[tuple[str, str]]:
    """How many changes are set aside for accepted reasons only, by target and action."""
    found: Counter[tuple[str, str]] = Counter()
    for one in changes:
        if (why := set(faults(one))) and why <= accepted:
            found[one["target"], one["action"]] += 1
    return found


def excused_of(
    warehouse: Warehouse, plan: str, accepted: frozenset[Fault]
) -> Counter[tuple[str, str]]:
    """How many changes a plan sets aside for accepted reasons only, by target and action."""
    return excused(set_aside(warehouse, plan, accepted), accepted)
