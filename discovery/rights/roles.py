"""What a Gravitino server keeps of rights: roles, their privileges, their members, and owners.

A privilege on a metalake, catalog or schema holds for all below it; `DENY` anywhere takes it away
(`AuthorizationExpressionConverter` of 1.3.0). To read a view takes `USE_CATALOG`, `USE_SCHEMA` and
`SELECT_VIEW`, of whatever roles; or to own it, or what it is in. Roles have no roles. Who is in a
group the server learns at each login: it cannot be asked for that.
"""

import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Final, NamedTuple, Protocol

from discovery.model import Identifier
from discovery.rights.model import Grantee

USE_CATALOG: Final = "USE_CATALOG"
USE_SCHEMA: Final = "USE_SCHEMA"
SELECT_VIEW: Final = "SELECT_VIEW"
METALAKE: Final = "METALAKE"
_LETS_READ_NOTHING: Final = frozenset(
    {
        USE_CATALOG,
        USE_SCHEMA,
        "CREATE_CATALOG",
        "CREATE_ROLE",
        "MANAGE_GRANTS",
        "MANAGE_GROUPS",
        "MANAGE_USERS",
        "CREATE_TAG",
        "APPLY_TAG",
        "CREATE_POLICY",
        "APPLY_POLICY",
        "REGISTER_JOB_TEMPLATE",
        "USE_JOB_TEMPLATE",
        "RUN_JOB",
    }
)
"""Privileges of 1.3 that open nothing in a schema that can be used; any other may."""
_SEPARATORS: Final = re.compile(r"[:;$|~@]")
"""What may join the levels of a nested schema; no name has one of them."""


class Right(NamedTuple):
    """A privilege on something at a server.

    Attributes:
        kind: What it is on, by the server's word: `METALAKE`, `CATALOG`, `SCHEMA`, `VIEW`…
        place: That, by its full name: catalog, schema and view, joined by dots.
        privilege: By the server's word.
    """

    kind: str
    place: str
    privilege: str

    def __str__(self) -> str:
        """For people."""
        return f"{self.privilege} on {self.place}"


@dataclass(frozen=True, slots=True)
class KeptRole:
    """A role at a server.

    Attributes:
        allowed: What it lets do.
        denied: What it forbids, whatever others allow.
    """

    allowed: frozenset[Right] = frozenset()
    denied: frozenset[Right] = frozenset()


@dataclass(frozen=True, slots=True)
class KeptRights:
    """What a server has of rights.

    Attributes:
        roles: By name.
        members: Every user and group that is there, with the names of its roles.
    """

    roles: Mapping[str, KeptRole] = field(default_factory=dict)
    members: Mapping[Grantee, frozenset[str]] = field(default_factory=dict)

    def of_role(self, role: str) -> frozenset[Grantee]:
        """The members of a role."""
        return frozenset(grantee for grantee, roles in self.members.items() if role in roles)

    def of(self, *who: Grantee) -> KeptRole:
        """What somebody has of all roles; of several, as one who is all of them."""
        names = {role for grantee in who for role in self.members.get(grantee, ())}
        held = [self.roles.get(name, KeptRole()) for name in names]
        return KeptRole(
            frozenset(right for kept_role in held for right in kept_role.allowed),
            frozenset(right for kept_role in held for right in kept_role.denied),
        )


@dataclass(frozen=True, slots=True)
class RoleAim:
    """What a role is to have: its privileges, and its members."""

    rights: frozenset[Right] = frozenset()
    members: frozenset[Grantee] = frozenset()


class RightsStore(Protocol):
    """What a store keeps rights in.

    Attributes:
        shared: Names what its roles are of: targets with the same have the same roles.
        remark: What of rights the server does not heed; empty: nothing is known.
    """

    shared: str
    remark: str

    def rights_to_read(self, view: Identifier) -> tuple[Right, ...]:
        """What it takes to read a view. No I/O."""

    def present(self) -> KeptRights:
        """All that is there. Does I/O.

        Raises:
            BelvedereError: It cannot be read, or we are not shown all of it; says why.
        """

    def owners(self, views: Sequence[Identifier]) -> dict[Identifier, Grantee | None]:
        """The owners of those of the views that are there; None: it has no owner. Does I/O.

        Raises:
            BelvedereError: They cannot be read.
        """

    def create_role(self, role: str) -> None:
        """Make a role that has nothing. Does I/O.

        Raises:
            CollisionError: There is one of this name by now.
            BelvedereError: It was refused, or there was no answer.
        """

    def drop_role(self, role: str) -> None:
        """Drop a role. Does I/O.

        Raises:
            BelvedereError: It was refused, or there was no answer.
        """

    def change_right(self, role: str, right: Right, *, given: bool) -> None:
        """Give a privilege to a role, or take it away. Does I/O.

        Raises:
            BelvedereError: It was refused, or there was no answer.
        """

    def change_member(self, role: str, member: Grantee, *, given: bool) -> None:
        """Make a user or group a member of a role, or no member. Does I/O.

        Raises:
            BelvedereError: It was refused, or there was no answer.
        """

    def set_owner(self, view: Identifier, owner: Grantee) -> None:
        """Make somebody the owner of a view. Does I/O.

        Raises:
            BelvedereError: It was refused, or there was no answer.
        """


def strange(role: KeptRole, members: AbstractSet[Grantee], aim: RoleAim) -> str:
    """What a role that is there has and is not to have; empty: nothing.

    Whoever gets such a role would get that, too, or others would get what the role is given.
    """
    if denied := sorted(role.denied):
        return f"it denies {denied[0]}"
    if excess := sorted(role.allowed - aim.rights):
        return f"it has {excess[0]} already"
    if others := sorted(members - aim.members):
        return f"the {others[0].kind.value} {others[0].name} is a member of it already"
    return ""


class Asleep(NamedTuple):
    """A right that is of no use to who has it, as it takes the use of what it is in.

    Attributes:
        role: Of which somebody has it.
        right: That.
        schema: What cannot be used, by its full name.
    """

    role: str
    right: Right
    schema: str


def asleep(
    kept: KeptRights, ignored: AbstractSet[str], schemas: AbstractSet[str]
) -> dict[Grantee, tuple[Asleep, ...]]:
    """Who has rights that are of no use now, and which: they may come into force.

    Args:
        kept: What the server has.
        ignored: Roles of which nothing is looked at.
        schemas: The schemas that will be used.
    """
    by_grantee = {}
    for grantee, roles in kept.members.items():
        has = kept.of(grantee)
        rights = [
            Asleep(role, right, schema)
            for role in sorted(roles - ignored)
            for right in sorted(kept.roles.get(role, KeptRole()).allowed)
            if right.privilege not in _LETS_READ_NOTHING
            for schema in _about(right, schemas)
            if not may_use(has, schema)
        ]
        if rights:
            by_grantee[grantee] = tuple(rights)
    return by_grantee


def reads(has: KeptRole, view: Sequence[Right]) -> bool:
    """Whether privileges let read a view.

    Args:
        has: All that somebody has.
        view: What it takes.
    """
    return all(_has_right(has, right) for right in view)


def _has_right(has: KeptRole, right: Right) -> bool:
    def covers(held: Right) -> bool:
        above = held.kind == METALAKE or right.place.startswith(f"{held.place}.")
        return held.privilege == right.privilege and (above or held.place == right.place)

    return any(map(covers, has.allowed)) and not any(map(covers, has.denied))


def may_use(has: KeptRole, schema: str) -> bool:
    """Whether privileges let use a schema, which is named in full."""
    catalog = schema.partition(".")[0]
    return _has_right(has, Right("CATALOG", catalog, USE_CATALOG)) and _has_right(
        has, Right("SCHEMA", schema, USE_SCHEMA)
    )


def _about(right: Right, schemas: AbstractSet[str]) -> list[str]:
    """The schemas that a privilege may be about: its own, or of those that may be used."""
    own = _schema(right.place)
    if right.kind != METALAKE and own:
        near = {schema for schema in schemas if _outermost(schema) == _outermost(own)}
        return sorted({own} | (near if right.place == own else set()))
    above = "" if right.kind == METALAKE else f"{right.place}."
    return sorted(schema for schema in schemas if schema.startswith(above))


def _schema(place: str) -> str:
    """The schema of a full name; empty: it has none."""
    return ".".join(place.split(".")[:2]) if "." in place else ""


def _outermost(schema: str) -> str:
    """The full name of the schema that a nested one is in."""
    return _SEPARATORS.split(schema)[0]
