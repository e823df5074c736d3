"""belvedere waves: print in which order the views of a run can move, as JSON lines.

Each line is {"source", "namespace", "name", "wave"}, from 1: what a view reads is in an earlier
wave, and in a wave the most used first. A view that has no place in the order has, instead of
"wave", "aside" with the reason and "because" with what that is about. After `belvedere usage` each
has "use" and "uses", too.
"""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from typing import Any, Final

from jobs.assessing.tables import WAVES
from jobs.console import command
from jobs.console.json_lines import chosen
from jobs.using.tables import VIEW_USAGE, rank

_PLACE: Final = ("source", "namespace", "name")
_USED: Final = ("use", "uses")
_UNKNOWN: Final = {"uses": 0, "reads": 0, "mentions": 0}


def run(args: argparse.Namespace) -> int:
    """Print a line for each view, wave by wave, what is set aside last."""
    asked = chosen(args)
    used = {(one["source"], one["key"]): one for one in asked.rows(VIEW_USAGE)}
    for row in sorted(asked.assessed(WAVES), key=lambda row: _order(row, used)):
        members = (*_PLACE, "wave") if row["aside"] is None else (*_PLACE, "aside", "because")
        use = used.get((row["source"], row["key"]), {})
        told = {name: use[name] for name in _USED if use}
        print(json.dumps({name: row[name] for name in members} | told))
    return command.FINE


def _order(
    row: Mapping[str, Any], used: Mapping[tuple[str, str], Mapping[str, Any]]
) -> tuple[bool, int, int, int, int, str, str]:
    """What orders views: the wave, then the use."""
    use = used.get((row["source"], row["key"]), _UNKNOWN)
    return row["wave"] is None, row["wave"] or 0, *rank({**use, **row})


def main(argv: Sequence[str] | None = None) -> int:
    """The command, for the console script and for spark-submit."""
    return command.execute(__doc__, command.with_run, run, argv)


if __name__ == "__main__":
    sys.exit(main())
