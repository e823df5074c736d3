"""belvedere diff: print what differs between two runs of a warehouse.

A line for each view that has appeared or vanished, that is otherwise (with the fields that differ),
that cannot be read any more or can again; `unknown` is what one of the runs could not list. The
earlier run comes first. Exit code 0, whatever differs; --exit-code makes it 3 if anything does.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence

from discovery.errors import ConfigurationError
from discovery.model import dotted
from jobs.console import command
from jobs.console.session import warehouse_of
from jobs.reporting.differing import Difference, differing


def arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("before", metavar="BEFORE", help="a committed run")
    parser.add_argument("after", metavar="AFTER", help="a later one")
    parser.add_argument("--warehouse", required=True, metavar="W", help="where the runs are")
    parser.add_argument("--source", metavar="S", help="only this source")
    parser.add_argument("--exit-code", action="store_true", help="end with 3 if anything differs")
    command.with_json(parser, "JSON lines: sort, source, namespace, name, key, detail")


def run(args: argparse.Namespace) -> int:
    """Print a line for each difference."""
    if args.before == args.after:
        raise ConfigurationError(f"run {args.before} cannot be compared with itself")
    warehouse = warehouse_of(args.warehouse)
    earlier, later = warehouse.run(args.before), warehouse.run(args.after)
    counts: Counter[str] = Counter()
    for one in differing(warehouse, earlier, later):
        if args.source in {None, one.source}:
            counts[one.sort] += 1
            print(json.dumps(_members(one)) if args.json else _line(one))
    told = ", ".join(f"{number:,} {sort}" for sort, number in counts.most_common())
    command.say(f"{args.before} -> {args.after}: {told or 'nothing differs'}")
    if not (args.exit_code and counts):
        return command.FINE
    then = f"belvedere report --run-id {args.after} --against {args.before} shows it on a page"
    return command.end([command.ExitReason(command.FINDINGS, f"the runs differ: {told}", then)])


def main(argv: Sequence[str] | None = None) -> int:
    """The command, for the console script and for spark-submit."""
    return command.execute(__doc__, arguments, run, argv)


def _line(one: Difference) -> str:
    detail = f": {', '.join(one.detail)}" if one.detail else ""
    return f"{one.sort:16} {one.source} {dotted((*one.namespace, one.name))}{detail}"


def _members(one: Difference) -> dict[str, object]:
    return {
        "sort": one.sort,
        "source": one.source,
        "namespace": [*one.namespace],
        "name": one.name,
        "key": one.key,
        "detail": [*one.detail],
    }


if __name__ == "__main__":
    sys.exit(main())
