"""What the sources' own records of changes say: which objects have changed since the run before.

A mark is taken before the listing, and what has happened since the mark of the run before is read
behind it.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from pyspark import StorageLevel
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f
from pyspark.sql.pandas.types import from_arrow_schema

from connectors.registry import Connector
from discovery.display import quantity
from discovery.event_log import LoggedSource, SignalledSource
from jobs.console.session import one_partition_each
from jobs.crawling import workers
from jobs.warehouse.carried import Carried

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

    def without(self, names: Collection[str]) -> "Followed":
        """The same, but that the records of some sources are not believed."""
        return replace(self, sources=tuple(name for name in self.sources if name not in names))


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
        f"{row['source']}: its database made no digests of {quantity(row['number'], 'object')}, "
        f"such as in {row['one']}: read in full"
        for row in counted.where("told > 0 and number > 0").orderBy("source").collect()
    ]


def follow(
    spark: SparkSession, sources: Mapping[str, Connector], marked: Mapping[str, str]
) -> Followed:
    """Read the records from the marks on.

    Args:
        spark: The session.
        sources: By name.
        marked: The marks of the run before, of the sources that are to be followed.
    """
    if not marked:
        return Followed()
    read = one_partition_each(spark, marked).mapInArrow(
        Carried(workers.list_changed_objects(sources, marked)), from_arrow_schema(workers.CHANGED)
    )
    changes = read.distinct().persist(StorageLevel.DISK_ONLY)
    why = {row["source"]: row["why"] for row in changes.where("why is not null").collect()}
    changed = changes.where("key is not null").select("source", "key")
    return Followed(changed, tuple(name for name in marked if name not in why), why)
