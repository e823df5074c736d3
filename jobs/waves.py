"""belvedere waves: print in which order the views of a run can move, as JSON lines.

Each line is {"source", "namespace", "name", "wave"}, from 1: what a view reads is in an earlier
wave. A view that has no place in the order has, instead of "wave", "aside" with the reason and
"because" with what that is about.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from typing import Final

from jobs.assessing.tables import WAVES
from jobs.console import command
from jobs.console.json_lines import rows_of

_PLACE: Final = ("source", "namespace", "name")


def run(args: argparse.Namespace) -> int:
    """Print a line for each view, wave by wave, what is set aside last."""
    found = sorted(
        rows_of(WAVES, args),
        key=lambda row: (row["wave"] is None, row["wave"] or 0, row["source"], row["key"]),
    )
    for row in found:
        members = (*_PLACE, "wave") if row["aside"] is None else (*_PLACE, "aside", "because")
        print(json.dumps({name: row[name] for name in members}))
    return command.FINE


def main(argv: Sequence[str] | None = None) -> int:
    """The command, for the console script and for spark-submit."""
    return command.execute(__doc__, command.with_run, run, argv)


if __name__ == "__main__":
    sys.exit(main())
