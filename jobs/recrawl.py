"""belvedere recrawl: ask again for what failed in a run, and make a run of that and the rest.

`recrawl --failures RUN` takes over the listing of RUN and all that was read of it, and asks the
sources only for the objects that could not be read or decoded then. What comes of it is a run of
its own, which counts and gates as any other; RUN stays as it is. Namespaces that could not be
listed are failures still: only a crawl lists anew.
"""

import argparse
import json
import sys
from collections.abc import Sequence

from jobs.console import command
from jobs.console.session import spark_session
from jobs.crawl import end, named, recrawl
from jobs.crawling.opening import chosen, with_now


def arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    command.with_config(parser)
    parser.add_argument(
        "--failures",
        required=True,
        metavar="RUN",
        help="the committed run whose failures are asked",
    )
    parser.add_argument(
        "--run-id", metavar="ID", help="name of the new run; made of the time if left out"
    )
    with_now(parser)
    command.with_json(parser, "one JSON object with the counts of the new run")


def run(args: argparse.Namespace) -> int:
    """Ask again, and print what came of it."""
    run_id = named(args.run_id)
    crawled = recrawl(spark_session("recrawl"), chosen(args), args.failures, run_id)
    if crawled is None:
        command.show(json.dumps(None) if args.json else "nothing to ask again")
        return command.FINE
    return end(crawled, args.config_file, as_json=args.json)


def main(argv: Sequence[str] | None = None) -> int:
    """The command, for the console script and for spark-submit."""
    return command.execute(__doc__, arguments, run, argv)


if __name__ == "__main__":
    sys.exit(main())
