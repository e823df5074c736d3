"""The matrix: which engine can read which view where it is stored, and what proves it."""

from collections.abc import Mapping, Sequence
from typing import Final

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as f

from discovery.judging.matrix import Reading
from jobs.assessing import tables as assessed
from jobs.assessing.graph import Graph, blocked
from jobs.assessing.workers import cells
from jobs.warehouse.decisions import decided
from jobs.warehouse.warehouse import Warehouse

_CELL: Final = ["source", "key", "engine"]


def write(
    spark: SparkSession, warehouse: Warehouse, run_id: str, engines: Sequence[str], whole: Graph
) -> Mapping[tuple[str, str], int]:
    """Write the table `matrix`; the number of views by engine and status.

    What an engine rejects is decided first, without a look at what is below; that blocks whatever
    stands on it.
    """
    views = warehouse.frame(spark, assessed.ASSESSED, run_id).select(*assessed.VIEW)
    every = views.withColumn("engine", f.explode(f.array(*map(f.lit, engines))))
    joined = every.join(_answers(warehouse, spark, run_id), _CELL, "left").join(
        _errors(warehouse, spark, run_id), _CELL, "left"
    )
    alone = joined.withColumn("cell", _decided(f.lit(None).cast("string"))).persist()
    rejected = alone.where(f.col("cell.status") == Reading.REJECTED.value).select(*_CELL)
    found = alone.join(blocked(spark, whole, rejected, engines), _CELL, "left")
    done = found.withColumn("cell", _decided(f.col("blocked"))).select(
        *assessed.VIEW, "engine", "cell.status", "cell.grade", "cell.reason"
    )
    warehouse.write(assessed.MATRIX, run_id, done.select(assessed.MATRIX.names))
    alone.unpersist()
    counted = warehouse.frame(spark, assessed.MATRIX, run_id).groupBy("engine", "status").count()
    return {(row["engine"], row["status"]): row["count"] for row in counted.collect()}


def _decided(below: Column) -> Column:
    """The cells of the rows: what is known of each goes to Python, and words come back."""
    known = {name: f.col(name) for name in ("engine", "answers", "errors")}
    return decided(cells.cells, cells.CELLS, {**known, "below": below})


def _answers(warehouse: Warehouse, spark: SparkSession, run_id: str) -> DataFrame:
    """What an engine's judge said of a view's texts, without what no cell shows."""
    verdicts = warehouse.frame(spark, assessed.VERDICTS, run_id)
    silent = f.when(f.col("verdict") == "not judged", f.col("message")).alias("message")
    answer = f.struct("dialect", "grade", "verdict", silent, "version")
    return verdicts.groupBy(*_CELL).agg(f.sort_array(f.collect_list(answer)).alias("answers"))


def _errors(warehouse: Warehouse, spark: SparkSession, run_id: str) -> DataFrame:
    """The codes of what makes an engine refuse or misread a view though its SQL is fine."""
    findings = warehouse.frame(spark, assessed.FINDINGS, run_id)
    errors = findings.where("severity = 'error' and engine is not null")
    return errors.groupBy(*_CELL).agg(f.collect_set("code").alias("errors"))
