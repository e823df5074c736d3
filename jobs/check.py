"""belvedere check: prove that a run is as it was written, by every byte.

Every command looks whether the files of a run are there and have their sizes and footers; this one
reads them, and compares them with the digests of their manifests: those of the crawl, of what
assess and quality wrote, of the plans, and of what apply and undo noted. A line says what is
missing or has changed, and what to do. Exit code 1 if there is any. On a file system that only
Spark reads, it looks no further than every command does.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence

from discovery.errors import ConfigurationError
from jobs.console import command
from jobs.console.session import warehouse_of
from jobs.migrating.tables import APPLIES, PLANS
from jobs.warehouse.warehouse import Warehouse


def arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    command.with_warehouse(parser)
    parser.add_argument("--run-id", metavar="ID", help="only this run; all by default")


def run(args: argparse.Namespace) -> int:
    """Print a line for each thing that is not as it was written."""
    code = command.FINE
    for told in damage(warehouse_of(args.warehouse), args.run_id):
        print(told)
        code = command.CRASHED
    return code


def damage(warehouse: Warehouse, run_id: str | None) -> Iterator[str]:
    """What is not as it was written.

    Raises:
        ConfigurationError: There is no such run.
    """
    runs = [one.run_id for one in warehouse.runs() if run_id in {None, one.run_id}]
    if run_id is not None and not runs:
        raise ConfigurationError(f"no committed run {run_id}")
    plans = [row["plan"] for row in warehouse.table(PLANS, "*") if row["crawl"] in runs]
    executed = [row["run"] for row in warehouse.table(APPLIES, "*") if row["plan"] in plans]
    for name in (*runs, *plans, *executed):
        yield from warehouse.damage(name)


def main(argv: Sequence[str] | None = None) -> int:
    """The command, for the console script and for spark-submit."""
    return command.execute(__doc__, arguments, run, argv)


if __name__ == "__main__":
    sys.exit(main())
