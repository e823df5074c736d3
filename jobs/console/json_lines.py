"""Tables of a run as JSON lines."""

import argparse
import json
from collections.abc import Iterator, Sequence
from typing import Any

from jobs.console.session import warehouse_of
from jobs.warehouse.datasets import Dataset


def rows_of(table: Dataset, args: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """The rows of a table of the run that the arguments name."""
    warehouse = warehouse_of(args.warehouse)
    where: dict[str, Sequence[str]] = {"source": [args.source]} if args.source else {}
    return warehouse.table(table, warehouse.run(args.run_id).run_id, where=where)


def print_table(table: Dataset, args: argparse.Namespace) -> None:
    """Print a line for each row."""
    for row in rows_of(table, args):
        print(json.dumps({name: value for name, value in row.items() if name != "key"}))
