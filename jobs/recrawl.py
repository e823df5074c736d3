"""belvedere recrawl: ask again for what failed in a run, and make a run of that and the rest.

`recrawl --failures RUN` takes over the listing of RUN and all that was read of it, and asks the
sources only for the objects that could not be read or decoded then. What comes of it is a run of
its own, which counts and gates as any other; RUN stays as it is. Namespaces that could not be
listed are failures still: only a crawl lists anew.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from pyspark.sql import DataFrame, SparkSession

from discovery.crawl_record import CrawlRecord, Listing
from discovery.display import quantity
from discovery.errors import ConfigurationError
from discovery.migration.deletion import is_other_system
from jobs.configuration import identity
from jobs.configuration.catalogs import as_crawled
from jobs.configuration.loader import RunConfig
from jobs.console import command
from jobs.console.lending import sources_logged_in
from jobs.console.progress import progress
from jobs.console.session import spark_session
from jobs.crawl import choose_run_id, end
from jobs.crawling import tables as rows
from jobs.crawling.concluding import Crawled, begin_run, conclude
from jobs.crawling.fetching import connections_in_use, crawl_rows
from jobs.crawling.increments import unchanged_places
from jobs.crawling.opening import chosen_config, insist_on_open, stop_in_time, with_now
from jobs.warehouse.locks import hold_lock
from jobs.warehouse.retained import with_places
from jobs.warehouse.runs import Run
from jobs.warehouse.warehouse import Warehouse

_PLACE: Final = ["source", "entity", "namespace", "name"]
_FAILED: Final = "outcome = 'failure' and entity = 'object' and stage in ('read', 'decode')"


def recrawl(
    spark: SparkSession, config: RunConfig, failures: str, run_id: str | None = None
) -> Crawled | None:
    """Ask again for what failed in a run; None: nothing did.

    Args:
        spark: The session.
        config: The configuration; it has the sources of that run.
        failures: The run.
        run_id: Name of the new run; None: made of the time.

    Raises:
        ConfigurationError: There is no such run, the new one is there, or a source is not.
        LockedError: Another process is crawling into the new run.
    """
    run_id = choose_run_id(run_id)
    command.about(run_id)
    insist_on_open(config.window)
    warehouse = Warehouse(config.warehouse, spark)
    old = warehouse.run(failures)
    config = as_crawled(config, old.record.sources)
    _check(config, warehouse, old, run_id)
    seen = {name: config.sources[name] for name in old.record.sources}
    config = replace(config, sources=seen)  # the others are not looked at
    with (
        hold_lock(config.warehouse, f"run {old.run_id}", "recrawl", spark),  # so that it stays
        hold_lock(config.warehouse, f"run {run_id}", "recrawl", spark),
    ):
        _check(config, warehouse, old, run_id)  # others may have made or removed one since
        failed = warehouse.frame(spark, rows.OUTCOMES, old.run_id).where(_FAILED).select(*_PLACE)
        number = failed.count()
        command.say(f"{quantity(number, 'object')} failed in run {old.run_id}")
        if not number:
            return None
        with sources_logged_in(config) as lent:
            return _recrawl(spark, lent, warehouse, (old, run_id), failed)


def _recrawl(
    spark: SparkSession,
    config: RunConfig,
    warehouse: Warehouse,
    runs: tuple[Run, str],
    failed: DataFrame,
) -> Crawled:
    (old, run_id), beginning = runs, begin_run(warehouse.runs())
    warehouse.begin(rows.STAGE, run_id)
    listed = warehouse.frame(spark, rows.OBJECTS, old.run_id)
    before = with_places(warehouse.frame(spark, rows.OUTCOMES, old.run_id))
    again_later = command.next_command(None, "recrawl", "--failures", old.run_id)
    hint = f"go on when it is open again: {again_later}"
    with progress(spark, "asking again"), stop_in_time(spark, config.window, hint):
        warehouse.write(rows.OBJECTS, run_id, listed)
        connections = connections_in_use(warehouse, old.run_id, config.sources)
        again = crawl_rows(listed.join(failed, _PLACE, "left_semi"), config, connections)
        asked, seen = before.join(failed, _PLACE, "left_semi"), {"seen_in": old.run_id}
        rest = warehouse.retain_rows(spark, rows.OUTCOMES, old.run_id, asked, seen)
        warehouse.write_derived(run_id, again, rest)
    record, listing = old.record, Listing(old.run_id, old.started)
    fetched = CrawlRecord(
        stands_on=old.run_id,
        marks=record.marks,
        listing=record.listing or listing,
        patterns=record.patterns,
        places=unchanged_places(config, record),
        systems=record.systems,
    )
    return conclude(spark, config, warehouse, run_id, beginning, fetched)


def _check(config: RunConfig, warehouse: Warehouse, old: Run, run_id: str) -> None:
    """Look whether it can be asked again."""
    warehouse.run(old.run_id)
    if run_id in {committed.run_id for committed in warehouse.runs()}:
        raise ConfigurationError(f"run {run_id} is there already", hint="name another one")
    if missing := sorted(old.record.sources.keys() - config.sources.keys()):
        message = f"run {old.run_id} has the source {missing[0]}, the configuration has not"
        raise ConfigurationError(message, hint="name it as it was, or crawl anew")
    for name, before in old.record.systems.items():
        if is_other_system(identity.of_system(config, name), before):
            message = f"{name} is at another place than run {old.run_id} has crawled"
            raise ConfigurationError(message, hint="say where it was, or crawl anew")


def arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    command.with_config(parser)
    parser.add_argument(
        "--failures",
        required=True,
        metavar="RUN",
        help="the committed run whose failures are asked",
    )
    parser.add_argument(
        "--run-id", metavar="ID", help="name of the new run; made of the time if left out"
    )
    with_now(parser)
    command.with_json(parser, "one JSON object with the counts of the new run")


def run(args: argparse.Namespace) -> int:
    """Ask again, and print what came of it."""
    run_id = choose_run_id(args.run_id)
    again = recrawl(spark_session("recrawl"), chosen_config(args), args.failures, run_id)
    if again is None:
        command.show(json.dumps(None) if args.json else "nothing to ask again")
        return command.FINE
    return end(again, args.config_file, as_json=args.json)


def main(argv: Sequence[str] | None = None) -> int:
    """The command, for the console script and for spark-submit."""
    return command.execute(__doc__, arguments, run, argv)


if __name__ == "__main__":
    sys.exit(main())
