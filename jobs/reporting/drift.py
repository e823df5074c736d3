"""What has changed between two runs, as a report says it: the rows, and their sum."""

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import pyarrow as pa

from discovery.display import visible
from discovery.judging.drift import SORTS
from discovery.judging.standing import Standing
from discovery.model import dotted
from jobs.reporting.files import remove_unfinished, unfinished
from jobs.warehouse.runs import Run
from reports.head import Counts, Drift, DriftItem
from reports.lines import Row

FILE: Final = "drift.jsonl"
EXAMPLES: Final = 20  # of each sort, in the head of a report
_TEXTS: Final = pa.list_(pa.string())
SCHEMA: Final = pa.schema(
    [
        ("source", pa.string()),
        ("namespace", _TEXTS),
        ("name", pa.string()),
        ("key", pa.string()),
        ("sort", pa.string()),
        ("detail", _TEXTS),
    ]
)
"""A change: the object, what sort of change, and fields or engines."""
_WRITTEN: Final = tuple(name for name in SCHEMA.names if name != "key")


def write(changes: Iterable[Row], folder: Path, against: Run, standing: Counts | None) -> Drift:
    """Write all changes as JSON lines; their counts, and the first of each sort.

    Args:
        changes: Rows of `SCHEMA`, in order.
        folder: Of the report.
        against: The earlier run.
        standing: How many views stood how then; None: it was not assessed.
    """
    counted: Counter[str] = Counter()
    examples: dict[str, list[DriftItem]] = {sort: [] for sort in SORTS}
    path = folder / FILE
    with remove_unfinished([path]):
        with unfinished(path).open("w", encoding="utf-8", newline="") as stream:
            for row in changes:
                fields = {name: row[name] for name in _WRITTEN}
                line = json.dumps(fields, ensure_ascii=False, separators=(",", ":"))
                stream.write(visible(line) + "\n")
                sort = row["sort"]
                counted[sort] += 1
                if len(examples[sort]) < EXAMPLES:
                    name = dotted((*row["namespace"], row["name"]))
                    examples[sort].append(DriftItem(sort, row["source"], name, (*row["detail"],)))
        unfinished(path).replace(path)
    return Drift(
        against.run_id,
        against.started.isoformat(timespec="seconds"),
        {sort: counted[sort] for sort in SORTS},
        None if standing is None else standing[Standing.READY],
        tuple(drift_item for items in examples.values() for drift_item in items),
        standing,
    )


def change_text(row: Row) -> str:
    """What is said of a change at its view."""
    return ": ".join(filter(None, (row["sort"], ", ".join(row["detail"]))))
