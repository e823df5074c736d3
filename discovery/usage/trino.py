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
_NOT_READING: Final = frozenset({"DATA_DEFINITION", "DESCRIBE", "EXPLAIN", "ALTER_TABLE_EXECUTE"})
"""Of `io.trino.spi.resourcegroups.QueryType` (476); a type that a later Trino adds may read views.
"""
_PARTS: Final = ("catalog", "schema", "table")


def read(lines: Lines, parse: Parse) -> Iterator[Logged]:
    """What the lines of a log come to."""
    for number, line in lines:
        event = as_object(line, parse)
        yield logged_line(number, event if isinstance(event, Unreadable) else _query(event))


def _query(event: Mapping[str, Any]) -> Query | Unreadable | None:
    if "endTime" not in event or not {"context", "metadata"} & event.keys():
        return None  # it has only begun, or is a split of one
    context, metadata = event.get("context"), event.get("metadata")
    if not isinstance(context, dict) or not isinstance(metadata, dict):
        return Unreadable("is a completed query without context or metadata")
    kind = context.get("queryType")
    if text(kind) in _NOT_READING or context.get("source") == _OURS:
        return None
    if text(kind) is None:  # so Trino has it of a text that it cannot parse
        is_unparsed = kind is None and metadata.get("queryState") == "FAILED"
        return None if is_unparsed else Unreadable("is a completed query without its queryType")
    return _reading(event, context, metadata)


def _reading(
    event: Mapping[str, Any], context: Mapping[str, Any], metadata: Mapping[str, Any]
) -> Query | Unreadable:
    time = in_utc(str(event.get("createTime")), UTC)
    tables = metadata.get("tables")
    if time is None or not isinstance(tables, list):
        return Unreadable("is a completed query without createTime or metadata.tables")
    if not all(map(_is_table, tables)):
        return Unreadable("is a completed query whose metadata.tables has what is no table")
    user, catalog, schema = (text(context.get(member)) for member in ("user", "catalog", "schema"))
    if not tables and metadata.get("queryState") != "FINISHED":
        return Query(time, user, catalog, schema, sql=text(metadata.get("query")) or "")
    named: dict[Name, None] = {}
    below: dict[Name, None] = {}
    for table in tables:
        name = tuple(table[part] for part in _PARTS)
        (named if table.get("directlyReferenced", True) else below)[name] = None
    return Query(time, user, catalog, schema, named=tuple(named), below=tuple(below))


def _is_table(table: object) -> bool:
    return (
        isinstance(table, dict)
        and all(isinstance(table.get(part), str) for part in _PARTS)
        and isinstance(table.get("directlyReferenced", True), bool)
    )
