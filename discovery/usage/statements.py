"""Statements as logs have them: whether one reads, and what of it does."""

import re
from typing import Final, NamedTuple

_LEAD: Final = re.compile(r"\s+|--[^\n]*(?:\n|$)|/\*.*?\*/|[(;]", re.DOTALL)
_EXPLAIN: Final = re.compile(
    r"explain\s+(?:\([^)]*\banaly[sz]e\b[^)]*\)|analy[sz]e\s+(?:verbose\s+)?)", re.IGNORECASE
)
_WORD: Final = re.compile(r"[A-Za-z]+")
_CURSOR: Final = re.compile(r"declare\s.{1,300}?\sfor\s+", re.IGNORECASE | re.DOTALL)
_PREPARE: Final = re.compile(
    r'prepare\s+(?:"[^"]*"|\w+)\s*(?:\([^)]*\))?\s*as\s+', re.IGNORECASE | re.DOTALL
)
_READS: Final = frozenset(
    (
        *("select", "with", "values", "table", "from", "insert", "update", "delete", "merge"),
        *("copy", "cache", "replace"),  # of Spark: CACHE TABLE, and REPLACE TABLE … AS
    )
)
_AS_SELECT: Final = re.compile(
    r"create\s+(?:or\s+replace\s+)?(?:(?:global|local|unlogged|temporary|temp|external|"
    r"transactional)\s+)*(table|materialized\s+view)\b.*?\bas\b",
    re.IGNORECASE | re.DOTALL,
)
_TEMPORARY_VIEW: Final = re.compile(
    r"create\s+(?:or\s+replace\s+)?(?:(?:global|local)\s+)?temp(?:orary)?\s+(?:recursive\s+)?"
    r"view\b.*?\bas\b",
    re.IGNORECASE | re.DOTALL,
)
"""A view that no crawl sees: what reads it later names only it."""
_CREATES: Final = (_AS_SELECT, _TEMPORARY_VIEW)
_TO_THE_NEXT: Final = re.compile(
    r"(?>[^;'\"`$/-]+|'[^']*'?|\"[^\"]*\"?|`[^`]*`?|--[^\n]*|/\*(?:.*?\*/|.*)"
    r"|\$(?P<tag>\w*)\$(?:.*?\$(?P=tag)\$|.*)|[^;])*+;",
    re.DOTALL,
)
"""What is open at the end is taken to reach it, so that nothing is looked at twice."""
_NOT_STATEMENTS: Final = frozenset(
    (
        *(
            "alter",
            "analyze",
            "begin",
            "clear",
            "close",
            "commit",
            "create",
            "deallocate",
            "declare",
            "desc",
            "describe",
            "discard",
            "drop",
            "end",
            "explain",
            "fetch",
            "grant",
            "list",
            "listen",
            "load",
            "lock",
            "move",
            "msck",
            "notify",
            "prepare",
            "reassign",
            "reindex",
            "release",
            "repair",
            "reset",
            "revoke",
            "rollback",
            "savepoint",
            "security",
            "set",
            "show",
            "start",
            "truncate",
            "uncache",
            "unlisten",
            "unset",
            "use",
            "vacuum",
        ),
    )
)
"""The first words of statements that read no view, or whose views another statement has named."""
_UNTOLD: Final = frozenset({"call", "do", "execute", "refresh"})
"""Those of statements that may read views, and do not say which."""
_SELECTS: Final = frozenset({"select", "values", "table"})


_HARD: Final = re.compile(r"[\"`\\\[#]|--|/\*|\$(?!\d)|identifier", re.IGNORECASE)
"""What may begin a name with quotes, a comment, or a text of another kind than '…'."""
_TEXT: Final = re.compile(r"'[^']*'")
_NUMBER: Final = re.compile(r"(?<![\w.$])\d+(?:\.\d+)?(?![\w.])")


class ReadingText(NamedTuple):
    """A text that may read views.

    Attributes:
        text: What reads; empty: the text does not say that.
        is_statement: Whether it begins as a statement does.
        is_select: Whether it does nothing but read.
    """

    text: str
    is_statement: bool = True
    is_select: bool = False


def of_reading(sql: str) -> ReadingText | None:
    """What of a statement reads; None: it reads nothing.

    The query of a cursor is read when that is declared, the query of a prepared statement when that
    is executed, which is another statement. PostgreSQL logs what a client sends at once as one:
    psqlODBC sends `BEGIN;SELECT …`.
    """
    start = 0
    while start < len(sql):
        following = _TO_THE_NEXT.match(sql, start)
        end = following.end() if following else len(sql)
        if found := _reading(sql, start, end):
            return found
        start = end
    return None


def _reading(sql: str, start: int, end: int) -> ReadingText | None:
    """What reads of the statement between two places, and of those after it."""
    at = start
    while lead := _LEAD.match(sql, at, end):
        at = lead.end()
    first = _WORD.match(sql, at, end)
    word = first[0].lower() if first else ""
    if word in _READS:
        return ReadingText(sql[start:], is_select=word in _SELECTS)
    for begin, pattern in (("declare", _CURSOR), ("explain", _EXPLAIN)):
        if word == begin and (found := pattern.match(sql, at, end)):
            return ReadingText(sql[found.end() :], is_select=True)
    if word == "create" and any(one.match(sql, at, end) for one in _CREATES):
        return ReadingText(sql[start:])
    if word in _UNTOLD:
        return ReadingText("")
    if word in _NOT_STATEMENTS or at == end:
        return None
    return ReadingText(sql[start:], is_statement=False)


def prepared(sql: str) -> str:
    """The query of a PREPARE, which its EXECUTE is told with."""
    found = _PREPARE.match(sql.strip())
    return sql.strip()[found.end() :] if found else sql


def without_values(sql: str) -> str:
    """A statement with its texts and numbers made alike, where nothing else can be in them.

    Statements that differ by values alone name the same tables: the names of one are those of all.
    """
    if _HARD.search(sql):
        return sql
    return _NUMBER.sub("0", _TEXT.sub("''", sql))
