"""A file system that is full: a crawl says so in a sentence, and half of a run is none."""

import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from discovery.errors import ConfigurationError
from jobs.warehouse.warehouse import Warehouse
from tests.checking import damage
from tests.conftest import hive_entry

VIEWS = 3_000
LONG = 600.0  # seconds


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Path]:
    """A file system of two megabytes."""
    if os.geteuid():
        pytest.skip("only root can mount a file system")
    folder = tmp_path / "small"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(folder)]
    mounted = subprocess.run(mount, capture_output=True, text=True, check=False)
    if mounted.returncode:
        pytest.skip(f"no file system can be mounted here: {mounted.stderr.strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)  # Java may be ending


def crawl(estate: Path, run: str = "r") -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "jobs.cli", "crawl", "--config", str(estate)]
    return subprocess.run(
        [*command, "--run-id", run], capture_output=True, text=True, timeout=LONG, check=False
    )


@pytest.mark.live
@pytest.mark.parametrize("archive", [False, True])
def test_a_full_file_system_ends_a_crawl_with_a_sentence_and_commits_nothing(
    small: Path, tmp_path: Path, *, archive: bool
) -> None:
    noise = random.Random(1)  # noqa: S311 - what does not compress
    views = [hive_entry(f"v{n}", f"select '{noise.randbytes(500).hex()}'") for n in range(VIEWS)]
    entries = [json.dumps({"kind": "hive_table", "payload": view}) for view in views]
    (tmp_path / "views.jsonl").write_text("\n".join(entries), encoding="utf-8")
    warehouse = small / "warehouse"
    source = {"kind": "archive", "path": str(tmp_path / "views.jsonl")}
    told = {"warehouse": str(warehouse), "archive": archive, "sources": {"a": source}}
    (tmp_path / "estate.yaml").write_text(json.dumps(told), encoding="utf-8")
    done = crawl(tmp_path / "estate.yaml")
    assert done.returncode == 1, done.stderr
    said = [line for line in done.stderr.splitlines() if line.startswith("belvedere crawl: ")]
    assert said == [f"belvedere crawl: {warehouse}/tasks/run_id=r: No space left on device"]
    assert "hint: free some space there, and run it again: what is comm" in done.stderr
    assert "\tat org.apache." not in done.stderr, "Java's traces are in the file"
    assert Warehouse(str(warehouse)).runs() == []
    with pytest.raises(ConfigurationError, match="no committed run"):
        Warehouse(str(warehouse)).run(None)
    subprocess.run(["mount", "-o", "remount,size=64m", str(small)], check=True)
    again = crawl(tmp_path / "estate.yaml")
    assert again.returncode == 0, again.stderr
    assert json.loads(Warehouse(str(warehouse)).run("r").counts)["sources"]["a"]["views"] == VIEWS
    assert damage(str(warehouse)) == []


@pytest.mark.live
def test_a_full_disk_is_freed_by_prune(small: Path, tmp_path: Path) -> None:
    (tmp_path / "views.jsonl").write_text(
        json.dumps({"kind": "hive_table", "payload": hive_entry("v", "select 1")}), encoding="utf-8"
    )
    warehouse = small / "warehouse"
    source = {"kind": "archive", "path": str(tmp_path / "views.jsonl")}
    told = {"warehouse": str(warehouse), "sources": {"a": source}}
    (tmp_path / "estate.yaml").write_text(json.dumps(told), encoding="utf-8")
    for run in ("r", "s"):
        assert crawl(tmp_path / "estate.yaml", run).returncode == 0
    filling = ["dd", "if=/dev/zero", f"of={small / 'big'}", "bs=4096"]
    assert subprocess.run(filling, capture_output=True, check=False).returncode
    command = [sys.executable, "-m", "jobs.cli", "prune", "--warehouse", str(warehouse)]
    told_to = [*command, "--keep-last", "1", "--yes"]
    done = subprocess.run(told_to, capture_output=True, text=True, timeout=LONG, check=False)
    assert (done.returncode, "removed: run r" in done.stdout) == (0, True), done.stderr
    assert [one.run_id for one in Warehouse(str(warehouse)).runs()] == ["s"]
    assert not list((warehouse / "locks").iterdir())
