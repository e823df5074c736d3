"""Entries of a Hive Metastore whose writer is none of ours, and which are not plainly Hive's.

What no other format claims is Hive's only where its text is a query and nothing marks it as another
engine's. Marks, each with where it is written:
- `common_view` = true: Netflix' common views, whose definition is in a metadata file
  (`MetacatUtils.isCommonView`, Metacat);
- `metadata_location` without Iceberg's `table_type`: a definition in a file of somebody's;
- `table_type` naming a table format or another format of views: set by who owns the entry (Iceberg,
  Hudi, Delta, Paimon, Amoro's mixed formats), as Trino's `HiveUtil` and Gravitino's
  `HiveTableConverter` tell them apart;
- `view-format` (Hive 4) with another value than Hive's and Iceberg's.

Impala reads and writes views as Hive does, both texts in its own SQL
(`CatalogOpExecutor.createView`), and marks what it made by `impala.events.*`
(`MetastoreEventPropertyKey`). Such a view is read as Hive's, with a note; so is one that has a
property by which Trino, PrestoDB, Dremio, StarRocks, Doris or Amoro mark what they made, beside a
text that reads as a query.
"""

import re
from collections.abc import Iterator
from typing import Final, Never

from discovery.errors import ForeignFormatError
from discovery.formats.hive_table import HiveTable
from discovery.outcomes import FOREIGN_WRITER, Note

NAME: Final = "foreign"
_FORMATS: Final = {
    "iceberg": "Iceberg",
    "delta": "Delta Lake",
    "hudi": "Hudi",
    "paimon": "Paimon",
    "mixed_hive": "Amoro",
    "mixed_iceberg": "Amoro",
    "arctic": "Amoro",
    "amoro": "Amoro",
}
_WRITERS: Final = {
    "impala.": "Impala",
    "trino_": "Trino",
    "presto_": "PrestoDB",
    "dremio.": "Dremio",
    "starrocks.": "StarRocks",
    "doris.": "Doris",
    "amoro.": "Amoro",
    "arctic.": "Amoro",
}
_PREFIXES: Final = tuple(_WRITERS)
_NO_MARKS: Final = frozenset({"presto_view"})  # `false` beside a text of Hive's: a user's
_NATIVE: Final = frozenset({"", "hive", "iceberg"})
_QUERY: Final = re.compile(  # how a query of Hive, Spark or Impala begins, after comments
    r"(?:\s|--[^\n]*(?:\n|$)|/\*(?>.*?\*/))*+(?:\(|(?:select|with|from|values|table|map|reduce)\b)",
    re.IGNORECASE | re.DOTALL,
)


def matches(table: HiveTable) -> bool:
    """Whether something says that the entry is neither Hive's nor of a format we read."""
    return _reason(table) is not None


def decode(table: HiveTable) -> Never:
    """Refuse the entry: half of what its engine means by it would pass for the whole.

    Raises:
        ForeignFormatError: Always; names the engine, where a mark does, and the mark.
    """
    who, where, why = _reason(table) or ("", "", "")
    message = f"a view of {who}, which belvedere does not read: {why}"
    raise ForeignFormatError(message, field=where)


def notes(table: HiveTable) -> Iterator[Note]:
    """A note on each engine that has left its properties beside a text that reads as Hive's."""
    marks = [key for key in table.parameters if key.startswith(_PREFIXES)]
    writers: dict[str, str] = {}
    for key in sorted(marks):
        prefix = next(start for start in _PREFIXES if key.startswith(start))
        if key not in _NO_MARKS:
            writers.setdefault(_WRITERS[prefix], key)
    for writer, key in writers.items():
        yield FOREIGN_WRITER.note(
            f"the property {key} is {writer}'s: its text is read as Hive's, which {writer}'s SQL "
            "may not be"
        )


def _reason(table: HiveTable) -> tuple[str, str, str] | None:
    """Who wrote the entry, the field that tells, and why; None where nothing tells."""
    parameters = table.parameters
    if parameters.get("common_view", "").lower() == "true":
        return "Netflix (a common view)", "parameters.common_view", "it is marked as a common view"
    named = parameters.get("table_type", "").lower()
    engine = _FORMATS.get(named.removesuffix("-view"))
    if engine or named.endswith("-view"):
        where = "parameters.table_type"
        return engine or "another engine", where, f"its table_type is {named!r:.80}"
    if parameters.get("view-format", "").lower() not in _NATIVE:
        stated = parameters["view-format"]
        return "another engine", "parameters.view-format", f"it is {stated!r:.80}"
    if parameters.get("metadata_location"):
        why = "its definition is in a metadata file, and no table_type says in which format"
        return "another engine", "parameters.metadata_location", why
    text = table.expanded or table.original
    if text is not None and not _QUERY.match(text):
        where = "viewExpandedText" if table.expanded else "viewOriginalText"
        return "another engine", where, f"its text begins as no query does: {text!r:.80}"
    return None
