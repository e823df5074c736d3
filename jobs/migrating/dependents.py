"""Which views stand on views that their target does not get; only keys reach the driver."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Final

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f

from discovery.lineage.order import above, readers
from jobs.assessing import tables as assessed
from jobs.migrating.tables import KEY
from jobs.warehouse.frames import frame_of, stream_rows
from jobs.warehouse.warehouse import Warehouse

_Node = tuple[str, str]
"""Source and key of a view."""
_BELOW: Final = pa.schema(dict.fromkeys(("target", "source", "of", "below"), pa.string()))


class Dependents:
    """What stands on what in a run; read when it is first asked, once.

    Args:
        spark: The session.
        warehouse: Where the run is.
        run_id: A run that was assessed.
    """

    def __init__(self, spark: SparkSession, warehouse: Warehouse, run_id: str) -> None:
        self._spark = spark
        self._warehouse = warehouse
        self._run_id = run_id
        self._readers: Mapping[_Node, list[_Node]] | None = None

    def on(self, lost: DataFrame, views: DataFrame) -> DataFrame | None:
        """Those of the views that stand, over any number of views, on what is lost.

        Args:
            lost: Target, key and origins of what a target does not get.
            views: Target, key and origins of the views in question.

        Returns:
            Target and key of each, with the reason in `below`; None if there is none.
        """
        gone: dict[str, set[_Node]] = defaultdict(set)
        for target, source, key in stream_rows(origins_of(lost).drop("key")):
            gone[target].add((source, key))
        rows = [
            (target, *view, f"it stands on {base[0]}/{base[1]}")
            for target, views_lost in gone.items()
            for view, base in above(self._read_edges(), views_lost)
        ]
        if not rows:
            return None
        frame = frame_of(self._spark, _BELOW, rows)
        joined = origins_of(views).join(f.broadcast(frame), ["target", "source", "of"])
        return joined.groupBy(*KEY).agg(f.min("below").alias("below"))

    def _read_edges(self) -> Mapping[_Node, list[_Node]]:
        if self._readers is None:
            reads: dict[_Node, list[_Node]] = defaultdict(list)
            frame = self._warehouse.frame(self._spark, assessed.REFERENCES, self._run_id)
            edges = frame.where("base_kind = 'view'").select(
                "base_source", "base_key", "source", "key"
            )
            for base_source, base_key, source, key in stream_rows(edges.distinct()):
                reads[source, key].append((base_source, base_key))
            self._readers = readers(reads)
        return self._readers


def origins_of(frame: DataFrame) -> DataFrame:
    """Target, source, key of the source, and key, a row for each view that one is made of."""
    exploded = frame.select(*KEY, f.explode("origins").alias("one"))
    return exploded.select("target", f.col("one.source"), f.col("one.key").alias("of"), "key")
