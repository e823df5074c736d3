"""What a text of Hive means in an engine that reads it as it is.

Spark runs Hive's text with its own functions, and Trino what Coral makes of it: a function of the
same name, or an operator, can have another value there, and nobody says so. 617 expressions were
put to HiveServer2 2.3.10, Spark 4.1.4 and Trino 476 over the same views and rows on 2026-11-26.

On hostile texts sqlglot can take for ever: call it where it can be stopped.
"""

import re
from collections.abc import Iterator
from operator import itemgetter
from typing import Final

import sqlglot
from sqlglot import exp

from discovery.checks.subject import OtherMeaning
from discovery.display import EXPRESSION, abridged
from discovery.engines import engine
from discovery.lineage.idioms import year_of_week
from discovery.lineage.meanings.expressions import is_empty, number
from discovery.lineage.meanings.flink_reads import meaning_to_flink
from discovery.lineage.meanings.functions_read import (
    IN_HIVE,
    IN_SPARK,
    IN_TRINO,
    OF_EMPTY,
    PARTED,
    QUOTIENT,
    SPARKS_IN_TRINO,
)
from discovery.lineage.meanings.kinds import ValueKinds
from discovery.lineage.meanings.literals import literals_meant_otherwise
from discovery.lineage.meanings.patterns import ODD_SIGNS
from discovery.lineage.meanings.sorts import Sort, ValueKind
from discovery.lineage.meanings.times import is_of_seconds
from discovery.lineage.scopes import GIVES_UP, LONGEST, readable
from discovery.model import FLINK, HIVE, SPARK, TRINO

_FAILS: Final = re.compile(r"%.(strict)?|([uwW])")
"""Parts of formats, and letters that Spark refuses since 3.0 when rows are asked for."""
_TRUTHS: Final = frozenset({"true", "false"})


def meant_otherwise(
    sql: str, dialect: str = HIVE, with_flink: bool = True
) -> tuple[OtherMeaning, ...]:
    """What has other values in an engine that reads a text as it is; none where nobody can tell.

    Of types nothing is known, so it says when that is so, and not that it is.

    Args:
        sql: The text of a view in a metastore.
        dialect: Hive, which Spark, Trino and Flink read, or Spark, which Hive, Trino and Flink
            read.
        with_flink: Whether it is told what Flink makes of it: most estates have none.
    """
    if len(sql) > LONGEST:
        return ()
    try:
        tree = sqlglot.parse_one(readable(sql, dialect), read=engine(dialect).sqlglot)
        every = [*(_other_meanings(tree, sql) if dialect == HIVE else _of_sparks(tree))]
        every += [*(_to_flink(tree, dialect) if with_flink else ())]
        every += literals_meant_otherwise(sql, dialect, with_flink)
        meanings = {(meaning.engine, meaning.what): meaning for meaning in reversed(every)}
    except GIVES_UP:
        return ()
    return tuple(reversed(meanings.values()))


def _other_meanings(tree: exp.Expr, sql: str) -> Iterator[OtherMeaning]:
    kinds = ValueKinds(HIVE, {})
    if week := year_of_week(sql, HIVE):
        yield OtherMeaning(SPARK, week, "YYYY is the year of the week to Hive, an error")
    for node in tree.walk():
        kind = exp.Stddev if isinstance(node, exp.Anonymous) and _is_std(node) else type(node)
        both = _in_both(node, kinds)
        if what := IN_SPARK.get(kind) or both or _spark(node, kinds):
            yield OtherMeaning(SPARK, _shown(node), what)
        if what := IN_TRINO.get(kind) or both or _trino(node, kinds) or _of_coral(node):
            yield OtherMeaning(TRINO, _shown(node), what.format(home=engine(HIVE).title))


def _of_sparks(tree: exp.Expr) -> Iterator[OtherMeaning]:
    """What a text of Spark means to Hive, said as of Hive's in Spark, and to Trino."""
    kinds = ValueKinds(SPARK, {})
    for node in tree.walk():
        kind = type(node)
        if what := IN_HIVE.get(kind) or _in_both(node, kinds) or _spark(node, kinds):
            yield OtherMeaning(HIVE, _shown(node), what)
        if what := SPARKS_IN_TRINO.get(kind) or _trino(node, kinds) or _of_coral(node):
            yield OtherMeaning(TRINO, _shown(node), what.format(home=engine(SPARK).title))


def _to_flink(tree: exp.Expr, dialect: str) -> Iterator[OtherMeaning]:
    kinds = ValueKinds(dialect, {})
    for node in tree.walk():
        if what := meaning_to_flink(node, kinds, dialect):
            yield OtherMeaning(FLINK, _shown(node), what.format(home=engine(dialect).title))


def _is_std(node: exp.Anonymous) -> bool:
    """Whether it is Hive's other name of `stddev`, which sqlglot does not know."""
    return node.name.casefold() == "std"


def _shown(node: exp.Expr) -> str:
    return abridged(node.sql(engine(HIVE).sqlglot), EXPRESSION)


def _spark(node: exp.Expr, kinds: ValueKinds) -> str:
    match node:
        case exp.Cast():
            return _cast_in_spark(node, kinds)
        case exp.Anonymous() if node.name.casefold() == "pmod" and _may_be_negative(node):
            return "by a negative number it may be negative to Hive, and is not"
        case exp.Extract(this=exp.Var() as unit) if unit.name.casefold() == "second":
            return "it is a whole number to Hive, one with a fraction"
        case exp.TimestampTrunc() if node.args["unit"].name.casefold() == "quarter":
            return "cut to `Q` it is the begin of a quarter to Hive, NULL"
        case exp.Literal() if node.is_string and "${" in node.name:
            return "`${x}` stands for itself to Hive in a view, for the value of a variable"
        case exp.Substring() if (number(node.args.get("start")) or 0) < 0:
            return "of a shorter text it is empty to Hive, all of it"
        case exp.TimeToStr() if any(map(itemgetter(1), _FAILS.findall(node.args["format"].name))):
            return "a part of the format is an error"
    return ""


def _cast_in_spark(node: exp.Cast, kinds: ValueKinds) -> str:
    kind, to = kinds.of(node.this), node.to
    if to.is_type(exp.DType.TEXT) and (kind is None or kind.sort in _SHOWN_OTHERWISE):
        return "true is TRUE to Hive, and a decimal has no zeros at its end; as they are shown"
    if to.is_type(exp.DType.BOOLEAN):
        return "each text but the empty one is true to Hive, `no` and `false` are false"
    if to.is_type(*exp.DataType.INTEGER_TYPES) and (kind is None or kind.sort in _LEFT_OUT):
        return "a text with blanks around it and a decimal out of range are NULL to Hive, numbers"
    if to.is_type(exp.DType.DATE) and kind is not None and kind.sort is Sort.TEXT:
        return "2024-02-30 is 2024-03-01 to Hive, NULL"
    if to.is_type(exp.DType.TIMESTAMP) and node.this.is_string and "T" in node.this.name:
        return "a text with `T` between day and time is NULL to Hive, a time"
    if to.is_type(exp.DType.TIMESTAMP) and (kind is None or kind.sort is Sort.WHOLE):
        return "a whole number is one of thousandths of seconds to Hive, of seconds"
    return ""


_SHOWN_OTHERWISE: Final = frozenset({Sort.EXACT, Sort.TRUTH, Sort.CHAR})
_LEFT_OUT: Final = frozenset({Sort.TEXT, Sort.EXACT})


def _may_be_negative(node: exp.Anonymous) -> bool:
    return not node.expressions or (number(node.expressions[-1]) or 0) <= 0


def _in_both(node: exp.Expr, kinds: ValueKinds) -> str:
    """What both engines have otherwise."""
    match node:
        case exp.Anonymous() if node.name.casefold() == "map_values":
            return IN_SPARK[exp.MapKeys]
        case exp.Concat() | exp.DPipe() if not all(map(_is_plain, _values(node, kinds))):
            return "a decimal has no zeros at its end to Hive, and a char no blanks; as they are"
        case exp.EQ() | exp.NEQ() if any(_is_truth(operand) for operand in (node.left, node.right)):
            return "a boolean beside a text is NULL to Hive, true or false"
        case exp.Like(expression=pattern) if "\\\\" in pattern.name:
            return "two backslashes are none to Hive, one"
        case exp.Add() | exp.Sub() if is_of_seconds(node.right.unnest()):
            return "of a date it is a time to Hive, a date"
    meaning, second = OF_EMPTY.get(type(node), ""), node.args.get("expression")
    return meaning if isinstance(second, exp.Expr) and is_empty(second) else ""


def _values(node: exp.Expr, kinds: ValueKinds) -> list[ValueKind | None]:
    return [*map(kinds.of, node.iter_expressions())]


def _is_plain(kind: ValueKind | None) -> bool:
    return kind is not None and kind.sort not in _SHOWN_OTHERWISE


def _is_truth(node: exp.Expr) -> bool:
    return node.is_string and node.name.casefold() in _TRUTHS


def _trino(node: exp.Expr, kinds: ValueKinds) -> str:
    match node:
        case exp.Div() if not (kinds.is_float(node.left) or kinds.is_float(node.right)):
            return QUOTIENT
        case exp.Avg() if not kinds.is_float(node.this):
            return "of decimals it has four digits more to {home}"
        case exp.Cast(to=kind) if kind.is_type(*exp.DataType.INTEGER_TYPES):
            return "2.7 is 2 to {home}, 3; a text that is no number is NULL to {home}, an error"
        case exp.Cast(to=kind) if kind.is_type(exp.DType.TEXT, exp.DType.VARCHAR):
            return "numbers with a fraction, and true and false, are other texts"
        case exp.RegexpSplit(expression=pattern) if ODD_SIGNS.search(pattern.name):
            return PARTED
        case exp.Like(expression=pattern) if "\\" in pattern.name:
            return "a backslash takes a wildcard's meaning to {home}, and is itself"
        case exp.Upper() | exp.Lower() if not (node.this.is_string and node.this.name.isascii()):
            return "ß in capitals is SS to {home}, Σ at a word's end ς in small ones, neither"
    return ""


def _of_coral(node: exp.Expr) -> str:
    """What Coral, by which Trino (476) reads Hive's views, has otherwise."""
    match node:
        case exp.SetOperation() if _has_other_names(node):
            return "columns that its parts name otherwise are kept by {home}, left out"
        case exp.If() if not isinstance(node.parent, exp.Case) and _has_other_lengths(node):
            return "the shorter text stays as it is to {home}, with blanks as long as the longer"
    return ""


def _has_other_names(node: exp.SetOperation) -> bool:
    """Whether a column has another name in the parts: it is known by neither."""
    parts = [part.unnest() for part in (node.left, node.right)]
    names = [
        [value.alias_or_name.casefold() for value in part.selects]
        for part in parts
        if isinstance(part, exp.Query) and not part.is_star
    ]
    return len(names) == len(parts) and names[0] != names[1]


def _has_other_lengths(node: exp.If) -> bool:
    texts = node.args["true"], node.args.get("false")
    lengths = {len(value.name) for value in texts if value is not None and value.is_string}
    return len(lengths) > 1
