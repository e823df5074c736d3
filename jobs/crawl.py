"""belvedere crawl: see every view of the estate, whichever engine wrote it.

Lists the sources of the configuration, fetches and reads every view, and writes a run into the
warehouse. Each listed object ends as a view, a failure or a skipped row; the counts must agree.
"""

import argparse
import json
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as f
from pyspark.sql.pandas.types import from_arrow_schema

from connectors.registry import Connector
from discovery import __version__
from discovery.errors import ConfigurationError
from jobs.configuration.loader import RunConfig
from jobs.console import command
from jobs.console.progress import progress
from jobs.console.session import one_partition_each, spark_session
from jobs.crawling import tables as rows
from jobs.crawling import workers
from jobs.crawling.reconciliation import Counts, reconcile
from jobs.warehouse.warehouse import Run, Warehouse, new_id, now

_RUN_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


@dataclass(frozen=True, slots=True)
class Crawled:
    """A committed crawl."""

    run_id: str
    counts: Mapping[str, Any]
    exit_code: int


def crawl_estate(spark: SparkSession, config: RunConfig, run_id: str | None = None) -> Crawled:
    """Crawl every source into a new run; a run that is committed already is returned as it is.

    Raises:
        ConfigurationError: The run id cannot be a folder's name.
    """
    run_id = run_id or new_id()
    if not _RUN_ID.fullmatch(run_id):
        hint = "letters, digits, '.', '_' and '-', at most 100"
        raise ConfigurationError(f"{run_id!r} cannot be the id of a run", hint=hint)
    warehouse, started = Warehouse(config.warehouse, spark), now()
    for run in warehouse.runs():
        if run.run_id == run_id:
            command.say(f"run {run_id} is committed already: nothing to do")
            return Crawled(run_id, json.loads(run.counts), run.exit_code)
    command.say(f"listing {len(config.sources)} sources")
    with progress(spark, "listing"):
        warehouse.write(rows.OBJECTS, run_id, _listed(spark, config.sources))
    objects = warehouse.frame(spark, rows.OBJECTS, run_id)
    command.say("crawling")
    with progress(spark, "crawling"):
        warehouse.write(rows.OUTCOMES, run_id, _crawled(objects, config.sources))
    if config.archive:
        outcomes = warehouse.frame(spark, rows.OUTCOMES, run_id)
        warehouse.write_lines(rows.ARCHIVE, run_id, outcomes.where("raw <> ''").select("raw"))
    counts = reconcile(warehouse, run_id, config.sources)
    exit_code = _exit_code(counts, config.undecoded)
    told = {
        "run_id": run_id,
        "warehouse": config.warehouse,
        "sources": {name: entry.to_json() for name, entry in counts.items()},
        "exit_code": exit_code,
        "seconds": round((now() - started).total_seconds(), 1),
    }
    run = Run(run_id, started, now(), __version__, exit_code, json.dumps(told))
    warehouse.commit(run)
    _summarize(counts)
    return Crawled(run_id, told, exit_code)


def arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    command.with_config(parser)
    parser.add_argument(
        "--run-id", metavar="ID", help="name of the run; made of the time if left out"
    )
    command.with_json(parser, "one JSON object with the counts")


def run(args: argparse.Namespace) -> int:
    """Crawl, and print what the crawl came to."""
    crawled = crawl_estate(spark_session("crawl"), args.config, args.run_id)
    if args.json:
        print(json.dumps(crawled.counts))
    else:
        print(f"run {crawled.run_id} in {crawled.counts['warehouse']}")
    if crawled.exit_code:
        command.say(f"exit code {crawled.exit_code}: {command.EXIT_CODES[crawled.exit_code]}")
    return crawled.exit_code


def main(argv: Sequence[str] | None = None) -> int:
    """The command, for the console script and for spark-submit."""
    return command.execute(__doc__, arguments, run, argv)


def _listed(spark: SparkSession, sources: Mapping[str, Connector]) -> DataFrame:
    """Rows of `objects`, listed source by source, each in a partition of its own."""
    frame = one_partition_each(spark, sources)
    return frame.mapInArrow(workers.list_sources(sources), from_arrow_schema(rows.OBJECTS.schema))


def _crawled(objects: DataFrame, sources: Mapping[str, Connector]) -> DataFrame:
    """Rows of `outcomes`; a partition for each connection, so no source ever has more of them."""
    first, total = {}, 0
    for name, connector in sources.items():
        first[name] = total
        total += connector.source().connections
    pairs: list[Column] = [f.lit(value) for pair in first.items() for value in pair]
    partition = f.create_map(*pairs)[f.col("source")] + f.col("slot")
    dealt = objects.repartitionById(total, partition).sortWithinPartitions("source", "task")
    return dealt.mapInArrow(workers.crawl_objects(sources), from_arrow_schema(rows.OUTCOMES.schema))


def _exit_code(counts: Mapping[str, Counts], undecoded: int) -> int:
    if any(entry.unread or entry.mismatches for entry in counts.values()):
        return command.UNREAD
    if sum(entry.undecoded for entry in counts.values()) > undecoded:
        return command.FINDINGS
    return command.FINE


def _summarize(counts: Mapping[str, Counts]) -> None:
    for name, entry in counts.items():
        formats = ", ".join(f"{number} {kind}" for kind, number in entry.formats.most_common())
        command.say(
            f"{name}: {entry.listed} listed = {entry.views} views + {entry.failures} failures + "
            f"{entry.skipped} skipped, in {entry.namespaces} namespaces"
            + (f" ({formats})" if formats else "")
        )
        for code, number in entry.codes.most_common():
            command.say(f"  {number} {code}")
        for mismatch in entry.mismatches:
            command.say(f"  COUNTS DO NOT AGREE: {mismatch}")


if __name__ == "__main__":
    sys.exit(main())
