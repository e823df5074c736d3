"""The tables of a run as Parquet files: one for each, in the report's folder."""

from itertools import islice
from pathlib import Path
from typing import Final

import pyarrow as pa
import pyarrow.parquet as pq

from jobs.reporting.quality_tables import CHECKING
from jobs.reporting.run_tables import RunTables
from jobs.tables import TABLES

PARQUET: Final = "parquet"
FOLDER: Final = "tables"
_GROUP: Final = 5_000  # rows
_NOT_OF_A_RUN: Final = frozenset({"runs", "raw"})  # one row; and what sources said, verbatim
_OF_A_PLAN: Final = frozenset({"changes", "verified"})


def write_tables(tables: RunTables, folder: Path) -> None:
    """Write every table that a stage has written; what else is in the folder stays."""
    place = folder / FOLDER
    place.mkdir(exist_ok=True)
    for name in TABLES:
        (place / f"{name}.parquet").unlink(missing_ok=True)
    unended = tables.warehouse.is_interrupted(
        tables.run_id, CHECKING.name
    )  # which the summary says
    left_out = _NOT_OF_A_RUN | {*(CHECKING.names if unended else ())}
    for name, table in TABLES.items():
        of_plan = tables.plan if name in _OF_A_PLAN else None
        run_or_plan = tables.run_id if of_plan is None else of_plan
        if name in left_out or not tables.warehouse.is_written(table.dataset, run_or_plan):
            continue
        rows = tables.warehouse.table(table, run_or_plan)
        with pq.ParquetWriter(
            place / f"{name}.parquet", table.schema, compression="zstd"
        ) as writer:
            while chunk := list(islice(rows, _GROUP)):
                writer.write_table(pa.Table.from_pylist(chunk, table.schema))
