"""What became of each view: in the runs before, in plans, and when they were applied."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import reduce
from typing import Any, Final

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as f

from jobs.migrating import tables as migrating
from jobs.reporting.lines import KEYS, RunTables
from jobs.warehouse.warehouse import Run

RUNS: Final = 10  # that are looked at, the report's own among them
PLANS: Final = 10
_ENTRY: Final = ("time", "what", "why", "name")
_PLACE: Final = ["target", "there"]
_SPELLED: Final = "yyyy-MM-dd'T'HH:mm:ss.SSSSSSxxx"
_Row = Mapping[str, Any]


def history(tables: RunTables, runs: Sequence[Run]) -> DataFrame:
    """Source, key and `history`: what happened to the view, oldest first.

    An entry is `time` (ISO 8601, UTC), `what`, `why` (empty: nothing to say) and `name`: of the
    run, the plan or the execution of `apply`.

    Args:
        tables: Of the run that is reported.
        runs: The committed runs up to it, oldest first; itself the last.
    """
    frames = [_crawled(tables, runs[-RUNS:]), *_migrated(tables, {one.run_id for one in runs})]
    entries = f.sort_array(f.collect_list(f.struct(*_ENTRY)))
    return _united(frames).groupBy(*KEYS).agg(entries.alias("history"))


def _crawled(tables: RunTables, runs: Sequence[Run]) -> DataFrame:
    """The runs in which a view was seen first, was another, or could not be read."""
    frames = []
    for number, run in enumerate(runs):
        objects = tables.of(run.run_id).frame("outcomes")
        mine = objects.where("entity = 'object' and outcome in ('view', 'failure')")
        state = f.coalesce("fingerprint", "code")
        frames.append(
            mine.select(
                *KEYS,
                f.lit(number).alias("number"),
                f.lit(_text(run.started)).alias("time"),
                f.lit(run.run_id).alias("name"),
                "code",
                state.alias("state"),
            )
        )
    before = f.lag("state").over(Window.partitionBy(*KEYS).orderBy("number"))
    moved = _united(frames).withColumn("before", before).where("before is null or before <> state")
    what = (
        f.when(f.col("code").isNotNull(), "could not be read")
        .when(f.col("before").isNull(), "seen")
        .otherwise("changed")
    )
    why = f.coalesce("code", f.lit(""))
    return moved.select(*KEYS, "time", what.alias("what"), why.alias("why"), "name")


def _migrated(tables: RunTables, runs: set[str]) -> Iterator[DataFrame]:
    """What the latest plans of the runs would write or set aside, and what came of it."""
    warehouse = tables.warehouse
    every = [row for row in warehouse.table(migrating.PLANS, "*") if row["crawl"] in runs]
    plans = sorted(every, key=lambda row: (row["created"], row["plan"]))[-PLANS:]
    if not plans:
        return
    planned = _united([_planned(tables, plan) for plan in plans])
    yield planned.select(*KEYS, *_ENTRY)
    names = {plan["plan"] for plan in plans}
    applies = [row for row in warehouse.table(migrating.APPLIES, "*") if row["plan"] in names]
    if applies:
        events = _united([_events(tables, row) for row in applies])
        places = planned.select(*KEYS, *_PLACE, f.col("name").alias("plan"))
        yield events.join(places, [*_PLACE, "plan"]).select(*KEYS, *_ENTRY)


def _planned(tables: RunTables, plan: _Row) -> DataFrame:
    """The changes of a plan, for each view behind them; what stays as it is has no entry."""
    changes = tables.of(plan["plan"]).frame("changes").where("target <> '' and action <> 'keep'")
    unserved = [name for name, one in json.loads(plan["targets"]).items() if not one["served"]]
    shown = f.when(f.col("target").isin(unserved), ", stored but not served").otherwise("")
    return changes.select(
        "target",
        f.col("key").alias("there"),
        f.lit(plan["plan"]).alias("name"),
        f.lit(_text(plan["created"])).alias("time"),
        f.concat(f.lit("planned: "), "action", f.lit(" at "), "target", shown).alias("what"),
        f.concat_ws(": ", "code", "reason").alias("why"),
        f.inline("origins"),
    )


def _events(tables: RunTables, apply: _Row) -> DataFrame:
    """What an execution of a plan did at the targets."""
    result = [f.lit(": "), f.col("result"), f.lit(", by "), f.col("principal")]
    return (
        tables.of(apply["run"])
        .appended("events")
        .select(
            "target",
            f.col("key").alias("there"),
            f.lit(apply["plan"]).alias("plan"),
            f.lit(apply["run"]).alias("name"),
            f.date_format("time", _SPELLED).alias("time"),
            f.concat("action", f.lit(" at "), "target", *result).alias("what"),
            f.concat_ws(": ", "code", "message").alias("why"),
        )
    )


def _text(time: datetime) -> str:
    """As `_SPELLED` in a session in UTC; Spark's rows have times in the zone of this machine."""
    return time.astimezone(UTC).isoformat(timespec="microseconds")


def _united(frames: Iterable[DataFrame]) -> DataFrame:
    return reduce(DataFrame.unionByName, frames)
