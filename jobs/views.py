"""belvedere views: print the views of a run as JSON lines.

Each line is {"source", "namespace": [...], "name", "format", "view": {...}}; the view has
Gravitino's REST field names, its types in Gravitino's JSON grammar.
"""

import argparse
import json
import sys
from collections.abc import Sequence

from jobs.console import command
from jobs.console.session import warehouse_of
from jobs.crawling import tables as rows


def run(args: argparse.Namespace) -> int:
    """Print a line for each view."""
    warehouse = warehouse_of(args.warehouse)
    where = {"outcome": ["view"]} | ({"source": [args.source]} if args.source else {})
    run_id = warehouse.run(args.run_id).run_id
    for row in warehouse.table(rows.OUTCOMES, run_id, where=where):
        head = {key: row[key] for key in ("source", "namespace", "name", "format")}
        print(json.dumps(head)[:-1] + f', "view": {row["model"]}}}')
    return command.FINE


def main(argv: Sequence[str] | None = None) -> int:
    """The command, for the console script and for spark-submit."""
    return command.execute(__doc__, command.with_run, run, argv)


if __name__ == "__main__":
    sys.exit(main())
