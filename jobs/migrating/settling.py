"""What executions have written without knowing it: asked before a plan says what is whose.

A server that is killed may have made a view and not said so: then its event says `failed`. Of an
execution that was killed itself, events are missing. Whoever plans anew asks the targets for such
views, and what is there as it was to be written is noted as `recovered`: else nobody would know
that it is ours, no later turn of `sync` would follow its source, and none would drop it. Who writes
there asks, too, and so puts back what has been left aside (`ViewStore.recover`).
"""

import json
from contextlib import suppress

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f

from discovery.display import quantity
from discovery.errors import LockedError
from discovery.migration.execution import UNANSWERED, EventResult, Execution
from discovery.ports import WRITING
from jobs.configuration import identity
from jobs.configuration.loader import RunConfig
from jobs.console import command
from jobs.migrating import journal
from jobs.migrating.journal import Journal
from jobs.migrating.noted_executions import note_again
from jobs.migrating.plan_folder import targets_of
from jobs.migrating.plans import find_plan
from jobs.migrating.tables import CHANGES, EVENTS, INTENDED, KEY, WRITTEN
from jobs.warehouse.warehouse import Warehouse


def settle(
    spark: SparkSession, configured: RunConfig, warehouse: Warehouse, *, mends: bool
) -> None:
    """Ask the targets what executions have written without knowing it, and note that.

    What somebody works on, and targets that are configured otherwise by now, are left alone.

    Args:
        spark: The session.
        configured: The configuration.
        warehouse: Where the executions are.
        mends: Whether what they have left half-way is brought to an end; else nothing is written.
    """
    note_again(warehouse)
    history = journal.history(warehouse)
    standing = history.standing()
    if not any(_may_be_doubtful(warehouse, execution) for execution in standing):
        return
    doubtful = _doubtful(spark, warehouse, standing).persist()
    runs = {row["run"] for row in doubtful.select("run").distinct().collect()}
    for execution in standing:
        if execution.run in runs:
            plan = history.origin(execution.run)
            with suppress(LockedError), journal.alone(spark, configured.warehouse, plan, "plan"):
                keys = doubtful.where(doubtful["run"] == execution.run).select(*KEY)
                _ask(spark, configured, warehouse, execution, keys, mends=mends)
    doubtful.unpersist()


def _may_be_doubtful(warehouse: Warehouse, execution: Execution) -> bool:
    """Whether anything of an execution is to be looked at; of most, its files say so at once."""
    if warehouse.is_far or not execution.ended:
        return True
    results = warehouse.count_rows(EVENTS, execution.run, ("result", "code"))
    return any(result == EventResult.FAILED and code in UNANSWERED for result, code in results)


def _doubtful(
    spark: SparkSession, warehouse: Warehouse, standing: tuple[Execution, ...]
) -> DataFrame:
    """Run, target and key of what may be written: nothing was written there since, as far as said.

    Args:
        spark: The session.
        warehouse: Where the executions are.
        standing: Those that nobody has begun to take back.
    """
    events = warehouse.read_appended(spark, EVENTS, "*")
    names = [execution.run for execution in standing]
    failed = events.where(f.col("run").isin(names) & (f.col("result") == "failed"))
    lost = failed.where(f.col("code").isin(list(UNANSWERED))).select("run", *KEY, "time")
    for execution in standing:
        if not execution.ended:
            intended = warehouse.read_appended(spark, INTENDED, execution.run).select("run", *KEY)
            lost = lost.unionByName(intended.withColumn("time", f.lit(execution.started)))
    latest = events.where(WRITTEN).groupBy(*KEY).agg(f.max("time").alias("known"))
    joined = lost.join(latest, KEY, "left")
    since = joined.where(f.col("known").isNull() | (f.col("known") < f.col("time")))
    return since.select("run", *KEY).distinct()


def _ask(
    spark: SparkSession,
    configured: RunConfig,
    warehouse: Warehouse,
    execution: Execution,
    doubtful: DataFrame,
    *,
    mends: bool,
) -> None:
    """Ask about the writes of one execution; its plan is locked by the caller."""
    plan = find_plan(warehouse, execution.plan)
    if plan is None or not warehouse.is_written(CHANGES, execution.plan):
        return
    connectors = {
        name: configured.targets[name]
        for name, target in targets_of(json.loads(plan.targets)).items()
        if name in configured.targets
        and (not target.settings or identity.is_of_target(target.settings, configured, name))
    }
    run_journal = Journal(spark, warehouse, journal.join(warehouse, execution.run))
    changes = run_journal.find_intended(warehouse.frame(spark, CHANGES, execution.plan))
    asked = changes.where(
        changes["action"].isin(list(WRITING)) & changes["target"].isin([*connectors])
    )
    run_journal.find(asked.join(doubtful, KEY, "left_semi"), connectors, mends=mends)
    if number := run_journal.answers().where("written").count():
        views = quantity(number, "view")
        command.say(f"run {execution.run}: {views} written without an answer, now noted")
