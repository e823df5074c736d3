"""belvedere report: write the report of a run: a page for people, files for programs.

The run is compared with the one before it, or with the one that --against names. Where --config
names the estate, its thresholds (fail_on) decide the exit code.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from pyspark import StorageLevel
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.pandas.types import from_arrow_schema

from discovery.acceptance import Baseline
from discovery.errors import ConfigurationError
from jobs.configuration.loader import RunConfig
from jobs.console import baselines, command
from jobs.console.progress import progress
from jobs.console.session import measured_joins, place_of, spark_session
from jobs.reporting import accepting, drift, lines, summary
from jobs.reporting.course import course
from jobs.reporting.events import send
from jobs.reporting.files import ReportFiles
from jobs.reporting.history import history
from jobs.reporting.lines import PART, RunTables
from jobs.reporting.parquet import PARQUET, write_tables
from jobs.reporting.terminal_summary import print_summary
from jobs.reporting.workers import RENDERED, of_run, render
from jobs.warehouse.carried import Carried
from jobs.warehouse.warehouse import Run, Warehouse, now
from reports import exports, to_json
from reports.dataset_names import is_named
from reports.formats import FORMATS
from reports.head import Drift, ReportHead
from reports.thresholds import Limits, exceeded

HTML: Final = "html"
EVERY: Final = (HTML, *FORMATS, *exports.NAMES, PARQUET)
USUAL: Final = (HTML, "json")


@dataclass(frozen=True, slots=True)
class ReportScope:
    """What a report is asked for.

    Attributes:
        formats: Some of `EVERY`.
        against: An earlier run to compare with; None: the one before, if there is one.
        limits: Thresholds; what exceeds them is said in the report.
        accepted: The faults that count towards none of them.
    """

    formats: tuple[str, ...] = USUAL
    against: str | None = None
    limits: Limits = field(default_factory=Limits)
    accepted: Baseline = field(default_factory=Baseline)


def write_report(
    spark: SparkSession, warehouse: Warehouse, run_id: str | None, folder: Path, wanted: ReportScope
) -> ReportHead:
    """Write the files; what they say of the run as a whole is the answer.

    Args:
        spark: The session.
        warehouse: Where the runs are.
        run_id: A committed run; None: the latest.
        folder: Where the files go.
        wanted: What is written.

    Raises:
        ConfigurationError: There is no such run.
    """
    run = warehouse.run(run_id)
    command.about(run.run_id)
    tables = RunTables(spark, warehouse, run.run_id)
    with measured_joins(spark), progress(spark, "summing up"):
        changes, compared = _compared(tables, run, earlier(warehouse, run, wanted.against))
        rows = lines.lines(tables, drift.by_view(changes) if changes else None)
        edges = lines.edges(tables, rows).persist(StorageLevel.DISK_ONLY)
        head = summary.head(tables, run, rows, compared, edges)
        runs = _until(warehouse, run)
        head = _gated(tables, rows, replace(head, course=course(tables, runs)), wanted)
    if "openlineage" in wanted.formats:
        _say_of_names(head)
    with measured_joins(spark), progress(spark, "writing"):
        folder.mkdir(parents=True, exist_ok=True)
        whole = lines.full(tables, rows, edges, history(tables, runs))
        _write(whole, head, folder, wanted.formats)
        (folder / drift.FILE).unlink(missing_ok=True)  # of an earlier report
        if changes is not None:
            drift.write(changes, folder)
        if PARQUET in wanted.formats:
            write_tables(tables, run.run_id, folder)
    for frame in (rows, edges, *([changes] if changes else [])):
        frame.unpersist()
    return head


def arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    command.with_place(parser, "its warehouse and its thresholds")
    parser.add_argument("--run-id", metavar="ID", help="a committed run; the latest by default")
    parser.add_argument(
        "--out", type=Path, required=True, metavar="DIR", help="folder of the files"
    )
    parser.add_argument("--against", metavar="RUN", help="compare with this run; default: the last")
    parser.add_argument(
        "--format",
        action="append",
        choices=("all", *EVERY),
        help=f"what to write, may be repeated; default: {' and '.join(USUAL)}",
    )
    command.with_json(parser, "what is said of the run as a whole, as one JSON object")


def run(args: argparse.Namespace) -> int:
    """Write the report, and print what it says."""
    spark = spark_session("report")
    config: RunConfig | None = args.config
    place = config.warehouse if config else place_of(args.warehouse)
    formats = chosen(args.format)
    limits, accepted = (config.limits, config.accepted) if config else (Limits(), Baseline())
    wanted = ReportScope(formats, args.against, limits, accepted)
    told = write_report(spark, Warehouse(place, spark), args.run_id, args.out, wanted)
    if config and config.openlineage and "openlineage" in formats:
        send(args.out / FORMATS["openlineage"].file, config.openlineage)
    if args.json:
        print(json.dumps(to_json.members_of(told)))
    elif not args.quiet:
        print_summary(told, args.out)
    return command.end(reasons(told, args.out))


def reasons(head: ReportHead, folder: Path) -> list[command.ExitReason]:
    """Why a report does not end with 0: the thresholds that the run exceeds."""
    then = f"see {folder} for which views, or allow more with fail_on"
    return [command.ExitReason(command.FINDINGS, over, then) for over in head.over]


def main(argv: Sequence[str] | None = None) -> int:
    """The command, for the console script and for spark-submit."""
    return command.execute(__doc__, arguments, run, argv)


def chosen(formats: Sequence[str] | None) -> tuple[str, ...]:
    """The formats that were asked for, each once, in the order of the table."""
    asked = set(formats or USUAL)
    return EVERY if "all" in asked else tuple(name for name in EVERY if name in asked)


def _gated(tables: RunTables, rows: DataFrame, head: ReportHead, wanted: ReportScope) -> ReportHead:
    """The head with the thresholds that the run exceeds; says which acceptances do not hold."""
    today = now().date()
    excused = accepting.excused(tables, rows, wanted.accepted.valid(today))
    if head.severities is not None:  # what was not looked for cannot be missed
        baselines.say_of(wanted.accepted, today, excused.met)
    over = tuple(exceeded(head, wanted.limits, excused))
    return replace(head, over=over, accepted=len(excused.met))


def _say_of_names(head: ReportHead) -> None:
    """Say which sources are called by their own names, which no other tool knows."""
    places = head.run.addresses
    unnamed = [one for one in head.sources if one not in places or not is_named(places[one])]
    if unnamed:
        told = (
            "the run does not say where these are, so only belvedere calls them so in OpenLineage"
        )
        command.say(f"{told}: {', '.join(unnamed)}")


def _write(whole: DataFrame, head: ReportHead, folder: Path, formats: Sequence[str]) -> None:
    """Render on all executors; what they made is then read part by part."""
    rendered = whole.mapInArrow(
        Carried(render(formats, PART, of_run(head.run))), from_arrow_schema(RENDERED)
    ).persist(StorageLevel.DISK_ONLY)
    parts = rendered.count()
    files = ReportFiles(folder, formats, head, parts=parts, part=PART)
    files.write(rendered.toLocalIterator(prefetchPartitions=True))
    rendered.unpersist()


def earlier(warehouse: Warehouse, run: Run, against: str | None) -> Run | None:
    """The run to compare with.

    Raises:
        ConfigurationError: There is none of that name, or it is the run itself.
    """
    if against == run.run_id:
        raise ConfigurationError(f"run {against} cannot be compared with itself")
    if against is not None:
        return warehouse.run(against)
    before = _until(warehouse, run)[:-1]
    return before[-1] if before else None


def _compared(
    tables: RunTables, run: Run, earlier: Run | None
) -> tuple[DataFrame | None, Drift | None]:
    """The changes since the earlier run, and their sum."""
    if earlier is None:
        return None, None
    before = tables.of(earlier.run_id)
    changes = drift.changes(tables, before, run, earlier).persist(StorageLevel.DISK_ONLY)
    return changes, drift.summed(changes, earlier, drift.standings(before))


def _until(warehouse: Warehouse, run: Run) -> list[Run]:
    """The committed runs up to this one, but those that are damaged."""
    runs = warehouse.whole_runs()
    return runs[: [one.run_id for one in runs].index(run.run_id) + 1]


if __name__ == "__main__":
    sys.exit(main())
