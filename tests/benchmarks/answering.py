"""How long one waits for the first answer: commands on a run of 1,000 views, from the shell."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from tests.benchmarks.crawling import session
from tests.benchmarks.measure import median_of, note, say, seconds
from tests.benchmarks.rendering import made_up, one_more

VIEWS: Final = 1_000
_AIM: Final = 2.0  # seconds


def first_answer() -> None:
    """The commands that look at what is there; none of them starts Spark."""
    with tempfile.TemporaryDirectory(prefix="belvedere-bench-") as place:
        folder = Path(place)
        with session() as spark:
            one_more(spark, made_up(spark, folder, VIEWS), "again", VIEWS)
        warehouse = str(folder / "warehouse")
        estate = folder / "estate.yaml"
        estate.write_text("warehouse: warehouse\nsources: {a: {kind: archive, path: a.jsonl}}")
        (folder / "a.jsonl").write_text("")
        where = ("--warehouse", warehouse)
        asked: dict[str, tuple[str, ...]] = {
            "views": ("views", *where),
            "failures": ("failures", *where),
            "waves": ("waves", *where),
            "runs": ("runs", *where),
            "diff": ("diff", "again", "bench", *where),
            "explain": ("explain", "STALE_COLUMNS"),
            "doctor": ("doctor", "--quick", "--config", str(estate)),
            "report": ("report", *where, "--out", str(folder / "report")),
        }
        for name, line in asked.items():
            taken = median_of(lambda line=line: seconds(lambda: _run(line)))  # type: ignore[misc]
            note(f"first-answer: {name} {taken:.1f} s")
            say(f"first-answer-{name}", VIEWS, taken, "s", _AIM, "<= 2 s")


def _run(line: tuple[str, ...]) -> None:
    # as what pip has installed: our modules are compiled once, not at each start
    kept = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-m", "belvedere", *line]
    subprocess.run(command, capture_output=True, check=True, env=kept)
