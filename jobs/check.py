"""belvedere check: prove that a run is as it was written, by every byte.

Every command looks whether the files of a run are there and have their sizes and footers; this one
reads them, and compares them with the digests of their manifests: those of the crawl, of what
assess and quality wrote, of the plans, and of what apply and undo noted. A line says what is
missing or has changed, and what to do. Exit code 1 if there is any. What no manifest names, or a
manifest that is missing, is told, too, and so is a run, a plan or an execution whose files are
sealed and whose row is lost. On a file system that only Spark reads, it looks no further than every
command does.
"""

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Final

from discovery.errors import ConfigurationError, EvidenceError, UnknownLayoutError
from jobs.console import command
from jobs.console.session import place_of, reader_of
from jobs.crawling.tables import STAGE as CRAWLING
from jobs.keeping.stock import Stock, stock
from jobs.migrating.stages import EXECUTING, PLANNING
from jobs.migrating.tables import APPLIED, APPLIES, PLANS
from jobs.warehouse.datasets import StageTables
from jobs.warehouse.runs import RUNS
from jobs.warehouse.unnoted import WHY
from jobs.warehouse.warehouse import Warehouse


def arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    command.with_warehouse(parser)
    parser.add_argument("--run-id", metavar="ID", help="only this run; all by default")


def run(args: argparse.Namespace) -> int:
    """Print a line for each thing that is not as it was written."""
    place = place_of(args.warehouse)
    spark = reader_of(place)
    warehouse = Warehouse(place, spark)
    holdings = stock(place, warehouse, spark)
    lost = [] if args.run_id else [*find_lost_rows(holdings, warehouse)]
    if not lost and not holdings.runs:
        hint = "name the warehouse that has them: there is nothing to be proven here"
        raise ConfigurationError(f"{place}: no committed run", hint=hint)
    for name in (name for name in holdings.left if holdings.inventory.is_going(name)):
        command.say(f"{name}: a prune removes it, or was killed as it did: the next one ends that")
    code = command.FINE
    for sentence in chain(lost, damage(warehouse, holdings, args.run_id)):
        print(sentence)
        code = command.CRASHED
    return code


def damage(warehouse: Warehouse, holdings: Stock, run_id: str | None) -> Iterator[str]:
    """What is not as it was written.

    Args:
        warehouse: Its tables.
        holdings: What lies in it.
        run_id: Only of this run; None: of all.

    Raises:
        ConfigurationError: There is no such run.
    """
    names = dict.fromkeys(
        committed.run_id for committed in holdings.runs if run_id in {None, committed.run_id}
    )
    if run_id is not None and not names:
        hint = f"committed runs: {', '.join(committed.run_id for committed in holdings.runs[-10:])}"
        raise ConfigurationError(f"no committed run {run_id}", hint=hint)
    plans = [row for row in warehouse.table(PLANS, "*") if row["crawl"] in names]
    of_plans = {row["plan"] for row in plans}
    executed = [row["run"] for row in warehouse.table(APPLIES, "*") if row["plan"] in of_plans]
    sentences: dict[str, None] = {}
    for name in (*names, *(row["plan"] for row in plans), *executed):
        lines = [*warehouse.damage(name, holdings.inventory.measure_stored(name).datasets)]
        why = holdings.broken.get(name, "")
        if not any(why in line for line in ("", *lines)):
            lines = [f"{why}; {CRAWLING.again}", *lines]
        sentences |= dict.fromkeys(lines)
    yield from sentences
    for row in plans:
        if row["digest"] is not None and not _is_sealed(warehouse, PLANNING, row["plan"]):
            yield _missing_manifest_text(row["plan"], "plan holds", PLANNING.again)
    yield from _check_executions(warehouse, executed)


_NOTED_AGAIN: Final = "the next plan, apply or undo notes it again"


def _check_executions(warehouse: Warehouse, names: Iterable[str]) -> Iterator[str]:
    """Of which executions a row, or a manifest, is lost."""
    ended = {row["run"] for row in warehouse.table(APPLIED, "*")}
    for name in names:
        sealed = _is_sealed(warehouse, EXECUTING, name, unread=name in ended)
        if name in ended and not sealed:
            again = f"{EXECUTING.again}; its undo asks the target"
            yield _missing_manifest_text(name, "execution has noted", again)
        if sealed and name not in ended:
            yield f"applied of {name}: its row is missing; {_NOTED_AGAIN}"


def _is_sealed(warehouse: Warehouse, stage: StageTables, name: str, *, unread: bool = True) -> bool:
    """Whether a stage has sealed what it wrote; `unread`: a manifest is junk, and told as that."""
    try:
        return warehouse.is_sealed(stage, name)
    except (EvidenceError, UnknownLayoutError):
        return unread


def _missing_manifest_text(name: str, what: str, again: str) -> str:
    return f"manifest of {name}: it is missing, so nothing proves what the {what}; {again}"


def find_lost_rows(holdings: Stock, warehouse: Warehouse) -> Iterator[str]:
    """What has files that were committed, and no row that says so, a sentence for each."""
    for row in holdings.unreadable:
        yield f"{row}: its row is lost, or cannot be read; {EXECUTING.again}"
    sealed = {
        name for dataset in (RUNS, PLANS, APPLIES) for name in warehouse.find_left_out(dataset)
    }
    for name in holdings.left:
        if name in sealed:
            yield f"{name}: {WHY}"


def main(argv: Sequence[str] | None = None) -> int:
    """The command, for the console script and for spark-submit."""
    return command.execute(__doc__, arguments, run, argv)


if __name__ == "__main__":
    sys.exit(main())
