"""belvedere cutover: say what still differs between sources and targets, before a switch.

With --check it crawls, plans and writes nothing into any target. Exit code 0: each target has all
that is mapped to it, as its sources have it. 3: something is left, or could not be compared.
"""

import argparse
import json
import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from pyspark.sql import SparkSession

from discovery.display import quantity
from discovery.migration.cutover import TargetState
from jobs import plan
from jobs.assess import assess_run
from jobs.configuration.loader import RunConfig
from jobs.console import command
from jobs.console.parsing import folder
from jobs.console.session import spark_session
from jobs.crawl import crawl_estate
from jobs.crawling.opening import chosen_config, with_now
from jobs.migrating import accepting, cutover
from jobs.migrating.journal import history
from jobs.migrating.listings import seen_by
from jobs.migrating.plans import find_plan
from jobs.reporting.differing import differing
from jobs.warehouse.runs import Run, now
from jobs.warehouse.warehouse import Warehouse

_SHOWN: Final = 10  # owners and waves that people are told of


def check(
    spark: SparkSession, config: RunConfig, file: Path, folder: Path
) -> tuple[dict[str, object], list[command.ExitReason]]:
    """Compare sources and targets as they are now.

    Args:
        spark: The session.
        config: The configuration.
        file: Where it is.
        folder: Gets the plan of what is left.

    Returns:
        What was found, for programs; and why it is too early, if it is.
    """
    crawled = crawl_estate(spark, config)
    assess_run(spark, config, crawled.run_id)
    paper = plan.Paper(folder, file, delete=True)
    head = plan.plan_run(spark, config, crawled.run_id, paper)
    warehouse = Warehouse(config.warehouse, spark)
    valid = config.accepted.valid(now().date())
    states = cutover.states(head, accepting.count_excused(warehouse, head.plan, valid))
    crawled_run = warehouse.run(crawled.run_id)
    since = _describe_changes_since(warehouse, crawled_run)
    left = cutover.count_left(spark, warehouse, head)
    unmapped = cutover.count_unmapped(warehouse, head)
    _tell(since, states, left, unmapped)
    cutover.tell_burn_down(spark, warehouse)
    doubts = plan.doubts(warehouse, crawled.run_id, paper)
    unseen = crawled.reasons or _unseen(crawled_run, config.warehouse)
    reasons = [*unseen, *doubts, *_reasons(states, folder, file)]
    answer = {
        "run_id": crawled.run_id,
        "plan": str(folder),
        "ready": not reasons,
        "since": since,
        "targets": {name: _members(state) for name, state in states.items()},
        "unmapped": unmapped,
        "left": [{"owner": who, "wave": wave, "views": number} for who, wave, number in left],
    }
    return answer, reasons


def _unseen(run: Run, place: str) -> Iterator[command.ExitReason]:
    """What the sources may have that nobody could read, however much of that `fail_on` allows."""
    for name, source in seen_by(run).sources.items():
        if number := source.unread + source.undecoded - source.accepted:
            of_run = ("--warehouse", place, "--run-id", run.run_id)
            which = ("--source", name, "--outcome", "failure")
            then = shlex.join(["belvedere", "failures", *of_run, *which])
            unread = quantity(number, "object or namespace", "objects or namespaces")
            sentence = f"{name}: {unread} could not be read, nor compared"
            yield command.ExitReason(command.FINDINGS, sentence, then)


def _reasons(
    states: Mapping[str, TargetState], folder: Path, file: Path
) -> Iterator[command.ExitReason]:
    """Why it is too early for a target."""
    sync = command.next_command(file, "sync")
    then = f"see {folder}; {sync} writes what can be written"
    for name, state in states.items():
        if not state.is_ready:
            sentence = f"{name} is not ready: {state}"
            yield command.ExitReason(command.FINDINGS, sentence, then)


def _describe_changes_since(warehouse: Warehouse, now: Run) -> str:
    """What sources have changed since what was applied last, and stands, was crawled."""
    past = history(warehouse)
    applied = [execution for execution in past.standing() if execution.run not in past.undoing_runs]
    if not applied:
        return "nothing was applied yet, or all of it has been taken back"
    latest = max(applied, key=lambda execution: execution.started)
    noted = find_plan(warehouse, latest.plan)
    before = next((run for run in warehouse.runs() if noted and run.run_id == noted.crawl), None)
    if before is None:
        which = f"run {noted.crawl}" if noted else f"the run of plan {latest.plan}"
        return (
            f"what has changed since {which}, which was applied last, nobody knows: "
            "the warehouse does not have it any more"
        )
    sorts = [difference.sort for difference in differing(warehouse, before, now)]
    counts = {sort: sorts.count(sort) for sort in dict.fromkeys(sorts)}
    summary = ", ".join(f"{number:,} {sort}" for sort, number in counts.items())
    return f"since run {before.run_id}, which was applied last: {summary or 'nothing has changed'}"


def _tell(
    since: str,
    states: Mapping[str, TargetState],
    left: Sequence[tuple[str, int | None, int]],
    unmapped: int,
) -> None:
    """Say what was found, for people."""
    command.say(since)
    for name, state in states.items():
        command.say(f"{name}: {state}")
    if unmapped:
        going = quantity(unmapped, "view goes", "views go")
        command.say(f"{going} to no target by `mapping`: only their sources have them")
    for owner, wave, number in left[:_SHOWN]:
        command.say(f"  {owner or 'no owner'}, wave {wave or 'none'}: {number:,} left")
    if len(left) > _SHOWN:
        command.say(f"  and {len(left) - _SHOWN:,} more: --json has all")


def _members(state: TargetState) -> dict[str, object]:
    names = ("there", "left", "namespaces", "functions", "rights", "tags", "staying")
    return {**{name: getattr(state, name) for name in names}, "actions": dict(state.counts)}


def arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    command.with_config(parser)
    parser.add_argument(
        "--check", action="store_true", required=True, help="compare; belvedere switches no readers"
    )
    parser.add_argument(
        "--out",
        type=folder,
        default=Path("cutover"),
        metavar="DIR",
        help="folder of the plan of what is left",
    )
    with_now(parser)
    command.with_json(parser, "what was found, as one JSON object")


def run(args: argparse.Namespace) -> int:
    """Compare, and say whether it is time."""
    answer, reasons = check(
        spark_session("cutover"), chosen_config(args), args.config_file, args.out
    )
    if args.json:
        command.show(json.dumps(answer))
    elif not reasons:
        command.show("ready: each target has all that its sources have")
    return command.end(reasons)


def main(argv: Sequence[str] | None = None) -> int:
    """The command, for the console script and for spark-submit."""
    return command.execute(__doc__, arguments, run, argv)


if __name__ == "__main__":
    sys.exit(main())
