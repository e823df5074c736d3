"""What a plan makes of the rights on its views, view by view; nothing of it is written."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from discovery.model import decoded
from discovery.ports import Action
from discovery.rights.carrying import CarriedView, Carrying, CarryingRule
from discovery.rights.model import Grantee
from jobs.answering.rights import KnownRights
from jobs.migrating.tables import CHANGES
from jobs.warehouse.warehouse import Warehouse

_THERE: Final = (Action.CREATE, Action.REPLACE, Action.ADD_DIALECT, Action.KEEP)
"""What a plan says of a view that is there once it is applied."""
_PLACE: Final = ("target", "namespace", "name")


class PlannedRights:
    """The rights of a plan.

    Args:
        warehouse: Where the plan is.
        plan: Its name.
        known: The rights of each source.
        rules: What grantees are at the target.
    """

    def __init__(
        self,
        warehouse: Warehouse,
        plan: str,
        known: Mapping[str, KnownRights],
        rules: Sequence[CarryingRule],
    ) -> None:
        self._warehouse, self._plan, self._known = warehouse, plan, known
        self._carrying = Carrying({name: one.access for name, one in known.items()}, rules)

    def lines(self) -> Iterator[dict[str, Any]]:
        """A line for each view that is there once the plan is applied, then one for each role."""
        where: dict[str, Sequence[str]] = {"action": [*_THERE]}
        columns = [*_PLACE, "origins"]
        used: dict[str, set[str]] = {}
        for row in self._warehouse.table(CHANGES, self._plan, where=where, columns=columns):
            if not row["target"]:  # it goes nowhere
                continue
            head = {name: row[name] for name in _PLACE}
            origins = [(one["source"], one["key"]) for one in row["origins"] or ()]
            if why := self._unknown(origins):
                yield {**head, "roles": [], "readers": None, "lost": [], "unknown": why}
                continue
            found = self._carrying.view([(source, _key(key)) for source, key in origins])
            used.setdefault(row["target"], set()).update(found.roles)
            yield {**head, **_members(found), "unknown": None}
        for target, roles in sorted(used.items()):
            for role in sorted(roles):
                members = [_named(one) for one in self._carrying.members(role)]
                yield {"target": target, "role": role, "members": members}

    def _unknown(self, origins: Sequence[tuple[str, str]]) -> str:
        """Why the rights on a view are not known; empty: they are."""
        if not origins:
            return "GRANTS_NOT_TOLD: it is made of no view of a source"
        for source, key in origins:
            one = self._known.get(source)
            if one is None:
                return f"GRANTS_NOT_TOLD: nothing is known of the rights of {source}"
            if why := one.why_unknown(key):
                return f"{source}: {why}"
        return ""


def _key(text: str) -> tuple[tuple[str, ...], str]:
    *namespace, name = decoded(text)
    return tuple(namespace), name


def _members(found: CarriedView) -> dict[str, Any]:
    lost = [{"source": one.source, **_named(one.grantee), "why": one.why} for one in found.lost]
    readers = [_named(one) for one in found.readers]
    return {"roles": list(found.roles), "readers": readers, "lost": lost}


def _named(one: Grantee) -> dict[str, str]:
    return {"name": one.name, "kind": one.kind.value}
