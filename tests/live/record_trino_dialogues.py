"""Record what a real Trino 476 answers to what it is asked of views, page by page.

`python -m tests.live.record_trino_dialogues` writes tests/recorded/trino_dialogues.json anew; it
fetches what the live tests of Trino fetch.
"""

import json
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import requests

from connectors.engines.trino import Options, TrinoServer
from discovery.judging.asking import DIALOGUES, Reply
from discovery.judging.same_rows import ShownView, compare_rows
from discovery.model import Identifier
from jobs.embedded.metastore import EmbeddedMetastore, embedded_metastore
from jobs.embedded.thrift_writer import writer
from tests.asked_trino import (
    CATALOG,
    COMPARED,
    DATABASE,
    ENTRIES,
    GUARDED,
    HOSTILE,
    LIMIT,
    MEMORY,
    RECORDED,
    ROWS,
    TABLE,
    asked,
    valued,
)
from tests.live import fetched, trino_server
from tests.live.trino_server import Trino

_HEAD = {"X-Trino-User": "alice"}
_TOLD = ("message", "errorCode", "errorName", "errorType", "errorLocation", "failureInfo")


def main() -> None:
    """Ask, and write."""
    java = trino_server.java_home()
    assert java is not None, f"no Java {trino_server.JAVA}"
    with (
        tempfile.TemporaryDirectory() as folder,
        embedded_metastore(Path(folder) / "hms") as metastore,
        running(fetched.trino("mvn"), java, Path(folder), metastore) as trino,
    ):
        info = requests.get(f"{trino.uri}/v1/info", timeout=60).json()
        dialogues = {sql: list(pages(trino, sql)) for sql in (*asked(), *samples(trino))}
    provenance = {
        "engine": "Trino",
        "version": info["nodeVersion"]["version"],
        "date": datetime.now(UTC).date().isoformat(),
        "recipe": "tests/live/record_trino_dialogues.py",
    }
    made = {"provenance": provenance, "info": info, "dialogues": dialogues}
    RECORDED.write_text(json.dumps(made, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


@contextmanager
def running(home: Path, java: Path, folder: Path, metastore: EmbeddedMetastore) -> Iterator[Trino]:
    """A Trino that has the views, of the metastore and of its own memory."""
    place = metastore.warehouse.as_uri()
    with writer(metastore.uri) as connection:
        connection.create_database(DATABASE, f"{place}/{DATABASE}.db")
        for entry in (TABLE, *ENTRIES, *map(valued, COMPARED)):
            connection.create_table(entry)
    rules = folder / "rules.json"
    rules.write_text(json.dumps({"tables": [{"privileges": []}]}), encoding="utf-8")
    hive = (
        f"connector.name=hive\nhive.metastore.uri={metastore.uri}\nfs.hadoop.enabled=true\n"
        "hive.hive-views.enabled=true\n"
    )
    guarded = f"{hive}hive.security=file\nsecurity.config-file={rules}\n"
    catalogs = {CATALOG: hive, GUARDED: guarded, MEMORY: "connector.name=memory\n"}
    with trino_server.trino(home, java, folder / "trino", catalogs) as trino:
        quoted = HOSTILE.replace('"', '""')
        trino.rows(f'CREATE VIEW {MEMORY}.{ROWS}."{quoted}" AS SELECT 1 AS "a ""b"')
        for name, (_, text, _) in COMPARED.items():
            trino.rows(f"CREATE VIEW {MEMORY}.{ROWS}.{name} AS {text}")
        yield trino


def samples(trino: Trino) -> list[str]:
    """What is asked to compare the rows of views."""
    found: dict[str, None] = {}
    server = TrinoServer(Options(url=trino.uri, user="alice"))

    def ask(sql: str) -> Reply:
        found[sql] = None
        return server.ask(sql)

    for name in COMPARED:
        view = Identifier((ROWS,), name)
        compare_rows(
            DIALOGUES["trino"], ShownView(CATALOG, view), ShownView(MEMORY, view), LIMIT, ask
        )
    server.close()
    return [*found]


def pages(trino: Trino, sql: str) -> Iterator[Mapping[str, Any]]:
    """The pages of an answer, without what is Trino's business."""
    body = sql.encode()
    answer = requests.post(f"{trino.uri}/v1/statement", body, headers=_HEAD, timeout=60).json()
    yield _page(answer)
    while following := answer.get("nextUri"):
        answer = requests.get(following, headers=_HEAD, timeout=60).json()
        yield _page(answer)


def _page(answer: Mapping[str, Any]) -> Mapping[str, Any]:
    page = {key: answer[key] for key in ("id", "columns", "data") if key in answer}
    if "error" in answer:
        error = {key: answer["error"][key] for key in _TOLD if key in answer["error"]}
        page["error"] = {**error, "failureInfo": _failure(error["failureInfo"])}
    return {**page, "stats": {"state": answer["stats"]["state"]}, "more": "nextUri" in answer}


def _failure(info: Mapping[str, Any]) -> Mapping[str, Any]:
    """What failed, and why, without the stacks."""
    found = {key: info[key] for key in ("type", "message", "errorInfo") if key in info}
    return {**found, "cause": _failure(info["cause"])} if info.get("cause") else found


if __name__ == "__main__":
    main()
