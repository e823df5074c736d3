"""What the warehouse knows of an execution: its intents, its answers, what it has made.

Everything is noted before it is done, or as it is done. Each attempt at an execution appends; what
a killed one has left out is asked of the target before anything else is written.
"""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from functools import reduce
from typing import Final

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f
from pyspark.sql.pandas.types import from_arrow_schema

from connectors.registry import Connector
from discovery.migration.execution import Execution, History, Prepared, Undoing, behind, made_by
from discovery.migration.functions import FunctionChange, function_change_of_json
from discovery.migration.namespaces import NamespaceEdit, edit_of_json
from discovery.namespaces import Levels
from discovery.rights.changes import RightsChange, rights_change_of_json
from discovery.tags import TagChange, tag_change_of_json
from jobs.console import command
from jobs.migrating.adopting import take_drafts
from jobs.migrating.noted_executions import executions, read_ends
from jobs.migrating.our_writes import writes_of
from jobs.migrating.plans import read_plans
from jobs.migrating.stages import EXECUTING
from jobs.migrating.tables import APPLIED, APPLIES, EVENTS, INTENDED, KEY, PREPARED, WRITTEN
from jobs.migrating.workers import applying
from jobs.migrating.workers.applying import Attempt
from jobs.warehouse.carried import Carried
from jobs.warehouse.frames import frame_of
from jobs.warehouse.locks import hold_lock
from jobs.warehouse.runs import new_id, now
from jobs.warehouse.warehouse import Warehouse

_SKEW: Final = timedelta(seconds=1)  # clocks of two machines differ by less
_PARTS: Final = ("edit", "function", "right", "tag")
"""The last columns of `PREPARED`: what of it a row is about; none: a namespace that was made."""


@contextmanager
def alone(
    spark: SparkSession, place: str, plan: str, does: str, targets: Collection[str] = ()
) -> Iterator[None]:
    """Carry out a plan, or take it back, while nobody else does; the dead are taken over from.

    Whoever takes back what one plan wrote, while another plan writes there, would drop what that
    has found to be as it is to be.

    Args:
        spark: The session.
        place: Of the warehouse.
        plan: Its name.
        does: The command.
        targets: The targets that it writes, where no other plan is to be at work either.

    Raises:
        LockedError: Somebody else is at it; names who.
    """
    with ExitStack() as stack:
        dead = stack.enter_context(hold_lock(place, f"plan {plan}", does, spark))
        for target in sorted(targets):
            stack.enter_context(hold_lock(place, f"target {target}", does, spark))
        if dead is not None:
            command.say(f"taking over from {dead}, which has died")
        yield


def history(warehouse: Warehouse) -> History:
    """What has been executed in a warehouse, and what of it has been taken back."""
    noted = executions(warehouse)
    finished = read_ends(warehouse, {execution.run: execution.started for execution in noted})
    known = tuple(
        Execution(
            run=execution.run,
            plan=execution.plan,
            started=execution.started,
            finished=finished[execution.run],
        )
        for execution in noted
    )
    undoings = tuple(
        Undoing(plan=noted_plan.plan, undoes=noted_plan.undoes)
        for noted_plan in read_plans(warehouse)
        if noted_plan.undoes is not None
    )
    return History(known, undoings)


def begin(warehouse: Warehouse, plan: str, principal: str) -> Attempt:
    """A new execution of a plan, or the next attempt at one that was interrupted."""
    past = history(warehouse)
    ahead, latest = _measure_skew(warehouse, past), past.to_continue(plan)
    if latest is not None:
        command.say(f"going on with run {latest.run}, which was interrupted")
        return Attempt(latest.run, principal, new_id(), resumed=True, ahead=ahead)
    run = new_id()
    attempt = Attempt(run, principal, run, ahead=ahead)
    warehouse.note(APPLIES, run, (run, plan, principal, attempt.moment()))
    return attempt


def join(warehouse: Warehouse, run: str) -> Attempt:
    """An attempt that notes what an execution has written, and writes nothing itself."""
    (principal,) = {noted.principal for noted in executions(warehouse) if noted.run == run}
    return Attempt(run, principal, new_id(), ahead=_measure_skew(warehouse, history(warehouse)))


def _measure_skew(warehouse: Warehouse, past: History) -> timedelta:
    """What is added to the clock, so that what is noted now is later than all before; says so."""
    moment = now()
    ahead = behind(moment, _read_noted_times(warehouse, past))
    if ahead >= _SKEW:
        latest = (moment + ahead).isoformat(timespec="seconds")
        warning = f"the clock is behind what was noted before, at {latest}"
        command.say(f"{warning}: new events are stamped after that time")
    return ahead


def _read_noted_times(warehouse: Warehouse, past: History) -> Iterator[datetime]:
    """When executions began and ended; of one that has not ended, each time that it has noted."""
    for execution in past.executions:
        yield execution.started
        if execution.finished is not None:
            yield execution.finished
        else:
            for row in warehouse.table(EVENTS, execution.run, columns=("time",)):
                yield row["time"]


class Journal:
    """What is known of one execution.

    Args:
        spark: The session.
        warehouse: Where it is noted.
        attempt: The attempt that goes on.
    """

    def __init__(self, spark: SparkSession, warehouse: Warehouse, attempt: Attempt) -> None:
        self._spark = spark
        self._warehouse = warehouse
        self.attempt = attempt

    def intend(self, changes: DataFrame) -> None:
        """Note what is to be written, and what `applies` says of the execution."""
        execution = history(self._warehouse).execution(self.attempt.run)
        said = {
            "run": execution.run,
            "plan": execution.plan,
            "principal": self.attempt.principal,
            "started": execution.started,
        }
        rows = changes.withColumns({name: f.lit(value) for name, value in said.items()})
        self._warehouse.append(INTENDED, execution.run, rows.select(*INTENDED.names).coalesce(1))

    def find_intended(self, changes: DataFrame) -> DataFrame:
        """Those of a plan's changes that the execution was to write, as it was to write them.

        Of an execution of an older version, which noted none: all.
        """
        noted = self._warehouse.read_appended(self._spark, INTENDED, self.attempt.run)
        chosen = noted.select(*KEY, f.col("fingerprint").alias("chosen")).distinct()
        if noted.isEmpty():
            return changes
        adopted = f.col("chosen").eqNullSafe(f.col("draft_fingerprint"))
        return take_drafts(changes.join(chosen, KEY), adopted).drop("chosen")

    def note(self, events: DataFrame) -> None:
        """Append what targets have answered; to an execution that has ended, sealed anew."""
        self._warehouse.append(EVENTS, self.attempt.run, events)
        if self._warehouse.is_sealed(EXECUTING, self.attempt.run):
            self._warehouse.seal(EXECUTING, self.attempt.run)

    def events(self) -> DataFrame:
        """All that targets have answered."""
        return self._events_of(self.attempt.run)

    def written(self) -> DataFrame:
        """Target and key of what it has written, as far as that is noted."""
        return self.events().where(WRITTEN).select(*KEY).distinct()

    def unwritten(self) -> DataFrame:
        """The events of this attempt that say why something was not written."""
        return self.events().where((f.col("attempt") == self.attempt.name) & ~f.expr(WRITTEN))

    def answers(self) -> DataFrame:
        """Target and key of what this attempt has events of, and whether it is `written`."""
        events = self.events().where(f.col("attempt") == self.attempt.name)
        return events.groupBy(*KEY).agg(f.bool_and(f.expr(WRITTEN)).alias("written"))

    def with_marks(self, changes: DataFrame) -> DataFrame:
        """Changes, with whether they are noted as written: by it (`mine`), by any (`noted`)."""
        written = self.written().withColumn("mine", f.lit(True))
        noted = written.select(*KEY).unionByName(self.elsewhere())
        if self.attempt.resumed:
            noted = noted.unionByName(self._made_by_others(changes))
        marked = changes.join(written, KEY, "left").join(
            noted.distinct().withColumn("noted", f.lit(True)), KEY, "left"
        )
        marks = {name: f.coalesce(name, f.lit(False)) for name in ("mine", "noted")}
        return marked.withColumns(marks)

    def find(
        self, changes: DataFrame, targets: Mapping[str, Connector], *, mends: bool = True
    ) -> DataFrame:
        """Ask the targets what it has written without saying so, and note that.

        Args:
            changes: What it was to write.
            targets: By name.
            mends: Whether what it has left half-way there is brought to an end.

        Returns:
            Rows of `events` about the changes of which that cannot be told; they are not noted.
        """
        unknown = changes.join(self.written(), KEY, "left_anti")
        unknown = unknown.join(self.elsewhere(), KEY, "left_anti")
        unknown = unknown.join(self._made_by_others(changes), KEY, "left_anti").persist()
        asked = [
            unknown.where(unknown["target"] == name)
            .repartition(connector.store().connections)
            .mapInArrow(
                Carried(applying.find_written(connector, self.attempt, mends=mends)),
                from_arrow_schema(EVENTS.schema),
            )
            for name, connector in sorted(targets.items())
        ]
        if not asked or unknown.isEmpty():
            unknown.unpersist()
            return frame_of(self._spark, EVENTS.schema)
        events = reduce(DataFrame.unionByName, asked).localCheckpoint()
        unknown.unpersist()
        self.note(events.where(WRITTEN))
        return events.where(~f.expr(WRITTEN))

    def about_to_make(self, target: str, namespaces: Iterable[Levels]) -> None:
        """Note namespaces that are not there, before they are made."""
        self._note_prepared((target, levels, None, "") for levels in namespaces)

    def has_made(self, target: str, lacking: Iterable[Levels], made: Iterable[Levels]) -> None:
        """Note which of the namespaces that were not there it has made."""
        created = set(made)
        self._note_prepared((target, levels, levels in created, "") for levels in lacking)

    def amends(self, edits: Iterable[NamespaceEdit], *, made: bool | None = None) -> None:
        """Note changes of namespaces: before they are made, and whether they were."""
        rows = ((edit.target, edit.levels, made, json.dumps(edit.to_json())) for edit in edits)
        self._note_prepared(rows, "edit")

    def makes(self, changes: Iterable[FunctionChange], *, made: bool | None = None) -> None:
        """Note functions: before they are made or dropped, and whether they were."""
        rows = (
            (change.target, change.function.namespace, made, json.dumps(change.to_json()))
            for change in changes
        )
        self._note_prepared(rows, "function")

    def gives(self, changes: Iterable[RightsChange], *, made: bool | None = None) -> None:
        """Note rights: before they are given or taken back, and whether they were."""
        rows = ((change.target, (), made, json.dumps(change.to_json())) for change in changes)
        self._note_prepared(rows, "right")

    def tags(self, changes: Iterable[TagChange], *, made: bool | None = None) -> None:
        """Note changes of tags: before they are made, and whether they were."""
        rows = ((change.target, (), made, json.dumps(change.to_json())) for change in changes)
        self._note_prepared(rows, "tag")

    def read_made_namespaces(self) -> dict[str, list[Levels]]:
        """The namespaces that it has made, by target."""
        namespaces: dict[str, list[Levels]] = {}
        for target, levels, edit in sorted(self._read_made("edit")):
            if not edit:
                namespaces.setdefault(target, []).append(levels)
        return namespaces

    def read_amendments(self) -> list[NamespaceEdit]:
        """The changes of namespaces that it has made."""
        return [
            edit_of_json(json.loads(edit)) for _, _, edit in sorted(self._read_made("edit")) if edit
        ]

    def read_made_functions(self) -> list[FunctionChange]:
        """The functions that it has made or dropped."""
        rows = sorted(self._read_made("function"))
        return [function_change_of_json(json.loads(text)) for _, _, text in rows]

    def read_given_rights(self) -> list[RightsChange]:
        """The rights that it has given or taken back."""
        rows = sorted(self._read_made("right"))
        return [rights_change_of_json(json.loads(text)) for _, _, text in rows]

    def read_changed_tags(self) -> list[TagChange]:
        """The changes of tags that it has made."""
        return [
            tag_change_of_json(json.loads(text)) for _, _, text in sorted(self._read_made("tag"))
        ]

    def _read_made(self, column: str) -> set[tuple[str, Levels, str]]:
        """What it has made of what is noted about functions, rights, tags, or else namespaces."""
        return made_by(
            Prepared(
                row["attempt"],
                row["target"],
                tuple(row["namespace"]),
                row["made"],
                row[column] or "",
            )
            for row in self._warehouse.table(PREPARED, self.attempt.run)
            if column == next((name for name in _PARTS[1:] if row[name]), "edit")
        )

    def end(self, exit_code: int) -> None:
        """Seal what it has appended, and note that it has come to its end.

        In this order: before the seal an attempt goes on with what has not ended, and behind it
        `noted_executions` knows the end by the seal, and notes it where this one was killed.
        """
        self._warehouse.put_together(EXECUTING, self.attempt.run)
        self._warehouse.seal(EXECUTING, self.attempt.run)
        self._warehouse.note(
            APPLIED, self.attempt.run, (self.attempt.run, self.attempt.moment(), exit_code)
        )

    def of(self, run: str) -> "Journal":
        """That of another execution, to which this attempt adds."""
        attempt = replace(self.attempt, run=run)
        return Journal(self._spark, self._warehouse, attempt)

    def _note_prepared(
        self, rows: Iterable[tuple[str, Levels, bool | None, str]], part: str = ""
    ) -> None:
        """Note targets, namespaces, whether that was made, and what, in the column `part`."""
        prefix = (self.attempt.run, self.attempt.name)
        noted = [
            (
                *prefix,
                target,
                list(levels),
                made,
                *(text if name == part else None for name in _PARTS),
            )
            for target, levels, made, text in rows
        ]
        if noted:
            frame = frame_of(self._spark, PREPARED.schema, noted).coalesce(1)
            self._warehouse.append(PREPARED, self.attempt.run, frame)

    def elsewhere(self) -> DataFrame:
        """Target and key of what other executions of the plan have written, and hold still."""
        runs = history(self._warehouse).beside(self.attempt.run)
        frames = [self._events_of(run).where(WRITTEN).select(*KEY) for run in runs]
        nothing = frame_of(self._spark, INTENDED.schema).select(*KEY)
        return reduce(DataFrame.unionByName, frames, nothing).distinct()

    def _made_by_others(self, changes: DataFrame) -> DataFrame:
        """Target and key of the changes that other plans have made since this execution began."""
        past = history(self._warehouse)
        execution = past.execution(self.attempt.run)
        events = self._warehouse.read_appended(self._spark, EVENTS, "*").where(WRITTEN)
        later = events.where(~f.col("run").isin([*past.of(execution.plan)]))
        writes = writes_of(later.where(f.col("time") > f.lit(execution.started)))
        rewritten = changes.select(*KEY, "action", "fingerprint").join(writes, KEY)
        return rewritten.mapInArrow(
            Carried(applying.find_made_by_others), from_arrow_schema(applying.KEYS)
        )

    def _events_of(self, run: str) -> DataFrame:
        return self._warehouse.read_appended(self._spark, EVENTS, run)
