"""A view in a report, as a row of the warehouse's types; what all formats say of it alike."""

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import quote

Row = Mapping[str, Any]
"""A view, or an object that could not be read, with all that is known of it; the columns are
described in docs/report.schema.json."""

INNER: Final = frozenset(
    {"row", "reads", "model", "verdicts", "references", "lineage", "history", "key", "seen"}
)
"""What is in a row for the page, and for events; not part of a line of JSON."""


def name_of(row: Row) -> str:
    """The name for display, with its namespace."""
    return ".".join((*row["namespace"], row["name"]))


def path_of(row: Row) -> str:
    """Source, namespace and name as a path of a URI, for tools that want a file."""
    return "/".join(quote(one, safe="") for one in (row["source"], *row["namespace"], row["name"]))


def said(row: Row) -> list[str]:
    """What is to be known of the view, a text for each finding, failure or reason."""
    told = [f"{one['code']}: {one['message']}" for one in row["findings"] or ()]
    if row["outcome"] == "failure":
        told.insert(0, f"{row['code']}: {row['message']}")
    if row["aside"]:
        told.insert(0, f"{row['aside']}: {', '.join(row['because'] or ())}")
    told += [
        f"{one['engine']} rejects the {one['dialect']} text{_place(one)}: {one['message']}"
        for one in own_rejections(row)
    ]
    if row["differences"]:
        told.append(f"read back otherwise: {', '.join(row['differences'])}")
    return told


def _place(verdict: Mapping[str, Any]) -> str:
    return f" at {verdict['line']}:{verdict['column']}" if verdict["line"] else ""


def own_rejections(row: Row) -> list[Mapping[str, Any]]:
    """What the parsers said that reject a text of their own dialect."""
    return [
        one
        for one in row["verdicts"] or ()
        if one["verdict"] == "rejected" and one["dialect"].casefold() == one["engine"]
    ]
