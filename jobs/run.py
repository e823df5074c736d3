"""belvedere run: all stages: crawl, judge, plan, with --apply write and read back, quality, report.

Without --apply it stops after the plan, and nothing is written into any target. The exit code is
that of the worst stage; the report is written whatever the others came to.
"""

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pyspark.sql import SparkSession

from jobs import plan, quality, report
from jobs.apply import apply_plan
from jobs.assess import assess_run
from jobs.configuration.loader import RunConfig
from jobs.console import command
from jobs.console.parsing import folder
from jobs.console.session import spark_session
from jobs.crawl import choose_run_id, crawl_estate
from jobs.crawling.opening import chosen_config, with_now
from jobs.report import write_report
from jobs.reporting.past import earlier_run
from jobs.verify import verify_plan
from jobs.warehouse.warehouse import Warehouse
from reports import page
from reports.headline import destinations, title


@dataclass(frozen=True, slots=True)
class RunRequest:
    """What a run of all stages shall do.

    Attributes:
        file: The configuration's.
        folder: Gets the report and the plan.
        apply: Whether the plan is applied.
        run_id: Name of the run; None: made of the time.
        principal: Who applies.
        follows: Whether it is a turn of `sync`, which nobody looks at: what its sources have lost
            is dropped, and nothing of others is changed.
        decide: What is done with the folder of the plan before it is applied; None: nothing.
    """

    file: Path
    folder: Path
    apply: bool = False
    run_id: str | None = None
    principal: str = field(default_factory=command.current_user)
    follows: bool = False
    decide: Callable[[Path], None] | None = None


def run_stages(spark: SparkSession, config: RunConfig, wanted: RunRequest) -> tuple[str, int]:
    """Run all stages; the run's id and the exit code.

    Raises:
        ConfigurationError: An expectation of quality cannot be evaluated; nothing was crawled.
    """
    quality.check_terms(config.quality)
    crawled = crawl_estate(spark, config, wanted.run_id)
    assess_run(spark, config, crawled.run_id)
    reasons = list(crawled.reasons)
    if config.targets:
        folder = wanted.folder / "plan"
        paper = plan.Paper(folder, wanted.file, wanted.follows, unattended=wanted.follows)
        head = plan.plan_run(spark, config, crawled.run_id, paper)
        reasons += plan.reasons(spark, config, head, paper)
        command.say(f"plan: {folder}")
        if wanted.decide is not None:
            wanted.decide(folder)
        if wanted.apply:
            execution_result = apply_plan(
                spark, config, folder, wanted.principal, delete=wanted.follows
            )
            reasons += execution_result.reasons
            reasons += verify_plan(spark, config, folder).reasons
    warehouse = Warehouse(config.warehouse, spark)
    reasons += _check_quality(warehouse, config, crawled.run_id)
    limits = report.ReportScope(limits=config.limits, accepted=config.accepted)
    reported = write_report(lambda: spark, warehouse, crawled.run_id, wanted.folder, limits)
    command.say(title(reported), *(f"  {line}" for line, _ in destinations(reported)))
    command.say(f"report: {wanted.folder / page.FILE}")
    reasons += report.reasons(reported, wanted.folder)
    return crawled.run_id, command.end(reasons, _next_step(config, wanted))


def _next_step(config: RunConfig, wanted: RunRequest) -> str:
    """What to do after a run that found no fault."""
    if not config.targets:
        return f"look at that page; a target in {wanted.file} says where views shall go"
    if wanted.apply:
        return "look at that page"
    return command.next_command(wanted.file, "apply", wanted.folder / "plan")


def _check_quality(
    warehouse: Warehouse, config: RunConfig, run_id: str
) -> list[command.ExitReason]:
    """Check the run, compared with the one before it, if there is one."""
    before = earlier_run(warehouse, warehouse.run(run_id), None)
    against = before.run_id if before else None
    return quality.stage(warehouse, config.quality, run_id, against, config.quality_limit)


def arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    command.with_config(parser)
    parser.add_argument(
        "--run-id", metavar="ID", help="name of the run; made of the time if left out"
    )
    parser.add_argument(
        "--out", type=folder, default=Path("report"), metavar="DIR", help="folder of the report"
    )
    parser.add_argument("--apply", action="store_true", help="write what the plan says")
    with_now(parser)
    command.with_principal(parser)
    command.with_json(parser, "one JSON object at the end")


def run(args: argparse.Namespace) -> int:
    """Run all stages, and say how it ended."""
    run_id = choose_run_id(args.run_id)
    wanted = RunRequest(args.config_file, args.out, args.apply, run_id, args.principal)
    run_id, code = run_stages(spark_session("run"), chosen_config(args), wanted)
    return print_result(args, run_id, code)


def print_result(args: argparse.Namespace, run_id: str, code: int) -> int:
    """Print how all stages ended, if that was asked for; the exit code."""
    if args.json:
        command.show(json.dumps({"run_id": run_id, "report": str(args.out), "exit_code": code}))
    return code


def main(argv: Sequence[str] | None = None) -> int:
    """The command, for the console script and for spark-submit."""
    return command.execute(__doc__, arguments, run, argv)


if __name__ == "__main__":
    sys.exit(main())
