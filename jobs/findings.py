"""belvedere findings: print what the checks found in the views of a run, as JSON lines.

Each line is {"source", "namespace", "name", "dialect", "code", "severity", "engine", "message",
"hint"}; an error keeps the engine from reading the view as it is stored, a warning does not.
"""

import argparse
import sys
from collections.abc import Sequence

from jobs.assessing.tables import FINDINGS
from jobs.console import command
from jobs.console.json_lines import print_assessed


def run(args: argparse.Namespace) -> int:
    """Print a line for each finding."""
    print_assessed(FINDINGS, args)
    return command.FINE


def main(argv: Sequence[str] | None = None) -> int:
    """The command, for the console script and for spark-submit."""
    return command.execute(__doc__, command.with_run, run, argv)


if __name__ == "__main__":
    sys.exit(main())
