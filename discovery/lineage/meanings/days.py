"""Days that are written out as texts beside dates and times, as `ordered >= '2024-01-01'`.

MySQL, Spark and Hive take such a text for a date or a time, and a number for one where such stands
beside it; Trino (476) compares none of these with a text.
"""

import re
from contextlib import suppress
from datetime import datetime
from typing import Final

from sqlglot import exp

from discovery.lineage.meanings.expressions import sorts
from discovery.lineage.meanings.pair import DialectPair
from discovery.lineage.meanings.sorts import TIMES, Sort
from discovery.model import HIVE, MYSQL

_WHOLE: Final = re.compile(r"0|[1-9][0-9]{0,14}")
_DAY: Final = len("2024-01-01")


def cast_days(tree: exp.Expr, dialect: str) -> None:
    """Put casts for `date(x)` of Hive, which is one there (2.3.10), also of a text."""
    if dialect != HIVE:
        return
    for node in [*tree.find_all(exp.Date)]:
        if node.this is not None and not node.args.get("zone") and not node.expressions:
            day = exp.DataType.build("DATE")
            node.replace(exp.TryCast(this=node.this.copy(), to=day))


def with_days(node: exp.Expr, pair: DialectPair) -> exp.Expr:
    """A comparison of which each text beside a date or a time is one, where it is written so."""
    if not pair.to_trino or not (pair.source.hive_functions or pair.dialect == MYSQL):
        return node
    operands = [*node.iter_expressions()]
    beside = sorts(*map(pair.kinds.of, operands))
    if Sort.WHOLE in beside and beside <= {Sort.WHOLE, Sort.TEXT}:
        return _with_numbers(node, operands)
    kind = exp.DType.DATE if Sort.DATE in beside else exp.DType.TIMESTAMPNTZ
    if kind is not exp.DType.DATE and not beside & TIMES:
        return node
    for operand in operands:
        if operand.is_string and _is_time(operand.name, only_day=kind is exp.DType.DATE):
            operand.replace(exp.cast(operand.copy(), kind))
    return node


def _with_numbers(node: exp.Expr, operands: list[exp.Expr]) -> exp.Expr:
    """A comparison of whole numbers with texts that are such, `id = '3'`, as one of numbers."""
    for operand in operands:
        if operand.is_string and _WHOLE.fullmatch(operand.name):
            operand.replace(exp.Literal.number(operand.name))
    return node


def _is_time(text: str, *, only_day: bool) -> bool:
    """Whether a text is a day of the calendar, or also a time of one."""
    if only_day and len(text) != _DAY:
        return False
    with suppress(ValueError):
        return len(text) >= _DAY and "T" not in text and not datetime.fromisoformat(text).tzinfo
    return False
