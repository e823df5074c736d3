"""What stands on what: waves, and what is below whom, put to one executor as names alone.

What reads no view, is read by none and is not faulty does not go there: it is in the first wave,
which Spark says.
"""

from collections.abc import Collection
from typing import Final

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f
from pyspark.sql.pandas.types import from_arrow_schema

from discovery.display import quantity
from discovery.judging.analyzers import compilers
from discovery.judging.entries import OF_METASTORES
from discovery.judging.paths import Reach
from discovery.judging.translating import TRANSLATED, translators
from jobs.assessing import tables as assessed
from jobs.assessing.workers.graph import (
    BASE,
    COMPILED,
    KEY,
    ON_BASES,
    PLACED,
    TAKEN,
    UNRESOLVED,
    look_below,
    order_views,
)
from jobs.crawling.views import views_of
from jobs.warehouse.carried import Carried
from jobs.warehouse.warehouse import Warehouse

_KEY: Final = list(KEY)


def links(spark: SparkSession, warehouse: Warehouse, run_id: str) -> DataFrame:
    """What reads what in a run, of what can be faulty, and of which views that is not known."""
    views = warehouse.frame(spark, assessed.ASSESSED, run_id)
    unresolved = views.where("not coalesce(resolved, false)").select(
        *KEY, *(f.lit(None).cast("string").alias(name) for name in BASE), f.lit(UNRESOLVED)
    )
    edges = _edges(spark, warehouse, run_id).select(*KEY, *BASE, f.col("base_kind").alias("link"))
    return edges.union(unresolved)


def write_waves(spark: SparkSession, warehouse: Warehouse, run_id: str) -> str:
    """Write the table `waves`; says how many there are."""
    ordering = links(spark, warehouse, run_id).repartition(1)
    placed = ordering.mapInArrow(Carried(order_views), from_arrow_schema(PLACED))
    views = warehouse.frame(spark, assessed.ASSESSED, run_id).select(*assessed.VIEW)
    first = f.when(f.col("aside").isNull(), f.coalesce("wave", f.lit(1))).cast("int")
    waves = views.join(placed, _KEY, "left").withColumn("wave", first)
    warehouse.write(assessed.WAVES, run_id, waves.select(assessed.WAVES.names))
    counted = warehouse.count_rows(assessed.WAVES, run_id, ("wave", "aside"))
    number = max((wave for wave, _ in counted if wave is not None), default=0)
    aside = sum(views for (_, why), views in counted.items() if why is not None)
    return f"{quantity(counted.total(), 'view')} in {quantity(number, 'wave')}, {aside} set aside"


def related(spark: SparkSession, warehouse: Warehouse, run_id: str) -> DataFrame:
    """Source and key of what reads something that can be faulty, or is read."""
    edges = _edges(spark, warehouse, run_id)
    return edges.select(*KEY).union(edges.select(*BASE)).distinct()


def on_bases(
    spark: SparkSession,
    warehouse: Warehouse,
    run_id: str,
    own_links: DataFrame,
    reach: Reach,
) -> DataFrame:
    """Views that an engine reads not at all, or not as surely, for what they stand on.

    Args:
        spark: The session.
        warehouse: Where the tables are.
        run_id: The run.
        own_links: Source, key, engine, and what that says by itself of what is in the graph, as
            `link`.
        reach: What the estate says of its engines.
    """
    by_itself = own_links.select(*KEY, "engine", f.lit(None).cast("string"), "link")
    all_links, translating = links(spark, warehouse, run_id).union(by_itself), translators(reach)
    compiling = compilers(reach.engines, reach.settings)
    for kind, forms in ((TAKEN, OF_METASTORES if translating else ()), (COMPILED, compiling)):
        if forms:
            inlined = inlined_reads(spark, warehouse, run_id, forms)
            all_links = all_links.union(inlined.withColumn("link", f.lit(kind)))
    look = look_below(reach.engines, translating, compiling)
    return all_links.repartition(1).mapInArrow(Carried(look), from_arrow_schema(ON_BASES))


def inlined_reads(
    spark: SparkSession,
    warehouse: Warehouse,
    run_id: str,
    forms: Collection[str] = OF_METASTORES,
) -> DataFrame:
    """Views with those that they read whose texts Hive, or a translator, takes into theirs.

    Args:
        spark: The session.
        warehouse: Where the tables are.
        run_id: The run.
        forms: Of the views that are wanted.
    """
    entries = views_of(spark, warehouse, run_id).where(f.col("format").isin(*OF_METASTORES))
    views = entries.where(f.col("format").isin(*forms)).select(*KEY)
    of_two = entries.where(f.col("format").isin(*TRANSLATED))
    bases = of_two.select(*(f.col(name).alias(base) for name, base in zip(KEY, BASE, strict=True)))
    edges = _edges(spark, warehouse, run_id).where("base_kind = 'view' and source = base_source")
    within = edges.join(views, _KEY, "left_semi").join(bases, list(BASE), "left_semi")
    return within.select(*KEY, *BASE).distinct()


def _edges(spark: SparkSession, warehouse: Warehouse, run_id: str) -> DataFrame:
    """What is read and is, or was, something that can be faulty."""
    references = warehouse.frame(spark, assessed.REFERENCES, run_id)
    return references.where("base_kind in ('view', 'missing', 'unread')")
