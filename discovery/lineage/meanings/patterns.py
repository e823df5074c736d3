"""Regular expressions of PostgreSQL and MySQL as Java reads them, and Trino like it."""

import re
from typing import Final

from sqlglot import exp

from discovery.lineage.meanings.pair import DialectPair
from discovery.model import POSTGRESQL

_DIGITS: Final = "[:digit:]"
_POSIX: Final = re.compile(r"\[[.:=]")
_OWN: Final = re.compile(r"\\[mMyYbB]")
r"""Borders of words, and `\b`, which is none, of PostgreSQL alone."""
_PARTS: Final = re.compile(r"\\.|\[\^?\]?|\]|.", re.DOTALL)
_WORD: Final = r"\p{L}\p{N}_"
r"""Letters of all languages, where Java's `\w` has those from a to z."""


def in_java(node: exp.Expr, pattern: str, pair: DialectPair) -> str:
    """A pattern as Java reads it.

    Args:
        node: What it stands in.
        pattern: As it is written out.
        pair: Whose it is, and for whom.

    Raises:
        OtherMeaningError: It has a part that Java has not.
    """
    pattern = pattern.replace(_DIGITS, "0-9")
    if _POSIX.search(pattern) or (pair.dialect == POSTGRESQL and _OWN.search(pattern)):
        pair.lost(node)
    parts, within = [], False
    for part in _PARTS.findall(pattern):
        if part[0] == "[" and not within:
            within = True
        elif part == "]":
            within = False
        if part == r"\W" and within:
            pair.lost(node)
        parts.append(_worded(part, within=within))
    return "".join(parts)


def _worded(part: str, *, within: bool) -> str:
    """A part of a pattern, with all letters where it stands for those of words."""
    if part == r"\w":
        return _WORD if within else f"[{_WORD}]"
    return f"[^{_WORD}]" if part == r"\W" else part
