"""Truths of MySQL, which are the numbers 1 and 0: `WHERE active`, `(a > b) + 1`.

Other engines know both apart. MariaDB 10.11 was asked beside Trino 476 and Spark 4.3.0 on
2026-11-30.
"""

from collections.abc import Iterator
from typing import Final

from sqlglot import exp

from discovery.lineage.meanings.expressions import operand, sorts
from discovery.lineage.meanings.kinds import branches
from discovery.lineage.meanings.pair import DialectPair
from discovery.lineage.meanings.sorts import NUMBERS, Sort
from discovery.model import MYSQL

_CONNECTED: Final = (exp.And, exp.Or, exp.Xor)
_BINDING: Final = (exp.Not, exp.Is)
"""Around which a comparison stands in parentheses."""
_CALCULATED: Final = (exp.Add, exp.Sub, exp.Mul, exp.Div, exp.IntDiv, exp.Mod, exp.Neg)
_COMPARED: Final = (exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE, exp.NullSafeEQ, exp.In)
_CHOSEN: Final = (exp.Coalesce, exp.Greatest, exp.Least)


def keep_truths(node: exp.Expr, pair: DialectPair) -> None:
    """Put a comparison where a number stands for a truth, and a number for a truth beside some.

    Raises:
        OtherMeaningError: A text stands for a truth, which it is if it begins as another number
            than 0.
    """
    if pair.dialect != MYSQL:
        return
    for value in _conditions(node):
        known = sorts(pair.kinds.of(value))
        if Sort.TEXT in known:
            pair.lost(value)
        if known & NUMBERS:
            is_true = exp.NEQ(this=operand(value), expression=exp.Literal.number(0))
            value.replace(exp.paren(is_true) if isinstance(node, _BINDING) else is_true)
    for value in _numbers(node, pair):
        if Sort.TRUTH in sorts(pair.kinds.of(value)):
            value.replace(_as_number(value))
    if isinstance(node, exp.Xor):
        left, right = (exp.paren(side.copy()) for side in (node.this, node.expression))
        node.replace(exp.paren(exp.NEQ(this=left, expression=right)))


def _as_number(value: exp.Expr) -> exp.Expr:
    if isinstance(value, exp.Boolean):
        return exp.Literal.number(int(value.this))
    return exp.cast(value.copy(), exp.DType.INT)


def _conditions(node: exp.Expr) -> Iterator[exp.Expr]:
    """What an expression takes for true or not."""
    match node:
        case exp.Where(this=condition) | exp.Having(this=condition) | exp.Not(this=condition):
            yield condition
        case exp.Is(this=value, expression=exp.Boolean()):
            yield value
        case exp.Join(args={"on": exp.Expr() as condition}):
            yield condition
        case exp.If(this=condition):
            parent = node.parent
            if not isinstance(parent, exp.Case) or parent.this is None:
                yield condition
        case exp.Binary() if isinstance(node, _CONNECTED):
            yield from (node.left, node.right)


def _numbers(node: exp.Expr, pair: DialectPair) -> list[exp.Expr]:
    """What an expression takes for numbers; of a query that is seen, its columns."""
    if isinstance(node, _CALCULATED):
        return [*node.iter_expressions()]
    if isinstance(node, exp.Select) and _is_outermost(node):
        return [column.unalias() for column in node.selects]
    values: list[exp.Expr] = []
    if isinstance(node, _COMPARED):
        values = [*node.iter_expressions()]
    elif isinstance(node, _CHOSEN):
        values = [node.this, *node.expressions]
    elif isinstance(node, exp.Case | exp.If) and not isinstance(node.parent, exp.Case):
        values = branches(node)
    return values if NUMBERS & sorts(*map(pair.kinds.of, values)) else []


def _is_outermost(node: exp.Select) -> bool:
    """Whether the rows of a query are those of the statement."""
    around = node.parent
    while isinstance(around, exp.SetOperation | exp.Subquery):
        around = around.parent
    return around is None
