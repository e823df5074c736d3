"""The targets that commands are killed at: what is there is copied, put back, looked at."""

from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, Final, Protocol

import psycopg
from psycopg import sql

from jobs.embedded.postgres import EmbeddedPostgreSQL
from tests.gravitino_double import Double
from tests.iceberg_server import IcebergServer

_TABLES: Final = "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1"
_CONTENT: Final = """
    SELECT s.schema_name, v.view_name, i.columns, i.representations, i.properties, i.view_comment
    FROM view_meta v JOIN schema_meta s USING (schema_id)
    JOIN view_version_info i ON i.view_id = v.view_id AND i.version = v.current_version
    WHERE v.deleted_at = 0 AND i.deleted_at = 0 AND s.deleted_at = 0 ORDER BY 1, 2
"""
_VIEWS: Final = "SELECT view_name FROM view_meta WHERE deleted_at = 0"
_SCHEMAS: Final = "SELECT schema_name FROM schema_meta WHERE deleted_at = 0"


class Killing(Protocol):
    """A target at which a command is killed."""

    def options(self) -> dict[str, Any]:
        """Of the target, as `estate.yaml` has them; what was there before is gone."""

    def copied(self) -> object:
        """All that is there at one moment."""

    def put_back(self, copied: Any) -> None:
        """Make it what it was."""

    def content(self) -> list[Any]:
        """The views with all that they say, but for ids and times."""

    def views(self) -> list[str]:
        """The names of the views."""

    def schemas(self) -> list[str]:
        """The names of the namespaces."""


@dataclass(frozen=True, slots=True)
class Tables(Killing):
    """A database of the embedded server, whose tables are a target."""

    server: EmbeddedPostgreSQL
    database: str = "killed"

    def options(self) -> dict[str, Any]:
        self.server.execute(
            (f"DROP DATABASE IF EXISTS {self.database}", f"CREATE DATABASE {self.database}")
        )
        return {
            "kind": "gravitino-store",
            "url": self.server.url(self.database),
            "user": "postgres",
            "metalake": "m",
            "catalog": "c",
            "provider": "hive",
            "accept_unserved": True,
        }

    def copied(self) -> dict[str, bytes]:
        """The rows of all tables, as `COPY` has them."""
        found = {}
        with self._connected() as connection:
            connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
            for name in self._names(connection):
                copy = sql.SQL("COPY {} TO STDOUT").format(sql.Identifier(name))
                with connection.cursor().copy(copy) as rows:
                    found[name] = b"".join(map(bytes, rows))
        return found

    def put_back(self, copied: dict[str, bytes]) -> None:
        with self._connected() as connection:
            for name in self._names(connection):
                place = sql.Identifier(name)
                connection.execute(sql.SQL("TRUNCATE {} CASCADE").format(place))
            for name, rows in copied.items():
                copy = sql.SQL("COPY {} FROM STDIN").format(sql.Identifier(name))
                with connection.cursor().copy(copy) as writing:
                    writing.write(rows)

    def content(self) -> list[tuple[Any, ...]]:
        with self._connected() as connection:
            return connection.execute(_CONTENT).fetchall()

    def views(self) -> list[str]:
        return self._column(_VIEWS)

    def schemas(self) -> list[str]:
        return self._column(_SCHEMAS)

    def _column(self, query: str) -> list[str]:
        """Names that a query finds; none, where the tables are still to be made."""
        try:
            with self._connected() as connection:
                return [str(name) for (name,) in connection.execute(query.encode())]
        except psycopg.errors.UndefinedTable:
            return []

    @contextmanager
    def _connected(self) -> Iterator[psycopg.Connection[tuple[Any, ...]]]:
        with psycopg.connect(self.server.url(self.database), user="postgres") as connection:
            yield connection

    def _names(self, connection: psycopg.Connection[tuple[Any, ...]]) -> list[str]:
        return [str(name) for (name,) in connection.execute(_TABLES.encode())]


@dataclass(frozen=True, slots=True)
class IcebergCatalog(Killing):
    """An Iceberg REST catalog: one request for each view."""

    server: IcebergServer

    def options(self) -> dict[str, Any]:
        self.server.spaces, self.server.views = {}, {}
        return {"kind": "iceberg-rest", "uri": self.server.uri}

    def copied(self) -> object:
        return deepcopy((self.server.spaces, self.server.views))

    def put_back(self, copied: Any) -> None:
        self.server.spaces, self.server.views = deepcopy(copied)

    def content(self) -> list[Any]:
        return [
            (
                place,
                view["properties"],
                view["schemas"][-1]["fields"],
                view["versions"][-1]["representations"],
            )
            for place, view in sorted(self.server.views.items())
        ]

    def views(self) -> list[str]:
        return [name for _, name in sorted(self.server.views)]

    def schemas(self) -> list[str]:
        return [".".join(levels) for levels in sorted(self.server.spaces)]


@dataclass(frozen=True, slots=True)
class GravitinoServer(Killing):
    """A server of Gravitino: one request for each view."""

    double: Double
    provider: str = "hive"

    def options(self) -> dict[str, Any]:
        self.double.things = {}
        self.double.catalog(self.provider)
        return {
            "kind": "gravitino-rest",
            "uri": self.double.uri,
            "user": "loader",
            "metalake": "m",
            "catalog": "c",
            "provider": self.provider,
        }

    def copied(self) -> object:
        with self.double.lock:
            return deepcopy(self.double.things)

    def put_back(self, copied: Any) -> None:
        self.double.things = deepcopy(copied)

    def content(self) -> list[Any]:
        found = sorted((key, one) for key, one in self.double.things.items() if "views" in key)
        return [(key, {name: one[name] for name in one if name != "audit"}) for key, one in found]

    def views(self) -> list[str]:
        return self.double.views

    def schemas(self) -> list[str]:
        return [key[2] for key in sorted(self.double.things) if len(key) == 3]
