"""What an expression of Hive or Spark means to Flink, which reads a view of either as it is.

Flink has functions of the same names and its own operators, and says nothing of it. HiveServer2
2.3.10, Spark 4.1.4 and Flink 1.20.5 (batch mode, its catalog of Hive) were asked over the same rows
on 2026-11-27.
"""

from typing import Final

from sqlglot import exp

from discovery.lineage.meanings.beside import FILLED, meaning_beside
from discovery.lineage.meanings.expressions import (
    counts_months,
    is_called_with_both,
    is_membership_seen,
    is_negative,
    sorts,
)
from discovery.lineage.meanings.functions_read import (
    HIVES_IN_FLINK,
    IN_SPARK,
    PARTED,
    QUOTIENT,
    SPARKS_IN_FLINK,
)
from discovery.lineage.meanings.hives_own import otherwise_to_hive
from discovery.lineage.meanings.kinds import ValueKinds
from discovery.lineage.meanings.operands_read import (
    BY_ZERO,
    NO_NUMBER,
    NO_VALUE,
    adds_seconds,
    compares_no_number,
    fills_with_nothing,
    is_beside_no_day,
    is_of_no_matter,
    is_value,
    may_be_zero,
)
from discovery.lineage.meanings.patterns import ODD_SIGNS, spans_lines
from discovery.lineage.meanings.results import DAYS_AS_TEXTS
from discovery.lineage.meanings.sorts import Sort
from discovery.lineage.meanings.written_out import is_no_time, is_true_to_all, number
from discovery.model import FLINK, HIVE

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
_BEFORE_THE_FIRST: Final = (0, -1)  # letter: what is written, if anything is
_SIGN_LEFT_OUT: Final = ":"  # of `str_to_map`: sqlglot puts it where a text has none


def meaning_to_flink(node: exp.Expr, kinds: ValueKinds, dialect: str) -> str:
    """What Flink has otherwise there, with a place for the name of the text's engine; else empty.

    Args:
        node: An expression.
        kinds: What is known of values.
        dialect: Hive or Spark.
    """
    functions, own = (HIVES_IN_FLINK, _of_hive) if dialect == HIVE else (SPARKS_IN_FLINK, _of_spark)
    is_calculated = isinstance(node, exp.Binary) and not isinstance(node, exp.Predicate)
    beside = "" if is_calculated else meaning_beside(node, kinds, dialect, FLINK)
    of_both = _of_operands(node, kinds) or _of_nulls(node) or _of_texts(node, kinds) or beside
    of_both = of_both or _of_months(node)
    by_class = "" if is_of_no_matter(node, kinds) else functions.get(type(node))
    return by_class or of_both or own(node, kinds)


def _of_operands(node: exp.Expr, kinds: ValueKinds) -> str:
    match node:
        case exp.Div() if not (
            kinds.is_of(node.left, Sort.FLOAT) or kinds.is_of(node.right, Sort.FLOAT)
        ):
            return QUOTIENT
        case exp.Div() if may_be_zero(node.right):
            return "by 0 it is NULL or an error to {home}, infinite"
        case _ if isinstance(node, _MEASURES) and not kinds.is_of(node.this, Sort.FLOAT):
            return QUOTIENT
        case exp.Bracket(expressions=[exp.Literal(is_string=False)]):
            return "the elements of an array are counted from 0 by {home}, from 1"
        case exp.RegexpSplit(expression=pattern) if ODD_SIGNS.search(pattern.name):
            return PARTED
    return ""


def _of_nulls(node: exp.Expr) -> str:
    """What Flink makes of NULLs, bytes and references, whatever the types."""
    match node:
        case exp.Lag() | exp.Lead() if node.args.get("default"):
            return "where the other row has NULL it is that to {home}, the default"
        case exp.LastValue() if not isinstance(node.parent, exp.IgnoreNulls):
            return "a NULL in the last row is it to {home}, left out"
        case exp.Cast(to=kind) if kind.is_type(exp.DType.BINARY, exp.DType.VARBINARY):
            return "it is all bytes of a text to {home}, the first alone"
        case exp.RegexpReplace() if "$" in node.args["replacement"].name:
            return "`$1` stands for a group to {home}, for itself"
    return ""


def _of_texts(node: exp.Expr, kinds: ValueKinds) -> str:
    """What Flink finds in texts, and holds against them."""
    match node:
        case exp.StrToMap(args={"key_value_delim": sign}) if sign.name == _SIGN_LEFT_OUT:
            return "where no sign is given, keys end at `:` to {home}, at `=`"
        case exp.StrPosition(args={"position": place}) if number(place) in _BEFORE_THE_FIRST:
            return "from before the first letter it is 0 to {home}, found"
        case exp.EQ() | exp.NEQ() if _is_truth_beside_text(node, kinds):
            return "a boolean beside a text is NULL or compared to {home}, as `TRUE` is written"
    return ""


def _is_truth_beside_text(node: exp.EQ | exp.NEQ, kinds: ValueKinds) -> bool:
    both = [kinds.of(node.left), kinds.of(node.right)]
    return sorts(*both) == {Sort.TRUTH, Sort.TEXT}


def _of_months(node: exp.Expr) -> str:
    """Of whole months between times, where Flink (1.20.5, asked on 2026-11-28) leaves out hours."""
    if isinstance(node, exp.TimestampDiff) and counts_months(node):
        return "from a month's last day, or to an earlier hour, it is a month less to {home}"
    return ""


def _of_hive(node: exp.Expr, kinds: ValueKinds) -> str:
    match node:
        case exp.StrToMap() if not is_of_no_matter(node, kinds):
            return IN_SPARK[exp.StrToMap]
        case exp.Cast(to=kind) if kind.is_type(*_PARSED) and kinds.may_be(node.this, Sort.TEXT):
            return "" if is_value(node.this, kind) else NO_VALUE
        case exp.Cast(to=kind) if kind.is_type(exp.DType.BOOLEAN):
            is_text = kinds.is_of(node.this, Sort.TEXT) and not is_true_to_all(node.this)
            return (
                "each text but the empty one is true to {home}, `false` is false" if is_text else ""
            )
        case exp.Anonymous() if node.name.casefold() == _MAP_VALUES:
            return HIVES_IN_FLINK[exp.MapKeys]
        case exp.Add() | exp.Sub() if adds_seconds(node, kinds):
            return "of a date it is a time to {home}, a date"
    return otherwise_to_hive(node, kinds) or _of_hives_texts(node, kinds)


def _of_hives_texts(node: exp.Expr, kinds: ValueKinds) -> str:
    """Texts that Hive takes for days and times, or for none."""
    match node:
        case exp.Binary() if is_beside_no_day(node, kinds):
            return "beside a date a text that is no whole day is NULL to {home}, and compared"
        case exp.TsOrDsToDate(this=value) if kinds.is_of(value, Sort.TEXT):
            return "" if value.is_string else "of `7` it is NULL to {home}, a day of the year 7"
        case exp.StrToUnix(this=value) if (
            is_no_time(node) if value.is_string else kinds.is_of(value, Sort.TEXT)
        ):
            return "of a text that is no such time it is NULL to {home}, another time"
        case exp.TimeToStr(this=exp.TimeStrToTime(this=value)) if kinds.is_of(value, Sort.TEXT):
            if not isinstance(value, DAYS_AS_TEXTS):  # of which Flink has none
                return "of a text that is a day alone it is NULL, and not to {home}"
    return _of_hives_nulls(node, kinds)


def _of_hives_nulls(node: exp.Expr, kinds: ValueKinds) -> str:
    """What fails in Flink alone, and chars: Hive 2.3.10 and Flink 1.20.5, asked on 2026-11-28."""
    match node:
        case exp.Mod() if may_be_zero(node.right):
            return BY_ZERO
        case exp.Like(expression=pattern) if spans_lines(pattern, "%"):
            return "`%` between letters stands for no line's end to {home}, and does"
        case exp.LT() | exp.LTE() | exp.GT() | exp.GTE() | exp.Between():
            return NO_NUMBER if compares_no_number(node, kinds) else ""
        case exp.Cast(to=kind, this=value) if kind.is_type(exp.DType.TEXT):
            return FILLED if kinds.is_of(value, Sort.CHAR) else ""
        case exp.Concat() | exp.DPipe() if Sort.CHAR in sorts(
            *map(kinds.of, node.iter_expressions())
        ):
            return FILLED
    return ""


def _of_spark(node: exp.Expr, kinds: ValueKinds) -> str:
    match node:
        case exp.StrToUnix() if is_no_time(node):
            return "of a text that is no such time it is NULL or an error to {home}, a number"
        case exp.Pad() if fills_with_nothing(node):
            return "filled up with nothing a text is as it was to {home}, NULL"
        case exp.ArraySort(args={"nulls_first": exp.Boolean(this=False)}):
            return "NULLs stand at the end to {home}, at the begin"
        case exp.Cast(to=kind) if kind.is_type(exp.DType.TEXT):
            if kinds.is_of(node.this, Sort.TRUTH):
                return "true is `true` to {home}, `TRUE`"
        case exp.In() if is_membership_seen(node):
            return "where a NULL leaves it open it is false to {home}, NULL"
    return _of_sparks_places(node)


def _of_sparks_places(node: exp.Expr) -> str:
    """Parts that are written out, of Spark 4.3.0 and Flink 1.20.5, asked on 2026-11-28."""
    match node:
        case exp.Extract(this=exp.Var() as unit) if unit.name.casefold() == "second":
            return "it is a number with a fraction to {home}, a whole one"
        case exp.Substring() if is_negative(node.args.get("start")):
            return "of a shorter text it is what there is of it to {home}, empty"
        case exp.Like(expression=pattern) if spans_lines(pattern, "_"):
            return "`_` stands for a line's end, too, to {home}, and does not"
        case exp.Overlay():
            return "behind a text's end it is put there by {home}, left out"
        case exp.Pad() if is_negative(node.expression):
            return "filled up to less than nothing a text is empty to {home}, NULL"
        case exp.Trim() if is_called_with_both(node):
            return "the first text is what is taken from the second to {home}, the second that"
        case exp.SHA2(args={"length": length}) if number(length) == 0:
            return "of 0 bits it is one of 256 to {home}, an error"
    return ""
