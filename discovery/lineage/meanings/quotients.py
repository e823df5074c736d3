"""Quotients, with the digits that their engine gives them, and what is calculated from them."""

from typing import Final

from sqlglot import exp

from discovery.lineage.meanings.exact import KEPT, hives_constant
from discovery.lineage.meanings.expressions import (
    decimal,
    operand,
    parent_beyond,
    sorts,
)
from discovery.lineage.meanings.operands_read import may_be_zero
from discovery.lineage.meanings.pair import DialectPair, Rules
from discovery.lineage.meanings.singles import with_doubles
from discovery.lineage.meanings.sorts import EXACT, INTEGER, WIDEST, Sort, ValueKind
from discovery.model import HIVE, MYSQL, POSTGRESQL

_PRECISE: Final = 18
"""Digits behind the point of numbers that are to keep theirs, as `numeric` of PostgreSQL does."""
_LEAST_PRECISE: Final = 12
"""Digits behind the point that Spark keeps at the least where there is no room for all."""
WIDENED: Final = (exp.Div, exp.Avg)
"""What is written with more digits than it has where it comes from."""


def _quotient(node: exp.Div, pair: DialectPair) -> exp.Expr:
    if pair.dialect == HIVE:
        _as_hive_takes_them(node)
    left, right = pair.kinds.of(node.left), pair.kinds.of(node.right)
    if Sort.FLOAT in sorts(left, right):
        return with_doubles(node, pair)
    if left is None or right is None:
        return pair.unknown(node)
    return _exact_quotient(node, pair, left, right)


def _remainder(node: exp.Mod, pair: DialectPair) -> exp.Expr:
    """What is left: by 0 an error to others, and NaN of floating numbers to Trino (476)."""
    if pair.source.null_by_zero and may_be_zero(node.right):
        node.set("expression", _null_for_0(node.right))
    return node


def _whole_part(node: exp.IntDiv, pair: DialectPair) -> exp.Expr:
    """A quotient without its fraction, which sqlglot has Trino calculate in doubles.

    These have 53 bits: of 9007199254740993 DIV 1 it made one less.
    """
    if pair.source.null_by_zero and may_be_zero(node.right):
        node.set("expression", _null_for_0(node.right))
    if not pair.to_trino:
        return node
    kinds = [pair.kinds.of(side) for side in (node.left, node.right)]
    if None in kinds:
        return pair.unknown(node)
    if not sorts(*kinds) <= EXACT:
        return node
    dividend, divisor = operand(node.left), operand(node.right)
    if Sort.EXACT in sorts(*kinds):  # without what is left it is a whole number of divisors
        left_over = exp.Mod(this=dividend.copy(), expression=divisor.copy())
        dividend = exp.paren(exp.Sub(this=dividend, expression=left_over))
    quotient = exp.Div(this=dividend, expression=divisor, typed=True, safe=False)
    return exp.cast(quotient, exp.DType.BIGINT)


def _null_for_0(divisor: exp.Expr) -> exp.Nullif:
    return exp.Nullif(this=divisor, expression=exp.Literal.number(0))


def _exact_quotient(
    node: exp.Div, pair: DialectPair, left: ValueKind, right: ValueKind
) -> exp.Expr:
    if not {left.sort, right.sort} <= EXACT:
        return node
    both_whole = left.sort is right.sort is Sort.WHOLE
    if both_whole and pair.source.divides_whole:
        return _whole_quotient(node, pair, max(left.digits, right.digits))
    if pair.dialect == POSTGRESQL:
        return _of_postgresql(node, pair, right)
    if pair.dialect == MYSQL:
        return _of_mysql(node, left, right)
    kind = pair.kinds.of(node)
    if pair.of_trino and kind is not None:
        return decimal(node, kind.digits, kind.scale)
    return node if both_whole or not pair.to_trino else _of_spark(node, pair, kind)


def _of_spark(node: exp.Div, pair: DialectPair, kind: ValueKind | None) -> exp.Expr:
    """A quotient with the digits of Spark and Hive."""
    if kind is None:
        return pair.lost(node)
    by = node.right.copy()
    if pair.dialect == HIVE:
        by = _null_for_0(by)
    wide = decimal(node.left, WIDEST, kind.scale)
    exact = exp.Div(this=wide, expression=by, typed=True, safe=False)
    return decimal(exact, kind.digits, kind.scale)


def _as_hive_takes_them(node: exp.Div) -> None:
    for side in (node.left, node.right):
        if (constant := hives_constant(side)) is not None:
            part, taken = constant
            is_whole = "." not in taken.name
            part.replace(decimal(taken, len(taken.name), 0) if is_whole else taken)


def _whole_quotient(node: exp.Div, pair: DialectPair, digits: int) -> exp.Expr:
    if pair.to_trino or pair.into == POSTGRESQL:
        return node
    cut = exp.IntDiv(this=operand(node.left), expression=operand(node.right))
    return exp.cast(cut, exp.DType.INT) if digits <= INTEGER.digits else exp.paren(cut)


def _of_postgresql(node: exp.Div, pair: DialectPair, divisor: ValueKind) -> exp.Expr:
    """Spark leaves out as many digits behind the point as the divisor has there."""
    if pair.target.hive_functions and _PRECISE - divisor.scale < _LEAST_PRECISE:
        return pair.lost(node)
    return exp.Div(this=precise(node.left), expression=node.right, typed=node.args.get("typed"))


def _of_mysql(node: exp.Div, dividend: ValueKind, divisor: ValueKind) -> exp.Expr:
    exact = exp.Div(
        this=precise(node.left), expression=_null_for_0(node.right), typed=True, safe=False
    )
    if not is_shown(node):
        return exp.paren(exact)
    digits = min(WIDEST, dividend.digits + divisor.scale + 4)
    return decimal(exact, digits, dividend.scale + 4)


def _shown(node: exp.Select, pair: DialectPair) -> exp.Expr:
    """What is calculated from quotients, which MySQL shows with as many digits as it says."""
    if pair.dialect != MYSQL:
        return node
    for column in node.selects:
        value = column.this if isinstance(column, exp.Alias) else column
        kind = pair.kinds.of(value)
        is_cut = isinstance(value.unnest(), exp.Cast | exp.Round | exp.Subquery)
        if is_cut or kind is None or kind.sort is not Sort.EXACT or not value.find(*WIDENED):
            continue
        value.replace(decimal(value, WIDEST, kind.scale))
    return node


def rounds_more(node: exp.Mul, pair: DialectPair) -> bool:
    """Whether Spark rounds a product of wide decimals to fewer digits behind the point than others.

    Asked of the statement as it was read: what rules make of quotients is wider.
    """
    left, right = pair.kinds.of(node.left), pair.kinds.of(node.right)
    if left is None or right is None or pair.share_functions or Sort.FLOAT in sorts(left, right):
        return False
    digits, scale = left.digits + right.digits + 1, left.scale + right.scale
    kept = max(scale - max(0, digits - WIDEST), min(scale, KEPT))
    return kept < min(scale, _LEAST_PRECISE)


def is_shown(node: exp.Expr) -> bool:
    """Whether a value goes out as it is: MySQL calculates on with more digits than it shows."""
    parent = parent_beyond(node, exp.Paren, exp.Alias, exp.Window, exp.Filter)
    return isinstance(parent, exp.Select)


def precise(node: exp.Expr) -> exp.Expr:
    """A number that keeps what is behind its point."""
    return decimal(node, WIDEST, _PRECISE)


RULES: Final[Rules] = {
    exp.Div: _quotient,
    exp.IntDiv: _whole_part,
    exp.Mod: _remainder,
    exp.Select: _shown,
}
