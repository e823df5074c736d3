"""belvedere prune: remove old runs from a warehouse, and what interrupted ones have left.

A run goes if it is none of the latest whole ones that --keep-last names, and older than
--older-than says. Whatever something stands on stays: a run that was planned, as long as its plan
is there, a plan that was carried out or takes something back, and the run with which
`plan --delete` compares. With --plans, plans that were never carried out go with
their runs, but the latest one; `apply` refuses them then. With --carried-out, so do the changes of
plans that were carried out to their end: what each wrote stays noted, but `undo` refuses it then.
A run that somebody works on stays, and so does the interrupted crawl that `crawl --resume` would go
on with, and what was interrupted and is younger than --older-than says.

Without --yes it only says what it would do. A run goes row first: whoever is killed in between
leaves files that are no run any more, and the next prune removes them.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from typing import Final

from pyspark.sql import SparkSession

from discovery.ages import age
from discovery.errors import ConfigurationError, LockedError
from discovery.keeping import KeepTerms, Pruning, kept_interrupted, prune
from jobs.console import command
from jobs.console.session import place_of, reader_of
from jobs.crawling.resuming import TASKS, find_latest_interrupted
from jobs.keeping.stock import Stock, stock
from jobs.migrating.tables import APPLIES, PLANS
from jobs.warehouse.inventory import REMOVED
from jobs.warehouse.locks import at_work, hold_lock, remove_dead
from jobs.warehouse.runs import RUNS, now, time_of
from jobs.warehouse.warehouse import Warehouse


def arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    command.with_warehouse(parser)
    parser.add_argument("--keep-last", type=int, metavar="N", help="that many whole runs stay")
    parser.add_argument("--older-than", metavar="AGE", help="only what is older: 90d, 12w, 36h")
    parser.add_argument("--plans", action="store_true", help="also plans never carried out")
    parser.add_argument(
        "--carried-out",
        action="store_true",
        help="also the runs under plans that were carried out, and their changes: no undo then",
    )
    does = parser.add_mutually_exclusive_group()
    does.add_argument("--yes", action="store_true", help="do it")
    does.add_argument("--dry-run", action="store_true", help="only say it: the default")
    command.with_json(parser, "one JSON object: what goes, what stays and why")


def run(args: argparse.Namespace) -> int:
    """Say what goes and what stays, and do it."""
    terms = _parse_terms(args.keep_last, args.older_than)
    terms = replace(terms, plans=args.plans, carried_out=args.carried_out)
    place = place_of(args.warehouse)
    spark = reader_of(place)
    warehouse = Warehouse(place, spark)
    busy = dict(at_work(place, spark))
    with _lock_out_others(place, spark, needed=args.yes):
        holdings = stock(place, warehouse, spark)
        holdings.insist_on_rows()
        holdings.insist_on_reading(warehouse)
        decided = prune(holdings.stored_runs(), holdings.plans, terms, now())
        if any(name.startswith("plan_") for name in busy):
            kept = dict.fromkeys((committed.run_id for committed in holdings.runs), _PLANNED)
            decided = Pruning((), kept=kept)
        waiting = _find_waiting(holdings, terms, place, spark)
        if busy:
            waiting = dict.fromkeys(holdings.left, _BUSY)
        left = tuple(name for name in holdings.left if name not in waiting)
        emptied = _plans_to_empty(holdings, decided)
        stays = _carry_out(holdings, decided, left, place, spark) if args.yes else {}
    answer = {
        "done": args.yes,
        "runs": [run_id for run_id in decided.runs if run_id not in stays],
        "plans": [plan for plan in decided.plans if plan not in stays],
        "emptied": [name for name in emptied if name not in stays],
        "interrupted": [name for name in left if name not in stays],
        "kept": {**decided.kept, **stays, **waiting},
    }
    if args.json:
        command.show(json.dumps(answer))
    else:
        _print(answer, done=args.yes)
    return command.FINE


def main(argv: Sequence[str] | None = None) -> int:
    """The command, for the console script and for spark-submit."""
    return command.execute(__doc__, arguments, run, argv)


_BUSY: Final = "somebody works in this warehouse, and it may be theirs"
_PLANNED: Final = "a plan is being made or carried out, and may stand on it"


def _parse_terms(last: int | None, older: str | None) -> KeepTerms:
    """What is to stay.

    Raises:
        ConfigurationError: Nothing says it, or an age is none.
    """
    if last is None and older is None:
        hint = "say --keep-last 30, --older-than 90d, or both: what goes is what neither keeps"
        raise ConfigurationError("nothing says what is to stay", hint=hint)
    if last is not None and last < 1:
        raise ConfigurationError(f"--keep-last {last}: at least one run stays")
    if older is None:
        return KeepTerms(last=last or 1)
    try:
        return KeepTerms(last=last or 1, younger=age(older))
    except ValueError as error:
        raise ConfigurationError(f"--older-than {error}") from error


def _find_waiting(
    holdings: Stock, terms: KeepTerms, place: str, spark: SparkSession | None
) -> dict[str, str]:
    """What was interrupted and stays, and why; what a prune has begun to remove is not among it."""
    touched = {
        name: holdings.inventory.find_touched_time(name) or time_of(name)
        for name in holdings.left
        if not holdings.inventory.is_going(name)
    }
    return kept_interrupted(touched, find_latest_interrupted(place, spark), terms, now())


@contextmanager
def _lock_out_others(place: str, spark: SparkSession | None, *, needed: bool) -> Iterator[None]:
    """One at a time removes; who only looks needs no lock."""
    if not needed:
        yield
        return
    with hold_lock(place, "prune", "prune", spark, frees=True):
        remove_dead(place, spark)
        yield


def _carry_out(
    holdings: Stock, decided: Pruning, left: Sequence[str], place: str, spark: SparkSession | None
) -> dict[str, str]:
    """Remove it, plans before the runs that they stand on; what stays after all, and why."""
    stays: dict[str, str] = {}
    going = [
        *((name, "plan", PLANS.name) for name in decided.plans),
        *((name, "plan", "") for name in _plans_to_empty(holdings, decided)),
        *((name, "run", RUNS.name) for name in (*decided.runs, *left)),
    ]
    for name, kind, first in going:
        if kind == "run" and (why := _why_stays(holdings, name, stays)):
            stays[name] = why
            continue
        try:
            with _hold_locks(place, name, kind, spark):
                if name in left and _has_row(place, name, spark):
                    stays[name] = _BUSY
                elif first:
                    holdings.inventory.take_away(name, first)
                else:
                    holdings.inventory.empty(name, PLANS.name)
        except LockedError as error:
            stays[name] = str(error)
    _clear_leftovers(holdings, place, spark)
    return stays


def _clear_leftovers(holdings: Stock, place: str, spark: SparkSession | None) -> None:
    """Remove what commands that were killed have left beside what stays: tasks, and marks."""
    stays = [("run", committed.run_id) for committed in holdings.runs]
    stays += [("plan", stored_plan.plan) for stored_plan in holdings.plans]
    for kind, name in stays:
        if left := {TASKS, REMOVED} & {*holdings.inventory.names.get(name, ())}:
            with (
                suppress(LockedError),
                hold_lock(place, f"{kind} {name}", "prune", spark, frees=True),
            ):
                for folder in sorted(left):
                    holdings.inventory.take_part(name, folder)


@contextmanager
def _hold_locks(place: str, name: str, kind: str, spark: SparkSession | None) -> Iterator[None]:
    """Hold the lock of what goes: of what has no row, nobody knows whether it is run or plan."""
    with ExitStack() as held:
        for word in ("run", "plan") if kind == "run" else (kind,):
            held.enter_context(hold_lock(place, f"{word} {name}", "prune", spark, frees=True))
        yield


def _has_row(place: str, name: str, spark: SparkSession | None) -> bool:
    """Whether what had no row when it was looked for has one now: somebody has ended it since."""
    warehouse = Warehouse(place, spark)
    return any(warehouse.is_written(dataset, name) for dataset in (RUNS, PLANS, APPLIES))


def _plans_to_empty(holdings: Stock, decided: Pruning) -> tuple[str, ...]:
    """The plans of which there is more to take away than is taken already."""
    names = holdings.inventory.names
    return tuple(name for name in decided.emptied if {*names.get(name, ())} - {PLANS.name})


def _why_stays(holdings: Stock, run_id: str, stays: dict[str, str]) -> str:
    """Why a run stays whose plan has stayed; empty: none has."""
    plans = [
        stored_plan.plan for stored_plan in holdings.plans_of(run_id) if stored_plan.plan in stays
    ]
    return f"plan {plans[0]} stands on it" if plans else ""


_SORTS: Final = {
    "plans": "plan",
    "emptied": "changes of plan",
    "runs": "run",
    "interrupted": "interrupted",
}
"""What goes, as `--json` has it, to how it is called."""


def _print(answer: dict[str, object], *, done: bool) -> None:
    verb = "removed" if done else "would remove"
    for sort, noun in _SORTS.items():
        names = answer[sort]
        for name in names if isinstance(names, list) else ():
            command.show(f"{verb}: {noun} {name}")
    kept = answer["kept"]
    for name, why in kept.items() if isinstance(kept, dict) else ():
        command.show(f"stays: {name}: {why}")
    if not any(answer[sort] for sort in _SORTS):
        command.say("there is nothing to remove")
    elif not done:
        command.say("nothing was removed: --yes removes it")


if __name__ == "__main__":
    sys.exit(main())
