"""belvedere verify: read every view of a plan back and compare it with what was planned.

Field by field, those that the plan found there already included; of audit data who made a view and
when, where the target keeps that. A view that differs, or could not be read back, is a row of
`verified` with what is the matter; a namespace is printed. With --live, running engines are asked
at the targets whether they show the columns that were planned: nothing is asked that reads rows.
With --rows they are: where an engine shows a source and its target, a sample of each view is
compared, and no value of it is printed.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pyspark.sql import DataFrame, Row, SparkSession
from pyspark.sql import functions as f
from pyspark.sql.pandas.types import from_arrow_schema

from connectors.clients.credentials import redacted
from connectors.registry import Connector
from discovery import wire
from discovery.display import quantity
from discovery.errors import BelvedereError, ConfigurationError
from discovery.judging.same_rows import MOST
from discovery.migration.functions import FunctionChange
from discovery.migration.namespaces import unlike
from discovery.model import dotted
from jobs.configuration.loader import RunConfig
from jobs.console import command
from jobs.console.lending import targets_logged_in
from jobs.console.progress import RowCounter, counting
from jobs.console.session import spark_session
from jobs.migrating import asking, execution, giving, plan_folder, tagging
from jobs.migrating.arguments import with_plan
from jobs.migrating.asking import AskedAt
from jobs.migrating.journal import alone, history
from jobs.migrating.plan_folder import Destination, PlanHead
from jobs.migrating.stages import VERIFYING
from jobs.migrating.tables import CHANGES, VERIFIED, VERIFIED_LIVE
from jobs.migrating.workers import applying
from jobs.warehouse.carried import Carried
from jobs.warehouse.frames import frame_of
from jobs.warehouse.warehouse import Warehouse

_SHOWN = 10  # differences that are printed; the table has all


@dataclass(frozen=True, slots=True)
class Verified:
    """What reading back came to.

    Attributes:
        views: How many were read back, by target.
        different: How many of them read back otherwise, or not at all, by target.
        namespaces: The namespaces that read back otherwise, by target: each with what differs.
        asked: What running engines said; None: they were not to be asked.
        functions: The functions that are not as they are to be, by target: each with how.
        rights: The same of rights.
        tags: The same of tags.
    """

    views: Mapping[str, int]
    different: Mapping[str, int]
    namespaces: Mapping[str, Sequence[str]] = field(default_factory=dict)
    asked: Sequence[AskedAt] | None = None
    functions: Mapping[str, Sequence[str]] = field(default_factory=dict)
    rights: Mapping[str, Sequence[str]] = field(default_factory=dict)
    tags: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @property
    def _beside(self) -> dict[str, Mapping[str, Sequence[str]]]:
        """What reads back otherwise, by target, of each kind of thing besides views."""
        return {
            "namespaces": self.namespaces,
            "functions": self.functions,
            "rights": self.rights,
            "tags": self.tags,
        }

    def to_json(self) -> dict[str, object]:
        """As data, for programs."""
        beside = {name: by_target for name, by_target in self._beside.items() if by_target}
        data: dict[str, object] = {"views": self.views, "different": self.different, **beside}
        if self.asked is not None:
            data["live"] = [asked_at.to_json() for asked_at in self.asked]
        return data

    @property
    def reasons(self) -> list[command.ExitReason]:
        """Why it does not end with 0: what read back otherwise, by target."""
        then = (
            "see the table `verified` of the plan, or `belvedere report`: each with its differences"
        )
        views = [
            command.ExitReason(
                command.FINDINGS,
                f"{target}: {quantity(number, 'view differs', 'views differ')} when read back",
                then,
            )
            for target, number in self.different.items()
            if number
        ]
        others = [
            command.ExitReason(
                command.FINDINGS,
                f"{target}: {len(differences):,} {name} differ when read back",
                "apply the plan again; what somebody else has changed since is planned anew",
            )
            for name, by_target in self._beside.items()
            for target, differences in by_target.items()
            if differences
        ]
        return [*views, *others, *self._live_reasons]

    @property
    def _live_reasons(self) -> Iterator[command.ExitReason]:
        """Why what running engines said is no good end: without an answer nothing is verified."""
        asked = self.asked or ()
        for asked_at in asked:
            yield from asked_at.reasons
        if asked and not any(asked_at.asked for asked_at in asked):
            sentence = "no engine was asked of any view: none has a text for one that shows it"
            then = (
                "see whether `targets` of the engines, or `copies`, names the targets of the plan"
            )
            yield command.ExitReason(command.FINDINGS, sentence, then)

    @property
    def exit_code(self) -> int:
        """3 if any read back otherwise."""
        return command.exit_code(self.reasons)


def verify_plan(
    spark: SparkSession,
    configured: RunConfig,
    folder: Path,
    *,
    live: bool = False,
    rows: int | None = None,
) -> Verified:
    """Read the views of a plan back, as it has been edited, and write `verified`.

    Args:
        spark: The session.
        configured: The configuration.
        folder: Of the plan.
        live: Whether running engines are asked, too.
        rows: How many rows of each view they are asked for; None: none.

    Raises:
        ConfigurationError: The plan is not one of this warehouse, or was edited otherwise than by
            rule; or engines are to be asked, and none can be.
        LockedError: Another process applies, undoes or verifies it.
    """
    if live:
        asking.insist_on_engines(configured, rows)
    plan = plan_folder.read_head(folder).plan
    with alone(spark, configured.warehouse, plan, "verify"):
        latest = history(Warehouse(configured.warehouse, spark)).to_continue(plan)
        if latest is not None:
            again = command.next_command(None, "apply", folder)
            command.say(f"run {latest.run}, which applies it, was interrupted: {again} goes on")
        return _verify(spark, configured, folder, live=live, rows=rows)


def _verify(
    spark: SparkSession, configured: RunConfig, folder: Path, *, live: bool, rows: int | None
) -> Verified:
    warehouse = Warehouse(configured.warehouse, spark)
    head, wanted = execution.read(spark, configured, warehouse, folder)
    holding = [target for target, destination in head.targets.items() if destination.store]
    kept = warehouse.frame(spark, CHANGES, head.plan).where("action = 'keep'")
    kept = kept.where(kept["target"].isin(holding))  # of another one, views stay at their source
    changes = wanted.changes.unionByName(kept.select(*wanted.changes.columns))
    with targets_logged_in(configured) as lent, warehouse.sealing(VERIFYING, head.plan):
        with counting(spark, "reading back", changes.count) as counted:
            warehouse.write(VERIFIED, head.plan, _read_views(spark, lent, changes, counted))
        if live:
            asking.write(spark, lent, head, changes, rows)
        else:
            warehouse.note(VERIFIED_LIVE, head.plan)
    return Verified(
        *_count_views(spark, configured, warehouse, head),
        _verify_namespaces(configured, head, wanted.targets),
        asking.print_answers(spark, configured, head, changes, rows) if live else None,
        *_verify_beside_views(configured, head),
    )


def _count_views(
    spark: SparkSession, configured: RunConfig, warehouse: Warehouse, head: PlanHead
) -> tuple[dict[str, int], dict[str, int]]:
    """How many views were read back, and how many of them otherwise, by target, printed."""
    views, different = Counter[str](), Counter[str]()
    counted = warehouse.count_rows(VERIFIED, head.plan, ("target", "differences"))
    for (target, differences), number in counted.items():
        views[target] += number
        different[target] += number if differences else 0
    for target, destination in head.targets.items():
        number, unequal = views.get(target, 0), different.get(target, 0)
        served = "" if destination.served else "; stored, not served"
        shown = ", the server asked, too" if configured.targets[target].server else ""
        counts = f"{number - unequal} equal, {unequal} different"
        read = f"read back {counts}{shown}{served}" if destination.store else "its views stay"
        command.say(f"{target}: {read}")
    for row in _read_unlike(spark, warehouse, head.plan) if different.total() else ():
        place = dotted((*row["namespace"], row["name"]))
        command.say(f"  {row['target']}: {place}: {', '.join(row['differences'])}")
    return views, different


def _read_unlike(spark: SparkSession, warehouse: Warehouse, plan: str) -> list[Row]:
    """The first of the views that read back otherwise."""
    verified = warehouse.frame(spark, VERIFIED, plan)
    other = f.col("differences") != f.array().cast("array<string>")
    return verified.where(other).orderBy("target", "key").limit(_SHOWN).collect()


def _verify_namespaces(
    configured: RunConfig, head: PlanHead, written: Collection[str]
) -> dict[str, list[str]]:
    """The namespaces that read back otherwise, by target, printed.

    Args:
        configured: The configuration.
        head: Of the plan.
        written: Where views are written: there, the plan has made namespaces, too.
    """
    by_target = {
        target: _find_differing_namespaces(
            configured.targets[target], destination, made=target in written
        )
        for target, destination in head.targets.items()
        if destination.namespaces or destination.edits
    }
    for target, lines in by_target.items():
        for line in lines:
            command.say(f"{target}: the namespace {line}")
    return by_target


def _verify_beside_views(configured: RunConfig, head: PlanHead) -> tuple[dict[str, list[str]], ...]:
    """The functions, rights and tags that are not as they are to be, by target."""
    rights = {
        target: len(destination.rights.changes) for target, destination in head.targets.items()
    }
    tags = {target: len(destination.tags.changes) for target, destination in head.targets.items()}
    return (
        _verify_functions(configured, head),
        _find_differing(configured, head, "rights", rights, giving.not_as_planned),
        _find_differing(configured, head, "tags", tags, tagging.not_as_planned),
    )


def _verify_functions(configured: RunConfig, head: PlanHead) -> dict[str, list[str]]:
    """The functions that are not as they are to be, by target, printed."""
    by_target = {}
    for target, destination in head.targets.items():
        if destination.functions:
            lines = _find_differing_functions(configured.targets[target], destination.functions)
            number = len(destination.functions)
            equal = number - len(lines)
            command.say(f"{target}: {quantity(equal, 'function')} as planned, {len(lines)} not")
            by_target[target] = lines
            for line in lines:
                command.say(f"{target}: the function {line}")
    return by_target


def _find_differing(
    configured: RunConfig,
    head: PlanHead,
    kind: str,
    planned: Mapping[str, int],
    not_as_planned: Callable[[RunConfig, PlanHead, str], list[str]],
) -> dict[str, list[str]]:
    """The rights, or tags, that are not as they are to be, by target; some are printed."""
    by_target = {}
    for target, number in planned.items():
        if number:
            secrets = configured.targets[target].secrets
            try:
                by_target[target] = not_as_planned(configured, head, target)
            except BelvedereError as error:
                by_target[target] = [f"not read back: {redacted(str(error), secrets)}"]
            command.say(f"{target}: {number} {kind} planned, {len(by_target[target])} differ")
            for line in by_target[target][:_SHOWN]:
                command.say(f"{target}: {line}")
    return by_target


def _find_differing_functions(
    connector: Connector, functions: Sequence[FunctionChange]
) -> list[str]:
    wanted = {function_change.function.place: function_change for function_change in functions}
    try:
        with connector.store() as store:
            present = {
                function.place: function for function in store.kept_functions.present([*wanted])
            }
    except BelvedereError as error:
        message = redacted(str(error), connector.secrets)
        return [f"{place}: not read back: {message}" for place in wanted]
    differences = {
        place: function_change.differences(present.get(place))
        for place, function_change in wanted.items()
    }
    return [f"{place}: {', '.join(parts)}" for place, parts in differences.items() if parts]


def _find_differing_namespaces(
    connector: Connector, destination: Destination, *, made: bool
) -> list[str]:
    """The namespaces that are not as they are to be, each with what differs.

    Args:
        connector: Of the target.
        destination: What the plan makes and changes there.
        made: Whether it has made any.
    """
    edits = {edit.levels: edit for edit in destination.edits}
    texts = destination.namespaces if made else ()
    schemas = {levels: wire.schema_from_text(text, levels) for levels, text in texts}
    try:
        with connector.store() as store:
            present = {
                namespace.levels: namespace for namespace in store.namespaces([*schemas, *edits])
            }
            held = {levels: store.hold_namespace(schema) for levels, schema in schemas.items()}
    except BelvedereError as error:
        message = redacted(str(error), connector.secrets)
        return [f"{dotted(levels)}: not read back: {message}" for levels in (*schemas, *edits)]
    differences = {levels: unlike(schema, present.get(levels)) for levels, schema in held.items()}
    differences |= {levels: edit.differences(present.get(levels)) for levels, edit in edits.items()}
    return [
        f"{dotted(levels)}: {', '.join(parts)}" for levels, parts in differences.items() if parts
    ]


def _read_views(
    spark: SparkSession,
    config: RunConfig,
    changes: DataFrame,
    counted: RowCounter,
) -> DataFrame:
    """Rows of `VERIFIED`; a target is asked over no more connections than it may have."""
    frame = frame_of(spark, VERIFIED.schema)
    for target, connector in config.targets.items():
        target_changes = changes.where(changes["target"] == target)
        dealt = target_changes.repartition(connector.store().connections)
        read = counted(applying.read_back(connector))
        frame = frame.unionByName(
            dealt.mapInArrow(Carried(read), from_arrow_schema(VERIFIED.schema))
        )
    return frame


def arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    with_plan(parser)
    parser.add_argument(
        "--live",
        action="store_true",
        help="also ask the engines that `engines` says show a target, of its views",
    )
    parser.add_argument(
        "--rows",
        type=int,
        metavar="N",
        help=f"with --live: compare up to N rows of each view, {MOST:,} at most; it reads data",
    )
    command.with_json(parser, "the counts, as one JSON object")


def run(args: argparse.Namespace) -> int:
    """Read back, and print what it came to."""
    if args.rows is not None and not args.live:
        raise ConfigurationError("--rows goes with --live", hint="pass both: engines are asked")
    spark = spark_session("verify")
    verified = verify_plan(spark, args.config, args.plan, live=args.live, rows=args.rows)
    if args.json:
        command.show(json.dumps(verified.to_json()))
    then = command.next_command(args.config_file, "report", "--out", "report")
    return command.end(verified.reasons, then)


def main(argv: Sequence[str] | None = None) -> int:
    """The command, for the console script and for spark-submit."""
    return command.execute(__doc__, arguments, run, argv)


if __name__ == "__main__":
    sys.exit(main())
