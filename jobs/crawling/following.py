"""What the sources' own records of changes say of a listing: which objects have not changed.

A mark is taken before the listing, and what has happened since the mark of the run before is read
behind it: an object that is new, gone or of another kind without an event shows that the record
has missed something, so nothing is taken over by it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from pyspark import StorageLevel
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f
from pyspark.sql.pandas.types import from_arrow_schema

from connectors.registry import Connector
from discovery.event_log import LoggedSource, SignalledSource
from jobs.console.session import one_partition_each
from jobs.crawling import workers
from jobs.warehouse.carried import Carried

PLACE: Final = ["source", "namespace", "name", "kind"]
"""What an object of a listing is known by."""
_IS_OBJECT: Final = "entity = 'object'"


@dataclass(frozen=True, slots=True)
class Followed:
    """What is known of changes since the run before.

    Attributes:
        changed: `source` and `key` of what has changed; None: of no source is that known.
        sources: Of which it is known.
        why: Why it is not known of others that keep a record.
    """

    changed: DataFrame | None = None
    sources: tuple[str, ...] = ()
    why: Mapping[str, str] = field(default_factory=dict)


def marks(
    spark: SparkSession, sources: Mapping[str, Connector]
) -> tuple[dict[str, str], list[str]]:
    """How far the records of the sources are, and a sentence for each that cannot be followed."""
    telling = (LoggedSource, SignalledSource)
    kept = [name for name, connector in sources.items() if isinstance(connector.source(), telling)]
    if not kept:
        return {}, []
    schema = from_arrow_schema(workers.MARKS)
    asked = one_partition_each(spark, kept).mapInArrow(
        Carried(workers.mark_sources(sources)), schema
    )
    rows = asked.collect()
    messages = [f"{row['source']} cannot be followed: {row['why']}" for row in rows if row["why"]]
    return {row["source"]: row["mark"] for row in rows if row["mark"]}, sorted(messages)


def find_unsignalled(objects: DataFrame, sources: Mapping[str, Connector]) -> list[str]:
    """A sentence for each source that tells by signals, and has not done so of all objects.

    Of one that cannot make any, `marks` says why.

    Args:
        objects: The rows of `objects` of a listing that asked for signals.
        sources: By name.
    """
    able = [
        name
        for name, connector in sources.items()
        if isinstance(connector.source(), SignalledSource)
    ]
    if not able:
        return []
    asked = objects.where(_IS_OBJECT).where("task is not null").where(f.col("source").isin(able))
    silent = f.when(f.col("signal").isNull(), f.array_join("namespace", "."))
    counted = asked.groupBy("source").agg(
        f.count("signal").alias("told"), f.count(silent).alias("number"), f.min(silent).alias("one")
    )
    return [
        f"{row['source']}: its database made no digests of {row['number']:,} objects, such as in"
        f" {row['one']}: these are read in full"
        for row in counted.where("told > 0 and number > 0").orderBy("source").collect()
    ]


def follow(
    spark: SparkSession,
    sources: Mapping[str, Connector],
    marked: Mapping[str, str],
    listings: tuple[DataFrame, DataFrame],
) -> Followed:
    """Read the records from the marks on, and hold them against two listings.

    Args:
        spark: The session.
        sources: By name.
        marked: The marks of the run before, of the sources that are to be followed.
        listings: The rows of `objects` of the run before, and of this one.
    """
    if not marked:
        return Followed()
    read = one_partition_each(spark, marked).mapInArrow(
        Carried(workers.list_changed_objects(sources, marked)), from_arrow_schema(workers.CHANGED)
    )
    changes = read.distinct().persist(StorageLevel.DISK_ONLY)
    why = {row["source"]: row["why"] for row in changes.where("why is not null").collect()}
    changed = changes.where("key is not null").select("source", "key")
    rest = [name for name in marked if name not in why]
    for row in untold(*listings, changed, rest).collect():
        number, example = row["number"], row["example"]
        why[row["source"]] = f"{number:,} objects came or went without an event, such as {example}"
    return Followed(changed, tuple(name for name in rest if name not in why), why)


def untold(
    before: DataFrame, now: DataFrame, changed: DataFrame, sources: Sequence[str]
) -> DataFrame:
    """Per source, how many objects only one of two listings has that no event is about.

    Args:
        before: The rows of `objects` of the run before.
        now: Those of this one.
        changed: What events are about.
        sources: Whose.
    """
    is_followed = f.col("source").isin(list(sources))
    old, new = (
        frame.where(_IS_OBJECT).where(is_followed).select(*PLACE, "key") for frame in (before, now)
    )
    either = old.join(new, PLACE, "left_anti").unionByName(new.join(old, PLACE, "left_anti"))
    alone = either.join(changed, ["source", "key"], "left_anti")
    return alone.groupBy("source").agg(f.count("*").alias("number"), f.min("key").alias("example"))


def unchanged(objects: DataFrame, followed: Followed) -> DataFrame:
    """The rows of `objects` that no event since the run before is about."""
    if followed.changed is None or not followed.sources:
        return objects.limit(0)
    followed_objects = objects.where(_IS_OBJECT).where(f.col("source").isin(list(followed.sources)))
    return followed_objects.join(followed.changed, ["source", "key"], "left_anti")
