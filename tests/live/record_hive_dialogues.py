"""Record what a real HiveServer2 2.3.10 answers to what it is asked of views.

`python -m tests.live.record_hive_dialogues` writes tests/recorded/hive_dialogues.json anew; it
fetches what the live test fetches.
"""

import json
import re
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from impala import dbapi
from impala.error import HiveServer2Error, OperationalError

from tests.asked_hive import MADE, RECORDED, VERSION, asked
from tests.live import fetched
from tests.live.hive_server import hive_server

_TRACE = re.compile(r"\n\s+at .*", re.DOTALL)


def main() -> None:
    """Ask, and write."""
    jars = fetched.hive_server("mvn")
    with tempfile.TemporaryDirectory() as place, hive_server("java", jars, Path(place)) as uri:
        at = urlsplit(uri)
        session = dbapi.connect(at.hostname, at.port, auth_mechanism="PLAIN", password="x").cursor()
        for sql in MADE:
            session.execute(sql)
        dialogues = {sql: _answer(session, sql) for sql in asked()}
    provenance = {
        "engine": "Hive",
        "version": dialogues[VERSION]["rows"][0][0].partition(" ")[0],
        "date": datetime.now(UTC).date().isoformat(),
        "recipe": "tests/live/record_hive_dialogues.py",
    }
    told = {"provenance": provenance, "dialogues": dialogues}
    RECORDED.write_text(json.dumps(told, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _answer(session: Any, sql: str) -> dict[str, Any]:
    try:
        session.execute(sql)
        return {"rows": [list(row) for row in session.fetchall()]}
    except (HiveServer2Error, OperationalError) as error:
        return {"error": _TRACE.sub("", str(error))}


if __name__ == "__main__":
    main()
