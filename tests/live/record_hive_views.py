"""Ask a real Trino 476 about the views of tests/golden/hive_views.json, and write down its answers.

`python -m tests.live.record_hive_views`: a metastore in this process, Trino with two catalogs on
it, one of them with Hive views enabled. What an earlier version of the file had as answers is lost.
"""

import json
import tempfile
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from connectors.judges.hive import Hive
from connectors.judges.host import ParserHost
from connectors.judges.spark import Spark
from discovery.model import HIVE, SPARK
from discovery.ports import Statement
from jobs.embedded.metastore import embedded_metastore
from jobs.embedded.thrift_writer import writer
from tests import hive_views
from tests.hive_views import Key, Stored
from tests.live import fetched, trino_server
from tests.live.trino_server import Trino

_CATALOG = "connector.name=hive\nhive.metastore.uri={uri}\nfs.hadoop.enabled=true\n"
_ON = "hive.hive-views.enabled=true\n"


def main() -> None:
    """Ask, and write."""
    found = hive_views.corpus()
    views = hive_views.views(found) | hive_views.unseen(found)
    java = trino_server.java_home()
    assert java is not None, f"no Java {trino_server.JAVA}"
    with (
        tempfile.TemporaryDirectory() as place,
        embedded_metastore(Path(place) / "hms") as metastore,
    ):
        _fill(metastore.uri, found, views.values(), f"{metastore.warehouse.as_uri()}")
        off = _CATALOG.format(uri=metastore.uri)
        catalogs = {"hive": off + _ON, "off": off}
        home = fetched.trino("mvn")
        with trino_server.trino(home, java, Path(place) / "trino", catalogs) as trino:
            answers = {key: answer(trino, key) for key in views}
    found |= {
        "provenance": {
            "engine": "Trino",
            "version": fetched.TRINO,
            "date": f"{datetime.now(UTC):%Y-%m-%d}",
            "recipe": "tests/live/record_hive_views.py",
        },
        "reads": _reads(views.values()),
        "answers": answers,
    }
    write(found)


def _fill(uri: str, found: Mapping[str, Any], views: Iterable[Stored], place: str) -> None:
    """Tables and views, as they are."""
    with writer(uri) as connection:
        for entry in (*hive_views.tables(found, place), *(view.payload for view in views)):
            connection.create_database(entry["dbName"], f"{place}/{entry['dbName']}.db")
            connection.create_table(entry)


def answer(trino: Trino, key: Key) -> dict[str, Any]:
    """What Trino says of a view: accepted or not, its message, its columns; and with views off."""
    place = ".".join(f'"{part}"' for part in key.split("."))
    select = f"EXPLAIN (TYPE VALIDATE) SELECT * FROM {{catalog}}.{place}"
    _, refusal = trino.asked(select.format(catalog="hive"))
    _, off = trino.asked(select.format(catalog="off"))
    shown = [] if refusal else trino.rows(f"DESCRIBE hive.{place}")
    columns = [[name, kind] for name, kind, *_ in shown]
    return {"accepted": not refusal, "message": refusal, "columns": columns, "off": off}


def _reads(views: Iterable[Stored]) -> dict[Key, list[list[str]]]:
    """What the texts read, as the parser of their own engine says."""
    judges: dict[str, ParserHost] = {HIVE: Hive(), SPARK: Spark()}
    told: dict[Key, list[list[str]]] = {}
    for view in views:
        if judge := judges.get(view.form):
            (verdict,) = judge.judge([Statement(view.text.text.sql, reads=True)])
            told[view.key] = sorted(map(list, verdict.tables))
    for judge in judges.values():
        judge.close()
    return told


def write(found: Mapping[str, Any]) -> None:
    """The file, an entry a line."""
    parts = []
    for name, value in found.items():
        if isinstance(value, list):
            lines = [_line(one) for one in value]
            parts.append(f' "{name}": [\n  ' + ",\n  ".join(lines) + "\n ]")
        else:
            lines = [f"{_line(key)}: {_line(one)}" for key, one in value.items()]
            parts.append(f' "{name}": {{\n  ' + ",\n  ".join(lines) + "\n }")
    hive_views.CORPUS.write_text("{\n" + ",\n".join(parts) + "\n}\n", encoding="utf-8")


def _line(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


if __name__ == "__main__":
    main()
