"""belvedere run: all stages: crawl, judge, load, read back, report.

The exit code is that of the worst stage; the report is written whatever the others came to.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from pyspark.sql import SparkSession

from jobs import load, report
from jobs.assess import assess_run
from jobs.crawl import crawl_estate
from jobs.report import Wanted, write_report
from jobs.runtime import command
from jobs.runtime.config import RunConfig
from jobs.runtime.session import spark_session
from jobs.runtime.warehouse import Warehouse
from reports import page


def run_stages(
    spark: SparkSession, config: RunConfig, run_id: str | None, folder: Path
) -> tuple[str, int]:
    """Run all stages; the run's id and the exit code."""
    crawled = crawl_estate(spark, config, run_id)
    assess_run(spark, config, crawled.run_id)
    loaded = load.load_run(spark, config, crawled.run_id)
    warehouse = Warehouse(config.warehouse, spark)
    wanted = Wanted(limits=config.limits)
    told = write_report(spark, warehouse, crawled.run_id, folder, wanted)
    command.say(f"report: {folder / page.FILE}")
    for text in told.over:
        command.say(f"over the threshold: {text}")
    return crawled.run_id, max(crawled.exit_code, load.exit_code(loaded), report.exit_code(told))


def arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    command.with_config(parser)
    parser.add_argument(
        "--run-id", metavar="ID", help="name of the run; made of the time if left out"
    )
    parser.add_argument(
        "--out", type=Path, default=Path("report"), metavar="DIR", help="folder of the report"
    )
    command.with_json(parser, "one JSON object at the end")


def run(args: argparse.Namespace) -> int:
    """Run all stages, and say how it ended."""
    run_id, code = run_stages(spark_session("run"), args.config, args.run_id, args.out)
    if args.json:
        print(json.dumps({"run_id": run_id, "report": str(args.out), "exit_code": code}))
    if code:
        command.say(f"exit code {code}: {command.EXIT_CODES[code]}")
    return code


def main(argv: Sequence[str] | None = None) -> int:
    """The command, for the console script and for spark-submit."""
    return command.execute(__doc__, arguments, run, argv)


if __name__ == "__main__":
    sys.exit(main())
