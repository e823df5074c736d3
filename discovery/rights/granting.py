"""What a plan makes of rights at a Gravitino server: decided by what the server has already.

Nobody is to read afterwards who did not before. `Carrying` sees to that by what the sources say;
what is here, by what the server says. A role that is there is touched only if it has nothing but
what the plan gives it; somebody gets a role only if nothing else comes into force with it. What
speaks against a change is looked for when the plan is made, and again before it is carried out.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from discovery.model import Identifier
from discovery.ports import Action
from discovery.rights.changes import Owners, RightsChange, rights_change_of_json
from discovery.rights.guard import RightsGuard
from discovery.rights.model import Grantee, GranteeKind
from discovery.rights.outcome import NO_MATRIX, AccessMatrix, access_matrix_of_json
from discovery.rights.roles import KeptRights, Right, RoleAim


@dataclass(frozen=True, slots=True)
class WantedRights:
    """What a plan would give at a target, by what sources say.

    Attributes:
        views: Each with the roles that get it.
        members: Those of each role.
        owners: Of views.
        needed: What it takes to read each view.
    """

    views: Mapping[Identifier, Sequence[str]]
    members: Mapping[str, Sequence[Grantee]]
    owners: Mapping[Identifier, Grantee] = field(default_factory=dict)
    needed: Mapping[Identifier, Sequence[Right]] = field(default_factory=dict)

    @property
    def aims(self) -> dict[str, RoleAim]:
        """What each of its roles is to have."""
        rights: dict[str, set[Right]] = {}
        for view, roles in self.views.items():
            for role in roles:
                rights.setdefault(role, set()).update(self.needed[view])
        return {
            role: RoleAim(frozenset(role_rights), frozenset(self.members.get(role, ())))
            for role, role_rights in rights.items()
        }


@dataclass(frozen=True, slots=True)
class GivenRights:
    """What becomes of rights at a target.

    Attributes:
        changes: What it gets or has, in order.
        left: What it does not get, each with why; what is blocked is not safe as the server is.
        blocked: How many of these are not safe.
        remark: What holds for all of it.
        access: Who reads what before and after.
    """

    changes: tuple[RightsChange, ...] = ()
    left: tuple[str, ...] = ()
    blocked: int = 0
    remark: str = ""
    access: AccessMatrix = NO_MATRIX

    @property
    def made(self) -> tuple[RightsChange, ...]:
        """What the target gets."""
        return tuple(change for change in self.changes if change.action is Action.CREATE)

    def with_chosen(self, chosen: Collection[RightsChange]) -> "GivenRights":
        """The same, with those of the rights that are given which are chosen."""
        changes = tuple(
            change for change in self.changes if change.action is Action.KEEP or change in chosen
        )
        return replace(self, changes=changes)

    def alone(self) -> "GivenRights":
        """The same where nobody looks at it: nobody's view gets another owner."""
        owner_changes = [
            change for change in self.made if not change.role and change.before is not None
        ]
        reasons = [
            f"{change.view} stays with its owner, as nobody looks at this plan"
            for change in owner_changes
        ]
        left = tuple(change for change in self.changes if change not in owner_changes)
        return replace(self, changes=left, left=(*self.left, *reasons))

    def to_json(self) -> dict[str, Any]:
        """For the file of a plan."""
        lines = [change.to_json() for change in self.changes]
        members = {"left": list(self.left), "blocked": self.blocked, "remark": self.remark}
        return {"changes": lines, **members, "access": self.access.to_json()}


NO_RIGHTS: Final = GivenRights()


def given_rights_of_json(data: Mapping[str, Any]) -> GivenRights:
    """The inverse of `to_json`.

    Raises:
        ValueError, KeyError, TypeError: It is none, or has been changed since.
    """
    changes = tuple(map(rights_change_of_json, data["changes"]))
    access_matrix = access_matrix_of_json(data["access"])
    return GivenRights(changes, tuple(data["left"]), data["blocked"], data["remark"], access_matrix)


def give_rights(
    target: str,
    wanted: WantedRights,
    kept: KeptRights,
    owners: Owners,
    aims: Mapping[str, RoleAim],
) -> GivenRights:
    """What becomes of rights at a target.

    Args:
        target: Its name.
        wanted: What the sources' rights are there.
        kept: What it has.
        owners: Of the views that are there; None: one has no owner.
        aims: What the roles are to have, for all targets with the same roles.
    """
    guard = RightsGuard(kept, aims)
    changes: list[RightsChange] = []
    left: dict[str, bool] = {}
    for candidate in sorted(_candidates(target, wanted, owners), key=_sort_key):
        if candidate.is_there(kept, owners):
            changes.append(replace(candidate, action=Action.KEEP, before=None))
        elif not candidate.role and candidate.before is None and candidate.view in owners:
            left.setdefault(
                f"{candidate.view} has no owner, and could not be without one again", False
            )
        elif absent := guard.why_absent(candidate):
            left.setdefault(absent, False)
        elif why := guard.why_not(candidate):
            left[why] = True
        else:
            changes.append(candidate)
    blocked = sum(left.values())
    reasons = sorted(left, key=lambda why: (not left[why], why))
    return GivenRights(tuple(changes), tuple(reasons), blocked)


def _candidates(target: str, wanted: WantedRights, owners: Owners) -> Iterable[RightsChange]:
    """All that the sources' rights are, each once; a right that several views need is for none."""
    action = Action.CREATE
    for role in wanted.aims:
        yield RightsChange(target, action, role)
        yield from (
            RightsChange(target, action, role, member=grantee)
            for grantee in wanted.members.get(role, ())
        )
    shared = {
        (role, right)
        for view, roles in wanted.views.items()
        for role in roles
        for right in wanted.needed[view]
        if right.kind != _VIEW
    }
    yield from (RightsChange(target, action, role, right) for role, right in shared)
    for view, roles in wanted.views.items():
        for right in wanted.needed[view]:
            if right.kind == _VIEW:
                for role in roles:
                    yield RightsChange(target, action, role, right, view=view)
    for view, owner in wanted.owners.items():
        yield RightsChange(target, action, member=owner, view=view, before=owners.get(view))


_VIEW: Final = "VIEW"


def _sort_key(change: RightsChange) -> tuple[Any, ...]:
    grantee = change.member or Grantee("", GranteeKind.USER)
    view = () if change.view is None else (*change.view.namespace, change.view.name)
    return change.step, change.role, change.right or (), grantee, view
