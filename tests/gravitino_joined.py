"""Our stand-in for a Gravitino server that has a relational store: what it joins with its views.

As the sources of release 1.3.0 were read, not as a server was seen: `ViewOperationDispatcher` puts
a row for each view that it creates or first loads, keeps what it has put or got in memory
(`RelationalEntityStore`), gives that up when it alters or drops the view, and finds a row whose id
is none of the view's unlike it.
"""

import json
import secrets
import time
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, insert, select, update
from sqlalchemy.exc import IntegrityError

from connectors.gravitino.entity_store.options import Options
from connectors.gravitino.entity_store.tables import CATALOG, SCHEMA, VERSION, VIEW
from tests.gravitino_catalogs import Json, Refused
from tests.gravitino_double import Double, Key

_WHEN = "2026-11-20T21:44:48.696582268Z"


@dataclass
class JoinedDouble(Double):
    """The stand-in, with a store.

    Attributes:
        rows: Of its store.
        memory: What it keeps in memory of rows: ids and audit data, by the parts of their paths.
        ids: What it has written into the views as `gravitino.identifier`.
    """

    rows: Options = field(kw_only=True)
    memory: dict[Key, tuple[int, Json]] = field(default_factory=dict)
    ids: dict[Key, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._engine = self.rows.engine()

    def _others(self, method: str, kinds: list[str], names: Key, query: Json, body: Any) -> Json:
        answer = super()._others(method, kinds, names, query, body)
        if kinds[-1] == "schemas" and method in {"POST", "DELETE"}:
            with self._engine.begin() as connection:
                if method == "DELETE":
                    gone = update(SCHEMA).where(SCHEMA.c.schema_name == _physical(names[-1]))
                    connection.execute(gone.values(deleted_at=time.time_ns()))
                else:
                    levels = body["name"].split(":")
                    for depth in range(1, len(levels) + 1):
                        _schema(connection, "\x01".join(levels[:depth]))
        return answer

    def _views(self, method: str, names: Key, body: Any) -> Json:
        answer = super()._views(method, names, body)
        if len(names) == 3 and method == "GET":
            return answer
        key = (*names[:3], body["name"] if method == "POST" else names[3])
        with self._engine.begin() as connection:
            return self._joined(connection, method, key, answer, body)

    def _joined(
        self, connection: Connection, method: str, key: Key, answer: Json, body: Any
    ) -> Json:
        schema = _schema(connection, _physical(key[2]))
        if method == "DELETE":
            self._row_gone(connection, schema, key)
            return answer
        view = answer["view"]
        if method == "POST":
            self.ids[key] = secrets.randbits(62)
            self._put(connection, schema, key, view, {"creator": self.user, "createTime": _WHEN})
        elif method == "PUT":
            key = self._row_altered(connection, schema, key, view)
        return {"view": {**view, "audit": self._audit(connection, schema, key, view)}}

    def _row_gone(self, connection: Connection, schema: dict[str, int], key: Key) -> None:
        self.memory.pop(key, None)
        self.ids.pop(key, None)
        conditions = VIEW.c.schema_id == schema["schema_id"], VIEW.c.view_name == key[-1]
        gone = update(VIEW).where(*conditions, VIEW.c.deleted_at == 0)
        connection.execute(gone.values(deleted_at=time.time_ns()))

    def _row_altered(
        self, connection: Connection, schema: dict[str, int], key: Key, view: Json
    ) -> Key:
        """What the store has is changed, and forgotten; under the name that the view has now."""
        self.memory.pop(key, None)
        row = _row(connection, schema, key)
        new = (*key[:-1], view["name"])
        if key in self.ids:
            self.ids[new] = self.ids.pop(key)
        if row is not None:
            number, audit = row
            audit_info = json.dumps({**audit, "lastModifier": self.user, "lastModifiedTime": _WHEN})
            statement = update(VIEW).where(VIEW.c.view_id == number)
            connection.execute(statement.values(view_name=new[-1], audit_info=audit_info))
        return new

    def _audit(self, connection: Connection, schema: dict[str, int], key: Key, view: Json) -> Json:
        """Who made a view, as it is shown; a view without a row is imported."""
        if key not in self.memory:
            row = _row(connection, schema, key)
            if row is None:
                self.ids.setdefault(key, 0)
                self._put(connection, schema, key, view, {})
            else:
                self.memory[key] = row
        number, audit = self.memory.get(key, (0, {}))
        if self.ids.get(key, number) not in {0, number}:
            why = "View managed by multiple catalogs"
            raise Refused(1006, "UnsupportedOperationException", why)
        return {name: value for name, value in audit.items() if value is not None}

    def _put(
        self, connection: Connection, schema: dict[str, int], key: Key, view: Json, audit: Json
    ) -> None:
        """A row of a view, in the store and in memory; that the store refuses it is only logged."""
        number = self.ids[key] or secrets.randbits(62)
        audit_info = json.dumps(audit)
        values = {**schema, "view_id": number, "audit_info": audit_info}
        content = {
            "version": 1,
            "columns": json.dumps(view["columns"]),
            "representations": json.dumps(view["representations"]),
        }
        try:
            with connection.begin_nested():
                connection.execute(insert(VIEW).values(**values, view_name=key[-1]))
                connection.execute(insert(VERSION).values(**values, **content))
        except IntegrityError:
            return
        self.memory[key] = number, audit


def _physical(name: str) -> str:
    return name.replace(":", "\x01")


def _schema(connection: Connection, name: str) -> dict[str, int]:
    """The ids of a schema, whose row is made where it is missing, as an import does."""
    query = select(SCHEMA.c.metalake_id, SCHEMA.c.catalog_id, SCHEMA.c.schema_id)
    statement = query.where(SCHEMA.c.schema_name == name, SCHEMA.c.deleted_at == 0)
    row = connection.execute(statement).mappings().one_or_none()
    if row is not None:
        return dict(row)
    above = connection.execute(select(CATALOG.c.metalake_id, CATALOG.c.catalog_id)).mappings().one()
    ids = {**above, "schema_id": secrets.randbits(62)}
    connection.execute(
        insert(SCHEMA).values(**ids, schema_name=name, audit_info="{}", properties="{}")
    )
    return ids


def _row(
    connection: Connection, schema: dict[str, int], key: Key
) -> tuple[int, dict[str, Any]] | None:
    query = select(VIEW.c.view_id, VIEW.c.audit_info).where(
        VIEW.c.schema_id == schema["schema_id"],
        VIEW.c.view_name == key[-1],
        VIEW.c.deleted_at == 0,
    )
    row = connection.execute(query).one_or_none()
    return None if row is None else (row[0], json.loads(row[1]))
