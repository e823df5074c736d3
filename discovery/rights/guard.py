"""What speaks against giving rights at a server, by what it has."""

from collections.abc import Mapping

from discovery.rights.changes import RightsChange, grantee_text
from discovery.rights.model import Grantee, GranteeKind
from discovery.rights.roles import USE_SCHEMA, KeptRights, RoleAim, asleep, may_use, strange


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
        schemas = {right.place for right in rights if right.privilege == USE_SCHEMA}
        self._asleep = asleep(kept, aims.keys() - self.strange.keys(), schemas)
        self._aims = aims
        self._held_back: dict[str, str] = {}

    def why_absent(self, change: RightsChange) -> str:
        """Why a right cannot be given: whom the server does not know; empty: it knows all."""
        grantee = change.member
        if grantee is None or grantee in self._kept.members:
            return ""
        return f"the target has no {grantee.kind.value} {grantee.name}"

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
        if change.role not in self._held_back:
            members = sorted(self._kept.of_role(change.role))
            why = next((why for member in members if (why := self._wakes(member, change.role))), "")
            self._held_back[change.role] = why
        return self._held_back[change.role]

    def _wakes(self, who: Grantee, role: str) -> str:
        """What else would come into force for somebody who gets what a role is to have.

        Groups have members that nobody knows, each of whom has all that both have.
        """
        catalogs = {right.place.partition(".")[0] for right in self._aims[role].rights}
        for grantee, rights in sorted(self._asleep.items()):
            if grantee != who and GranteeKind.GROUP not in {grantee.kind, who.kind}:
                continue
            has = self._kept.of(who, grantee)
            for right in rights:
                if right.schema.partition(".")[0] in catalogs and not may_use(has, right.schema):
                    both = (
                        grantee_text(who)
                        if grantee == who
                        else f"{grantee_text(who)} may be {grantee_text(grantee)}, too"
                    )
                    return (
                        f"{both}, whose {right.right} by the role {right.role} is of no use now, "
                        f"and would come into force"
                    )
        return ""
