"""belvedere drafts: print the drafts of a run, and why others are refused, as JSON lines.

Each line is {"source", "namespace", "name", "dialect", "translator", "translated_from", "state",
"grade", "code", "message", "said", "line", "column", "sql", "default_catalog", "default_levels",
"reads"}; a state is "shown" or "refused". There is a line for each view and each dialect that
`drafts` of the configuration asks for and that the view does not have.
"""

import argparse
import sys
from collections.abc import Sequence

from jobs.assessing.tables import DRAFTS
from jobs.console import command
from jobs.console.json_lines import print_assessed


def run(args: argparse.Namespace) -> int:
    """Print a line for each draft, shown or refused."""
    print_assessed(DRAFTS, args)
    return command.FINE


def main(argv: Sequence[str] | None = None) -> int:
    """The command, for the console script and for spark-submit."""
    return command.execute(__doc__, command.with_run, run, argv)


if __name__ == "__main__":
    sys.exit(main())
