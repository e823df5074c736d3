"""Floating numbers of four bytes beside others, and their sums.

Trino (476) makes such a number of what stands beside it, the others make both longer: `f = 0.1` of
0.1 is true to Trino alone. Hive (2.3.10) calculates with a decimal in four bytes.
"""

from collections.abc import Sequence
from typing import Final

from sqlglot import exp

from discovery.lineage.meanings.days import with_days
from discovery.lineage.meanings.expressions import sorts
from discovery.lineage.meanings.pair import DialectPair, Rules
from discovery.lineage.meanings.sorts import DOUBLES, NUMBERS, SINGLE, Sort
from discovery.model import HIVE


def with_doubles(node: exp.Binary, pair: DialectPair) -> exp.Binary:
    """An operator whose floating number of four bytes is calculated with as elsewhere."""
    _put_doubles(node, [node.left, node.right], pair)
    return node


def _put_doubles(node: exp.Expr, values: Sequence[exp.Expr], pair: DialectPair) -> None:
    """Make some values that stand beside each other as long as they are elsewhere.

    Raises:
        OtherMeaningError: Hive alone calculates so.
    """
    kinds = [pair.kinds.of(value) for value in values]
    if pair.dialect == HIVE and SINGLE in kinds and Sort.EXACT in sorts(*kinds):
        pair.lost(node)
    if not pair.beside_trino or kinds.count(SINGLE) in {0, len(kinds)}:
        return
    if pair.of_trino and DOUBLES & set(kinds):
        return
    to = exp.DType.DOUBLE if pair.to_trino else exp.DType.FLOAT
    for value, kind in zip(values, kinds, strict=True):
        is_other = kind == SINGLE if pair.to_trino else kind != SINGLE
        if is_other and kind is not None and kind.sort in NUMBERS:
            value.replace(exp.cast(value.copy(), to))


def _among(node: exp.In | exp.Between, pair: DialectPair) -> exp.Expr:
    values = [node.args[part] for part in ("this", "low", "high") if part in node.args]
    _put_doubles(node, [*values, *node.expressions], pair)
    return with_days(node, pair)


def _choice(node: exp.Case, pair: DialectPair) -> exp.Expr:
    if node.this is not None:
        _put_doubles(node, [node.this, *(choice.this for choice in node.args["ifs"])], pair)
    return node


def _unless(node: exp.Nullif, pair: DialectPair) -> exp.Expr:
    """A number unless it equals another: it stays of four bytes."""
    is_single = pair.kinds.of(node.this) == SINGLE
    _put_doubles(node, [node.this, node.expression], pair)
    is_longer = is_single and pair.kinds.of(node.this) != SINGLE
    return exp.cast(node.copy(), exp.DType.FLOAT) if is_longer else node


RULES: Final[Rules] = {
    exp.Between: _among,
    exp.Case: _choice,
    exp.In: _among,
    exp.Nullif: _unless,
}
