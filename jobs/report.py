"""belvedere report: write the report of a run: a page for people, files for programs.

The run is compared with the one before it, or with the one that --against names. Where --config
names the estate, its thresholds (fail_on) decide the exit code.
"""

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import partial
from pathlib import Path
from typing import Final

from pyspark.sql import SparkSession

from discovery.acceptance import Baseline
from jobs.configuration.loader import RunConfig
from jobs.console import baselines, command
from jobs.console.parsing import folder
from jobs.console.progress import progress
from jobs.console.session import place_of, reader_of, spark_session
from jobs.reporting import accepting, drift, summary
from jobs.reporting.course import course
from jobs.reporting.events import send
from jobs.reporting.files import ReportFiles
from jobs.reporting.gathering import Gathering
from jobs.reporting.in_memory import InMemory, is_small
from jobs.reporting.lines import PART
from jobs.reporting.on_spark import OnSpark
from jobs.reporting.parquet import PARQUET, write_tables
from jobs.reporting.past import PastRuns, earlier_run, left_out, past_of, runs_until
from jobs.reporting.run_tables import RunTables
from jobs.reporting.terminal_summary import print_summary
from jobs.reporting.workers import Rendering, of_run
from jobs.warehouse.placing import place_errors
from jobs.warehouse.runs import Run, now
from jobs.warehouse.warehouse import Warehouse
from reports import exports, to_json
from reports.dataset_names import is_named
from reports.formats import FORMATS
from reports.head import Drift, ReportHead
from reports.tallies import LossTally, Place, ViewTally
from reports.thresholds import Limits, exceeded

HTML: Final = "html"
EVERY: Final = (HTML, *FORMATS, *exports.NAMES, PARQUET)
USUAL: Final = (HTML, "json")
OF_MANY: Final = (HTML, "jsonl")
MANY: Final = 100_000
"""Rows above which the usual report has lines of JSON: few readers take an object of that size."""


@dataclass(frozen=True, slots=True)
class ReportScope:
    """What a report is asked for.

    Attributes:
        formats: Some of `EVERY`; none: the usual ones.
        against: An earlier run to compare with; None: the one before, if there is one.
        limits: Thresholds; what exceeds them is said in the report.
        accepted: The faults that count towards none of them.
    """

    formats: tuple[str, ...] = ()
    against: str | None = None
    limits: Limits = field(default_factory=Limits)
    accepted: Baseline = field(default_factory=Baseline)


def write_report(
    spark: Callable[[], SparkSession],
    warehouse: Warehouse,
    run_id: str | None,
    folder: Path,
    wanted: ReportScope,
) -> ReportHead:
    """Write the files; what they say of the run as a whole is the answer.

    Args:
        spark: Makes the session, if one is needed: not for a run of few objects.
        warehouse: Where the runs are.
        run_id: A committed run; None: the latest.
        folder: Where the files go.
        wanted: What is written.

    Raises:
        ConfigurationError: There is no such run.
    """
    run = warehouse.run(run_id)
    command.about(run.run_id)
    tables = RunTables(warehouse, run.run_id)
    against = earlier_run(warehouse, run, wanted.against)
    wanted = replace(wanted, formats=wanted.formats or usual(run))
    past = past_of(warehouse, runs_until(warehouse, run))
    with _choose_gathering(spark, tables, past, against) as rows, place_errors(folder):
        with progress(rows.session, "summing up"):
            compared = _write_drift(rows, folder, against)
            today = now().date()
            parts = rows.render(rendering := _rendering(run, past, wanted, today), past)
            views, lost = _add_up(rows, rendering.accepted)
            head = summary.head(tables, run, views, lost, compared)
            head = _add_course(head, tables, past.runs, rows)
            head = _apply_limits(head, views, lost, wanted, today)
        _say_of_names(head, wanted.formats)
        with progress(rows.session, "writing"):
            ReportFiles(folder, wanted.formats, head, parts=parts, part=PART).write(rows.parts())
            if PARQUET in wanted.formats:
                write_tables(tables, folder)
    return head


def arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    command.with_place(parser, "its warehouse and its thresholds")
    parser.add_argument("--run-id", metavar="ID", help="a committed run; the latest by default")
    parser.add_argument(
        "--out", type=folder, required=True, metavar="DIR", help="folder of the files"
    )
    parser.add_argument(
        "--against", metavar="RUN", help="compare with this run; default: the one before"
    )
    parser.add_argument(
        "--format",
        action="append",
        choices=("all", *EVERY),
        help=f"what to write, may be repeated; default: {' and '.join(USUAL)}, "
        f"of more than {MANY:,} views {' and '.join(OF_MANY)}",
    )
    command.with_json(parser, "what is said of the run as a whole, as one JSON object")


def run(args: argparse.Namespace) -> int:
    """Write the report, and print what it says."""
    config: RunConfig | None = args.config
    place = config.warehouse if config else place_of(args.warehouse)
    formats = chosen_formats(args.format or ())
    limits, accepted = (config.limits, config.accepted) if config else (Limits(), Baseline())
    wanted = ReportScope(formats, args.against, limits, accepted)
    session = partial(spark_session, "report")
    report_head = write_report(
        session, Warehouse(place, reader_of(place)), args.run_id, args.out, wanted
    )
    if config and config.openlineage and "openlineage" in formats:
        send(args.out / FORMATS["openlineage"].file, config.openlineage)
    if args.json:
        command.show(json.dumps(to_json.members_of(report_head)))
    elif not args.quiet:
        print_summary(report_head, args.out)
    return command.end(reasons(report_head, args.out))


def reasons(head: ReportHead, folder: Path) -> list[command.ExitReason]:
    """Why a report does not end with 0: the thresholds that the run exceeds."""
    then = f"see {folder} for which views, or allow more with fail_on"
    return [command.ExitReason(command.FINDINGS, over, then) for over in head.over]


def main(argv: Sequence[str] | None = None) -> int:
    """The command, for the console script and for spark-submit."""
    return command.execute(__doc__, arguments, run, argv)


def usual(run: Run) -> tuple[str, ...]:
    """The formats of a run's report where nobody says which."""
    sources = run.record.sources.values()
    return OF_MANY if sum(counts.views + counts.failures for counts in sources) > MANY else USUAL


def chosen_formats(formats: Sequence[str]) -> tuple[str, ...]:
    """The formats that were asked for, each once, in the order of the table."""
    asked = set(formats)
    return EVERY if "all" in asked else tuple(name for name in EVERY if name in asked)


def _choose_gathering(
    spark: Callable[[], SparkSession], tables: RunTables, past: PastRuns, against: Run | None
) -> Gathering:
    """What gathers the rows of the report: all runs that it looks at are to be small for memory."""
    run = past.runs[-1]
    other = None if against is None else (against, RunTables(tables.warehouse, against.run_id))
    small = all(is_small(past_run) for past_run in (*past.runs, against) if past_run is not None)
    if small and not tables.warehouse.is_far:
        return InMemory(run, tables, other)
    return OnSpark(spark(), run, tables, other)


def _write_drift(rows: Gathering, folder: Path, against: Run | None) -> Drift | None:
    """Write what is otherwise than in an earlier run; its sum."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / drift.FILE).unlink(missing_ok=True)  # of an earlier report
    if against is None:
        return None
    return drift.write(rows.changes(), folder, against, rows.standings_before())


def _rendering(run: Run, past: PastRuns, wanted: ReportScope, today: date) -> Rendering:
    accepted = accepting.places(wanted.accepted.valid(today))
    of_row = of_run(summary.run_facts(run))
    return Rendering(wanted.formats, PART, of_row, past.to_past(), accepted)


def _add_up(rows: Gathering, accepted: frozenset[Place]) -> tuple[ViewTally, LossTally]:
    """What the parts of the views, and of what was lost, add up to."""
    views, lost = ViewTally(), LossTally()
    for text in rows.counts():
        views.add(text)
    for text in rows.losses(accepted):
        lost.add(text)
    return views, lost


def _add_course(
    head: ReportHead, tables: RunTables, runs: Sequence[Run], rows: Gathering
) -> ReportHead:
    """The head with what of its plan has been written, and how far the runs before it were.

    And with which of them are damaged.
    """
    warehouse = tables.warehouse
    by_run = {run.run_id: RunTables(warehouse, run.run_id) for run in runs}
    by_run[tables.run_id] = tables
    planned = [run_tables for run_tables in by_run.values() if run_tables.plan is not None]
    written = rows.count_written(planned)
    done = written.get(tables.plan, {}) if tables.plan is not None else {}
    plan = head.plan and tuple(
        replace(target_plan, written=done.get(target_plan.target, {})) for target_plan in head.plan
    )
    points, damaged = course(runs, by_run, written), left_out(warehouse, runs)
    return replace(head, plan=plan, course=points, left_out=damaged)


def _apply_limits(
    head: ReportHead, views: ViewTally, lost: LossTally, wanted: ReportScope, today: date
) -> ReportHead:
    """The head with the thresholds that the run exceeds; says which acceptances do not hold."""
    excused = accepting.excused(views.accepted, lost.accepted, wanted.accepted.valid(today))
    if head.severities is not None:  # what was not looked for cannot be missed
        baselines.say_of(wanted.accepted, today, excused.met)
    over = tuple(exceeded(head, wanted.limits, excused))
    return replace(head, over=over, accepted=len(excused.met))


def _say_of_names(head: ReportHead, formats: Sequence[str]) -> None:
    """Say which sources OpenLineage calls by their own names, which no other tool knows."""
    if "openlineage" not in formats:
        return
    places = head.run.addresses
    unnamed = [
        source for source in head.sources if source not in places or not is_named(places[source])
    ]
    if unnamed:
        command.say(
            "OpenLineage names datasets by the host that has them; the run knows none of these "
            f"sources (as of a socket), so they go by their own names there: {', '.join(unnamed)}"
        )


if __name__ == "__main__":
    sys.exit(main())
