"""The events that Trino's HTTP event listener sends, one a line (476, recorded).

A query that has ended has `endTime`. `metadata.tables` has each table and view that its analysis
came to; those with `directlyReferenced` are named in the statement, the others in views. Where the
analysis failed there are none. Views that are created, described or explained are not used.
"""

from collections.abc import Iterator, Mapping
from datetime import UTC
from typing import Any, Final

from discovery.ports import Name
from discovery.usage.model import (
    Lines,
    Logged,
    Parse,
    Query,
    Unreadable,
    as_object,
    in_utc,
    logged_line,
    text,
)

_OURS: Final = "belvedere"
"""What our own statements say as their source (X-Trino-Source)."""
_READING: Final = frozenset({"SELECT", "INSERT", "UPDATE", "DELETE", "MERGE", "ANALYZE"})
"""Of `io.trino.spi.resourcegroups.QueryType`, and ALTER_TABLE_EXECUTE, which reads no view."""


def read(lines: Lines, parse: Parse) -> Iterator[Logged]:
    """What the lines of a log come to."""
    for number, line in lines:
        event = as_object(line, parse)
        yield logged_line(number, event if isinstance(event, Unreadable) else _query(event))


def _query(event: Mapping[str, Any]) -> Query | Unreadable | None:
    context, metadata = event.get("context"), event.get("metadata")
    if not isinstance(context, dict) or not isinstance(metadata, dict) or "endTime" not in event:
        return None
    if text(context.get("queryType")) not in _READING or context.get("source") == _OURS:
        return None
    time = in_utc(str(event.get("createTime")), UTC)
    tables = metadata.get("tables")
    if time is None or not isinstance(tables, list):
        return Unreadable("is a completed query without createTime or metadata.tables")
    if not all(isinstance(table, dict) for table in tables):
        return Unreadable("is a completed query whose metadata.tables has what is no table")
    user, catalog, schema = (text(context.get(member)) for member in ("user", "catalog", "schema"))
    if not tables and metadata.get("queryState") == "FAILED":
        return Query(time, user, catalog, schema, sql=text(metadata.get("query")) or "")
    named: dict[Name, None] = {}
    below: dict[Name, None] = {}
    for table in tables:
        name = tuple(str(table.get(part)) for part in ("catalog", "schema", "table"))
        (named if table.get("directlyReferenced", True) else below)[name] = None
    return Query(time, user, catalog, schema, named=tuple(named), below=tuple(below))
