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

from discovery.display import quantity
from discovery.errors import EvidenceError
from discovery.keeping import StoredPlan
from jobs.assessing.tables import STAGE as ASSESSING
from jobs.console import command
from jobs.console.session import place_of, reader_of
from jobs.keeping.stock import Stock, stock
from jobs.warehouse.inventory import Stored
from jobs.warehouse.locks import at_work
from jobs.warehouse.runs import Run
from jobs.warehouse.warehouse import Warehouse

_Line = tuple[Mapping[str, object], str]
"""For programs, and for people."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    command.with_warehouse(parser)
    command.with_json(parser, "JSON lines: all that is known of each run")


def run(args: argparse.Namespace) -> int:
    """Print a line for each run, and for what is none."""
    place = place_of(args.warehouse)
    spark = reader_of(place)
    warehouse = Warehouse(place, spark)
    holdings = stock(place, warehouse, spark)
    busy = dict(at_work(place, spark))
    lines = (*_run_lines(holdings, warehouse), *_leftover_lines(holdings, busy))
    for answer, text in lines:
        print(json.dumps(answer) if args.json else text)
    if not lines:
        command.say(f"{place}: there is no run")
    return command.FINE


def main(argv: Sequence[str] | None = None) -> int:
    """The command, for the console script and for spark-submit."""
    return command.execute(__doc__, arguments, run, argv)


def _run_lines(holdings: Stock, warehouse: Warehouse) -> Iterator[_Line]:
    """What is known of each run."""
    for committed in holdings.runs:
        stored = holdings.inventory.measure_stored(committed.run_id)
        broken = holdings.broken.get(committed.run_id, "")
        why = broken or warehouse.lacks(committed.run_id)
        plans, counts = holdings.plans_of(committed.run_id), _counts(committed)
        started = committed.started.isoformat(timespec="seconds")
        assessed = not broken and warehouse.is_sealed(ASSESSING, committed.run_id)
        answer = {
            "run_id": committed.run_id,
            "started": started,
            "finished": committed.finished.isoformat(timespec="seconds"),
            "version": committed.version,
            "exit_code": committed.exit_code,
            "whole": not why,
            "why": why,
            **counts,
            "assessed": assessed,
            "plans": [
                {
                    "plan": plan.plan,
                    "executions": [*plan.executions],
                    "unended": [*plan.unended],
                    "undoes": plan.undoes or None,
                }
                for plan in plans
            ],
            "files": stored.files,
            "bytes": stored.size,
        }
        state = f"BROKEN: {why}" if why else "whole"
        done = ", assessed" if assessed else ""
        head = f"{committed.run_id}  {started}  exit code {committed.exit_code}, {state}{done}"
        counted = ", ".join(f"{counts[name]} {name}" for name in ("views", "failures") if counts)
        below = "".join(f"\n  {_plan_text(plan)}" for plan in plans)
        yield answer, f"{head}; {counted}; {_size_text(stored)}{below}"


def _leftover_lines(holdings: Stock, busy: Mapping[str, str]) -> Iterator[_Line]:
    """What lies there and is no run, plan or execution."""
    for name in holdings.left:
        stored = holdings.inventory.measure_stored(name)
        holder = busy.get(f"run_{name}.lock") or busy.get(f"plan_{name}.lock")
        answer = {
            "interrupted": name,
            "holder": holder,
            "datasets": [*stored.datasets],
            "files": stored.files,
            "bytes": stored.size,
        }
        who = f"worked on by {holder}" if holder else "interrupted"
        yield answer, f"{name}  {who}; {_size_text(stored)}"
    for row in holdings.unreadable:
        yield {"unreadable": row}, f"{row}: its row is lost, or cannot be read"


def _counts(committed: Run) -> dict[str, int]:
    """The counts of all sources together; none, if nobody understands them."""
    names = ("views", "failures", "skipped")
    try:
        sources = committed.record.sources.values()
        return {name: sum(getattr(counts, name) for counts in sources) for name in names}
    except EvidenceError:
        return {}


def _size_text(stored: Stored) -> str:
    return f"{quantity(stored.files, 'file')}, {stored.size / 1e6:.1f} MB"


def _plan_text(plan: StoredPlan) -> str:
    undoes = f", takes back {plan.undoes}" if plan.undoes else ""
    done = ", ".join(execution for execution in plan.executions if execution not in plan.unended)
    begun = ", ".join(plan.unended)
    parts = [f"carried out by {done}"] if done else []
    parts += [f"begun by {begun}, and not ended"] if begun else []
    return f"plan {plan.plan}{undoes}: {'; '.join(parts) or 'not carried out'}"


if __name__ == "__main__":
    sys.exit(main())
