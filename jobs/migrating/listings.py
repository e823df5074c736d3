"""What runs saw of their sources, and whether what one has not seen is gone."""

from collections.abc import Iterable, Mapping
from typing import Any

from discovery.crawl_record import Listing
from discovery.migration import deletion
from discovery.migration.deletion import SeenRun
from jobs.migrating.tables import PLANS
from jobs.warehouse.runs import RUNS, Run
from jobs.warehouse.warehouse import Warehouse


def seen_by(run: Run) -> SeenRun:
    """What a run saw.

    Raises:
        EvidenceError: Nobody understands its counts.
    """
    record = run.record
    return SeenRun(run.run_id, record.sources, record.listing, record.systems)


def confirmed_runs(plans: Iterable[Mapping[str, Any]]) -> set[str]:
    """The runs of which a person has said that their sources have lost what they lack.

    Args:
        plans: The rows of `plans`.
    """
    return {row["crawl"] for row in plans if row["allow_shrink"]}


def why_doubted(warehouse: Warehouse, run_id: str) -> str:
    """Why it is doubted that what a run has not seen is gone; empty: it is not.

    It is compared with all others: one that began later by the clock may be the night before a
    clock was set back, and one that did has seen what is not gone.
    """
    others = [seen_by(run) for run in warehouse.runs() if run.run_id != run_id]
    confirmations = confirmed_runs(warehouse.table(PLANS, "*"))
    lost = warehouse.find_left_out(RUNS)
    return deletion.why_doubted(seen_by(warehouse.run(run_id)), others, confirmations, lost)


def why_outdated(warehouse: Warehouse, run_id: str) -> str:
    """Why what a run has not seen may be there, as others have listed later; empty: none has."""
    run = warehouse.run(run_id)
    return deletion.why_outdated(_listing(run), map(_listing, warehouse.runs()))


def _listing(run: Run) -> Listing:
    return seen_by(run).listing or Listing(run.run_id, run.started)
