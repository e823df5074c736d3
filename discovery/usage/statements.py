"""Statements as logs have them: whether one reads, and what of it does."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

_LEAD: Final = re.compile(r"\s+|--[^\n]*(?:\n|$)|/\*.*?\*/|[(;]", re.DOTALL)
_GAP: Final = r"(?:\s|--[^\n]*\n|/\*.{0,999}?\*/)+"
"""What stands between two words; a comment that is longer may have no end."""


def _of_words(pattern: str) -> re.Pattern[str]:
    """A pattern in which a blank stands for all that can be between two words."""
    return re.compile(pattern.replace(" ", _GAP), re.IGNORECASE | re.DOTALL)


_EXPLAIN: Final = re.compile(
    rf"explain(?:\s*\([^)]*\banaly[sz]e\b[^)]*\)|{_GAP}analy[sz]e\b(?:{_GAP}verbose\b)?)",
    re.IGNORECASE | re.DOTALL,
)
_WORD: Final = re.compile(r"[A-Za-z]+")
_CURSOR: Final = _of_words(r'declare (?:"[^"]*"|\w+) .{0,300}?\bcursor\b.{0,300}?\bfor ')
_ASSIGNED: Final = _of_words(r"(?:set|declare)\b[^=:]*?(?:=|\bdefault\b)")
"""What is before the expression that a variable of Spark gets."""
_SUBQUERY: Final = re.compile(r"\(\s*(?:select|with|from|table|values)\b", re.IGNORECASE)
_SCRIPT: Final = _of_words(r"begin (?!work|tran|isolation|read|not|deferrable)(?=\w)")
"""The begin of a script of Spark; that of a transaction has its mode behind it, or nothing."""
_PREPARE: Final = re.compile(
    r'prepare\s+(?:"[^"]*"|\w+)\s*(?:\([^)]*\))?\s*as\s+', re.IGNORECASE | re.DOTALL
)
_READS: Final = frozenset(
    (
        *("select", "with", "values", "table", "from", "insert", "update", "delete", "merge"),
        *("copy", "cache", "replace"),  # of Spark: CACHE TABLE, and REPLACE TABLE … AS
    )
)
_AS_SELECT: Final = _of_words(
    r"create (?:or (?:replace|refresh) )?(?:(?:global|local|unlogged|temporary|temp|external|"
    r"managed|transactional|streaming) )*(?:table|materialized view)\b"
    r".*?\b(?:as|select|from|with|values|table)\b"
)
"""Spark needs no AS before the query."""
_REBUILD: Final = _of_words(r"alter materialized view .*?\brebuild\b")  # Hive's REFRESH
_AS_EXECUTE: Final = _of_words(r"\bas execute\b")
_COMPUTED: Final = re.compile(r"\bidentifier\s*\((?!\s*'[^']*'\s*\))", re.IGNORECASE)
"""Spark's name of a table that is not there as a text: a parameter, a variable, a call."""
_TEMPORARY_VIEW: Final = _of_words(
    r"create (?:or replace )?(?:(?:global|local) )?temp(?:orary)? (?:recursive )?view\b.*?\bas\b"
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
"""Those of statements that may read views, and do not say which, or not all."""
_SELECTS: Final = frozenset({"select", "values", "table"})


_HARD: Final = re.compile(r"[\"`\\\[#]|--|/\*|\$(?!\d)|identifier", re.IGNORECASE)
"""What may begin a name with quotes, a comment, or a text of another kind than '…'."""
_TEXT: Final = re.compile(r"'[^']*'")
_ANY_TEXT: Final = re.compile(r"'(?:[^']|'')*+'|\$(?P<tag>\w*)\$(?:.*?\$(?P=tag)\$|.*)", re.DOTALL)
_QUERY: Final = re.compile(r"(?:'|\$\w*\$)[\s(]*(?:select|with|table|values)\b", re.IGNORECASE)
_NAMES: Final = re.compile(r"\bregclass\b|\btable_to_xml", re.IGNORECASE)
_NAME_BEFORE: Final = re.compile(
    r"(?:\bregclass|\btable_to_xml(?:schema|_and_xmlschema)?\s*\()\s*$", re.IGNORECASE
)
_NAME_BEHIND: Final = re.compile(
    r"\s*(?:::|\bas\b)\s*(?:pg_catalog\s*\.\s*)?regclass\b", re.IGNORECASE
)
_NEAR: Final = 80  # characters before a text that may say what it is
_PART: Final = re.compile(r'"(?P<quoted>(?:[^"]|"")+)"|(?P<plain>[^\s."]+)')
_NUMBER: Final = re.compile(r"(?<![\w.$])\d+(?:\.\d+)?(?![\w.])")


class ReadingText(NamedTuple):
    """A text that may read views.

    Attributes:
        text: What reads.
        is_statement: Whether it begins as a statement does.
        is_select: Whether it does nothing but read.
        tells_all: Whether it says all that is read; a procedure's call does not.
    """

    text: str
    is_statement: bool = True
    is_select: bool = False
    tells_all: bool = True


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
        if reading := _reading(sql, start, end):
            tells_all = (
                reading.tells_all and not _COMPUTED.search(sql, start) and _is_all_told(sql, end)
            )
            return reading._replace(tells_all=tells_all)
        start = end
    return None


def _is_all_told(sql: str, start: int) -> bool:
    """Whether no statement from a place on is one that does not say what it reads."""
    while start < len(sql):
        following = _TO_THE_NEXT.match(sql, start)
        end = following.end() if following else len(sql)
        if _first_word(sql, start, end)[0] in _UNTOLD:
            return False
        start = end
    return True


def _first_word(sql: str, start: int, end: int) -> tuple[str, int]:
    """The first word of the statement between two places, in lower case, and where it stands."""
    at = start
    while lead := _LEAD.match(sql, at, end) or _SCRIPT.match(sql, at, end):
        at = lead.end()
    first = _WORD.match(sql, at, end)
    return first[0].lower() if first else "", at


def _reading(sql: str, start: int, end: int) -> ReadingText | None:
    """What reads of the statement between two places, and of those after it."""
    word, at = _first_word(sql, start, end)
    if word == "explain" and (match := _EXPLAIN.match(sql, at, end)):
        start = match.end()
        word, at = _first_word(sql, start, end)
    if word in _READS:
        return ReadingText(sql[start:], is_select=word in _SELECTS)
    if within := _within(word, sql, at, end):
        return within
    if word in _UNTOLD or (word == "alter" and _REBUILD.match(sql, at, end)):
        return ReadingText(sql[start:], tells_all=False)
    if word in _NOT_STATEMENTS or at == end:
        return None
    return ReadingText(sql[start:], is_statement=False)


def _within(word: str, sql: str, at: int, end: int) -> ReadingText | None:
    """What reads within a statement that begins with a word which need not read."""
    if word == "declare" and (match := _CURSOR.match(sql, at, end)):
        return ReadingText(sql[match.end() :], is_select=True)
    if (
        word in {"declare", "set"}
        and (match := _ASSIGNED.match(sql, at, end))
        and _SUBQUERY.search(sql, match.end(), end)
    ):
        return ReadingText(f"SELECT {sql[match.end() :]}", is_select=True)  # as if it were selected
    if word == "create" and any(create.match(sql, at, end) for create in _CREATES):
        executes = _AS_EXECUTE.search(sql, at, end) is not None
        return ReadingText(sql[at:], tells_all=not executes)
    return None


def prepared(sql: str) -> str:
    """The query of a PREPARE, which its EXECUTE is told with."""
    match = _PREPARE.match(sql.strip())
    return sql.strip()[match.end() :] if match else sql


def queries_within(sql: str) -> Iterator[str]:
    """The texts in a statement that are queries themselves, as `crosstab` and `dblink` are told."""
    for match in _ANY_TEXT.finditer(sql) if _QUERY.search(sql) else ():
        if _QUERY.match(match[0]):
            yield match[0]


def names_within(sql: str) -> Iterator[tuple[str, ...]]:
    """The names that stand in texts of a statement, where PostgreSQL takes such a one for a name.

    It does so of what is made a `regclass`, also by the parameter of `table_to_xml` and its like.
    """
    for match in _ANY_TEXT.finditer(sql) if _NAMES.search(sql) else ():
        before = sql[max(0, match.start() - _NEAR) : match.start()]
        if _NAME_BEFORE.search(before) or _NAME_BEHIND.match(sql, match.end()):
            parts = _PART.finditer(match[0].strip("'"))
            yield tuple((part["quoted"] or part["plain"]).replace('""', '"') for part in parts)


def without_values(sql: str) -> str:
    """A statement with its texts and numbers made alike, where nothing else can be in them.

    Statements that differ by values alone name the same tables: the names of one are those of all.
    """
    if _HARD.search(sql):
        return sql
    return _NUMBER.sub("0", _TEXT.sub("''", sql))
