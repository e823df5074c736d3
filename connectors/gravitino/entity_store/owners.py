"""Owners of what is loaded, as users of the metalake."""

from collections.abc import Mapping, Sequence
from typing import Final

from sqlalchemy import Connection, select

from connectors.gravitino import cells
from connectors.gravitino.entity_store import bulk, rows
from connectors.gravitino.entity_store.options import Options
from connectors.gravitino.entity_store.tables import OWNER, USER
from discovery.model import Audit

_OWNER: Final = (
    "metalake_id",
    "owner_id",
    "owner_type",
    "metadata_object_id",
    "metadata_object_type",
    "audit_info",
    "updated_at",
)


LONGEST: Final = 128  # characters of the name of a user


def is_name(creator: str) -> bool:
    """Whether a row of a user has room for a name."""
    return len(creator) <= LONGEST and "\0" not in creator


def own(
    connection: Connection, options: Options, metalake: int, kind: str, owned: Mapping[int, str]
) -> None:
    """Give entities their owners, if the options say so; users that are missing are made.

    Args:
        connection: In a transaction.
        options: `owners` decides.
        metalake: Its id.
        kind: `SCHEMA` or `VIEW`.
        owned: Names of the users by ids of the entities.
    """
    if not options.owners or not owned:
        return
    users = _ensure_users(connection, options, metalake, sorted(set(owned.values())))
    audit, time = cells.audit_cell(Audit()), rows.now()
    relations = [
        (metalake, users[name], "USER", entity, kind, audit, time) for entity, name in owned.items()
    ]
    bulk.insert_rows(connection, OWNER, _OWNER, relations)


def _ensure_users(
    connection: Connection, options: Options, metalake: int, wanted: Sequence[str]
) -> dict[str, int]:
    query = select(USER.c.user_name, USER.c.user_id).where(
        USER.c.metalake_id == metalake, USER.c.deleted_at == 0, USER.c.user_name.in_(wanted)
    )
    ids = {row.user_name: row.user_id for row in connection.execute(query)}
    missing: dict[rows.Path, int | None] = {
        (options.metalake, name): None for name in wanted if name not in ids
    }
    audit = cells.audit_cell(Audit())
    for path, identity in rows.identities(connection, USER, missing).items():
        values = {"user_name": path[1], "metalake_id": metalake, "audit_info": audit}
        stamped = {**values, "updated_at": rows.now()}
        ids[path[1]] = rows.insert_one(connection, USER, identity, stamped)
    return ids
