"""Chars in drafts: who counts the blanks at their ends, as beside.py tells."""

from collections.abc import Iterable
from typing import Final

from sqlglot import exp

from discovery.lineage.meanings.beside import (
    OF_TEXTS,
    PATTERNS,
    Blanks,
    chars_beside_texts,
    takes_char,
)
from discovery.lineage.meanings.pair import DialectPair
from discovery.lineage.meanings.sorts import Sort
from discovery.model import HIVE, SPARK

MAY_TAKE_CHARS: Final = (
    *OF_TEXTS,
    exp.Case,
    exp.Coalesce,
    exp.Greatest,
    exp.If,
    exp.Least,
    exp.Predicate,
)


def keep_chars(node: exp.Expr, pair: DialectPair) -> None:
    """Make texts of chars where Hive does: these have no blanks at their ends.

    Trino itself fills up what is beside a char, but for patterns, and `ltrim` cuts both ends of it.

    Args:
        node: An expression of `MAY_TAKE_CHARS`.
        pair: What the draft is of and for.

    Raises:
        OtherMeaningError: There is no way to say it.
    """
    if takes_char(node, pair.kinds):
        if pair.dialect == HIVE:
            _make_texts(node.iter_expressions(), pair)
        elif isinstance(node, exp.Trim) and pair.to_trino:
            pair.lost(node)
    for beside in chars_beside_texts(node, pair.kinds):
        own = beside.blanks(HIVE) if pair.dialect == HIVE else Blanks.IGNORED
        if own is beside.blanks(SPARK) is Blanks.IGNORED:
            continue  # as by databases, and by Trino itself
        if pair.dialect == HIVE:
            _make_texts(beside.values, pair)
            continue
        is_seen = beside.is_written or (pair.beside_trino and not isinstance(node, PATTERNS))
        if is_seen and SPARK in (pair.dialect, pair.into):
            pair.lost(node)


def _make_texts(values: Iterable[exp.Expr], pair: DialectPair) -> None:
    for value in [*values]:
        if pair.kinds.is_of(value, Sort.CHAR):
            value.replace(exp.cast(value.copy(), exp.DType.TEXT))
