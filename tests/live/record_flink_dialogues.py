"""Record what a real SQL gateway of Flink 1.20 answers to what it is asked of views.

`python -m tests.live.record_flink_dialogues` writes tests/recorded/flink_dialogues.json anew; it
fetches what the live tests of Flink fetch.
"""

import json
import re
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import requests

from tests.asked_flink import MADE, RECORDED, asked
from tests.live import fetched
from tests.live.flink_gateway import gateway

_FRAME = re.compile(r"^\t(at .*|\.\.\. \d+ more)\n?", re.MULTILINE)


def main() -> None:
    """Ask, and write."""
    jars, more = fetched.flink("mvn"), fetched.flink_gateway("mvn")
    with tempfile.TemporaryDirectory() as place, gateway("java", jars, more, Path(place)) as uri:
        info = requests.get(f"{uri}/v1/info", timeout=60).json()
        made = requests.post(f"{uri}/v1/sessions", json={}, timeout=60).json()
        session = f"{uri}/v1/sessions/{made['sessionHandle']}"
        for sql in MADE:
            assert list(answers(session, sql))[-1][0] == 200, sql
        dialogues = {sql: list(answers(session, sql)) for sql in asked()}
    provenance = {
        "engine": "Flink",
        "version": info["version"],
        "date": datetime.now(UTC).date().isoformat(),
        "recipe": "tests/live/record_flink_dialogues.py",
    }
    told = {"provenance": provenance, "info": info, "dialogues": dialogues}
    RECORDED.write_text(json.dumps(told, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def answers(session: str, sql: str) -> Iterator[tuple[int, Any]]:
    """Status and page of each part of a result, without frames of traces and what is not ready."""
    begun = requests.post(f"{session}/statements", json={"statement": sql}, timeout=60).json()
    operation, token = f"{session}/operations/{begun['operationHandle']}", 0
    while True:
        found = requests.get(f"{operation}/result/{token}?rowFormat=JSON", timeout=60)
        page = found.json()
        if page.get("resultType") == "NOT_READY":
            time.sleep(0.1)
            continue
        if "errors" in page:
            page = {"errors": [_FRAME.sub("\tat x\n", error) for error in page["errors"]]}
        page.pop("nextResultUri", None)
        yield found.status_code, page
        if page.get("resultType") != "PAYLOAD":
            return
        token += 1


if __name__ == "__main__":
    main()
