"""What a text means in an engine that reads it as it is.

Spark runs Hive's text with its own functions, and Trino what Coral makes of it: a function of the
same name, or an operator, can have another value there, and nobody says so. 617 expressions were
put to HiveServer2 2.3.10, Spark 4.1.4 and Trino 476 over the same views and rows on 2026-11-26.

On hostile texts sqlglot can take for ever: call it where it can be stopped.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Final

import sqlglot
from sqlglot import exp

from discovery.checks.subject import OtherMeaning
from discovery.engines import engine
from discovery.formats.spark_mode import Mode
from discovery.lineage.idioms import year_of_week
from discovery.lineage.meanings.beside import beside_text, ends_in_zeros, meaning_beside
from discovery.lineage.meanings.days import cast_days
from discovery.lineage.meanings.edges import at_edges, otherwise_in_ansi
from discovery.lineage.meanings.elements_read import put_sizes
from discovery.lineage.meanings.expressions import is_empty, is_signed_modulus
from discovery.lineage.meanings.flink_reads import meaning_to_flink
from discovery.lineage.meanings.functions_read import IN_HIVE, IN_SPARK, OF_EMPTY_IN_SPARK
from discovery.lineage.meanings.hives_own import (
    has_other_digits,
    of_days_to_hive,
    otherwise_out_of_ansi,
    otherwise_to_hive,
    otherwise_to_hive_than_spark,
    without_room,
)
from discovery.lineage.meanings.kinds import ValueKinds
from discovery.lineage.meanings.literals import literals_meant_otherwise
from discovery.lineage.meanings.operands_read import (
    CASTS_TO_TIME,
    COMPARISONS,
    adds_seconds,
    between_hive_and_spark,
    is_collected_in_no_order,
    is_counted_on,
    is_of_no_matter,
)
from discovery.lineage.meanings.pair import written
from discovery.lineage.meanings.patterns import spans_lines
from discovery.lineage.meanings.places import may_count_from_end
from discovery.lineage.meanings.precedence import read_otherwise
from discovery.lineage.meanings.shown import shown_otherwise
from discovery.lineage.meanings.sorts import Sort, ValueKind, of_type
from discovery.lineage.meanings.spark_reads import meaning_to_spark
from discovery.lineage.meanings.trino_reads import meaning_to_trino
from discovery.lineage.meanings.written_out import is_number_written, is_true_to_all
from discovery.lineage.scopes import GIVES_UP, LONGEST, readable
from discovery.model import FLINK, HIVE, SPARK, TRINO, Column
from discovery.ports import Name

_FAILS: Final = re.compile(r"%.(strict)?|([uwW])")
"""Parts of formats, and letters that Spark refuses since 3.0 when rows are asked for."""
_OF_TODAY: Final = Mode()
_CUT_OTHERWISE: Final = {
    "quarter": "cut to `Q` it is the begin of a quarter to Hive, NULL",
    "week": "cut to a week it is NULL to Hive, its Monday",
}
_FEWER_DIGITS: Final = (
    "a decimal that is written out has no zeros at its end to Hive: the quotient has fewer digits"
)
_TRUTHS: Final = frozenset({"true", "false"})
_TRUTHS_TO_ALL: Final = frozenset({"1", "0"})


def meant_otherwise(
    sql: str,
    dialect: str = HIVE,
    columns: Mapping[Name, Sequence[Column]] | None = None,
    with_flink: bool = True,
    mode: Mode = _OF_TODAY,
) -> tuple[OtherMeaning, ...] | None:
    """What has other values in an engine that reads a text as it is; None: nobody can tell.

    Where it depends on a type that is not known, or on values, it says when that is so.

    Args:
        sql: The text of a view in a metastore.
        dialect: Hive, which Spark, Trino and Flink read, Spark, which Hive, Trino and Flink read,
            or Trino, which Spark reads in Iceberg.
        columns: What it reads, as it names that, to the columns; what is left out is not known.
        with_flink: Whether it is told what Flink makes of it: most estates have none.
        mode: Of a text of Spark.
    """
    if len(sql) > LONGEST:
        return None
    try:
        tree = sqlglot.parse_one(readable(sql, dialect), read=engine(dialect).sqlglot)
        if not isinstance(tree, exp.Query):
            return None
        cast_days(tree, dialect)
        put_sizes(tree, dialect)
        kinds = ValueKinds(dialect, columns or {})
        every = [*(_of_hives(tree, kinds, sql) if dialect == HIVE else ())]
        every += [*(_of_sparks(tree, kinds, mode) if dialect == SPARK else ())]
        every += [*(_to_spark(tree, kinds) if dialect == TRINO else ())]
        every += [*(_to_flink(tree, kinds, dialect) if with_flink and dialect != TRINO else ())]
        every += literals_meant_otherwise(sql, dialect, with_flink, mode.joins_quotes)
        meanings = {(meaning.engine, meaning.what): meaning for meaning in reversed(every)}
    except GIVES_UP:
        return None
    return tuple(reversed(meanings.values()))


def _to_spark(tree: exp.Expr, kinds: ValueKinds) -> Iterator[OtherMeaning]:
    """What a text of Trino means to Spark."""
    for node in tree.walk():
        if what := meaning_to_spark(node, kinds):
            yield _told(node, TRINO, SPARK, what)


def _of_hives(tree: exp.Expr, kinds: ValueKinds, sql: str) -> Iterator[OtherMeaning]:
    """What a text of Hive means to Spark and to Trino."""
    if week := year_of_week(sql, HIVE, of_cuts=False):
        yield OtherMeaning(SPARK, week, "YYYY is the year of the week to Hive, an error")
    for node in tree.walk():
        if what := _of_hive_and_spark(node, kinds, IN_SPARK) or otherwise_out_of_ansi(node, kinds):
            yield _told(node, HIVE, SPARK, what)
        of_both = _in_both(node, kinds) or without_room(node, kinds)
        if what := of_both or meaning_to_trino(node, kinds, HIVE, gives_null=True):
            yield _told(node, HIVE, TRINO, what)


def _of_sparks(tree: exp.Expr, kinds: ValueKinds, mode: Mode) -> Iterator[OtherMeaning]:
    """What a text of Spark means to Hive, said as of Hive's in Spark, and to Trino."""
    in_hive = IN_HIVE if mode.ansi else IN_SPARK
    for node in tree.walk():
        of_mode = otherwise_in_ansi if mode.ansi else otherwise_out_of_ansi
        if what := _of_hive_and_spark(node, kinds, in_hive) or of_mode(node, kinds):
            meaning = what.format(home=engine(HIVE).title)
            yield OtherMeaning(HIVE, written(node, SPARK), meaning)
        if what := meaning_to_trino(node, kinds, SPARK, gives_null=not mode.ansi):
            yield _told(node, SPARK, TRINO, what)


def _to_flink(tree: exp.Expr, kinds: ValueKinds, dialect: str) -> Iterator[OtherMeaning]:
    for node in tree.walk():
        if what := meaning_to_flink(node, kinds, dialect):
            yield _told(node, dialect, FLINK, what)


def _told(node: exp.Expr, writer: str, reader: str, what: str) -> OtherMeaning:
    return OtherMeaning(reader, written(node, writer), what.format(home=engine(writer).title))


def _of_hive_and_spark(
    node: exp.Expr, kinds: ValueKinds, functions: Mapping[type[exp.Expr], str]
) -> str:
    """What is to one of them otherwise than to the other, whose text it may be."""
    of_kinds = _in_both(node, kinds) or meaning_beside(node, kinds, HIVE, SPARK) or _of_empty(node)
    of_kinds = of_kinds or read_otherwise(node)
    is_same = is_of_no_matter(node, kinds) or is_collected_in_no_order(node)
    by_class = "" if is_same else functions.get(type(node), "")
    of_kinds = of_kinds or _spark(node, kinds) or between_hive_and_spark(node, kinds)
    of_kinds = of_kinds or otherwise_to_hive_than_spark(node, kinds) or of_days_to_hive(node, kinds)
    of_kinds = of_kinds or at_edges(node, kinds)
    of_kinds = of_kinds or shown_otherwise(node, kinds, HIVE if kinds.dialect == SPARK else SPARK)
    return by_class or of_kinds or (_FEWER_DIGITS if has_other_digits(node, kinds) else "")


def _of_empty(node: exp.Expr) -> str:
    second = node.args.get("expression")
    is_written = isinstance(second, exp.Expr) and is_empty(second)
    return OF_EMPTY_IN_SPARK.get(type(node), "") if is_written else ""


def _spark(node: exp.Expr, kinds: ValueKinds) -> str:
    match node:
        case exp.Cast():
            return _cast_in_spark(node, kinds)
        case exp.Anonymous() if is_signed_modulus(node):
            return "by a negative number it may be negative to Hive, and is not"
        case exp.Extract(this=exp.Var() as unit) if unit.name.casefold() == "second":
            return "it is a whole number to Hive, one with a fraction"
        case exp.TimestampTrunc() | exp.DateTrunc():
            return _CUT_OTHERWISE.get(node.args["unit"].name.casefold(), "")
        case exp.Literal() if node.is_string and "${" in node.name:
            return "`${{x}}` stands for itself to Hive in a view, for the value of a variable"
        case exp.Substring() if may_count_from_end(node.args.get("start")):
            return "of a shorter text it is empty to Hive, all of it"
        case exp.TimeToStr() if any(map(itemgetter(1), _FAILS.findall(node.args["format"].name))):
            return "a part of the format is an error"
    return ""


def _cast_in_spark(node: exp.Cast, kinds: ValueKinds) -> str:
    to = node.to
    if to.is_type(exp.DType.TEXT) and _is_shown_otherwise(node.this, kinds):
        return "true is TRUE to Hive, and a decimal has no zeros at its end; as they are shown"
    if to.is_type(*exp.DataType.INTEGER_TYPES) and kinds.may_be(node.this, *_LEFT_OUT):
        if is_number_written(node.this) or _is_in_range(kinds.of(node.this), of_type(to)):
            return ""
        return "a text with blanks around it and a decimal out of range are NULL to Hive, numbers"
    if is_counted_on(node, kinds):
        return "2024-02-30 is 2024-03-01 to Hive, NULL"
    if to.is_type(exp.DType.DATE, *CASTS_TO_TIME) and kinds.is_of(node.this, Sort.TEXT):
        return _WITH_T if "T" in node.this.name or not node.this.is_string else ""
    if to.is_type(*CASTS_TO_TIME) and kinds.may_be(node.this, Sort.WHOLE):
        return "a whole number is one of thousandths of seconds to Hive, of seconds"
    return ""


_UNKNOWN_TO_SQLGLOT: Final = {"map_values": IN_SPARK[exp.MapKeys], "std": IN_SPARK[exp.Stddev]}
_WITH_T: Final = "a text with `T` between day and time is NULL to Hive, and is one"
_LEFT_OUT: Final = (Sort.TEXT, Sort.EXACT)


def _is_shown_otherwise(node: exp.Expr, kinds: ValueKinds) -> bool:
    return kinds.may_be(node, Sort.TRUTH, Sort.CHAR) or ends_in_zeros(node, kinds)


def _is_in_range(kind: ValueKind | None, to: ValueKind | None) -> bool:
    """Whether each decimal of a kind has, before its point, fewer digits than a type takes."""
    if kind is None or to is None or kind.sort is not Sort.EXACT:
        return False
    return kind.digits - kind.scale < to.digits


def _in_both(node: exp.Expr, kinds: ValueKinds) -> str:
    """What both engines have otherwise."""
    match node:
        case exp.Anonymous():
            is_same = isinstance(node.parent, exp.Bracket)  # an element of none is NULL, too
            return "" if is_same else _UNKNOWN_TO_SQLGLOT.get(node.name.casefold(), "")
        case exp.Concat() | exp.DPipe() if not all(_is_plain(it, kinds) for it in _values(node)):
            return "a decimal has no zeros at its end to Hive, and a char no blanks; as they are"
        case exp.Cast(to=to) if to.is_type(exp.DType.BOOLEAN) and kinds.may_be(
            node.this, Sort.TEXT
        ):
            if is_true_to_all(node.this):
                return ""
            return "each text but the empty one is true to Hive, `no` and `false` are false"
        case exp.Binary() if isinstance(node, COMPARISONS) and _is_truth_beside_text(node, kinds):
            return "beside a text a boolean is 1 or 0 to Hive, and the text true or false"
        case exp.Like() | exp.RegexpLike():
            return _of_pattern(node, node.expression)
        case exp.Add() | exp.Sub() if adds_seconds(node, kinds):
            return "of a date it is a time to Hive, a date"
    return otherwise_to_hive(node, kinds) or _of_branches(node, kinds)


def _of_pattern(node: exp.Like | exp.RegexpLike, pattern: exp.Expr) -> str:
    if isinstance(node, exp.RegexpLike):
        return "an empty pattern is found nowhere by Hive, everywhere" if is_empty(pattern) else ""
    if "\\\\" in pattern.name:
        return "two backslashes are none to Hive, one"
    if spans_lines(pattern):
        return "`%` or `_` between letters stands for no line's end to Hive, and does"
    return ""


def _of_branches(node: exp.Expr, kinds: ValueKinds) -> str:
    if Sort.EXACT in beside_text(node, kinds):
        return "beside a text a decimal is one without zeros at its end to Hive, as it is shown"
    return ""


def _values(node: exp.Expr) -> list[exp.Expr]:
    """What is put together; of `concat_ws` nothing, as Hive (2.3.10) refuses all but texts."""
    if isinstance(node, exp.ConcatWs):
        return []
    return [value for value in node.iter_expressions() if not isinstance(value, exp.Null)]


def _is_plain(node: exp.Expr, kinds: ValueKinds) -> bool:
    """Whether it is the same text to both: true is `true` there, and `TRUE` where it is cast."""
    kind = kinds.of(node)
    return kind is not None and kind.sort is not Sort.CHAR and not ends_in_zeros(node, kinds)


def _is_truth_beside_text(node: exp.Binary, kinds: ValueKinds) -> bool:
    """Whether a boolean is compared with a text; `1` and `0` are true and false to all."""
    for text, other in ((node.left, node.right), (node.right, node.left)):
        if text.is_string and text.name in _TRUTHS_TO_ALL:
            continue
        is_word = text.is_string and text.name.casefold() in _TRUTHS
        is_known = kinds.is_of(text, Sort.TEXT) and kinds.is_of(other, Sort.TRUTH)
        if is_known or (is_word and kinds.may_be(other, Sort.TRUTH)):
            return True
    return False
