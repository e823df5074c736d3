"""How many digits Hive and Spark give to decimals: those written out, and quotients.

`DecimalPrecision` of Spark 4.1.4, and Hive 2.3.10.
"""

import re
from decimal import ROUND_HALF_UP, Context, Decimal
from typing import Final

from sqlglot import exp

from discovery.lineage.meanings.sorts import LONG, WIDEST, Sort, ValueKind, of_number
from discovery.model import HIVE, SPARK

KEPT: Final = 6
"""Digits behind the point for which Spark leaves room in a number that is too wide."""
_EXACT: Final = Context(prec=2 * WIDEST, rounding=ROUND_HALF_UP)
_PLAIN: Final = re.compile(r"[0-9]+(\.[0-9]*)?|\.[0-9]+")


def quotient(node: exp.Div, left: ValueKind, right: ValueKind, dialect: str) -> ValueKind | None:
    """The kind of a quotient of exact numbers that are not both whole; None: it is too wide.

    Args:
        node: The quotient.
        left: The kind of its dividend.
        right: That of its divisor.
        dialect: Hive or Spark.
    """
    (digits, scale), (by_digits, by_scale) = (
        _taken(side, kind, dialect) for side, kind in ((node.left, left), (node.right, right))
    )
    behind = digits_behind(digits, scale, by_digits, by_scale)
    if max(digits, by_digits) == WIDEST or behind < by_scale:
        return None
    return ValueKind(Sort.EXACT, min(WIDEST, digits - scale + by_scale + behind), behind)


def _taken(node: exp.Expr, kind: ValueKind, dialect: str) -> tuple[int, int]:
    """The digits that an operand has, and those of them behind the point."""
    if dialect == HIVE and (constant := hives_constant(node)) is not None:
        kind = of_number(constant[1])
    if kind.sort is Sort.EXACT:
        return kind.digits, kind.scale
    if (written := _written_whole(node, dialect)) is not None:
        return len(written.name), 0
    return kind.digits + (dialect == SPARK and kind == LONG), 0


def _written_whole(node: exp.Expr, dialect: str) -> exp.Expr | None:
    """The digits of a whole number that is written out; to Spark `-(3)` is none, as `-3` is."""
    value = node.unnest()
    if isinstance(value, exp.Neg):
        value = value.this.unnest() if dialect == HIVE else value.this
    return value if isinstance(value, exp.Literal) else None


def digits_behind(digits: int, scale: int, by_digits: int, by_scale: int) -> int:
    """The digits behind its point that Spark and Hive give the quotient of two decimals."""
    behind = max(KEPT, scale + by_digits + 1)
    before = digits - scale + by_scale
    return max(WIDEST - before, min(behind, KEPT)) if before + behind > WIDEST else behind


def hives_constant(node: exp.Expr) -> tuple[exp.Expr, exp.Literal] | None:
    """A decimal that is written out, or cast so, and the number that Hive (2.3.10) takes it for.

    That has no more digits than it needs: 100.50 is a `decimal(4,1)`, and 3 by `CAST(3 AS
    DECIMAL(8,2))` has one. None: it is no such decimal.
    """
    while isinstance(node, exp.Paren | exp.Neg):
        node = node.this
    written, scale = node, None
    if isinstance(node, exp.Cast) and node.to.is_type(exp.DType.DECIMAL):
        sizes = [int(size.name) for size in node.to.expressions if size.name.isdecimal()]
        written, scale = node.this.unnest(), (*sizes, 0, 0)[1]
    if not isinstance(written, exp.Literal) or not _PLAIN.fullmatch(written.name):
        return None
    if scale is None and (written.is_string or "." not in written.name):
        return None
    if len(written.name) > WIDEST or (scale or 0) > WIDEST:
        return None  # a type has no more digits
    value = Decimal(written.name)
    if scale is not None:
        value = value.quantize(Decimal(1).scaleb(-scale), context=_EXACT)
    return node, exp.Literal(this=f"{value.normalize(_EXACT):f}", is_string=False)
