"""Grants of PostgreSQL (13 to 18): rows of its catalog, whose access lists were made rows there.

Where nothing was granted or revoked, the list is null and the owner has everything (documentation
of PostgreSQL, "Privileges"); `acldefault` spells that out, so an owner who has revoked his own
rights has none here, either.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from discovery.rights.model import (
    EVERYBODY,
    Basis,
    Grant,
    Grantee,
    GranteeKind,
    Membership,
    Privilege,
    privilege_of,
)

READ_ALL: Final = "pg_read_all_data"
"""Since 14 a role that has SELECT on every view and USAGE on every schema."""
WRITE_ALL: Final = "pg_write_all_data"
"""Since 14 a role that has USAGE on every schema, too."""
_BUILT_IN: Final = {
    READ_ALL: (Privilege.SELECT, Privilege.USAGE),
    WRITE_ALL: (Privilege.MODIFY, Privilege.USAGE),
}


def role(name: str | None, *, logs_in: bool | None) -> Grantee:
    """A role; one that may log in is a user to people. None: everybody."""
    if name is None:
        return EVERYBODY
    return Grantee(name, GranteeKind.USER if logs_in else GranteeKind.ROLE)


def grant(schema: str, row: Mapping[str, Any]) -> Grant:
    """A row of an access list of a schema, of a view in it, or of a column of one."""
    word = str(row["privilege"])
    return Grant(
        (schema,),
        row["name"] or "",
        role(row["grantee"], logs_in=row["logs_in"]),
        privilege_of(word),
        word,
        column=row["column"],
        basis=Basis.OWNER if row["is_owner"] else Basis.GRANTED,
        grantable=bool(row["grantable"]),
        granted_by=row["grantor"],
    )


def of_role(row: Mapping[str, Any]) -> Iterator[Grant]:
    """What a role may do everywhere, by itself."""
    grantee = role(row["name"], logs_in=row["logs_in"])
    if row["is_super"]:
        yield Grant((), "", grantee, Privilege.ALL, "SUPERUSER", basis=Basis.ADMINISTRATOR)
    for privilege in _BUILT_IN.get(grantee.name, ()):
        yield Grant((), "", grantee, privilege, grantee.name, basis=Basis.SYSTEM)


def memberships(row: Mapping[str, Any]) -> Iterator[Membership]:
    """A row of `pg_auth_members`; none where the member can neither inherit nor set the role.

    What a superuser may do is not inherited: its members have to set the role.
    """
    held = role(row["role"], logs_in=row["role_logs_in"])
    member = role(row["member"], logs_in=row["member_logs_in"])
    active = Basis.ACTIVE if row["sets"] else Basis.INHERITED
    bases = [active] if row["inherits"] else []
    if row["sets"] and (row["role_is_super"] or not bases):
        bases.append(Basis.ON_DEMAND)
    for basis in bases:
        yield Membership(held, member, basis, bool(row["grantable"]), row["grantor"])
