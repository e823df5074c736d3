"""What a crawl takes over from the run before it, as the listing shows that it is unchanged.

A source tells by a signal of each object, which is another whenever its entry is, or by a record of
what has changed. What neither covers, what failed, and all of a source that is configured
otherwise, is read anew. See ADR 0010.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Final

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f

from discovery import __version__
from discovery.crawl_record import CrawlRecord
from discovery.display import quantity
from discovery.errors import EvidenceError
from discovery.outcomes import VANISHED
from jobs.configuration import identity
from jobs.configuration.loader import RunConfig
from jobs.console.session import persist_frame
from jobs.crawling.following import Followed
from jobs.crawling.tables import OBJECTS, OUTCOMES
from jobs.warehouse.retained import FILE, ROW, RetainedRows, with_places
from jobs.warehouse.runs import Run
from jobs.warehouse.warehouse import Warehouse

_PLACE: Final = ("source", "namespace", "name", "kind")
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


def with_origins(record: CrawlRecord, config: RunConfig) -> CrawlRecord:
    """What is known of a crawl, with where its sources are unless it says that by itself."""
    if record.places is not None:
        return record
    digests = {name: identity.of_system(config, name) for name in config.sources}
    systems = {name: reached for name, reached in digests.items() if reached}
    return replace(record, places=places(config), systems=systems)


def unchanged_places(config: RunConfig, record: CrawlRecord) -> dict[str, str]:
    """The digests of the sources that are where they were in an earlier crawl.

    Whoever has rows of that crawl says no more: of another place they say nothing.
    """
    before = record.places or {}
    return {name: place for name, place in places(config).items() if before.get(name) == place}


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
    same = tuple(unchanged_places(config, records[-1]))
    kept = {name: mark for name, mark in records[-1].marks.items() if name in same}
    return CrawlBase(runs[-1].run_id, sources=same, marks=kept)


def _why_full(
    runs: Sequence[Run], records: Sequence[CrawlRecord], every: timedelta, now: datetime
) -> str:
    """Why a crawl is to be full; empty: it need not be."""
    if records[-1].places is None:
        return f"run {runs[-1].run_id} does not say where its sources are"
    chain = _chain(runs, records)
    if other := next((run for run in chain if run.version != __version__), None):
        return f"run {other.run_id} is of belvedere {other.version}"
    foot = chain[-1] if chain[-1] in _full(runs, records) else None
    if foot is None or not timedelta() <= now - foot.started < every:
        return "the full crawl that it would stand on is older than full_every says"
    return ""


def _full(runs: Sequence[Run], records: Sequence[CrawlRecord]) -> list[Run]:
    pairs = zip(runs, records, strict=True)
    return [run for run, record in pairs if record.places is not None and not record.stands_on]


def _chain(runs: Sequence[Run], records: Sequence[CrawlRecord]) -> list[Run]:
    """The runs whose rows the latest has: itself, and down to the full one at their foot.

    Where one of them is no longer there, the foot is the latest full one from before those that
    are.
    """
    known = {run.run_id: (run, record) for run, record in zip(runs, records, strict=True)}
    run, record = runs[-1], records[-1]
    chain = [run]
    while record.stands_on in known:
        run, record = known[record.stands_on]
        chain.append(run)
    if record.stands_on:
        chain += [full for full in _full(runs, records) if full.started < run.started][-1:]
    return chain


@dataclass(frozen=True, slots=True)
class Division:
    """A listing, divided.

    Attributes:
        left: The rows of `objects` that are to be read.
        taken: The rows of `outcomes` that are taken over.
        why: Why a source is read in full though it keeps a record of its changes.
    """

    left: DataFrame
    taken: RetainedRows
    why: Mapping[str, str]


@contextmanager
def divide(
    spark: SparkSession,
    warehouse: Warehouse,
    objects: DataFrame,
    base: CrawlBase,
    followed: Followed,
) -> Iterator[Division]:
    """What is to be read of a listing, and the rows of `outcomes` that are taken over.

    Few objects change, and the rows of all others have their texts: so the places of those that are
    not taken over are known first, and Spark need not shuffle the rest to find them.

    Args:
        spark: The session.
        warehouse: Where both runs are.
        objects: The rows of `objects` of the crawl.
        base: What it stands on.
        followed: What is known of changes since then.
    """
    outcomes = warehouse.frame(spark, OUTCOMES, base.run_id)
    before = with_places(outcomes).withColumn("seen", f.expr(_SEEN))
    same = _find_same(objects, warehouse.frame(spark, OBJECTS, base.run_id), base.sources)
    why = dict(followed.why)
    with ExitStack() as stack:
        changed = stack.enter_context(persist_frame(find_changed(objects, before, same, followed)))
        missed = find_missed(changed) if followed.sources else {}
        if missed:
            why |= missed
            rest = find_changed(objects, before, same, followed.without(missed))
            changed = stack.enter_context(persist_frame(rest))
        places = changed.select(*_PLACE, f.lit(True).alias("changed"))
        left = objects.join(places, [*_PLACE], "left_semi")
        marked = before.select(*_PLACE, "seen", FILE, ROW).join(places, [*_PLACE], "left")
        left_out = marked.where("changed or not seen").select(FILE, ROW)
        mark = {"seen_in": base.run_id}
        taken = warehouse.retain_rows(spark, OUTCOMES, base.run_id, left_out, mark)
        yield Division(left, taken, why)


def _find_same(objects: DataFrame, listed: DataFrame, sources: Collection[str]) -> DataFrame:
    """The places of some sources that have one signal in two listings."""
    of_one = [*_PLACE, "signal"]
    now, then = (frame.where("signal is not null").select(of_one) for frame in (objects, listed))
    comparable = then.where(f.col("source").isin(list(sources)))
    return now.join(comparable, of_one, "left_semi").select(*_PLACE)


def find_changed(
    objects: DataFrame, before: DataFrame, same: DataFrame, followed: Followed
) -> DataFrame:
    """The places of a listing and of the run before of which nothing is taken over.

    An object is taken over if it is known to be unchanged, by its signal or as no event is about
    it, and the run before has read it. All that is known of a place meets in one shuffle, as flags:
    Spark puts such together without sorting them.

    Args:
        objects: The rows of `objects` of the crawl.
        before: The rows of `outcomes` of the run before, and whether each was `seen`.
        same: The places that have the signal which they had.
        followed: What is known of changes since then.

    Returns:
        The places, and whether each is `alone`: only one of both has it, and no event is about it
        though the record of its source is read.
    """
    of_both = (*_PLACE, "entity", "key")
    now = objects.select(*of_both, f.lit(True).alias("now"), f.lit(False).alias("seen"))
    rows = now.unionByName(before.select(*of_both, f.lit(False).alias("now"), "seen"))
    silent = (f.col("entity") == "object") & f.col("source").isin(list(followed.sources))
    if followed.changed is not None:
        named = followed.changed.withColumn("named", f.lit(True))
        rows = rows.join(named, ["source", "key"], "left")
        silent &= f.col("named").isNull()
    facts = rows.select(*_PLACE, "now", "seen", silent.alias("silent"))
    known = same.withColumn("same", f.lit(True))
    places = facts.unionByName(known, allowMissingColumns=True).groupBy(*_PLACE)
    flags = (
        "max(seen) AS seen",
        "coalesce(max(same), max(silent and now)) AS unchanged",
        "max(silent) AS silent",
        "max(now) and not min(now) AS in_both",
    )
    merged = places.agg(*map(f.expr, flags)).where("not (seen and unchanged)")
    return merged.select(*_PLACE, f.expr("silent and not in_both AS alone"))


def find_missed(changed: DataFrame) -> dict[str, str]:
    """Why the records of some sources are not believed: an object came or went without an event.

    Args:
        changed: Of `find_changed`.
    """
    place = f.concat_ws(".", "namespace", "name")
    alone = changed.where("alone").groupBy("source")
    rows = alone.agg(f.count("*").alias("number"), f.min(place).alias("example")).collect()
    return {
        row["source"]: f"{quantity(row['number'], 'object')} came or went without an event, "
        f"such as {row['example']}"
        for row in rows
    }
