"""belvedere verdicts: print what the judges said of the views of a run, as JSON lines.

Each line is {"source", "namespace", "name", "dialect", "engine", "version", "grade", "verdict",
"message", "line", "column", "asked", "query", "seconds"}; a verdict is "accepted", "rejected" or
"not judged"; the last three are those of a running engine.
"""

import argparse
import sys
from collections.abc import Sequence

from jobs.assessing.tables import VERDICTS
from jobs.console import command
from jobs.console.json_lines import print_assessed


def run(args: argparse.Namespace) -> int:
    """Print a line for each verdict."""
    print_assessed(VERDICTS, args)
    return command.FINE


def main(argv: Sequence[str] | None = None) -> int:
    """The command, for the console script and for spark-submit."""
    return command.execute(__doc__, command.with_run, run, argv)


if __name__ == "__main__":
    sys.exit(main())
