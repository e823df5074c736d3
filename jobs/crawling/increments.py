"""What a crawl takes over from the run before it, as the listing shows that it is unchanged.

A source tells by a signal of each object, which is another whenever its entry is, or by a record of
what has changed. What neither covers, what failed, and all of a source that is configured
otherwise, is read anew. See ADR 0010.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f

from discovery import __version__
from discovery.crawl_record import CrawlRecord
from discovery.errors import EvidenceError
from discovery.outcomes import VANISHED
from jobs.configuration import identity
from jobs.configuration.loader import RunConfig
from jobs.console.session import persist_frame
from jobs.crawling.following import PLACE, Followed, unchanged
from jobs.crawling.tables import OBJECTS, OUTCOMES
from jobs.warehouse.retained import FILE, ROW, RetainedRows, with_places
from jobs.warehouse.runs import Run
from jobs.warehouse.warehouse import Warehouse

_SEEN: Final = f"outcome in ('view', 'skipped') and coalesce(code, '') <> '{VANISHED.code}'"


@dataclass(frozen=True, slots=True)
class CrawlBase:
    """What a crawl stands on.

    Attributes:
        run_id: The run before it; empty: the crawl is full.
        why: Why it is full though it need not be.
        sources: Names of the sources that are where they were.
        marks: How far the records of these were before it listed them.
    """

    run_id: str = ""
    why: str = ""
    sources: tuple[str, ...] = ()
    marks: Mapping[str, str] = field(default_factory=dict)


def places(config: RunConfig) -> dict[str, str]:
    """A digest of where each source is."""
    return {name: identity.of_source(config, name) for name in config.sources}


def crawl_base(config: RunConfig, runs: Sequence[Run], now: datetime) -> CrawlBase:
    """What a crawl stands on: the latest run, if the latest full one is young enough.

    Args:
        config: Its configuration.
        runs: The committed runs that are whole, oldest first.
        now: The time.
    """
    if config.full_every is None:
        return CrawlBase()
    if not runs:
        return CrawlBase(why="there is no run to stand on")
    try:
        records = [run.record for run in runs]
    except EvidenceError as error:
        return CrawlBase(why=str(error))
    if why := _why_full(runs, records, config.full_every, now):
        return CrawlBase(why=why)
    before = records[-1].places or {}
    same = tuple(name for name, place in places(config).items() if before.get(name) == place)
    kept = {name: mark for name, mark in records[-1].marks.items() if name in same}
    return CrawlBase(runs[-1].run_id, sources=same, marks=kept)


def _why_full(
    runs: Sequence[Run], records: Sequence[CrawlRecord], every: timedelta, now: datetime
) -> str:
    """Why a crawl is to be full; empty: it need not be."""
    latest = runs[-1]
    if latest.version != __version__:
        return f"run {latest.run_id} is of belvedere {latest.version}"
    if records[-1].places is None:
        return f"run {latest.run_id} does not say where its sources are"
    pairs = zip(runs, records, strict=True)
    full = [run for run, record in pairs if record.places is not None and not record.stands_on]
    if not full or not timedelta() <= now - full[-1].started < every:
        return "the latest full crawl is older than full_every says"
    return ""


@contextmanager
def divide(
    spark: SparkSession,
    warehouse: Warehouse,
    objects: DataFrame,
    base: CrawlBase,
    followed: Followed,
) -> Iterator[tuple[DataFrame, RetainedRows]]:
    """What is to be read of a listing, and the rows of `outcomes` that are taken over.

    Few objects change, and the rows of all others have their texts: so what is not taken over is
    known first, and Spark need not shuffle the rest to find it.

    Args:
        spark: The session.
        warehouse: Where both runs are.
        objects: The rows of `objects` of the crawl.
        base: What it stands on.
        followed: What is known of changes since then.
    """
    listed = warehouse.frame(spark, OBJECTS, base.run_id).where("signal is not null")
    base_objects = listed.where(f.col("source").isin(list(base.sources))).select(*PLACE, "signal")
    signalled = objects.join(base_objects, [*PLACE, "signal"], "left_semi").select(*PLACE)
    without_event = unchanged(objects, followed).select(*PLACE)
    same = signalled.unionByName(without_event).distinct().withColumn("known", f.lit(True))
    before = with_places(warehouse.frame(spark, OUTCOMES, base.run_id))
    seen = before.select(*PLACE, FILE, ROW, f.expr(_SEEN).alias("seen")).join(same, PLACE, "left")
    with persist_frame(seen.where("not seen or known is null").select(FILE, ROW)) as left_out:
        taken = before.select(*PLACE, FILE, ROW).join(left_out, [FILE, ROW], "left_anti")
        left = objects.join(taken.select(*PLACE), PLACE, "left_anti")
        mark = {"seen_in": base.run_id}
        yield left, warehouse.retain_rows(spark, OUTCOMES, base.run_id, left_out, mark)
