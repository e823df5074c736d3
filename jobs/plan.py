"""belvedere plan: what a migration would write, before anything is written.

Compares the views of a run that was assessed with what the targets hold, by the rules of `mapping`.
The folder that it writes is read, edited (delete a line of changes.jsonl, and it is out) and handed
to `belvedere apply`. Nothing else is written anywhere but in the warehouse.
"""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pyspark.sql import SparkSession

from discovery import __version__
from discovery.display import quantity, visible
from discovery.errors import ConfigurationError
from discovery.migration import deletion
from discovery.migration.mapping import tell_hidden
from discovery.ports import ASIDE
from jobs.answering.rights import rights_of
from jobs.assessing import tables as assessed
from jobs.configuration import identity
from jobs.configuration.loader import RunConfig
from jobs.configuration.shared_places import tell_shared_places
from jobs.console import command
from jobs.console.lending import targets_logged_in
from jobs.console.parsing import folder
from jobs.console.progress import progress
from jobs.console.session import spark_session
from jobs.crawling.including import asked_of
from jobs.migrating import accepting, changes, listings, namespaces, plan_folder
from jobs.migrating.called_functions import Calls
from jobs.migrating.heeding import heed_answers
from jobs.migrating.plan_folder import Destination, PlanHead, with_given
from jobs.migrating.plans import note_plan
from jobs.migrating.rights import plan_given_rights
from jobs.migrating.settling import settle
from jobs.migrating.stages import PLANNING
from jobs.migrating.tables import CHANGES, DECIDED
from jobs.migrating.tagging import plan_given_tags
from jobs.warehouse.locks import hold_lock
from jobs.warehouse.placing import place_errors, replace_file
from jobs.warehouse.runs import new_id, now
from jobs.warehouse.warehouse import Warehouse
from reports import markdown, plan_summary


@dataclass(frozen=True, slots=True)
class Paper:
    """Where a plan is written, and what of.

    Attributes:
        folder: Gets the plan; one that is there is replaced.
        file: The configuration, which `apply` takes again.
        delete: Whether views are dropped that earlier plans wrote and that no source has any more.
        shrunk: Whether a person says that sources have lost what they lack, however much it is.
        unattended: Whether nobody looks at it before it is applied: then nothing of others, view
            or namespace, is changed, and what was left half-way at a target is mended.
    """

    folder: Path
    file: Path
    delete: bool = False
    shrunk: bool = False
    unattended: bool = False


def plan_run(spark: SparkSession, config: RunConfig, run_id: str, paper: Paper) -> PlanHead:
    """Plan the migration of a run, and write the plan.

    Args:
        spark: The session.
        config: The configuration.
        run_id: A run that was crawled and assessed.
        paper: Where it is written.

    Raises:
        ConfigurationError: The run has not been assessed, or no target is configured.
    """
    plan = new_id()
    with (
        hold_lock(config.warehouse, f"plan {plan}", "plan", spark),
        targets_logged_in(config) as lent,
    ):
        settle(spark, lent, Warehouse(config.warehouse, spark), mends=paper.unattended)
        tried = heed_answers(lent, paper.file) if lent.tried is None else lent.tried
        return _plan(spark, replace(lent, tried=tried), run_id, paper, plan)


def _plan(spark: SparkSession, config: RunConfig, run_id: str, paper: Paper, plan: str) -> PlanHead:
    warehouse = Warehouse(config.warehouse, spark)
    _check(config, warehouse, run_id)
    command.say(f"planning run {run_id} for {', '.join(config.targets)}")
    with warehouse.sealing(PLANNING, plan):
        unseen = _decide_unseen(config, warehouse, run_id, paper)
        changes.write(spark, config, warehouse, plan, run_id, unseen)
        with progress(spark, "looking for what stands on what is not written"):
            calls = Calls(spark, warehouse, run_id)
            functions = calls.plan(config, warehouse.frame(spark, DECIDED, plan))
            missing = namespaces.missing(spark, config, warehouse, plan, run_id, functions)
            missing = _leave_out_edits(missing) if paper.unattended else missing
            changes.set_aside(spark, warehouse, plan, run_id, missing, unattended=paper.unattended)
    for target, why in changes.read_unlisted(warehouse, plan):
        command.say(f"{target}: {why}; nothing is planned for it")
    needed = calls.find_needed(functions, warehouse.frame(spark, CHANGES, plan))
    counts = changes.count_changes(spark, warehouse, plan, run_id)
    destinations = {
        name: Destination(
            terms.route.store,
            terms.route.why,
            terms.route.served,
            tuple((schema.levels, text) for schema, text in missing.of(name)),
            counts.get(name, {}),
            identity.of_target(config, name),
            missing.edits.get(name, ()),
            needed.get(name, ()),
            _reader(config, name),
        )
        for name, terms in config.terms.items()
    }
    rights = plan_given_rights(config, warehouse, plan, run_id, unattended=paper.unattended)
    named = (plan, run_id, now().isoformat(), __version__, str(paper.file.resolve()))
    targets = with_given(destinations, rights, plan_given_tags(config, warehouse, plan))
    head = PlanHead(*named, identity.of_mapping(config), targets, remarks=_remarks(config))
    with place_errors(paper.folder):
        _write(spark, warehouse, head, paper.folder, counts.get("", {}))
    note_plan(warehouse, head, digest=head.digest, allow_shrink=paper.shrunk)
    return head


def _remarks(config: RunConfig) -> tuple[str, ...]:
    """What is to be known of sources and rules before anything of them is written elsewhere."""
    bypasses = ((name, connector.bypasses()) for name, connector in config.sources.items())
    sentences = (f"The source {name} {bypass}." for name, bypass in bypasses if bypass)
    return (*sentences, *tell_hidden(config.rules), *tell_shared_places(config))


def _reader(config: RunConfig, target: str) -> str:
    """Who reads what is written to a target, and how that is known."""
    tried = (config.tried or {}).get(target)
    parts = (config.terms[target].route.reader, tried.summary if tried else "")
    return "; ".join(filter(None, parts))


def _leave_out_edits(missing: namespaces.Missing) -> namespaces.Missing:
    """What the views need, without changes of namespaces that are there; those are told."""
    for target, edits in missing.edits.items():
        if edits:
            unlike = quantity(len(edits), "namespace differs", "namespaces differ")
            command.say(f"{target}: {unlike} in comment or properties, which is left so")
    return replace(missing, edits={})


def _check(config: RunConfig, warehouse: Warehouse, run_id: str) -> None:
    if not config.targets:
        raise ConfigurationError("the configuration has no targets", hint="name one in `targets`")
    if any(term.rights for term in config.terms.values()):
        rights_of(warehouse, run_id, None)
    if not warehouse.is_written(assessed.WAVES, run_id):
        hint = "run `belvedere assess` first: a plan goes by its waves"
        raise ConfigurationError(f"run {run_id} has not been assessed", hint=hint)


def arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    command.with_config(parser)
    parser.add_argument("--run-id", metavar="ID", help="an assessed run; the latest by default")
    parser.add_argument(
        "--out", type=folder, default=Path("plan"), metavar="DIR", help="folder of the plan"
    )
    parser.add_argument(
        "--delete",
        action="store_true",
        help="also drop what earlier plans wrote and no source has any more",
    )
    parser.add_argument(
        deletion.SHRUNK,
        action="store_true",
        help="confirm that the sources have lost what the run lacks, however much that is",
    )
    command.with_json(parser, "what `plan.json` has, as one JSON object")


def run(args: argparse.Namespace) -> int:
    """Plan, and print what the plan came to."""
    spark = spark_session("plan")
    run_id = Warehouse(args.config.warehouse, spark).run(args.run_id).run_id
    command.about(run_id)
    paper = Paper(args.out, args.config_file, args.delete, args.allow_shrink)
    head = plan_run(spark, args.config, run_id, paper)
    if args.json:
        command.show(json.dumps(head.to_json()))
    else:
        summary = (args.out / plan_folder.SUMMARY).read_text(encoding="utf-8")
        command.show(markdown.plain(summary), end="")
    apply = command.next_command(args.config_file, "apply", args.out)
    then = f"read {args.out / plan_folder.SUMMARY}, then {apply}"
    return command.end(reasons(spark, args.config, head, paper), then)


def reasons(
    spark: SparkSession, config: RunConfig, head: PlanHead, paper: Paper
) -> list[command.ExitReason]:
    """Why planning does not end with 0: what is not dropped, and what is set aside, by target.

    What is accepted is none.
    """
    warehouse = Warehouse(config.warehouse, spark)
    valid = config.accepted.valid(now().date())
    excused = accepting.count_excused(warehouse, head.plan, valid)
    if number := excused.total():
        command.say(f"{number:,} that the plan sets aside are accepted")
    return [*doubts(warehouse, head.crawl, paper), *aside(head, paper.folder, excused)]


def doubts(warehouse: Warehouse, run_id: str, paper: Paper) -> list[command.ExitReason]:
    """Why what a run has not seen is not dropped, if it was to be."""
    if not paper.delete:
        return []
    if why := listings.why_outdated(warehouse, run_id):
        then = "crawl again, and plan that run"
        return [command.ExitReason(command.FINDINGS, f"nothing is dropped: {why}", then)]
    if not (why := _why_doubted(warehouse, run_id, paper)):
        return []
    by_hand = ("--run-id", run_id, "--delete", deletion.SHRUNK, "--out", "by-hand")
    planned = command.next_command(paper.file, "plan", *by_hand)
    applied = command.next_command(paper.file, "apply", "by-hand", "--delete")
    then = f"look what the source shows to its user; if it has lost that: {planned} && {applied}"
    return [command.ExitReason(command.FINDINGS, f"nothing is dropped: {why}", then)]


def aside(
    head: PlanHead, folder: Path, excused: Mapping[tuple[str, str], int]
) -> list[command.ExitReason]:
    """What a plan sets aside, by target, but for what is excused, by target and action."""
    exit_reasons = []
    then = f"see {folder / plan_folder.SUMMARY} for which, and what would be right"
    for name, target in head.targets.items():
        left = {word: target.counts.get(word, 0) - excused.get((name, word), 0) for word in ASIDE}
        aside = {word: number for word, number in left.items() if number}
        if aside:
            summary = " and ".join(f"{number:,} {word}" for word, number in aside.items())
            sentence = f"{name}: the plan sets views aside: {summary}"
            exit_reasons.append(command.ExitReason(command.FINDINGS, sentence, then))
        for kind, given in (("rights", target.rights), ("tags", target.tags)):
            if given.blocked:
                sentence = f"{name}: {kind} are not given, {given.blocked:,} reasons"
                exit_reasons.append(command.ExitReason(command.FINDINGS, sentence, then))
    return exit_reasons


def main(argv: Sequence[str] | None = None) -> int:
    """The command, for the console script and for spark-submit."""
    return command.execute(__doc__, arguments, run, argv)


def _decide_unseen(
    config: RunConfig, warehouse: Warehouse, run_id: str, paper: Paper
) -> deletion.Unseen:
    """What is made of what a run did not see; where it may be there, says why."""
    run = warehouse.run(run_id)
    unseen = deletion.why_unseen(listings.seen_by(run))
    why = (
        unseen or listings.why_outdated(warehouse, run_id) or _why_doubted(warehouse, run_id, paper)
    )
    if why and paper.delete:
        command.say(f"nothing is dropped: {why}")
    asked = asked_of(run.record, config.sources)
    return deletion.Unseen(not why, paper.delete and not why, asked, paper.shrunk)


def _why_doubted(warehouse: Warehouse, run_id: str, paper: Paper) -> str:
    """Why it is doubted that what a run has not seen is gone, though it was seen whole."""
    if paper.shrunk or not listings.seen_by(warehouse.run(run_id)).complete:
        return ""
    return listings.why_doubted(warehouse, run_id)


def _write(
    spark: SparkSession, warehouse: Warehouse, head: PlanHead, folder: Path, stays: dict[str, int]
) -> None:
    """Write the folder; its head last, as without it there is no plan."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / plan_folder.HEAD).unlink(missing_ok=True)
    chosen = changes.read_lines(spark, warehouse, head.plan, changes.IS_OFFERED)
    plan_folder.write_lines(folder / plan_folder.CHANGES, chosen)
    plan_folder.write_edits(folder, head.targets)
    aside = changes.read_lines(spark, warehouse, head.plan, changes.IS_ASIDE)
    plan_folder.write_lines(folder / plan_folder.SET_ASIDE, aside)
    summary = plan_summary.render(
        head.to_json(), sum(stays.values()), changes.reasons(spark, warehouse, head.plan)
    )
    (folder / plan_folder.SUMMARY).write_text(summary, encoding="utf-8")
    text = visible(json.dumps(head.to_json(), indent=1, ensure_ascii=False))
    replace_file(folder / plan_folder.HEAD, f"{text}\n".encode())


if __name__ == "__main__":
    sys.exit(main())
