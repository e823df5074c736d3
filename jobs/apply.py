"""belvedere apply: write what a plan says into its targets.

Wave by wave, in transactions of many views. What has changed since the plan was made is refused,
not overwritten. An attempt that was interrupted, even killed, is continued by applying the plan
again, and an undo that was interrupted is ended first; applying it once more then writes nothing.
Each write is a row of `events`.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from pyspark.sql import SparkSession

from jobs.configuration.loader import RunConfig
from jobs.console import command
from jobs.console.lending import targets_logged_in
from jobs.console.session import spark_session
from jobs.migrating import execution, journal, plan_folder, taking_back
from jobs.migrating.arguments import with_plan
from jobs.migrating.execution_result import ExecutionResult
from jobs.migrating.settling import settle
from jobs.warehouse.warehouse import Warehouse


def apply_plan(
    spark: SparkSession,
    configured: RunConfig,
    folder: Path,
    principal: str,
    *,
    delete: bool = False,
) -> ExecutionResult:
    """Apply the plan of a folder, or go on with it.

    Args:
        spark: The session.
        configured: The configuration that the plan was made with.
        folder: Of the plan, as a person may have edited it.
        principal: Who applies it, for the events.
        delete: Whether views may be dropped where the plan says so.

    Raises:
        ConfigurationError: The plan has been edited otherwise than by rule, is not one of this
            warehouse, was made with another configuration, or drops views unasked.
        LockedError: Another process applies or undoes it.
    """
    warehouse = Warehouse(configured.warehouse, spark)
    stated = plan_folder.read_head(folder)
    plan = stated.plan
    with journal.alone(spark, configured.warehouse, plan, "apply", stated.targets):
        head, wanted = execution.read(spark, configured, warehouse, folder)
        execution.check(wanted, delete=delete)
        with targets_logged_in(configured) as lent:
            settle(spark, lent, warehouse, mends=True)
            for run in journal.history(warehouse).to_finish(plan):
                command.say(f"the undo of run {run} was interrupted: that is ended first")
                taking_back.take_back(spark, lent, warehouse, run, principal)
            attempt = journal.begin(warehouse, plan, principal)
            return execution.carry_out(spark, lent, warehouse, head, wanted, attempt).close()


def arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    with_plan(parser)
    command.with_principal(parser)
    parser.add_argument(
        "--delete",
        action="store_true",
        help="drop views where the plan says so; a plan that drops any is refused without it",
    )
    command.with_json(parser, "its run and the numbers of views, as one JSON object")


def run(args: argparse.Namespace) -> int:
    """Apply, and print what it came to."""
    spark = spark_session("apply")
    execution_result = apply_plan(spark, args.config, args.plan, args.principal, delete=args.delete)
    if args.json:
        command.show(execution_result.to_json())
    elif execution_result.written:
        undo = command.next_command(args.config_file, "undo", execution_result.run)
        command.show(f"to take it back: {undo}")
    return command.end(
        execution_result.reasons, command.next_command(args.config_file, "verify", args.plan)
    )


def main(argv: Sequence[str] | None = None) -> int:
    """The command, for the console script and for spark-submit."""
    return command.execute(__doc__, arguments, run, argv)


if __name__ == "__main__":
    sys.exit(main())
