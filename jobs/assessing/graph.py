"""What stands on what: waves and what blocks whom, computed on the driver from numbers alone.

Only what reads a view, is read by one or is faulty comes to the driver, each as a number whose name
is in Arrow; all else is in the first wave, which Spark says.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f

from discovery.lineage.blockers import blocked_by
from discovery.lineage.order import Aside, Order, Why, order
from jobs.assessing import tables as assessed
from jobs.warehouse.rows import to_batches
from jobs.warehouse.warehouse import Warehouse

Key = tuple[str, str]
"""Source and key of an object."""

_KEY: Final = ["source", "key"]
_BASE: Final = ["base_source", "base_key"]
_END: Final = "\0"  # of a source in a name
_FIRST: Final = 10**9  # numbers of one length: `order` sorts them as texts
_NAMED: Final = [pa.field(name, pa.string()) for name in _KEY]
_PLACED: Final = pa.schema(
    [*_NAMED, *(assessed.WAVES.schema.field(name) for name in ("wave", "aside", "because"))]
)
_BLOCKED: Final = pa.schema(
    [*_NAMED, pa.field("engine", pa.string()), pa.field("blocked", pa.string())]
)


@dataclass(slots=True)
class Graph:
    """What of a run reads or is read; each object is a number, in the order of their names.

    Attributes:
        names: Source and key of each number, joined.
        views: How many views there are, those without a number, too.
        reads: Each view, and each object that is there and unread, with the views and the missing
            objects that it reads.
        missing: What is read and not there.
        unresolved: Views of which nobody can tell what they read.
        unread: What is read, is there, and is no view that was read.
        aside: What is set aside by the order; filled by `write_waves`.
    """

    names: pa.Array
    views: int
    reads: dict[int, set[int]] = field(default_factory=dict)
    missing: set[int] = field(default_factory=set)
    unresolved: set[int] = field(default_factory=set)
    unread: set[int] = field(default_factory=set)
    aside: Mapping[int, Aside[int]] = field(default_factory=dict)

    @property
    def unknown(self) -> set[int]:
        """Of what nobody can tell what it reads."""
        return self.unresolved | self.unread

    def numbers(self, joined: pa.ChunkedArray) -> list[int]:
        """The numbers of names."""
        found = pc.index_in(joined, value_set=self.names).to_pylist()
        return [_FIRST + at for at in found]

    def key(self, number: int) -> Key:
        """Source and key of a number."""
        source, _, key = self.names[number - _FIRST].as_py().partition(_END)
        return source, key


def joined(table: pa.Table, columns: Sequence[str]) -> pa.ChunkedArray:
    """Source and key of each row as one text."""
    return pc.binary_join_element_wise(*(table[name] for name in columns), _END)


def sorted_names(*some: pa.ChunkedArray) -> pa.Array:
    """All names, each once."""
    parts = [part for one in some for part in one.chunks]
    names = pc.unique(pa.chunked_array(parts, pa.string()))
    return names.take(pc.sort_indices(names))


def graph(spark: SparkSession, warehouse: Warehouse, run_id: str) -> Graph:
    """The graph of a run, from `assessed` and `references`."""
    views = warehouse.frame(spark, assessed.ASSESSED, run_id)
    unresolved = joined(views.where("not coalesce(resolved, false)").select(*_KEY).toArrow(), _KEY)
    edges = _edges(spark, warehouse, run_id).select(*_KEY, *_BASE, "base_kind").distinct().toArrow()
    ends = [joined(edges, _KEY), joined(edges, _BASE)]
    found = Graph(sorted_names(unresolved, *ends), views.count())
    found.unresolved.update(found.numbers(unresolved))
    found.reads.update((view, set()) for view in found.unresolved)
    for view, base, kind in zip(
        *map(found.numbers, ends), edges["base_kind"].to_pylist(), strict=True
    ):
        found.reads.setdefault(view, set()).add(base)
        if kind == "missing":
            found.missing.add(base)
            continue
        found.reads.setdefault(base, set())
        if kind == "unread":
            found.unread.add(base)
    return found


def write_waves(spark: SparkSession, warehouse: Warehouse, run_id: str, graph: Graph) -> str:
    """Write the table `waves`; says how many there are."""
    ordered = order(graph.reads, missing=graph.missing, unresolved=graph.unknown)
    graph.aside = ordered.aside
    placed = _frame(spark, _placed(graph, ordered), _PLACED)
    views = warehouse.frame(spark, assessed.ASSESSED, run_id).select(*assessed.VIEW)
    first = f.when(f.col("aside").isNull(), f.coalesce("wave", f.lit(1))).cast("int")
    waves = views.join(placed, _KEY, "left").withColumn("wave", first)
    warehouse.write(assessed.WAVES, run_id, waves.select(assessed.WAVES.names))
    alone = graph.views - len(graph.reads.keys() - graph.unread)
    number = len(ordered.waves) or int(alone > 0)
    aside = len(graph.aside.keys() - graph.unread)
    return f"{graph.views} views in {number} waves, {aside} set aside"


def related(spark: SparkSession, warehouse: Warehouse, run_id: str) -> DataFrame:
    """Source and key of what reads something that can be faulty, or is read."""
    edges = _edges(spark, warehouse, run_id)
    return edges.select(*_KEY).union(edges.select(*_BASE)).distinct()


def blocked(
    spark: SparkSession, graph: Graph, rejected: DataFrame, engines: Sequence[str]
) -> DataFrame:
    """Views that stand on what is set aside or, for an engine, on what it rejects.

    Args:
        spark: The session.
        graph: The graph, with what is set aside.
        rejected: Source, key and engine of what is in the graph.
        engines: All engines.
    """
    refused: dict[str, set[int]] = {engine: set() for engine in engines}
    found = rejected.toArrow()
    numbers = graph.numbers(joined(found, _KEY))
    for engine, number in zip(found["engine"].to_pylist(), numbers, strict=True):
        refused[engine].add(number)
    rows = (
        (*graph.key(node), engine, cause.value if isinstance(cause, Why) else _told(graph, cause))
        for node, engine, cause in blocked_by(graph.reads, graph.aside, refused)
    )
    return _frame(spark, rows, _BLOCKED)


def _edges(spark: SparkSession, warehouse: Warehouse, run_id: str) -> DataFrame:
    """What is read and is, or was, something that can be faulty."""
    references = warehouse.frame(spark, assessed.REFERENCES, run_id)
    return references.where("base_kind in ('view', 'missing', 'unread')")


def _placed(graph: Graph, ordered: Order[int]) -> Iterator[tuple[object, ...]]:
    for node, place in ordered.places():
        if isinstance(place, Aside):
            because = [_told(graph, one) for one in place.because]
            yield (*graph.key(node), None, place.why.value, because)
        else:
            yield (*graph.key(node), place, None, None)


def _told(graph: Graph, number: int) -> str:
    return "/".join(graph.key(number))


def _frame(
    spark: SparkSession, table: Iterable[tuple[object, ...]], schema: pa.Schema
) -> DataFrame:
    found = list(to_batches(table, schema)) or [pa.RecordBatch.from_pylist([], schema)]
    return spark.createDataFrame(pa.Table.from_batches(found))  # Spark cannot take no batch at all
