"""The table `quality`: what came of each expectation, a row for each."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any, Final

import pyarrow as pa

from reports.quality.model import Result


def _column(name: str, kind: pa.DataType, meaning: str) -> pa.Field:
    """A column with its meaning."""
    return pa.field(name, kind, metadata={"doc": meaning})


QUALITY: Final = pa.schema(
    [
        _column("name", pa.string(), "Of the expectation; the word before the dot is the suite."),
        _column("meaning", pa.string(), "What is expected."),
        _column("table", pa.string(), "What was looked at."),
        _column(
            "status",
            pa.string(),
            "`passed`, `failed`, or `not evaluated`, which is no success: see `reason`.",
        ),
        _column("severity", pa.string(), "Of a failure: `error`, or `warning`: it is only told."),
        _column("gates", pa.bool_(), "Whether it makes the exit code 3."),
        _column("rows", pa.int64(), "How many rows were looked at; null: it was not evaluated."),
        _column("failing", pa.int64(), "How many of them fail; null: it is about the table."),
        _column("allowed", pa.float64(), "Percentage of rows that may fail."),
        _column("observed", pa.string(), "What was found, where it is about the table."),
        _column("examples", pa.list_(pa.string()), "Some of the rows that fail."),
        _column("reason", pa.string(), "Why it was not evaluated."),
        _column("type", pa.string(), "Great Expectations' name of the expectation."),
        _column("against", pa.string(), "The run that it was compared with; null: none."),
        _column("evaluated", pa.timestamp("us", "UTC"), "When."),
    ]
)


def rows(
    results: Iterable[Result], against: str | None, evaluated: datetime
) -> Iterator[tuple[Any, ...]]:
    """The rows of the table."""
    for one in results:
        expected = one.expected
        yield (
            expected.name,
            expected.meaning,
            one.table,
            one.status.value,
            expected.severity.value,
            one.gates,
            one.rows,
            one.failing,
            float(expected.allowed),
            one.observed,
            list(one.examples),
            one.reason,
            expected.type,
            against,
            evaluated,
        )
