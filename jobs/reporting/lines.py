"""The rows of a report: one for each view and each object that could not be read, numbered.

They are gathered from the tables of the run, of earlier ones and of plans: on Spark, or in memory
where there are few. What either gathers is the same, and so is what is made of it.
"""

from typing import Final

import pyarrow as pa

from jobs.assessing import tables as assessed
from jobs.crawling import tables as rows
from jobs.migrating import tables as planned
from jobs.using import tables as used
from jobs.warehouse.datasets import Dataset
from jobs.warehouse.rows import column

PART: Final = 64  # views whose details are packed together
KEYS: Final = ["source", "key"]
Columns = tuple[str, ...]


def _list_field(name: str, table: Dataset, columns: Columns, meaning: str) -> pa.Field:
    """A list of structs whose fields are columns of a table."""
    fields = [pa.field(column_name, table.field(column_name).type) for column_name in columns]
    return column(name, pa.list_(pa.struct(fields)), meaning)


ENGINES: Final = ("engine", "status", "grade", "reason")
FINDINGS: Final = ("code", "severity", "engine", "dialect", "message", "hint")
PLANNED: Final = ("target", "action", "code", "reason")
WAVES: Final = ("wave", "aside", "because")
USED: Final = ("use", "uses")
DETAILS: Final = {
    "verdicts": ("dialect", "engine", "version", "verdict", "message", "line", "column", "grade"),
    "references": (
        *("dialect", "written", "base_source", "base_namespace", "base_name", "base_key"),
        *("base_kind", "read_by"),
    ),
    "lineage": ("dialect", "column", "base_source", "base_key", "base_column"),
    "drafts": ("dialect", "translator", "state", "grade", "code", "message", "sql"),
}
"""What opens below a view: columns by dataset."""
SIGHTINGS: Final = ("number", "code", "fingerprint")
HISTORY: Final = ("plan", *PLANNED)
DONE: Final = ("run", "time", "target", "action", "result", "principal", "code", "message")
"""What histories are made of: runs, plans, answers of targets."""
_TEXTS: Final = pa.list_(pa.string())
KEPT: Final = (
    *("source", "namespace", "name", "key", "outcome", "format", "dialects", "columns", "security"),
    *("owner", "notes", "stage", "code", "message", "hint", "fingerprint"),
)
LOST: Final = (
    *("source", "entity", "namespace", "name", "key", "outcome", "code", "message", "hint"),
)
"""What is to be known of a loss."""
LINES: Final = pa.schema(
    [
        *(rows.OUTCOMES.field(name) for name in KEPT),
        column(
            "standing", pa.string(), "`ready`, `needs review`, `blocked` or `not judged`: see page."
        ),
        column("reason", pa.string(), "The code behind that; null if it is ready."),
        _list_field(
            "engines", assessed.MATRIX, ENGINES, "Its rows of `matrix`; null: not assessed."
        ),
        _list_field("findings", assessed.FINDINGS, FINDINGS, "Its rows of `findings`."),
        assessed.WAVES.field("wave"),
        assessed.WAVES.field("aside"),
        assessed.WAVES.field("because"),
        *(used.VIEW_USAGE.field(name) for name in USED),
        _list_field("plan", planned.CHANGES, PLANNED, "What the latest plan says; null: no plan."),
        column("differences", _TEXTS, "Fields that read back otherwise; null: not read back."),
        column("changes", _TEXTS, "What has changed since the run that is compared with."),
    ]
)
"""A view in a report: what JSON, CSV and the others are written from."""
