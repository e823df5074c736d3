"""Rows of any of the store's tables: ids that are free, and what a running server is told."""

import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    Connection,
    Table,
    bindparam,
    column,
    insert,
    select,
    table,
    update,
)

from connectors.gravitino import cells
from connectors.gravitino.entity_store import bulk
from connectors.gravitino.entity_store.options import Options
from connectors.gravitino.entity_store.tables import CHANGE_LOG
from discovery.errors import MovedError, NotHeldError

_RELATIONS: Final = {  # tables that refer to entities, and their columns of the kind
    "owner_meta": "metadata_object_type",
    "role_meta_securable_object": "type",
    "tag_relation_meta": "metadata_object_type",
    "policy_relation_meta": "metadata_object_type",
    "statistic_meta": "metadata_object_type",
}
Path = tuple[str, ...]
"""The full name of an entity: metalake, catalog, levels of the schema, view."""


def now() -> int:
    """Milliseconds since the epoch."""
    return time.time_ns() // 1_000_000


def identities(
    connection: Connection, table: Table, wanted: Mapping[Path, int | None]
) -> dict[Path, tuple[int, bool]]:
    """An id for each new row, and whether a deleted row has it, which then is to be taken again.

    An id follows from the full name, unless it is given, so that every load gives the same. Where
    a live row has it, as one that was renamed keeps its own, it follows from the name and a number.

    Raises:
        NotHeldError: A live row has an id that is given.
    """
    kind, key = table.name.removesuffix("_meta"), next(iter(table.primary_key.columns))
    chosen: dict[Path, tuple[int, bool]] = {}
    left, number = dict(wanted), 0
    while left:
        suffix = (str(number),) if number else ()
        ids = {path: given or cells.identity(kind, *path, *suffix) for path, given in left.items()}
        among = bulk.is_among(key, list(ids.values()), connection)
        query = select(key, table.c.deleted_at).where(among)
        taken = {id_: deleted != 0 for id_, deleted in connection.execute(query)}
        for path, id_ in ids.items():
            if taken.get(id_, True):
                chosen[path] = id_, id_ in taken
                del left[path]
            elif left[path] is not None:
                why = f"another live {kind} has its id {id_}, which {cells.IDENTIFIER} names"
                raise NotHeldError(why, view=".".join(path[2:]))
        number += 1
    return chosen


def insert_one(
    connection: Connection, table: Table, identity: tuple[int, bool], values: Mapping[str, Any]
) -> int:
    """Insert a row, or take a deleted one again; its id."""
    number, is_deleted = identity
    if is_deleted:
        revive(connection, table, [(number, values)])
    else:
        key = next(iter(table.primary_key.columns))
        connection.execute(insert(table).values(**values, **{key.name: number}))
    return number


def revive(
    connection: Connection, table: Table, revived: Sequence[tuple[int, Mapping[str, Any]]]
) -> None:
    """Take deleted rows again: by their ids, with their new cells.

    Raises:
        MovedError: One is gone.
    """
    if not revived:
        return
    versions = (field.name for field in table.columns if field.name.endswith("_version"))
    new = {"deleted_at": 0, **dict.fromkeys(versions, 1)}
    key = next(iter(table.primary_key.columns))
    dead = update(table).where(key == bindparam("key"), table.c.deleted_at != 0)
    done = connection.execute(
        dead, [{"key": number, **values, **new} for number, values in revived]
    )
    if done.rowcount != len(revived):
        raise MovedError("the server's collector has removed a deleted row meanwhile")


def are_live(*tables: Table) -> Iterator[ColumnElement[bool]]:
    """Whether rows are live."""
    return (relation.c.deleted_at == 0 for relation in tables)


def is_live(table: Table, **having: object) -> Iterator[ColumnElement[bool]]:
    """Whether a row is live, and has some cells."""
    yield from are_live(table)
    yield from (table.c[name] == value for name, value in having.items())


def delete(connection: Connection, table: Table, **having: object) -> None:
    """Mark the rows with some cells as deleted."""
    stamps = {name: now() for name in ("deleted_at", "updated_at") if name in table.c}
    connection.execute(update(table).where(*is_live(table, **having)).values(stamps))


def touch(connection: Connection, table: Table, **having: object) -> None:
    """Have a running server look again at the rows with some cells."""
    connection.execute(update(table).where(*is_live(table, **having)).values(updated_at=now()))


def unrelate(
    connection: Connection, tables: Collection[str], kind: str, keys: Sequence[int], deleted_at: int
) -> None:
    """Soft-delete what refers to dropped entities: owners, tags, rights, policies, statistics.

    Args:
        connection: In a transaction.
        tables: Those of the database: a server has more than we write.
        kind: `SCHEMA`, `VIEW` or `FUNCTION`.
        keys: Ids of the entities.
        deleted_at: When they were dropped.
    """
    for name, column_of_kind in _RELATIONS.items():
        if name in tables:
            fields = "metadata_object_id", column_of_kind, "deleted_at"
            relation = table(name, *(column(field) for field in fields))
            among = bulk.is_among(relation.c.metadata_object_id, keys, connection)
            statement = update(relation).where(
                among, relation.c[column_of_kind] == kind, relation.c.deleted_at == 0
            )
            connection.execute(statement.values(deleted_at=deleted_at))


def log(
    connection: Connection, options: Options, kind: str, operation: int, names: Sequence[Path]
) -> None:
    """Tell a running server what its caches must forget.

    Args:
        connection: In a transaction.
        options: With metalake, catalog and separator.
        kind: `SCHEMA`, `VIEW` or `FUNCTION`.
        operation: `ALTERED` or `DROPPED`.
        names: Levels of the schema, and behind them the name of what is in it, if it is that.
    """
    if not names:
        return
    separator, is_inside = options.schema_separator, kind != "SCHEMA"
    full_names = []
    for path in names:
        schema, rest = (path[:-1], path[-1:]) if is_inside else (path, ())
        full = (options.metalake, options.catalog, separator.join(schema), *rest)
        full_names.append(".".join(full))
    same = {"metalake_name": options.metalake, "entity_type": kind, "operate_type": operation}
    rows = [{**same, "entity_full_name": name, "created_at": now()} for name in full_names]
    connection.execute(insert(CHANGE_LOG), rows)
