"""What a view can stand on: the kinds of bases, and how one is told from what is known of it."""

from enum import StrEnum
from typing import Final


class BaseKind(StrEnum):
    """What a name in a view's text is.

    A name's own spelling, or the place that it leads to, can settle it (`STATED`); all else is
    settled by what the crawl and the source say of the place. A function in the place of a table
    is no base: `calls` has it.
    """

    VIEW = "view"
    """A view of the estate that the crawl has read; only it gives an edge of the order."""

    TABLE = "table"
    """A table, a materialized view, or whatever else is there and holds rows."""

    METADATA = "metadata"
    """A metadata table of a table: Trino's `"t$partitions"`, Spark's `d.t.snapshots`. The place is
    that of the table, so the view stands on the table."""

    SYSTEM = "system"
    """What the engine itself provides wherever it runs: `pg_class`, `information_schema.tables`."""

    FILE = "file"
    """Files, read by their path: Spark's ``parquet.`/x` ``."""

    SEQUENCE = "sequence"
    """A sequence, read like a table of one row: PostgreSQL's `SELECT last_value FROM s`."""

    OUTSIDE = "outside"
    """Out of the estate: of a catalog that no source is known to be."""

    MISSING = "missing"
    """Not there, though the view's own engine would look for it there: the view cannot be read."""

    UNREAD = "unread"
    """There, and it could not be read, so nobody knows what it stands on."""

    UNKNOWN = "unknown"
    """Its source cannot say whether it is there, or would not."""


STATED: Final = frozenset({BaseKind.METADATA, BaseKind.SYSTEM, BaseKind.FILE, BaseKind.OUTSIDE})
"""What a name can be by itself, before anybody looks; with a key, outside unless it is there."""

STATES: Final = ("found", "sequence", "missing", "unread", "unknown")
"""What `bases` says of a place; no row of it: None."""

OUTCOMES: Final = ("view", "failure", "skipped")
"""What a crawl says of a place; None: it has not listed it."""


def settled(stated: str | None, outcome: str | None, state: str | None) -> BaseKind:
    """What a base is.

    Args:
        stated: What its name says, one of `STATED`.
        outcome: What the crawl says of the place, one of `OUTCOMES`.
        state: What its source says of the place, one of `STATES`.
    """
    base_kind = _base_kind(outcome, state)
    if stated == BaseKind.METADATA:
        return BaseKind.METADATA if base_kind in {BaseKind.TABLE, BaseKind.UNKNOWN} else base_kind
    if stated == BaseKind.OUTSIDE and base_kind not in {BaseKind.MISSING, BaseKind.UNKNOWN}:
        return base_kind
    return base_kind if stated is None else BaseKind(stated)


def _base_kind(outcome: str | None, state: str | None) -> BaseKind:
    if outcome == "view":
        return BaseKind.VIEW
    if outcome == "failure":
        return BaseKind.UNREAD
    if state == "found" or (outcome == "skipped" and state == "unknown"):  # it has been listed
        return BaseKind.TABLE
    return BaseKind(state or "unknown")
