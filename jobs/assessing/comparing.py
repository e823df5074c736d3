"""What views declare and what their texts return now: findings, lineage, verdicts of analyzers."""

from collections.abc import Mapping
from typing import Final

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f
from pyspark.sql.pandas.types import from_arrow_schema

from discovery.checks import means_otherwise
from discovery.judging.analyzers import ANALYZERS
from discovery.judging.entries import DEFAULT
from discovery.judging.translating import TRANSLATED
from discovery.outcomes import VANISHED
from jobs.assessing import graph
from jobs.assessing import tables as assessed
from jobs.assessing.dealing import dealt
from jobs.assessing.increments import AssessBase
from jobs.assessing.workers import columns, views
from jobs.assessing.workers.columns import Surroundings
from jobs.assessing.workers.graph import BELOW, stack_views
from jobs.assessing.workers.known import CALLED
from jobs.console.progress import counting
from jobs.crawling import tables as rows
from jobs.crawling.views import count_views, views_of
from jobs.warehouse.carried import Carried
from jobs.warehouse.warehouse import Warehouse

_KEY: Final = ["source", "key"]
_BASE: Final = ["base_source", "base_key"]
_LOWER: Final = ["source", "below"]
_FUNCTION: Final = ("function_source", "function_key")
_KNOWN: Final = (
    *("dialect", "written", "catalog", *_BASE, "base_namespace", "base_name"),
    *("columns", "declared", "form", "in_default", "beside_spark", "flink_times", "acid", "text"),
)
"""What is known of each that a text reads."""


def write(
    spark: SparkSession,
    warehouse: Warehouse,
    run_id: str,
    estate: Surroundings,
    mapping: Mapping[str, str],
    base: AssessBase,
) -> None:
    """Write `lineage`, `verdicts` and `findings`: of views alone, with their bases, of names.

    Args:
        spark: The session.
        warehouse: Where the tables are.
        run_id: The run.
        estate: What analyzers have to know.
        mapping: Sources to the targets that they are loaded into.
        base: What the assessment stands on.
    """
    _compare(spark, warehouse, run_id, estate, base)
    assessing = warehouse.frame(spark, assessed.ASSESSED, run_id)
    compared = warehouse.frame(spark, assessed.COMPARED, run_id)
    warehouse.write(assessed.LINEAGE, run_id, cut(compared, "lineage"))
    asked = warehouse.frame(spark, assessed.ASKED, run_id)
    verdicts = cut(assessing, "verdicts").unionByName(cut(compared, "verdicts"))
    warehouse.write(assessed.VERDICTS, run_id, verdicts.unionByName(cut(asked, "verdicts")))
    meeting = _namesakes(warehouse.frame(spark, rows.OUTCOMES, run_id), mapping)
    names = meeting.mapInArrow(
        Carried(views.compare_names), from_arrow_schema(assessed.FINDINGS.schema)
    )
    alone = cut(assessing, "findings").unionByName(cut(compared, "findings"))
    alone = alone.unionByName(cut(asked, "findings"))
    warehouse.write(assessed.FINDINGS, run_id, alone.unionByName(names))


def _compare(
    spark: SparkSession, warehouse: Warehouse, run_id: str, estate: Surroundings, base: AssessBase
) -> None:
    """Write `compared`: what workers find of views whose bases are known."""
    stacked = any(ANALYZERS[analyzer.engine].stacked for analyzer in estate.analyzers)
    with_bases = views_with_bases(spark, warehouse, run_id, stacked=stacked)
    known = f.coalesce("part", f.lit(True)) if estate.analyzers else f.col("whole")
    wanted = (f.col("resolved") & known) | f.col("format").isin(*means_otherwise.FORMATS)
    division = base.divide(spark, warehouse, assessed.COMPARED, with_bases.where(wanted))
    with division as (asked, taken):
        number = asked.count() if base.run_id else count_views(warehouse, run_id)
        with counting(spark, "comparing columns") as counted:
            compare = counted(columns.compare_columns(estate))
            compared = dealt(asked, number).mapInArrow(
                Carried(compare), from_arrow_schema(assessed.COMPARED.schema)
            )
            warehouse.write(assessed.COMPARED, run_id, compared.unionByName(taken))


def cut(frame: DataFrame, name: str) -> DataFrame:
    """One of the lists of `assessed` as a table: a row for each of its elements."""
    exploded = frame.select(*assessed.VIEW, f.explode(name).alias("one"))
    return exploded.select(*assessed.VIEW, "one.*")


def views_with_bases(
    spark: SparkSession, warehouse: Warehouse, run_id: str, *, stacked: bool = False
) -> DataFrame:
    """The views with what is known of what they read, and whether it is for all texts or one.

    `whole` and `part` are null of a view that reads nothing: it is for analyzers alone.

    Args:
        spark: The session.
        warehouse: Where the tables are.
        run_id: The run.
        stacked: Whether with the texts of the views below, and what these read.
    """
    joined = _known_names(spark, warehouse, run_id, stacked=stacked)
    texts = joined.groupBy(*_KEY, "dialect").agg(
        f.collect_list(f.struct(*_KNOWN)).alias("known"),
        f.bool_and(f.expr("columns is not null or declared is not null")).alias("whole"),
    )
    bases = texts.groupBy(*_KEY).agg(
        f.flatten(f.collect_list("known")).alias("known"),
        f.bool_and("whole").alias("whole"),
        f.bool_or("whole").alias("part"),
    )
    resolved = warehouse.frame(spark, assessed.ASSESSED, run_id).select(*_KEY, "resolved")
    called = _called_functions(spark, warehouse, run_id)
    beside = resolved.join(bases, _KEY, "left").join(called, _KEY, "left")
    if stacked:
        beside = beside.join(_reads_below(spark, warehouse, run_id, joined), _KEY, "left")
    else:
        beside = beside.withColumn("under", f.lit(None).cast(beside.schema["known"].dataType))
    return views_of(spark, warehouse, run_id).select(*views.NEEDED).join(beside, _KEY)


def _known_names(
    spark: SparkSession, warehouse: Warehouse, run_id: str, *, stacked: bool
) -> DataFrame:
    """The names in texts, with what is known of each."""
    references = warehouse.frame(spark, assessed.REFERENCES, run_id).where("dialect is not null")
    joined = references.join(_columns(spark, warehouse, run_id, stacked=stacked), _BASE, "left")
    folded = joined.withColumn("folded", f.transform("written", f.lower))
    joined = folded.join(_default_names(spark, warehouse, run_id), ["source", "folded"], "left")
    is_whole = f.col("base_kind").isin("view", "table")
    for name in ("columns", "declared"):
        joined = joined.withColumn(name, f.when(is_whole, f.col(name)))
    return joined


def _reads_below(
    spark: SparkSession, warehouse: Warehouse, run_id: str, joined: DataFrame
) -> DataFrame:
    """What the views below read whose texts are taken into a view.

    Where that is not all known, as nobody can read a text or there is no end to it, stands a name
    that leads nowhere.
    """
    edges = graph.inlined_reads(spark, warehouse, run_id).select(*_KEY, "base_key").repartition(1)
    pairs = edges.mapInArrow(Carried(stack_views), from_arrow_schema(BELOW))
    assessed_views = warehouse.frame(spark, assessed.ASSESSED, run_id)
    lower = f.col("source"), f.col("key").alias("below")
    unread = assessed_views.where("not coalesce(resolved, false)").select(*lower)
    lost = pairs.join(unread, _LOWER, "left_semi").union(pairs.where("key = below"))
    types = joined.select(*_KNOWN).schema
    nothing = [f.lit(None).cast(type_.dataType).alias(type_.name) for type_ in types]
    nowhere = f.struct(*nothing).withField("written", f.array().cast("array<string>"))
    read = joined.select(*lower, f.struct(*_KNOWN).alias("one"))
    resolved = pairs.join(read, _LOWER).select(*_KEY, "one")
    reads_below = resolved.union(lost.select(*_KEY, nowhere.alias("one")))
    return reads_below.groupBy(*_KEY).agg(f.collect_set("one").alias("under"))


def _called_functions(spark: SparkSession, warehouse: Warehouse, run_id: str) -> DataFrame:
    """The functions of the estate that views call, all of the names that they call them by."""
    calls = warehouse.frame(spark, assessed.CALLS, run_id).where("function_key is not null")
    named = calls.select(*_KEY, *_FUNCTION).distinct()
    listed = warehouse.frame(spark, assessed.LISTED_FUNCTIONS, run_id).select(
        f.col("source").alias("function_source"),
        f.col("key").alias("function_key"),
        f.struct(*CALLED).alias("one"),
    )
    grouped = named.join(listed, list(_FUNCTION)).groupBy(*_KEY)
    return grouped.agg(f.collect_list("one").alias("called"))


def _columns(spark: SparkSession, warehouse: Warehouse, run_id: str, *, stacked: bool) -> DataFrame:
    """The columns of tables as they are, and of views as they declare them; texts if wanted."""
    tables = warehouse.frame(spark, assessed.BASES, run_id).select(
        f.col("source").alias("base_source"),
        f.col("key").alias("base_key"),
        "columns",
        "beside_spark",
        "flink_times",
        "acid",
    )
    crawled = views_of(spark, warehouse, run_id).select(*_KEY, "model", "format")
    text = f.when(
        f.col("format").isin(*TRANSLATED), f.get_json_object("model", "$.representations[0].sql")
    )
    below = crawled.select(
        f.col("source").alias("base_source"),
        f.col("key").alias("base_key"),
        f.get_json_object("model", "$.columns").alias("declared"),
        f.col("format").alias("form"),
        f.when(f.lit(stacked), text).alias("text"),
    )
    return tables.unionByName(below, allowMissingColumns=True)


def _default_names(spark: SparkSession, warehouse: Warehouse, run_id: str) -> DataFrame:
    """The names, in parts, by which short ones lead to the database `default` of a source."""
    objects = warehouse.frame(spark, rows.OUTCOMES, run_id).where("entity = 'object'")
    gone = f.coalesce("code", f.lit("")) == VANISHED.code
    here = objects.where((f.col("namespace") == f.array(f.lit(DEFAULT))) & ~gone)
    names = here.select("source", f.array(f.lower("name")).alias("folded")).distinct()
    return names.withColumn("in_default", f.lit(True))


def _namesakes(outcomes: DataFrame, mapping: Mapping[str, str]) -> DataFrame:
    """Groups of objects, with at least one view, that are one name at their target.

    A source that goes nowhere is compared with itself.
    """
    target = f.col("source")
    for source, goal in mapping.items():
        target = f.when(f.col("source") == source, f.lit(f"target {goal}")).otherwise(target)
    objects = outcomes.where("outcome = 'view' or code = 'TABLE'")
    folded = f.lower(f.concat_ws(".", f.concat_ws(".", "namespace"), "name"))
    member = f.struct(*assessed.VIEW, "outcome")
    grouped = objects.groupBy(target.alias("target"), folded.alias("folded")).agg(
        f.collect_list(member).alias("group"), f.bool_or(f.col("outcome") == "view").alias("views")
    )
    return grouped.where("views and size(group) > 1").select("group")
