"""belvedere crawl: see every view of the estate, whichever engine wrote it.

Lists the sources of the configuration, fetches and reads every view, and writes a run into the
warehouse. Each listed object ends as a view, a failure or a skipped row; the counts must agree.
"""

import argparse
import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from pyspark.sql import DataFrame, SparkSession

from discovery import __version__
from discovery.acceptance import Fault
from discovery.errors import ConfigurationError
from discovery.limits import Excess, Lack
from discovery.model import dotted
from discovery.pacing.estimate import estimate, sentences
from jobs.configuration.catalogs import as_crawled, spread
from jobs.configuration.loader import RunConfig
from jobs.console import baselines, command
from jobs.console.lending import sources_logged_in
from jobs.console.progress import progress
from jobs.console.session import spark_session
from jobs.crawling import tables as rows
from jobs.crawling.addresses import ADDRESSES, source_addresses
from jobs.crawling.estimating import experiences, extents, sampled
from jobs.crawling.fetching import Fetched, crawled, fetch_estate, list_estate
from jobs.crawling.granting import GRANTED, write_grants
from jobs.crawling.increments import LISTING, MARKS, PLACES, places
from jobs.crawling.opening import chosen, insist_on_open, stopped_in_time, with_now
from jobs.crawling.reconciliation import Counts, accept, beyond, reconcile
from jobs.crawling.recording import recorded
from jobs.crawling.resuming import LATEST, InterruptedCrawl, resumed
from jobs.warehouse.locks import locked
from jobs.warehouse.retained import with_places
from jobs.warehouse.runs import Run, new_id, now, still_to_come
from jobs.warehouse.warehouse import Warehouse
from reports.codes import pages

_PLACE: Final = ["source", "entity", "namespace", "name"]
_FAILED: Final = "outcome = 'failure' and entity = 'object' and stage in ('read', 'decode')"
_RUN_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


@dataclass(frozen=True, slots=True)
class Crawled:
    """A committed crawl."""

    run_id: str
    counts: Mapping[str, Any]
    exit_code: int

    @property
    def reasons(self) -> list[command.ExitReason]:
        """Why it does not end with 0; a run that was committed before reasons were has its code."""
        noted = self.counts.get("reasons")
        if noted is None and self.exit_code:
            then = f"see `belvedere failures` of run {self.run_id}"
            return [command.ExitReason(self.exit_code, command.EXIT_CODES[self.exit_code], then)]
        return [command.ExitReason(*reason) for reason in noted or ()]


def named(run_id: str | None) -> str:
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
    run_id = named(run_id)
    command.about(run_id)
    warehouse = Warehouse(config.warehouse, spark)
    with locked(config.warehouse, f"run {run_id}", "crawl", spark):
        runs = warehouse.runs()
        for run in runs:
            if run.run_id == run_id:
                command.say(f"run {run_id} is committed already: nothing to do")
                InterruptedCrawl(config, run_id, spark).clear()
                return Crawled(run_id, json.loads(run.counts), run.exit_code)
        if told := still_to_come(runs, now()):
            command.say(told)
        insist_on_open(config.window)
        with sources_logged_in(spread(config)) as lent:
            return _crawl(spark, lent, warehouse, run_id)


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
    run_id = named(run_id)
    command.about(run_id)
    warehouse = Warehouse(config.warehouse, spark)
    with locked(config.warehouse, f"run {run_id}", "crawl", spark):
        if run_id in {one.run_id for one in warehouse.runs()}:
            raise ConfigurationError(f"run {run_id} is there already", hint="name another one")
        insist_on_open(config.window)
        with sources_logged_in(spread(config)) as lent, stopped_in_time(spark, config.window):
            list_estate(spark, lent, warehouse, run_id)
            objects = warehouse.frame(spark, rows.OBJECTS, run_id)
            found = extents(warehouse, run_id, lent)
            known = experiences(warehouse.runs())
            told = estimate(found, known)
            if told.seconds is None and (sample := sampled(objects, lent.sources)):
                told = estimate(found, [sample])
    for sentence in sentences(found, told):
        command.say(sentence)
    sources = {name: extent.to_json() for name, extent in found.items()}
    total = {"seconds": told.seconds, "rests_on": told.rests_on}
    return run_id, {"run_id": run_id, "sources": sources, **total}


def _crawl(spark: SparkSession, config: RunConfig, warehouse: Warehouse, run_id: str) -> Crawled:
    started = now()
    with stopped_in_time(spark, config.window):
        kept = list_estate(spark, config, warehouse, run_id)
        done = fetch_estate(spark, config, warehouse, run_id, kept)
    crawled = _concluded(spark, config, warehouse, run_id, started, done)
    kept.clear()
    return crawled


def _concluded(
    spark: SparkSession,
    config: RunConfig,
    warehouse: Warehouse,
    run_id: str,
    started: datetime,
    done: Fetched,
) -> Crawled:
    """Record, count, gate and commit a run of which all is there."""
    _archive(spark, config, warehouse, run_id)
    counts = reconcile(warehouse, run_id, config.sources)
    accepted = config.accepted.valid(now().date())
    _say_of_acceptances(config)
    accept(counts, _failures(warehouse, run_id, {fault.code for fault in accepted}), accepted)
    reasons = _reasons(warehouse, run_id, counts, config)
    exit_code = command.exit_code(reasons)
    told = {
        "run_id": run_id,
        "warehouse": config.warehouse,
        "sources": {name: entry.to_json() for name, entry in counts.items()},
        "exit_code": exit_code,
        "reasons": reasons,
        "seconds": round((now() - started).total_seconds(), 1),
        PLACES: places(config),
        ADDRESSES: source_addresses(warehouse, run_id, config.sources),
        GRANTED: write_grants(spark, config, warehouse, run_id),
        **done.as_json,
    }
    if done.stands_on:
        told["taken_over"] = _taken_over(warehouse, run_id)
    warehouse.put_together(rows.STAGE, run_id)
    manifest = warehouse.seal(rows.STAGE, run_id)
    text = json.dumps(told)
    warehouse.commit(Run(run_id, started, now(), __version__, exit_code, text, manifest=manifest))
    _summarize(counts)
    return Crawled(run_id, told, exit_code)


def _archive(spark: SparkSession, config: RunConfig, warehouse: Warehouse, run_id: str) -> None:
    """Keep what the sources said, where that is asked for."""
    if config.archive:
        outcomes = warehouse.frame(spark, rows.OUTCOMES, run_id)
        warehouse.write_lines(rows.ARCHIVE, run_id, recorded(outcomes, config.sources))


def _say_of_acceptances(config: RunConfig) -> None:
    """Say which acceptances name nothing that is known, or are out of date."""
    unknown = config.accepted.unknown(config.sources, pages())
    for line in (*unknown, *baselines.expired(config.accepted, now().date())):
        command.say(line)


def _taken_over(warehouse: Warehouse, run_id: str) -> int:
    """How many rows of a run an earlier one has read."""
    seen = warehouse.counted(rows.OUTCOMES, run_id, ("seen_in",))
    number = sum(count for (where,), count in seen.items() if where is not None)
    told = f"{number:,} of {seen.total():,} objects, namespaces included"
    command.say(f"{told}, are as an earlier run has read them")
    return number


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
    run_id = named(run_id)
    command.about(run_id)
    insist_on_open(config.window)
    warehouse = Warehouse(config.warehouse, spark)
    old = warehouse.run(failures)
    config = as_crawled(config, json.loads(old.counts)["sources"])
    _check(config, warehouse, old, run_id)
    with (
        locked(config.warehouse, f"run {old.run_id}", "recrawl", spark),  # so that it stays
        locked(config.warehouse, f"run {run_id}", "recrawl", spark),
    ):
        _check(config, warehouse, old, run_id)  # others may have made or removed one since
        failed = warehouse.frame(spark, rows.OUTCOMES, old.run_id).where(_FAILED).select(*_PLACE)
        number = failed.count()
        command.say(f"{number:,} objects failed in run {old.run_id}")
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
    (old, run_id), started = runs, now()
    warehouse.begin(rows.STAGE, run_id)
    listed = warehouse.frame(spark, rows.OBJECTS, old.run_id)
    before = with_places(warehouse.frame(spark, rows.OUTCOMES, old.run_id))
    hint = f"go on when it is open again: belvedere recrawl --failures {old.run_id}"
    with progress(spark, "asking again"), stopped_in_time(spark, config.window, hint):
        warehouse.write(rows.OBJECTS, run_id, listed)
        again = crawled(listed.join(failed, _PLACE, "left_semi"), config)
        asked, seen = before.join(failed, _PLACE, "left_semi"), {"seen_in": old.run_id}
        rest = warehouse.retained(spark, rows.OUTCOMES, old.run_id, asked, seen)
        warehouse.write_derived(run_id, again, rest)
    said = json.loads(old.counts)
    mine = {"run_id": old.run_id, "started": old.started.isoformat()}
    done = Fetched(old.run_id, marks=said.get(MARKS), listing=said.get(LISTING) or mine)
    return _concluded(spark, config, warehouse, run_id, started, done)


def _check(config: RunConfig, warehouse: Warehouse, old: Run, run_id: str) -> None:
    """Look whether it can be asked again."""
    warehouse.run(old.run_id)
    if run_id in {one.run_id for one in warehouse.runs()}:
        raise ConfigurationError(f"run {run_id} is there already", hint="name another one")
    if missing := sorted(json.loads(old.counts)["sources"].keys() - config.sources.keys()):
        what = f"run {old.run_id} has the source {missing[0]}, the configuration has not"
        raise ConfigurationError(what, hint="name it as it was, or crawl anew")


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
    config = chosen(args)
    insist_on_open(config.window)
    run_id: str | None = named(args.run_id)  # before Spark starts: a wrong word need not wait
    spark = spark_session("crawl")
    if args.resume is not None:
        run_id = resumed(config, args.resume, spark)
    if args.estimate:
        run_id, told = estimate_crawl(spark, config, run_id)
        command.show(
            json.dumps(told) if args.json else f"go on with: belvedere crawl --resume {run_id}"
        )
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


def _reasons(
    warehouse: Warehouse, run_id: str, counts: Mapping[str, Counts], config: RunConfig
) -> list[command.ExitReason]:
    """Why the crawl does not end with 0, with an object to look at."""
    shown = f"belvedere failures --warehouse {config.warehouse} --run-id {run_id} --source"
    reasons = [
        command.ExitReason(
            command.UNREAD,
            f"{name}: what was listed and what became of it do not agree: {entry.mismatches[0]}",
            "crawl again; if it stays so, it is a bug in belvedere: please report it",
        )
        for name, entry in counts.items()
        if entry.mismatches
    ]
    accepted = config.accepted.valid(now().date())
    for excess in beyond(counts, config.crawl_limits):
        code = command.FINDINGS if excess.lack is Lack.UNDECODED else command.UNREAD
        first = _first(warehouse, run_id, excess, accepted)
        then = f"{shown} {excess.source} --outcome failure"
        reasons.append(command.ExitReason(code, f"{excess}; one is {first}", then))
    return reasons


def _first(warehouse: Warehouse, run_id: str, excess: Excess, accepted: frozenset[Fault]) -> str:
    """A failure out of those that are too many."""
    failures = _failures(warehouse, run_id, excess.codes, excess.source)
    row = next(one for one in failures if (one["source"], one["key"], one["code"]) not in accepted)
    place = dotted((*row["namespace"], row["name"])) if row["name"] else dotted(row["namespace"])
    return f"{place or excess.source}: {row['message']}"


def _failures(
    warehouse: Warehouse, run_id: str, codes: Iterable[str], *sources: str
) -> Iterator[dict[str, Any]]:
    """The failures of a run with some codes; of all sources, if none is named."""
    where: dict[str, Sequence[str]] = {"outcome": ["failure"], "code": sorted(codes)}
    if sources:
        where["source"] = sources
    return warehouse.table(rows.OUTCOMES, run_id, where=where) if where["code"] else iter(())


def _summarize(counts: Mapping[str, Counts]) -> None:
    for name, entry in counts.items():
        formats = ", ".join(f"{number} {kind}" for kind, number in entry.formats.most_common())
        command.say(
            f"{name}: {entry.listed} listed = {entry.views} views + {entry.failures} failures + "
            f"{entry.skipped} skipped, in {entry.namespaces} namespaces"
            + (f" ({formats})" if formats else "")
        )
        if entry.accepted:
            command.say(f"  {entry.accepted.total()} of the failures are accepted")
        for code, number in entry.codes.most_common():
            command.say(f"  {number} {code}")
        for mismatch in entry.mismatches:
            command.say(f"  COUNTS DO NOT AGREE: {mismatch}")


if __name__ == "__main__":
    sys.exit(main())
