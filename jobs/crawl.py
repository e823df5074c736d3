"""belvedere crawl: see every view of the estate, whichever engine wrote it.

Lists the sources of the configuration, fetches and reads every view, and writes a run into the
warehouse. Each listed object ends as a view, a failure or a skipped row; the counts must agree.
"""

import argparse
import json
import re
import sys
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from pyspark.sql import SparkSession

from discovery.crawl_record import Listing
from discovery.errors import ConfigurationError
from discovery.pacing.estimate import estimate, sentences
from jobs.configuration.catalogs import spread
from jobs.configuration.loader import RunConfig
from jobs.console import command
from jobs.console.lending import sources_logged_in
from jobs.console.session import spark_session
from jobs.crawling import tables as rows
from jobs.crawling.concluding import Crawled, begin_run, conclude
from jobs.crawling.estimating import experiences, extents, sample_sources
from jobs.crawling.fetching import fetch_estate, list_estate
from jobs.crawling.including import patterns_of
from jobs.crawling.opening import chosen_config, insist_on_open, stop_in_time, with_now
from jobs.crawling.resuming import LATEST, InterruptedCrawl, find_run_to_resume
from jobs.warehouse.locks import hold_lock
from jobs.warehouse.runs import Beginning, new_id
from jobs.warehouse.warehouse import Warehouse

_RUN_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


def choose_run_id(run_id: str | None) -> str:
    """The id of a run, if a folder can have that name; a new one, if none is given.

    Raises:
        ConfigurationError: It cannot: an empty one is a scheduler's that does not know its own.
    """
    if run_id is None:
        return new_id()
    if not _RUN_ID.fullmatch(run_id):
        hint = "letters, digits, '.', '_' and '-', at most 100"
        raise ConfigurationError(f"{run_id!r} cannot be the id of a run", hint=hint)
    return run_id


def crawl_estate(spark: SparkSession, config: RunConfig, run_id: str | None = None) -> Crawled:
    """Crawl every source into a run, and go on with one that was interrupted.

    A run that is committed already is returned as it is.

    Raises:
        ConfigurationError: The run id cannot be a folder's name.
        LockedError: Another process is crawling into this run.
    """
    run_id = choose_run_id(run_id)
    command.about(run_id)
    warehouse = Warehouse(config.warehouse, spark)
    with hold_lock(config.warehouse, f"run {run_id}", "crawl", spark):
        runs = warehouse.runs()
        for run in runs:
            if run.run_id == run_id:
                command.say(f"run {run_id} is committed already: nothing to do")
                InterruptedCrawl(config, run_id, spark).clear()
                return Crawled(run_id, json.loads(run.counts), run.exit_code)
        insist_on_open(config.window)
        with sources_logged_in(spread(config)) as lent:
            return _crawl(spark, lent, warehouse, run_id, begin_run(runs))


def estimate_crawl(
    spark: SparkSession, config: RunConfig, run_id: str | None = None
) -> tuple[str, dict[str, Any]]:
    """List every source and tell what a crawl would fetch; the run that can go on from there.

    Where no committed run says how long that takes, a task of each source is fetched to see it.

    Returns:
        The run, and what is told as one object.

    Raises:
        ConfigurationError: The run cannot be begun.
        LockedError: Another process is crawling into this run.
    """
    run_id = choose_run_id(run_id)
    command.about(run_id)
    warehouse = Warehouse(config.warehouse, spark)
    with hold_lock(config.warehouse, f"run {run_id}", "crawl", spark):
        if run_id in {committed.run_id for committed in warehouse.runs()}:
            raise ConfigurationError(f"run {run_id} is there already", hint="name another one")
        insist_on_open(config.window)
        with sources_logged_in(spread(config)) as lent, stop_in_time(spark, config.window):
            list_estate(spark, lent, warehouse, run_id)
            objects = warehouse.frame(spark, rows.OBJECTS, run_id)
            source_extents = extents(warehouse, run_id, lent)
            past_crawls = experiences(warehouse.runs())
            forecast = estimate(source_extents, past_crawls)
            if forecast.seconds is None and (sample := sample_sources(objects, lent.sources)):
                forecast = estimate(source_extents, [sample])
    for sentence in sentences(source_extents, forecast):
        command.say(sentence)
    sources = {name: extent.to_json() for name, extent in source_extents.items()}
    total = {"seconds": forecast.seconds, "rests_on": forecast.rests_on}
    return run_id, {"run_id": run_id, "sources": sources, **total}


def _crawl(
    spark: SparkSession,
    config: RunConfig,
    warehouse: Warehouse,
    run_id: str,
    beginning: Beginning,
) -> Crawled:
    with stop_in_time(spark, config.window):
        kept = list_estate(spark, config, warehouse, run_id)
        done = fetch_estate(spark, config, warehouse, run_id, kept)
    done = replace(done, patterns=patterns_of(config.sources))
    if kept.is_resumed:  # another run may have listed since
        began = datetime.fromtimestamp(kept.began, UTC) + beginning.ahead
        done = replace(done, listing=Listing(run_id, began))
    crawled = conclude(spark, config, warehouse, run_id, beginning, done)
    kept.clear()
    return crawled


def arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    command.with_config(parser)
    name = parser.add_mutually_exclusive_group()
    name.add_argument(
        "--run-id", metavar="ID", help="name of the run; made of the time if left out"
    )
    name.add_argument(
        "--resume",
        metavar="RUN",
        nargs="?",
        const=LATEST,
        help="go on with a crawl that was interrupted; the latest one if none is named, and crawl "
        "anew if there is none",
    )
    parser.add_argument(
        "--estimate", action="store_true", help="list, say what would be fetched, and stop"
    )
    with_now(parser)
    command.with_json(parser, "one JSON object with the counts")


def run(args: argparse.Namespace) -> int:
    """Crawl, and print what the crawl came to."""
    config = chosen_config(args)
    insist_on_open(config.window)
    run_id: str | None = choose_run_id(
        args.run_id
    )  # before Spark starts: a wrong word need not wait
    spark = spark_session("crawl")
    if args.resume is not None:
        run_id = find_run_to_resume(config, args.resume, spark)
    if args.estimate:
        run_id, answer = estimate_crawl(spark, config, run_id)
        resume = command.next_command(args.config_file, "crawl", "--resume", run_id)
        command.show(json.dumps(answer) if args.json else f"go on with: {resume}")
        return command.FINE
    crawled = crawl_estate(spark, config, run_id)
    return end(crawled, args.config_file, as_json=args.json)


def end(crawled: Crawled, config: Path, *, as_json: bool) -> int:
    """Print what a crawl of a configuration came to; the exit code."""
    if as_json:
        command.show(json.dumps(crawled.counts))
    else:
        command.show(f"run {crawled.run_id} in {crawled.counts['warehouse']}")
    return command.end(crawled.reasons, command.next_command(config, "assess"))


def main(argv: Sequence[str] | None = None) -> int:
    """The command, for the console script and for spark-submit."""
    return command.execute(__doc__, arguments, run, argv)


if __name__ == "__main__":
    sys.exit(main())
