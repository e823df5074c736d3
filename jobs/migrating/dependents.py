"""Which views stand on views that their target does not get; only keys reach the driver."""

from collections.abc import Mapping

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f

from jobs.assessing import tables as assessed
from jobs.warehouse.warehouse import Warehouse

_KEY = ["target", "key"]
_Node = tuple[str, str]
"""Source and key of a view."""


class Standing:
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
        self._above: dict[_Node, list[_Node]] | None = None

    def on(self, lost: DataFrame, views: DataFrame) -> DataFrame | None:
        """Those of the views that stand, over any number of views, on what is lost.

        Args:
            lost: Target, key and origins of what a target does not get.
            views: Target, key and origins of the views in question.

        Returns:
            Target and key of each, with the reason in `below`; None if there is none.
        """
        missing = {tuple(row) for row in _origins(lost).drop("key").toLocalIterator()}
        hit = self._over(missing) if missing else {}
        if not hit:
            return None
        found = [(target, source, of, told) for (target, source, of), told in hit.items()]
        frame = self._spark.createDataFrame(
            found, "target string, source string, of string, below string"
        )
        joined = _origins(views).join(f.broadcast(frame), ["target", "source", "of"])
        return joined.groupBy(*_KEY).agg(f.min("below").alias("below"))

    def _over(self, missing: set[tuple[str, ...]]) -> dict[tuple[str, ...], str]:
        """Whatever stands on what is missing, at the same target, and on what."""
        hit: dict[tuple[str, ...], str] = {}
        left = sorted(missing)
        for target, source, key in left:  # grows while it is walked
            for higher in self._edges().get((source, key), ()):
                place = (target, *higher)
                if place not in hit and place not in missing:
                    hit[place] = f"it stands on {source}/{key}"
                    left.append(place)
        return hit

    def _edges(self) -> Mapping[_Node, list[_Node]]:
        if self._above is None:
            self._above = {}
            frame = self._warehouse.frame(self._spark, assessed.REFERENCES, self._run_id)
            edges = frame.where("base_kind = 'view'").select(
                "base_source", "base_key", "source", "key"
            )
            for base_source, base_key, source, key in edges.distinct().toLocalIterator():
                self._above.setdefault((base_source, base_key), []).append((source, key))
        return self._above


def _origins(frame: DataFrame) -> DataFrame:
    """Target, source, key of the source, and key, a row for each view that one is made of."""
    one = frame.select(*_KEY, f.explode("origins").alias("one"))
    return one.select("target", f.col("one.source"), f.col("one.key").alias("of"), "key")
