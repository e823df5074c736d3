"""Roles, users, groups and owners of our stand-in for Gravitino.

It answers as servers of 1.3.0, 1.3.1 and 2.0 have answered (`gravitino_rights.json`): a test
compares.
"""

from dataclasses import dataclass, field
from typing import Any, Final

from tests.gravitino_catalogs import Json, Refused, insist_on_object, missing

PARTS: Final = ("users", "groups", "roles", "permissions", "owners")
_LEVELS: Final = {"METALAKE": 0, "CATALOG": 1, "SCHEMA": 2, "VIEW": 3}
_BINDS: Final = {"USE_CATALOG": (0, 1), "USE_SCHEMA": (0, 1, 2), "SELECT_VIEW": (0, 1, 2, 3)}
_OFF: Final = (
    "You should set 'gravitino.authorization.enable' to true in the server side `gravitino.conf` "
    "to enable the authorization of the system, otherwise these interfaces can't work."
)


@dataclass
class Rights:
    """What a server with authorization keeps.

    Attributes:
        on: Whether it has authorization.
        owner: Of the metalake.
        members: `users` and `groups`: names with their roles.
        roles: Names with what they may: type, full name, privilege, condition.
        owners: Of views by full name.
        groups_shown: Whether everybody may see all groups, as in 1.3.0.
    """

    on: bool = False
    owner: str = "admin"
    members: dict[str, dict[str, list[str]]] = field(
        default_factory=lambda: {"users": {"admin": []}, "groups": {}}
    )
    roles: dict[str, list[tuple[str, str, str, str]]] = field(default_factory=dict)
    owners: dict[str, Json] = field(default_factory=dict)
    groups_shown: bool = True

    def answered(
        self, who: str, method: str, parts: list[str], body: Any, entities: dict[Any, Json]
    ) -> Json:
        """What it says of a path below the metalake `m`."""
        if parts[0] == "owners":
            return self._owned(method, parts[1], parts[2], body, entities)
        if not self.on:
            raise Refused(1006, "UnsupportedOperationException", _OFF)
        if parts[0] == "permissions":
            return self._permitted(parts[1:], body, entities)
        if parts[0] == "roles":
            return self._role(who, method, parts[1:], body)
        return self._people(who, method, *parts, body=body)

    def _may(self, who: str, place: str, act: str) -> None:
        if who != self.owner:
            why = f"User '{who}' is not authorized to perform operation '{act}' on '{place}'"
            raise Refused(1008, "ForbiddenException", why)

    def _people(self, who: str, method: str, kind: str, *name: str, body: Any) -> Json:
        singular, members = kind[:-1], self.members[kind]
        if method == "POST":
            self._may(who, "m", f"add{singular.title()}")
            if body["name"] in members:
                why = f"{singular.title()} {body['name']} in the metalake m already exists"
                raise Refused(1004, f"{singular.title()}AlreadyExistsException", why)
            members[body["name"]] = []
            return {singular: _member(body["name"], [])}
        if name:
            if kind == "users" or not self.groups_shown:
                self._may(who, "m", f"get{singular.title()}")
            if name[0] not in members:
                raise missing(singular.title(), name[0])
            return {singular: _member(name[0], members[name[0]])}
        all_shown = who == self.owner or (kind == "groups" and self.groups_shown)
        shown = {key: roles for key, roles in members.items() if all_shown or key == who}
        return {kind: [_member(*item) for item in shown.items()]}

    def _role(self, who: str, method: str, name: list[str], body: Any) -> Json:
        if method == "POST":
            self._may(who, "m", "createRole")
            if body["name"] in self.roles:
                why = f"Role {body['name']} in the metalake m already exists"
                raise Refused(1004, "RoleAlreadyExistsException", why)
            self.roles[body["name"]] = []
            return {"role": self._shown(body["name"])}
        if not name:
            held = self.members["users"].get(who, [])
            return {"names": [role for role in self.roles if who == self.owner or role in held]}
        if method == "DELETE":
            gone = self.roles.pop(name[0], None) is not None
            for roles in (granted for kind in self.members.values() for granted in kind.values()):
                roles[:] = [role for role in roles if role != name[0]]
            return {"dropped": gone, "deleted": gone}
        self._may(who, "m", "getRole")
        return {"role": self._shown(name[0])}

    def _shown(self, name: str) -> Json:
        if name not in self.roles:
            raise missing("Role", name)
        places: dict[tuple[str, str], list[Json]] = {}
        for kind, place, privilege, condition in self.roles[name]:
            entry = {"name": privilege.lower(), "condition": condition.lower()}
            places.setdefault((kind, place), []).append(entry)
        shown = [
            {"type": kind.lower(), "privileges": privileges, "fullName": place}
            for (kind, place), privileges in places.items()
        ]
        return {"name": name, "properties": {}, "securableObjects": shown}

    def _permitted(self, parts: list[str], body: Any, entities: dict[Any, Json]) -> Json:
        kind, name, verb = parts[0], parts[1], [part for part in parts if part][-1]
        if kind == "roles":
            return self._privileged(name, parts[2].upper(), parts[3], body, verb, entities)
        singular = kind[:-1]
        for role in body["roleNames"]:
            if role not in self.roles:
                raise Refused(1001, "IllegalRoleException", f"Role {role} does not exist")
            if name not in self.members[kind]:
                raise missing(singular.title(), name)
            held = self.members[kind][name]
            held[:] = [*(each for each in held if each != role), *([role] * (verb == "grant"))]
        return {singular: _member(name, self.members[kind][name])}

    def _privileged(
        self, role: str, kind: str, place: str, body: Any, verb: str, entities: dict[Any, Json]
    ) -> Json:
        for privilege in body["privileges"]:
            if _LEVELS[kind] not in _BINDS.get(privilege["name"], ()):
                why = f"Securable object {place} type {kind} don't support binding privilege"
                raise Refused(1001, "IllegalPrivilegeException", why)
        insist_on_object(kind, place, entities)
        if role not in self.roles:
            raise missing("Role", role)
        for privilege in body["privileges"]:
            right = (kind, place, privilege["name"], privilege["condition"])
            if verb == "grant" and right not in self.roles[role]:
                self.roles[role].append(right)
            if verb == "revoke" and right in self.roles[role]:
                self.roles[role].remove(right)
        return {"role": self._shown(role)}

    def _owned(
        self, method: str, kind: str, place: str, body: Any, entities: dict[Any, Json]
    ) -> Json:
        insist_on_object(kind, place, entities)
        if method == "PUT":
            if body["name"] not in self.members[f"{body['type'].lower()}s"]:
                why = f"Metadata object {place} or owner {body['name']} is not found"
                raise Refused(1003, "NotFoundException", why)
            self.owners[place] = {"name": body["name"], "type": body["type"].lower()}
            return {"set": True}
        return {"owner": self.owners[place]} if place in self.owners else {}

    def dropped(self, place: str) -> None:
        """Forget what is known of a view that is gone."""
        self.owners.pop(place, None)
        for role, rights in self.roles.items():
            self.roles[role] = [right for right in rights if right[1] != place]


def _member(name: str, roles: list[str]) -> Json:
    return {"name": name, "audit": {}, "roles": [*roles]}
