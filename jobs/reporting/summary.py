"""The head of a report: what its parts add up to, and the tables that have no row per view."""

from collections import Counter
from collections.abc import Mapping
from itertools import groupby
from typing import Any, Final

from discovery.judging.asking import VERDICT_WORDS
from discovery.judging.standing import Standing
from discovery.ports import ASIDE
from jobs.console import command
from jobs.migrating import tables as migrating
from jobs.reporting import quality_tables
from jobs.reporting.blockers import waves
from jobs.reporting.run_tables import RunTables
from jobs.warehouse.runs import Run
from jobs.warehouse.warehouse import Warehouse
from reports.head import (
    Counts,
    Drift,
    Judge,
    QualityResult,
    ReaderLine,
    ReportHead,
    RunFacts,
    TargetAccess,
    TargetPlan,
)
from reports.tallies import LossTally, ViewTally
from reports.thresholds import SEVERITIES

_OWNERS: Final = 1_000  # more owners than that are no sign-off list


def head(
    tables: RunTables, run: Run, views: ViewTally, lost: LossTally, drift: Drift | None
) -> ReportHead:
    """Put together what is said of the run as a whole.

    Args:
        tables: Of the run.
        run: Its row.
        views: The counts of all rows of the report.
        lost: Those of what was lost or skipped.
        drift: The comparison with an earlier run, if there is one.
    """
    sources, fates = views.by_two("sources"), views.by_two("outcomes")
    assessed = tables.is_written("matrix")
    losses = lost.summed()
    severities = views.by("severities")
    return ReportHead(
        run=run_facts(run),
        total=sum(number for tally in fates.values() for number in tally.values()),
        failures=sum(fates.get("failure", {}).values()),
        unlisted=sum(loss.number for loss in losses if loss.sort == "unlisted"),
        standing={word: sum(tally.get(word, 0) for tally in sources.values()) for word in Standing},
        sources=sources,
        owners=_owners(views.by_two("owners")),
        formats=fates.get("view", {}),
        engines=views.by_two("engines") if assessed else None,
        rejections=views.by_two("rejections") if assessed else {},
        judges=_judges(views) if assessed else (),
        parsed=views.by("parsed") if assessed else {},
        severities={word: severities.get(word, 0) for word in SEVERITIES} if assessed else None,
        causes=views.causes.summed(),
        waves=waves(views) if tables.is_written("waves") else None,
        losses=losses,
        plan=_count_planned(tables),
        different=_count_different(tables),
        drift=drift,
        use=views.by("use") if tables.is_written("view_usage") else None,
        quality=_read_quality(tables.warehouse, run.run_id),
    )


def run_facts(run: Run) -> RunFacts:
    """The row of `runs`, as a report shows it."""
    record = run.record
    return RunFacts(
        run.run_id,
        run.started.isoformat(timespec="seconds"),
        run.finished.isoformat(timespec="seconds"),
        run.version,
        run.exit_code,
        record.seconds,
        record.sources,
        record.addresses,
    )


def _read_quality(warehouse: Warehouse, run_id: str) -> QualityResult | None:
    """What a check of quality found; None where there was none, or where it did not end."""
    if warehouse.is_interrupted(run_id, quality_tables.CHECKING.name):
        why = "its check has not ended, or was interrupted: nothing is said of it"
        command.say(f"quality: {why}; {quality_tables.CHECKING.remedy(run_id)}")
        return None
    return quality_tables.summed(warehouse.table(quality_tables.QUALITY, run_id))


def _owners(counted: Mapping[str, Counts]) -> dict[str, Counts]:
    """By owner, of those with most views if there are very many."""
    owners = sorted(counted, key=lambda owner: (-sum(counted[owner].values()), owner))[:_OWNERS]
    return {owner: counted[owner] for owner in sorted(owners)}


def _judges(views: ViewTally) -> tuple[Judge, ...]:
    judges = []
    for judge, group in groupby(views.each("judges"), key=lambda judged: judged[:3]):
        counts = {verdict: number for *_, verdict, number in group}
        yes, no, neither = (counts.get(word, 0) for word in VERDICT_WORDS.values())
        engine, version, grade = judge
        judges.append(Judge(engine, version, yes, no, neither, grade))
    return tuple(judges)


def _count_planned(tables: RunTables) -> tuple[TargetPlan, ...] | None:
    """The targets of the latest plan, with the number of views by action."""
    if tables.plan is None:
        return None
    named = ("target", "action", "drafts")
    counted = tables.warehouse.count_rows(migrating.CHANGES, tables.plan, named)
    actions: dict[str, Counter[str]] = {}
    waiting: Counter[str] = Counter()
    for (target, action, drafts), number in sorted(counted.items(), key=str):
        actions.setdefault(target, Counter())[action] += number
        waiting[target] += number if drafts and action in ASIDE else 0
    return tuple(
        TargetPlan(
            name,
            destination["store"],
            destination["route"],
            destination["served"],
            actions.get(name, {}),
            destination.get("reader", ""),
            _access(destination.get("rights")),
            waiting[name],
        )
        for name, destination in sorted(tables.destinations.items())
    )


def _access(rights: Mapping[str, Any] | None) -> TargetAccess | None:
    """Who reads what before and after, as a plan says; None: it gives no rights."""
    access = (rights or {}).get("access")
    if not access or not access["counts"]:
        return None
    return TargetAccess(access["counts"], tuple(ReaderLine(**line) for line in access["lines"]))


def _count_different(tables: RunTables) -> int | None:
    """How many views read back otherwise; None: nobody has looked."""
    plan, warehouse = tables.plan, tables.warehouse
    if plan is None or not warehouse.is_written(migrating.VERIFIED, plan):
        return None
    counted: Mapping[tuple[Any, ...], int]
    counted = warehouse.count_rows(migrating.VERIFIED, plan, ("differences",))
    return sum(number for (fields,), number in counted.items() if fields)
