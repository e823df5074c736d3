"""What MySQL and MariaDB write into views, names no table, and sqlglot does not read: taken out.

What is left reads the same tables and calls the same functions. It means something else, so names
are all that may be asked of it. The words are those in `VIEW_DEFINITION` of MySQL 9.7.4 and MariaDB
10.11.19, asked on 2026-12-01 about 200 and 159 views.
"""

import re
from typing import Final

_QUOTED: Final = r"""'(?:[^'\\]|\\.|'')*+'|"(?:[^"\\]|\\.|"")*+"|`(?:[^`]|``)*+`"""
_WORDS: Final = (
    r"\b(?:high_priority|sql_(?:big|buffer|small)_result)\b",
    rf"\bmatch(?:{_QUOTED}|[\s.,])++against\b",
    r"\bin\s+(?:boolean|natural\s+language)\s+mode\b",
    r"\bwith\s+query\s+expansion\b",
    rf"\b(?:null|error|default\s+(?:{_QUOTED}))\s+on\s+(?:empty|error)\b",  # of JSON_TABLE
    r"\b(?:character\s+set|collate)\s+\w+(?=(?:\s+collate\s+\w+)?(?:\s+exists)?\s+path\b)",
    r"\bdefault(?=\s*\()",  # of a column
    r"\bexists(?=\s+path\b)",
    r"\blimit\s+\d+(?:\s*(?:,|offset)\s*\d+)?(?=\s*\))",  # of GROUP_CONCAT
)
_PERIOD: Final = r"(?P<period>\b(?:as\s+of|between|and|from|to)\s+)(?:timestamp|transaction)(?=\s)"
_ROWS: Final = r"(?P<rows>\bvalues)(?=\s*\()"
_TAKEN: Final = re.compile(
    rf"(?P<kept>{_QUOTED})|{_PERIOD}|{_ROWS}|{'|'.join(_WORDS)}", re.IGNORECASE | re.DOTALL
)


def shorn(sql: str) -> str:
    """A text without these words. VALUES becomes SELECT, which takes rows as its columns."""
    return _TAKEN.sub(_left, sql)


def _left(match: re.Match[str]) -> str:
    return match["kept"] or match["period"] or ("select" if match["rows"] else " ")
