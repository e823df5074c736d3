"""Formats of times: whether each part of one is a part to another engine, and the same."""

import re
from typing import Final

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect

from discovery.lineage.meanings.pair import DialectPair

_PART: Final = re.compile(r"%(-?.)")
_STRICT: Final = "strict"
"""Behind a part that Spark and Hive write with two letters, as sqlglot has it: two digits."""
_LETTERS: Final = re.compile(r"[A-Za-z\"']")
_SAME: Final = frozenset(
    {"Y", "y", "m", "-m", "d", "-d", "H", "-H", "I", "-I", "M", "-M", "S", "-S"}
    | {"p", "j", "b", "B", "a", "A", "f", "T", "e", "%"}
)
"""As `strftime` calls parts that engines write alike, names of months and days in English."""
_OF_TRINO: Final = frozenset("abcdefHhIijklMmprSsTvWxYy%")


def is_kept(node: exp.Expr, pair: DialectPair) -> bool:
    """Whether what formats or reads a time does so in the other dialect, too."""
    pattern = node.args.get("format")
    if pattern is None or not pattern.is_string:
        return False
    text = pattern.name
    if isinstance(node, exp.TimeToStr):
        text = text.replace(_STRICT, "")  # how many digits it takes matters where it reads
    parts, rest = _PART.findall(text), _PART.sub("", text)
    if not _SAME.issuperset(parts) or ("f" in parts and pair.beside_trino):
        return False  # Trino has thousandths
    in_letters = pair.source.letters_of_times, pair.target.letters_of_times
    if "j" in parts and len(set(in_letters)) > 1:
        return False  # three digits, and to Spark (4.3.0) and Hive `DD` has two at the least
    by_letters = any(in_letters)
    if by_letters and _LETTERS.search(rest):
        return False  # a letter that was no part is one there, or is none
    writer = Dialect.get_or_raise(pair.target.sqlglot).generator()
    shown = writer.format_time(node) or ""
    if pair.to_trino:
        return _OF_TRINO.issuperset(_PART.findall(shown))
    return "%" not in shown
