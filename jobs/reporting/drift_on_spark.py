"""What has changed between two runs, joined on Spark: for each pair, the core says what it is."""

import json
from collections.abc import Callable, Iterator
from itertools import product
from typing import Final

import pyarrow as pa
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as f
from pyspark.sql.pandas.types import from_arrow_schema

from discovery import wire
from discovery.judging.drift import (
    ABSENT_CODES,
    CHANGED,
    OUTCOMES,
    change_detail,
    outcome_change,
    reading_change,
)
from discovery.judging.matrix import Reading
from discovery.migration.diff import differences
from jobs.reporting.drift import SCHEMA
from jobs.reporting.frames import Frames
from jobs.reporting.lines import KEYS
from jobs.warehouse.carried import Carried
from jobs.warehouse.decisions import look_up
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
        _changed_outcomes(_with_known(pairs, now, before, run, against)),
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
    counted = outcomes.where(f.col("code").isNull() | ~f.col("code").isin(*ABSENT_CODES))
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


def _with_known(pairs: DataFrame, now: Frames, before: Frames, run: Run, against: Run) -> DataFrame:
    """With `is_known`: of an object that one run lacks, whether that run listed where it would be.

    Counts that do not agree, and a source or namespace that could not be listed, prove nothing.
    """
    listed = _listed(pairs.where("is_outcome is null"), "was_namespace", now, run).unionByName(
        _listed(pairs.where("was_outcome is null"), "is_namespace", before, against)
    )
    known = listed.select(*KEYS, f.lit(True).alias("is_known"))
    return pairs.join(known, KEYS, "left").fillna(False, ["is_known"])


def _listed(alone: DataFrame, namespace: str, tables: Frames, run: Run) -> DataFrame:
    """Of objects that a run lacks: those whose place it has listed."""
    reconciled = [name for name, counts in run.record.sources.items() if counts.reconciled]
    holes = tables.frame("outcomes").where(
        "outcome = 'failure' and (entity = 'source' or (entity = 'namespace' and stage = 'list'))"
    )
    hole = f.broadcast(holes.select(f.col("source").alias("s"), f.col("namespace").alias("hole")))
    above = f.slice(alone[namespace], 1, f.size(hole["hole"])) == hole["hole"]
    inside = (alone["source"] == hole["s"]) & above
    return alone.where(alone["source"].isin(reconciled)).join(hole, inside, "left_anti")


def _changed_outcomes(pairs: DataFrame) -> DataFrame:
    """Views that only one of the runs has, or that are no view in one of them."""
    sorts: dict[str, str | None] = {}
    said: dict[str, str | None] = {}
    for was, now, is_known in product(OUTCOMES, OUTCOMES, (True, False)):
        key = f"{was or ''}/{now or ''}/{str(is_known).lower()}"
        sorts[key] = sort = outcome_change(was, now, is_known=is_known)
        said[key] = next(iter(change_detail(sort, was, None) if sort else ()), None)
    no_text = f.lit("")
    parts = (f.coalesce("was_outcome", no_text), f.coalesce("is_outcome", no_text), "is_known")
    key_column = f.concat_ws("/", *parts)
    code = f.coalesce(look_up(said, key_column), "is_code", "was_code")
    rows = _drift_rows(pairs, look_up(sorts, key_column), f.array_compact(f.array(code)))
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

    def status(tables: Frames, name: str) -> DataFrame:
        return tables.some("matrix", "engine", "status").withColumnRenamed("status", name)

    joined = status(before, "was_status").join(status(now, "is_status"), cells)
    moves = {f"{was}/{now}": reading_change(was, now) for was, now in product(Reading, repeat=2)}
    sort = look_up(moves, f.concat_ws("/", "was_status", "is_status"))
    changed = joined.withColumn("sort", sort).where("sort is not null")
    grouped = changed.groupBy(*KEYS, "sort").agg(
        f.sort_array(f.collect_set("engine")).alias("detail")
    )
    return _drift_rows(pairs.join(grouped, KEYS), f.col("sort"), f.col("detail"))
