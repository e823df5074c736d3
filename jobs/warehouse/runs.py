"""The runs of a warehouse: what a crawl's last row says of it.

Imports neither pydantic nor Spark.
"""

import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

import pyarrow as pa

from discovery.crawl_record import CrawlRecord
from jobs.warehouse.datasets import Dataset
from jobs.warehouse.evidence import LAYOUT, unread_counts

RUNS: Final = Dataset.of(
    "runs",
    [
        pa.field("run_id", pa.string(), metadata={"doc": "Name of the run."}),
        pa.field("started", pa.timestamp("us", "UTC"), metadata={"doc": "When the crawl began."}),
        pa.field("finished", pa.timestamp("us", "UTC"), metadata={"doc": "When it was committed."}),
        pa.field("version", pa.string(), metadata={"doc": "Version of belvedere."}),
        pa.field("exit_code", pa.int32(), metadata={"doc": "How the crawl ended."}),
        pa.field("counts", pa.string(), metadata={"doc": "The counts of the crawl, as JSON."}),
        pa.field(
            "layout", pa.int32(), metadata={"doc": "Layout of the warehouse; null: the first."}
        ),
        pa.field(
            "manifest",
            pa.string(),
            metadata={"doc": "SHA-256 of the manifest of what the crawl wrote; null: layout 1."},
        ),
    ],
    commits=("crawl", "grants", "assess", "usage", "quality"),
)


@dataclass(frozen=True, slots=True)
class Run:
    """A committed run."""

    run_id: str
    started: datetime
    finished: datetime
    version: str
    exit_code: int
    counts: str
    layout: int = LAYOUT
    manifest: str | None = None

    @property
    def record(self) -> CrawlRecord:
        """What it says of its crawl.

        Raises:
            EvidenceError: Nobody understands that.
        """
        try:
            return CrawlRecord.of(json.loads(self.counts))
        except (ValueError, TypeError, KeyError, AttributeError):
            raise unread_counts(self.run_id) from None

    @property
    def age(self) -> tuple[datetime, str]:
        """What runs are sorted by, oldest first."""
        return self.started, self.run_id

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> "Run":
        """The run of a row of `runs`."""
        return cls(**{**row, "layout": row["layout"] or 1})


def still_to_come(runs: Sequence[Run], moment: datetime) -> str:
    """What is to be said of a run that began after a moment; empty: there is none.

    The clock was set back since then, or is behind that of another machine.

    Args:
        runs: Oldest first.
        moment: When one begins now.
    """
    if not runs or runs[-1].started <= moment:
        return ""
    when = runs[-1].started.isoformat(timespec="seconds")
    begun = f"run {runs[-1].run_id} began at {when}, which is still to come by this clock"
    return f"{begun}: it stays the latest, so name the new run with --run-id"


def new_id() -> str:
    """A name for an execution, made of the time."""
    return f"{now():%Y%m%dT%H%M%SZ}-{secrets.token_hex(2)}"


def now() -> datetime:
    """The time, in UTC."""
    return datetime.now(UTC)
