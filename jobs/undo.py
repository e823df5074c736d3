"""belvedere undo: take back what a run of apply has written.

What a run that was killed has written is asked of the target first. Every view that the run wrote
reads back as it was before, in all fields but ids, versions and times; what somebody else has
changed since is refused and named. Namespaces that the run made are removed if they are empty. What
remains, such as files and deleted rows, is listed.
"""

import argparse
import sys
from collections.abc import Sequence

from pyspark.sql import SparkSession

from jobs.configuration.loader import RunConfig
from jobs.console import command
from jobs.console.lending import targets_logged_in
from jobs.console.session import spark_session
from jobs.migrating import journal, taking_back
from jobs.migrating.execution_result import ExecutionResult
from jobs.migrating.settling import settle
from jobs.warehouse.warehouse import Warehouse


def undo_run(
    spark: SparkSession, configured: RunConfig, run_id: str, principal: str
) -> ExecutionResult:
    """Undo a run of `apply`, or go on with undoing it.

    Raises:
        ConfigurationError: There is no such run, or one of its targets is not configured, or not as
            it was.
        LockedError: Another process applies or undoes its plan.
    """
    warehouse = Warehouse(configured.warehouse, spark)
    written = taking_back.targets_written(warehouse, run_id)
    plan = journal.history(warehouse).origin(run_id)
    with (
        journal.alone(spark, configured.warehouse, plan, "undo", written),
        targets_logged_in(configured) as lent,
    ):
        settle(spark, lent, warehouse, mends=True)
        return taking_back.take_back(spark, lent, warehouse, run_id, principal)


def arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    command.with_config(parser)
    command.with_principal(parser)
    parser.add_argument("run", metavar="RUN", help="the run of apply, as apply has printed it")
    command.with_json(parser, "its run and the numbers of views, as one JSON object")


def run(args: argparse.Namespace) -> int:
    """Undo, and print what it came to."""
    execution_result = undo_run(spark_session("undo"), args.config, args.run, args.principal)
    if args.json:
        command.show(execution_result.to_json())
    else:
        kept = f", {execution_result.kept} already up to date" if execution_result.kept else ""
        command.show(f"{execution_result.written} taken back, {execution_result.failed} not{kept}")
    return command.end(execution_result.reasons)


def main(argv: Sequence[str] | None = None) -> int:
    """The command, for the console script and for spark-submit."""
    return command.execute(__doc__, arguments, run, argv)


if __name__ == "__main__":
    sys.exit(main())
