"""Texts that MySQL takes for numbers and days by what they begin with.

To MariaDB (10.11) `12 pieces` is 12 as a number, `abc` is 0, and what is no day is NULL, as is the
end of a day with more behind it; Trino (476) fails there, and Spark (4.3.0) in ANSI mode. Asked on
2026-11-30.
"""

from collections.abc import Iterable
from typing import Final

from sqlglot import exp

from discovery.lineage.meanings.collations import COMPARED, compared
from discovery.lineage.meanings.expressions import sorts
from discovery.lineage.meanings.pair import DialectPair
from discovery.lineage.meanings.sorts import NUMBERS, TIMES, Sort
from discovery.model import MYSQL

_NO_VALUES: Final = (exp.DType.TEXT, exp.DType.VARCHAR, exp.DType.CHAR, exp.DType.BINARY)
_CALCULATED: Final = (exp.Add, exp.Sub, exp.Mul, exp.Div, exp.IntDiv, exp.Mod, exp.Sum, exp.Avg)
_READ: Final = (exp.StrToDate, exp.StrToTime, exp.TsOrDsToDate, exp.TsOrDsToTimestamp)
_VALUES: Final = NUMBERS | TIMES | {Sort.DATE}


def takes_begin_of_text(node: exp.Expr, pair: DialectPair) -> bool:
    """Whether a text that is not written out is taken for a number or a day in MySQL."""
    if pair.dialect != MYSQL:
        return False
    return any(
        not text.is_string and pair.kinds.is_of(text, Sort.TEXT, Sort.CHAR)
        for text in _taken(node, pair)
    )


def _taken(node: exp.Expr, pair: DialectPair) -> Iterable[exp.Expr]:
    """What is taken for a number or a day, whether it is one or not."""
    if isinstance(node, exp.Cast):
        return () if node.to.is_type(*_NO_VALUES) else (node.this,)
    if isinstance(node, _READ):
        return (node.this,)
    if isinstance(node, _CALCULATED):
        return node.iter_expressions()
    values = [*compared(node)] if isinstance(node, COMPARED) else []
    return values if _VALUES & sorts(*map(pair.kinds.of, values)) else ()
