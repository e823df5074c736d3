"""What belvedere has written, by address: in which order, made of which views, and still wanted."""

from typing import Final

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f

from discovery.outcomes import FEDERATED, NOT_CREATED, READ_AS_ICEBERG, RESOURCE_LINK, Kind
from jobs.crawling import tables as rows
from jobs.migrating.dependents import origins_of
from jobs.migrating.tables import EVENTS, KEY, WRITTEN
from jobs.warehouse.warehouse import Warehouse

OF_WRITES: Final = ("undoes", "origins")
"""What a plan asks of a write beside its time and fingerprints: whether it took another one back,
and of which views it was made."""


_NOT_GONE: Final = tuple(
    reason.code for reason in (READ_AS_ICEBERG, FEDERATED, RESOURCE_LINK, NOT_CREATED)
)


def writes_of(written: DataFrame, *more: str) -> DataFrame:
    """What belvedere has written at each address, earliest first: target, key, `writes`.

    Args:
        written: Rows of `events`.
        more: What of them a write has beside its time and what was there before and after it.
    """
    each = f.sort_array(f.collect_list(f.struct("time", "before", "after", *more)))
    return written.groupBy(*KEY).agg(each.alias("writes"))


def unwanted_views(written: DataFrame, wanted: DataFrame, objects: DataFrame) -> DataFrame:
    """Views that are there, that we wrote last, and that no view of the run is mapped to.

    Args:
        written: Rows of `events`, with whether each `undoes` another one.
        wanted: Target and key of what is wanted.
        objects: Target, key and kinds of what targets list.

    Returns:
        Target, key, `namespace`, `name` and our `writes`.
    """
    views = objects.where(f.col("kinds") == f.array(f.lit(Kind.VIEW.value))).select(*KEY)
    last = (f.max_by(name, "time").alias(name) for name in ("namespace", "name", "after"))
    places = written.groupBy(*KEY).agg(*last)
    own = places.where("after is not null").drop("after").join(views, KEY)
    left = own.join(wanted.select(*KEY), KEY, "left_anti")
    return left.join(writes_of(written, *OF_WRITES), KEY)


def at_source(spark: SparkSession, warehouse: Warehouse, run_id: str) -> DataFrame:
    """Target and key of what was last made of a view that a run has, or could not read.

    Views that another source of the run reads, that live elsewhere, or that Glue is creating again
    are at their sources, too.

    Args:
        spark: The session.
        warehouse: Where the run and the events are.
        run_id: The run.
    """
    objects = warehouse.frame(spark, rows.OUTCOMES, run_id).where("entity = 'object'")
    not_gone = f.col("code").isin(*_NOT_GONE)
    views = objects.where(f.col("outcome").isin("view", "failure") | not_gone)
    named = views.select("source", f.col("key").alias("of"))
    events = warehouse.read_appended(spark, EVENTS, "*").where(WRITTEN).where(f.size("origins") > 0)
    latest = events.groupBy(*KEY).agg(f.max_by("origins", "time").alias("origins"))
    made = origins_of(latest)
    return made.join(named, ["source", "of"], "left_semi").select(*KEY).distinct()
