"""The table `quality`: what came of each expectation, a row for each; and their sum."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, Final

import pyarrow as pa

from jobs.warehouse.datasets import Dataset, StageTables
from jobs.warehouse.rows import column
from reports.head import QualityResult, Unmet
from reports.quality.model import ROWS, Name, Result, Status

_OWN: Final = "your own"
_NAMES: Final = frozenset({ROWS, *Name})


QUALITY: Final = Dataset.of(
    "quality",
    [
        column("name", pa.string(), "Of the expectation; the word before the dot is the suite."),
        column("meaning", pa.string(), "What is expected."),
        column("table", pa.string(), "What was looked at."),
        column(
            "status",
            pa.string(),
            "`passed`, `failed`, or `not evaluated`, which is no success: see `reason`.",
        ),
        column("severity", pa.string(), "Of a failure: `error`, or `warning`: it is only told."),
        column("gates", pa.bool_(), "Whether it makes the exit code 3."),
        column("rows", pa.int64(), "How many rows were looked at; null: it was not evaluated."),
        column("failing", pa.int64(), "How many of them fail; null: it is about the table."),
        column("allowed", pa.float64(), "Percentage of rows that may fail."),
        column("observed", pa.string(), "What was found, where it is about the table."),
        column("examples", pa.list_(pa.string()), "Some of the rows that fail."),
        column("reason", pa.string(), "Why it was not evaluated."),
        column("type", pa.string(), "Great Expectations' name of the expectation."),
        column("against", pa.string(), "The run that it was compared with; null: none."),
        column("evaluated", pa.timestamp("us", "UTC"), "When."),
    ],
)
CHECKING: Final = StageTables(
    "quality", (QUALITY,), "run `belvedere quality --run-id {run_id}` again"
)


def rows(
    results: Iterable[Result], against: str | None, evaluated: datetime
) -> Iterator[tuple[object, ...]]:
    """The rows of the table."""
    for result in results:
        expected = result.expected
        yield (
            expected.name,
            expected.meaning,
            result.table,
            result.status.value,
            expected.severity.value,
            result.gates,
            result.rows,
            result.failing,
            float(expected.allowed),
            result.observed,
            list(result.examples),
            result.reason,
            expected.type,
            against,
            evaluated,
        )


def summed(results: Iterable[Mapping[str, Any]]) -> QualityResult | None:
    """What a report says of the rows of a run; None if there are none: it was not checked."""
    rows = list(results)
    if not rows:
        return None
    suites: dict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        suites[_suite(row["name"])][row["status"]] += 1
    unmet = [_unmet(row) for row in rows if row["status"] != Status.PASSED]
    return QualityResult(
        rows[0]["evaluated"].astimezone(UTC).isoformat(timespec="seconds"),
        rows[0]["against"],
        {
            name: {status.value: counts[status] for status in Status}
            for name, counts in suites.items()
        },
        tuple(
            sorted(
                unmet,
                key=lambda expectation: (
                    not expectation.gates,
                    expectation.status != Status.FAILED,
                ),
            )
        ),
    )


def _suite(name: str) -> str:
    return name.partition(".")[0] if name in _NAMES else _OWN


def _unmet(row: Mapping[str, Any]) -> Unmet:
    seen = row["reason"]
    if row["status"] == Status.FAILED:
        seen = row["observed"]
        if row["failing"] is not None:
            seen = f"{row['failing']:,} of {row['rows']:,} rows fail, {row['allowed']:g} % may"
    same = ("name", "meaning", "table", "status", "severity", "gates")
    fields = {name: row[name] for name in same}
    return Unmet(**fields, seen=seen or "", examples=tuple(row["examples"] or ()))
