"""What an expression of Hive or Spark means to Flink, which reads a view of either as it is.

Flink has functions of the same names and its own operators, and says nothing of it. HiveServer2
2.3.10, Spark 4.1.4 and Flink 1.20.5 (batch mode, its catalog of Hive) were asked over the same rows
on 2026-11-27.
"""

from collections.abc import Mapping
from typing import Final

from sqlglot import exp

from discovery.lineage.meanings.kinds import ValueKinds
from discovery.lineage.meanings.patterns import ODD_SIGNS
from discovery.lineage.meanings.sorts import Sort
from discovery.lineage.meanings.times import is_of_seconds
from discovery.model import HIVE

_OF_LOGARITHM: Final = "of no positive number it is NULL to {home}, NaN or infinite"
_OF_BOTH: Final[Mapping[type[exp.Expr], str]] = {
    exp.RegexpExtract: "without a match it is empty to {home}, NULL",
    exp.Initcap: "letters behind a sign, as `_`, or beyond ASCII are others",
    exp.Ln: _OF_LOGARITHM,
    exp.Log: _OF_LOGARITHM,
}
_OF_HIVE: Final[Mapping[type[exp.Expr], str]] = {
    exp.Stddev: "of all rows to {home}, of a sample",
    exp.Variance: "of all rows to {home}, of a sample",
    exp.Sqrt: "of a negative number it is NULL to {home}, NaN",
    exp.StddevSamp: "of one row it is 0 to {home}, NULL",
    exp.ArrayContains: "of no array it is false to {home}, NULL",
    exp.MapKeys: "of no map it is an empty array to {home}, NULL",
}
_OF_SPARK: Final[Mapping[type[exp.Expr], str]] = {
    exp.Greatest: "with a NULL it is the largest of the others to {home}, NULL",
    exp.Least: "with a NULL it is the smallest of the others to {home}, NULL",
}
_PARSED: Final = (*exp.DataType.NUMERIC_TYPES, exp.DType.DATE, exp.DType.TIMESTAMP)
_OF_WHOLE: Final = "of whole numbers it is a fraction to {home}, whole; a decimal has other digits"
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
    of_dialect = _OF_HIVE if dialect == HIVE else _OF_SPARK
    meaning = _OF_BOTH.get(type(node)) or of_dialect.get(type(node))
    own = _of_hive if dialect == HIVE else _of_spark
    return meaning or _of_operands(node, kinds) or own(node, kinds)


def _of_operands(node: exp.Expr, kinds: ValueKinds) -> str:
    match node:
        case exp.Div() if not (_is_float(node.left, kinds) or _is_float(node.right, kinds)):
            return _OF_WHOLE
        case _ if isinstance(node, _MEASURES) and not _is_float(node.this, kinds):
            return _OF_WHOLE
        case exp.Bracket(expressions=[exp.Literal(is_string=False)]):
            return "the elements of an array are counted from 0 by {home}, from 1"
        case exp.RegexpSplit(expression=pattern) if ODD_SIGNS.search(pattern.name):
            return "it is parted by a pattern to {home}, by its letters"
    return ""


def _of_hive(node: exp.Expr, kinds: ValueKinds) -> str:
    match node:
        case exp.Cast(to=kind) if kind.is_type(*_PARSED) and _may_be_text(node.this, kinds):
            return "a text that is no such value is NULL to {home}, an error"
        case exp.Anonymous() if node.name.casefold() == _MAP_VALUES:
            return _OF_HIVE[exp.MapKeys]
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


def _may_be_text(node: exp.Expr, kinds: ValueKinds) -> bool:
    kind = kinds.of(node)
    return kind is None or kind.sort is Sort.TEXT


def _is_float(node: exp.Expr, kinds: ValueKinds) -> bool:
    kind = kinds.of(node)
    return kind is not None and kind.sort is Sort.FLOAT
