"""What a plan makes of the rights on its views, view by view."""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from connectors.clients.credentials import redacted
from connectors.registry import Connector
from discovery.display import quantity
from discovery.errors import BelvedereError, NotHeldError
from discovery.model import Identifier, decoded
from discovery.ports import Action
from discovery.rights.carrying import CarriedView, Carrying, CarryingRule, Origin
from discovery.rights.granting import GivenRights, WantedRights, give_rights
from discovery.rights.model import Grantee
from discovery.rights.outcome import AccessLine, AccessMatrix, LaterReaders
from discovery.rights.roles import RightsStore, RoleAim
from jobs.answering.rights import KnownRights, rights_of
from jobs.configuration.loader import RunConfig
from jobs.migrating.giving import require_rights
from jobs.migrating.tables import CHANGES
from jobs.warehouse.warehouse import Warehouse

THERE: Final = (Action.CREATE, Action.REPLACE, Action.ADD_DIALECT, Action.KEEP)
"""What a plan says of a view that is there once it is applied."""
_NOTHING: Final[Mapping[str, object]] = {
    "roles": [],
    "readers": None,
    "owner": None,
    "lost": [],
    "access": None,
}
_PLACE: Final = ("target", "namespace", "name")


@dataclass(frozen=True, slots=True)
class ViewRights:
    """The rights on a view.

    Attributes:
        target: Name of its target.
        view: Where it is there.
        origins: The views of sources that it is made of.
        carried: What becomes of the rights on these; None: that is not known.
        unknown: Why it is not.
    """

    target: str
    view: Identifier
    origins: tuple[Origin, ...]
    carried: CarriedView | None
    unknown: str = ""


class PlannedRights:
    """The rights of a plan.

    Args:
        warehouse: Where the plan is.
        plan: Its name.
        rights: The rights of each source.
        rules: What grantees are at the target.
    """

    def __init__(
        self,
        warehouse: Warehouse,
        plan: str,
        rights: Mapping[str, KnownRights],
        rules: Sequence[CarryingRule],
    ) -> None:
        self._warehouse, self._plan, self._known = warehouse, plan, rights
        self._carrying = Carrying(
            {name: known_rights.access for name, known_rights in rights.items()}, rules
        )

    def lines(self) -> Iterator[dict[str, object]]:
        """A line for each view that is there once the plan is applied, then one for each role."""
        roles_by_target: dict[str, set[str]] = {}
        for view_rights in self.views():
            place = [view_rights.target, list(view_rights.view.namespace), view_rights.view.name]
            head = dict(zip(_PLACE, place, strict=True))
            if view_rights.carried is None:
                yield {**head, **_NOTHING, "unknown": view_rights.unknown}
                continue
            roles_by_target.setdefault(view_rights.target, set()).update(view_rights.carried.roles)
            after: set[Grantee | str] = {*view_rights.carried.readers, *view_rights.carried.roles}
            access = [
                {name: value for name, value in line.to_json().items() if name != "view"}
                for line in self._carrying.access(view_rights.view, view_rights.origins, after)
            ]
            yield {**head, **_carried_json(view_rights.carried), "access": access, "unknown": None}
        for target, roles in sorted(roles_by_target.items()):
            for role in sorted(roles):
                members = [_grantee_json(member) for member in self._carrying.members(role)]
                yield {"target": target, "role": role, "members": members}

    def views(self) -> Iterator[ViewRights]:
        """The views that are there once the plan is applied."""
        where: dict[str, Sequence[str]] = {"action": [*THERE]}
        columns = [*_PLACE, "origins"]
        for row in self._warehouse.table(CHANGES, self._plan, where=where, columns=columns):
            if not row["target"]:  # it goes nowhere
                continue
            view = Identifier(tuple(row["namespace"]), row["name"])
            source_keys = [(origin["source"], origin["key"]) for origin in row["origins"] or ()]
            origins = tuple((source, _place_of_key(key)) for source, key in source_keys)
            why = self._why_unknown(source_keys)
            carried = None if why else self._carrying.view(origins)
            yield ViewRights(row["target"], view, origins, carried, why)

    def access(
        self, target: str, after: Callable[[Identifier], Collection[Grantee | str]]
    ) -> Iterator[AccessLine]:
        """Who reads what before and after, of the views of a target of which that is known.

        Args:
            target: Its name.
            after: Who reads a view there.
        """
        for view_rights in self.views():
            if view_rights.target == target and view_rights.carried is not None:
                yield from self._carrying.access(
                    view_rights.view, view_rights.origins, after(view_rights.view)
                )

    def wanted_rights(self, target: str, store: RightsStore) -> tuple[WantedRights, list[str]]:
        """What a target would get, and what speaks against some of it."""
        views, owners, needed, why = {}, {}, {}, Counter[str]()
        for view_rights in self.views():
            if view_rights.target != target or view_rights.carried is None:
                why.update([view_rights.unknown] if view_rights.target == target else [])
                continue
            try:
                needed[view_rights.view] = store.rights_to_read(view_rights.view)
            except NotHeldError as error:
                why[error.message] += 1
                continue
            views[view_rights.view] = view_rights.carried.roles
            if view_rights.carried.owner is not None:
                owners[view_rights.view] = view_rights.carried.owner
        roles = {
            role: self._carrying.members(role) for granted in views.values() for role in granted
        }
        remarks = [
            f"{quantity(number, 'view')}: {reason}" for reason, number in sorted(why.items())
        ]
        return WantedRights(views, roles, owners, needed), remarks

    def _why_unknown(self, origins: Sequence[tuple[str, str]]) -> str:
        """Why the rights on a view are not known; empty: they are."""
        if not origins:
            return "GRANTS_NOT_TOLD: it is made of no view of a source"
        for source, key in origins:
            known_rights = self._known.get(source)
            if known_rights is None:
                return f"GRANTS_NOT_TOLD: nothing is known of the rights of {source}"
            if why := known_rights.why_unknown(key):
                return f"{source}: {why}"
        return ""


def plan_given_rights(
    config: RunConfig, warehouse: Warehouse, plan: str, run_id: str, *, unattended: bool
) -> dict[str, GivenRights]:
    """What becomes of rights at the targets that are to have them.

    Args:
        config: The configuration.
        warehouse: Where the plan is.
        plan: Its name.
        run_id: The run that it is about.
        unattended: Whether nobody looks at it before it is applied.

    Raises:
        ConfigurationError: The run has asked for no rights.
    """
    asked = {name: config.targets[name] for name, term in config.terms.items() if term.rights}
    if not asked:
        return {}
    rights = rights_of(warehouse, run_id, None)
    planned = PlannedRights(warehouse, plan, rights, config.carrying)
    wanted: dict[str, tuple[str, WantedRights, list[str]]] = {}
    by_target = {}
    for name, connector in asked.items():
        with connector.store() as store:
            if store.rights is None:
                why = f"{connector.kind} gets no rights: only a Gravitino keeps roles"
                by_target[name] = GivenRights(remark=why)
            else:
                wanted[name] = store.rights.shared, *planned.wanted_rights(name, store.rights)
    for name, (shared, wanted_rights, unsaid) in wanted.items():
        alike = [other.aims for place, other, _ in wanted.values() if place == shared]
        given = _plan_rights_at(planned, name, asked[name], wanted_rights, _merged_aims(alike))
        complete = replace(given, left=(*given.left, *unsaid))
        by_target[name] = complete.alone() if unattended else complete
    return by_target


def _plan_rights_at(
    planned: PlannedRights,
    name: str,
    connector: Connector,
    wanted: WantedRights,
    aims: Mapping[str, RoleAim],
) -> GivenRights:
    """What becomes of rights at one target, which is asked what it has."""
    try:
        with connector.store() as store:
            rights = require_rights(store)
            kept, owners = rights.present(), rights.owners([*wanted.owners])
    except BelvedereError as error:
        why = f"its rights could not be read: {redacted(str(error), connector.secrets)}"
        return GivenRights(left=(why,), blocked=1)
    given = give_rights(name, wanted, kept, owners, aims)
    later = LaterReaders(kept, given.changes)
    matrix = AccessMatrix.of(planned.access(name, lambda view: later.of(view, wanted.needed[view])))
    return replace(given, remark=rights.remark, access=matrix)


def _merged_aims(aims: Sequence[Mapping[str, RoleAim]]) -> dict[str, RoleAim]:
    """What roles are to have of several plans."""
    merged: dict[str, RoleAim] = {}
    for role_aims in aims:
        for role, role_aim in role_aims.items():
            other = merged.get(role, RoleAim())
            merged[role] = RoleAim(other.rights | role_aim.rights, other.members | role_aim.members)
    return merged


def _place_of_key(text: str) -> tuple[tuple[str, ...], str]:
    *namespace, name = decoded(text)
    return tuple(namespace), name


def _carried_json(carried: CarriedView) -> dict[str, object]:
    lost = [
        {"source": lost_right.source, **_grantee_json(lost_right.grantee), "why": lost_right.why}
        for lost_right in carried.lost
    ]
    readers = [_grantee_json(reader) for reader in carried.readers]
    owner = None if carried.owner is None else _grantee_json(carried.owner)
    return {"roles": list(carried.roles), "readers": readers, "owner": owner, "lost": lost}


def _grantee_json(grantee: Grantee) -> dict[str, str]:
    return {"name": grantee.name, "kind": grantee.kind.value}
