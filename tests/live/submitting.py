"""Lines of docs/clusters.md, run as they stand there, and daemons that they need."""

import json
import os
import re
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyspark

from jobs import demo
from jobs.crawling import tables as rows
from jobs.warehouse.warehouse import Warehouse

REPOSITORY = Path(__file__).parents[2]
SPARK_HOME = Path(pyspark.__file__).parent
COMMAND = "jobs/crawl.py --config estate.yaml --json"  # what the page submits
ENVIRONMENT = {
    **{name: value for name, value in os.environ.items() if not name.startswith("PYSPARK")},
    "SPARK_HOME": str(SPARK_HOME),
    "SPARK_LOCAL_IP": "127.0.0.1",
    "SPARK_DAEMON_MEMORY": "256m",
}


@contextmanager
def daemon(log: Path, command: Sequence[str]) -> Iterator[None]:
    """A program that works in the folder of its log and ends with the context."""
    with log.open("w") as out:
        process = subprocess.Popen(command, stdout=out, stderr=out, env=ENVIRONMENT, cwd=log.parent)
    try:
        yield
    finally:
        process.terminate()
        process.wait(timeout=60)


def told(log: Path, pattern: str) -> str:
    """What a daemon's log says, as soon as it says so."""
    for _ in range(600):
        if match := re.search(pattern, log.read_text(encoding="utf-8")):
            return match[1]
        time.sleep(0.1)
    raise AssertionError(f"{pattern} is not in {log.read_text(encoding='utf-8')}")


def documented(heading: str) -> str:
    """The first block of shell below a heading of the page.

    Raises:
        AssertionError: There is none.
    """
    page = (REPOSITORY / "docs" / "clusters.md").read_text(encoding="utf-8")
    section = page.partition(f"\n## {heading}\n")[2]
    match = re.search(r"(?ms)^```sh\n(.*?)^```", section)
    assert match is not None, f"no block of shell below '{heading}'"
    return match[1]


def submitted(folder: Path, line: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a line of the page in a folder, with an environment beside the usual one."""
    return subprocess.run(
        ["bash", "-euc", line],
        cwd=folder,
        env={**ENVIRONMENT, **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=900,
    )


def crawled(folder: Path, counts: dict[str, Any]) -> dict[str, int]:
    """The listed objects of a run of the demo's estate; all of them are in its rows.

    Args:
        folder: Of the warehouse.
        counts: What the crawl has printed as JSON.

    Raises:
        AssertionError: They are not, or others than the planted ones have failed.
    """
    assert counts["exit_code"] == 4, "of the objects that are planted as unreadable"
    warehouse = Warehouse(str(folder / "warehouse"))
    assert json.loads(warehouse.run(counts["run_id"]).counts)["sources"] == counts["sources"]
    assert demo._code_counts(warehouse, counts["run_id"]) == demo._PLANTED
    assert all(source["reconciled"] for source in counts["sources"].values())
    listed = {name: source["listed"] for name, source in counts["sources"].items()}
    outcomes = warehouse.table(rows.OUTCOMES, counts["run_id"])
    objects = [row["source"] for row in outcomes if row["entity"] == "object"]
    assert {name: objects.count(name) for name in listed} == listed
    return listed


def object_of(stdout: str) -> str:
    """The JSON: a line of its own among what the command says on its standard error."""
    (line,) = [one for one in stdout.splitlines() if one.startswith("{")]
    return line
