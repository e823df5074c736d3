"""Functions in Gravitino's relational store: unlike a view's, their rows are what a server serves.

A row of `function_meta`, and one of its version, as `FunctionMetaService` of 1.3.0 writes them; a
real one has read ours (docs/connectors/gravitino-store.md).
"""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, Final

from sqlalchemy import Connection, RowMapping, insert, select, update

from connectors.gravitino import cells, functions
from connectors.gravitino.entity_store import bulk, parents, rows
from connectors.gravitino.entity_store.options import Options
from connectors.gravitino.entity_store.tables import DROPPED, FUNCTION, FUNCTION_VERSION
from discovery.errors import CollisionError, DecodeError, MovedError, StoreError
from discovery.functions import Function, FunctionStore
from discovery.model import Audit, Identifier
from discovery.namespaces import Levels

_KIND: Final = "FUNCTION"


class StoredFunctions(FunctionStore):
    """What the store keeps functions in.

    Args:
        options: Of the store.
        begin: Opens a transaction.
        list_tables: Those of the database.
        require_schema: Called for a schema that has no row: makes it, or refuses.
    """

    alone = False
    """Engines may have a function of that name in another catalog, or in none."""

    def __init__(
        self,
        options: Options,
        begin: Callable[[], AbstractContextManager[Connection]],
        list_tables: Callable[[Connection], frozenset[str]],
        require_schema: Callable[[Levels], None],
    ) -> None:
        self._options, self._begin = options, begin
        self._list_tables, self._require_schema = list_tables, require_schema

    def hold(self, function: Function) -> Function:
        """One of Trino, whole.

        Raises:
            NotHeldError: Gravitino's model cannot say what it is.
        """
        return functions.hold(function, self._options.provider, self._options.schema_separator)

    def present(self, places: Sequence[Identifier]) -> Iterator[Function]:
        """Those that are live, as their current versions say."""
        with self._begin() as connection:
            pairs = list(self._read_live(connection, places))
        return (function for _, function in pairs)

    def make(self, function: Function) -> bool:
        """Look, and insert both rows, in one transaction."""
        place = function.place
        with self._begin() as connection:
            is_lacking = not self._find_schemas(connection, [place])
        if is_lacking:
            self._require_schema(place.namespace)
        with self._begin() as connection:
            for _, stored in self._read_live(connection, [place]):
                if not function.does_as(stored):
                    raise CollisionError(f"the target has another function {place} by now")
                return False
            self._insert(connection, function)
        return True

    def drop(self, function: Function) -> bool:
        """Mark it, its version, owner, tags and rights as deleted, as the server does it.

        Raises:
            MovedError: Another one is there.
        """
        place = function.place
        with self._begin() as connection:
            for key, stored in self._read_live(connection, [place]):
                if not function.does_as(stored):
                    raise MovedError(f"the target has another function {place} by now")
                self._delete(connection, key)
                rows.log(
                    connection, self._options, _KIND, DROPPED, [(*place.namespace, place.name)]
                )
                return True
        return False

    def _find_schemas(
        self, connection: Connection, places: Sequence[Identifier]
    ) -> dict[Levels, parents.Ids]:
        if not {FUNCTION.name, FUNCTION_VERSION.name} <= self._list_tables(connection):
            return {}
        catalog = parents.catalog_of(connection, self._options)
        return parents.schemas_of(connection, catalog, {place.namespace for place in places})

    def _read_live(
        self, connection: Connection, places: Sequence[Identifier]
    ) -> Iterator[tuple[int, Function]]:
        """Ids and functions.

        Raises:
            StoreError: A cell of one cannot be parsed.
        """
        schemas = self._find_schemas(connection, places)
        spaces = {ids["schema_id"]: levels for levels, ids in schemas.items()}
        wanted = {
            (schemas[place.namespace]["schema_id"], place.name)
            for place in places
            if place.namespace in schemas
        }
        if not wanted:
            return
        query = (
            select(FUNCTION, FUNCTION_VERSION.c.definitions)
            .join(FUNCTION_VERSION, FUNCTION_VERSION.c.function_id == FUNCTION.c.function_id)
            .where(FUNCTION_VERSION.c.version == FUNCTION.c.function_current_version)
            .where(FUNCTION.c.deleted_at == 0, FUNCTION_VERSION.c.deleted_at == 0)
            .where(
                bulk.are_among(
                    FUNCTION.c.schema_id, FUNCTION.c.function_name, sorted(wanted), connection
                )
            )
        )
        for row in connection.execute(query).mappings():
            yield row["function_id"], _parse_function(row, spaces[row["schema_id"]])

    def _insert(self, connection: Connection, function: Function) -> None:
        place = function.place
        ids = self._find_schemas(connection, [place]).get(place.namespace)
        if ids is None:
            why = (
                f"the store has no place for {place}: its tables, or the schema's row, are missing"
            )
            raise StoreError(why)
        stated = functions.registration(function)
        path = (self._options.metalake, self._options.catalog, *place.namespace, place.name)
        identity = rows.identities(connection, FUNCTION, {path: None})[path]
        audit = cells.audit_cell(Audit(creator=function.owner))
        meta = {
            **ids,
            "function_name": place.name,
            "function_type": stated["functionType"],
            "deterministic": int(stated["deterministic"]),
            "audit_info": audit,
        }
        key = rows.insert_one(connection, FUNCTION, identity, meta)
        version = {
            **ids,
            "function_id": key,
            "version": 1,
            "function_comment": stated["comment"],
            "definitions": cells.json_cell(
                [_complete(definition) for definition in stated["definitions"]]
            ),
            "audit_info": audit,
        }
        connection.execute(insert(FUNCTION_VERSION).values(version))

    def _delete(self, connection: Connection, key: int) -> None:
        deleted_at = rows.now()
        for table in (FUNCTION, FUNCTION_VERSION):
            conditions = table.c.function_id == key, table.c.deleted_at == 0
            connection.execute(update(table).where(*conditions).values(deleted_at=deleted_at))
        rows.unrelate(connection, self._list_tables(connection), _KIND, [key], deleted_at)


def _complete(definition: dict[str, Any]) -> dict[str, Any]:
    """With what a server writes that nobody has stated."""
    nothing: dict[str, list[str]] = {"jars": [], "files": [], "archives": []}
    (impl,) = definition["impls"]
    sql = impl.pop("sql")
    return {
        "parameters": [{**parameter, "comment": None} for parameter in definition["parameters"]],
        "returnType": definition["returnType"],
        "returnColumns": None,
        "impls": [{**impl, "resources": nothing, "properties": {}, "sql": sql}],
    }


def _parse_function(row: RowMapping, namespace: Levels) -> Function:
    try:
        stated = {
            "name": row["function_name"],
            "functionType": row["function_type"],
            "deterministic": bool(row["deterministic"]),
            "definitions": json.loads(row["definitions"]),
            "audit": json.loads(row["audit_info"]),
        }
        return functions.function_of(stated, namespace)
    except (AttributeError, TypeError, ValueError, DecodeError) as error:
        why = f"a cell of function {row['function_id']} cannot be parsed: {error}"
        raise StoreError(why, hint="mend or drop it in function_version_info") from error
