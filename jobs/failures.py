"""belvedere failures: print what a run could not carry over, as JSON lines.

Each line is {"source", "namespace", "name", "outcome": "failure" or "skipped", "stage", "code",
"message", "hint", "key"}; the key is what `belvedere accept --object` takes. A namespace or a whole
source that could not be listed has an empty name.
"""

import argparse
import json
import sys
from collections.abc import Sequence

from jobs.console import command
from jobs.console.json_lines import choose_run
from jobs.crawling import tables as rows

_MEMBERS = ("source", "namespace", "name", "outcome", "stage", "code", "message", "hint", "key")


def arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    command.with_run(parser)
    parser.add_argument(
        "--outcome", choices=("failure", "skipped"), help="only failures, or only skipped objects"
    )


def run(args: argparse.Namespace) -> int:
    """Print a line for each failure and each skipped object."""
    outcomes = [args.outcome] if args.outcome else ["failure", "skipped"]
    for row in choose_run(args).rows(rows.OUTCOMES, outcome=outcomes):
        print(json.dumps({key: "" if row[key] is None else row[key] for key in _MEMBERS}))
    return command.FINE


def main(argv: Sequence[str] | None = None) -> int:
    """The command, for the console script and for spark-submit."""
    return command.execute(__doc__, arguments, run, argv)


if __name__ == "__main__":
    sys.exit(main())
