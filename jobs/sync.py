"""belvedere sync: follow the sources until the cut-over: crawl, plan, write, read back.

For a schedule: nobody looks at its plan, so nothing that somebody else has made or changed at a
target is overwritten, that is a conflict, and views are dropped only if belvedere has written them
and their sources are proven to have dropped them. A turn that was killed is ended by the next one.
"""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from pyspark.sql import SparkSession

from discovery.errors import ConfigurationError
from jobs.apply import apply_plan
from jobs.configuration.loader import RunConfig
from jobs.console import command
from jobs.console.parsing import folder
from jobs.console.session import spark_session
from jobs.crawling.opening import chosen_config, with_now
from jobs.crawling.resuming import LATEST, find_run_to_resume
from jobs.migrating import cutover, plan_folder
from jobs.migrating.journal import history
from jobs.run import RunRequest, print_result, run_stages
from jobs.warehouse.locks import hold_lock
from jobs.warehouse.warehouse import Warehouse


def follow(spark: SparkSession, config: RunConfig, wanted: RunRequest) -> tuple[str, int]:
    """One turn; the run's id and the exit code. A crawl that was interrupted goes on.

    Raises:
        ConfigurationError: The configuration has no targets.
        LockedError: Another turn is at work.
    """
    if not config.targets:
        raise ConfigurationError("the configuration has no targets", hint="name one in `targets`")
    with hold_lock(config.warehouse, "sync", "sync", spark):
        _end_last_turn(spark, config, wanted)
        turn = replace(wanted, run_id=find_run_to_resume(config, LATEST, spark))
        run_id, code = run_stages(spark, config, turn)
    cutover.tell_burn_down(spark, Warehouse(config.warehouse, spark))
    return run_id, code


def _end_last_turn(spark: SparkSession, config: RunConfig, wanted: RunRequest) -> None:
    """Go on with what was being written when the turn before was killed.

    Raises:
        ConfigurationError: It cannot go on by its plan, and something may have been written.
    """
    folder = wanted.folder / "plan"
    if not (folder / plan_folder.HEAD).exists():
        return
    past = history(Warehouse(config.warehouse, spark))
    try:
        plan = plan_folder.read_head(folder).plan
        if past.to_continue(plan) is not None:
            command.say("the turn before was interrupted: it is ended first")
            apply_plan(spark, config, folder, wanted.principal, delete=True)
    except ConfigurationError as error:
        if not (begun := past.interrupted_executions()):
            command.say(f"{error}; nothing was begun by it: it is made anew")
            return
        undo = command.next_command(None, "undo", begun[-1])
        hint = f"mend that, or take back what was begun: {undo}"
        raise ConfigurationError(str(error), hint=hint) from error


def arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    command.with_config(parser)
    parser.add_argument(
        "--out",
        type=folder,
        default=Path("sync"),
        metavar="DIR",
        help="folder of the report and the plan: the same for each turn",
    )
    with_now(parser)
    command.with_principal(parser)
    command.with_json(parser, "one JSON object at the end")


def run(args: argparse.Namespace) -> int:
    """Follow, and say how it ended."""
    wanted = RunRequest(args.config_file, args.out, True, None, args.principal, follows=True)
    run_id, code = follow(spark_session("sync"), chosen_config(args), wanted)
    return print_result(args, run_id, code)


def main(argv: Sequence[str] | None = None) -> int:
    """The command, for the console script and for spark-submit."""
    return command.execute(__doc__, arguments, run, argv)


if __name__ == "__main__":
    sys.exit(main())
