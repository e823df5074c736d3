"""belvedere waves: print in which order the views of a run can move, as JSON lines.

Each line is {"source", "namespace", "name", "wave"}, from 1: what a view reads is in an earlier
wave, and in a wave the most used first. A view that has no place in the order has, instead of
"wave", "aside" with the reason and "because" with what that is about. After `belvedere usage` each
has "use" and "uses", too.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from typing import Final

from jobs.assessing.tables import WAVES
from jobs.console import command
from jobs.console.json_lines import choose_run
from jobs.using.tables import VIEW_USAGE, ViewUse

_PLACE: Final = ("source", "namespace", "name")


def run(args: argparse.Namespace) -> int:
    """Print a line for each view, wave by wave, what is set aside last."""
    asked = choose_run(args)
    every = (ViewUse(**row) for row in asked.rows(VIEW_USAGE))
    used = {view_use.place: view_use for view_use in every}
    rows = [(row, used.get((row["source"], row["key"]))) for row in asked.read_assessed(WAVES)]
    rows.sort(
        key=lambda pair: _sort_key(pair[0]["wave"], pair[1], (pair[0]["source"], pair[0]["key"]))
    )
    for row, use in rows:
        members = (*_PLACE, "wave") if row["aside"] is None else (*_PLACE, "aside", "because")
        usage = {"use": use.use, "uses": use.uses} if use else {}
        print(json.dumps({name: row[name] for name in members} | usage))
    return command.FINE


def _sort_key(
    wave: int | None, use: ViewUse | None, place: tuple[str, str]
) -> tuple[bool, int, tuple[int, int, int], tuple[str, str]]:
    """What orders views: the wave, then the use."""
    return wave is None, wave or 0, use.rank if use else (0, 0, 0), place


def main(argv: Sequence[str] | None = None) -> int:
    """The command, for the console script and for spark-submit."""
    return command.execute(__doc__, command.with_run, run, argv)


if __name__ == "__main__":
    sys.exit(main())
