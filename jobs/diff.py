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

from discovery.display import unbroken
from discovery.errors import ConfigurationError
from discovery.model import dotted
from discovery.ranking import ranked
from jobs.console import command
from jobs.console.json_lines import insist_on_source
from jobs.console.session import warehouse_of
from jobs.reporting.differing import Difference, differing
from jobs.reporting.past import earlier_run
from jobs.warehouse.runs import Run
from jobs.warehouse.warehouse import Warehouse


def arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument(
        "before",
        nargs="?",
        metavar="BEFORE",
        help="a committed run; default: the one before",
    )
    parser.add_argument("after", nargs="?", metavar="AFTER", help="a later one; default: the last")
    command.with_warehouse(parser)
    parser.add_argument("--source", metavar="S", help="only this source")
    parser.add_argument("--exit-code", action="store_true", help="end with 3 if anything differs")
    command.with_json(parser, "JSON lines: sort, source, namespace, name, key, detail")


def run(args: argparse.Namespace) -> int:
    """Print a line for each difference."""
    warehouse = warehouse_of(args.warehouse)
    earlier, later = _find_runs(warehouse, args.before, args.after)
    insist_on_source(args.source, earlier, later)
    counts: Counter[str] = Counter()
    for difference in differing(warehouse, earlier, later):
        if args.source in {None, difference.source}:
            counts[difference.sort] += 1
            print(json.dumps(_members(difference)) if args.json else _line(difference))
    summary = ", ".join(f"{number:,} {sort}" for sort, number in ranked(counts))
    command.say(f"{earlier.run_id} -> {later.run_id}: {summary or 'nothing differs'}")
    if not (args.exit_code and counts):
        return command.FINE
    runs = ("--run-id", later.run_id, "--against", earlier.run_id)
    report = command.next_command(None, "report", *runs, "--warehouse", args.warehouse)
    then = f"{report} shows it on a page"
    return command.end([command.ExitReason(command.FINDINGS, f"the runs differ: {summary}", then)])


def main(argv: Sequence[str] | None = None) -> int:
    """The command, for the console script and for spark-submit."""
    return command.execute(__doc__, arguments, run, argv)


def _find_runs(warehouse: Warehouse, before: str | None, after: str | None) -> tuple[Run, Run]:
    """The two runs.

    Raises:
        ConfigurationError: There is no such run, none before it, or it is the same.
    """
    later = warehouse.run(after)
    earlier = earlier_run(warehouse, later, before)
    if earlier is None:
        message = (
            f"{later.run_id} is the first run of the warehouse: there is none to compare it with"
        )
        raise ConfigurationError(message, hint="crawl again, or name two runs")
    return earlier, later


def _line(difference: Difference) -> str:
    detail = f": {', '.join(difference.detail)}" if difference.detail else ""
    return unbroken(
        f"{difference.sort:16} {difference.source} "
        f"{dotted((*difference.namespace, difference.name))}{detail}"
    )


def _members(difference: Difference) -> dict[str, object]:
    return {
        "sort": difference.sort,
        "source": difference.source,
        "namespace": [*difference.namespace],
        "name": difference.name,
        "key": difference.key,
        "detail": [*difference.detail],
    }


if __name__ == "__main__":
    sys.exit(main())
