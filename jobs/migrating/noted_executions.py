"""What the warehouse has of executions: a row each, and of one whose row is lost, its journal.

A row can be lost where a disk has failed, or a warehouse was put back in part. Whoever carries out
the plan of a killed execution without knowing of it would take for somebody else's what that has
written, and no `undo` would take it back.
"""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from discovery.errors import EvidenceError
from jobs.console import command
from jobs.migrating.stages import EXECUTING
from jobs.migrating.tables import APPLIES, INTENDED
from jobs.warehouse.warehouse import Warehouse


def executions(warehouse: Warehouse) -> list[dict[str, Any]]:
    """Rows of `applies`, those that are lost as their journals have them."""
    return [*warehouse.table(APPLIES, "*"), *_of_journals(warehouse)]


def note_again(warehouse: Warehouse) -> None:
    """Note the rows that are lost again, and say so; say of which nothing tells what it was."""
    for row in _of_journals(warehouse):
        warehouse.note(APPLIES, row["run"], tuple(row[name] for name in APPLIES.names))
        command.say(
            f"applies of {row['run']}: its row was lost, and is noted as its journal has it"
        )
    for run in sorted(_rowless(warehouse)):
        command.say(
            f"applies of {run}: its row is lost, and its journal does not name its plan: what it "
            f"has written counts as somebody else's; {EXECUTING.again}"
        )


def _of_journals(warehouse: Warehouse) -> Iterator[dict[str, Any]]:
    """The rows that are lost, as far as journals have them."""
    for run in sorted(_rowless(warehouse)):
        with suppress(EvidenceError):  # what of it is damaged, `check` says
            rows = warehouse.table(INTENDED, run, columns=APPLIES.names)
            first = next((row for row in rows if row["plan"] is not None), None)
            if first is not None:
                yield first


def _rowless(warehouse: Warehouse) -> set[str]:
    """The executions that have noted what they write, and have no row."""
    journals = {run for dataset in EXECUTING.datasets for run in warehouse.names(dataset)}
    left = journals - {row["run"] for row in warehouse.table(APPLIES, "*")}
    return {
        run
        for run in left
        if any(warehouse.written(dataset, run) for dataset in EXECUTING.datasets)
    }
