"""What the operands of an expression mean to an engine that reads a text of Hive or Spark as it is.

HiveServer2 2.3.10, Spark 4.3.0 and Trino 476 (`hive.hive-views.enabled`) read views of these
expressions, which Hive and Spark had made, over the same rows on 2026-11-27.
"""

import re
from collections.abc import Sequence
from datetime import date
from typing import Final

from sqlglot import exp

from discovery.lineage.meanings.expressions import (
    is_chosen_by,
    is_empty,
    is_membership_seen,
    is_negative,
    sorts,
)
from discovery.lineage.meanings.kinds import ValueKinds
from discovery.lineage.meanings.patterns import (
    OTHER_LETTERS,
    groups_all_match,
    is_beyond_ascii,
    is_no_java,
)
from discovery.lineage.meanings.places import may_come_to_0, may_count_from_end
from discovery.lineage.meanings.sorts import INTEGER, LARGEST, NUMBERS, TIMES, Sort, of_type
from discovery.lineage.meanings.times import is_of_seconds
from discovery.lineage.meanings.written_out import digits_written, is_plainly_written, number
from discovery.model import HIVE, SPARK

CASTS_TO_TIME: Final = (exp.DType.TIMESTAMP, exp.DType.TIMESTAMPTZ, exp.DType.TIMESTAMPLTZ)
"""A `TIMESTAMP` of Hive, and of Spark, as they are read."""
_DAY: Final = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")
_TIME: Final = re.compile(r"(\d{4}-\d{1,2}-\d{1,2})( \d{1,2}:\d{1,2}:\d{1,2}(\.\d+)?)?")
_OVER: Final = re.compile(r" (2[4-9]|[3-9]\d):|:[6-9]\d")
"""Of a time behind its day: 24 hours or more, 60 minutes or seconds."""
_NUMBER: Final = re.compile(r"[+-]?\d+(\.\d*)?")
_FLOAT: Final = re.compile(r"[+-]?(\d+(\.\d*)?([eE][+-]?\d+)?|Infinity)|NaN")
_NO_DIGITS: Final = re.compile(r"nan|[+-]?inf(inity)?", re.IGNORECASE)
COMPARISONS: Final = (exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE, exp.NullSafeEQ)
_MONTHS: Final = 12
_DAYS: Final = 31
_LEAST_RANGE: Final = 2  # values
_PARTS: Final = re.compile(r"'[^']*'|%-?.")
"""What is no letter of a format any more: texts in quotes, and parts as `strftime` calls them."""
_OF_SPARK: Final = re.compile(r"[QqVOx]")
"""Letters of formats that Hive, by Java's `SimpleDateFormat`, has not."""
_KEY_TWICE: Final = "with a key twice it has the last value to Hive, and is an error"
_HASH: Final = "hash"
_BY_NAME: Final = {
    _HASH: "it is another number",
    "conv": "of a text that is no number it is 0 to Hive, NULL, and blanks before one are left out",
}
NO_NUMBER: Final = "a text that is no number, or has a point, is NULL or one to {home}, an error"
FROM_ONE_ON: Final = "beside a decimal a text is a number to {home}, an error from 1 on"
BY_ZERO: Final = "by 0 it is NULL to {home}, an error"
NO_VALUE: Final = "a text that is no such value is NULL to {home}, an error"


def between_hive_and_spark(node: exp.Expr, kinds: ValueKinds) -> str:
    """What Hive and Spark have otherwise of each other's texts; empty: nothing is known."""
    match node:
        case exp.Pad() if fills_with_nothing(node):
            return "filled up with nothing a text is NULL to Hive, as it was"
        case exp.RegexpExtract(expression=pattern) if _may_miss(node, pattern):
            return "of a group that is no part of what matches it is NULL to Hive, empty"
        case exp.Cast(to=to, this=value) if to.is_type(*CASTS_TO_TIME) and _is_odd_time(value):
            return "a day with hours and minutes alone, or with 25 hours, is another time or NULL"
        case exp.StrToUnix(this=value) if not value.is_string and kinds.may_be(value, Sort.TEXT):
            return "of a text with more behind its time it is that time to Hive, NULL or an error"
        case exp.Anonymous(expressions=[first, *_]):
            name = node.name.casefold()
            return "" if first.is_string and name != _HASH else _BY_NAME.get(name, "")
        case exp.Binary() if is_beside_no_day(node, kinds):
            return "a date beside a text that is no whole day is NULL to Hive, and compared"
    return _written_between_hive_and_spark(node)


def _written_between_hive_and_spark(node: exp.Expr) -> str:
    """What Hive 2.3.10 and Spark 4.3.0 made of what is written out, asked on 2026-11-28."""
    match node:
        case exp.VarMap() if has_key_twice(node):
            return _KEY_TWICE
        case exp.Cast(to=to, this=value) if _is_odd_float(value, to):
            return "`nan` and `inf`, but for `NaN` and `Infinity`, are NULL to Hive, numbers"
        case exp.TimeToStr() if _has_letter_of_spark(node.args["format"]):
            return "`Q`, `q`, `V`, `O` or `x` in a format makes it NULL to Hive, and is a part"
    return ""


def _has_letter_of_spark(form: exp.Expr) -> bool:
    """Whether a format that is written out has a part that Hive has not."""
    return form.is_string and _OF_SPARK.search(_PARTS.sub("", form.name)) is not None


def has_key_twice(node: exp.VarMap) -> bool:
    """Whether a map is written with one key twice."""
    keys = [key for key in node.args["keys"].expressions if isinstance(key, exp.Literal)]
    return len(set(keys)) < len(keys)


def to_trino(node: exp.Expr, kinds: ValueKinds, home: str) -> str:
    """What Trino has otherwise, with a place for the name of the text's engine; else empty.

    Args:
        node: An expression.
        kinds: What is known of values.
        home: The engine of the text, Hive or Spark.
    """
    match node:
        case exp.In() if home == SPARK and is_membership_seen(node):
            return "where a NULL leaves it open it is false to {home}, NULL"
        case exp.In() if is_range_with_null(node.expressions):
            return "beside NULL, values that follow each other are a range: of NULL it is true, not"
        case exp.Pad() if fills_with_nothing(node):
            home_has = "NULL" if home == HIVE else "as it was"
            return f"filled up with nothing a text is {home_has} to {{home}}, an error"
        case exp.Substring() if home == SPARK and may_count_from_end(node.args.get("start")):
            return "of a shorter text it is all of it to {home}, empty"
        case exp.Substring(args={"start": exp.Expr() as start}) if may_come_to_0(start):
            return "from place 0, where nothing is found, it is all of it to {home}, empty"
        case exp.Binary() if home == SPARK and is_beside_text_of_decimals(node, kinds):
            return FROM_ONE_ON
        case exp.Binary() if is_beside_no_day(node, kinds):
            return "beside a date a text that is no whole day is NULL or a day to {home}, an error"
    return _written_to_trino(node, home)


def _written_to_trino(node: exp.Expr, home: str) -> str:
    """What Trino 476 made of what is written out, and not Hive and Spark, asked on the same day."""
    match node:
        case exp.VarMap() if home == HIVE and has_key_twice(node):
            return _KEY_TWICE
        case exp.Pad() if home == SPARK and is_negative(node.expression):
            return "filled up to less than nothing a text is empty to {home}, an error"
        case exp.Lag() | exp.Lead() if is_negative(node.args.get("offset")):
            return "by a negative number of rows it looks the other way to {home}, an error"
        case exp.Cast(to=to, this=value) if home == SPARK and _is_odd_float(value, to):
            return "`nan` and `inf`, in any case, are numbers to {home}, an error"
        case exp.RegexpSplit(expression=parting) if is_empty(parting):
            return "parted by nothing a text is its letters to {home}, an error"
    return OTHER_LETTERS if is_no_java(node) or is_beyond_ascii(node) else ""


def _is_odd_float(node: exp.Expr, to: exp.DataType) -> bool:
    """Whether a text is a number without digits, written so that Spark alone reads it."""
    is_float = to.is_type(exp.DType.FLOAT, exp.DType.DOUBLE) and node.is_string
    return is_float and not is_value(node, to) and _NO_DIGITS.fullmatch(node.name) is not None


def where_home_has_null(node: exp.Expr, kinds: ValueKinds) -> str:
    """Where Trino fails at what is NULL to Hive, and to Spark out of ANSI mode."""
    match node:
        case exp.Binary() | exp.Between() if compares_no_number(node, kinds):
            return NO_NUMBER
        case exp.Binary() if is_beside_text_of_decimals(node, kinds):
            return FROM_ONE_ON
        case exp.Mod() if may_be_zero(node.right):
            return BY_ZERO
        case exp.Bracket(expressions=[exp.Neg() | exp.Sub()]):
            return "outside of an array it is NULL to {home}, an error before its begin"
        case exp.Cast(to=to, this=value) if kinds.is_of(value, Sort.TEXT) and _is_parsed(to):
            return "" if is_value(value, to) else NO_VALUE
        case exp.Add() | exp.Sub() | exp.Mul() if _soon_overflows(node, kinds):
            return "past the largest number of its type it is another to {home}, an error"
    return ""


def _soon_overflows(node: exp.Add | exp.Sub | exp.Mul, kinds: ValueKinds) -> bool:
    """Whether a number that is written out leaves no room for one of four digits beside it."""
    kind = kinds.of(node)
    written = [abs(value) for value in (number(node.left), number(node.right)) if value is not None]
    if kind is None or kind.sort is not Sort.WHOLE or len(written) != 1:
        return False
    type_ = exp.DType.INT if kind.digits <= INTEGER.digits else exp.DType.BIGINT
    return written[0] * 1_000 > LARGEST[type_]


def adds_seconds(node: exp.Add | exp.Sub, kinds: ValueKinds) -> bool:
    """Whether an interval of seconds is added to what may be a date: to Hive it is a time then."""
    return is_of_seconds(node.right.unnest()) and not kinds.is_of(node.left, *TIMES)


def may_be_zero(divisor: exp.Expr) -> bool:
    """Whether it is neither written out, as a number that is not 0, nor NULL instead of 0."""
    while isinstance(divisor, exp.Paren | exp.Neg | exp.Cast):
        divisor = divisor.this
    is_literal = isinstance(divisor, exp.Literal) and bool(divisor.name.strip("0."))
    return not (is_literal or isinstance(divisor, exp.Nullif))


def is_same_day(node: exp.Expr) -> bool:
    """Whether Hive and Spark make the same day of a text that is written out, or none.

    Hive takes 31 days for what any month has, and a later month's first days for those behind the
    last; a month of 13 or a day of 32 is NULL to Hive as to Spark.
    """
    match = _DAY.match(node.name) if node.is_string else None
    if match is None or _day(match) is not None:
        return node.is_string
    return not (1 <= int(match[2]) <= _MONTHS and 1 <= int(match[3]) <= _DAYS)


def is_counted_on(node: exp.Cast, kinds: ValueKinds) -> bool:
    """Whether a text becomes a day that no month has, which Hive counts on: `2024-02-30`."""
    is_day = node.to.is_type(exp.DType.DATE) and kinds.is_of(node.this, Sort.TEXT)
    return is_day and not is_same_day(node.this)


def _day(match: re.Match[str]) -> date | None:
    try:
        return date(*map(int, match.groups()))
    except ValueError:
        return None


def fits(node: exp.Cast) -> bool:
    """Whether it casts NULL, or a whole number that is written with fewer digits than its type."""
    if isinstance(node.this, exp.Null):
        return True
    value, to = number(node.this), of_type(node.to)
    digits = digits_written(node.this) if value is None else len(str(abs(value)))
    return digits is not None and to is not None and digits < to.digits


def is_of_no_matter(node: exp.Expr, kinds: ValueKinds) -> bool:
    """Whether what a function means otherwise of some values is not so of these, or not seen."""
    match node:
        case exp.ConcatWs():
            return not _may_be_list(node, kinds)
        case exp.ArraySize(this=exp.Array() | exp.VarMap() | exp.ArrayAgg() | exp.ArrayUniqueAgg()):
            return True  # never NULL
        case exp.ArraySize(this=exp.Split(this=parted) | exp.RegexpSplit(this=parted)):
            return _is_given(parted)
        case exp.MapKeys() | exp.StrToMap() if isinstance(node.parent, exp.Bracket):
            return True  # an element of none is NULL, too
        case exp.Greatest() | exp.Least():
            return all(map(_is_given, [node.this, *node.expressions]))
        case exp.ArrayContains():
            return is_chosen_by(node, exp.And, exp.Or, exp.Paren) or _is_false_of_none(node)
    return is_plainly_written(node)


def _is_false_of_none(node: exp.Expr) -> bool:
    """Whether it is false where it is NULL, by a COALESCE."""
    around = node.parent
    others = around.expressions if isinstance(around, exp.Coalesce) else []
    return bool(others) and isinstance(others[0], exp.Boolean) and not others[0].this


def _is_given(node: exp.Expr) -> bool:
    """Whether it is written out, or something that is stands for a NULL."""
    values = node.expressions if isinstance(node, exp.Coalesce) else [node]
    return any(isinstance(value, exp.Literal) for value in values)


def is_collected_in_no_order(node: exp.Expr) -> bool:
    """Whether it is a list of a group that is sorted or counted, or texts of one: without NULLs."""
    if isinstance(node, exp.ConcatWs):
        listed = node.expressions[-1]
        array = listed.this if isinstance(listed, exp.ArraySort) else listed
        return isinstance(array, exp.ArrayAgg | exp.ArrayUniqueAgg)
    is_list = isinstance(node, exp.ArrayAgg | exp.ArrayUniqueAgg)
    return is_list and isinstance(node.parent, exp.ArraySort | exp.ArraySize)


def _may_be_list(node: exp.ConcatWs, kinds: ValueKinds) -> bool:
    """Whether one of the texts that are put together may be an array."""
    return any(kinds.may_be(value, Sort.LIST) for value in node.expressions[1:])


def _sorts(node: exp.Binary, kinds: ValueKinds) -> set[Sort]:
    return sorts(kinds.of(node.left), kinds.of(node.right))


def is_beside_no_day(node: exp.Binary, kinds: ValueKinds) -> bool:
    """Whether a date is compared with a text that is written out and is no whole day."""
    if not isinstance(node, COMPARISONS):
        return False
    texts = [value.name for value in (node.left, node.right) if value.is_string]
    return Sort.DATE in _sorts(node, kinds) and any(
        _TIME.fullmatch(written) is None for written in texts
    )


def compares_no_number(node: exp.Binary | exp.Between, kinds: ValueKinds) -> bool:
    """Whether a number is compared with what may be none."""
    if isinstance(node, exp.Between):
        bounds = (node.args["low"], node.args["high"])
        return any(_may_be_no_number(node.this, bound, kinds) for bound in bounds)
    is_one = isinstance(node, COMPARISONS)
    return is_one and _may_be_no_number(node.left, node.right, kinds)


def _may_be_no_number(left: exp.Expr, right: exp.Expr, kinds: ValueKinds) -> bool:
    """Whether a text beside a number may be none to Trino: with a point it is no whole one."""
    both = sorts(kinds.of(left), kinds.of(right))
    texts = [value.name for value in (left, right) if value.is_string]
    numeric = bool(texts) and all(_NUMBER.fullmatch(written) for written in texts)
    pointed = any("." in written for written in texts)
    is_plain = numeric and (bool({Sort.FLOAT, Sort.EXACT} & both) or not pointed)
    return Sort.TEXT in both and bool(both & NUMBERS) and not is_plain


def is_beside_text_of_decimals(node: exp.Expr, kinds: ValueKinds) -> bool:
    """Whether a decimal is compared with a text that may be a number from 1 on.

    Coral makes both `DECIMAL(38, 38)`, which takes no such number: Trino 476 fails at `n = '10'`,
    and not at `n = '0.05'` nor at `n BETWEEN '1' AND '2'` (asked on 2026-11-28).
    """
    if not isinstance(node, COMPARISONS) or not {Sort.EXACT, Sort.TEXT} <= _sorts(node, kinds):
        return False
    texts = [value.name for value in (node.left, node.right) if value.is_string]
    are_small = all(_NUMBER.fullmatch(text) and abs(float(text)) < 1 for text in texts)
    return not (texts and are_small)


def fills_with_nothing(node: exp.Pad) -> bool:
    """Whether a text is filled up with an empty one."""
    filling = node.args.get("fill_pattern")
    return filling is not None and is_empty(filling)


def _may_miss(node: exp.RegexpExtract, pattern: exp.Expr) -> bool:
    group = node.args.get("group")
    is_all = group is not None and number(group) == 0
    return pattern.is_string and not is_all and not groups_all_match(pattern.name)


def _is_odd_time(node: exp.Expr) -> bool:
    if not node.is_string or "T" in node.name or not _DAY.match(node.name):
        return False
    return _TIME.fullmatch(node.name) is None or _OVER.search(node.name) is not None


def _is_parsed(to: exp.DataType) -> bool:
    others = (exp.DType.DATE, exp.DType.FLOAT, exp.DType.DOUBLE, exp.DType.DECIMAL)
    return to.is_type(*others, *CASTS_TO_TIME)


def is_value(node: exp.Expr, to: exp.DataType) -> bool:
    """Whether a text is written out, and is a value of the type to Trino and Flink (1.20.5)."""
    if not node.is_string:
        return False
    if to.is_type(exp.DType.DATE):
        match = _DAY.fullmatch(node.name)
        return match is not None and _day(match) is not None
    if to.is_type(*CASTS_TO_TIME):
        return _TIME.fullmatch(node.name) is not None and not _is_odd_time(node)
    numbers = _FLOAT if to.is_type(exp.DType.FLOAT, exp.DType.DOUBLE) else _NUMBER
    return numbers.fullmatch(node.name) is not None


def is_range_with_null(values: Sequence[exp.Expr]) -> bool:
    """Whether a NULL stands beside values of which each is the next one of another.

    Trino (476, asked of its own texts, too) then says true of NULL and false of all others:
    `a IN (1, 2, NULL)`; of `a IN (1, 3, NULL)` it has NULL, as each engine. So with decimals and
    dates.
    """
    places = [_place(value) for value in values if not isinstance(value, exp.Null)]
    known = {place for place in places if place is not None}
    if len(places) in {0, len(values)} or None in places or len(known) < _LEAST_RANGE:
        return False
    scales = {scale for _, scale in known}
    counted = {place for place, _ in known}
    return len(scales) == 1 and max(counted) - min(counted) + 1 == len(counted)


def _place(node: exp.Expr) -> tuple[int, int] | None:
    """The place of a value in the order of its kind, and its digits behind the point."""
    if isinstance(node, exp.Cast) and node.to.is_type(exp.DType.DATE):
        match = _DAY.fullmatch(node.this.name) if node.this.is_string else None
        day = _day(match) if match else None
        return (day.toordinal(), -1) if day else None
    negative = isinstance(node, exp.Neg)
    literal = node.this if negative else node
    if not isinstance(literal, exp.Literal) or not _NUMBER.fullmatch(literal.name):
        return None
    before, _, behind = literal.name.partition(".")
    unscaled = int(before + behind)
    return None if literal.is_string else ((-unscaled if negative else unscaled), len(behind))
