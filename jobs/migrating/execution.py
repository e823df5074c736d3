"""How changes are written so that nothing is written twice, forgotten, or beyond undoing.

The changes of a plan, with the views before and after, stand in the warehouse before the first of
them is written: they are the journal of intents. What a target answers becomes a row of `events`,
wave by wave. If the driver or an executor is killed, the events of that wave may be missing; so the
next attempt asks the target for every change without an event, and notes as `recovered` what it
finds written. Then all changes go to the store, which looks again: the counts at the end are what
the targets hold.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial, reduce
from math import ceil
from pathlib import Path
from typing import Final

from pyspark import StorageLevel
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f
from pyspark.sql.pandas.types import from_arrow_schema

from connectors.clients.credentials import redacted
from discovery import wire
from discovery.errors import BelvedereError, ConfigurationError
from discovery.migration.functions import FunctionChange
from discovery.migration.namespaces import NamespaceEdit
from discovery.model import Identifier
from discovery.namespaces import Levels
from discovery.ports import WRITING
from discovery.rights.changes import RightsChange
from discovery.tags import TagChange
from jobs.configuration import identity
from jobs.configuration.loader import RunConfig
from jobs.console import command
from jobs.console.progress import RowCounter, counting, progress
from jobs.migrating import amending, giving, plan_folder, refusing, tagging
from jobs.migrating.called_functions import Calls
from jobs.migrating.dependents import Dependents
from jobs.migrating.execution_result import ExecutionResult, tell_unwritten
from jobs.migrating.histories import with_raw
from jobs.migrating.journal import Journal
from jobs.migrating.plan_folder import CHANGES as CHANGES_FILE
from jobs.migrating.plan_folder import Destination, PlanHead
from jobs.migrating.plans import find_plan
from jobs.migrating.selecting import SelectedChanges, select_changes
from jobs.migrating.tables import CHANGES, EVENTS, KEY
from jobs.migrating.workers import applying
from jobs.migrating.workers.applying import Attempt
from jobs.warehouse.carried import Carried
from jobs.warehouse.warehouse import Warehouse

_EACH: Final = 16  # changes for which a connection is worth a task, and a file of events
History = Callable[[DataFrame], DataFrame]
"""Changes with what their sources said of them."""


def read(
    spark: SparkSession, configured: RunConfig, warehouse: Warehouse, folder: Path
) -> tuple[PlanHead, SelectedChanges]:
    """The plan of a folder, as a person has left it, looked over before anything else is done.

    Raises:
        ConfigurationError: It has been edited otherwise than by rule, is none of this warehouse, or
            was made with a configuration that differs.
    """
    head = plan_folder.read_head(folder)
    check_targets(configured, head.targets)
    if identity.of_mapping(configured) != head.settings:
        hint = "name the configuration that the plan was made with, or plan again"
        raise ConfigurationError("`mapping` is not as it was when the plan was made", hint=hint)
    noted = find_plan(warehouse, head.plan)
    if noted is None or noted.digest != head.digest:
        why = f"{folder / plan_folder.HEAD}: this warehouse has no such plan {head.plan}"
        raise ConfigurationError(why, hint="take the warehouse that it was made in, or plan again")
    changes = select_changes(spark, warehouse, head.plan, plan_folder.read_changes(folder))
    return plan_folder.with_chosen_edits(head, folder), changes


def check(wanted: SelectedChanges, *, delete: bool) -> None:
    """Look before anything is written.

    Raises:
        ConfigurationError: Views would be dropped unasked.
    """
    if wanted.drops and not delete:
        hint = f"pass --delete, or delete those lines of {CHANGES_FILE}"
        raise ConfigurationError(f"the plan drops views: {wanted.drops}", hint=hint)


def check_targets(configured: RunConfig, targets: Mapping[str, Destination]) -> None:
    """Look whether all of the targets are configured, and where they were.

    Raises:
        ConfigurationError: One is not.
    """
    hint = "take the configuration that the plan was made with, or plan again"
    if unknown := sorted(targets.keys() - configured.targets.keys()):
        raise ConfigurationError(f"{', '.join(unknown)}: no such target", hint=hint)
    for name, target in targets.items():
        if target.settings and not identity.is_of_target(target.settings, configured, name):
            why = f"{name}: the target is configured otherwise than when the plan was made"
            raise ConfigurationError(why, hint=hint)


def carry_out(
    spark: SparkSession,
    configured: RunConfig,
    warehouse: Warehouse,
    head: PlanHead,
    wanted: SelectedChanges,
    attempt: Attempt,
) -> "Running":
    """Write changes, or go on with an execution of them that was interrupted."""
    running = Running(spark, configured, warehouse, attempt, wanted)
    for target, destination in head.targets.items():
        running.amend(target, destination.edits)
    running.take_rights(head)
    running.journal.intend(wanted.changes)
    if attempt.resumed:
        with progress(spark, "looking for what was written"):
            running.journal.find(wanted.changes, running.connectors)
    noted = running.journal.with_marks(wanted.changes).persist(StorageLevel.DISK_ONLY)
    left = running.refuse(noted, refusing.recheck(spark, warehouse, head, noted.where("not mine")))
    calls = Calls(spark, warehouse, head.crawl)
    for target, destination in sorted(head.targets.items()):
        if target in wanted.targets or destination.made_functions:
            left = running.get_ready(target, destination, left, calls)
    dependents = Dependents(spark, warehouse, head.crawl)
    history = partial(with_raw, spark, warehouse, head)
    for number, name in enumerate(wanted.waves, 1):
        wave = left.where(left["wave"].eqNullSafe(f.lit(name)))
        if number > 1 and head.undoes is None:
            lost = running.find_lost(noted)
            above = lost and dependents.on(lost, wave.where("not mine"))
            wave = running.refuse(wave, refusing.because(above))
        due, label = wanted.due(name), f"writing wave {number} of {len(wanted.waves)}"
        with counting(spark, label, due.total()) as counted:
            running.write(wave, due, counted, history)
    running.count(noted)
    running.give(head, warehouse.frame(spark, CHANGES, head.plan), noted)
    noted.unpersist()
    return running


class Running:
    """An execution at work: what it does is noted as it goes.

    Attributes:
        journal: What is known of it.
        connectors: The targets that it writes to.
    """

    def __init__(
        self,
        spark: SparkSession,
        configured: RunConfig,
        warehouse: Warehouse,
        attempt: Attempt,
        wanted: SelectedChanges,
    ) -> None:
        self.journal = Journal(spark, warehouse, attempt)
        self.connectors = {name: configured.targets[name] for name in sorted(wanted.targets)}
        self._configured = configured
        self._result = ExecutionResult(attempt.run, 0, 0)
        self._unamended: set[NamespaceEdit] = set()
        self._unmade: set[FunctionChange] = set()
        self._ungiven: set[RightsChange] = set()
        self._untagged: set[TagChange] = set()

    def find_lost(self, changes: DataFrame) -> DataFrame | None:
        """Those of the changes that this attempt has tried in vain; None if there is none."""
        failed = self.journal.answers().where("not written").select(*KEY)
        return None if failed.isEmpty() else changes.join(f.broadcast(failed), KEY)

    def refuse(self, changes: DataFrame, why: DataFrame | None) -> DataFrame:
        """Note what is not written, and why; the rest.

        Args:
            changes: To be written.
            why: Target, key, code, message and hint of those that are not; None: all are.
        """
        if why is None:
            return changes
        named = why.select(*KEY, *(f.col(name).alias(f"why_{name}") for name in refusing.WHY))
        refused = changes.join(named, KEY).withColumns(
            {name: f.col(f"why_{name}") for name in refusing.WHY}
        )
        write = applying.refuse_changes(self.journal.attempt, self._configured.secrets)
        self.journal.note(refused.mapInArrow(Carried(write), from_arrow_schema(EVENTS.schema)))
        return changes.join(named, KEY, "left_anti")

    def get_ready(
        self, target: str, destination: Destination, changes: DataFrame, calls: Calls
    ) -> DataFrame:
        """Make what views of a target need first; the changes, without those that lack it."""
        if (why := self.prepare(target, destination)) is not None:
            self._unmade |= set(destination.made_functions)
            return self.refuse(changes, refusing.all_of(changes, target, why))
        unmade = self.make_functions(target, destination.made_functions)
        lacking = calls.of(unmade, changes.where("not mine")) if unmade else None
        return self.refuse(changes, refusing.because(lacking))

    def make_functions(self, target: str, changes: Sequence[FunctionChange]) -> set[FunctionChange]:
        """Make or drop functions; those that could not be, which is said."""
        connector = self._configured.targets[target]
        failed = amending.make_functions(self.journal, connector, changes) if changes else set()
        self._unmade |= failed
        return failed

    def keep_functions(self, changes: Sequence[FunctionChange]) -> None:
        """Say that functions are not dropped, as views that may call them are there still."""
        for change in changes:
            command.say(f"{change.place} stays: not all views of the run were taken back")
        self._unmade |= set(changes)

    def prepare(self, target: str, destination: Destination) -> BelvedereError | None:
        """Make the namespaces that a target lacks, and note which those are; why it cannot."""
        connector = self._configured.targets[target]
        schemas = [wire.schema_from_text(text, levels) for levels, text in destination.namespaces]
        lacking: tuple[Levels, ...] = ()
        try:
            with connector.store() as store:
                lacking = store.lacking([schema.levels for schema in schemas]) if schemas else ()
                self.journal.about_to_make(target, lacking)
                self.journal.has_made(target, lacking, store.prepare(schemas))
        except BelvedereError as error:
            self.journal.has_made(target, amending.still_lacking(connector, lacking), ())
            command.say(redacted(f"{target}: {error}; nothing is written there", connector.secrets))
            return error
        return None

    def amend(self, target: str, edits: Sequence[NamespaceEdit]) -> None:
        """Change namespaces that a target has; what cannot be changed is said."""
        if edits:
            self._unamended |= amending.amend(self.journal, self._configured.targets[target], edits)

    def take_rights(self, head: PlanHead) -> None:
        """Take back the rights that a plan takes back."""
        self._ungiven |= giving.take_back(self.journal, self._configured, head)

    def give(self, head: PlanHead, planned: DataFrame, wanted: DataFrame) -> None:
        """Give the rights and tags of a plan, none on views that are not as it has them.

        Args:
            head: Of the plan.
            planned: All of its changes.
            wanted: Those that a person has left in it.
        """
        if not any(target.rights.made or target.tags.made for target in head.targets.values()):
            return
        left_out = planned.where(f.col("action").isin(list(WRITING))).join(
            wanted.select(*KEY), KEY, "left_anti"
        )
        place = ("target", "namespace", "name")
        unready: dict[str, set[Identifier]] = {}
        for frame in (left_out, self.find_lost(wanted)):
            for row in frame.select(*place).collect() if frame is not None else ():
                view = Identifier(tuple(row["namespace"]), row["name"])
                unready.setdefault(row["target"], set()).add(view)
        self._ungiven |= giving.give(self.journal, self._configured, head, unready)
        self._untagged |= tagging.settle(self.journal, self._configured, head, unready)

    def write(
        self, changes: DataFrame, due: Mapping[str, int], counted: RowCounter, history: History
    ) -> None:
        """Write changes side by side, over no more connections than each target may have.

        Args:
            changes: Rows of `changes`.
            due: How many there are at most, by target.
            counted: Counts them.
            history: What their sources said, for targets that keep older versions.
        """
        events = []
        for target, number in due.items():
            store = self.connectors[target].store()
            write = counted(applying.apply_changes(self.connectors[target], self.journal.attempt))
            of_target = changes.where(changes["target"] == target)
            enriched = history(of_target) if store.keeps_history else of_target
            dealt = enriched.repartition(min(store.connections, ceil(number / _EACH)))
            events.append(dealt.mapInArrow(Carried(write), from_arrow_schema(EVENTS.schema)))
        self.journal.note(reduce(DataFrame.unionByName, events))

    def count(self, changes: DataFrame) -> None:
        """Count what the targets have answered to each of the changes; say what failed."""
        answered = changes.select(*KEY, "mine").join(self.journal.answers(), KEY, "left")
        counted = {
            (row["written"], row["mine"]): row["count"]
            for row in answered.groupBy("written", "mine").count().collect()
        }
        numbers = {
            is_written: sum(
                number for (written, _), number in counted.items() if written is is_written
            )
            for is_written in (True, False)
        }
        own, others = counted.get((None, True), 0), counted.get((None, False), 0)
        self._result = ExecutionResult(
            self._result.run, numbers[True] + own, numbers[False], others
        )
        if numbers[False]:
            tell_unwritten(self.journal.unwritten().join(changes.select(*KEY), KEY))

    def close(self, unclear: int = 0) -> ExecutionResult:
        """Say what it came to, and note that it has ended.

        Args:
            unclear: How many views it could not even look at.
        """
        amended = len(set(self.journal.read_amendments()) - self._unamended)
        result = replace(
            self._result,
            failed=self._result.failed + unclear,
            amended=amended,
            unamended=len(self._unamended),
            functions=len(set(self.journal.read_made_functions()) - self._unmade),
            unmade=len(self._unmade),
            rights=len(set(self.journal.read_given_rights()) - self._ungiven),
            ungiven=len(self._ungiven),
            tags=len(set(self.journal.read_changed_tags()) - self._untagged),
            untagged=len(self._untagged),
        )
        kept = f", {result.kept} already up to date" if result.kept else ""
        command.say(f"run {result.run}: {result.written} written, {result.failed} not{kept}")
        if result.amended or result.unamended:
            command.say(f"namespaces: {result.amended} changed, {result.unamended} not")
        if result.functions or result.unmade:
            command.say(f"functions: {result.functions} made or dropped, {result.unmade} not")
        if result.rights or result.ungiven:
            command.say(f"rights: {result.rights} given or taken back, {result.ungiven} not")
        if result.tags or result.untagged:
            command.say(f"tags: {result.tags} changed, {result.untagged} not")
        self.journal.end(result.exit_code)
        return result
