"""What views declare and what their texts return now: findings, lineage, verdicts of analyzers."""

from collections.abc import Mapping
from typing import Final

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f
from pyspark.sql.pandas.types import from_arrow_schema

from discovery.judging.entries import DEFAULT
from discovery.outcomes import VANISHED
from jobs.assessing import tables as assessed
from jobs.assessing.dealing import dealt
from jobs.assessing.increments import AssessBase
from jobs.assessing.workers import columns, views
from jobs.assessing.workers.columns import Surroundings
from jobs.console.progress import counting
from jobs.crawling import tables as rows
from jobs.crawling.views import views_of
from jobs.warehouse.carried import Carried
from jobs.warehouse.warehouse import Warehouse

_KEY: Final = ["source", "key"]
_BASE: Final = ["base_source", "base_key"]
_FUNCTION: Final = ("function_source", "function_key")
_KNOWN: Final = (
    *("dialect", "written", "catalog", *_BASE, "base_namespace", "base_name"),
    *("names", "columns", "declared", "form", "in_default", "beside_spark"),
)
"""What is known of each that a text reads."""


def write(
    spark: SparkSession,
    warehouse: Warehouse,
    run_id: str,
    estate: Surroundings,
    mapping: Mapping[str, str],
    on: AssessBase,
) -> None:
    """Write `lineage`, `verdicts` and `findings`: of views alone, with their bases, of names.

    Args:
        spark: The session.
        warehouse: Where the tables are.
        run_id: The run.
        estate: What analyzers have to know.
        mapping: Sources to the targets that they are loaded into.
        on: What the assessment stands on.
    """
    _compare(spark, warehouse, run_id, estate, on)
    assessing = warehouse.frame(spark, assessed.ASSESSED, run_id)
    compared = warehouse.frame(spark, assessed.COMPARED, run_id)
    warehouse.write(assessed.LINEAGE, run_id, cut(compared, "lineage"))
    asked = warehouse.frame(spark, assessed.ASKED, run_id)
    verdicts = cut(assessing, "verdicts").unionByName(cut(compared, "verdicts"))
    warehouse.write(assessed.VERDICTS, run_id, verdicts.unionByName(cut(asked, "verdicts")))
    meeting = _meeting(warehouse.frame(spark, rows.OUTCOMES, run_id), mapping)
    names = meeting.mapInArrow(
        Carried(views.compare_names), from_arrow_schema(assessed.FINDINGS.schema)
    )
    alone = cut(assessing, "findings").unionByName(cut(compared, "findings"))
    alone = alone.unionByName(cut(asked, "findings"))
    warehouse.write(assessed.FINDINGS, run_id, alone.unionByName(names))


def _compare(
    spark: SparkSession, warehouse: Warehouse, run_id: str, estate: Surroundings, on: AssessBase
) -> None:
    """Write `compared`: what workers find of views whose bases are known."""
    whole = known(spark, warehouse, run_id).where("resolved")
    wanted = f.coalesce("part", f.lit(True)) if estate.analyzers else f.col("whole")
    all_of_it = warehouse.frame(spark, assessed.ASSESSED, run_id)
    division = on.divided(spark, warehouse, assessed.COMPARED, whole.where(wanted))
    with division as (asked, taken):
        number = (asked if on.run_id else all_of_it).count()
        with counting(spark, "comparing columns") as counted:
            compare = counted(columns.compare_columns(estate))
            compared = dealt(asked, number).mapInArrow(
                Carried(compare), from_arrow_schema(assessed.COMPARED.schema)
            )
            warehouse.write(assessed.COMPARED, run_id, compared.unionByName(taken))


def cut(found: DataFrame, name: str) -> DataFrame:
    """One of the lists of `assessed` as a table: a row for each of its elements."""
    exploded = found.select(*assessed.VIEW, f.explode(name).alias("one"))
    return exploded.select(*assessed.VIEW, "one.*")


def known(spark: SparkSession, warehouse: Warehouse, run_id: str) -> DataFrame:
    """The views with what is known of what they read, and whether it is for all texts or one.

    `whole` and `part` are null of a view that reads nothing: it is for analyzers alone.
    """
    references = warehouse.frame(spark, assessed.REFERENCES, run_id).where("dialect is not null")
    joined = references.join(_columns(spark, warehouse, run_id), _BASE, "left")
    folded = joined.withColumn("folded", f.transform("written", f.lower))
    joined = folded.join(_in_default(spark, warehouse, run_id), ["source", "folded"], "left")
    is_whole = f.col("base_kind").isin("view", "table")
    for name in ("columns", "declared"):
        joined = joined.withColumn(name, f.when(is_whole, f.col(name)))
    texts = joined.groupBy(*_KEY, "dialect").agg(
        f.collect_list(f.struct(*_KNOWN)).alias("known"),
        f.bool_and(f.col("names").isNotNull()).alias("whole"),
    )
    bases = texts.groupBy(*_KEY).agg(
        f.flatten(f.collect_list("known")).alias("known"),
        f.bool_and("whole").alias("whole"),
        f.bool_or("whole").alias("part"),
    )
    resolved = warehouse.frame(spark, assessed.ASSESSED, run_id).select(*_KEY, "resolved")
    called = _called(spark, warehouse, run_id)
    beside = resolved.join(bases, _KEY, "left").join(called, _KEY, "left")
    return views_of(spark, warehouse, run_id).select(*views.NEEDED).join(beside, _KEY)


def _called(spark: SparkSession, warehouse: Warehouse, run_id: str) -> DataFrame:
    """The functions of the estate that views call, all of the names that they call them by."""
    calls = warehouse.frame(spark, assessed.CALLS, run_id).where("function_key is not null")
    named = calls.select(*_KEY, *_FUNCTION).distinct()
    listed = warehouse.frame(spark, assessed.LISTED_FUNCTIONS, run_id).select(
        f.col("source").alias("function_source"),
        f.col("key").alias("function_key"),
        f.struct(*columns.CALLED).alias("one"),
    )
    found = named.join(listed, list(_FUNCTION)).groupBy(*_KEY)
    return found.agg(f.collect_list("one").alias("called"))


def _columns(spark: SparkSession, warehouse: Warehouse, run_id: str) -> DataFrame:
    """The columns of tables as they are, and of views as they declare them."""
    tables = warehouse.frame(spark, assessed.BASES, run_id).select(
        f.col("source").alias("base_source"),
        f.col("key").alias("base_key"),
        f.col("columns.name").alias("names"),
        "columns",
        "beside_spark",
    )
    crawled = views_of(spark, warehouse, run_id).select(*_KEY, "model", "format")
    known = warehouse.frame(spark, assessed.ASSESSED, run_id).select(*_KEY, "columns")
    below = crawled.join(known, _KEY).select(
        f.col("source").alias("base_source"),
        f.col("key").alias("base_key"),
        f.col("columns").alias("names"),
        f.get_json_object("model", "$.columns").alias("declared"),
        f.col("format").alias("form"),
    )
    return tables.unionByName(below, allowMissingColumns=True)


def _in_default(spark: SparkSession, warehouse: Warehouse, run_id: str) -> DataFrame:
    """The names, in parts, by which short ones lead to the database `default` of a source."""
    objects = warehouse.frame(spark, rows.OUTCOMES, run_id).where("entity = 'object'")
    gone = f.coalesce("code", f.lit("")) == VANISHED.code
    here = objects.where((f.col("namespace") == f.array(f.lit(DEFAULT))) & ~gone)
    found = here.select("source", f.array(f.lower("name")).alias("folded")).distinct()
    return found.withColumn("in_default", f.lit(True))


def _meeting(outcomes: DataFrame, mapping: Mapping[str, str]) -> DataFrame:
    """Groups of objects, with at least one view, that are one name at their target.

    A source that goes nowhere is compared with itself.
    """
    target = f.col("source")
    for source, goal in mapping.items():
        target = f.when(f.col("source") == source, f.lit(f"target {goal}")).otherwise(target)
    objects = outcomes.where("outcome = 'view' or code = 'TABLE'")
    folded = f.lower(f.concat_ws(".", f.concat_ws(".", "namespace"), "name"))
    one = f.struct(*assessed.VIEW, "outcome")
    grouped = objects.groupBy(target.alias("target"), folded.alias("folded")).agg(
        f.collect_list(one).alias("group"), f.bool_or(f.col("outcome") == "view").alias("views")
    )
    return grouped.where("views and size(group) > 1").select("group")
