"""What views live in, in Gravitino's relational store: metalake, catalog and schemas."""

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from sqlalchemy import Connection, column, inspect, select, table, update

from connectors.gravitino import cells, names
from connectors.gravitino.entity_store import owners, rows
from connectors.gravitino.entity_store.options import Options
from connectors.gravitino.entity_store.tables import (
    ALTERED,
    CATALOG,
    DROPPED,
    METALAKE,
    SCHEMA,
    SCHEMA_VERSION,
)
from discovery import namespaces
from discovery.formats import fields
from discovery.migration.namespaces import NamespaceEdit
from discovery.migration.providers import without_identifier
from discovery.model import Audit, OwnerKind, Schema
from discovery.namespaces import Levels

_KIND: Final = "SCHEMA"
_LONGEST_COMMENT: Final = 256
Ids = dict[str, int]  # metalake_id, catalog_id, and schema_id where it is of a schema


def catalog_of(connection: Connection, options: Options) -> Ids | None:
    """The ids of metalake and catalog; None: one of them is not there."""
    query = (
        select(CATALOG.c.metalake_id, CATALOG.c.catalog_id)
        .join(METALAKE, METALAKE.c.metalake_id == CATALOG.c.metalake_id)
        .where(METALAKE.c.metalake_name == options.metalake, METALAKE.c.deleted_at == 0)
        .where(CATALOG.c.catalog_name == options.catalog, CATALOG.c.deleted_at == 0)
    )
    row = connection.execute(query).mappings().one_or_none()
    return None if row is None else dict(row)


def schemas_of(
    connection: Connection, catalog: Ids | None, wanted: Iterable[Levels] | None = None
) -> dict[Levels, Ids]:
    """The ids of the live schemas of a catalog: of the wanted ones, or of all."""
    if catalog is None:
        return {}
    query = select(SCHEMA.c.schema_name, SCHEMA.c.schema_id).where(
        SCHEMA.c.catalog_id == catalog["catalog_id"], SCHEMA.c.deleted_at == 0
    )
    if wanted is not None:
        query = query.where(SCHEMA.c.schema_name.in_(sorted({*map(names.physical, wanted)})))
    rows = connection.execute(query.order_by(SCHEMA.c.schema_name))
    return {names.levels_of(name): {**catalog, "schema_id": key} for name, key in rows}


def make(connection: Connection, options: Options, wanted: Sequence[Schema]) -> tuple[Levels, ...]:
    """Make metalake, catalog and schemas where they are missing.

    A schema above a nested one is made with the audit data of that one, as Gravitino does.

    Returns:
        The schemas that were missing.

    Raises:
        NamespaceConflictError: Nesting is used, and a schema that is there would be taken for
            nested levels.
        NamespaceError: A new schema would be.
    """
    ids = _make_catalog(connection, options)
    schemas = schemas_of(connection, ids)
    missing = [
        parent for parent in _guarded(schemas, options, wanted) if parent.levels not in schemas
    ]
    for schema in missing:
        values = {
            **ids,
            "schema_name": names.physical(schema.levels),
            **_content(hold_schema(schema)),
            "audit_info": cells.audit_cell(schema.audit),
        }
        path = (options.metalake, options.catalog, *schema.levels)
        identity = rows.identities(connection, SCHEMA, {path: None})[path]
        key = rows.insert_one(connection, SCHEMA, identity, values)
        owner = schema.owner or schema.audit.creator
        is_user = schema.owner_kind is OwnerKind.USER and owners.is_name(owner or "")
        owned = {key: owner} if owner and is_user else {}
        owners.own(connection, options, ids["metalake_id"], _KIND, owned)
    return tuple(parent.levels for parent in missing)


def hold_schema(schema: Schema) -> Schema:
    """A schema as its row gives it back."""
    bare = without_identifier(schema)
    return replace(bare, comment=(schema.comment or "")[:_LONGEST_COMMENT] or None)


def read(connection: Connection, options: Options, wanted: Sequence[Levels]) -> Iterator[Schema]:
    """Those of the wanted schemas that are live, as their rows say."""
    ids = schemas_of(connection, catalog_of(connection, options), wanted)
    levels_of = {id_["schema_id"]: levels for levels, id_ in ids.items()}
    query = select(SCHEMA.c.schema_id, SCHEMA.c.schema_comment, SCHEMA.c.properties)
    live = SCHEMA.c.schema_id.in_(sorted(levels_of)), SCHEMA.c.deleted_at == 0
    for key, comment, properties in connection.execute(query.where(*live)) if levels_of else ():
        stated = fields.strings({"properties": json.loads(properties or "{}")}, "properties")
        yield Schema(
            levels=levels_of[key],
            comment=comment or None,
            properties=tuple(sorted(stated.items())),
        )


def amend(connection: Connection, options: Options, edit: NamespaceEdit) -> bool:
    """Change a live schema; whether this call did.

    Raises:
        MovedError: It is neither as it was nor as it is to be.
    """
    ids = schemas_of(connection, catalog_of(connection, options), [edit.levels])
    conditions = None
    if edit.levels in ids:
        conditions = SCHEMA.c.schema_id == ids[edit.levels]["schema_id"], SCHEMA.c.deleted_at == 0
        connection.execute(select(SCHEMA.c.schema_id).where(*conditions).with_for_update())
    schema = next(read(connection, options, [edit.levels]), None)
    if not edit.is_to_do(schema) or schema is None or conditions is None:
        return False
    connection.execute(update(SCHEMA).where(*conditions).values(_content(edit.amended(schema))))
    rows.log(connection, options, _KIND, ALTERED, [edit.levels])
    return True


def _content(schema: Schema) -> dict[str, str]:
    return {
        "schema_comment": schema.comment or "",
        "properties": cells.json_cell(dict(schema.properties)),
    }


def remove(
    connection: Connection, options: Options, wanted: Sequence[Levels], tables: Collection[str]
) -> tuple[Levels, ...]:
    """Soft-delete the schemas that hold nothing, innermost first; those that stay.

    With what refers to them (`SchemaMetaService` of 1.3.0): our next schema of the name has the
    same id, and would come with the rights of this one.
    """
    catalog, left = catalog_of(connection, options), []
    schemas = schemas_of(connection, catalog)
    holding = set(_find_holding(connection)) if catalog else set()
    for levels in sorted(set(wanted) & schemas.keys(), key=len, reverse=True):
        below = (other for other in schemas if other[: len(levels)] == levels and other != levels)
        if any(below) or schemas[levels]["schema_id"] in holding:
            left.append(levels)
            continue
        key = schemas.pop(levels)["schema_id"]
        statement = update(SCHEMA).where(SCHEMA.c.schema_id == key, SCHEMA.c.deleted_at == 0)
        deleted_at = rows.now()
        connection.execute(statement.values(deleted_at=deleted_at))
        rows.unrelate(connection, tables, _KIND, [key], deleted_at)
        rows.log(connection, options, _KIND, DROPPED, [levels])
    return tuple(left)


def _make_catalog(connection: Connection, options: Options) -> Ids:
    audit, path = cells.audit_cell(Audit()), (options.metalake, options.catalog)
    query = select(METALAKE.c.metalake_id)
    live = METALAKE.c.metalake_name == options.metalake, METALAKE.c.deleted_at == 0
    metalake = connection.execute(query.where(*live)).scalar()
    if metalake is None:
        named = {
            "metalake_name": options.metalake,
            "properties": "{}",
            "audit_info": audit,
            "schema_version": SCHEMA_VERSION,
        }
        identity = rows.identities(connection, METALAKE, {path[:1]: None})[path[:1]]
        metalake = rows.insert_one(connection, METALAKE, identity, named)
    if ids := catalog_of(connection, options):
        return ids
    identity = rows.identities(connection, CATALOG, {path: None})[path]
    properties = {**options.catalog_properties, **cells.identifier(identity[0])}
    values: dict[str, Any] = {
        "metalake_id": metalake,
        "catalog_name": options.catalog,
        "type": "RELATIONAL",
        "provider": options.provider,
        "properties": cells.json_cell(properties),
        "audit_info": audit,
    }
    catalog = rows.insert_one(connection, CATALOG, identity, values)
    return {"metalake_id": metalake, "catalog_id": catalog}


def _guarded(
    present: Iterable[Levels], options: Options, wanted: Sequence[Schema]
) -> Iterator[Schema]:
    """The wanted schemas with those above them, outermost first, after the guard."""
    given = {schema.levels: schema for schema in wanted}
    separator = options.separator()
    if any(len(levels) > 1 for levels in (*present, *given)):
        namespaces.guard(present, separator)
        for levels in given:
            separator.check_new(levels)
    schemas = dict(given)
    for schema in wanted:
        for above in namespaces.parents(schema.levels):
            schemas.setdefault(above, Schema(levels=above, audit=schema.audit))
    return (schemas[levels] for levels in sorted(schemas))


def _find_holding(connection: Connection) -> Iterator[int]:
    """Ids of the schemas that hold a live entity of any kind: in any table that names its schema.

    Versions and columns of entities stand in tables that end otherwise.
    """
    inspector = inspect(connection)
    for name in inspector.get_table_names():
        if name == SCHEMA.name or not name.endswith("_meta"):
            continue
        columns = {definition["name"] for definition in inspector.get_columns(name)}
        if {"schema_id", "deleted_at"} <= columns:
            held = table(name, column("schema_id"), column("deleted_at"))
            live = select(held.c.schema_id).distinct().where(held.c.deleted_at == 0)
            yield from connection.execute(live).scalars()
