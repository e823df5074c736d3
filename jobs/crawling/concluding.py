"""The end of a crawl: its run is recorded, counted, gated and committed."""

import json
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pyspark.sql import SparkSession

from discovery import __version__
from discovery.acceptance import Fault
from discovery.crawl_record import CrawlRecord
from discovery.display import quantity
from discovery.limits import Excess, Lack
from discovery.model import dotted
from discovery.ranking import ranked
from jobs.configuration.loader import RunConfig
from jobs.console import baselines, command
from jobs.crawling import tables as rows
from jobs.crawling.addresses import source_addresses
from jobs.crawling.granting import GRANTED, write_grants
from jobs.crawling.increments import with_origins
from jobs.crawling.reconciliation import Counts, accept, beyond, reconcile
from jobs.crawling.recording import archive_lines
from jobs.warehouse.runs import Beginning, Run, now
from jobs.warehouse.warehouse import Warehouse
from reports.codes import pages


@dataclass(frozen=True, slots=True)
class Crawled:
    """A committed crawl."""

    run_id: str
    counts: Mapping[str, Any]
    exit_code: int

    @property
    def reasons(self) -> list[command.ExitReason]:
        """Why it does not end with 0; a run that was committed before reasons were has its code."""
        noted = CrawlRecord.of(self.counts).reasons
        if noted is None and self.exit_code:
            then = f"see `belvedere failures` of run {self.run_id}"
            return [command.ExitReason(self.exit_code, command.EXIT_CODES[self.exit_code], then)]
        return [command.ExitReason(*reason) for reason in noted or ()]


def begin_run(runs: Sequence[Run]) -> Beginning:
    """When a run begins behind those that are there; says so where the clock says otherwise."""
    beginning = Beginning.after(runs, now())
    if beginning.remark:
        command.say(beginning.remark)
    return beginning


def conclude(
    spark: SparkSession,
    config: RunConfig,
    warehouse: Warehouse,
    run_id: str,
    beginning: Beginning,
    fetched: CrawlRecord,
) -> Crawled:
    """Record, count, gate and commit a run of which all is there.

    Args:
        spark: The session.
        config: With the sources of the run.
        warehouse: Where the run is.
        run_id: The run.
        beginning: When its crawl began.
        fetched: What is known of it so far.
    """
    _archive(spark, config, warehouse, run_id)
    counts, accepted = _count_outcomes(config, warehouse, run_id)
    reasons = _reasons(warehouse, run_id, counts, config, accepted)
    record = replace(
        with_origins(fetched, config),
        sources={name: entry.total for name, entry in counts.items()},
        seconds=round((now() - beginning.moment).total_seconds(), 1),
        reasons=reasons,
        addresses=source_addresses(warehouse, run_id, config.sources),
    )
    exit_code = command.exit_code(reasons)
    summary = {"run_id": run_id, "warehouse": config.warehouse, "exit_code": exit_code}
    summary |= record.to_json() | {GRANTED: write_grants(spark, config, warehouse, run_id)}
    if record.stands_on:
        summary["taken_over"] = _count_taken_over(warehouse, run_id)
    warehouse.put_together(rows.STAGE, run_id)
    manifest = warehouse.seal(rows.STAGE, run_id)
    run = Run(run_id, beginning.started, now(), __version__, exit_code, json.dumps(summary))
    warehouse.commit(replace(run, manifest=manifest))
    _summarize(counts)
    return Crawled(run_id, summary, exit_code)


def _count_outcomes(
    config: RunConfig, warehouse: Warehouse, run_id: str
) -> tuple[dict[str, Counts], frozenset[Fault]]:
    """What became of all that was listed, and which failures are accepted."""
    counts = reconcile(warehouse, run_id, config.sources)
    accepted = config.accepted.valid(now().date())
    _say_of_acceptances(config)
    accept(counts, _read_failures(warehouse, run_id, {fault.code for fault in accepted}), accepted)
    return counts, accepted


def _archive(spark: SparkSession, config: RunConfig, warehouse: Warehouse, run_id: str) -> None:
    """Keep what the sources said, where that is asked for."""
    if config.archive:
        outcomes = warehouse.frame(spark, rows.OUTCOMES, run_id)
        warehouse.write_lines(rows.ARCHIVE, run_id, archive_lines(outcomes, config.sources))


def _say_of_acceptances(config: RunConfig) -> None:
    """Say which acceptances name nothing that is known, or are out of date."""
    unknown = config.accepted.unknown({*config.sources, *config.targets}, pages())
    for line in (*unknown, *baselines.expired(config.accepted, now().date())):
        command.say(line)


def _count_taken_over(warehouse: Warehouse, run_id: str) -> int:
    """How many rows of a run an earlier one has read."""
    seen = warehouse.count_rows(rows.OUTCOMES, run_id, ("seen_in",))
    number = sum(count for (where,), count in seen.items() if where is not None)
    share = f"{number:,} of {seen.total():,} objects, namespaces included"
    command.say(f"{share}, are as an earlier run has read them")
    return number


def _reasons(
    warehouse: Warehouse,
    run_id: str,
    counts: Mapping[str, Counts],
    config: RunConfig,
    accepted: frozenset[Fault],
) -> list[command.ExitReason]:
    """Why the crawl does not end with 0, with an object to look at."""
    of_run = ("failures", "--warehouse", config.warehouse, "--run-id", run_id)
    reasons = [
        command.ExitReason(
            command.UNREAD,
            f"{name}: what was listed and what became of it do not agree: {entry.mismatches[0]}",
            "crawl again; if it stays so, it is a bug in belvedere: please report it",
        )
        for name, entry in counts.items()
        if entry.mismatches
    ]
    for excess in beyond(counts, config.crawl_limits):
        code = command.FINDINGS if excess.lack is Lack.UNDECODED else command.UNREAD
        first = _find_example(warehouse, run_id, excess, accepted)
        which = ("--source", excess.source, "--outcome", "failure")
        then = shlex.join(["belvedere", *of_run, *which])
        reasons.append(command.ExitReason(code, f"{excess}; one is {first}", then))
    return reasons


def _find_example(
    warehouse: Warehouse, run_id: str, excess: Excess, accepted: frozenset[Fault]
) -> str:
    """A failure out of those that are too many."""
    failures = _read_failures(warehouse, run_id, excess.codes, excess.source)
    row = next(row for row in failures if (row["source"], row["key"], row["code"]) not in accepted)
    place = dotted((*row["namespace"], row["name"])) if row["name"] else dotted(row["namespace"])
    return f"{place or excess.source}: {row['message']}"


def _read_failures(
    warehouse: Warehouse, run_id: str, codes: Iterable[str], *sources: str
) -> Iterator[dict[str, Any]]:
    """The failures of a run with some codes; of all sources, if none is named."""
    where: dict[str, Sequence[str]] = {"outcome": ["failure"], "code": sorted(codes)}
    if sources:
        where["source"] = sources
    return warehouse.table(rows.OUTCOMES, run_id, where=where) if where["code"] else iter(())


def _summarize(counts: Mapping[str, Counts]) -> None:
    for name, entry in counts.items():
        formats = ", ".join(f"{number} {kind}" for kind, number in ranked(entry.formats))
        command.say(
            f"{name}: {entry.listed:,} listed = {quantity(entry.views, 'view')} + "
            f"{quantity(entry.failures, 'failure')} + {entry.skipped:,} skipped, "
            f"in {quantity(entry.namespaces, 'namespace')}" + (f" ({formats})" if formats else "")
        )
        if entry.accepted:
            command.say(f"  {entry.accepted.total()} of the failures are accepted")
        for code, number in ranked(entry.codes):
            command.say(f"  {number} {code}")
        for mismatch in entry.mismatches:
            command.say(f"  COUNTS DO NOT AGREE: {mismatch}")
