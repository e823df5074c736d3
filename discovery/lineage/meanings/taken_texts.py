"""Texts that stand in columns, of which engines make days, numbers or places of their own.

Asked of Spark 4.3.0 and Trino 476 on 2026-11-30.
"""

import re
from typing import Final

from sqlglot import exp

from discovery.lineage.meanings.hives_own import may_be_odd_day
from discovery.lineage.meanings.pair import DialectPair
from discovery.lineage.meanings.sorts import Sort
from discovery.model import HIVE, SPARK

_WITH_T: Final = re.compile(r"\s*\d{4}-\d{1,2}-\d{1,2}T\d\d?:\d\d(:\d\d(\.\d+)?)?\s*")


def is_day_of_spark(node: exp.Expr, pair: DialectPair) -> bool:
    """Whether Spark (4.3.0) takes for a day or a time a text that may be none to Trino (476).

    The `T` of a time that is written out is a blank in the draft.
    """
    if pair.dialect != SPARK or not pair.to_trino:
        return False
    if isinstance(node, exp.Cast) and node.this.is_string and _WITH_T.fullmatch(node.this.name):
        return False
    is_day = isinstance(node, exp.Cast) and node.to.is_type(exp.DType.DATE)
    is_text = is_day and not node.this.is_string and pair.kinds.is_of(node.this, Sort.TEXT)
    return is_text or may_be_odd_day(node, pair.kinds)


def is_float_of_spark(node: exp.Expr, pair: DialectPair) -> bool:
    """Whether a text may be `nan` or `inf`, in any case numbers to Spark (4.3.0) alone."""
    tried = exp.TryCast if pair.of_trino else exp.Cast  # another cast of Trino's fails
    is_beside = SPARK in {pair.dialect, pair.into} and (pair.beside_trino or pair.share_functions)
    if not is_beside or not isinstance(node, tried):
        return False
    is_float = node.to.is_type(exp.DType.FLOAT, exp.DType.DOUBLE) and not node.this.is_string
    return is_float and pair.kinds.is_of(node.this, Sort.TEXT)


def seeks_any_text(node: exp.Expr, pair: DialectPair) -> bool:
    """Whether an empty text may be sought, found between letters by Trino (476) and Hive alone."""
    if not isinstance(node, exp.Replace) or not (pair.beside_trino or pair.dialect == HIVE):
        return False
    return isinstance(node.expression, exp.Expr) and not node.expression.is_string
