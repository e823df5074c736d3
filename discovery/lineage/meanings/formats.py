"""Formats of times: whether each part of one is a part to another engine, and the same."""

import re
from typing import Final

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect

from discovery.engines import engine
from discovery.lineage.meanings.pair import DialectPair
from discovery.lineage.meanings.sorts import TIMES, Sort
from discovery.model import SPARK

_PART: Final = re.compile(r"%(-?.)")
STRICT: Final = "strict"
"""Behind a part that Spark and Hive write with two letters, as sqlglot has it: two digits."""
_LETTERS: Final = re.compile(r"[A-Za-z\"']")
_SAME: Final = frozenset(
    {"Y", "y", "m", "-m", "d", "-d", "H", "-H", "I", "-I", "M", "-M", "S", "-S"}
    | {"p", "j", "b", "B", "a", "A", "f", "T", "e", "%"}
)
"""As `strftime` calls parts that engines write alike, names of months and days in English."""
_FORMATTER: Final = "format_datetime"
_RUN: Final = re.compile(r"([A-Za-z'])\1*")
_OF_JODA: Final = frozenset(
    {"yyyy", "yy", "M", "MM", "MMM", "MMMM", "d", "dd", "E", "EEE", "EEEE"}
    | {"H", "HH", "h", "hh", "m", "mm", "s", "ss", "a"}
)
"""Letters that mean to Joda, which Trino asks, what they mean to Spark."""
_OF_TRINO: Final = frozenset("abcdefHhIijklMmprSsTvWxYy%")


def is_kept(node: exp.Expr, pair: DialectPair) -> bool:
    """Whether what formats or reads a time does so in the other dialect, too."""
    pattern = node.args.get("format")
    if pattern is None or not pattern.is_string:
        return False
    text = pattern.name
    if isinstance(node, exp.TimeToStr) or pair.to_trino:  # it is told how many digits others take
        text = text.replace(STRICT, "")
    parts, rest = _PART.findall(text), _PART.sub("", text)
    if not _SAME.issuperset(parts) or ("f" in parts and pair.beside_trino):
        return False  # Trino has thousandths
    if "j" in parts and not pair.share_functions:
        return False  # three digits, and to Spark (4.3.0) and Hive `DD` has two at the least
    by_letters = pair.source.letters_of_times or pair.target.letters_of_times
    if by_letters and _LETTERS.search(rest):
        return False  # a letter that was no part is one there, or is none
    writer = Dialect.get_or_raise(pair.target.sqlglot).generator()
    shown = writer.format_time(node) or ""
    if pair.to_trino:
        return _OF_TRINO.issuperset(_PART.findall(shown))
    return "%" not in shown


def put_format(node: exp.Expr, pair: DialectPair) -> None:
    """Put one function in the place of others that format a day or a time by letters.

    `to_char` of Spark (4.3.0), which takes numbers, too, and `format_datetime` of Trino (476).

    Raises:
        OtherMeaningError: It is a number that is formatted, or nobody knows.
    """
    is_char = isinstance(node, exp.ToChar) and pair.dialect == SPARK and pair.to_trino
    if is_char:
        value, pattern = node.this, node.args.get("format")
    elif pair.of_trino and isinstance(node, exp.Anonymous) and node.name.casefold() == _FORMATTER:
        value, pattern = node.expressions
    else:
        return
    if not pair.kinds.is_of(value, Sort.DATE, *TIMES):
        if is_char:
            pair.lost(node)
        return
    if pattern is not None and pattern.is_string and (is_char or _is_of_joda(pattern.name)):
        parts = Dialect.get_or_raise(engine(SPARK).sqlglot).format_time(pattern)
        node.replace(exp.TimeToStr(this=value.copy(), format=parts))


def _is_of_joda(pattern: str) -> bool:
    return all(run[0] in _OF_JODA for run in _RUN.finditer(pattern))
