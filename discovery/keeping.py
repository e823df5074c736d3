"""What of a warehouse may go: pure decisions over what its runs, plans and executions say.

Nothing goes that something stands on: a run on which a plan stands, a plan that was carried out or
takes something back, and what executions have noted. What a crawl that is to drop views compares
itself with stays, too. Of plans that were carried out long ago all may go but what they are called
and what they wrote: by that, later plans know what is ours.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredRun:
    """A committed run.

    Attributes:
        run_id: Its name.
        started: When its crawl began.
        broken: What of it is not there as it was written; empty: it is whole.
        believed: Whether what it has not seen is gone.
        foreign: Whether a later belvedere wrote it: nobody here knows what stands on it.
    """

    run_id: str
    started: datetime
    broken: str = ""
    believed: bool = False
    foreign: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredPlan:
    """A plan.

    Attributes:
        plan: Its name.
        run_id: The run that it is of.
        created: When it was made.
        executions: The names of its executions.
        undoes: The execution that it takes back; empty: none.
        unended: Those of them that have not come to their end: interrupted, or at work.
    """

    plan: str
    run_id: str
    created: datetime
    executions: tuple[str, ...] = ()
    undoes: str = ""
    unended: tuple[str, ...] = ()

    @property
    def ended(self) -> bool:
        """Whether it was carried out, and all executions have come to their end."""
        return bool(self.executions) and not self.unended

    @property
    def is_journal(self) -> bool:
        """Whether something has been written by it, or may have been."""
        return bool(self.executions or self.undoes)


@dataclass(frozen=True, slots=True, kw_only=True)
class KeepTerms:
    """What is to stay.

    Attributes:
        last: That many of the latest whole runs; at least the latest one stays.
        younger: And those that are younger than that; None: age does not matter.
        plans: Whether plans that were never carried out go with their runs.
        carried_out: Whether the changes of those that were, to their end, go with their runs, and
            with them the way back.
    """

    last: int = 1
    younger: timedelta | None = None
    plans: bool = False
    carried_out: bool = False


@dataclass(frozen=True, slots=True)
class Pruning:
    """What goes, and why the rest stays.

    Attributes:
        runs: Names of the runs that go, oldest first.
        plans: Names of the plans that go before them.
        emptied: Names of those that were carried out and of which the changes go before them.
        kept: Name of each run that stays to why.
    """

    runs: tuple[str, ...]
    plans: tuple[str, ...] = ()
    emptied: tuple[str, ...] = ()
    kept: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LostRows:
    """Names of which files are there, and the row is not that was there once.

    Attributes:
        executions: Of executions.
        plans: Of plans.
        runs: Of runs.
    """

    executions: frozenset[str]
    plans: frozenset[str]
    runs: frozenset[str]


def lost_rows(
    left: Collection[str],
    *,
    journals: Collection[str],
    executed: Collection[str],
    planned: Collection[str],
) -> LostRows:
    """Of which names a row is lost, as there is what comes after it; the rest was interrupted.

    An execution is noted before it writes, a plan before it is carried out or looked for at its
    target, and a run before it is assessed or planned: who is killed in between leaves nothing that
    comes after.

    Args:
        left: Names that have files and no row.
        journals: Those that have noted what they write, as executions do.
        executed: The plans that executions name, or that have been read back.
        planned: The runs of the plans whose changes are there, or that have been assessed.
    """
    journal, plan, run = (frozenset(left) & {*names} for names in (journals, executed, planned))
    return LostRows(journal, plan, run)


def prune(
    runs: Iterable[StoredRun], plans: Sequence[StoredPlan], terms: KeepTerms, now: datetime
) -> Pruning:
    """What may go.

    Args:
        runs: All committed runs.
        plans: All plans.
        terms: What is to stay.
        now: The time.
    """
    ordered = sorted(runs, key=lambda run: (run.started, run.run_id))
    kept = _kept_runs(ordered, terms, now)
    latest = max(
        plans, key=lambda stored_plan: (stored_plan.created, stored_plan.plan), default=None
    )
    going = []
    for plan in plans:
        may_go = terms.carried_out and plan.ended if plan.is_journal else terms.plans
        if may_go and plan is not latest and plan.run_id not in kept:
            going.append(plan)
        else:
            kept.setdefault(plan.run_id, f"plan {plan.plan} stands on it")
    # a plan goes only if its run does: of two of one run, one may keep both
    left = [stored_plan for stored_plan in going if stored_plan.run_id not in kept]
    run_ids = {stored_run.run_id for stored_run in ordered}
    return Pruning(
        tuple(stored_run.run_id for stored_run in ordered if stored_run.run_id not in kept),
        tuple(stored_plan.plan for stored_plan in left if not stored_plan.is_journal),
        tuple(stored_plan.plan for stored_plan in left if stored_plan.is_journal),
        {name: why for name, why in kept.items() if name in run_ids},
    )


def kept_interrupted(
    touched: Mapping[str, datetime | None], resumable: str | None, terms: KeepTerms, now: datetime
) -> dict[str, str]:
    """What was interrupted and stays: name to why.

    Args:
        touched: Names that have files and no row, and when they were written into last, as far as
            that is known.
        resumable: The crawl that `crawl --resume` would go on with; None: there is none.
        terms: What is to stay.
        now: The time.
    """
    kept: dict[str, str] = {}
    for name, time in touched.items():
        if name == resumable:
            kept[name] = "`crawl --resume` goes on with it"
        elif time is not None and terms.younger is not None and now - time < terms.younger:
            kept[name] = "it was interrupted, and is younger than that"
    return kept


def _kept_runs(ordered: Sequence[StoredRun], terms: KeepTerms, now: datetime) -> dict[str, str]:
    """The runs that stay for their own sake: name to why."""
    kept: dict[str, str] = {}
    stored_runs = [run for run in ordered if not run.broken and not run.foreign]
    for stored_run in stored_runs[-max(1, terms.last) :]:
        kept[stored_run.run_id] = f"it is one of the latest {max(1, terms.last)}"
    for stored_run in ordered:
        if stored_run.believed:  # its counts are its row: they are there though a file of it is not
            kept.setdefault(stored_run.run_id, "`plan --delete` compares with it")
        if stored_run.foreign:
            kept.setdefault(stored_run.run_id, "a later belvedere wrote it")
        elif terms.younger is not None and now - stored_run.started < terms.younger:
            kept.setdefault(stored_run.run_id, "it is younger than that")
    if not stored_runs and ordered:  # whatever is left of the latest is all that there is
        kept.setdefault(ordered[-1].run_id, "no run is whole, and it is the latest")
    return kept
