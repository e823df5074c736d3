"""belvedere jars: fetch the jars of all judges into a folder, for a machine without a network.

With --config, those that its estate asks for, and no others. There, `jars_dir` of the configuration
names the folder. Each jar is checked by its SHA-256. A mirror of Maven's central repository is
named by spark.jars.ivySettings, as everywhere.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from jobs.assessing.jars import collect_jars, jars_to_fetch
from jobs.console import command
from jobs.console.parsing import folder
from jobs.console.session import spark_session


def arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument(
        "--out", type=folder, required=True, metavar="DIR", help="the folder, made if need be"
    )
    parser.add_argument(
        "--config", type=Path, metavar="FILE", help="an estate, for the jars that it asks for alone"
    )
    command.with_json(parser, "a JSON object: each coordinate, and why it could not be had")


def run(args: argparse.Namespace) -> int:
    """Fetch them, and say which could not be had."""
    asked = None if args.config is None else jars_to_fetch(args.config)
    reasons = collect_jars(spark_session("jars"), args.out, asked)
    if args.json:
        print(json.dumps({name: why or None for name, why in sorted(reasons.items())}))
    else:
        print(f"{args.out}: {sum(not why for why in reasons.values())} of {len(reasons)} jars")
    return command.end(
        [
            command.ExitReason(command.CRASHED, f"{name} could not be had", why)
            for name, why in sorted(reasons.items())
            if why
        ]
    )


def main(argv: Sequence[str] | None = None) -> int:
    """The command, for the console script and for spark-submit."""
    return command.execute(__doc__, arguments, run, argv)


if __name__ == "__main__":
    sys.exit(main())
