"""Roles, their members and owners, written into Gravitino's relational store as 1.3.0 does it.

One row of `role_meta_securable_object` has all privileges of a role on one thing; a change marks it
as deleted and inserts another, and sets `updated_at` of role, user or group, by which a server that
runs notices it. Users and groups are never made here.
"""

from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractContextManager
from typing import Final

from sqlalchemy import Connection, insert, select

from connectors.gravitino import cells, rights
from connectors.gravitino.entity_store import bulk, parents, right_rows, rows
from connectors.gravitino.entity_store.options import Options
from connectors.gravitino.entity_store.right_rows import MEMBERS
from connectors.gravitino.entity_store.tables import (
    GROUP_ROLE,
    METALAKE,
    OWNER,
    ROLE,
    SECURABLE,
    USER_ROLE,
    VIEW,
)
from discovery.errors import CollisionError, StoreError
from discovery.model import Audit, Identifier
from discovery.rights.model import Grantee
from discovery.rights.roles import KeptRights, Right, RightsStore

_VIEW: Final = "VIEW"
_REMARK: Final = (
    "a server that runs goes on with what it has read of rights, for an hour unless its "
    "gravitino.cache.enabled is false: start it anew; whether it has authorization on, its store "
    "does not tell"
)


class StoredRights(RightsStore):
    """The rights of a metalake, as rows.

    Args:
        options: Of the store.
        begin: Opens a transaction.
        list_tables: Those of the database.
    """

    def __init__(
        self,
        options: Options,
        begin: Callable[[], AbstractContextManager[Connection]],
        list_tables: Callable[[Connection], frozenset[str]],
    ) -> None:
        self.shared, self.remark = f"{options.url} {options.metalake}", _REMARK
        self._options, self._begin, self._list_tables = options, begin, list_tables

    def rights_to_read(self, view: Identifier) -> tuple[Right, ...]:
        """The use of catalog and schema, and to select the view.

        Raises:
            NotHeldError: A name has a dot: full names are joined by dots.
        """
        return rights.rights_to_read(view, self._options.catalog, self._options.schema_separator)

    def present(self) -> KeptRights:
        """All live roles, users and groups of the metalake, in a handful of selects."""
        with self._begin() as connection:
            metalake = self._find_metalake(connection)
            if metalake is None:
                return KeptRights()
            roles = right_rows.roles(connection, metalake, self._options.schema_separator)
            return KeptRights(roles, dict(right_rows.members(connection, metalake)))

    def owners(self, views: Sequence[Identifier]) -> dict[Identifier, Grantee | None]:
        """By the rows of the views; views without one are left out."""
        with self._begin() as connection:
            ids = self._find_views(connection, views) if self._find_metalake(connection) else {}
            owners: dict[int, Grantee] = {}
            for kind, (meta, _, key, name) in MEMBERS.items() if ids else ():
                query = (
                    select(OWNER.c.metadata_object_id, meta.c[name])
                    .join(meta, meta.c[key] == OWNER.c.owner_id)
                    .where(*rows.is_live(OWNER, owner_type=kind.name, metadata_object_type=_VIEW))
                    .where(*rows.are_live(meta))
                    .where(bulk.is_among(OWNER.c.metadata_object_id, [*ids.values()], connection))
                )
                owners |= {
                    view_id: Grantee(who, kind) for view_id, who in connection.execute(query)
                }
        return {view: owners.get(id_) for view, id_ in ids.items()}

    def create_role(self, role: str) -> None:
        """Insert it, without privileges and owner."""
        path = (self._options.metalake, role)
        with self._begin() as connection:
            metalake = _require_id(
                self._find_metalake(connection), f"metalake {self._options.metalake}"
            )
            if self._lock_role(connection, role) is not None:
                raise CollisionError(f"there is a role {role} by now")
            values = {
                "role_name": role,
                "metalake_id": metalake,
                "properties": "{}",
                "audit_info": cells.audit_cell(Audit()),
                "updated_at": rows.now(),
            }
            identity = rows.identities(connection, ROLE, {path: None})[path]
            rows.insert_one(connection, ROLE, identity, values)

    def drop_role(self, role: str) -> None:
        """Mark it, its privileges, members and owner as deleted."""
        with self._begin() as connection:
            key = self._lock_role(connection, role)
            if key is None:
                return
            for table in (ROLE, SECURABLE, USER_ROLE, GROUP_ROLE):
                rows.delete(connection, table, role_id=key)
            rows.delete(connection, OWNER, metadata_object_id=key, metadata_object_type="ROLE")

    def change_right(self, role: str, right: Right, *, given: bool) -> None:
        """Write the row of the role's privileges on one thing anew."""
        with self._begin() as connection:
            key, object_id = self._lock_role(connection, role), self._find_object(connection, right)
            if not given and None in {key, object_id}:
                return
            key, object_id = (
                _require_id(key, f"role {role}"),
                _require_id(object_id, f"row of {right.place}"),
            )
            criteria = {"role_id": key, "metadata_object_id": object_id, "type": right.kind}
            query = select(SECURABLE).where(*rows.is_live(SECURABLE, **criteria))
            held = connection.execute(query).mappings()
            privileges = [privilege for row in held for privilege in right_rows.privileges(row)]
            asked = (right.privilege, True)
            if (asked in privileges) == given:
                return
            wanted = (
                [*privileges, asked]
                if given
                else [privilege for privilege in privileges if privilege != asked]
            )
            rows.delete(connection, SECURABLE, **criteria)
            if wanted:
                stated = right_rows.privilege_cells(wanted)
                connection.execute(insert(SECURABLE).values(**criteria, **stated))
            rows.touch(connection, ROLE, role_id=key)

    def change_member(self, role: str, member: Grantee, *, given: bool) -> None:
        """Insert the relation, or mark it as deleted."""
        meta, relation, name_of_key, _ = MEMBERS[member.kind]
        with self._begin() as connection:
            key, member_id = (
                self._lock_role(connection, role),
                self._find_member(connection, member),
            )
            if not given and None in {key, member_id}:
                return
            key, member_id = (
                _require_id(key, f"role {role}"),
                _require_id(member_id, f"{member.kind} {member.name}"),
            )
            criteria = {name_of_key: member_id, "role_id": key}
            query = select(relation.c.id).where(*rows.is_live(relation, **criteria))
            if (connection.execute(query).first() is not None) == given:
                return
            if given:
                audit = cells.audit_cell(Audit())
                connection.execute(insert(relation).values(**criteria, audit_info=audit))
            else:
                rows.delete(connection, relation, **criteria)
            rows.touch(connection, meta, **{name_of_key: member_id})

    def set_owner(self, view: Identifier, owner: Grantee) -> None:
        """Write the row of the view's owner anew."""
        with self._begin() as connection:
            owner_id = _require_id(
                self._find_member(connection, owner), f"{owner.kind} {owner.name}"
            )
            object_id = _require_id(
                self._find_views(connection, [view]).get(view), f"row of {view}"
            )
            owned = {"metadata_object_id": object_id, "metadata_object_type": _VIEW}
            rows.delete(connection, OWNER, **owned)
            values = {
                **owned,
                "metalake_id": self._find_metalake(connection),
                "owner_id": owner_id,
                "owner_type": owner.kind.name,
                "audit_info": cells.audit_cell(Audit()),
                "updated_at": rows.now(),
            }
            connection.execute(insert(OWNER).values(**values))

    def _find_metalake(self, connection: Connection) -> int | None:
        """Its id; None: it is not there, or the tables of rights are not."""
        if not {METALAKE.name, ROLE.name} <= self._list_tables(connection):
            return None
        conditions = rows.is_live(METALAKE, metalake_name=self._options.metalake)
        return connection.execute(select(METALAKE.c.metalake_id).where(*conditions)).scalar()

    def _lock_role(self, connection: Connection, role: str) -> int | None:
        """Its id; its row is ours until the transaction ends."""
        conditions = rows.is_live(ROLE, metalake_id=self._find_metalake(connection), role_name=role)
        query = select(ROLE.c.role_id).where(*conditions).with_for_update()
        return connection.execute(query).scalar()

    def _find_member(self, connection: Connection, member: Grantee) -> int | None:
        meta, _, key, name = MEMBERS[member.kind]
        having = {"metalake_id": self._find_metalake(connection), name: member.name}
        return connection.execute(select(meta.c[key]).where(*rows.is_live(meta, **having))).scalar()

    def _find_object(self, connection: Connection, right: Right) -> int | None:
        """The id of what a right is on that a view needs."""
        catalog = parents.catalog_of(connection, self._options)
        _, *rest = right.place.split(".")
        if catalog is None or not rest:
            return None if catalog is None else catalog["catalog_id"]
        levels = tuple(rest[0].split(self._options.schema_separator))
        if rest[1:]:
            place = Identifier(levels, rest[1])
            return self._find_views(connection, [place]).get(place)
        return parents.schemas_of(connection, catalog, [levels]).get(levels, {}).get("schema_id")

    def _find_views(
        self, connection: Connection, views: Collection[Identifier]
    ) -> dict[Identifier, int]:
        """The ids of those that have rows."""
        catalog = parents.catalog_of(connection, self._options)
        spaces = parents.schemas_of(connection, catalog, {view.namespace for view in views})
        places = {
            (spaces[view.namespace]["schema_id"], view.name): view
            for view in views
            if view.namespace in spaces
        }
        if not places:
            return {}
        query = select(VIEW.c.schema_id, VIEW.c.view_name, VIEW.c.view_id).where(
            bulk.are_among(VIEW.c.schema_id, VIEW.c.view_name, sorted(places), connection),
            VIEW.c.deleted_at == 0,
        )
        return {places[schema, name]: key for schema, name, key in connection.execute(query)}


def _require_id(key: int | None, what: str) -> int:
    """What has to be there by now.

    Raises:
        StoreError: It is not.
    """
    if key is None:
        raise StoreError(f"the store has no {what} by now")
    return key
