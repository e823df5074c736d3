"""Statements as logs have them: whether one reads, and what of it does."""

import re
from typing import Final, NamedTuple

_COMMENT: Final = re.compile(r"\s+|--[^\n]*(?:\n|$)|/\*.*?\*/", re.DOTALL)
_WORD: Final = re.compile(r"[A-Za-z]+")
_CURSOR: Final = re.compile(r"declare\s.{1,300}?\sfor\s+", re.IGNORECASE | re.DOTALL)
_PREPARE: Final = re.compile(
    r'prepare\s+(?:"[^"]*"|\w+)\s*(?:\([^)]*\))?\s*as\s+', re.IGNORECASE | re.DOTALL
)
_READS: Final = frozenset(
    {"select", "with", "values", "table", "from", "insert", "update", "delete", "merge", "copy"}
)
_AS_SELECT: Final = re.compile(
    r"create\s+(?:or\s+replace\s+)?(?:(?:global|local|unlogged|temporary|temp|external|"
    r"transactional)\s+)*(table|materialized\s+view)\b.*?\bas\b",
    re.IGNORECASE | re.DOTALL,
)
_NOT_STATEMENTS: Final = frozenset(
    (
        *(
            "alter",
            "analyze",
            "begin",
            "call",
            "cache",
            "clear",
            "close",
            "commit",
            "create",
            "deallocate",
            "declare",
            "desc",
            "describe",
            "discard",
            "do",
            "drop",
            "end",
            "execute",
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
            "refresh",
            "reindex",
            "release",
            "repair",
            "replace",
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
"""The first words of statements that read no view, or of which only others say what they read."""


_HARD: Final = re.compile(r"[\"`\\\[#]|--|/\*|\$(?!\d)|identifier", re.IGNORECASE)
"""What may begin a name with quotes, a comment, or a text of another kind than '…'."""
_TEXT: Final = re.compile(r"'[^']*'")
_NUMBER: Final = re.compile(r"(?<![\w.$])\d+(?:\.\d+)?(?![\w.])")


class ReadingText(NamedTuple):
    """A text that may read views.

    Attributes:
        text: What reads.
        is_statement: Whether it begins as a statement does that reads.
    """

    text: str
    is_statement: bool = True


def of_reading(sql: str) -> ReadingText | None:
    """What of a statement reads; None: it reads nothing.

    The query of a cursor is read when that is declared, the query of a prepared statement when that
    is executed, which is another statement.
    """
    start = 0
    while found := _COMMENT.match(sql, start):
        start = found.end()
    while sql.startswith(("(", ";"), start):
        start += 1
    rest = sql[start:] if start else sql
    found = _WORD.match(rest)
    word = found[0].lower() if found else ""
    if word in _READS:
        return ReadingText(sql)
    if word == "declare" and (cursor := _CURSOR.match(rest)):
        return ReadingText(rest[cursor.end() :])
    if word == "create" and _AS_SELECT.match(rest):
        return ReadingText(sql)
    if word == "explain" and re.match(r"explain\s+\(?analyze", rest, re.IGNORECASE):
        return ReadingText(re.sub(r"^explain\s+(\([^)]*\)|analyze\s+(verbose\s+)?)", "", rest))
    if word in _NOT_STATEMENTS or not word:
        return None
    return ReadingText(sql, is_statement=False)


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
