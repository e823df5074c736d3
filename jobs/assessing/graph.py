"""What stands on what: waves and what blocks whom, computed on the driver from keys alone."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession

from discovery.lineage.blockers import blocked_by
from discovery.lineage.order import Aside, Order, Why, order
from jobs.assessing import tables as assessed
from jobs.warehouse.rows import to_batches
from jobs.warehouse.warehouse import Warehouse

Key = tuple[str, str]
"""Source and key of an object."""


@dataclass(slots=True)
class Graph:
    """The views of a run and what they read.

    Attributes:
        places: Each view with the columns that identify it.
        reads: Each view, and each object that is there and unread, with the views and the missing
            objects that it reads.
        missing: What is read and not there.
        unresolved: Of what nobody can tell what it reads.
        aside: What is set aside by the order; filled by `write_waves`.
    """

    places: dict[Key, tuple[Any, ...]] = field(default_factory=dict)
    reads: dict[Key, set[Key]] = field(default_factory=dict)
    missing: set[Key] = field(default_factory=set)
    unresolved: set[Key] = field(default_factory=set)
    aside: Mapping[Key, Aside[Key]] = field(default_factory=dict)


def graph(spark: SparkSession, warehouse: Warehouse, run_id: str) -> Graph:
    """The graph of a run, from `assessed` and `references`."""
    found = Graph()
    views = warehouse.frame(spark, assessed.ASSESSED, run_id).select(*assessed.VIEW, "resolved")
    for *place, resolved in _rows(views):
        key = place[0], place[3]
        found.places[key] = tuple(place)
        found.reads[key] = set()
        if not resolved:
            found.unresolved.add(key)
    references = warehouse.frame(spark, assessed.REFERENCES, run_id)
    edges = references.where("base_kind in ('view', 'missing', 'unread')")
    for source, key, *base, kind in _rows(
        edges.select("source", "key", "base_source", "base_key", "base_kind").distinct()
    ):
        below = base[0], base[1]
        found.reads[source, key].add(below)
        if kind == "missing":
            found.missing.add(below)
        elif kind == "unread":
            found.reads.setdefault(below, set())
            found.unresolved.add(below)
    return found


def write_waves(spark: SparkSession, warehouse: Warehouse, run_id: str, graph: Graph) -> int:
    """Write the table `waves`; the number of waves."""
    ordered = order(graph.reads, missing=graph.missing, unresolved=graph.unresolved)
    graph.aside = ordered.aside
    warehouse.write(
        assessed.WAVES, run_id, _frame(spark, _wave_rows(graph, ordered), assessed.WAVES.schema)
    )
    return len(ordered.waves)


def blocked(
    spark: SparkSession, graph: Graph, rejected: DataFrame, engines: Sequence[str]
) -> DataFrame:
    """Views that stand on what is set aside or, for an engine, on what it rejects.

    Args:
        spark: The session.
        graph: The graph, with what is set aside.
        rejected: Source, key and engine.
        engines: All engines.
    """
    refused: dict[str, set[Key]] = {engine: set() for engine in engines}
    for source, key, engine in _rows(rejected):
        refused[engine].add((source, key))
    rows = (
        (*node, engine, cause.value if isinstance(cause, Why) else _told(cause))
        for node, engine, cause in blocked_by(graph.reads, graph.aside, refused)
        if node in graph.places
    )
    schema = pa.schema([(name, pa.string()) for name in ("source", "key", "engine", "blocked")])
    return _frame(spark, rows, schema)


def _wave_rows(graph: Graph, ordered: Order[Key]) -> Iterator[tuple[Any, ...]]:
    for node, place in ordered.places():
        if node not in graph.places:
            continue
        if isinstance(place, Aside):
            because = [_told(one) for one in place.because]
            yield (*graph.places[node], None, place.why.value, because)
        else:
            yield (*graph.places[node], place, None, None)


def _told(key: Key) -> str:
    return f"{key[0]}/{key[1]}"


def _rows(frame: DataFrame) -> Iterator[tuple[Any, ...]]:
    for batch in frame.toArrow().to_batches():
        yield from zip(*(column.to_pylist() for column in batch.columns), strict=True)


def _frame(spark: SparkSession, table: Iterable[tuple[Any, ...]], schema: pa.Schema) -> DataFrame:
    found = list(to_batches(table, schema)) or [pa.RecordBatch.from_pylist([], schema)]
    return spark.createDataFrame(pa.Table.from_batches(found))  # Spark cannot take no batch at all
