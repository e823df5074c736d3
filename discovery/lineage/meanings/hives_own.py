"""What Hive alone has otherwise, whether it wrote a text or reads one of Spark.

HiveServer2 2.3.10, which ran what groups and joins, Spark 4.3.0 and Trino 476 read views of these
expressions over the same rows on 2026-11-28.
"""

import re
from decimal import Decimal
from itertools import starmap
from typing import Final

from sqlglot import exp

from discovery.lineage.meanings.exact import digits_behind, hives_constant
from discovery.lineage.meanings.expressions import (
    is_chosen_by,
    is_membership_seen,
    paired_columns,
    parent_beyond,
)
from discovery.lineage.meanings.kinds import ValueKinds
from discovery.lineage.meanings.operands_read import (
    CASTS_TO_TIME,
    COMPARISONS,
    is_same_day,
    is_value,
)
from discovery.lineage.meanings.results import DAYS_AS_TEXTS
from discovery.lineage.meanings.sorts import (
    EXACT,
    LARGEST,
    NUMBERS,
    TIMES,
    Sort,
    ValueKind,
    of_number,
)
from discovery.lineage.meanings.visible import sources_of
from discovery.lineage.meanings.written_out import number

_OF_NO_SUMMER: Final = re.compile(r"UTC|GMT|Etc/.*|[+-].*", re.IGNORECASE)
_OF_DAYS: Final = (exp.TsOrDsToDate, exp.LastDay, exp.TsOrDsAdd, exp.WeekOfYear)
_PARTS: Final = (exp.Year, exp.Month, exp.Day)
_WRITTEN_BY_HIVE: Final = (exp.TimeToStr, exp.UnixToStr, exp.UnixToTimeStr, *DAYS_AS_TEXTS)
_DAY: Final = re.compile(r"\d{4}-\d{1,2}-\d{1,2}")
_WHOLE_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d")
_PRINTERS: Final = frozenset({"format_string", "printf"})
_TO_UTC: Final = "to_utc_timestamp"
_LEFT: Final = "LEFT"
_EQUALITIES: Final = (exp.EQ, exp.NullSafeEQ)
_NUMBER: Final = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_LIMITS: Final = [(len(str(limit)), limit) for limit in LARGEST.values()]
"""Digits of a whole type, and its largest number; the longer ones come later."""
_SOUGHT: Final = "a number with a fraction is sought among texts as one to Hive, as it is shown"
_AS_WHOLE: Final = "beside a whole number a text such as 1.5 or 1e3 is that to Hive, and 1 or NULL"
BLANKS: Final = "a number with blanks around it equals none to Hive, and the same without them"
_UNEQUAL: Final = "a text that is no number equals no number to Hive, NULL"
_UNPLANNED: Final = ("laterals", "sort", "cluster", "distribute")
"""What keeps Hive's optimizer from a query: it then looks whether an array is NULL."""


def otherwise_to_hive(node: exp.Expr, kinds: ValueKinds) -> str:
    """What Hive has otherwise than Spark, Trino and Flink (1.20.5); empty: nothing is known."""
    match node:
        case exp.Is(this=exp.Column() as column, expression=exp.Null()) if kinds.is_of(
            column, Sort.LIST, Sort.MAP
        ) and _is_taken_for_given(column):
            return "no column of arrays or maps is NULL to Hive, where there is none it is"
        case exp.In() if node.args.get("query") is not None and _is_denied_beside_or(node):
            return "NOT IN beside OR is true to Hive where NULLs are selected, NULL"
        case exp.Max(this=row) | exp.Min(this=row) if is_row(row, kinds):
            return "of rows with a NULL in them it is another one to Hive, or it fails"
    return ""


def is_row(node: exp.Expr, kinds: ValueKinds) -> bool:
    """Whether it is a row, by how it is written or by its type."""
    kind = kinds.of_any(node)
    return isinstance(node, exp.Struct) or (kind is not None and kind.sort is Sort.ROW)


def otherwise_to_hive_than_spark(node: exp.Expr, kinds: ValueKinds) -> str:
    """What Hive has otherwise than Spark alone; empty: nothing is known."""
    match node:
        case exp.Sum(this=value) if kinds.is_of(value, Sort.TEXT) and not _is_shown(value, kinds):
            return "of texts of which none is a number it is 0 to Hive, NULL or an error"
        case exp.In() if is_membership_seen(node):
            return "where a NULL leaves it open it is NULL to Hive, false"
        case exp.FromTimeZone(args={"zone": zone}) if _has_summer(zone):
            return _twice()
        case exp.Anonymous(expressions=[_, zone]) if node.name.casefold() == _TO_UTC:
            return _twice() if _has_summer(zone) else ""
        case exp.Union():
            return without_room(node, kinds)
    return "of 2024-02-30 it is what it is of 2024-03-01 to Hive, NULL" if _is_late(node) else ""


def without_room(node: exp.Expr, kinds: ValueKinds) -> str:
    """Of a UNION of decimals and whole numbers, what Hive has otherwise than Spark and Trino."""
    if not isinstance(node, exp.Union):
        return ""
    if not any(_is_too_long(*pair, kinds) for pair in paired_columns(node)):
        return ""
    return "beside decimals a whole number of too many digits is NULL to Hive, kept"


def of_days_to_hive(node: exp.Expr, kinds: ValueKinds) -> str:
    """Of days, what HiveServer2 2.3.10 and Spark 4.3.0 made otherwise, asked on 2026-11-29."""
    match node:
        case exp.Anonymous() | exp.Format() if _prints_days(node, kinds):
            return "a day or a time is shown as one to Hive, as a number"
        case exp.Binary() | exp.Between() if any(starmap(_is_day_as_text, _compared(node))):
            return "what it makes of a day is compared letter by letter to Hive, as a day"
    return ""


def otherwise_out_of_ansi(node: exp.Expr, kinds: ValueKinds) -> str:
    """What Hive has otherwise than Spark out of ANSI mode, as Spark reads Hive's views.

    HiveServer2 2.3.10 and Spark 4.3.0, asked on 2026-11-29: beside a text Hive makes a number of
    it, Spark one of the type that stands there.
    """
    if isinstance(node, exp.In):
        is_shown = kinds.is_of(node.this, Sort.EXACT)
        of_texts = any(kinds.is_of(value, Sort.TEXT) for value in node.expressions)
        return _SOUGHT if is_shown and of_texts else ""
    for pair in _compared(node):
        for text, beside in (pair, pair[::-1]):
            kind = kinds.of(beside)
            if kind is not None and kinds.is_of(text, Sort.TEXT):
                what = _beside_number(text, kind, node, kinds)
                if what:
                    return what
    return ""


def _compared(node: exp.Expr) -> list[tuple[exp.Expr, exp.Expr]]:
    """What an expression compares with each other."""
    match node:
        case exp.Between(this=value):
            return [(value, node.args["low"]), (value, node.args["high"])]
        case exp.Case(this=exp.Expr() as value):
            return [(value, choice.this) for choice in node.args["ifs"]]
        case exp.Binary() if isinstance(node, COMPARISONS):
            return [(node.left, node.right)]
    return []


def _beside_number(text: exp.Expr, kind: ValueKind, node: exp.Expr, kinds: ValueKinds) -> str:
    """What a text that is compared with a number is otherwise, if that is a whole or floating one.

    Args:
        text: The text.
        kind: Of the number.
        node: The comparison.
        kinds: What is known of values.
    """
    if text.is_string and kind.sort in {Sort.WHOLE, Sort.FLOAT}:
        return _written_beside_number(text.name, kind, node)
    is_digits = isinstance(text, exp.TimeToStr | exp.UnixToStr | exp.UnixToTimeStr)
    is_digits = is_digits or (isinstance(text, exp.Cast) and kinds.is_of(text.this, Sort.WHOLE))
    return _AS_WHOLE if kind.sort is Sort.WHOLE and not is_digits else ""


def _written_beside_number(written: str, kind: ValueKind, node: exp.Expr) -> str:
    """The same of a text that is written out, of which Hive knows before that it is no number."""
    plain = written.strip()
    if not _NUMBER.fullmatch(plain):
        is_equality = isinstance(node, _EQUALITIES)
        is_seen = is_equality and not is_chosen_by(node, exp.And, exp.Or, exp.Paren)
        return _UNEQUAL if is_seen else ""
    if kind.sort is Sort.FLOAT:
        return ""
    value = Decimal(plain)
    limit = next((limit for digits, limit in _LIMITS if digits >= kind.digits), _LIMITS[-1][1])
    if "e" in plain.casefold() or value != int(value) or abs(value) > limit:
        return _AS_WHOLE
    return BLANKS if plain != written and isinstance(node, (*_EQUALITIES, exp.Case)) else ""


def _is_late(node: exp.Expr) -> bool:
    """Whether a day is asked of a text that is written out and is none, which Hive counts on.

    `to_date('2024-02-30')` is 2024-03-01 to Hive (2.3.10), `month('2024-13-01')` 1; both are NULL
    to Spark (4.3.0) out of ANSI mode, an error in it.
    """
    if not isinstance(node, _OF_DAYS) or not node.this.is_string:
        return False
    match = _DAY.fullmatch(node.this.name)
    if match is None or is_value(node.this, exp.DataType.build("DATE")):
        return False
    return isinstance(node.parent, _PARTS) or not is_same_day(node.this)


def may_be_odd_day(node: exp.Expr, kinds: ValueKinds) -> bool:
    """Whether what is taken for a day or a time may be a text that is no plain one.

    `to_date(s)`, `year(s)` and `date_format(s, 'yyyy')` of Hive (2.3.10) count on from 2024-02-30
    and leave out what stands behind a day, as in `2024-03-03T10:00:00Z`; a cast to a time counts
    on, too, and has NULL of a time without seconds. Spark (4.3.0) takes `2024` and `2024-03` for
    days, and has an instant of a text with a zone.
    """
    is_cast = isinstance(node, exp.Cast) and node.to.is_type(exp.DType.TIMESTAMPNTZ, *CASTS_TO_TIME)
    if not is_cast and not isinstance(node, (*_OF_DAYS, exp.TimeStrToTime)):
        return False
    if node.args.get("format") is not None:
        return False
    value: exp.Expr = node.this
    if value.is_string:
        return not (is_value(value, exp.DataType.build("TIMESTAMP")) and is_same_day(value))
    return kinds.is_of(value, Sort.TEXT) and not isinstance(value, _WRITTEN_BY_HIVE)


def has_other_digits(node: exp.Expr, kinds: ValueKinds) -> bool:
    """Whether a quotient of decimals has fewer digits to Hive than to Spark, as one is written out.

    A draft has as many as Hive.
    """
    if not isinstance(node, exp.Div) or node.find(exp.Column) is None:
        return False
    as_spark, as_hive = [], []
    for side in (node.left, node.right):
        kind, constant = kinds.of(side), hives_constant(side)
        if kind is None or kind.sort not in EXACT:
            return False
        plain = of_number(constant[1]) if constant is not None else kind
        as_spark += [kind.digits, kind.scale]
        as_hive += [plain.digits, plain.scale]
    return as_spark != as_hive and digits_behind(*as_spark) != digits_behind(*as_hive)


def _prints_days(node: exp.Anonymous | exp.Format, kinds: ValueKinds) -> bool:
    """Whether a day or a time is printed; of some functions it is a text to Hive."""
    if isinstance(node, exp.Anonymous) and node.name.casefold() not in _PRINTERS:
        return False
    printed = (value.unnest() for value in node.expressions)
    return any(
        isinstance(value, DAYS_AS_TEXTS) or kinds.is_of(value, Sort.DATE, *TIMES)
        for value in printed
    )


def _is_day_as_text(left: exp.Expr, right: exp.Expr) -> bool:
    """Whether one of both is made of a day, a text to Hive, and the other no day as Hive writes it.

    Of another text that is not written out nothing is known here.
    """
    for made, beside in ((left, right), (right, left)):
        is_other = beside.is_string and not _WHOLE_DAY.fullmatch(beside.name)
        if isinstance(made.unnest(), DAYS_AS_TEXTS) and is_other:
            return True
    return False


def _is_shown(text: exp.Expr, kinds: ValueKinds) -> bool:
    """Whether a text is that of a number."""
    return isinstance(text, exp.Cast) and kinds.is_of(text.this, *NUMBERS)


def _twice() -> str:
    return "an hour that the zone has twice is the second to Hive, the first"


def _has_summer(zone: exp.Expr) -> bool:
    return not (zone.is_string and _OF_NO_SUMMER.fullmatch(zone.name))


def _is_taken_for_given(column: exp.Column) -> bool:
    """Whether Hive's optimizer takes it for never NULL: unless an outer join may leave it out."""
    select = column.find_ancestor(exp.Select)
    if select is None or any(select.args.get(part) for part in _UNPLANNED):
        return False
    sides = {join.side.upper() for join in select.args.get("joins") or () if join.side}
    first = next(iter(sources_of(select)), None)
    is_first = first is not None and first.alias_or_name.casefold() == column.table.casefold()
    return not sides or (sides == {_LEFT} and is_first)


def _is_denied_beside_or(node: exp.In) -> bool:
    """Whether NOT stands before a membership, and that as it is beside an OR."""
    denied = parent_beyond(node, exp.Paren)
    return isinstance(denied, exp.Not) and isinstance(
        parent_beyond(denied, exp.Paren, exp.And), exp.Or
    )


def _is_too_long(first: exp.Expr, second: exp.Expr, kinds: ValueKinds) -> bool:
    """Whether one is a whole number that may have more digits than the other, a decimal, takes."""
    for value, beside in ((first, second), (second, first)):
        kind, decimal = kinds.of(value), kinds.of(beside)
        if kind is None or decimal is None:
            continue
        written = number(value.unalias())
        digits = kind.digits if written is None else len(str(abs(written)))
        is_pair = kind.sort is Sort.WHOLE and decimal.sort is Sort.EXACT
        if is_pair and digits > decimal.digits - decimal.scale:
            return True
    return False
