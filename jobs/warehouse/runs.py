"""The runs of a warehouse: what a crawl's last row says of it.

Imports neither pydantic nor Spark.
"""

import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final, Self

import pyarrow as pa

from discovery.crawl_record import CrawlRecord
from discovery.migration.execution import behind
from jobs.warehouse.datasets import Dataset
from jobs.warehouse.manifest import LAYOUT
from jobs.warehouse.unread import unread_counts

_TIME: Final = "%Y%m%dT%H%M%SZ"
_STARTED: Final = "When the crawl began; later than all before it, though the clock was set back."

RUNS: Final = Dataset.of(
    "runs",
    [
        pa.field("run_id", pa.string(), metadata={"doc": "Name of the run."}),
        pa.field("started", pa.timestamp("us", "UTC"), metadata={"doc": _STARTED}),
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
    before=("crawl", "grants"),
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

    def describe_damage(self, why: str) -> str:
        """The sentence by which a run that is not whole is left out."""
        return f"run {self.run_id} is left out: {why}"

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> "Run":
        """The run of a row of `runs`."""
        return cls(**{**row, "layout": row["layout"] or 1})


@dataclass(frozen=True, slots=True)
class Beginning:
    """When a run begins.

    The latest run is the one that began last. So where the clock was set back, or is behind that
    of another machine, a run is noted as begun after all that are there.

    Attributes:
        moment: By the clock.
        ahead: What is added to the clock.
        remark: What is to be said of that; empty: nothing is added.
    """

    moment: datetime
    ahead: timedelta = timedelta()
    remark: str = ""

    @classmethod
    def after(cls, runs: Sequence[Run], moment: datetime) -> Self:
        """That of a run that begins at a moment.

        Args:
            runs: Those that are there, oldest first.
            moment: By the clock.
        """
        ahead = behind(moment, (run.started for run in runs))
        if not ahead:
            return cls(moment)
        when = runs[-1].started.isoformat(timespec="seconds")
        remark = f"run {runs[-1].run_id} began at {when}, which is still to come by this clock"
        return cls(moment, ahead, f"{remark}: the new run is noted as begun after it")

    @property
    def started(self) -> datetime:
        """When the run began, as it is noted."""
        return self.moment + self.ahead


def new_id() -> str:
    """A name for an execution, made of the time."""
    return f"{now():{_TIME}}-{secrets.token_hex(2)}"


def time_of(name: str) -> datetime | None:
    """The time of which a name was made by `new_id`; None: a person has chosen it."""
    try:
        return datetime.strptime(name.partition("-")[0], _TIME).replace(tzinfo=UTC)
    except ValueError:
        return None


def now() -> datetime:
    """The time, in UTC."""
    return datetime.now(UTC)
