"""The documented lines without a network: what the bundle holds installs, runs and judges."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.conftest import trino_entry
from tests.live.submitting import REPOSITORY, documented

pytestmark = [pytest.mark.live, pytest.mark.slow, pytest.mark.timeout(1800)]

LOOPBACK = """
import fcntl, socket, struct
with socket.socket() as any_socket:
    # SIOCSIFFLAGS, IFF_UP and IFF_RUNNING
    fcntl.ioctl(any_socket, 0x8914, struct.pack("16sh14x", b"lo", 0x41))
"""
NETWORK = "import socket; socket.create_connection(('1.1.1.1', 443), timeout=3)"


def test_the_bundle_installs_runs_and_judges_without_a_network(tmp_path: Path) -> None:
    if subprocess.run(["unshare", "--net", "true"], check=False, capture_output=True).returncode:
        pytest.skip("no right to make a network namespace")
    subprocess.run(["make", "bundle"], cwd=REPOSITORY, check=True, capture_output=True)
    shutil.move(REPOSITORY / "dist" / "offline.tar", tmp_path)
    view = {"kind": "hive_table", "payload": trino_entry("t", "SELECT 1 AS id")}
    (tmp_path / "views.jsonl").write_text(json.dumps(view), encoding="utf-8")
    (tmp_path / "estate.yaml").write_text(
        "warehouse: warehouse\njars_dir: offline/jars\n"
        "sources: {lake: {kind: archive, path: views.jsonl}}\n"
    )
    script = f"""
set -e
python3 -c '{LOOPBACK}'
! python3 -c "{NETWORK}" 2>/dev/null
{documented("Without a network")}
env/bin/belvedere crawl
env/bin/belvedere assess
env/bin/belvedere verdicts --warehouse warehouse > verdicts.jsonl
"""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("PIP_", "PY"))}
    told = subprocess.run(
        ["unshare", "--net", "bash", "-c", script],
        cwd=tmp_path,
        env={**kept, "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == 0, told.stderr[-2000:]
    said = [json.loads(line) for line in (tmp_path / "verdicts.jsonl").read_text().splitlines()]
    proofs = {(one["engine"], one["grade"]) for one in said if one["verdict"] != "not judged"}
    assert proofs >= {("trino", "PARSE"), ("trino", "ANALYZE"), ("flink", "PARSE")}
