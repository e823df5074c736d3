"""Roles, users, groups and owners of a metalake, through Gravitino's REST API (1.3).

All of it is there only where the server has `gravitino.authorization.enable`; lists leave out what
the user may not see, without saying so. Servers of 1.3.0, 1.3.1 and 2.0 were asked on 2026-11-23
(tests/recorded/gravitino_rights.json): to give what is there, and to take what is not, changes
nothing and is no error; a view that is made through this API has no owner, and none is taken away.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, TypeVar

from connectors.clients.rest import NoSuchResourceError
from connectors.gravitino.rest.bodies import Body, names_of
from connectors.gravitino.rest.options import Options
from connectors.gravitino.rest.server import (
    NOBODY,
    ForbiddenError,
    GravitinoServer,
    path_of,
    persist,
)
from connectors.gravitino.rights import rights_to_read
from discovery.errors import DeniedError, ReadError
from discovery.model import Identifier
from discovery.rights.model import Grantee, GranteeKind
from discovery.rights.roles import KeptRights, KeptRole, Right, RightsStore

Found = TypeVar("Found")

_KINDS: Final = {GranteeKind.USER: "users", GranteeKind.GROUP: "groups"}
_ALL: Final = "make the user the owner of the metalake"
_UNHEEDED: Final = (
    "Gravitino 1.3.0 heeds SELECT_VIEW in its Iceberg REST service only: its own API shows every "
    "view to whoever may log in"
)


class RestRights(RightsStore):
    """The rights of a metalake."""

    def __init__(self, server: GravitinoServer, options: Options) -> None:
        self._server, self._options = server, options
        self.shared = f"{options.uri.rstrip('/')} {options.metalake}"
        self.remark = _UNHEEDED if options.server_version in {"1.3", "1.3.0"} else ""

    def rights_to_read(self, view: Identifier) -> tuple[Right, ...]:
        """The use of catalog and schema, and to select the view.

        Raises:
            NotHeldError: A name has a dot: full names are joined by dots.
        """
        return rights_to_read(view, self._options.catalog, self._options.schema_separator)

    def present(self) -> KeptRights:
        """Users and groups in two requests, roles in one each."""
        for path in (*_KINDS.values(), "roles"):
            self._insist_on_all(path)
        members = {
            Grantee(name, kind): frozenset(roles)
            for kind, path in _KINDS.items()
            for name, roles in self._list_members(path)
        }
        names = names_of(self._get("roles"), "roles")
        wanted = sorted({*names, *(role for roles in members.values() for role in roles)})
        with ThreadPoolExecutor(self._options.threads, "gravitino") as pool:
            kept_roles = pool.map(self._read_role, wanted)
            roles = {
                name: kept_role
                for name, kept_role in zip(wanted, kept_roles, strict=True)
                if kept_role is not None
            }
        return KeptRights(roles, members)

    def owners(self, views: Sequence[Identifier]) -> dict[Identifier, Grantee | None]:
        """One request each; views that are not there are left out."""
        owners = {}
        with ThreadPoolExecutor(self._options.threads, "gravitino") as pool:
            for view, answer in zip(views, pool.map(self._read_owner, views), strict=True):
                if answer is not None:
                    stated = answer.get("owner")
                    owners[view] = None if stated is None else _grantee(stated)
        return owners

    def create_role(self, role: str) -> None:
        """Make it, without privileges."""
        path_of(self._path("roles", role))  # one that could not be dropped is not made
        body = {"name": role, "properties": {}, "securableObjects": []}

        def look(unsure: bool) -> bool | None:
            return (unsure and self._read_role(role) == KeptRole()) or None

        persist(lambda: self._send("POST", ("roles",), body), look)

    def drop_role(self, role: str) -> None:
        """Drop it, with all that it has."""
        self._send_until_done("DELETE", ("roles", role))

    def change_right(self, role: str, right: Right, *, given: bool) -> None:
        """Give or revoke one privilege."""
        path = ("permissions", "roles", role, right.kind, right.place, _verb(given))
        stated = {"name": right.privilege, "condition": "ALLOW"}
        self._send_until_done("PUT", path, {"privileges": [stated]})

    def change_member(self, role: str, member: Grantee, *, given: bool) -> None:
        """Grant or revoke one role."""
        path = ("permissions", _KINDS[member.kind], member.name, _verb(given))
        self._send_until_done("PUT", path, {"roleNames": [role]})

    def set_owner(self, view: Identifier, owner: Grantee) -> None:
        """Set it."""
        stated = {"name": owner.name, "type": owner.kind.name}
        self._send_until_done("PUT", self._owner_path(view), stated)

    def _send_until_done(
        self, method: str, path: tuple[str, ...], body: Body | None = None
    ) -> None:
        """Send what may be sent twice, again if the answer was lost."""
        persist(lambda: self._send(method, path, body), lambda _: None)

    def _send(self, method: str, path: tuple[str, ...], body: Body | None = None) -> bool:
        self._server.call(method, self._path(*path), body)
        return True

    def _path(self, *parts: str) -> tuple[str, ...]:
        return ("metalakes", self._options.metalake, *parts)

    def _get(self, *path: str, **parameters: str) -> Mapping[str, Any]:
        return self._server.get(*self._path(*path), **parameters)

    def _insist_on_all(self, path: str) -> None:
        try:
            self._get(path, NOBODY)
        except NoSuchResourceError:
            return
        except ForbiddenError as error:
            why = f"{error}: it is not known which {path} there are"
            raise DeniedError(why, hint=_ALL) from error

    def _list_members(self, path: str) -> Iterator[tuple[str, list[str]]]:
        stated = self._get(path, details="true")
        yield from _parse(lambda: list(map(_member, stated[path])))

    def _read_role(self, name: str) -> KeptRole | None:
        try:
            stated = self._get("roles", name).get("role")
        except NoSuchResourceError:  # dropped since the list
            return None
        return _parse(lambda: _kept_role(stated or {}))

    def _read_owner(self, view: Identifier) -> Mapping[str, Any] | None:
        try:
            return self._get(*self._owner_path(view))
        except NoSuchResourceError:
            return None

    def _owner_path(self, view: Identifier) -> tuple[str, ...]:
        return ("owners", "VIEW", self.rights_to_read(view)[-1].place)


def _verb(given: bool) -> str:
    return "grant" if given else "revoke"


def _member(stated: Mapping[str, Any]) -> tuple[str, list[str]]:
    return _name(stated["name"]), [_name(role) for role in stated.get("roles") or ()]


def _name(stated: object) -> str:
    if not isinstance(stated, str):
        raise TypeError(f"{stated!r} is no name")
    return stated


def _kept_role(stated: Mapping[str, Any]) -> KeptRole:
    rights: dict[str, set[Right]] = {"ALLOW": set(), "DENY": set()}
    for place in stated["securableObjects"] or ():
        for privilege in place["privileges"]:
            right = Right(place["type"].upper(), place["fullName"], privilege["name"].upper())
            rights[privilege["condition"].upper()].add(right)
    return KeptRole(frozenset(rights["ALLOW"]), frozenset(rights["DENY"]))


def _grantee(stated: Mapping[str, Any]) -> Grantee:
    return _parse(lambda: Grantee(stated["name"], GranteeKind(stated["type"].lower())))


def _parse(question: Callable[[], Found]) -> Found:
    """What an answer says.

    Raises:
        ReadError: It makes no sense.
    """
    try:
        return question()
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        why = f"the server's answer about rights makes no sense: {type(error).__name__}: {error}"
        raise ReadError(why) from error
