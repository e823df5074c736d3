"""Record what the HTTP event listener of a real Trino 476 sends, one completed query a line.

`python -m tests.live.record_trino_events` writes tests/recorded/usage/trino.jsonl anew; it fetches
what the live tests of Trino fetch. Of each event only what is long and says nothing of use is left
out: all but the texts, the tables and who asked.
"""

import json
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, Final

from tests.live import fetched, trino_server

RECORDED: Final = Path("tests/recorded/usage/trino.jsonl")
_LISTENER: Final = """\
event-listener.name=http
http-event-listener.log-created=true
http-event-listener.log-completed=true
http-event-listener.connect-ingest-uri=http://127.0.0.1:{port}
"""
_STATEMENTS: Final = (
    "CREATE SCHEMA memory.sales",
    "CREATE TABLE memory.sales.orders AS SELECT 1 AS id, 5.0 AS amount, 'eu' AS region",
    "CREATE VIEW memory.sales.eu AS SELECT id, amount FROM memory.sales.orders",
    "CREATE VIEW memory.sales.big AS SELECT * FROM memory.sales.eu WHERE amount > 100",
    "SELECT count(*) FROM memory.sales.big",
    "SELECT 'hunter2', e.* FROM memory.sales.eu e JOIN memory.sales.orders USING (id)",
    "INSERT INTO memory.sales.orders SELECT id, amount, 'x' FROM memory.sales.eu",
    "SELECT * FROM tpch.tiny.nation",
    "SELECT nothing FROM memory.sales.eu",
    "SELECT * FROM memory.sales.nowhere",
    "SELECT 1 / (id - 1) FROM memory.sales.eu",
    "EXPLAIN SELECT * FROM memory.sales.eu",
    "EXPLAIN ANALYZE SELECT * FROM memory.sales.eu",
    "DESCRIBE memory.sales.eu",
    "SHOW CREATE VIEW memory.sales.eu",
    "SELECT table_name FROM memory.information_schema.views",
    "CREATE OR REPLACE VIEW memory.sales.big AS SELECT * FROM memory.sales.eu",
    "DROP VIEW memory.sales.big",
)


def main() -> None:
    """Run the statements, and write what was sent."""
    java = trino_server.java_home()
    assert java is not None, f"no Java {trino_server.JAVA}"
    home = fetched.trino("mvn")
    with tempfile.TemporaryDirectory() as place, _listening() as (port, events):
        folder = Path(place)
        (folder / "etc").mkdir()
        (folder / "etc" / "event-listener.properties").write_text(_LISTENER.format(port=port))
        catalogs = {"memory": "connector.name=memory\n", "tpch": "connector.name=tpch\n"}
        with trino_server.trino(home, java, folder, catalogs) as trino:
            for sql in _STATEMENTS:
                trino.asked(sql)
            session = {"X-Trino-Catalog": "memory", "X-Trino-Schema": "sales"}
            trino.asked("SELECT * FROM eu", session)
            trino.asked("SELECT * FROM eu", {**session, "X-Trino-Source": "belvedere"})
            trino.asked("this is no SQL")
            time.sleep(5)
    RECORDED.parent.mkdir(exist_ok=True)
    lines = [json.dumps(_cut(event), ensure_ascii=False) for event in events]
    RECORDED.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def _cut(event: dict[str, Any]) -> dict[str, Any]:
    """An event without what is long."""
    for name in ("statistics", "ioMetadata", "warnings"):
        event.pop(name, None)
    if "failureInfo" in event:
        event["failureInfo"] = {"errorCode": event["failureInfo"]["errorCode"]}
    for name in ("sessionProperties", "resourceEstimates", "traceToken"):
        event["context"].pop(name, None)
    told = ("queryId", "query", "queryState", "tables")
    event["metadata"] = {name: event["metadata"][name] for name in told}
    for table in event["metadata"]["tables"]:
        table.pop("columns", None)
        table.pop("filters", None)
    return event


@contextmanager
def _listening() -> Iterator[tuple[int, list[dict[str, Any]]]]:
    """A server that keeps what is posted to it."""
    events: list[dict[str, Any]] = []

    class Keeper(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            events.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Keeper)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server.server_address[1], events
    finally:
        server.shutdown()


if __name__ == "__main__":
    main()
