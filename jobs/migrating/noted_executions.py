"""What the warehouse has of executions: a row each, and of one whose row is lost, its journal.

A row can be lost where a disk has failed, or a warehouse was put back in part. Whoever carries out
the plan of a killed execution without knowing of it would take for somebody else's what that has
written, and no `undo` would take it back.
"""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

from discovery.errors import EvidenceError
from jobs.console import command
from jobs.migrating.stages import EXECUTING
from jobs.migrating.tables import APPLIED, APPLIES, EVENTS, INTENDED
from jobs.warehouse.warehouse import Warehouse


@dataclass(frozen=True, slots=True)
class NotedExecution:
    """A row of `applies`; its columns say what they are."""

    run: str
    plan: str
    principal: str
    started: datetime


def executions(warehouse: Warehouse) -> list[NotedExecution]:
    """Rows of `applies`, those that are lost as their journals have them."""
    noted = _read_rows(warehouse)
    lost = (_row_of_journal(warehouse, run) for run in _rowless(warehouse, noted))
    return [*noted, *(execution for execution in lost if execution is not None)]


def read_ends(warehouse: Warehouse, started: Mapping[str, datetime]) -> dict[str, datetime | None]:
    """Run to when it came to its end; None: it has not.

    A journal is sealed at the end: of one whose row in `applied` is lost, the last event is it.

    Args:
        warehouse: Where they are.
        started: When each began, by its run.
    """
    noted = {row["run"]: row["finished"] for row in warehouse.table(APPLIED, "*")}
    return {
        run: noted.get(run) or _read_last_event(warehouse, run, began)
        for run, began in started.items()
    }


def _read_last_event(warehouse: Warehouse, run: str, started: datetime) -> datetime | None:
    """When an execution noted something last, whose journal is sealed; None: it is not."""
    if not warehouse.is_sealed(EXECUTING, run):
        return None
    times = (row["time"] for row in warehouse.table(EVENTS, run, columns=("time",)))
    return max(times, default=started)


def note_again(warehouse: Warehouse) -> None:
    """Note the rows that are lost again, and say so; say of which nothing tells what it was."""
    for run in _rowless(warehouse, _read_rows(warehouse)):
        execution = _row_of_journal(warehouse, run)
        if execution is None:
            command.say(
                f"applies of {run}: its row is lost, and its journal does not name its plan: what "
                f"it has written counts as somebody else's; {EXECUTING.again}"
            )
        else:
            warehouse.note(APPLIES, run, tuple(getattr(execution, name) for name in APPLIES.names))
            command.say(f"applies of {run}: its row was lost, and is noted as its journal has it")
    _note_ends_again(warehouse)


def _note_ends_again(warehouse: Warehouse) -> None:
    """Note the ends that are lost, or were not noted as their commands were killed behind a seal.

    How they ended nobody knows any more.
    """
    began = {execution.run: execution.started for execution in _read_rows(warehouse)}
    noted = {row["run"] for row in warehouse.table(APPLIED, "*")}
    for run in sorted(began.keys() - noted):
        if (end := _read_last_event(warehouse, run, began[run])) is not None:
            warehouse.note(APPLIED, run, (run, end, None))
            command.say(f"applied of {run}: its row was lost, and is noted as its journal has it")


def _read_rows(warehouse: Warehouse) -> list[NotedExecution]:
    """Rows of `applies`."""
    return [NotedExecution(**row) for row in warehouse.table(APPLIES, "*")]


def _row_of_journal(warehouse: Warehouse, run: str) -> NotedExecution | None:
    """The row of an execution as its journal has it; None: it has none."""
    with suppress(EvidenceError):  # what of it is damaged, `check` says
        rows = warehouse.table(INTENDED, run, columns=APPLIES.names)
        return next((NotedExecution(**row) for row in rows if row["plan"] is not None), None)
    return None


def _rowless(warehouse: Warehouse, noted: Iterable[NotedExecution]) -> list[str]:
    """The executions that have noted what they write, and are none of the rows; sorted."""
    journals = {run for dataset in EXECUTING.datasets for run in warehouse.names(dataset)}
    return [
        run
        for run in sorted(journals - {execution.run for execution in noted})
        if any(warehouse.is_written(dataset, run) for dataset in EXECUTING.datasets)
    ]
