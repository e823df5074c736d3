"""Gravitino's store over a real database, and what is in it."""

from typing import Any, NamedTuple

from sqlalchemy import Connection

from connectors.gravitino.entity_store.store import EntityStore, Options
from discovery.model import Schema

SCHEMAS = (
    Schema(levels=("sales",), comment="c", properties=(("k", "v"),)),
    Schema(levels=("a", "b")),
)


class Store(NamedTuple):
    """A store, and a connection to its database that reads what is committed."""

    store: EntityStore
    options: Options
    connection: Connection

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        return [tuple(row) for row in self.connection.exec_driver_sql(query)]

    def execute(self, *statements: str) -> None:
        for statement in statements:
            self.connection.exec_driver_sql(statement)
