"""Casts: to whole numbers, which round or cut, and to texts, which an engine writes its way."""

import re
from contextlib import suppress
from datetime import date
from typing import Final

from sqlglot import exp

from discovery.lineage.meanings.as_texts import time_shown
from discovery.lineage.meanings.blanks import without_all_blanks, without_end
from discovery.lineage.meanings.expressions import (
    decimal,
    has_other_digits,
    other_texts,
    sorts,
    text,
    to_even,
    truncated,
)
from discovery.lineage.meanings.pair import DialectPair, Rules
from discovery.lineage.meanings.sorts import (
    BARE,
    EXACT,
    FINEST,
    LARGEST,
    SINGLE,
    THOUSANDTHS,
    TIMES,
    Sort,
    ValueKind,
)
from discovery.lineage.meanings.written_out import number
from discovery.model import HIVE, MYSQL, POSTGRESQL, SPARK

_NAN: Final = "nan"
_FLOATS: Final = (exp.DType.FLOAT, exp.DType.DOUBLE)
_OF_DAY: Final = (exp.DType.TIME, exp.DType.TIMETZ)
_MOMENTS: Final = (exp.DType.TIMESTAMPNTZ, exp.DType.TIMESTAMPTZ)
_BYTES: Final = (exp.DType.BINARY, exp.DType.VARBINARY)
_WHOLE_PART: Final = r"^([+-]?[0-9]+)([.][0-9]*)?$"
_DAY_OF_HIVE: Final = r"^\s*([0-9]{4}-[0-9]{1,2}-[0-9]{1,2})(\s+[0-9:.]+)?\s*$"
_DAY_OF_SPARK: Final = r"^\s*([0-9]{4}-[0-9]{1,2}-[0-9]{1,2})([ T].*)?$"
_BEFORE_T: Final = r"^(\s*[0-9]{4}-[0-9]{1,2}-[0-9]{1,2})T"
_TIMES_OF_SPARK: Final = (*_MOMENTS, exp.DType.TIMESTAMP)
_OF_DAYS: Final = (
    exp.DayOfMonth,
    exp.DayOfWeek,
    exp.DayOfYear,
    exp.LastDay,
    exp.Quarter,
    exp.TimeStrToTime,
    exp.TsOrDsAdd,
    exp.TsOrDsToDate,
    exp.WeekOfYear,
)
"""Functions that take a text for a day or a time."""
_TEXTS: Final = (exp.DType.TEXT, exp.DType.VARCHAR, exp.DType.CHAR)


def put_days(node: exp.Expr, pair: DialectPair) -> None:
    """Put casts where texts are taken for days or times: what is none is NULL to Hive.

    Trino (476) fails at it, and Spark (4.3.0) in ANSI mode.
    """
    is_hives = pair.dialect == HIVE or (pair.to_trino and pair.source.hive_functions)
    if not is_hives or not isinstance(node, _OF_DAYS):
        return
    if node.args.get("format") is not None or not pair.kinds.is_of(node.this, Sort.TEXT):
        return
    if isinstance(node.this, exp.AddMonths):  # a text to Hive, a day in a draft
        return
    time = exp.DType.TIMESTAMPNTZ if pair.to_trino else exp.DType.TIMESTAMP
    kind = time if isinstance(node, exp.TimeStrToTime) else exp.DType.DATE
    cast = exp.cast(node.this.copy(), kind)
    (node if isinstance(node, exp.TsOrDsToDate | exp.TimeStrToTime) else node.this).replace(cast)


def _cast(node: exp.Cast, pair: DialectPair) -> exp.Expr:
    kind = pair.kinds.of(node.this)
    if _is_lost(node, kind, pair) or (pair.dialect == HIVE and _is_hives(node, kind)):
        return pair.lost(node)
    if node.to.meta.get(BARE) and kind and kind.sort in EXACT:
        return decimal(node.this, kind.digits, kind.scale)
    if pair.source.hive_functions and Sort.TEXT in sorts(kind):
        node = _of_text(node, pair)
    if node.to.is_type(*exp.DataType.INTEGER_TYPES):
        return _as_whole(node, kind, pair)
    if node.to.is_type(exp.DType.BOOLEAN) and pair.beside_trino:
        return node if kind is not None and kind.sort is not Sort.TEXT else _as_truth(node, pair)
    if node.to.is_type(*_TEXTS):
        return _as_text(node, kind, pair)
    return node


def _is_lost(node: exp.Cast, kind: ValueKind | None, pair: DialectPair) -> bool:
    """Whether a cast has no like in the other dialect."""
    if node.to.is_type(*_BYTES) and pair.dialect == POSTGRESQL:
        return True  # it reads a text as escaped bytes
    if node.to.is_type(exp.DType.INTERVAL) and pair.dialect == POSTGRESQL:
        return True  # of months and days in one, which is NULL to Spark
    if node.to.is_type(*_OF_DAY) and pair.target.hive_functions:
        return True  # sqlglot writes a time with its day
    if node.to.is_type(*_OF_DAY) and pair.dialect == MYSQL and _is_cut(node, kind):
        return True  # it rounds to Trino
    if node.to.is_type(*_FLOATS) and node.this.is_string and node.this.name.casefold() == _NAN:
        return pair.beside_trino  # which compares it with nothing
    if pair.dialect == POSTGRESQL and node.to.is_type(exp.DType.DECIMAL) and kind == SINGLE:
        return True  # it has six digits
    return _is_rounded(node, kind, pair)


def _is_cut(node: exp.Cast, kind: ValueKind | None) -> bool:
    """Whether a time loses digits of its seconds, in a cast of MySQL to as many as it says."""
    size = next((int(size.name) for size in node.to.expressions if size.name.isdecimal()), 0)
    digits = kind.digits if kind is not None and kind.sort in TIMES else FINEST
    return size < digits


def _is_hives(node: exp.Cast, kind: ValueKind | None) -> bool:
    """Whether a cast gives what only Hive (2.3.10) makes of a value that is written out.

    300 is 44 as a TINYINT, 2024-02-30 is 2024-03-01, a `T` within is no time, and a whole number is
    one of thousandths of seconds.
    """
    value = number(node.this)
    largest = LARGEST.get(node.to.this)
    if largest is not None and value is not None:
        return not -largest - 1 <= value <= largest
    if not node.to.is_type(exp.DType.DATE, *_MOMENTS, exp.DType.TIMESTAMP):
        return False
    if node.to.is_type(exp.DType.DATE):
        return node.this.is_string and not _is_day(node.this.name)
    if node.this.is_string:
        return "T" in node.this.name
    return Sort.WHOLE in sorts(kind)


def _is_day(text: str) -> bool:
    """Whether a text is a day of the calendar and nothing else."""
    with suppress(ValueError):
        return bool(date.fromisoformat(text))
    return False


def _is_rounded(node: exp.Cast, kind: ValueKind | None, pair: DialectPair) -> bool:
    """Whether a time loses digits of its seconds, which Spark's casts do not leave out."""
    sizes = [int(size.name) for size in node.to.expressions if size.name.isdecimal()]
    if pair.to_trino or not node.to.is_type(*_MOMENTS) or not (sizes or pair.of_trino):
        return False
    node.to.set("expressions", [])
    size = (sizes or [THOUSANDTHS])[0]  # as Trino's `TIMESTAMP` has
    if node.this.is_string:
        return bool(sizes) and len(node.this.name.partition(".")[2]) > size
    if kind is None or kind.sort not in TIMES:
        return size < FINEST and bool(sizes) and (kind is None or kind.sort is not Sort.DATE)
    return kind.digits > size


def _of_text(node: exp.Cast, pair: DialectPair) -> exp.Cast:
    """A cast of a text in Hive (2.3.10) or Spark (4.3.0).

    In Hive it is NULL where it is none, and each text is true; Spark's casts fail in ANSI mode.
    """
    args = {**node.args, "this": _taken_out(node, pair)}
    if pair.dialect != HIVE:
        return type(node)(**args)
    if node.to.is_type(exp.DType.BOOLEAN):
        pair.lost(node)
    return exp.TryCast(**{**args, "safe": True})


def _taken_out(node: exp.Cast, pair: DialectPair) -> exp.Expr:
    """What of a text is the value: `12.7` is 12, but to Spark in ANSI mode.

    Trino's casts (476) take no time behind a day, no `T` before one, nor a blank around a decimal,
    where Spark leaves out all white space. To Hive, no blank is around a whole number; to
    `try_cast` of Spark none has a fraction.
    """
    value: exp.Expr = node.this
    is_hives = pair.dialect == HIVE
    is_whole = bool(node.to.is_type(*exp.DataType.INTEGER_TYPES))
    if is_whole and is_hives:
        return _part(value, _WHOLE_PART)
    if value.is_string and pair.dialect == SPARK and node.to.is_type(*_TIMES_OF_SPARK):
        return text(re.sub(_BEFORE_T, r"\1 ", value.name))
    if value.is_string or not pair.to_trino:
        return value
    if is_whole:
        bare = exp.Trim(this=value)
        return bare if node.args.get("safe") else _part(bare, _WHOLE_PART)
    if node.to.is_type(exp.DType.DATE):
        return _part(value, _DAY_OF_HIVE if is_hives else _DAY_OF_SPARK)
    if pair.dialect == SPARK and node.to.is_type(*_TIMES_OF_SPARK):
        return exp.func("REGEXP_REPLACE", value, text(_BEFORE_T), text("$1 "))
    if not node.to.is_type(exp.DType.DECIMAL):
        return value
    return without_all_blanks(value) if is_hives else exp.Trim(this=value)


def _part(value: exp.Expr, pattern: str) -> exp.RegexpExtract:
    group = exp.Literal.number(1)
    return exp.RegexpExtract(this=value, expression=text(pattern), group=group)


def _as_truth(node: exp.Cast, pair: DialectPair) -> exp.Expr:
    """A cast of a text: `yes` is true to Spark and PostgreSQL, and none of Trino's words."""
    same = isinstance(node.this, exp.Null) or node.this.name.casefold() in {"true", "false"}
    return node if same else pair.lost(node)


def _as_whole(node: exp.Cast, kind: ValueKind | None, pair: DialectPair) -> exp.Expr:
    """A cast to a whole number."""
    cuts, cuts_there = pair.source.hive_functions, pair.target.hive_functions
    if isinstance(node.this, exp.Null):
        return node
    if kind is None:
        same = cuts == cuts_there and not pair.source.halves_to_even
        return node if same else pair.unknown(node)
    if kind.sort not in {Sort.EXACT, Sort.FLOAT}:
        return node
    value = node.this
    if pair.source.halves_to_even and kind.sort is Sort.FLOAT:
        value = to_even(value, in_trino=pair.to_trino)
    elif cuts and not cuts_there:
        value = truncated(value)
    elif cuts_there and not cuts:
        value = exp.Round(this=value)
    return type(node)(**{**node.args, "this": value})


def _as_text(node: exp.Cast, kind: ValueKind | None, pair: DialectPair) -> exp.Expr:
    """A cast to text: of numbers as engines write them, and of texts that it cuts."""
    is_whole = not node.to.expressions
    if is_whole and (shown := time_shown(node.this, pair)) is not None:
        return shown
    if other_texts(pair) & sorts(kind) or has_other_digits(kind, pair):
        return pair.lost(node)
    if pair.dialect == HIVE and Sort.TRUTH in sorts(kind):
        return pair.lost(node) if pair.share_functions else exp.Upper(this=node.copy())
    if pair.source.trims_chars and Sort.CHAR in sorts(kind):
        return without_end(node.copy(), pair)  # which no other engine does by itself
    size = next((expression.name for expression in node.to.expressions), "")
    if not size.isdecimal() or isinstance(node.this, exp.Null):
        return node
    if node.this.is_string:
        return _written_as_text(node, size, pair)
    if node.to.is_type(exp.DType.CHAR) and pair.dialect != MYSQL:
        return pair.lost(node)  # who fills it up with blanks, and when, differs
    cuts_none = pair.source.hive_functions and pair.dialect != HIVE
    return node if cuts_none else _cut(node, size, pair)


def _written_as_text(node: exp.Cast, size: str, pair: DialectPair) -> exp.Expr:
    """A text that is written out; a CHAR is filled up with blanks, which count in `||` of Trino.

    To PostgreSQL (18.6) they are there in a column of a view, and nowhere else.
    """
    is_char = node.to.is_type(exp.DType.CHAR)
    is_shown = pair.of_trino or isinstance(node.parent, exp.Alias | exp.Select)
    if is_char and is_shown and pair.dialect != MYSQL and len(node.this.name) < int(size):
        return pair.lost(node)
    return node if len(node.this.name) <= int(size) and not is_char else _cut(node, size, pair)


def _cut(node: exp.Cast, size: str, pair: DialectPair) -> exp.Expr:
    """A text that a cast cuts, where Spark's casts cut none."""
    if not pair.target.hive_functions and not node.to.is_type(exp.DType.CHAR):
        return node
    uncut = exp.cast(node.this, exp.DType.TEXT)
    start, length = exp.Literal.number(1), exp.Literal.number(int(size))
    return exp.Substring(this=uncut, start=start, length=length)


RULES: Final[Rules] = {
    exp.Cast: _cast,
    exp.TryCast: _cast,
}
