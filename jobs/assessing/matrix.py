"""The matrix: which engine can read which view where it is stored, and what proves it."""

from collections import Counter
from collections.abc import Mapping
from typing import Final, NamedTuple

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as f

from discovery.judging.asking import LIVE
from discovery.judging.matrix import Reading, said_by_itself
from discovery.judging.paths import Reach
from discovery.ports import ANALYZE, PARSE
from jobs.assessing import tables as assessed
from jobs.assessing.graph import on_bases, related
from jobs.assessing.workers import cells
from jobs.assessing.workers.graph import SAID_OF_BASES
from jobs.crawling.views import views_of
from jobs.warehouse.decisions import decided, look_up
from jobs.warehouse.frames import frame_of
from jobs.warehouse.warehouse import Warehouse

_KEY: Final = ["source", "key"]
_READ: Final = (Reading.NATIVE.value, Reading.PORTABLE.value)
_SHOWN: Final = 400  # characters of a message


class Counted(NamedTuple):
    """Numbers of views by engine and status.

    Attributes:
        all: Of all views.
        parsed: Of those that an engine reads as far as its parser alone can tell.
    """

    all: Mapping[tuple[str, str], int]
    parsed: Mapping[tuple[str, str], int]


def write(spark: SparkSession, warehouse: Warehouse, run_id: str, reach: Reach) -> Counted:
    """Write the table `matrix`; the number of views by engine and status.

    What an engine says of each by itself is decided first, without a look at what is below: what it
    rejects blocks whatever stands on that, and nothing is surer than what it stands on.
    """
    if not reach.engines:
        warehouse.write(assessed.MATRIX, run_id, frame_of(spark, assessed.MATRIX.schema))
        return Counted({}, {})
    views = views_of(spark, warehouse, run_id).select(*assessed.VIEW, "format", "dialects")
    for part in (_answers(warehouse, spark, run_id), _errors(warehouse, spark, run_id)):
        views = views.join(part, _KEY, "left")
    fields = ", ".join(f"{name} string" for name in SAID_OF_BASES)
    nothing = f.lit(None).cast(f"array<struct<{fields}>>")
    alone = views.withColumn("cells", _decided(reach, nothing)).persist()
    each = alone.select(*_KEY, f.explode("cells").alias("cell"))
    own_links = each.select(*_KEY, "cell.engine", _said_by_itself().alias("link")).where(
        "link is not null"
    )
    graph_links = own_links.join(related(spark, warehouse, run_id), _KEY, "left_semi")
    below = on_bases(spark, warehouse, run_id, graph_links, reach)
    gathered = below.groupBy(*_KEY).agg(f.collect_list(f.struct(*SAID_OF_BASES)).alias("below"))
    with_bases = alone.join(gathered, _KEY, "left").withColumn(
        "cells", _decided(reach, f.col("below"))
    )
    done = with_bases.select(*assessed.VIEW, f.explode("cells").alias("cell")).select(
        *assessed.VIEW, "cell.*"
    )
    warehouse.write(assessed.MATRIX, run_id, done.select(assessed.MATRIX.names))
    alone.unpersist()
    return _add_up(warehouse.count_rows(assessed.MATRIX, run_id, ("engine", "status", "grade")))


def _add_up(cells_written: Mapping[tuple[str, ...], int]) -> Counted:
    counts, parsed = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for (engine, status, grade), number in cells_written.items():
        counts[engine, status] += number
        if grade == PARSE and status in _READ:
            parsed[engine, status] += number
    return Counted(counts, parsed)


def _said_by_itself() -> Column:
    """`said_by_itself` of a cell, as Spark looks it up."""
    grades = (None, PARSE, ANALYZE, LIVE)
    combinations = ((status, grade) for status in Reading for grade in grades)
    words = {
        f"{status.value}/{grade or '-'}": said_by_itself(status, grade)
        for status, grade in combinations
    }
    place = f.concat_ws("/", "cell.status", f.coalesce("cell.grade", f.lit("-")))
    return look_up(words, place)


def _decided(reach: Reach, below: Column) -> Column:
    """The cells of the rows: what is known of each goes to Python, and words come back."""
    names = ("source", "format", "dialects", "answers", "errors")
    facts = {**{name: f.col(name) for name in names}, "below": below}
    return decided(cells.cells(reach), cells.CELLS, facts)


def _answers(warehouse: Warehouse, spark: SparkSession, run_id: str) -> DataFrame:
    """What the judges said of a view's texts; of an acceptance, there is no message."""
    message = f.substring("message", 1, _SHOWN).alias("message")
    answer = f.struct("engine", "dialect", "grade", "verdict", message, "version")
    verdicts = warehouse.frame(spark, assessed.VERDICTS, run_id)
    return verdicts.groupBy(*_KEY).agg(f.sort_array(f.collect_list(answer)).alias("answers"))


def _errors(warehouse: Warehouse, spark: SparkSession, run_id: str) -> DataFrame:
    """The codes of what makes an engine refuse or misread a view though its SQL is fine."""
    findings = warehouse.frame(spark, assessed.FINDINGS, run_id)
    errors = findings.where("severity = 'error' and engine is not null")
    return errors.groupBy(*_KEY).agg(f.collect_set(f.struct("engine", "code")).alias("errors"))
