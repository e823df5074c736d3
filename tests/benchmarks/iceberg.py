"""The bench of Iceberg catalogs: a JDBC catalog on SQLite and its metadata files."""

import gzip
import json
import multiprocessing
import random
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from connectors.clients.files import FileAccess
from connectors.iceberg.jdbc import Options
from connectors.registry import Connector
from discovery.chunks import chunks
from jobs.embedded.iceberg import EmbeddedCatalog, NewView
from tests.benchmarks import estate
from tests.benchmarks.crawling import BATCH, CONNECTIONS, crawled, run_config, session
from tests.benchmarks.measure import medians_of, note, say, seconds

VIEWS: Final = 100_000
NAMESPACES = 100
TYPES: tuple[Any, ...] = (
    "long",
    "string",
    "decimal(18, 4)",
    "timestamptz",
    "date",
    "double",
    {"type": "list", "element-id": 1_000, "element": "string", "element-required": False},
)


def iceberg_jdbc() -> None:
    """100,000 views end to end, committed, against reading, unzipping and parsing their files."""
    folder = estate.cache(f"iceberg-{VIEWS}")
    if not (folder / "filled").exists():
        note(f"writing an Iceberg catalog of {VIEWS} views")
        _fill(folder)
        (folder / "filled").touch()
    url = f"sqlite:///{folder}/catalog.db"
    with closing(sqlite3.connect(folder / "catalog.db")) as connection:
        rows = connection.execute("SELECT metadata_location FROM iceberg_tables").fetchall()
    uris = [uri for (uri,) in rows]
    with session() as spark:
        source = Connector("iceberg-jdbc", Options(url=url, connections=CONNECTIONS, batch=BATCH))
        config = run_config(source)
        crawled(spark, config)
        _bare(uris)
        bare, ours = medians_of(
            lambda: seconds(lambda: _bare(uris)), lambda: seconds(lambda: crawled(spark, config))
        )
        say("iceberg-jdbc", VIEWS, VIEWS / ours, "views/s", VIEWS / bare, ">= 0.5")


def _view(number: int) -> dict[str, Any]:
    """The metadata of a view after a replace: the same number, the same document."""
    chance = random.Random(number)  # noqa: S311 - data, not a secret
    columns = [
        {
            "id": index,
            "name": f"column_{index}_{chance.randint(0, 99)}",
            "required": chance.random() < 0.5,
            "type": chance.choice(TYPES),
            "doc": f"what column {index} is",
        }
        for index in range(chance.randint(4, 40))
    ]
    selected = ",\n  ".join(f"t.{column['name']} AS {column['name']}" for column in columns)
    sql = f"SELECT {selected}\nFROM base_{number} t JOIN other_{number} o ON t.id = o.id"
    summary = {"engine-name": "spark", "engine-version": "4.1.4"}
    view = NewView(columns, {"spark": sql, "trino": f"{sql} -- trino"}, ("db",), {}, summary)
    document = view.metadata(f"file:/bench/{number}")
    second = {**document["versions"][0], "version-id": 2}
    entry = {**document["version-log"][0], "version-id": 2}
    return document | {
        "versions": [*document["versions"], second],
        "version-log": [*document["version-log"], entry],
        "current-version-id": 2,
    }


def _fill(folder: Path) -> None:
    catalog = EmbeddedCatalog(folder)
    catalog.close()
    rows = []
    for number in range(VIEWS):
        space = f"db_{number % NAMESPACES:03d}"
        path = folder / "warehouse" / space / f"{number}.gz.metadata.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(gzip.compress(json.dumps(_view(number)).encode(), 6))
        rows.append((catalog.name, space, f"v_{number}", path.as_uri(), None, "VIEW"))
    with closing(sqlite3.connect(catalog.database)) as connection, connection:
        connection.executemany("INSERT INTO iceberg_tables VALUES (?, ?, ?, ?, ?, ?)", rows)


def _bare(uris: list[str]) -> None:
    """Files by batches, as many processes as connections, read side by side as we do."""
    with multiprocessing.Pool(CONNECTIONS) as pool:
        read = pool.map(_read, [uris[start::CONNECTIONS] for start in range(CONNECTIONS)])
    assert sum(read) == len(uris), read


def _read(uris: list[str]) -> int:
    files, count = FileAccess({}), 0
    for chunk in chunks(uris, BATCH):
        for content in files.read_all(chunk).values():
            assert isinstance(content, bytes), content
            count += json.loads(gzip.decompress(content))["format-version"]
    return count
