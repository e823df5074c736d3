"""An Iceberg JDBC catalog on SQLite with a warehouse of files, for the demo, tests and benches.

pyiceberg makes the catalog's tables, namespaces and Iceberg tables. It has no views in SQL
catalogs, so a view's metadata file and its row are written here, by the view spec and the layout of
Iceberg's JdbcCatalog.
"""

import gzip
import json
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.schema import Schema
from pyiceberg.types import IntegerType


@dataclass(frozen=True, slots=True)
class NewView:
    """A view to write.

    Attributes:
        columns: Fields of its schema, as the JSON of Iceberg's appendix C has them.
        texts: SQL by dialect.
        namespace: The default namespace of the texts.
        properties: Of the view.
        summary: Of its version.
        made: When, in milliseconds since the epoch.
    """

    columns: Sequence[Mapping[str, Any]]
    texts: Mapping[str, str]
    namespace: Sequence[str] = ()
    properties: Mapping[str, str] = field(default_factory=dict)
    summary: Mapping[str, str] = field(default_factory=dict)
    made: int = 1_790_000_000_000

    def metadata(self, location: str) -> dict[str, Any]:
        """The metadata document of its first version."""
        representations = [
            {"type": "sql", "sql": sql, "dialect": dialect} for dialect, sql in self.texts.items()
        ]
        version = {
            "version-id": 1,
            "timestamp-ms": self.made,
            "schema-id": 0,
            "summary": dict(self.summary),
            "default-namespace": list(self.namespace),
            "representations": representations,
        }
        return {
            "view-uuid": str(uuid5(NAMESPACE_URL, location)),
            "format-version": 1,
            "location": location,
            "current-version-id": 1,
            "versions": [version],
            "schemas": [{"schema-id": 0, "type": "struct", "fields": list(self.columns)}],
            "version-log": [{"timestamp-ms": self.made, "version-id": 1}],
            "properties": dict(self.properties),
        }


class EmbeddedCatalog:
    """A catalog in a folder of its own.

    Args:
        folder: For the database and the warehouse.
        name: Of the catalog in its tables.
    """

    def __init__(self, folder: Path, name: str = "lake") -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.name, self.warehouse = name, folder / "warehouse"
        self.database = folder / "catalog.db"
        self.url = f"sqlite:///{self.database}"
        self._catalog = SqlCatalog(name, uri=self.url, warehouse=self.warehouse.as_uri())

    def close(self) -> None:
        """Close pyiceberg's connections."""
        self._catalog.engine.dispose()

    def create_namespace(self, levels: Sequence[str], properties: Mapping[str, str]) -> None:
        """Make a namespace."""
        self._catalog.create_namespace(tuple(levels), {"exists": "true", **properties})

    def create_table(self, levels: Sequence[str], name: str, schema: Schema) -> None:
        """Make a table."""
        self._catalog.create_table((*levels, name), schema)

    def add_column(self, levels: Sequence[str], table: str, name: str) -> None:
        """Give a table another column, of integers."""
        with self._catalog.load_table((*levels, table)).update_schema() as schema:
            schema.add_column(name, IntegerType())

    def create_view(self, levels: Sequence[str], name: str, view: NewView) -> Path:
        """Make a view; the path of its metadata file."""
        folder = self.warehouse.joinpath(*levels, name)
        return self.write_view(levels, name, json.dumps(view.metadata(folder.as_uri())).encode())

    def write_view(self, levels: Sequence[str], name: str, document: bytes) -> Path:
        """Write a metadata file, gzipped, and the row that points to it; the file's path."""
        path = self.warehouse.joinpath(*levels, name, "metadata", "00000-a.gz.metadata.json")
        path.parent.mkdir(parents=True)
        path.write_bytes(gzip.compress(document, mtime=0))
        row = (self.name, ".".join(levels), name, path.as_uri(), "VIEW")
        statement = (
            "INSERT INTO iceberg_tables"
            " (catalog_name, table_namespace, table_name, metadata_location, iceberg_type)"
            " VALUES (?, ?, ?, ?, ?)"
        )
        self.execute(statement, row)
        return path

    def execute(self, statement: str, values: Sequence[object] = ()) -> None:
        """Run a statement on the catalog's own tables."""
        with closing(sqlite3.connect(self.database)) as connection, connection:
            connection.execute(statement, values)
