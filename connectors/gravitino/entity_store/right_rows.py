"""What the rows of Gravitino's relational store say of roles, their privileges and members."""

import json
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, Connection, RowMapping, Table, column, select, table

from connectors.gravitino import cells, names
from connectors.gravitino.entity_store import rows
from connectors.gravitino.entity_store.tables import (
    CATALOG,
    GROUP,
    GROUP_ROLE,
    METALAKE,
    ROLE,
    SCHEMA,
    SECURABLE,
    USER,
    USER_ROLE,
)
from discovery.errors import StoreError
from discovery.rights.model import Grantee, GranteeKind
from discovery.rights.roles import KeptRole, Right

_IN_SCHEMAS: Final = ("TABLE", "VIEW", "FILESET", "TOPIC", "MODEL", "FUNCTION")
_ELSEWHERE: Final = ("ROLE", "TAG", "POLICY", "JOB", "JOB_TEMPLATE")
"""What is in no catalog, so that no right on it is about a view; its id stands for its name."""


class MemberTables(NamedTuple):
    """Where the users, or groups, of a metalake are, and their roles."""

    meta: Table
    relation: Table
    key: str
    name: str


MEMBERS: Final = {
    GranteeKind.USER: MemberTables(USER, USER_ROLE, "user_id", "user_name"),
    GranteeKind.GROUP: MemberTables(GROUP, GROUP_ROLE, "group_id", "group_name"),
}


class _FullName(NamedTuple):
    """The parts of a full name, catalog, schema, thing, as far as it has them, and where."""

    parts: Sequence[ColumnElement[Any]]
    where: Sequence[ColumnElement[bool]]


def roles(connection: Connection, metalake: int, separator: str) -> dict[str, KeptRole]:
    """Every role of a metalake; what is on something that is gone is left out, as by a server.

    Args:
        connection: In a transaction.
        metalake: Its id.
        separator: The server's, of levels.

    Raises:
        StoreError: A right is on something that we cannot place, or its cells make no sense.
    """
    query = select(ROLE.c.role_name).where(*rows.is_live(ROLE, metalake_id=metalake))
    called = connection.execute(query).scalars().all()
    allowed: dict[str, set[Right]] = {name: set() for name in called}
    denied: dict[str, set[Right]] = {name: set() for name in called}
    for role, right, is_allowed in _read_rights(connection, metalake, separator):
        (allowed if is_allowed else denied)[role].add(right)
    return {
        name: KeptRole(frozenset(rights), frozenset(denied[name]))
        for name, rights in allowed.items()
    }


def members(connection: Connection, metalake: int) -> Iterator[tuple[Grantee, frozenset[str]]]:
    """Every user and group of a metalake, and its roles."""
    for kind, (meta, relation, key, name) in MEMBERS.items():
        of_role = (
            select(relation.c[key], ROLE.c.role_name)
            .join(ROLE, ROLE.c.role_id == relation.c.role_id)
            .where(*rows.is_live(ROLE, metalake_id=metalake), *rows.are_live(relation))
        )
        held: dict[int, set[str]] = {}
        for member, role in connection.execute(of_role):
            held.setdefault(member, set()).add(role)
        live = rows.is_live(meta, metalake_id=metalake)
        for member, who in connection.execute(select(meta.c[key], meta.c[name]).where(*live)):
            yield Grantee(who, kind), frozenset(held.get(member, ()))


def privileges(row: RowMapping) -> list[tuple[str, bool]]:
    """The privileges of a row, and whether each is allowed or denied.

    Raises:
        StoreError: They make no sense.
    """
    try:
        stated = json.loads(row["privilege_names"]), json.loads(row["privilege_conditions"])
        return [
            (name.upper(), {"ALLOW": True, "DENY": False}[condition.upper()])
            for name, condition in zip(*stated, strict=True)
        ]
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        why = f"row {row['id']} of {SECURABLE.name} makes no sense: {type(error).__name__}: {error}"
        raise StoreError(why) from None


def privilege_cells(stated: Sequence[tuple[str, bool]]) -> dict[str, str]:
    """The inverse of `privileges`."""
    conditions = ["ALLOW" if is_allowed else "DENY" for _, is_allowed in stated]
    named = cells.json_cell([name for name, _ in stated])
    return {"privilege_names": named, "privilege_conditions": cells.json_cell(conditions)}


def _read_rights(
    connection: Connection, metalake: int, separator: str
) -> Iterator[tuple[str, Right, bool]]:
    """Roles, what each has, and whether that is allowed or denied."""
    of_metalake = rows.is_live(ROLE, metalake_id=metalake)
    conditions = (ROLE.c.role_id == SECURABLE.c.role_id, *of_metalake, *rows.are_live(SECURABLE))
    kinds = (
        connection.execute(select(SECURABLE.c.type).distinct().where(*conditions)).scalars().all()
    )
    for kind in sorted(kinds):
        place = _place(kind)
        query = select(SECURABLE, ROLE.c.role_name, *place.parts)
        located = query.where(*conditions, SECURABLE.c.type == kind, *place.where)
        for row in connection.execute(located).mappings():
            first, *rest = (str(row[part]) for part in place.parts)
            levels = (separator.join(names.levels_of(schema)) for schema in rest[:1])
            full = ".".join((first, *levels, *rest[1:]))
            for privilege, is_allowed in privileges(row):
                yield row["role_name"], Right(kind, full, privilege), is_allowed


def _place(kind: str) -> _FullName:
    """Where the name of what a right of some kind is on stands."""
    object_id = SECURABLE.c.metadata_object_id
    if kind in _ELSEWHERE:
        return _FullName([object_id], [])
    if kind == "METALAKE":
        return _FullName([METALAKE.c.metalake_name], [METALAKE.c.metalake_id == object_id])
    where = [*rows.are_live(CATALOG)]
    if kind == "CATALOG":
        return _FullName([CATALOG.c.catalog_name], [*where, CATALOG.c.catalog_id == object_id])
    parts = [CATALOG.c.catalog_name, SCHEMA.c.schema_name]
    where += [*rows.are_live(SCHEMA), SCHEMA.c.catalog_id == CATALOG.c.catalog_id]
    if kind == "SCHEMA":
        return _FullName(parts, [*where, SCHEMA.c.schema_id == object_id])
    if kind not in _IN_SCHEMAS:
        why = f"a role has a right on something of kind {kind}, which this version cannot place"
        raise StoreError(why)
    name = kind.lower()
    columns = (f"{name}_id", f"{name}_name", "schema_id", "deleted_at")
    held = table(f"{name}_meta", *map(column, columns)).c
    where += [held[f"{name}_id"] == object_id, held.schema_id == SCHEMA.c.schema_id]
    return _FullName([*parts, held[f"{name}_name"]], [*where, held.deleted_at == 0])
