"""The two questions of a crawl: what there is, and what it is; each put to the executors."""

import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from itertools import accumulate
from typing import Final

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as f

from connectors.registry import Connector
from discovery.crawl import rounds
from discovery.crawl_record import CrawlRecord, Fetching
from discovery.display import quantity
from discovery.pacing.estimate import estimate, sentences
from jobs.configuration.loader import RunConfig
from jobs.console import command
from jobs.console.progress import Amount, progress
from jobs.console.session import one_partition_each
from jobs.crawling import tables as rows
from jobs.crawling import workers
from jobs.crawling.estimating import experiences, extents
from jobs.crawling.finished import FinishedTasks
from jobs.crawling.following import find_unsignalled, follow, marks
from jobs.crawling.including import empty_patterns
from jobs.crawling.increments import CrawlBase, Division, crawl_base, divide
from jobs.crawling.recording import say_what_lacks
from jobs.crawling.resuming import InterruptedCrawl
from jobs.warehouse.parts import DerivedRows
from jobs.warehouse.runs import now
from jobs.warehouse.warehouse import Warehouse

_PLACE: Final = ("source", "entity", "namespace", "name", "kind")


def list_estate(
    spark: SparkSession, config: RunConfig, warehouse: Warehouse, run_id: str
) -> InterruptedCrawl:
    """List, unless an interrupted attempt has; what is kept of that."""
    warehouse.begin(rows.STAGE, run_id)
    kept = InterruptedCrawl(config, run_id, spark)
    if kept.begin():
        command.say(f"going on with run {run_id}: its listing is whole")
    else:
        command.say(f"listing {quantity(len(config.sources), 'source')}")
        say_what_lacks(config.sources)
        with progress(spark, "listing"):
            marked = _read_marks(spark, config)
            if kept.finished is None:
                warehouse.clear(rows.OUTCOMES, run_id)
            warehouse.write_derived(run_id, listing_rows(spark, config))
        kept.note_listing(marked)
        if config.full_every is not None:
            objects = warehouse.frame(spark, rows.OBJECTS, run_id)
            for sentence in find_unsignalled(objects, config.sources):
                command.say(sentence)
    for sentence in empty_patterns(warehouse, run_id, config.sources):
        command.say(sentence)
    return kept


def _read_marks(spark: SparkSession, config: RunConfig) -> dict[str, str]:
    """How far the sources' records of changes are, where the next crawl may follow them."""
    if config.full_every is None:
        return {}
    source_marks, messages = marks(spark, config.sources)
    for message in messages:
        command.say(message)
    return source_marks


def fetch_estate(
    spark: SparkSession,
    config: RunConfig,
    warehouse: Warehouse,
    run_id: str,
    kept: InterruptedCrawl,
) -> CrawlRecord:
    """Fetch or take over what was listed, and write `outcomes`; what the run says of that."""
    objects = warehouse.frame(spark, rows.OBJECTS, run_id)
    base = crawl_base(config, warehouse.whole_runs() if config.full_every else (), now())
    if kept.finished is None and kept.is_resumed:
        _drop_if_on_another_base(spark, warehouse, run_id, base)
    if base.run_id:
        with _divide_objects(spark, config, warehouse, objects, base) as division:
            for name, why in sorted(division.why.items()):
                command.say(f"{name} is read in full: {why}")
            with progress(spark, "crawling"):
                _read_changed(spark, config, warehouse, run_id, division, kept)
        return CrawlRecord(stands_on=base.run_id, marks=kept.marks)
    command.say(f"crawling all: {base.why}" if base.why else "crawling")
    extent = extents(warehouse, run_id, config)
    expected = estimate(extent, experiences(warehouse.runs()))
    for sentence in sentences(extent, expected, asked=False):
        command.say(sentence)
    began = time.monotonic()
    if kept.finished is None:
        with progress(spark, "crawling"):
            before = _append(spark, config, warehouse, run_id, objects)
    else:
        before = kept.finished.count()
        if before:
            finished = quantity(before, "task was", "tasks were")
            command.say(f"{finished} finished by an interrupted crawl")
        tasks = sum(source.tasks for source in extent.values())
        connections = connections_in_use(warehouse, run_id, config.sources)
        with progress(spark, "crawling", Amount(kept.finished.count, tasks, "batches")):
            warehouse.write_derived(run_id, crawl_rows(objects, config, connections, kept.finished))
    fetched = {name: source.fetched for name, source in extent.items()}
    done = None if before else Fetching(fetched, round(time.monotonic() - began, 3))
    return CrawlRecord(fetching=done, marks=kept.marks)


def _read_changed(
    spark: SparkSession,
    config: RunConfig,
    warehouse: Warehouse,
    run_id: str,
    division: Division,
    kept: InterruptedCrawl,
) -> None:
    """Write `outcomes`: what is read anew, and what is taken over."""
    if kept.finished is None:
        _append(spark, config, warehouse, run_id, division.left, division.taken.rows())
        return
    connections = connections_in_use(warehouse, run_id, config.sources)
    again = crawl_rows(division.left, config, connections, kept.finished)
    warehouse.write_derived(run_id, again, division.taken)


def _append(
    spark: SparkSession,
    config: RunConfig,
    warehouse: Warehouse,
    run_id: str,
    wanted: DataFrame,
    taken: DataFrame | None = None,
) -> int:
    """Add to `outcomes` what it lacks, some tasks in each job; how many rows it had.

    Where only Spark reaches a warehouse, it keeps the rows of jobs that have ended.

    Args:
        spark: The session.
        config: Of the crawl.
        warehouse: Where the run is.
        run_id: The run.
        wanted: What is to be read.
        taken: Rows that are taken over.
    """
    done = warehouse.read_appended(spark, rows.OUTCOMES, run_id).select(*_PLACE)
    if before := done.count():
        command.say(f"{quantity(before, 'object')} read by an interrupted crawl")
    if taken is not None:
        warehouse.append(rows.OUTCOMES, run_id, _without(taken, done))
    left = _without(wanted, done)
    tasks = left.select("source", "task").distinct().count()
    number = rounds(
        tasks, sum(connector.source().connections for connector in config.sources.values())
    )
    dealt = f.pmod(f.xxhash64("source", "task"), f.lit(number))
    connections = connections_in_use(warehouse, run_id, config.sources)
    for job in range(number):
        part = crawl_rows(left.where(dealt == job), config, connections)
        warehouse.append(rows.OUTCOMES, run_id, part.rows())
    return before


def _drop_if_on_another_base(
    spark: SparkSession, warehouse: Warehouse, run_id: str, base: CrawlBase
) -> None:
    """Remove what an earlier attempt has read if it took rows over from another run than this.

    They may be older than what a run that stands on this one takes them for.
    """
    done = warehouse.read_appended(spark, rows.OUTCOMES, run_id)
    if not done.where(f.col("seen_in") != base.run_id).isEmpty():
        command.say("what the interrupted crawl took over is of another run: all is read anew")
        warehouse.clear(rows.OUTCOMES, run_id)


def _without(objects: DataFrame, done: DataFrame) -> DataFrame:
    """The rows of objects that are not done."""
    same = [objects[name].eqNullSafe(done[name]) for name in _PLACE]
    return objects.join(done, same, "left_anti")


@contextmanager
def _divide_objects(
    spark: SparkSession,
    config: RunConfig,
    warehouse: Warehouse,
    objects: DataFrame,
    base: CrawlBase,
) -> Iterator[Division]:
    """What is to be read, and what is taken over."""
    command.say(f"crawling what has changed since run {base.run_id}")
    with ExitStack() as stack:
        with progress(spark, "reading what has changed"):
            followed = follow(spark, config.sources, base.marks)
            division = stack.enter_context(divide(spark, warehouse, objects, base, followed))
        yield division


def listing_rows(spark: SparkSession, config: RunConfig) -> DerivedRows:
    """Rows of `objects`, listed source by source, each in a partition of its own."""
    lists = workers.list_sources(config.sources, signals=config.full_every is not None)
    return DerivedRows(rows.OBJECTS, one_partition_each(spark, config.sources), lists)


def connections_in_use(
    warehouse: Warehouse, run_id: str, sources: Mapping[str, Connector]
) -> dict[str, int]:
    """How many of its connections the listing of each source has work for: few have for all."""
    used: dict[str, int] = {}
    for source, slot in warehouse.count_rows(rows.OBJECTS, run_id, ("source", "slot")):
        used[source] = max(used.get(source, 0), slot + 1)
    # the listing of an earlier run may be for more than there are by now
    return {name: min(number, sources[name].source().connections) for name, number in used.items()}


def crawl_rows(
    objects: DataFrame,
    config: RunConfig,
    connections: Mapping[str, int],
    finished: FinishedTasks | None = None,
) -> DerivedRows:
    """Rows of `outcomes`; a partition for each connection, so no source ever has more of them.

    An empty partition costs what another one does, some 0.1 s of a processor: a process of Python
    is told of all sources.

    Args:
        objects: What is to be read.
        config: Of the crawl.
        connections: How many each source has work for.
        finished: Where finished tasks are; None: none.
    """
    first = dict(zip(connections, accumulate(connections.values(), initial=0), strict=False))
    slot = f.pmod("slot", _by_source(connections)) + _by_source(first)
    total = sum(connections.values())
    dealt = objects.repartitionById(total, slot) if total else objects
    crawl = workers.crawl_objects(config.sources, finished, config.care)
    return DerivedRows(rows.OUTCOMES, dealt.sortWithinPartitions("source", "task"), crawl)


def _by_source(numbers: Mapping[str, int]) -> Column:
    """The number of a row's source."""
    return f.create_map(*(f.lit(value) for pair in numbers.items() for value in pair))[
        f.col("source")
    ]
