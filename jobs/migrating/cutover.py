"""What is left until the cut-over, as the warehouse knows it: by target, owner, wave and day."""

import json
from collections import defaultdict
from collections.abc import Collection, Mapping
from functools import partial
from typing import Final

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f

from discovery.migration.cutover import PlannedCounts, TargetState, burn_down
from discovery.ports import Action
from jobs.console import command
from jobs.crawling.tables import OUTCOMES
from jobs.migrating.journal import history
from jobs.migrating.plan_folder import Destination, PlanHead
from jobs.migrating.plans import read_plans
from jobs.migrating.tables import CHANGES, EVENTS, WRITTEN
from jobs.warehouse.frames import united
from jobs.warehouse.warehouse import Warehouse

_DAYS: Final = 14


def states(head: PlanHead, excused: Mapping[tuple[str, str], int]) -> dict[str, TargetState]:
    """What a plan says of each target, without what is accepted.

    Args:
        head: Of the plan.
        excused: How many views of a target and action are accepted.
    """
    return {
        name: _state(
            target,
            {word: count - excused.get((name, word), 0) for word, count in target.counts.items()},
        )
        for name, target in head.targets.items()
    }


def _state(target: Destination, counts: Mapping[str, int]) -> TargetState:
    kept = counts.get(Action.KEEP, 0)
    to_change = sum(bool(edit.fields) for edit in target.edits)
    return TargetState(
        counts if target.store else {**counts, Action.KEEP: 0},
        namespaces=len(target.namespaces) + to_change,
        functions=len(target.made_functions),
        rights=len(target.rights.made) + target.rights.blocked,
        tags=len(target.tags.made) + target.tags.blocked,
        staying=0 if target.store else kept,
        unchangeable=len(target.edits) - to_change,
    )


def count_unmapped(warehouse: Warehouse, head: PlanHead) -> int:
    """How many views a plan leads to no target."""
    counted = warehouse.count_rows(CHANGES, head.plan, ("target",))
    return counted.get(("",), 0)


def count_left(
    spark: SparkSession, warehouse: Warehouse, head: PlanHead
) -> list[tuple[str, int | None, int]]:
    """How many views are left, by owner and wave, the most first; no owner is the empty text.

    A change that is made of views of several owners counts for each of them; a drop has none.
    """
    changes = warehouse.frame(spark, CHANGES, head.plan)
    left = changes.where("action <> 'keep' and target <> ''").select(
        "wave", f.inline_outer("origins")
    )
    counted = left.join(_owners(spark, warehouse, head.crawl), ["source", "key"], "left")
    grouped = counted.groupBy(f.coalesce("owner", f.lit("")).alias("owner"), "wave").count()
    rows = grouped.orderBy(f.desc("count"), "owner", "wave").collect()
    return [(row["owner"], row["wave"], row["count"]) for row in rows]


def _owners(spark: SparkSession, warehouse: Warehouse, run_id: str) -> DataFrame:
    outcomes = warehouse.frame(spark, OUTCOMES, run_id).where("outcome = 'view'")
    return outcomes.select("source", "key", "owner")


def tell_burn_down(spark: SparkSession, warehouse: Warehouse) -> None:
    """Say what was left on each of the last days."""
    plans = (
        PlannedCounts(
            plan.plan,
            plan.created,
            {
                name: target["counts"]
                for name, target in json.loads(plan.targets).items()
                if target["store"]
            },
        )
        for plan in read_plans(warehouse)
        if plan.undoes is None
    )
    for burn in burn_down(plans, _DAYS, partial(_count_written, spark, warehouse)):
        command.say(f"{burn.day}  {burn.target}: {burn.there:,} there, {burn.left:,} left")


def _count_written(
    spark: SparkSession, warehouse: Warehouse, plans: Collection[str]
) -> dict[tuple[str, str], dict[str, int]]:
    """How many changes of plans were written and not taken back: plan, target, action."""
    past = history(warehouse)
    frames = [
        warehouse.read_appended(spark, EVENTS, run).where(WRITTEN).withColumn("plan", f.lit(plan))
        for plan in sorted(plans)
        for run in past.holding(plan)
    ]
    counts: defaultdict[tuple[str, str], dict[str, int]] = defaultdict(dict)
    if frames:
        changes = united(frames).select("plan", "target", "key", "action").distinct()
        for row in changes.groupBy("plan", "target", "action").count().collect():
            counts[row["plan"], row["target"]][row["action"]] = row["count"]
    return counts
