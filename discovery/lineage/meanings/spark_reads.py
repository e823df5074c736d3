"""What a text of Trino means to Spark, which runs it as it is where a view of Iceberg has no other.

Spark takes the first text that there is, with its own functions and its own SQL: `7 / 2` is 3.5
there, a name in double quotes is a text, and `l[1]` the second element. Trino 476 and Spark 4.3.0
were asked for 365 texts over the same rows on 2026-11-27: both gave rows for 260, of which 58 had
other values. What Spark refuses is not told here.
"""

from collections.abc import Mapping
from typing import Final

from sqlglot import exp

from discovery.lineage.meanings.beside import is_beside_decimal
from discovery.lineage.meanings.blanks import cuts_white_space
from discovery.lineage.meanings.expressions import (
    WRITTEN_OTHERWISE,
    has_odd_letters,
    is_called_with_both,
    is_empty,
    is_membership_seen,
    is_row_seen,
    rounds_near_halves,
)
from discovery.lineage.meanings.kinds import ValueKinds
from discovery.lineage.meanings.operands_read import CASTS_TO_TIME, is_range_with_null, may_be_zero
from discovery.lineage.meanings.patterns import (
    ODD_SIGNS,
    OTHER_LETTERS,
    is_beyond_ascii,
    is_no_java,
)
from discovery.lineage.meanings.places import may_come_to_0
from discovery.lineage.meanings.shown import shown_otherwise
from discovery.lineage.meanings.sorts import DOUBLES, SINGLE, THOUSANDTHS, TIMES, Sort
from discovery.lineage.meanings.written_out import is_plainly_written, number
from discovery.lineage.meanings.zones import instants_on_clocks
from discovery.model import SPARK

_OF_LOGARITHM: Final = "of no positive number it is NaN or infinite to {home}, NULL"
_OF_ZONE: Final = "it is by the zone of each value to {home}, by that of the session"
_OF_MATCH: Final = "without a match it is NULL to {home}, empty"
_CLASSES: Final[Mapping[type[exp.Expr], str]] = {
    exp.Greatest: "with a NULL it is NULL to {home}, the largest of the others",
    exp.Least: "with a NULL it is NULL to {home}, the smallest of the others",
    exp.Ln: _OF_LOGARITHM,
    exp.Log: _OF_LOGARITHM,
    exp.ArrayAgg: "NULLs are kept by {home}, left out",
    exp.ArrayMax: "of an array with NULL it is NULL to {home}, the largest of the others",
    exp.ArrayMin: "of an array with NULL it is NULL to {home}, the smallest of the others",
    exp.Skewness: "of two rows it is NULL to {home}, 0",
    exp.Kurtosis: "it is of a sample to {home}, of all rows",
    exp.ApproxQuantile: "it may be another value",
    exp.Soundex: "of other letters than a to z it is another text",
    exp.Repeat: "it is an array to {home}, a text",
    exp.RegexpExtract: _OF_MATCH,
    exp.SplitPart: "behind the last part it is NULL to {home}, empty",
    exp.UnixToTime: "it is a time to {home}, a text in the zone of the session",
    exp.TimeToStr: "its format is read as Java's: letters without % are parts of a time",
    exp.Typeof: "types have other names",
}


def meaning_to_spark(node: exp.Expr, kinds: ValueKinds) -> str:
    """What Spark has otherwise, with a place for the name of the text's engine; else empty.

    Args:
        node: An expression of a text of Trino.
        kinds: What is known of values.
    """
    by_operands = _of_number(node, kinds) or _of_text(node, kinds) or _of_time(node, kinds)
    by_class = "" if is_plainly_written(node) else _CLASSES.get(type(node), "")
    by_operands = by_operands or shown_otherwise(node, kinds, SPARK)
    if any(instants_on_clocks(node, kinds)):
        by_operands = by_operands or _OF_ZONE
    if is_no_java(node) or is_beyond_ascii(node):
        by_operands = by_operands or OTHER_LETTERS
    return by_class or by_operands or _of_place(node, kinds)


def _of_number(node: exp.Expr, kinds: ValueKinds) -> str:
    match node:
        case exp.Div() | exp.Avg():
            return _of_measure(node, kinds)
        case exp.Cast(to=to, this=value) if to.is_type(*exp.DataType.INTEGER_TYPES):
            is_cut = kinds.may_be(value, Sort.FLOAT, Sort.EXACT)
            return "2.7 is 3 to {home}, 2" if is_cut else ""
        case exp.Round() if rounds_near_halves(node, kinds):
            return "of a floating number in the middle, as 1.005, it is 1.0 to {home}, 1.01"
        case exp.Rand(this=exp.Expr()):
            return "it is a whole number below that one to {home}, a fraction that it begins with"
        case exp.Binary() if is_beside_decimal(node, kinds):
            return "a float beside a decimal is a float to {home}, a double"
        case exp.TryCast() if is_tried(node, kinds):
            return "of a day with a time, or a decimal among blanks, it is NULL to {home}, a value"
    return ""


def _of_measure(node: exp.Div | exp.Avg, kinds: ValueKinds) -> str:
    known = [kinds.of(operand) for operand in node.iter_expressions()]
    if DOUBLES & set(known):
        is_by_zero = isinstance(node, exp.Div) and may_be_zero(node.right)
        return "by 0 it is infinite to {home}, an error or NULL" if is_by_zero else ""
    if SINGLE in known:
        return "of floats it is a float to {home}, a double"
    if isinstance(node, exp.Div):
        return "of whole numbers it is whole to {home}, a fraction; a decimal has other digits"
    is_whole = kinds.is_of(node.this, Sort.WHOLE)
    return "" if is_whole else "of decimals it has their digits to {home}, four more"


def _of_text(node: exp.Expr, kinds: ValueKinds) -> str:
    match node:
        case exp.Trim():
            return _of_ends(node, kinds)
        case exp.ConcatWs() if any(
            kinds.may_be(value, Sort.LIST) for value in node.expressions[1:]
        ):
            return "of an array that is NULL it is NULL to {home}, an empty text"
        case exp.Upper() | exp.Lower() if has_odd_letters(node):
            return "ß in capitals is ß to {home}, SS, and Σ at a word's end no ς, one"
        case exp.Replace(expression=exp.Expr() as sought) if is_empty(sought):
            return "an empty text is found between the letters by {home}, nowhere"
        case exp.Substring(args={"start": exp.Expr() as start}) if _begins_before(start):
            return "before a text's begin it is empty to {home}, what there is of it"
        case exp.Split(expression=pattern) if ODD_SIGNS.search(pattern.name):
            return "it is parted by its letters to {home}, by a pattern"
        case exp.Column(this=exp.Identifier(args={"quoted": True})) if not node.table:
            return "in double quotes it is a column to {home}, a text"
    return ""


def _of_ends(node: exp.Trim, kinds: ValueKinds) -> str:
    if is_called_with_both(node):
        return "the second text is what is taken from the first to {home}, the first that"
    is_otherwise = cuts_white_space(node, kinds)
    return "all white space, as tabs, is cut off by {home}, blanks alone" if is_otherwise else ""


def is_tried(node: exp.Expr, kinds: ValueKinds) -> bool:
    """Whether Trino (476) tries to make of a text what Spark (4.3.0) makes of more of them.

    Of a text with a time behind its day, or a `T`, and of a decimal with blanks around it.
    """
    if not isinstance(node, exp.TryCast) or not kinds.is_of(node.this, Sort.TEXT):
        return False
    times = (*CASTS_TO_TIME, exp.DType.TIMESTAMPNTZ)  # as drafts have what Trino calls a TIMESTAMP
    return bool(node.to.is_type(exp.DType.DATE, exp.DType.DECIMAL, *times))


def _begins_before(start: exp.Expr) -> bool:
    written = number(start)
    return may_come_to_0(start) if written is None else written <= 0


def _of_time(node: exp.Expr, kinds: ValueKinds) -> str:
    match node:
        case exp.Extract(this=exp.Expr() as unit) if unit.name.casefold() in {"dow", "day_of_week"}:
            return "Monday is 1 to {home}, 2"
        case exp.Extract(this=exp.Expr() as unit) if unit.name.casefold() == "second":
            return "it is a whole number to {home}, one with a fraction"
        case exp.TimestampTrunc() | exp.DateTrunc() if kinds.may_be(node.this, Sort.DATE):
            return "of a date it is a date to {home}, a time"
        case exp.Add(left=left, right=exp.Interval()) | exp.Sub(left=left, right=exp.Interval()):
            kind = kinds.of(left)
            if kind is not None and kind.sort in TIMES and kind.digits > THOUSANDTHS:
                return "it has thousandths of seconds to {home}, all that there are"
        case exp.Cast(to=to, this=value) if to.is_type(exp.DType.TEXT, exp.DType.VARCHAR):
            if kinds.may_be(value, *WRITTEN_OTHERWISE):
                return "numbers with a fraction, and times, are other texts"
    return ""


def _of_place(node: exp.Expr, kinds: ValueKinds) -> str:
    match node:
        case exp.Bracket(expressions=[index], this=value) if not index.is_string:
            is_list = node.args.get("offset") is None and kinds.may_be(value, Sort.LIST)
            return (
                "the elements of an array are counted from 1 by {home}, from 0" if is_list else ""
            )
        case exp.In() if is_membership_seen(node):
            return "where a NULL leaves it open it is NULL to {home}, false"
        case exp.In() if is_row_seen(node):
            return "of a row with a NULL that is none of those it is NULL to {home}, false"
        case exp.In() if is_range_with_null(node.expressions):
            return "beside NULL, values that follow each other are a range to {home}, NULL there"
        case exp.Ordered() if _may_begin_with_null(node):
            return "NULLs come last to {home}, first, unless it says NULLS LAST"
    return ""


def _may_begin_with_null(node: exp.Ordered) -> bool:
    return not node.args.get("desc") and is_order_seen(node) and _may_be_null(node)


def is_order_seen(node: exp.Ordered) -> bool:
    """Whether an order decides what is given, not only in which order that comes."""
    around = node.parent.parent if node.parent is not None else None
    if isinstance(around, exp.Query):
        distinct = around.args.get("distinct")
        is_first = distinct is not None and distinct.args.get("on") is not None
        return is_first or any(around.args.get(part) is not None for part in ("limit", "offset"))
    return around is not None


def _may_be_null(node: exp.Ordered) -> bool:
    """Whether what it orders by may be NULL, as far as that is seen.

    A number behind a query is the place of a column, and a name one of its own before any other's.
    """
    query, value = node.parent.parent if node.parent is not None else None, node.this
    if not isinstance(query, exp.Query):
        return not _is_never_null(value)
    group = query.args.get("group")
    # with totals, a constant that is grouped by may be NULL
    has_totals = group is not None and group.find(exp.Rollup, exp.Cube, exp.GroupingSets)
    if has_totals or not isinstance(query, exp.Select):
        return True
    place, selects = number(value), query.selects
    if place is not None:
        return not (0 < place <= len(selects) and _is_never_null(selects[place - 1].unalias()))
    if isinstance(value, exp.Column) and not value.table:
        named = [column.unalias() for column in selects if column.alias_or_name == value.name]
        return not named or not all(map(_is_never_null, named))
    return not _is_never_null(value)


def _is_never_null(node: exp.Expr) -> bool:
    """Whether a value is there for each row, whatever is in the tables."""
    match node:
        case exp.Literal() | exp.Boolean():
            return True
        case exp.Paren(this=inner) | exp.Window(this=inner):
            return _is_never_null(inner)
        case exp.Cast(this=inner) if not isinstance(node, exp.TryCast):
            return _is_never_null(inner)
        case exp.Coalesce(this=first, expressions=others):
            return any(map(_is_never_null, (first, *others)))
    return isinstance(node, exp.Count | exp.CountIf | exp.RowNumber | exp.Rank | exp.DenseRank)
