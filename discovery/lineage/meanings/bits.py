"""Bits: within how many they are shifted, by how many places, and which two numbers share.

Hive (2.3.10) and Spark (4.3.0) make an `int` of what is smaller, and shift by 33 as by 1; Trino
(476) keeps a `smallint`, and nothing is left beyond its width.
"""

from typing import Final

from sqlglot import exp

from discovery.lineage.meanings.pair import DialectPair, Rules
from discovery.lineage.meanings.sorts import INTEGER, Sort
from discovery.lineage.meanings.written_out import number
from discovery.model import MYSQL, POSTGRESQL

_WIDTH: Final = 32  # of an `int`
_LONG_WIDTH: Final = 64
_LEFT: Final = "BITWISE_LEFT_SHIFT"
_RIGHT: Final = "BITWISE_RIGHT_SHIFT_ARITHMETIC"
_TO_TRINO: Final = {"shiftleft": _LEFT, "shiftright": _RIGHT}
"""As sqlglot has Hive's functions."""
_OF_TRINO: Final = {
    "bitwise_left_shift": "SHIFTLEFT",
    "bitwise_right_shift": "SHIFTRIGHTUNSIGNED",
    "bitwise_right_shift_arithmetic": "SHIFTRIGHT",
}


def shift_called(node: exp.Anonymous, pair: DialectPair) -> exp.Expr:
    """The same of a function that shifts; else the node itself.

    Raises:
        OtherMeaningError: By its type, or the number of places, it would be another number.
    """
    name = node.name.casefold()
    if pair.to_trino and pair.source.hive_functions and name in _TO_TRINO:
        return _shift(_TO_TRINO[name], node, node.expressions, pair)
    if pair.of_trino and pair.target.hive_functions and name in _OF_TRINO:
        return _shift(_OF_TRINO[name], node, node.expressions, pair)
    return node


def _shifted(node: exp.BitwiseLeftShift | exp.BitwiseRightShift, pair: DialectPair) -> exp.Expr:
    """Of a `smallint` PostgreSQL leaves out what has no room in one; others make it wider."""
    is_left, kind = isinstance(node, exp.BitwiseLeftShift), pair.kinds.of(node.left)
    is_small = kind is not None and kind.digits < INTEGER.digits
    if is_left and is_small and pair.dialect == POSTGRESQL:
        return pair.lost(node)
    called = _LEFT if is_left else _RIGHT
    return _shift(called, node, [node.left, node.right], pair) if pair.to_trino else node


def _shift(called: str, node: exp.Expr, operands: list[exp.Expr], pair: DialectPair) -> exp.Expr:
    """A call that shifts within as many bits as the dialect of the statement."""
    value, count = operands
    kind, places = pair.kinds.of(value), number(count)
    if kind is None or kind.sort is not Sort.WHOLE or places is None:
        return pair.lost(node)
    is_small = kind.digits < INTEGER.digits
    width = _LONG_WIDTH if kind.digits > INTEGER.digits else _WIDTH
    if not 0 <= places < width or (is_small and pair.of_trino):
        return pair.lost(node)
    shifted = exp.cast(value.copy(), exp.DType.INT) if is_small else value.copy()
    return exp.Anonymous(this=called, expressions=[shifted, count.copy()])


def _both(node: exp.BitwiseAnd, pair: DialectPair) -> exp.Expr:
    """Of two negative numbers it is a large one without a sign to MySQL (MariaDB 10.11)."""
    written = [number(side) for side in (node.left, node.right)]
    is_positive = any(value is not None and value >= 0 for value in written)
    return node if is_positive or pair.dialect != MYSQL else pair.lost(node)


RULES: Final[Rules] = {
    exp.BitwiseAnd: _both,
    exp.BitwiseLeftShift: _shifted,
    exp.BitwiseRightShift: _shifted,
}
