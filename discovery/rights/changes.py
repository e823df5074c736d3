"""Changes of rights at a Gravitino server: lines of a plan, and what takes them back."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from discovery.errors import MovedError
from discovery.model import Identifier
from discovery.pinned import check_unedited, pinned
from discovery.ports import Action
from discovery.rights.model import Grantee, GranteeKind
from discovery.rights.roles import KeptRights, KeptRole, Right, RoleAim, strange

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
        inverse = Action.DROP if self.action is Action.CREATE else Action.CREATE
        return replace(self, action=inverse)

    @property
    def place(self) -> str:
        """For people."""
        return f"{self.target}: {self.what}"

    @property
    def what(self) -> str:
        """The same without the target."""
        if not self.role:
            return f"{grantee_text(self.member)} as the owner of {self.view}"
        if self.right is not None:
            return f"{self.right} of the role {self.role}"
        role = f"the role {self.role}"
        return role if self.member is None else f"{role} of {grantee_text(self.member)}"

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
            raise MovedError(f"{grantee_text(owner)} is it now")
        return self

    def is_to_drop(self, kept: KeptRights, owners: Owners) -> bool:
        """Whether it is there, and may be taken away.

        Raises:
            MovedError: Somebody has made more of it since.
        """
        if not self.is_there(kept, owners):
            owner = owners.get(self.view) if self.view is not None else None
            if not self.role and owner not in {None, self.before}:
                raise MovedError(f"{grantee_text(owner)} is it now")
            return False
        if not self.role:
            return self.before is not None  # else it goes with the view, which was not there
        if self.step == 0:
            role, members = kept.roles[self.role], kept.of_role(self.role)
            if excess := strange(role, members, RoleAim()):
                raise MovedError(excess)
        return True

    def to_json(self) -> dict[str, Any]:
        """As a line of a plan, which its `change` names."""
        members = {
            "target": self.target,
            "action": self.action.value,
            "role": self.role or None,
            "right": None if self.right is None else list(self.right),
            "member": _grantee_json(self.member),
            "view": None if self.view is None else [*self.view.namespace, self.view.name],
            "before": _grantee_json(self.before),
        }
        return pinned("change", members)


def rights_change_of_json(data: Mapping[str, Any]) -> RightsChange:
    """The inverse of `to_json`.

    Raises:
        ValueError: It has been changed since.
        KeyError, TypeError: It is none.
    """
    view = data["view"]
    change = RightsChange(
        data["target"],
        Action(data["action"]),
        data["role"] or "",
        None if data["right"] is None else Right(*data["right"]),
        _grantee_from_json(data["member"]),
        None if view is None else Identifier(tuple(view[:-1]), view[-1]),
        _grantee_from_json(data["before"]),
    )
    return check_unedited(change, data)


def aims_of(changes: Iterable[RightsChange]) -> dict[str, RoleAim]:
    """What roles are to have, by what is given and kept of them."""
    rights: dict[str, set[Right]] = {}
    members: dict[str, set[Grantee]] = {}
    for change in changes:
        if change.role:
            aimed_rights, aimed_members = (
                rights.setdefault(change.role, set()),
                members.setdefault(change.role, set()),
            )
            aimed_rights |= {change.right} if change.right is not None else set()
            aimed_members |= {change.member} if change.member is not None else set()
    return {
        role: RoleAim(frozenset(role_rights), frozenset(members[role]))
        for role, role_rights in rights.items()
    }


def grantee_text(who: Grantee | None) -> str:
    """Somebody, for people."""
    return "nobody" if who is None else f"the {who.kind.value} {who.name}"


def _grantee_json(who: Grantee | None) -> list[str] | None:
    return None if who is None else [who.name, who.kind.value]


def _grantee_from_json(data: Sequence[str] | None) -> Grantee | None:
    return None if data is None else Grantee(data[0], GranteeKind(data[1]))
