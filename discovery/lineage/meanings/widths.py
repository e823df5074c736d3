"""Whole numbers that are calculated with: as long ones by MySQL, as long as they are by others.

`i * 1000` of an `int` is a BIGINT to MariaDB (10.11, asked on 2026-11-30); Trino (476) fails where
that has no room in an `integer`, and Spark (4.3.0), too, or takes what is left of it.
"""

from typing import Final

from sqlglot import exp

from discovery.lineage.meanings.pair import DialectPair
from discovery.lineage.meanings.sorts import INTEGER, Sort
from discovery.lineage.meanings.written_out import number
from discovery.model import MYSQL

_AS_LONG: Final = (exp.Add, exp.Cast, exp.Column, exp.Count, exp.Mul, exp.Sub, exp.Sum)
"""What is as long in a draft as it is known to be."""


def put_width(node: exp.Expr, pair: DialectPair) -> None:
    """Put a cast to BIGINT around one of two whole numbers of MySQL, unless one is as long."""
    if pair.dialect != MYSQL or not isinstance(node, exp.Add | exp.Sub | exp.Mul):
        return
    both = (node.left, node.right)
    are_whole = all(pair.kinds.is_of(side, Sort.WHOLE) for side in both)
    if not are_whole or any(_is_long(side, pair) for side in both):
        return
    short = node.left if number(node.left) is None else node.right
    short.replace(exp.cast(short.unnest().copy(), exp.DType.BIGINT))


def _is_long(node: exp.Expr, pair: DialectPair) -> bool:
    kind = pair.kinds.of(node)
    is_kept = isinstance(node.unnest(), _AS_LONG)
    return is_kept and kind is not None and kind.digits > INTEGER.digits
