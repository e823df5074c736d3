"""Grants of a Hive Metastore: structs of its Thrift IDL, as `list_privileges` answers.

Without a principal and with an object of no type, `list_privileges` gives every grant that the
metastore keeps (`HMSHandler.getAllPrivileges`; 2.3.10, met). The role `public` has every user
(Hive, SQL standards based authorization). The role `admin` nobody has until he sets it, whatever
roles lead to it: `SQLStdHiveAccessController.getRolesFromMS` leaves it out of the current roles.
"""

from collections.abc import Mapping
from typing import Any, Final

from discovery.rights.model import (
    EVERYBODY,
    Basis,
    Grant,
    Grantee,
    GranteeKind,
    Membership,
    privilege_of,
)

PUBLIC: Final = "public"
_ADMIN: Final = "admin"
_KINDS: Final = {1: GranteeKind.USER, 2: GranteeKind.ROLE, 3: GranteeKind.GROUP}
_GLOBAL, _DATABASE, _TABLE, _COLUMN = 1, 2, 3, 5
_LEVELS: Final = {_GLOBAL: 0, _DATABASE: 1, _TABLE: 2, _COLUMN: 3}
"""How many names the place of a grant has, by HiveObjectType; partitions have no views."""


def grantee(name: str, kind: int) -> Grantee:
    """A principal."""
    grantee_kind = _KINDS.get(kind, GranteeKind.USER)
    if grantee_kind is GranteeKind.ROLE and name == PUBLIC:
        return EVERYBODY
    return Grantee(name, grantee_kind)


def grant(stated: Mapping[str, Any]) -> Grant | None:
    """A HiveObjectPrivilege; None: it is a right on a partition."""
    where, info = stated.get("hiveObject") or {}, stated.get("grantInfo") or {}
    levels = _LEVELS.get(where.get("objectType", 0))
    if levels is None:
        return None
    names = [where.get(key) or "" for key in ("dbName", "objectName", "columnName")][:levels]
    word = str(info.get("privilege") or "")
    return Grant(
        tuple(names[:1]),
        names[1] if levels > 1 else "",
        grantee(str(stated.get("principalName") or ""), stated.get("principalType", 1)),
        privilege_of(word),
        word,
        column=names[2] if levels > 2 else None,
        grantable=bool(info.get("grantOption")),
        granted_by=info.get("grantor"),
    )


def membership(stated: Mapping[str, Any]) -> Membership:
    """A RolePrincipalGrant."""
    role = str(stated["roleName"])
    return Membership(
        grantee(role, 2),
        grantee(str(stated.get("principalName") or ""), stated.get("principalType", 1)),
        Basis.ON_DEMAND if role.casefold() == _ADMIN else Basis.ACTIVE,
        grantable=bool(stated.get("grantOption")),
        granted_by=stated.get("grantorName"),
    )
