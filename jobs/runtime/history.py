"""What became of each view in the runs before: when it appeared, changed, could not be read."""

from collections.abc import Sequence
from typing import Final

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as f

from jobs.runtime.reported import KEYS, Tables
from jobs.runtime.warehouse import Run

RUNS: Final = 10  # that are looked at, the report's own among them


def history(runs: Sequence[tuple[Run, Tables]]) -> DataFrame:
    """Source, key and `history`: the runs in which something happened to the view, oldest first.

    Args:
        runs: Committed runs, oldest first, the report's own last; not none.
    """
    frames = []
    for number, (run, tables) in enumerate(runs):
        objects = tables.frame("outcomes").where(
            "entity = 'object' and outcome in ('view', 'failure')"
        )
        state = f.coalesce("fingerprint", "code")
        frames.append(
            objects.select(
                *KEYS,
                f.lit(number).alias("number"),
                f.lit(run.run_id).alias("run_id"),
                f.lit(run.started.isoformat(timespec="seconds")).alias("started"),
                "code",
                state.alias("state"),
            )
        )
    whole = frames[0]
    for frame in frames[1:]:
        whole = whole.unionByName(frame)
    before = f.lag("state").over(Window.partitionBy(*KEYS).orderBy("number"))
    what = (
        f.when(f.col("code").isNotNull(), f.concat(f.lit("could not be read: "), "code"))
        .when(f.col("before").isNull(), "seen")
        .otherwise("changed")
    )
    moved = whole.withColumn("before", before).where("before is null or before <> state")
    one = f.struct("number", "run_id", "started", what.alias("what"))
    return moved.groupBy(*KEYS).agg(f.sort_array(f.collect_list(one)).alias("history"))
