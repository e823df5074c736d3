"""All stages on executors in processes of their own: mistakes of pickling and of paths show."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import QUICK, REPOSITORY, spark_entry
from tests.migrated import BASE, TABLE, TOP

pytestmark = [pytest.mark.spark, pytest.mark.slow, pytest.mark.timeout(900)]
ESTATE = """
warehouse: warehouse
sources:
  a: {kind: archive, path: a.jsonl}
targets:
  t: {kind: archive, path: kept}
engines: [hive, spark]
"""


def belvedere(folder: Path, *line: str) -> "subprocess.CompletedProcess[str]":
    """The command, in a folder that has none of our modules."""
    return _run(folder, "local-cluster[2,1,1024]", "-m", "jobs.cli", *line)


def python(folder: Path, *lines: str) -> "subprocess.CompletedProcess[str]":
    """A program of one process, in such a folder."""
    return _run(folder, "local[1]", "-c", "\n".join(lines))


def _run(folder: Path, master: str, *words: str) -> "subprocess.CompletedProcess[str]":
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("PYSPARK")},
        "BELVEDERE_SPARK_CONF": f"{QUICK} spark.master={master}",
        "PYTHONPATH": str(REPOSITORY),
    }
    return subprocess.run(
        [sys.executable, *words],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        env=environment,
    )


def test_all_stages_run_on_executors_in_processes_of_their_own(tmp_path: Path) -> None:
    entries = (TABLE, BASE, TOP, spark_entry("other", "SELECT id FROM t"))
    lines = [json.dumps({"kind": "hive_table", "payload": entry}) for entry in entries]
    (tmp_path / "a.jsonl").write_text("\n".join(lines), encoding="utf-8")
    (tmp_path / "estate.yaml").write_text(ESTATE, encoding="utf-8")
    done = belvedere(tmp_path, "run", "--config", "estate.yaml", "--apply", "--json")
    assert done.returncode == 0, done.stderr
    assert "3 written, 0 not" in done.stderr
    assert "read back 3 equal, 0 different" in done.stderr
    kept = [path for path in (tmp_path / "kept").rglob("*") if path.is_file()]
    assert kept
    assert (tmp_path / "report" / "belvedere.html").exists()


def test_a_process_whose_java_was_killed_starts_another_one_for_its_next_command(
    tmp_path: Path,
) -> None:
    lines = [json.dumps({"kind": "hive_table", "payload": entry}) for entry in (TABLE, BASE)]
    (tmp_path / "a.jsonl").write_text("\n".join(lines), encoding="utf-8")
    (tmp_path / "estate.yaml").write_text(ESTATE, encoding="utf-8")
    done = python(
        tmp_path,
        "import time",
        "from pyspark import SparkContext",
        "from jobs.cli import main",
        "codes = [main(['crawl'])]",
        "SparkContext._gateway.proc.kill()",
        "SparkContext._gateway.proc.wait()",
        "codes.append(main(['crawl']))",
        "print(codes, flush=True)",
    )
    assert "[0, 0]" in done.stdout, done.stderr
    assert "Traceback" not in done.stderr, done.stderr
