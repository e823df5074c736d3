"""belvedere store: make the tables of a target where they are missing, and say which.

Tables that are there are left as they are. A layout of another release is refused. Loading makes
missing tables, too; this is for those who want to see them first, or whose loading principal may
make none.
"""

import argparse
import json
import sys
from collections.abc import Sequence

from connectors.registry import Connector
from discovery.errors import ConfigurationError
from discovery.ports import TableStore
from jobs.console import command


def init(target: str, connector: Connector) -> tuple[str, ...]:
    """Make what is missing; the names of the tables that were made.

    Raises:
        BelvedereError: The target has no tables, does not answer, or has another layout.
    """
    with connector.store() as store:
        if isinstance(store, TableStore):
            return store.init()
    raise ConfigurationError(f"the target {target} is a {connector.kind}, which has no tables")


def arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("action", choices=["init"], help="make the tables that are missing")
    command.with_config(parser)
    parser.add_argument("--target", metavar="NAME", required=True, help="as estate.yaml has it")
    command.with_json(parser, "the tables that were made, as one JSON object")


def run(args: argparse.Namespace) -> int:
    """Make the tables of the target, and print their names."""
    targets = args.config.targets
    if args.target not in targets:
        hint = f"targets: {', '.join(targets) or 'none at all'}"
        raise ConfigurationError(f"no target {args.target}", hint=hint)
    created = init(args.target, targets[args.target])
    if args.json:
        command.show(json.dumps({"target": args.target, "made": created}))
    else:
        message = f"made {', '.join(created)}" if created else "all tables are there"
        command.show(f"{args.target}: {message}")
    return command.FINE


def main(argv: Sequence[str] | None = None) -> int:
    """The command, for the console script and for spark-submit."""
    return command.execute(__doc__, arguments, run, argv)


if __name__ == "__main__":
    sys.exit(main())
