"""Tables of a run as JSON lines."""

import argparse
import json
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from discovery.errors import ConfigurationError
from jobs.console.session import warehouse_of
from jobs.warehouse.datasets import Dataset, Table
from jobs.warehouse.runs import Run
from jobs.warehouse.warehouse import Warehouse


class Chosen(NamedTuple):
    """A run, and which of its rows are wanted."""

    warehouse: Warehouse
    run_id: str
    where: dict[str, Sequence[str]]

    def rows(
        self, table: Table | Dataset, columns: Sequence[str] = (), **only: Sequence[str]
    ) -> Iterator[dict[str, Any]]:
        """The rows of a table; none if no stage wrote it."""
        where = self.where | only
        return self.warehouse.table(table, self.run_id, where=where, columns=columns)

    def read_assessed(self, table: Dataset) -> Iterator[dict[str, Any]]:
        """The rows of a table of `assess`.

        Raises:
            ConfigurationError: The run has none: it was not assessed.
        """
        if not self.warehouse.is_written(table, self.run_id):
            message = f"run {self.run_id} has no {table.name}: it was not assessed"
            raise ConfigurationError(message, hint=f"belvedere assess --run-id {self.run_id}")
        return self.rows(table)


def choose_run(args: argparse.Namespace) -> Chosen:
    """What the arguments of `command.with_run` name.

    Raises:
        ConfigurationError: There is no such run, or it has no such source.
    """
    warehouse = warehouse_of(args.warehouse)
    run = warehouse.run(args.run_id)
    insist_on_source(args.source, run)
    return Chosen(warehouse, run.run_id, {"source": [args.source]} if args.source else {})


def insist_on_source(name: str | None, *runs: Run) -> None:
    """Refuse a source that none of the runs has: that it has no rows would be taken for a finding.

    Raises:
        ConfigurationError: There is no such source.
        EvidenceError: Nobody understands what a run says of its sources.
    """
    if name is None:
        return
    sources = {source: None for run in runs for source in run.record.sources}
    if name not in sources:
        raise ConfigurationError(
            f"there is no source {name}", hint=f"sources: {', '.join(sources)}"
        )


def print_assessed(table: Dataset, args: argparse.Namespace) -> None:
    """Print a line for each row of a table of `assess`."""
    for row in choose_run(args).read_assessed(table):
        print(json.dumps({name: value for name, value in row.items() if name != "key"}))
