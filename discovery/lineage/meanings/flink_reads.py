"""What an expression of Hive or Spark means to Flink, which reads a view of either as it is.

Flink has functions of the same names and its own operators, and says nothing of it. HiveServer2
2.3.10, Spark 4.1.4 and Flink 1.20.5 (batch mode, its catalog of Hive) were asked over the same rows
on 2026-11-27.
"""

from typing import Final

from sqlglot import exp

from discovery.lineage.meanings.functions_read import (
    HIVES_IN_FLINK,
    PARTED,
    QUOTIENT,
    SPARKS_IN_FLINK,
)
from discovery.lineage.meanings.kinds import ValueKinds
from discovery.lineage.meanings.patterns import ODD_SIGNS
from discovery.lineage.meanings.sorts import Sort
from discovery.lineage.meanings.times import is_of_seconds
from discovery.model import HIVE

_PARSED: Final = (*exp.DataType.NUMERIC_TYPES, exp.DType.DATE, exp.DType.TIMESTAMP)
_MEASURES: Final = (
    exp.Avg,
    exp.Stddev,
    exp.StddevPop,
    exp.StddevSamp,
    exp.Variance,
    exp.VariancePop,
)
_MAP_VALUES: Final = "map_values"


def meaning_to_flink(node: exp.Expr, kinds: ValueKinds, dialect: str) -> str:
    """What Flink has otherwise there, with a place for the name of the text's engine; else empty.

    Args:
        node: An expression.
        kinds: What is known of values.
        dialect: Hive or Spark.
    """
    functions, own = (HIVES_IN_FLINK, _of_hive) if dialect == HIVE else (SPARKS_IN_FLINK, _of_spark)
    return functions.get(type(node)) or _of_operands(node, kinds) or own(node, kinds)


def _of_operands(node: exp.Expr, kinds: ValueKinds) -> str:
    match node:
        case exp.Div() if not (
            kinds.is_of(node.left, Sort.FLOAT) or kinds.is_of(node.right, Sort.FLOAT)
        ):
            return QUOTIENT
        case _ if isinstance(node, _MEASURES) and not kinds.is_of(node.this, Sort.FLOAT):
            return QUOTIENT
        case exp.Bracket(expressions=[exp.Literal(is_string=False)]):
            return "the elements of an array are counted from 0 by {home}, from 1"
        case exp.RegexpSplit(expression=pattern) if ODD_SIGNS.search(pattern.name):
            return PARTED
    return ""


def _of_hive(node: exp.Expr, kinds: ValueKinds) -> str:
    match node:
        case exp.Cast(to=kind) if kind.is_type(*_PARSED) and kinds.may_be(node.this, Sort.TEXT):
            return "a text that is no such value is NULL to {home}, an error"
        case exp.Anonymous() if node.name.casefold() == _MAP_VALUES:
            return HIVES_IN_FLINK[exp.MapKeys]
        case exp.Add() | exp.Sub() if is_of_seconds(node.right.unnest()):
            return "of a date it is a time to {home}, a date"
    return ""


def _of_spark(node: exp.Expr, kinds: ValueKinds) -> str:
    match node:
        case exp.Cast(to=kind) if kind.is_type(exp.DType.TEXT):
            value = kinds.of(node.this)
            if value is not None and value.sort is Sort.TRUTH:
                return "true is `true` to {home}, `TRUE`"
    return ""
