"""Where the views of the small estate go: Gravitino's store, and an Iceberg catalog of our own."""

import gzip
import json
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import psycopg

from jobs.embedded.postgres import EmbeddedPostgreSQL

_STORED: Final = """
    SELECT s.schema_name, v.view_name, i.representations
    FROM view_meta v JOIN schema_meta s USING (schema_id)
    JOIN view_version_info i ON i.view_id = v.view_id AND i.version = v.current_version
    WHERE v.deleted_at = 0 AND i.deleted_at = 0 AND s.deleted_at = 0
"""
_TABLES: Final = "SELECT count(*) FROM pg_tables WHERE tablename = 'view_version_info'"
_KEPT: Final = "SELECT name FROM sqlite_master WHERE name = 'iceberg_tables'"
_STRANGE: Final = """
    UPDATE view_version_info SET representations = replace(representations, 'id >', {})
    WHERE deleted_at = 0 AND view_id = (
        SELECT v.view_id FROM view_meta v JOIN schema_meta s USING (schema_id)
        WHERE s.schema_name = %s AND v.view_name = %s AND v.deleted_at = 0)
"""
AtTarget = dict[tuple[str, str], str]
"""The text of each view, by namespace and name."""


@dataclass(frozen=True)
class Targets:
    """The targets.

    Attributes:
        folder: Of the Iceberg catalog.
        server: Has the database of Gravitino's store.
    """

    folder: Path
    server: EmbeddedPostgreSQL

    def begin(self) -> None:
        """Make what they write into."""
        self.server.execute(("CREATE DATABASE target", "ALTER DATABASE target OWNER TO loader"))
        (self.folder / "lakehouse").mkdir()

    def told(self) -> dict[str, Any]:
        """Their part of the configuration."""
        stored = {
            "kind": "gravitino-store",
            "url": self.server.url("target"),
            "user": "loader",
            "metalake": "m",
            "catalog": "c",
            "provider": "hive",
            "accept_unserved": True,
        }
        house = self.folder / "lakehouse"
        warehouse = (house / "warehouse").as_uri()
        url = f"sqlite:///{self._database}"
        kept = {"kind": "iceberg-jdbc", "url": url, "catalog_name": "lakehouse"}
        places = {"lake": "t", "pg": "t", "ice": "i"}
        return {
            "targets": {"t": stored, "i": {**kept, "warehouse": warehouse}},
            "mapping": [{"source": name, "target": place} for name, place in places.items()],
        }

    def there(self) -> AtTarget:
        """The text of each view of both."""
        return {**self._stored(), **self._kept()}

    def alter(self, place: tuple[str, str], *, back: bool = False) -> None:
        """Somebody else changes the text of a view in Gravitino's store, or takes that back."""
        said = ("'/* a stranger */ id >'", "'id >'")
        query = _STRANGE.format(said[0])
        if back:
            query = _STRANGE.replace("'id >', {}", "'/* a stranger */ id >', 'id >'")
        with psycopg.connect(self.server.url("target"), user="postgres") as connection:
            connection.execute(query.encode(), place)

    def _stored(self) -> AtTarget:
        with psycopg.connect(self.server.url("target"), user="postgres") as connection:
            if connection.execute(_TABLES).fetchone() == (0,):
                return {}
            rows = connection.execute(_STORED).fetchall()
        return {(space, name): json.loads(said)[0]["sql"] for space, name, said in rows}

    def _kept(self) -> AtTarget:
        if not self._database.exists():
            return {}
        query = "SELECT table_namespace, table_name, metadata_location FROM iceberg_tables"
        with closing(sqlite3.connect(self._database)) as connection:
            if not connection.execute(_KEPT).fetchall():
                return {}
            rows = connection.execute(query).fetchall()
        return {(space, name): _text(Path(urlsplit(at).path)) for space, name, at in rows}

    @property
    def _database(self) -> Path:
        return self.folder / "lakehouse" / "catalog.db"


def _text(path: Path) -> str:
    """The text of the current version in a metadata file."""
    content = path.read_bytes()
    document = json.loads(gzip.decompress(content) if content[:2] == b"\x1f\x8b" else content)
    current = document["current-version-id"]
    (version,) = (one for one in document["versions"] if one["version-id"] == current)
    return str(version["representations"][0]["sql"])
