"""belvedere rehearse: carry a move out on copies of the targets, and take it back.

A run is planned for the targets and for the copies that `rehearsal` names below each; where the two
plans differ, a copy is none any more. Then all is written into the copies, read back, reported,
and taken back, and the copies are to be as they were. Nothing is written into a target, and nothing
into the warehouse, but a lock while the run is copied: the rehearsal has one of its own beside it.
"""

import argparse
import json
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

from pyspark.sql import SparkSession

from discovery.display import quantity
from discovery.errors import ConfigurationError
from jobs import plan
from jobs.apply import apply_plan
from jobs.configuration.loader import RunConfig
from jobs.console import command
from jobs.console.lending import targets_logged_in
from jobs.console.parsing import folder
from jobs.console.session import spark_session
from jobs.migrating import journal, rehearsal
from jobs.migrating.execution_result import ExecutionResult
from jobs.migrating.heeding import heed_answers
from jobs.migrating.plan_folder import PlanHead
from jobs.migrating.rehearsal import ALIKE, Otherwise
from jobs.report import ReportScope, write_report
from jobs.undo import undo_run
from jobs.verify import Verified, verify_plan
from jobs.warehouse.locks import hold_lock
from jobs.warehouse.warehouse import Warehouse
from reports import page

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class RehearsalRequest:
    """What a rehearsal shall do.

    Attributes:
        file: The configuration's.
        folder: Gets the plans and the report.
        run_id: An assessed run; None: the latest.
        principal: Who applies.
        keeps: Whether what was written stays at the copies until the next rehearsal.
        live: Whether running engines are asked when it is read back.
    """

    file: Path
    folder: Path
    run_id: str | None
    principal: str
    keeps: bool = False
    live: bool = False


@dataclass(slots=True)
class Rehearsed:
    """What a rehearsal came to.

    Attributes:
        run_id: The run that was rehearsed.
        unlike: In what the plan for the copies is not that for the targets.
        applied: What was written.
        verified: What was read back.
        undone: What was taken back; None: it was to stay.
        left: In what the copies are not as they were.
        seconds: How long each step took.
        reasons: Why it does not end with 0.
    """

    run_id: str
    unlike: Otherwise = ALIKE
    applied: ExecutionResult | None = None
    verified: Verified | None = None
    undone: ExecutionResult | None = None
    left: Otherwise = ALIKE
    seconds: dict[str, float] = field(default_factory=dict)
    reasons: list[command.ExitReason] = field(default_factory=list)

    def clock(self, step: str, does: Callable[[], Answer]) -> Answer:
        """Do something, and note how long it took."""
        began = time.monotonic()
        answer = does()
        self.seconds[step] = round(time.monotonic() - began, 1)
        return answer

    def note_copies(self, unlike: Otherwise) -> None:
        """Note whether the copies are as the targets, so far as the plan is about them."""
        self.unlike = unlike
        self._blame(
            unlike,
            "planned otherwise for the copies than for the targets",
            "make the copies anew: they do not hold what the targets hold",
        )

    def note_left_behind(self, unlike: Otherwise) -> None:
        """Note whether the copies are as they were."""
        self.left = unlike
        self._blame(
            unlike,
            "not as they were after all was taken back",
            "see what undo has said of them, and make the copies anew",
        )

    def _blame(self, unlike: Otherwise, description: str, then: str) -> None:
        sentences = [f"{place} are {description}" for place in unlike.beside]
        if unlike.number:
            views = quantity(unlike.number, "view is", "views are")
            sentences.append(f"{views} {description}, such as {unlike.example}")
        self.reasons += [
            command.ExitReason(command.FINDINGS, sentence, then) for sentence in sentences
        ]

    def __str__(self) -> str:
        written = self.applied.written if self.applied else 0
        back = f"{self.undone.written:,} taken back" if self.undone else "nothing taken back"
        took = ", ".join(f"{step} {number:,.1f} s" for step, number in self.seconds.items())
        return f"rehearsed: {quantity(written, 'view')} written, {back}; {took}"

    def to_json(self) -> dict[str, object]:
        """For programs."""
        executions = {"written": self.applied, "taken_back": self.undone}
        return {
            "run_id": self.run_id,
            "planned_otherwise": self.unlike.number,
            "beside_planned_otherwise": list(self.unlike.beside),
            **{
                name: json.loads(execution_result.to_json()) if execution_result else None
                for name, execution_result in executions.items()
            },
            "different": dict(self.verified.different) if self.verified else {},
            "left_otherwise": self.left.number,
            "beside_left_otherwise": list(self.left.beside),
            "seconds": self.seconds,
        }


def rehearse(spark: SparkSession, config: RunConfig, wanted: RehearsalRequest) -> Rehearsed:
    """Carry a move out on the copies, and take it back.

    Raises:
        ConfigurationError: A target has no copy, or is its own; engines are to be asked, and none
            shows a copy; there is no such run; its warehouse is no rehearsal's; or what an earlier
            rehearsal has written cannot be taken back.
        LockedError: Another rehearsal is at work, or another command on the run.
    """
    rehearsal.insist_on_copies(config)
    run_config = rehearsal.at_copies(config)
    if wanted.live:
        rehearsal.insist_on_engines(run_config)
    run_id = Warehouse(config.warehouse, spark).run(wanted.run_id).run_id
    command.about(run_id)
    with hold_lock(run_config.warehouse, "rehearse", "rehearse", spark):
        rehearsal.claim_warehouse(spark, run_config)
        rehearsal.insist_on_other_places(spark, config, run_config)
        _take_back_the_last(spark, run_config, wanted.principal)
        rehearsal.begin(spark, config, run_config, run_id)
        rehearsed = Rehearsed(run_id)
        with targets_logged_in(config) as lent:  # nobody tries a copy
            run_config = replace(run_config, tried=heed_answers(lent, wanted.file))
        carry_out(spark, config, run_config, wanted, rehearsed)
    return rehearsed


def _take_back_the_last(spark: SparkSession, copies: RunConfig, principal: str) -> None:
    """Take back what earlier rehearsals have left at the copies.

    Raises:
        ConfigurationError: A copy is configured otherwise than it was, or keeps something.
    """
    for run in journal.history(Warehouse(copies.warehouse, spark)).to_take_back():
        command.say(f"run {run} of an earlier rehearsal is taken back first")
        if undo_run(spark, copies, run, principal).exit_code:
            hint = f"make the copies anew, and remove {copies.warehouse}"
            raise ConfigurationError(f"run {run} could not be taken back whole", hint=hint)


def carry_out(
    spark: SparkSession,
    config: RunConfig,
    copies: RunConfig,
    wanted: RehearsalRequest,
    trial: Rehearsed,
) -> None:
    """Plan, write, read back, report, and take back; the targets of `copies` are copies."""
    folder = wanted.folder / "plan"

    def paper(into: Path) -> plan.Paper:
        return plan.Paper(into, wanted.file)

    def plan_into(where: RunConfig, into: Path) -> PlanHead:
        return plan.plan_run(spark, where, trial.run_id, paper(into))

    command.say("what would be planned for the targets:")
    here = plan_into(replace(config, warehouse=copies.warehouse), wanted.folder / "target-plan")
    command.say("what is planned for their copies:")
    head = trial.clock("plan", lambda: plan_into(copies, folder))
    trial.note_copies(rehearsal.otherwise(spark, copies, here, head))
    trial.reasons += plan.reasons(spark, copies, head, paper(folder))
    trial.applied = trial.clock(
        "apply", lambda: apply_plan(spark, copies, folder, wanted.principal)
    )
    trial.reasons += trial.applied.reasons
    trial.verified = trial.clock(
        "verify", lambda: verify_plan(spark, copies, folder, live=wanted.live)
    )
    trial.reasons += trial.verified.reasons
    warehouse = Warehouse(copies.warehouse, spark)
    write_report(lambda: spark, warehouse, trial.run_id, wanted.folder, ReportScope())
    command.say(f"report: {wanted.folder / page.FILE}")
    if not wanted.keeps:
        run = trial.applied.run
        trial.undone = trial.clock("undo", lambda: undo_run(spark, copies, run, wanted.principal))
        trial.reasons += trial.undone.reasons
        after = plan_into(copies, wanted.folder / "plan-after")
        trial.note_left_behind(rehearsal.otherwise(spark, copies, head, after))


def arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    command.with_config(parser)
    parser.add_argument("--run-id", metavar="ID", help="an assessed run; the latest by default")
    parser.add_argument(
        "--out",
        type=folder,
        default=Path("rehearsal"),
        metavar="DIR",
        help="folder of the plans and of the report",
    )
    parser.add_argument(
        "--keep",
        action="store_true",
        help="leave what was written at the copies, to be looked at; the next rehearsal takes it "
        "back",
    )
    parser.add_argument(
        "--live", action="store_true", help="also ask the engines that show the copies"
    )
    command.with_principal(parser)
    command.with_json(parser, "what it came to, as one JSON object")


def run(args: argparse.Namespace) -> int:
    """Rehearse, and print what it came to."""
    wanted = RehearsalRequest(
        args.config_file, args.out, args.run_id, args.principal, args.keep, args.live
    )
    rehearsed = rehearse(spark_session("rehearse"), args.config, wanted)
    if args.json:
        command.show(json.dumps(rehearsed.to_json()))
    else:
        command.show(rehearsed)
    then = f"{command.next_command(args.config_file, 'plan')} and apply that to the targets"
    return command.end(rehearsed.reasons, then)


def main(argv: Sequence[str] | None = None) -> int:
    """The command, for the console script and for spark-submit."""
    return command.execute(__doc__, arguments, run, argv)


if __name__ == "__main__":
    sys.exit(main())
