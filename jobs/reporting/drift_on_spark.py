"""What has changed between two runs, joined on Spark.

An object that is not in the later run has vanished only if that run listed the place where it was:
a source or namespace that could not be listed, or is not crawled any more, makes it unknown.
"""

import json
from collections.abc import Callable, Iterator
from typing import Final

import pyarrow as pa
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as f
from pyspark.sql.pandas.types import from_arrow_schema

from discovery import wire
from discovery.judging.matrix import READS
from discovery.migration.diff import differences
from discovery.outcomes import VANISHED
from jobs.reporting.drift import (
    APPEARED,
    BAD,
    BROKEN,
    CHANGED,
    COMPATIBLE,
    GONE,
    SCHEMA,
    UNKNOWN,
)
from jobs.reporting.frames import Frames
from jobs.reporting.lines import KEYS
from jobs.warehouse.carried import Carried
from jobs.warehouse.runs import Run

Keep = Callable[[DataFrame], DataFrame]
_COMPARED: Final = pa.schema(
    [("source", pa.string()), ("key", pa.string()), ("detail", pa.list_(pa.string()))]
)


def changes(now: Frames, before: Frames, run: Run, against: Run, keep: Keep) -> DataFrame:
    """A row for each change, of `SCHEMA`.

    Args:
        now: The tables of the run.
        before: The tables of the earlier run.
        run: The run.
        against: The earlier run.
        keep: Keeps what is read several times, until the report is written.
    """
    pairs = keep(_objects(before, "was").join(_objects(now, "is"), KEYS, "full"))
    parts = [
        _absent(pairs, now, run, against, gone=True),
        _absent(pairs, before, run, against, gone=False),
        _changed_outcomes(pairs),
        _changed_views(now, before, pairs),
        _engines(now, before, pairs),
    ]
    united = parts[0]
    for frame in parts[1:]:
        united = united.unionByName(frame)
    return united.select(SCHEMA.names)


def _objects(tables: Frames, prefix: str) -> DataFrame:
    """Views, and objects that could not be read or are no view any more; not tables."""
    outcomes = tables.frame("outcomes").where("entity = 'object'")
    counted = outcomes.where(f"coalesce(code, '') <> '{VANISHED.code}'")
    names = ("namespace", "name", "outcome", "code", "fingerprint")
    return counted.select(*KEYS, *(f.col(name).alias(f"{prefix}_{name}") for name in names))


def _drift_rows(pairs: DataFrame, sort: Column | str, detail: Column) -> DataFrame:
    return pairs.select(
        *KEYS,
        f.coalesce("is_namespace", "was_namespace").alias("namespace"),
        f.coalesce("is_name", "was_name").alias("name"),
        (f.lit(sort) if isinstance(sort, str) else sort).alias("sort"),
        detail.alias("detail"),
    )


def _no_detail() -> Column:
    return f.array().cast("array<string>")


def _absent(pairs: DataFrame, tables: Frames, run: Run, against: Run, *, gone: bool) -> DataFrame:
    """Views that only one of the runs has: what the other run could not list is unknown."""
    present, absent = ("was", "is") if gone else ("is", "was")
    other = run if gone else against
    alone = pairs.where(f"{present}_outcome = 'view' and {absent}_outcome is null")
    reconciled = [name for name, counts in other.record.sources.items() if counts.reconciled]
    holes = tables.frame("outcomes").where(
        "outcome = 'failure' and (entity = 'source' or (entity = 'namespace' and stage = 'list'))"
    )
    hole = f.broadcast(holes.select(f.col("source").alias("s"), f.col("namespace").alias("hole")))
    place = alone[f"{present}_namespace"]
    inside = (alone["source"] == hole["s"]) & (
        f.slice(place, 1, f.size(hole["hole"])) == hole["hole"]
    )
    listed = alone.where(alone["source"].isin(reconciled)).join(hole, inside, "left_anti")
    listed_keys = listed.select(*KEYS, f.lit(True).alias("known"))
    marked = alone.join(listed_keys, KEYS, "left")
    sort = f.when(f.col("known"), GONE if gone else APPEARED).otherwise(UNKNOWN)
    why = "not listed this time" if gone else "not listed then"
    detail = f.when(f.col("known"), _no_detail()).otherwise(f.array(f.lit(why)))
    return _drift_rows(marked, sort, detail)


def _changed_outcomes(pairs: DataFrame) -> DataFrame:
    """Views that can be read no more, or again, or are something else now."""
    was, now = f.col("was_outcome"), f.col("is_outcome")
    sort = (
        f.when((was == "view") & (now == "failure"), BROKEN)
        .when((was == "failure") & (now == "view"), COMPATIBLE)
        .when((was == "view") & (now == "skipped"), GONE)
        .when((was == "skipped") & (now == "view"), APPEARED)
    )
    code = f.coalesce("is_code", "was_code")
    rows = _drift_rows(pairs.withColumn("sort", sort), f.col("sort"), f.array(code))
    return rows.where("sort is not null")


def _changed_views(now: Frames, before: Frames, pairs: DataFrame) -> DataFrame:
    """Views whose content is otherwise, with the fields that differ."""
    changed = pairs.where(
        "was_outcome = 'view' and is_outcome = 'view' and was_fingerprint <> is_fingerprint"
    )
    for name, tables in (("was", before), ("is", now)):
        models = tables.frame("outcomes").where("outcome = 'view'")
        changed = changed.join(models.select(*KEYS, f.col("model").alias(f"{name}_model")), KEYS)
    compared = changed.select(*KEYS, "is_namespace", "was_model", "is_model").mapInArrow(
        Carried(_compare), from_arrow_schema(_COMPARED)
    )
    return _drift_rows(pairs.join(compared, KEYS), CHANGED, f.col("detail"))


def _compare(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """The fields in which two views differ; what `mapInArrow` runs."""
    for batch in batches:
        rows = []
        for row in batch.to_pylist():
            was, now = (
                wire.view_from_json(json.loads(row[name]), tuple(row["is_namespace"]))
                for name in ("was_model", "is_model")
            )
            fields = list(differences(was, now))
            rows.append({"source": row["source"], "key": row["key"], "detail": fields})
        yield pa.RecordBatch.from_pylist(rows, _COMPARED)


def _engines(now: Frames, before: Frames, pairs: DataFrame) -> DataFrame:
    """Views that an engine read and reads no more, or the other way; unknown is neither."""
    cells = [*KEYS, "engine"]
    good, bad = list(READS), list(BAD)

    def status(tables: Frames, name: str) -> DataFrame:
        return tables.some("matrix", "engine", "status").withColumnRenamed("status", name)

    joined = status(before, "was_status").join(status(now, "is_status"), cells)
    was, then = f.col("was_status"), f.col("is_status")
    sort = f.when(was.isin(good) & then.isin(bad), BROKEN).when(
        was.isin(bad) & then.isin(good), COMPATIBLE
    )
    changed = joined.withColumn("sort", sort).where("sort is not null")
    grouped = changed.groupBy(*KEYS, "sort").agg(
        f.sort_array(f.collect_set("engine")).alias("detail")
    )
    return _drift_rows(pairs.join(grouped, KEYS), f.col("sort"), f.col("detail"))
