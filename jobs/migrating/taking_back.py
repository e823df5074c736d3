"""How what a run has written is taken back: by a plan that is the inverse of what it wrote.

That plan stands from the moment that an undo begins; the run it takes back has ended then, whatever
became of it, and whoever applies its plan next begins anew. What a killed run has written is asked
of the targets and noted before anything is taken back.
"""

import json
from dataclasses import replace
from typing import Final

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f
from pyspark.sql.pandas.types import from_arrow_schema

from connectors.clients.credentials import redacted
from discovery import __version__
from discovery.errors import BelvedereError, ConfigurationError, EvidenceError
from discovery.migration.functions import FunctionChange
from discovery.migration.namespaces import NamespaceEdit
from discovery.model import dotted
from discovery.namespaces import Levels
from discovery.ports import WRITING, Action
from discovery.rights.changes import RightsChange
from discovery.rights.granting import GivenRights
from discovery.tags import GivenTags, TagChange
from jobs.configuration.loader import RunConfig
from jobs.console import command
from jobs.console.progress import progress
from jobs.migrating import execution, journal
from jobs.migrating.execution import Running
from jobs.migrating.execution_result import ExecutionResult
from jobs.migrating.journal import Journal
from jobs.migrating.noted_executions import executions
from jobs.migrating.plan_folder import Destination, PlanHead, targets_of
from jobs.migrating.plans import NotedPlan, find_plan, note_plan
from jobs.migrating.selecting import select_all
from jobs.migrating.stages import EXECUTING, INVERTING
from jobs.migrating.tables import CHANGES, EVENTS, KEY
from jobs.migrating.workers import planning
from jobs.migrating.workers.applying import Attempt
from jobs.warehouse.carried import Carried
from jobs.warehouse.runs import now
from jobs.warehouse.warehouse import Warehouse

_SHOWN: Final = 10  # of what remains or is not taken back, on the terminal
_UNPROVEN: Final = (
    "the manifest of what it has noted is missing, so some of that may be: the targets are asked "
    "for every view of it; of namespaces, functions, rights and tags, those that are noted are "
    "taken back"
)


def plan_of(warehouse: Warehouse, run_id: str) -> str:
    """The plan that a run of `apply` carried out.

    Raises:
        ConfigurationError: There is no such run.
        EvidenceError: Its row is lost, and its journal has none.
    """
    plans = {execution.run: execution.plan for execution in executions(warehouse)}
    if run_id not in plans:
        if any(warehouse.is_written(dataset, run_id) for dataset in EXECUTING.datasets):
            why = f"applies of {run_id}: its row is missing, which says what plan it carried out"
            raise EvidenceError(why, hint=EXECUTING.again)
        runs = ", ".join(plans) or "none at all"
        raise ConfigurationError(f"no run {run_id} of apply", hint=f"runs: {runs}")
    plan: str = plans[run_id]
    return plan


def targets_written(warehouse: Warehouse, run_id: str) -> tuple[str, ...]:
    """The targets of the plan that a run of `apply` carried out.

    Raises:
        ConfigurationError: There is no such run.
        EvidenceError: What the warehouse has of its plan is lost.
    """
    return tuple(json.loads(_read_plan(warehouse, plan_of(warehouse, run_id)).targets))


def _read_plan(warehouse: Warehouse, name: str) -> NotedPlan:
    """A plan that was carried out.

    Raises:
        EvidenceError: It is lost.
    """
    plan = find_plan(warehouse, name)
    if plan is None:
        why = f"plans of {name}: its row is missing, or cannot be read"
        raise EvidenceError(why, hint=EXECUTING.again)
    return plan


def take_back(
    spark: SparkSession, configured: RunConfig, warehouse: Warehouse, run_id: str, principal: str
) -> ExecutionResult:
    """Take a run back, or go on with that; its plan is locked by the caller.

    Raises:
        ConfigurationError: One of its targets is not configured, or not as it was.
        EvidenceError: What the warehouse has of its plan is lost.
    """
    name = plan_of(warehouse, run_id)
    plan = _read_plan(warehouse, name)
    targets = targets_of(json.loads(plan.targets))
    execution.check_targets(configured, targets)
    if not warehouse.is_written(CHANGES, name):
        hint = "what it wrote is still in the table `events`"
        raise ConfigurationError(f"the changes of run {run_id} were pruned: no way back", hint=hint)
    done = Journal(spark, warehouse, Attempt(run_id, principal, run_id))
    back = [function.inverse for function in done.read_made_functions()]
    given = [right.inverse for right in done.read_given_rights()]
    tags = [tag.inverse for tag in done.read_changed_tags()]
    bare = _inverses(targets, done.read_amendments(), back, given, tags)
    head = _begin(warehouse, plan, run_id, bare)
    undo_journal = Journal(spark, warehouse, journal.begin(warehouse, head.plan, principal))
    run_journal = undo_journal.of(run_id)
    unclear = _find_unnoted(spark, configured, warehouse, undo_journal, run_journal)
    if not journal.history(warehouse).execution(run_id).ended:
        run_journal.end(command.FINDINGS)
    changes = run_journal.find_intended(warehouse.frame(spark, CHANGES, name))
    written = changes.join(run_journal.written(), KEY, "left_semi")
    left = written.join(undo_journal.elsewhere(), KEY, "left_anti")
    warehouse.write(CHANGES, head.plan, _inverted(left, run_id))
    warehouse.seal(INVERTING, head.plan)
    wanted = select_all(warehouse.frame(spark, CHANGES, head.plan))
    running = execution.carry_out(spark, configured, warehouse, head, wanted, undo_journal.attempt)
    _drop_functions(running, head, is_whole=not unclear and running.find_lost(changes) is None)
    _remove_namespaces(configured, run_journal.read_made_namespaces(), targets)
    execution_result = running.close(unclear)
    _tell_remains(undo_journal.events())
    return execution_result


def _inverted(written: DataFrame, run_id: str) -> DataFrame:
    """The changes that take back those that a run has written."""
    return written.select(*CHANGES.names).mapInArrow(
        Carried(planning.take_changes_back(run_id)), from_arrow_schema(CHANGES.schema)
    )


def _inverses(
    targets: dict[str, Destination],
    amended: list[NamespaceEdit],
    back: list[FunctionChange],
    given: list[RightsChange],
    tags: list[TagChange],
) -> dict[str, Destination]:
    """The targets of a plan that takes back what was done beside the views."""
    return {
        name: replace(
            target,
            namespaces=(),
            counts={},
            edits=tuple(edit.inverse for edit in amended if edit.target == name),
            functions=tuple(change for change in back if change.target == name),
            rights=GivenRights(
                tuple(
                    sorted(
                        (rights_change for rights_change in given if rights_change.target == name),
                        key=_step,
                    )
                )
            ),
            tags=GivenTags(tuple(tag for tag in tags if tag.target == name)),
        )
        for name, target in targets.items()
    }


def _step(change: RightsChange) -> int:
    return change.step


def _drop_functions(running: Running, head: PlanHead, *, is_whole: bool) -> None:
    """Drop the functions that a run made, once all of its views are taken back."""
    for target, destination in head.targets.items():
        drops = [change for change in destination.functions if change.action is Action.DROP]
        if is_whole:
            running.make_functions(target, drops)
        else:
            running.keep_functions(drops)


def _begin(
    warehouse: Warehouse, plan: NotedPlan, run_id: str, bare: dict[str, Destination]
) -> PlanHead:
    """The plan that takes a run back, noted: from now on, nothing goes on with that run."""
    named = (f"undo-{run_id}", plan.crawl, now().isoformat(), __version__, "", "")
    head = PlanHead(*named, bare, undoes=run_id)
    note_plan(warehouse, head)
    return head


def _find_unnoted(
    spark: SparkSession,
    configured: RunConfig,
    warehouse: Warehouse,
    undo_journal: Journal,
    run_journal: Journal,
) -> int:
    """Ask what a run has written and not noted; of how many views nobody can tell.

    Of a run that ended, only what failed is asked, as a write whose answer was lost may have taken
    effect, and what an earlier undo could not tell; where nothing proves that all it has noted is
    there, it is asked like one that was killed.
    """
    history = journal.history(warehouse)
    execution = history.execution(run_journal.attempt.run)
    changes = run_journal.find_intended(warehouse.frame(spark, CHANGES, execution.plan))
    asked = changes.where(changes["action"].isin(list(WRITING)))
    proven = warehouse.is_sealed(EXECUTING, execution.run)
    if execution.ended and not proven:
        command.say(f"run {execution.run}: {_UNPROVEN}")
    elif execution.ended:
        doubtful = run_journal.events().where("result = 'failed'").select(*KEY)
        for run in history.of(history.execution(undo_journal.attempt.run).plan):
            doubtful = doubtful.unionByName(undo_journal.of(run).events().select(*KEY))
        asked = asked.join(doubtful.distinct(), KEY, "left_semi")
    refused = run_journal.events().where("result = 'refused'").select(*KEY).distinct()
    with progress(spark, "looking for what was written"):
        unclear = run_journal.find(asked, configured.targets).join(refused, KEY, "left_anti")
        number = unclear.count()
    if number:
        owner = f.lit(undo_journal.attempt.run)
        undo_journal.note(unclear.withColumn("run", owner).select(*EVENTS.names))
        command.say(f"left in place, as nobody can tell who wrote it ({number}; see `events`):")
        for row in unclear.orderBy("target", "key").limit(_SHOWN).collect():
            place = dotted((*row["namespace"], row["name"]))
            command.say(f"  {row['target']}: {place}: {row['message']}")
    return number


def _remove_namespaces(
    configured: RunConfig, namespaces: dict[str, list[Levels]], targets: dict[str, Destination]
) -> None:
    """Remove the namespaces that a run made, where nothing is in them now; say what stays."""
    for target in targets:
        connector, created = configured.targets[target], namespaces.get(target, [])
        try:
            with connector.store() as store:
                left = store.remove(created) if created else ()
        except BelvedereError as error:
            command.say(redacted(f"{target}: {error}; its namespaces stay", connector.secrets))
        else:
            for levels in left:
                command.say(f"{target}: the namespace {dotted(levels)} is not empty and stays")
            if store.lasting:
                stays = ", ".join(store.lasting)
                command.say(f"{target}: what the run may have made for all, and stays: {stays}")


def _tell_remains(events: DataFrame) -> None:
    """Print some of what remains, and how much there is."""
    remains = events.select(f.explode("remains").alias("one")).distinct()
    if number := remains.count():
        command.say(f"what remains ({number}; all of it is in `events`, column `remains`):")
        for row in remains.orderBy("one").limit(_SHOWN).collect():
            command.say(f"  {row['one']}")
