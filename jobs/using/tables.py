"""The tables that `usage` writes: who used which view when, what that comes to, and of which logs.

Runs on executors; imports neither pydantic nor the configuration.
"""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Final

import pyarrow as pa

from jobs.crawling.tables import OF_VIEWS
from jobs.warehouse.datasets import Dataset, StageTables
from jobs.warehouse.rows import column

_TIME: Final = pa.timestamp("us", "UTC")
_DAYS: Final = pa.list_(pa.date32())
_OF_USES: Final = [
    column("log", pa.string(), "Which log says so: its kind and paths, as they are configured."),
    column("engine", pa.string(), "Whose log it is."),
    column("user", pa.string(), "Who it was; null: the log does not say."),
    column("day", pa.date32(), "The day, in UTC."),
    column("uses", pa.int64(), "Queries that name the view."),
    column("reads", pa.int64(), "Queries that read it through views that they name."),
    column(
        "mentions",
        pa.int64(),
        "Queries in which its name stands, and it is not known whether they read it.",
    ),
    column("first", _TIME, "The first of them."),
    column("last", _TIME, "The last of them."),
    column("seen_at", pa.string(), "Where the last one stands: file and line."),
]
_OF_FILES: Final = [
    column("file", pa.string(), "A file of it."),
    column("lines", pa.int64(), "Its lines: the sum of the next five."),
    column("used", pa.int64(), "Lines of queries that use views of the run."),
    column("elsewhere", pa.int64(), "Lines of queries that use none."),
    column("unclear", pa.int64(), "Lines of queries of which it is not known what they read."),
    column("others", pa.int64(), "Lines about anything else."),
    column("unreadable", pa.int64(), "Lines that cannot be read."),
    column("example", pa.string(), "What is wrong with the first of these, and where it stands."),
    column("outside", pa.list_(pa.string()), "Catalogs in it that no source is said to be."),
    column("days", _DAYS, "Days of its queries, in UTC."),
    column(
        "blind",
        _DAYS,
        "Days of queries of which it does not say what they read, or of which it has only the slow "
        "ones.",
    ),
]

READ_LOGS: Final = Dataset.of("read_logs", [*OF_VIEWS, *_OF_USES, *_OF_FILES], between=True)
"""What executors find in logs: rows of uses, and rows with a file, before it is cut into tables."""

USAGE: Final = Dataset.of("usage", [*OF_VIEWS, *_OF_USES])
USAGE_LOGS: Final = Dataset.of("usage_logs", [*_OF_USES[:2], *_OF_FILES])
VIEW_USAGE: Final = Dataset.of(
    "view_usage",
    [
        *OF_VIEWS,
        column(
            "use",
            pa.string(),
            "`used`; `read by used views`; `perhaps used`: only mentioned; `unused`: proposed to "
            "be left behind; `not proven`: nothing was seen, and the logs do not prove that there "
            "was nothing.",
        ),
        column("why", pa.string(), "Of `not proven`: what the logs lack."),
        *(
            field
            for field in _OF_USES
            if field.name in {"uses", "reads", "mentions", "first", "last"}
        ),
        column("users", pa.list_(pa.string()), "Who they were, up to ten of them."),
        column("engines", pa.list_(pa.string()), "Whose logs say so."),
        column("since", pa.date32(), "The first of the days that were looked at for `use`."),
        column("until", pa.date32(), "The last of them."),
    ],
)
DATASETS: Final = (READ_LOGS, USAGE, USAGE_LOGS, VIEW_USAGE)
STAGE: Final = StageTables("usage", DATASETS, "run `belvedere usage --run-id {run_id}` again")


@dataclass(frozen=True, slots=True)
class ViewUse:
    """A row of `VIEW_USAGE`, whose columns say what it has."""

    source: str
    namespace: list[str]
    name: str
    key: str
    use: str
    why: str | None
    uses: int
    reads: int
    mentions: int
    first: datetime | None
    last: datetime | None
    users: list[str]
    engines: list[str]
    since: date
    until: date

    @property
    def rank(self) -> tuple[int, int, int]:
        """What orders views: the most used first."""
        return -self.uses, -self.reads, -self.mentions

    @property
    def place(self) -> tuple[str, str]:
        """What tells the view from all others."""
        return self.source, self.key
