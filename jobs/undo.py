"""belvedere undo: take back what a run of apply has written.

Every view that the run wrote reads back as it was before, in all fields but ids, versions and
times; what somebody else has changed since is refused and named. Namespaces that the run made are
removed if they are empty. What remains, such as files and deleted rows, is listed.
"""

import argparse
import json
import sys
from collections.abc import Sequence

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as f

from connectors.clients.credentials import redacted
from discovery import __version__
from discovery.errors import BelvedereError, ConfigurationError
from discovery.model import dotted
from jobs.configuration.loader import RunConfig
from jobs.console import command
from jobs.console.session import spark_session
from jobs.migrating import execution
from jobs.migrating.execution import Told
from jobs.migrating.plan_folder import Destination, PlanHead, targets_of
from jobs.migrating.tables import APPLIES, CHANGES, EVENTS, PLANS, WRITTEN
from jobs.warehouse.warehouse import Warehouse, now

_SHOWN = 10  # of what remains, on the terminal


def undo_run(spark: SparkSession, configured: RunConfig, run_id: str, principal: str) -> Told:
    """Undo a run of `apply`, or go on with undoing it.

    Raises:
        ConfigurationError: There is no such run, or one of its targets is not configured.
    """
    warehouse = Warehouse(configured.warehouse, spark)
    applied = next((row for row in warehouse.table(APPLIES, "*") if row["run"] == run_id), None)
    if applied is None:
        known = ", ".join(row["run"] for row in warehouse.table(APPLIES, "*")) or "none at all"
        raise ConfigurationError(f"no run {run_id} of apply", hint=f"runs: {known}")
    plan = next(row for row in warehouse.table(PLANS, "*") if row["plan"] == applied["plan"])
    targets = targets_of(json.loads(plan["targets"]))
    execution.check_targets(configured, targets)
    head = _plan(spark, warehouse, plan["crawl"], plan["plan"], run_id, targets)
    wanted = execution.every(warehouse.frame(spark, CHANGES, head.plan))
    told = execution.apply(spark, configured, warehouse, head, wanted, principal)
    _remove_namespaces(configured, targets)
    _tell_remains(warehouse.appended(spark, EVENTS, told.run))
    return told


def arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    command.with_config(parser)
    command.with_principal(parser)
    parser.add_argument("run", metavar="RUN", help="the run of apply, as apply has printed it")
    command.with_json(parser, "its run and the numbers of views, as one JSON object")


def run(args: argparse.Namespace) -> int:
    """Undo, and print what it came to."""
    told = undo_run(spark_session("undo"), args.config, args.run, args.principal)
    if args.json:
        print(told.to_json())
    else:
        print(f"{told.written} taken back, {told.failed} not")
    return told.exit_code


def main(argv: Sequence[str] | None = None) -> int:
    """The command, for the console script and for spark-submit."""
    return command.execute(__doc__, arguments, run, argv)


def _tell_remains(events: DataFrame) -> None:
    """Print some of what remains, and how much there is."""
    remains = events.select(f.explode("remains").alias("one")).distinct()
    if number := remains.count():
        command.say(f"what remains ({number}; all of it is in `events`, column `remains`):")
        for row in remains.orderBy("one").limit(_SHOWN).collect():
            command.say(f"  {row['one']}")


def _plan(
    spark: SparkSession,
    warehouse: Warehouse,
    crawl: str,
    plan: str,
    run_id: str,
    targets: dict[str, Destination],
) -> PlanHead:
    """The plan that takes a run back: its journal, inverted. Made anew, it is the same."""
    name = f"undo-{run_id}"
    events = warehouse.appended(spark, EVENTS, run_id).where(WRITTEN)
    written = events.select("target", "key", "after").distinct()
    changes = warehouse.frame(spark, CHANGES, plan).join(written, ["target", "key"])
    warehouse.write(CHANGES, name, changes.select(*_inverted(run_id)))
    bare = {
        target: Destination(one.store, one.route, one.served) for target, one in targets.items()
    }
    head = PlanHead(name, crawl, now().isoformat(), __version__, "", bare, undoes=run_id)
    row = (name, crawl, now(), run_id, json.dumps(head.to_json()["targets"]))
    warehouse.note(PLANS, name, row)
    return head


def _inverted(run_id: str) -> list[Column]:
    """The columns of a change that takes another one back."""
    adopted = f.col("after").eqNullSafe(f.col("draft_fingerprint"))
    mine = f.when(adopted, f.col("draft")).otherwise(f.col("model"))
    was_there = f.col("expected").isNotNull()
    action = (
        f.when(~was_there, "drop").when(f.col("action") == "drop", "create").otherwise("replace")
    )
    inverse = {
        "action": action,
        "change": f.concat(f.lit("undo-"), "change"),
        "wave": -f.col("wave"),
        "reason": f.lit(f"undoes run {run_id}"),
        "losses": f.array().cast("array<string>"),
        "fingerprint": f.when(was_there, f.col("expected")).otherwise(f.col("after")),
        "model": f.when(was_there, f.col("before")).otherwise(mine),
        "drafts": f.array().cast("array<string>"),
        "draft_fingerprint": f.lit(None).cast("string"),
        "draft": f.lit(None).cast("string"),
        "expected": f.col("after"),
        "before": mine,
    }
    return [inverse.get(name, f.col(name)).alias(name) for name in CHANGES.names]


def _remove_namespaces(configured: RunConfig, targets: dict[str, Destination]) -> None:
    """Remove the namespaces that the plan made, where nothing is in them now; say what stays."""
    for target, destination in targets.items():
        connector = configured.targets[target]
        made = [levels for levels, _ in destination.namespaces]
        try:
            with connector.store() as store:
                left = store.remove(made) if made else ()
        except BelvedereError as error:
            command.say(redacted(f"{target}: {error}; its namespaces stay", connector.secrets))
        else:
            for levels in left:
                command.say(f"{target}: the namespace {dotted(levels)} is not empty and stays")
            if store.lasting:
                stays = ", ".join(store.lasting)
                command.say(f"{target}: what the run may have made for all, and stays: {stays}")


if __name__ == "__main__":
    sys.exit(main())
