"""belvedere report: write the report of a run: a page for people and JSON for programs.

Writes belvedere.html, one self-contained file, and belvedere.json into the folder.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from jobs.runtime import command
from jobs.runtime.session import warehouse_of
from jobs.runtime.warehouse import Warehouse
from reports import page, to_json
from reports.summary import summarize


def write_report(warehouse: Warehouse, run_id: str | None, folder: Path) -> Path:
    """Write the files; the page's path is the answer."""
    run = warehouse.run(run_id)
    plans = [row for row in warehouse.table("plans", "*") if row["crawl"] == run.run_id]
    forward = [row for row in plans if row["undoes"] is None]
    plan = max(forward, key=lambda row: row["created"], default={"plan": "none"})["plan"]
    tables = [
        *(warehouse.table(name, run.run_id) for name in ("outcomes", "verdicts")),
        *(warehouse.table(name, plan) for name in ("changes", "verified")),
    ]
    head = {
        "run_id": run.run_id,
        "started": run.started.isoformat(timespec="seconds"),
        "finished": run.finished.isoformat(timespec="seconds"),
        "version": run.version,
        "exit_code": run.exit_code,
        "counts": json.loads(run.counts),
    }
    summary = summarize(head, *tables)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "belvedere.json").write_text(to_json.render(summary), encoding="utf-8")
    written = folder / "belvedere.html"
    written.write_text(page.render(summary), encoding="utf-8")
    return written


def arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("--warehouse", required=True, metavar="W", help="where the runs are")
    parser.add_argument("--run-id", metavar="ID", help="a committed run; the latest by default")
    parser.add_argument(
        "--out", type=Path, required=True, metavar="DIR", help="folder of the files"
    )


def run(args: argparse.Namespace) -> int:
    """Write the report, and say where."""
    print(write_report(warehouse_of(args.warehouse), args.run_id, args.out))
    return command.FINE


def main(argv: Sequence[str] | None = None) -> int:
    """The command, for the console script and for spark-submit."""
    return command.execute(__doc__, arguments, run, argv)


if __name__ == "__main__":
    sys.exit(main())
