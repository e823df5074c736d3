"""Gravitino's official Python client sends what our store sends, and reads what it wrote.

Both talk to our stand-in: no Gravitino server can be had here. Fetches, once: the client with its
pinned dependencies, 360 MB, into an environment of its own. `BELVEDERE_RECORD=1` records anew.
"""

import json
import os
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.gravitino_double import gravitino
from tests.recorded.gravitino_client import (
    RECORDED,
    SCHEMA,
    TOLD,
    created,
    live_through,
    store_of,
    writes,
)

pytestmark = [pytest.mark.live, pytest.mark.timeout(1_800)]
HERE = Path(__file__).parent / "gravitino"
VERSION = "1.3.1"
CACHE = Path(os.environ.get("BELVEDERE_LIVE_CACHE") or f"{tempfile.gettempdir()}/belvedere-live")


@pytest.fixture(scope="session")
def client() -> Path:
    """The Python of the environment that has the client."""
    folder = CACHE / f"gravitino-client-{VERSION}"
    if not (folder / "made").exists():
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        pip = folder / "bin" / "pip"
        subprocess.run([pip, "install", "-q", f"apache-gravitino=={VERSION}"], check=True)
        (folder / "made").touch()
    return folder / "bin" / "python"


def driven(client: Path, uri: str, what: str) -> Any:
    done = subprocess.run(
        [client, HERE / "client.py", uri, what],
        input=json.dumps(TOLD),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_the_official_client_sends_what_we_send_and_reads_what_we_write(client: Path) -> None:
    with gravitino() as theirs:
        seen = driven(client, theirs.uri, "write")
        sent = writes(theirs)
    with gravitino() as ours, store_of(ours) as store:
        assert live_through(store) == ["create", "replace", "rename", "drop"]
        assert writes(ours) == sent
        store.prepare([SCHEMA])
        assert created(store).action == "create"
        before = len(ours.asked)
        read = driven(client, ours.uri, "read")
        asked = [path for _, path, _ in ours.asked[before:]]
        answers = {path: ours.said(path) for path in asked}
    recorded = {
        "provenance": {
            "client": f"apache-gravitino {VERSION}",
            "server": "tests/gravitino_double.py, which is not Gravitino",
            "recipe": "tests/live/gravitino/client.py",
            "date": f"{datetime.now(UTC):%Y-%m-%d}",
        },
        "writes": sent,
        "seen": seen,
        "answers": answers,
        "read": read,
    }
    if os.environ.get("BELVEDERE_RECORD"):
        text = json.dumps(recorded, ensure_ascii=False, indent=1)
        RECORDED.write_text(f"{text}\n", encoding="utf-8")
    known = json.loads(RECORDED.read_text(encoding="utf-8"))
    assert {**known, "provenance": 0} == {**recorded, "provenance": 0}
