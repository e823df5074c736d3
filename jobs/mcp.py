"""belvedere mcp: answer an assistant's questions about a run, by the Model Context Protocol.

Speaks JSON-RPC over stdin and stdout with the program that has started it, until that closes them.
Only reads, only the warehouse; no source or target is asked. What looks like a secret is `***`.
"""

import argparse
import sys
from collections.abc import Sequence

from discovery.packages import missing
from jobs.answering.answers import RunAnswers
from jobs.console import command
from jobs.console.session import warehouse_of


def arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    command.with_warehouse(parser)
    parser.add_argument("--run-id", metavar="ID", help="a committed run; the latest by default")


def run(args: argparse.Namespace) -> int:
    """Answer until nobody asks any more."""
    try:
        from jobs.answering.server import server  # noqa: PLC0415 - of an extra
    except ModuleNotFoundError as error:
        raise missing(error, "belvedere mcp") from error
    server(RunAnswers(warehouse_of(args.warehouse), args.run_id)).run()
    return command.FINE


def main(argv: Sequence[str] | None = None) -> int:
    """The command, for the console script and for spark-submit."""
    return command.execute(__doc__, arguments, run, argv)


if __name__ == "__main__":
    sys.exit(main())
