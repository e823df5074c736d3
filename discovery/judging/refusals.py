"""What an engine's error is about, of a statement about a view: the view, or something beside it.

What an engine says for want of rights, time or a metastore is no verdict, and neither is that it
does not find the view: the name under which it was asked is ours.
"""

import re
from collections.abc import Mapping
from typing import Final, NamedTuple


class Refusal(NamedTuple):
    """An engine's error, in its own words.

    Attributes:
        name: Of the error, such as Trino's `TABLE_NOT_FOUND`.
        kind: Of the error, such as Trino's `USER_ERROR`.
        message: What it said.
        causes: Names and kinds of the errors behind it.
    """

    name: str
    kind: str
    message: str
    causes: tuple[tuple[str, str], ...] = ()


_NOT_OURS: Final[Mapping[str, str]] = {
    "PERMISSION_DENIED": "it denies us",
    "USER_CANCELED": "somebody canceled the query",
    "ADMINISTRATIVELY_KILLED": "somebody canceled the query",
    "ADMINISTRATIVELY_PREEMPTED": "somebody canceled the query",
    "ABANDONED_QUERY": "it took the query for abandoned",
    "SERVER_SHUTTING_DOWN": "it is shutting down",
    "SERVER_STARTING_UP": "it is starting",
}
"""Errors of Trino that say nothing of the view (`StandardErrorCode`)."""
_OF_ENTRIES: Final = frozenset(
    {
        "HIVE_INVALID_METADATA",
        "HIVE_INVALID_VIEW_DATA",
        "HIVE_UNSUPPORTED_FORMAT",
        "HIVE_VIEW_TRANSLATION_ERROR",
        "ICEBERG_INVALID_METADATA",
        "ICEBERG_UNSUPPORTED_VIEW_DIALECT",
        "UNSUPPORTED_TABLE_TYPE",
    }
)
"""Errors that Trino calls external or internal, and that are about what is stored."""
_LACKING: Final = frozenset(
    {"CATALOG_NOT_FOUND", "SCHEMA_NOT_FOUND", "TABLE_NOT_FOUND", "NOT_FOUND"}
)
"""What Trino does not find of our own statement: in a view below it says `INVALID_VIEW`."""
_UNSUPPORTED: Final = "not supported"
"""Of views of Hive, too, Trino says `NOT_FOUND`: "Hive views are not supported"."""
_USER: Final = "USER_ERROR"
_OF_OTHERS: Final = frozenset({"EXTERNAL", "INSUFFICIENT_RESOURCES"})
"""Kinds of causes that are none of the view, which Trino wraps in `INVALID_VIEW`. Internal errors
are those of Coral, too."""


def beside_trinos_view(refusal: Refusal) -> str:
    """What an error of Trino is about, if it is not about the view; empty: it is."""
    if refusal.kind != _USER and refusal.name not in _OF_ENTRIES:
        return f"it failed ({refusal.kind or 'no kind'}, {refusal.name or 'no name'})"
    for name, kind in ((refusal.name, ""), *refusal.causes):
        if why := _NOT_OURS.get(name):
            return why
        if kind in _OF_OTHERS and name not in _OF_ENTRIES:
            return f"something behind it failed ({kind}, {name})"
    if refusal.name in _LACKING and _UNSUPPORTED not in refusal.message:
        return "it has nothing of that name: see `catalogs`"
    return ""


_OF_TEXTS: Final = re.compile(
    r"(^org\.apache\.flink\.(table\.api|sql\.parser)\.|^org\.apache\.calcite\.)"
    r"|^java\.lang\.UnsupportedOperationException$"
)
"""Exceptions of Flink about a text, or a type that it does not have, and what they wrap."""
_NOT_THERE: Final = re.compile(r"with the identifier '.*' doesn't exist", re.DOTALL)


def beside_flinks_view(refusal: Refusal) -> str:
    """What an exception of Flink is about, if it is not about the view; empty: it is."""
    for name in (refusal.name, *(name for name, _ in refusal.causes)):
        if not _OF_TEXTS.search(name):
            return f"it failed ({name or 'no name'})"
    return "it has nothing of that name: see `catalogs`" if _lacks(refusal) else ""


def _lacks(refusal: Refusal) -> bool:
    return _NOT_THERE.search(refusal.message) is not None


_ANALYSIS: Final = frozenset({"AnalysisException", "ParseException"})
"""Errors of Spark about a statement and what it reads (`pyspark.errors`)."""
_NOT_OF_THE_VIEW: Final = ("INTERNAL_ERROR", "_LEGACY_ERROR_TEMP_3065")
"""Conditions of Spark that wrap what failed elsewhere: the second, a metastore's exceptions."""
_NO_SUCH: Final = frozenset(
    {
        "CATALOG_NOT_FOUND",
        "REQUIRES_SINGLE_PART_NAMESPACE",  # a catalog that it does not know, for `spark_catalog`
        "SCHEMA_NOT_FOUND",
        "TABLE_OR_VIEW_NOT_FOUND",
    }
)
"""What Spark does not find, of our own statement unless the error stands in a view."""
_VIEW: Final = "VIEW"


def beside_sparks_view(refusal: Refusal) -> str:
    """What an error of Spark is about, if it is not about the view; empty: it is."""
    if refusal.kind not in _ANALYSIS or refusal.name.startswith(_NOT_OF_THE_VIEW):
        return f"it failed ({refusal.kind}, {refusal.name or 'no name'})"
    within = any(kind == _VIEW for _, kind in refusal.causes)
    if refusal.name in _NO_SUCH and not within:
        return "it has nothing of that name: see `catalogs`"
    return ""


_OF_QUERIES: Final = frozenset({"ParseException", "SemanticException"})
"""Exceptions of Hive about a query and what it reads."""
_ABSENT: Final = frozenset({"10001", "10072"})
"""Hive's numbers for a table and a database that are not there (`ErrorMsg`)."""
_IN_A_VIEW: Final = " in definition of VIEW "
_OF_JAVA: Final = re.compile(r"\b(?:[a-z]\w*\.)+[A-Z]\w*(?:Exception|Error)\b|\bUnable to fetch\b")
"""In what Hive says of a query: something behind it has failed."""


def beside_hives_view(refusal: Refusal) -> str:
    """What an error of Hive is about, if it is not about the view; empty: it is."""
    if refusal.name not in _OF_QUERIES or _OF_JAVA.search(refusal.message):
        return f"it failed ({refusal.name or 'no name'})"
    if refusal.kind in _ABSENT and _IN_A_VIEW not in refusal.message:
        return "it has nothing of that name: see `catalogs`"
    return ""
