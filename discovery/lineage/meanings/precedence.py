"""Operators beside each other without parentheses: which of them goes first.

HiveServer2 2.3.10, Spark 4.3.0 and Trino 476 were asked over the same rows on 2026-11-29. sqlglot
takes those on bits from left to right, as PostgreSQL does, and patterns before comparisons, as Hive
does.
"""

from typing import Final

from sqlglot import exp

from discovery.lineage.meanings.operands_read import COMPARISONS
from discovery.lineage.meanings.pair import DialectPair
from discovery.lineage.meanings.results import ON_BITS, SHIFTS
from discovery.model import HIVE, POSTGRESQL

_ON_BITS: Final = (*ON_BITS, *SHIFTS)
_ARITHMETIC: Final = (exp.Add, exp.Sub, exp.Mul, exp.Div, exp.IntDiv, exp.Mod)
_SOUGHT: Final = (exp.Like, exp.ILike, exp.RegexpLike, exp.Between, exp.In)
_XOR: Final = "`^` goes before `&` and before what is calculated to Hive, behind"
_TESTS: Final = "LIKE, RLIKE, BETWEEN and IN go before a comparison beside them to Hive, behind"


def read_otherwise(node: exp.Expr) -> str:
    """What Hive and Spark take in another order, of each other's texts; empty: nothing."""
    match node:
        case exp.BitwiseXor() if _is_beside(node, *_ARITHMETIC, exp.BitwiseAnd):
            return _XOR
        case exp.BitwiseAnd() if _is_beside(node, exp.BitwiseXor):
            return _XOR
        case exp.Binary() if isinstance(node, COMPARISONS) and _is_beside(node, *_SOUGHT):
            return _TESTS
    return ""


def keep_order(node: exp.Expr, pair: DialectPair) -> None:
    """Set parentheses where a draft needs them, and refuse what sqlglot reads in another order.

    Args:
        node: An expression.
        pair: What the draft is of and for.

    Raises:
        OtherMeaningError: To its dialect it stands for something else.
    """
    if isinstance(node, _ON_BITS):
        _keep_bits(node, pair)
    if isinstance(node, exp.BitwiseNot) and isinstance(node.this, exp.Binary):
        node.set("this", exp.paren(node.this.copy()))
    if isinstance(node, COMPARISONS) and _is_beside(node, *_SOUGHT):
        if pair.dialect != HIVE:
            pair.lost(node)  # databases set parentheses themselves
        for side in (node.left, node.right):
            if isinstance(side, _SOUGHT):
                side.replace(exp.paren(side.copy()))


def _keep_bits(node: exp.Binary, pair: DialectPair) -> None:
    """Set what is Trino's function, or PostgreSQL's from left to right, apart from what is around.

    Of other dialects sqlglot reads another order than theirs.
    """
    if pair.of_trino or pair.dialect == POSTGRESQL:
        is_within = isinstance(node.parent, exp.Binary | exp.Unary)
        if is_within and pair.target.hive_functions and not isinstance(node.parent, exp.Paren):
            node.replace(exp.paren(node.copy()))
        return
    waits = _ARITHMETIC if pair.dialect == HIVE and isinstance(node, exp.BitwiseXor) else ()
    if _is_beside(node, *(kind for kind in _ON_BITS if kind is not type(node)), *waits):
        pair.lost(node)


def _is_beside(node: exp.Binary, *kinds: type[exp.Expr]) -> bool:
    """Whether one of both operands is, without parentheses, of some kinds."""
    return isinstance(node.left, kinds) or isinstance(node.right, kinds)
