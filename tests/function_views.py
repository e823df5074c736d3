"""Views that call functions which Spark and Trino keep in a metastore, and what engines answer.

`tests/golden/function_views.json` has the functions and views as the engines have left them, of
which some functions are others by now, and some views have another text than they were made with:
`tests/live/record_function_views.py` has asked.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from connectors.clients.metastore_writer import MetastoreWriter
from connectors.clients.thrift.login import MetastoreLogin
from jobs.embedded.metastore import EmbeddedMetastore
from jobs.embedded.thrift_writer import writer
from tests import estate_views

CORPUS: Final = Path(__file__).parent / "golden" / "function_views.json"
DATABASES: Final = ("fun", "made")
_TABLES: Final = ("orders", "customers")


def corpus() -> dict[str, Any]:
    """The file."""
    data: dict[str, Any] = json.loads(CORPUS.read_text(encoding="utf-8"))
    return data


def tables(place: str) -> Iterator[dict[str, Any]]:
    """Entries of what the views read; the place is the folder of their files."""
    return estate_views.tables({name: estate_views.TABLES[name] for name in _TABLES}, place)


def fill(metastore: EmbeddedMetastore, data: Mapping[str, Any]) -> None:
    """Put tables, functions and views into a metastore."""
    place = metastore.warehouse.as_uri()
    with writer(metastore.uri) as connection:
        for database in DATABASES:
            connection.create_database(database, f"{place}/{database}.db")
        for entry in (*tables(place), *data["views"]):
            connection.create_table(entry)
    with closing(MetastoreWriter(MetastoreLogin(uri=metastore.uri))) as client:
        for function in data["functions"]:
            client.create_function(function)
