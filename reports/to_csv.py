"""The views as CSV (RFC 4180): for a sheet, and by owner for sign-off.

A text that a sheet would take for a formula gets an apostrophe before it; a control character is
shown as an escape.
"""

import csv
import io
from collections.abc import Iterable, Iterator
from typing import Final

from discovery.display import visible
from reports.head import ReportHead
from reports.lines import Row, remarks

_COLUMNS: Final = (
    *("source", "namespace", "name", "owner", "standing", "reason", "format", "dialects"),
    *("columns", "wave", "use", "uses", "engines", "changes", "what to know"),
)
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")


def begin(_: ReportHead) -> str:
    """The header."""
    return _line(_COLUMNS)


def texts(row: Row) -> Iterator[str]:
    """The view as a line."""
    yield _line(
        [
            row["source"],
            ".".join(row["namespace"]),
            row["name"],
            row["owner"],
            row["standing"],
            row["reason"],
            row["format"],
            ", ".join(row["dialects"] or ()),
            row["columns"],
            row["wave"],
            row["use"],
            row["uses"],
            ", ".join(f"{engine['engine']} {engine['status']}" for engine in row["engines"] or ()),
            "; ".join(row["changes"] or ()),
            "; ".join(remarks(row)),
        ]
    )


def _line(values: Iterable[object]) -> str:
    line = io.StringIO()
    csv.writer(line).writerow(map(_cell, values))
    return line.getvalue()


def _cell(value: object) -> object:
    if not isinstance(value, str):
        return value
    return f"'{visible(value)}" if value.startswith(_FORMULA) else visible(value)
