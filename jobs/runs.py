"""belvedere runs: print what is in a warehouse: a line for each run, the oldest first.

A run is whole if all that its stages wrote is there as it was written; what is missing is said
(`belvedere check` reads every byte). Below it stand the plans that were made of it, with their
executions: `belvedere prune` removes no run that something stands on. What was interrupted, or is
at work, has files and is no run: it is listed last, with whoever works on it.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from jobs.assessing.tables import STAGE as ASSESSING
from jobs.console import command
from jobs.console.session import place_of, reader_of
from jobs.keeping.stock import Stock, stock
from jobs.warehouse.locks import at_work
from jobs.warehouse.warehouse import Run, Warehouse


def arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    command.with_warehouse(parser)
    command.with_json(parser, "JSON lines: all that is known of each run")


def run(args: argparse.Namespace) -> int:
    """Print a line for each run, and for what is none."""
    place = place_of(args.warehouse)
    spark = reader_of(place)
    warehouse = Warehouse(place, spark)
    found = stock(place, warehouse, spark)
    busy = dict(at_work(place, spark))
    lines = (*_runs(found, warehouse), *_others(found, busy))
    for one in lines:
        print(json.dumps(one) if args.json else _line(one))
    if not lines:
        command.say(f"{place}: there is no run")
    return command.FINE


def main(argv: Sequence[str] | None = None) -> int:
    """The command, for the console script and for spark-submit."""
    return command.execute(__doc__, arguments, run, argv)


def _runs(found: Stock, warehouse: Warehouse) -> Iterator[dict[str, Any]]:
    """What is known of each run."""
    for one in found.runs:
        stored, why = found.inventory.stored(one.run_id), found.broken.get(one.run_id, "")
        plans = [
            {"plan": plan.plan, "executions": [*plan.executions], "undoes": plan.undoes or None}
            for plan in found.plans_of(one.run_id)
        ]
        yield {
            "run_id": one.run_id,
            "started": one.started.isoformat(timespec="seconds"),
            "finished": one.finished.isoformat(timespec="seconds"),
            "version": one.version,
            "exit_code": one.exit_code,
            "whole": not why,
            "why": why,
            **_counts(one),
            "assessed": warehouse.sealed(ASSESSING, one.run_id),
            "plans": plans,
            "files": stored.files,
            "bytes": stored.size,
        }


def _others(found: Stock, busy: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """What lies there and is no run, plan or execution."""
    for name in found.left:
        stored = found.inventory.stored(name)
        holder = busy.get(f"run_{name}.lock") or busy.get(f"plan_{name}.lock")
        yield {
            "interrupted": name,
            "holder": holder,
            "datasets": [*stored.datasets],
            "files": stored.files,
            "bytes": stored.size,
        }
    for one in found.unreadable:
        yield {"unreadable": one}


def _counts(one: Run) -> dict[str, int]:
    """The counts of all sources together; none, if nobody understands them."""
    names = ("views", "failures", "skipped")
    try:
        sources = json.loads(one.counts)["sources"].values()
        return {name: sum(int(source[name]) for source in sources) for name in names}
    except (ValueError, TypeError, KeyError, AttributeError):
        return {}


def _line(one: Mapping[str, Any]) -> str:
    if "unreadable" in one:
        return f"{one['unreadable']}: its row cannot be read"
    size = f"{one['files']} files, {one['bytes'] / 1e6:.1f} MB"
    if "interrupted" in one:
        who = f"worked on by {one['holder']}" if one["holder"] else "interrupted"
        return f"{one['interrupted']}  {who}; {size}"
    counts = ", ".join(f"{one[name]} {name}" for name in ("views", "failures") if name in one)
    state = "whole" if one["whole"] else f"BROKEN: {one['why']}"
    done = ", assessed" if one["assessed"] else ""
    head = f"{one['run_id']}  {one['started']}  exit code {one['exit_code']}, {state}{done}"
    plans = "".join(f"\n  {_plan(plan)}" for plan in one["plans"])
    return f"{head}; {counts}; {size}{plans}"


def _plan(plan: Mapping[str, Any]) -> str:
    undoes = f", takes back {plan['undoes']}" if plan["undoes"] else ""
    runs = ", ".join(plan["executions"])
    return f"plan {plan['plan']}{undoes}: {f'carried out by {runs}' if runs else 'not carried out'}"


if __name__ == "__main__":
    sys.exit(main())
