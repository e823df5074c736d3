"""How changes are written so that nothing is written twice, forgotten, or beyond undoing.

The changes of a plan, with the views before and after, stand in the warehouse before the first of
them is written: they are the journal of intents. What a target answers becomes a row of `events`,
wave by wave. If the driver or an executor is killed, the events of that wave may be missing; the
next attempt at the same plan finds those changes done at the target and says `recovered`.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import reduce
from typing import Final

from pyspark import StorageLevel
from pyspark.errors import AnalysisException
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as f
from pyspark.sql.pandas.types import from_arrow_schema

from connectors.clients.credentials import redacted
from discovery import wire
from discovery.errors import BelvedereError, ConfigurationError, MovedError
from discovery.migration.changes import Blocked
from discovery.ports import Action
from jobs.configuration.loader import RunConfig
from jobs.console import command
from jobs.console.progress import progress
from jobs.crawling import tables as rows
from jobs.migrating.dependents import Dependents
from jobs.migrating.plan_folder import CHANGES as CHANGES_FILE
from jobs.migrating.plan_folder import Destination, PlanHead
from jobs.migrating.tables import APPLIED, APPLIES, CHANGES, EVENTS, WRITES, WRITTEN
from jobs.migrating.workers import applying
from jobs.migrating.workers.applying import Attempt
from jobs.warehouse.warehouse import Warehouse, new_id, now

_KEY: Final = ["target", "key"]
_WHY: Final = ("code", "message", "hint")


@dataclass(frozen=True, slots=True)
class Told:
    """What an execution came to.

    Attributes:
        run: Its name.
        written: How many views it has written, earlier attempts at it included.
        failed: How many it could not write, or would not as they had changed.
    """

    run: str
    written: int
    failed: int

    @property
    def exit_code(self) -> int:
        """3 if something could not be written."""
        return command.FINDINGS if self.failed else command.FINE

    def to_json(self) -> str:
        """As `--json` prints it."""
        return json.dumps({"run": self.run, "written": self.written, "failed": self.failed})


@dataclass(frozen=True, slots=True)
class SelectedChanges:
    """The changes that are to be made.

    Attributes:
        changes: Rows of `changes`, drafts in place where a person adopted them.
        counts: How many of them by target, action and wave.
    """

    changes: DataFrame
    counts: Mapping[tuple[str, str, int | None], int]

    @property
    def waves(self) -> list[int | None]:
        """In the order of writing; what has no wave is last."""
        waves = {wave for _, _, wave in self.counts}
        return sorted(waves, key=lambda wave: (wave is None, wave or 0))

    @property
    def drops(self) -> int:
        """How many views are dropped."""
        return sum(number for (_, action, _), number in self.counts.items() if action == "drop")

    @property
    def targets(self) -> set[str]:
        """Where something is written."""
        return {target for target, _, _ in self.counts}


def every(changes: DataFrame) -> SelectedChanges:
    """All of these changes, counted."""
    counted = changes.groupBy("target", "action", "wave").count().collect()
    counts = {(row["target"], row["action"], row["wave"]): row["count"] for row in counted}
    return SelectedChanges(changes, counts)


def chosen(
    spark: SparkSession, warehouse: Warehouse, plan: str, wanted: Iterable[tuple[str, bool]]
) -> SelectedChanges:
    """The changes of a plan that a person has left in it.

    Raises:
        ConfigurationError: The warehouse does not know the plan, or not all of the changes.
    """
    names = set(wanted)
    frame = spark.createDataFrame(list(names), "change string, adopt boolean")
    try:
        known = warehouse.frame(spark, CHANGES, plan)
    except AnalysisException as error:
        hint = "plan again: this warehouse does not have it"
        raise ConfigurationError(f"no plan {plan}", hint=hint) from error
    found = known.where(known["change"].isNotNull()).join(frame, "change")
    adopted = {"model": "draft", "fingerprint": "draft_fingerprint"}
    drafted = {
        name: f.when(f.col("adopt"), f.col(draft)).otherwise(f.col(name))
        for name, draft in adopted.items()
    }
    waits = f.col("adopt") & (f.col("action") == Action.BLOCKED.value)
    writes = f.when(f.col("expected").isNull(), Action.CREATE.value).otherwise(Action.REPLACE.value)
    drafted["action"] = f.when(waits, writes).otherwise(f.col("action"))
    told = every(found.withColumns(drafted).drop("adopt"))
    if sum(told.counts.values()) != len(names):
        why = f"plan {plan} does not have all of the changes of {CHANGES_FILE}"
        raise ConfigurationError(why, hint="plan again")
    counts = {place: number for place, number in told.counts.items() if place[1] in WRITES}
    return SelectedChanges(told.changes.where(f.col("action").isin(list(WRITES))), counts)


def check(configured: RunConfig, wanted: SelectedChanges, *, delete: bool) -> None:
    """Look before anything is written.

    Raises:
        ConfigurationError: A target is not configured, or views would be dropped unasked.
    """
    check_targets(configured, wanted.targets)
    if wanted.drops and not delete:
        hint = f"say --delete, or delete those lines of {CHANGES_FILE}"
        raise ConfigurationError(f"the plan drops {wanted.drops} views", hint=hint)


def check_targets(configured: RunConfig, targets: Iterable[str]) -> None:
    """Look whether all of the targets are configured.

    Raises:
        ConfigurationError: One is not.
    """
    if unknown := sorted(set(targets) - configured.targets.keys()):
        hint = "take the configuration that the plan was made with"
        raise ConfigurationError(f"{', '.join(unknown)}: no such target", hint=hint)


def apply(
    spark: SparkSession,
    configured: RunConfig,
    warehouse: Warehouse,
    head: PlanHead,
    wanted: SelectedChanges,
    principal: str,
) -> Told:
    """Write changes, or go on with an execution of them that was interrupted."""
    attempt = _attempt(warehouse, head.plan, principal)
    execution = _Execution(spark, configured, warehouse, attempt)
    left = execution.left(wanted.changes).persist(StorageLevel.DISK_ONLY)
    left = execution.refuse(left, _moved(spark, warehouse, head, left))
    for target in sorted(wanted.targets):
        why = execution.prepare(target, head.targets[target])
        left = execution.refuse(left, None if why is None else _all_of(left, target, why))
    dependents = Dependents(spark, warehouse, head.crawl)
    for number, name in enumerate(wanted.waves, 1):
        wave = left.where(left["wave"].eqNullSafe(f.lit(name)))
        if number > 1 and head.undoes is None:
            lost = execution.lost(wanted.changes)
            wave = execution.refuse(wave, lost and _because(dependents.on(lost, wave)))
        with progress(spark, f"writing wave {number} of {len(wanted.waves)}"):
            execution.write(wave, wanted.targets)
    left.unpersist()
    return execution.close()


class _Execution:
    """An execution of `apply`: what it writes is journalled as it goes."""

    def __init__(
        self, spark: SparkSession, configured: RunConfig, warehouse: Warehouse, attempt: Attempt
    ) -> None:
        self._spark = spark
        self._configured = configured
        self._warehouse = warehouse
        self._attempt = attempt

    def left(self, changes: DataFrame) -> DataFrame:
        """Those of the changes that this execution has not made yet."""
        if not self._attempt.resumed:
            return changes
        return changes.join(self._events().where(WRITTEN).select(*_KEY), _KEY, "left_anti")

    def lost(self, changes: DataFrame) -> DataFrame | None:
        """Those of the changes that were tried in vain; None if there is none."""
        failed = self._events().where(~f.expr(WRITTEN)).select(*_KEY)
        return None if failed.isEmpty() else self.left(changes).join(f.broadcast(failed), _KEY)

    def refuse(self, changes: DataFrame, why: DataFrame | None) -> DataFrame:
        """Note what is not written, and why; the rest.

        Args:
            changes: To be written.
            why: Target, key, code, message and hint of those that are not; None: all are.
        """
        if why is None:
            return changes
        named = why.select(*_KEY, *(f.col(name).alias(f"why_{name}") for name in _WHY))
        refused = changes.join(named, _KEY).withColumns(
            {name: f.col(f"why_{name}") for name in _WHY}
        )
        write = applying.refuse_changes(self._attempt, self._configured.secrets)
        events = refused.mapInArrow(write, from_arrow_schema(EVENTS.schema))
        self._warehouse.append(EVENTS, self._attempt.run, events)
        return changes.join(named, _KEY, "left_anti")

    def prepare(self, target: str, destination: Destination) -> BelvedereError | None:
        """Make the namespaces that a target lacks; why it cannot."""
        connector = self._configured.targets[target]
        schemas = [wire.schema_from_text(text, levels) for levels, text in destination.namespaces]
        try:
            with connector.store() as store:
                store.prepare(schemas)
        except BelvedereError as error:
            command.say(redacted(f"{target}: {error}; nothing is written there", connector.secrets))
            return error
        return None

    def write(self, changes: DataFrame, targets: Iterable[str]) -> None:
        """Write changes side by side, over no more connections than each target may have."""
        events = []
        for target in sorted(targets):
            connector = self._configured.targets[target]
            write = applying.apply_changes(connector, self._attempt)
            dealt = changes.where(changes["target"] == target).repartition(
                connector.store().connections
            )
            events.append(dealt.mapInArrow(write, from_arrow_schema(EVENTS.schema)))
        self._warehouse.append(EVENTS, self._attempt.run, reduce(DataFrame.unionByName, events))

    def close(self) -> Told:
        """Say what it came to, and note that it has ended."""
        ends = self._events().groupBy(*_KEY).agg(f.bool_or(f.expr(WRITTEN)).alias("written"))
        counted = {
            row["written"]: row["count"] for row in ends.groupBy("written").count().collect()
        }
        told = Told(self._attempt.run, counted.get(True, 0), counted.get(False, 0))
        command.say(f"run {told.run}: {told.written} written, {told.failed} not")
        row = (told.run, now(), told.exit_code)
        self._warehouse.note(APPLIED, told.run, row)
        return told

    def _events(self) -> DataFrame:
        return self._warehouse.appended(self._spark, EVENTS, self._attempt.run)


def _attempt(warehouse: Warehouse, plan: str, principal: str) -> Attempt:
    """A new execution of a plan; the latest one, if it has not ended."""
    ended = {row["run"] for row in warehouse.table(APPLIED, "*")}
    mine = [row for row in warehouse.table(APPLIES, "*") if row["plan"] == plan]
    latest = max(mine, key=lambda row: (row["started"], row["run"]), default=None)
    if latest is not None and latest["run"] not in ended:
        command.say(f"going on with run {latest['run']}, which was interrupted")
        return Attempt(latest["run"], principal, resumed=True)
    run = new_id()
    warehouse.note(APPLIES, run, (run, plan, principal, now()))
    return Attempt(run, principal)


def _moved(
    spark: SparkSession, warehouse: Warehouse, head: PlanHead, changes: DataFrame
) -> DataFrame | None:
    """What has changed in its source since the plan was made, as far as a later crawl saw it."""
    latest = warehouse.run(None)
    if head.undoes is not None or latest.run_id == head.crawl:
        return None
    origins = changes.select(*_KEY, f.explode("origins").alias("one")).select(
        *_KEY, "one.source", f.col("one.key").alias("of"), "one.at"
    )
    outcomes = warehouse.frame(spark, rows.OUTCOMES, latest.run_id).where("entity = 'object'")
    seen = outcomes.select("source", f.col("key").alias("of"), "outcome", "fingerprint")
    crawled = seen.select("source").distinct()
    joined = origins.join(f.broadcast(crawled), "source").join(seen, ["source", "of"], "left")
    gone = f.lit(latest.exit_code != command.UNREAD) & f.col("outcome").isNull()
    other = (f.col("outcome") == "view") & (f.col("fingerprint") != f.col("at"))
    moved = joined.where(gone | other).select(*_KEY).distinct()
    error = MovedError(f"its source has changed since the plan was made: run {latest.run_id}")
    return moved.select(*_KEY, *_said(error))


def _all_of(changes: DataFrame, target: str, error: BelvedereError) -> DataFrame:
    """The reason why nothing is written into a target, for each change."""
    return changes.where(changes["target"] == target).select(*_KEY, *_said(error))


def _because(below: DataFrame | None) -> DataFrame | None:
    """The reason why what stands on something that failed is not written."""
    if below is None:
        return None
    hint = f.lit("mend that, and apply the plan again").alias("hint")
    code = f.lit(Blocked.BLOCKED_BY.value).alias("code")
    return below.select(*_KEY, code, f.col("below").alias("message"), hint)


def _said(error: BelvedereError) -> list[Column]:
    said = (error.code, str(error), error.hint)
    return [f.lit(text).alias(name) for name, text in zip(_WHY, said, strict=True)]
