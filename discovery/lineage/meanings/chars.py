"""Chars and decimals in drafts: the blanks and zeros at their ends, as beside.py tells of them."""

from collections.abc import Iterable
from typing import Final

from sqlglot import exp

from discovery.lineage.meanings.beside import (
    PATTERNS,
    Blanks,
    chars_beside_texts,
    shows_decimal,
    takes_char,
    values_beside_text,
)
from discovery.lineage.meanings.expressions import make_texts
from discovery.lineage.meanings.pair import DialectPair
from discovery.lineage.meanings.sorts import NUMBERS, Sort
from discovery.model import HIVE, SPARK

_MADE_TEXTS: Final = NUMBERS | {Sort.DATE}


def keep_ends(node: exp.Expr, pair: DialectPair) -> None:
    """Make texts of chars where Hive does, and refuse what it alone makes of decimals, or Spark.

    What the parts of a UNION have beside each other is told with the draft.

    Args:
        node: An expression; those within it come first, as a char is copied with them.
        pair: What the draft is of and for.

    Raises:
        OtherMeaningError: There is no way to say it.
    """
    if isinstance(node, exp.SetOperation):
        return
    if pair.dialect == HIVE:
        if shows_decimal(node, pair.kinds):
            pair.lost(node)
        _cut_blanks(node, pair)
        _make_texts_beside(node, pair)
    elif SPARK in (pair.dialect, pair.into):
        _refuse_blanks(node, pair)


def _make_texts_beside(node: exp.Expr, pair: DialectPair) -> None:
    """To Hive what is chosen from texts and others is a text; Spark makes numbers of the texts."""
    if isinstance(node, exp.If) and isinstance(node.parent, exp.Case):
        return
    others = values_beside_text(node, pair.kinds)
    make_texts(value for value in others if pair.kinds.is_of(value, *_MADE_TEXTS))


def _cut_blanks(node: exp.Expr, pair: DialectPair) -> None:
    """To Hive a char in a function, or beside a text, has no blanks at its end."""
    if takes_char(node, pair.kinds):
        _make_chars_texts(node.iter_expressions(), pair)
    for beside in chars_beside_texts(node, pair.kinds):
        if beside.blanks(HIVE) is beside.blanks(SPARK) is Blanks.IGNORED:
            continue  # as by Trino itself
        _make_chars_texts(beside.values, pair)


def _refuse_blanks(node: exp.Expr, pair: DialectPair) -> None:
    """Trino itself fills up what is beside a char, but for patterns; its `ltrim` cuts both ends."""
    if isinstance(node, exp.Trim) and pair.to_trino and takes_char(node, pair.kinds):
        pair.lost(node)
    for beside in chars_beside_texts(node, pair.kinds):
        is_seen = beside.is_written or (pair.beside_trino and not isinstance(node, PATTERNS))
        if is_seen and beside.blanks(SPARK) is not Blanks.IGNORED:
            pair.lost(node)


def _make_chars_texts(values: Iterable[exp.Expr], pair: DialectPair) -> None:
    make_texts(value for value in [*values] if pair.kinds.is_of(value, Sort.CHAR))
