"""Namespaces of an Iceberg JDBC catalog: made, looked for, and removed.

A namespace is there if an object or a property names it, or one below it. The property `exists`
marks one that holds nothing (Iceberg's JdbcCatalog 1.11).
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final

from sqlalchemy import Connection, delete, insert, select
from sqlalchemy.exc import DBAPIError, IntegrityError

from connectors.iceberg import schemas
from connectors.iceberg.pointers import (
    LONGEST_NAME,
    LONGEST_VALUE,
    METADATA,
    OBJECTS,
    PROPERTIES,
    Pointers,
    write_error,
)
from discovery.errors import DeniedError, NamespaceError, StoreError, UnsupportedVersionError
from discovery.migration.namespaces import NamespaceEdit
from discovery.model import Schema, dotted
from discovery.namespaces import Levels

_COLUMNS: Final = (PROPERTIES.c.namespace, OBJECTS.c.table_namespace)


def check(levels: Levels) -> None:
    """Refuse a namespace that has no name in the tables.

    Raises:
        NamespaceError: A level is empty or contains a dot, or the name is too long.
    """
    place = repr(levels)
    if not levels or not all(levels):
        raise NamespaceError("a namespace has levels, and none is empty", namespace=place)
    if any("." in level for level in levels):
        why = "a level contains a dot, which joins levels in an Iceberg JDBC catalog"
        raise NamespaceError(why, hint="map it to another name", namespace=place)
    if len(dotted(levels)) > LONGEST_NAME:
        raise NamespaceError(f"the name is longer than {LONGEST_NAME}", namespace=place)


def check_layout(pointers: Pointers) -> bool:
    """Whether the tables are there.

    Raises:
        UnsupportedVersionError: They are those of V0, which have no views.
    """
    if not pointers.has(OBJECTS):
        return False
    if not pointers.has_views():
        raise UnsupportedVersionError(
            "iceberg_tables has the layout V0, which has no views",
            hint="ALTER TABLE iceberg_tables ADD COLUMN iceberg_type VARCHAR(5), as Iceberg does"
            " it with jdbc.schema-version=V1",
        )
    return True


def make(pointers: Pointers, catalog: str, wanted: Sequence[Schema]) -> tuple[Levels, ...]:
    """Make the tables and the namespaces that are missing, with those above: all, or none.

    Returns:
        The namespaces that were missing.

    Raises:
        NamespaceError: One has no name in the tables.
        BelvedereError: The database refused it.
    """
    rows = {schema.levels: list(_rows(catalog, schema)) for schema in schemas.with_parents(wanted)}
    check_layout(pointers)
    try:
        with pointers.transaction() as connection:
            METADATA.create_all(connection)
        try:
            return _insert(pointers, catalog, rows)
        except IntegrityError:  # another one has made some of them meanwhile
            return _insert(pointers, catalog, rows)
    except DBAPIError as error:
        raise write_error(error) from None


def remove(pointers: Pointers, catalog: str, spaces: Sequence[Levels]) -> tuple[Levels, ...]:
    """Remove the namespaces that hold nothing, innermost first; those that stay.

    Raises:
        BelvedereError: The database refused it.
    """
    if not check_layout(pointers):
        return ()
    left = []
    try:
        with pointers.transaction() as connection:
            for levels in sorted(spaces, key=len, reverse=True):
                if _holds_anything(connection, catalog, dotted(levels)):
                    left.append(levels)
                else:
                    connection.execute(
                        delete(PROPERTIES).where(
                            PROPERTIES.c.catalog_name == catalog,
                            PROPERTIES.c.namespace == dotted(levels),
                        )
                    )
    except DBAPIError as error:
        raise write_error(error) from None
    return tuple(left)


def present(pointers: Pointers, catalog: str, wanted: Sequence[Levels]) -> Iterator[Schema]:
    """Those of the namespaces that are there, with their properties.

    Raises:
        BelvedereError: The database refused it.
    """
    namespaces = existing(pointers, catalog, wanted)
    try:
        with pointers.transaction() as connection:
            stated = [
                (space, _read_properties(connection, catalog, space))
                for space in wanted
                if space in namespaces
            ]
    except DBAPIError as error:
        raise write_error(error) from None
    return (schemas.schema_of(levels, values) for levels, values in stated)


def amend(pointers: Pointers, catalog: str, edit: NamespaceEdit) -> bool:
    """Change a namespace that is there; whether this call did.

    Raises:
        BelvedereError: It is not as it was, or the database refused it.
    """
    name = dotted(edit.levels)
    removed, sets = schemas.property_changes(edit)
    _check_lengths(name, sets)
    place = {"catalog_name": catalog, "namespace": name}
    conditions = (PROPERTIES.c.catalog_name == catalog, PROPERTIES.c.namespace == name)
    try:
        with pointers.transaction() as connection:
            is_there = edit.levels in _find_existing(connection, catalog, [edit.levels])
            schema = schemas.schema_of(
                edit.levels, _read_properties(connection, catalog, edit.levels)
            )
            if not edit.is_to_do(schema if is_there else None):
                return False
            old = PROPERTIES.c.property_key.in_(sorted({*removed, *sets}))
            connection.execute(delete(PROPERTIES).where(*conditions, old))
            new = [
                {**place, "property_key": key, "property_value": value}
                for key, value in sets.items()
            ]
            if new:
                connection.execute(insert(PROPERTIES), new)
    except DBAPIError as error:
        raise write_error(error) from None
    return True


def _read_properties(connection: Connection, catalog: str, levels: Levels) -> dict[str, str]:
    query = select(PROPERTIES.c.property_key, PROPERTIES.c.property_value).where(
        PROPERTIES.c.catalog_name == catalog, PROPERTIES.c.namespace == dotted(levels)
    )
    return {row.property_key: row.property_value for row in connection.execute(query)}


def may_make(pointers: Pointers) -> bool:
    """Whether we may insert namespaces; no row is."""
    if not pointers.has(PROPERTIES):
        return True
    nothing = select(PROPERTIES).where(PROPERTIES.c.catalog_name.is_(None))
    try:
        with pointers.transaction() as connection:
            connection.execute(insert(PROPERTIES).from_select(PROPERTIES.columns.keys(), nothing))
    except DBAPIError as error:
        return not isinstance(write_error(error), DeniedError)
    return True


def existing(pointers: Pointers, catalog: str, spaces: Collection[Levels]) -> set[Levels]:
    """Those of the namespaces that are there.

    Raises:
        BelvedereError: The database refused it.
    """
    if not spaces:
        return set()
    try:
        with pointers.transaction() as connection:
            return _find_existing(connection, catalog, spaces)
    except DBAPIError as error:
        raise write_error(error) from None


def _find_existing(connection: Connection, catalog: str, spaces: Iterable[Levels]) -> set[Levels]:
    wanted = {dotted(levels): levels for levels in spaces}
    names: set[str] = set()
    for column in _COLUMNS:
        query = select(column).distinct().where(column.table.c.catalog_name == catalog)
        names.update(connection.execute(query.where(column.in_(wanted))).scalars())
    below = (name for name in wanted if name not in names)
    names.update([name for name in below if _has_below(connection, catalog, name)])
    return {levels for name, levels in wanted.items() if name in names}


def _insert(
    pointers: Pointers, catalog: str, rows: dict[Levels, list[dict[str, str]]]
) -> tuple[Levels, ...]:
    with pointers.transaction() as connection:
        taken = _find_existing(connection, catalog, rows)
        new = tuple(levels for levels in rows if levels not in taken)
        if new:
            connection.execute(insert(PROPERTIES), [row for levels in new for row in rows[levels]])
    return new


def _rows(catalog: str, schema: Schema) -> Iterator[dict[str, str]]:
    """The properties of a namespace."""
    check(schema.levels)
    name = dotted(schema.levels)
    stated = {**schemas.properties(schema), "exists": "true"}
    _check_lengths(name, stated)
    for key, value in stated.items():
        place = {"catalog_name": catalog, "namespace": name}
        yield {**place, "property_key": key, "property_value": value}


def _check_lengths(name: str, stated: Mapping[str, str]) -> None:
    """Refuse what has no place in the tables.

    Raises:
        StoreError: A property is too long.
    """
    for key, value in stated.items():
        if len(key) > LONGEST_NAME or len(value) > LONGEST_VALUE:
            why = f"the property {key:.80} is longer than an Iceberg JDBC catalog holds"
            raise StoreError(why, namespace=name)


def _holds_anything(connection: Connection, catalog: str, name: str) -> bool:
    own = select(OBJECTS.c.table_name).where(
        OBJECTS.c.catalog_name == catalog, OBJECTS.c.table_namespace == name
    )
    return connection.execute(own.limit(1)).first() is not None or _has_below(
        connection, catalog, name
    )


def _has_below(connection: Connection, catalog: str, name: str) -> bool:
    """Whether anything names a namespace below this one."""
    queries = (
        select(column)
        .where(column.table.c.catalog_name == catalog)
        .where(column.startswith(f"{name}.", autoescape=True))
        .limit(1)
        for column in _COLUMNS
    )
    return any(connection.execute(query).first() is not None for query in queries)
