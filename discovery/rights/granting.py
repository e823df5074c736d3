"""What a plan makes of rights at a Gravitino server: decided by what the server has already.

Nobody is to read afterwards who did not before. `Carrying` sees to that by what the sources say;
what is here, by what the server says. A role that is there is touched only if it has nothing but
what the plan gives it; somebody gets a role only if nothing else comes into force with it. What
speaks against a change is looked for when the plan is made, and again before it is carried out.
"""

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from discovery.errors import MovedError
from discovery.model import Identifier
from discovery.ports import Action
from discovery.rights.model import Grantee, GranteeKind
from discovery.rights.roles import (
    USE_SCHEMA,
    KeptRights,
    KeptRole,
    Right,
    RoleAim,
    asleep,
    may_use,
    strange,
)

Owners = Mapping[Identifier, Grantee | None]


@dataclass(frozen=True, slots=True)
class RightsChange:
    """A role, a privilege of one, a member of one, or the owner of a view; what is done with it.

    Attributes:
        target: Name of the target.
        action: `create`, `drop`, or `keep`: it is there already.
        role: The role; empty: it is about an owner.
        right: The privilege.
        member: The user or group that is its member; without a role: the owner.
        view: The view that it is for, where it is for one.
        before: Who was the owner; None: the view was not there.
    """

    target: str
    action: Action
    role: str = ""
    right: Right | None = None
    member: Grantee | None = None
    view: Identifier | None = None
    before: Grantee | None = None

    @property
    def step(self) -> int:
        """When it is made: roles first, then privileges, members, owners."""
        if not self.role:
            return 3
        return 1 if self.right is not None else 2 if self.member is not None else 0

    @property
    def inverse(self) -> "RightsChange":
        """What takes it back."""
        back = Action.DROP if self.action is Action.CREATE else Action.CREATE
        return replace(self, action=back)

    @property
    def place(self) -> str:
        """For people."""
        return f"{self.target}: {self.what}"

    @property
    def what(self) -> str:
        """The same without the target."""
        if not self.role:
            return f"{_told(self.member)} as the owner of {self.view}"
        if self.right is not None:
            return f"{self.right} of the role {self.role}"
        role = f"the role {self.role}"
        return role if self.member is None else f"{role} of {_told(self.member)}"

    def is_there(self, kept: KeptRights, owners: Owners) -> bool:
        """Whether the server has it."""
        if not self.role:
            return self.view is not None and owners.get(self.view) == self.member
        if self.right is not None:
            return self.right in kept.roles.get(self.role, KeptRole()).allowed
        if self.member is not None:
            return self.role in kept.members.get(self.member, ())
        return self.role in kept.roles

    def as_it_is_to_do(self, kept: KeptRights, owners: Owners) -> "RightsChange | None":
        """What is to be made, with what was before; None: it is there.

        Raises:
            MovedError: What is there is not as it was.
        """
        if self.is_there(kept, owners):
            return None
        owner = None if self.view is None else owners.get(self.view)
        if not self.role and self.before is None:
            return replace(self, before=owner)
        if not self.role and owner != self.before:
            raise MovedError(f"{_told(owner)} is it now")
        return self

    def is_to_drop(self, kept: KeptRights, owners: Owners) -> bool:
        """Whether it is there, and may be taken away.

        Raises:
            MovedError: Somebody has made more of it since.
        """
        if not self.is_there(kept, owners):
            owner = owners.get(self.view) if self.view is not None else None
            if not self.role and owner not in {None, self.before}:
                raise MovedError(f"{_told(owner)} is it now")
            return False
        if not self.role:
            return self.before is not None  # else it goes with the view, which was not there
        if self.step == 0:
            role, members = kept.roles[self.role], kept.of_role(self.role)
            if more := strange(role, members, RoleAim()):
                raise MovedError(more)
        return True

    def to_json(self) -> dict[str, Any]:
        """As a line of a plan, which its `change` names."""
        said = {
            "target": self.target,
            "action": self.action.value,
            "role": self.role or None,
            "right": None if self.right is None else list(self.right),
            "member": _listed(self.member),
            "view": None if self.view is None else [*self.view.namespace, self.view.name],
            "before": _listed(self.before),
        }
        text = json.dumps(said, sort_keys=True)
        return {"change": hashlib.sha256(text.encode()).hexdigest()[:16], **said}


def rights_change_of_json(data: Mapping[str, Any]) -> RightsChange:
    """The inverse of `to_json`.

    Raises:
        ValueError: It has been changed since.
        KeyError, TypeError: It is none.
    """
    view = data["view"]
    made = RightsChange(
        data["target"],
        Action(data["action"]),
        data["role"] or "",
        None if data["right"] is None else Right(*data["right"]),
        _grantee(data["member"]),
        None if view is None else Identifier(tuple(view[:-1]), view[-1]),
        _grantee(data["before"]),
    )
    if made.to_json() != dict(data):
        raise ValueError("the line has been edited")
    return made


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
            role: RoleAim(frozenset(some), frozenset(self.members.get(role, ())))
            for role, some in rights.items()
        }


@dataclass(frozen=True, slots=True)
class GivenRights:
    """What becomes of rights at a target.

    Attributes:
        changes: What it gets or has, in order.
        left: What it does not get, each with why; what is blocked is not safe as the server is.
        blocked: How many of these are not safe.
        remark: What holds for all of it.
    """

    changes: tuple[RightsChange, ...] = ()
    left: tuple[str, ...] = ()
    blocked: int = 0
    remark: str = ""

    @property
    def made(self) -> tuple[RightsChange, ...]:
        """What the target gets."""
        return tuple(one for one in self.changes if one.action is Action.CREATE)

    def left_with(self, chosen: Collection[RightsChange]) -> "GivenRights":
        """The same, with those of the rights that are given which are chosen."""
        made = tuple(one for one in self.changes if one.action is Action.KEEP or one in chosen)
        return replace(self, changes=made)

    def to_json(self) -> dict[str, Any]:
        """For the file of a plan."""
        lines = [one.to_json() for one in self.changes]
        said = {"left": list(self.left), "blocked": self.blocked, "remark": self.remark}
        return {"changes": lines, **said}


NO_RIGHTS: Final = GivenRights()


def given_rights_of_json(data: Mapping[str, Any]) -> GivenRights:
    """The inverse of `to_json`.

    Raises:
        ValueError, KeyError, TypeError: It is none, or has been changed since.
    """
    changes = tuple(map(rights_change_of_json, data["changes"]))
    return GivenRights(changes, tuple(data["left"]), data["blocked"], data["remark"])


class RightsGuard:
    """What speaks against giving rights, as a server is.

    Attributes:
        strange: Roles that have something that they are not to have, and what.

    Args:
        kept: What it has.
        aims: What the roles of a plan are to have, for all targets with the same roles.
    """

    def __init__(self, kept: KeptRights, aims: Mapping[str, RoleAim]) -> None:
        self._kept = kept
        self.strange = {
            role: why
            for role, aim in aims.items()
            if role in kept.roles and (why := strange(kept.roles[role], kept.of_role(role), aim))
        }
        rights = (right for aim in aims.values() for right in aim.rights)
        schemas = {one.place for one in rights if one.privilege == USE_SCHEMA}
        self._asleep = asleep(kept, aims.keys() - self.strange.keys(), schemas)
        self._aims = aims

    def why_absent(self, change: RightsChange) -> str:
        """Why a right cannot be given: whom the server does not know; empty: it knows all."""
        who = change.member
        if who is None or who in self._kept.members:
            return ""
        return f"the target has no {who.kind.value} {who.name}"

    def why_not(self, change: RightsChange) -> str:
        """Why a right must not be given; empty: it may."""
        if not change.role:
            return ""
        if why := self.strange.get(change.role):
            return f"the role {change.role} is there, and {why}"
        if change.member is not None:
            return self._wakes(change.member, change.role)
        if change.right is None:
            return ""
        members = sorted(self._kept.of_role(change.role))
        return next((why for who in members if (why := self._wakes(who, change.role))), "")

    def _wakes(self, who: Grantee, role: str) -> str:
        """What else would come into force for somebody who gets what a role is to have.

        Groups have members that nobody knows, each of whom has all that both have.
        """
        catalogs = {one.place.partition(".")[0] for one in self._aims[role].rights}
        for one, some in sorted(self._asleep.items()):
            if one != who and GranteeKind.GROUP not in {one.kind, who.kind}:
                continue
            has = self._kept.of(who, one)
            for right in some:
                if right.schema.partition(".")[0] in catalogs and not may_use(has, right.schema):
                    both = _told(who) if one == who else f"{_told(who)} may be {_told(one)}, too"
                    return (
                        f"{both}, whose {right.right} by the role {right.role} is of no use now, "
                        f"and would come into force"
                    )
        return ""


def aims_of(changes: Iterable[RightsChange]) -> dict[str, RoleAim]:
    """What roles are to have, by what is given and kept of them."""
    rights: dict[str, set[Right]] = {}
    members: dict[str, set[Grantee]] = {}
    for one in changes:
        if one.role:
            had, held = rights.setdefault(one.role, set()), members.setdefault(one.role, set())
            had |= {one.right} if one.right is not None else set()
            held |= {one.member} if one.member is not None else set()
    return {
        role: RoleAim(frozenset(some), frozenset(members[role])) for role, some in rights.items()
    }


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
    for one in sorted(_candidates(target, wanted, owners), key=_order):
        if one.is_there(kept, owners):
            changes.append(replace(one, action=Action.KEEP, before=None))
        elif not one.role and one.before is None and one.view in owners:
            left.setdefault(f"{one.view} has no owner, and could not be without one again", False)
        elif absent := guard.why_absent(one):
            left.setdefault(absent, False)
        elif why := guard.why_not(one):
            left[why] = True
        else:
            changes.append(one)
    blocked = sum(left.values())
    told = sorted(left, key=lambda why: (not left[why], why))
    return GivenRights(tuple(changes), tuple(told), blocked)


def _candidates(target: str, wanted: WantedRights, owners: Owners) -> Iterable[RightsChange]:
    """All that the sources' rights are, each once; a right that several views need is for none."""
    made = Action.CREATE
    for role in wanted.aims:
        yield RightsChange(target, made, role)
        yield from (
            RightsChange(target, made, role, member=who) for who in wanted.members.get(role, ())
        )
    shared = {
        (role, right)
        for view, roles in wanted.views.items()
        for role in roles
        for right in wanted.needed[view]
        if right.kind != _VIEW
    }
    yield from (RightsChange(target, made, role, right) for role, right in shared)
    for view, roles in wanted.views.items():
        for right in wanted.needed[view]:
            if right.kind == _VIEW:
                for role in roles:
                    yield RightsChange(target, made, role, right, view=view)
    for view, owner in wanted.owners.items():
        yield RightsChange(target, made, member=owner, view=view, before=owners.get(view))


_VIEW: Final = "VIEW"


def _order(one: RightsChange) -> tuple[Any, ...]:
    who = one.member or Grantee("", GranteeKind.USER)
    view = () if one.view is None else (*one.view.namespace, one.view.name)
    return one.step, one.role, one.right or (), who, view


def _told(who: Grantee | None) -> str:
    return "nobody" if who is None else f"the {who.kind.value} {who.name}"


def _listed(who: Grantee | None) -> list[str] | None:
    return None if who is None else [who.name, who.kind.value]


def _grantee(data: Sequence[str] | None) -> Grantee | None:
    return None if data is None else Grantee(data[0], GranteeKind(data[1]))
