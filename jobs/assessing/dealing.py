"""Views dealt to workers, of which each starts judges of its own."""

from typing import Final

from pyspark.sql import DataFrame

_PER_WORKER: Final = 1_000  # views for which other judges are worth their start


def dealt(views: DataFrame, number: int) -> DataFrame:
    """Views in as many partitions as workers are worth their start.

    Args:
        views: The views.
        number: How many they are, about.
    """
    cores = views.sparkSession.sparkContext.defaultParallelism
    return views.repartition(min(cores, 1 + number // _PER_WORKER))
