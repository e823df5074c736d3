"""The matrix: which engine can read which view where it is stored, and what proves it."""

from collections.abc import Mapping, Sequence
from typing import Final

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as f

from discovery.ports import OPINION
from jobs.assessing import tables as assessed
from jobs.assessing.graph import Graph, blocked
from jobs.warehouse.warehouse import Warehouse

_NOBODY: Final = "no parser of this engine is known"
_CELL: Final = ["source", "key", "engine"]


def write(
    spark: SparkSession, warehouse: Warehouse, run_id: str, engines: Sequence[str], whole: Graph
) -> Mapping[tuple[str, str], int]:
    """Write the table `matrix`; the number of views by engine and status.

    Status by status: an error of a check or, where no text is accepted, the parser's refusal
    rejects; what is below blocks; then what a parser accepts is native or portable.
    """
    views = warehouse.frame(spark, assessed.ASSESSED, run_id).select(*assessed.VIEW)
    cells = views.withColumn("engine", f.explode(f.array(*map(f.lit, engines))))
    joined = cells.join(_said(warehouse, spark, run_id), _CELL, "left").join(
        _errors(warehouse, spark, run_id), _CELL, "left"
    )
    alone = joined.withColumn("alone", _alone()).persist()
    rejected = alone.where("alone = 'rejected'").select(*_CELL)
    found = alone.join(blocked(spark, whole, rejected, engines), _CELL, "left")
    held_back = f.col("blocked").isNotNull() & (f.col("alone") != "rejected")
    status = f.when(held_back, "blocked").otherwise(f.col("alone"))
    done = (
        found.withColumn("status", status)
        .withColumn("grade", _grade())
        .withColumn("reason", _reason())
    )
    warehouse.write(assessed.MATRIX, run_id, done.select(assessed.MATRIX.names))
    alone.unpersist()
    counted = warehouse.frame(spark, assessed.MATRIX, run_id).groupBy("engine", "status").count()
    return {(row["engine"], row["status"]): row["count"] for row in counted.collect()}


def _said(warehouse: Warehouse, spark: SparkSession, run_id: str) -> DataFrame:
    """What an engine's parser said of a view's texts, taken together."""
    verdicts = warehouse.frame(spark, assessed.VERDICTS, run_id)
    proves = f.col("grade") != OPINION
    own = f.lower("dialect") == f.col("engine")
    accepted = proves & (f.col("verdict") == "accepted")
    opinion = f.concat(f.lit("an opinion, no verdict: "), "version", f.lit(" says "), "verdict")
    return verdicts.groupBy(*_CELL).agg(
        f.bool_or(own & accepted).alias("native"),
        f.bool_or(accepted).alias("accepted"),
        f.bool_or(proves & (f.col("verdict") == "rejected")).alias("refused"),
        f.first("grade").alias("asked"),
        f.first(f.when(proves, f.col("message")).otherwise(opinion)).alias("told"),
    )


def _errors(warehouse: Warehouse, spark: SparkSession, run_id: str) -> DataFrame:
    """The codes of what makes an engine refuse or misread a view though its SQL is fine."""
    findings = warehouse.frame(spark, assessed.FINDINGS, run_id)
    return (
        findings.where("severity = 'error' and engine is not null")
        .groupBy(*_CELL)
        .agg(f.concat_ws(", ", f.sort_array(f.collect_set("code"))).alias("codes"))
    )


def _alone() -> Column:
    """The status of a view without a look at what it stands on."""
    return (
        f.when(f.col("codes").isNotNull(), "rejected")
        .when(f.col("native"), "native")
        .when(f.col("accepted"), "portable")
        .when(f.col("refused"), "rejected")
        .otherwise("not judged")
    )


def _grade() -> Column:
    proved = f.col("status").isin("native", "portable") | (
        (f.col("status") == "rejected") & f.col("codes").isNull()
    )
    return f.when(proved, f.col("asked"))


def _reason() -> Column:
    return (
        f.when(f.col("status") == "blocked", f.col("blocked"))
        .when(f.col("status") == "rejected", f.coalesce("codes", "asked"))
        .when(f.col("status") == "not judged", f.coalesce("told", f.lit(_NOBODY)))
    )
