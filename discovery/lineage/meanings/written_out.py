"""Operands that are written out so that all engines make the same of them: nothing is to be told.

HiveServer2 2.3.10, Spark 4.3.0 and Trino 476 read views of Hive and Spark with these operands on
2026-11-28, and had the same values.
"""

import calendar
import re
from collections.abc import Mapping
from datetime import date
from typing import Final

from sqlglot import exp

_SECONDS: Final = "%Y-%mstrict-%dstrict %Hstrict:%Mstrict:%Sstrict"
"""The format of times where a text names none, as sqlglot reads `yyyy-MM-dd HH:mm:ss`."""
_MAY_BE_TIME: Final = re.compile(r"\s*[+-]?\d+-\s*-?\d+-\s*-?\d+\s+-?\d+:\s*-?\d+:\s*-?\d")
"""What begins as such a time, as leniently as Java reads one: `24-13-1 0:0:0`, and more behind."""
_LETTERS: Final = re.compile("[A-Za-z]+")
_WORDS: Final = re.compile("[A-Za-z0-9 ]*")
_ADDRESS: Final = re.compile(r"[a-z]+://[A-Za-z0-9./?=&#:_-]+")
_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d")
_WHOLE: Final = re.compile(r"[+-]?(\d+)")
_NUMBER: Final = re.compile(r"[+-]?\d+(\.\d*)?")
_TRUE: Final = frozenset({"true", "t", "1"})
_LONGEST_MONTH: Final = 31  # days
_ASCII: Final = re.compile(r"[\x00-\x7f]*")
_ANYTHING: Final = re.compile(".*", re.DOTALL)
_PLAIN: Final[Mapping[type[exp.Expr], re.Pattern[str]]] = {
    exp.Ascii: _ASCII,
    exp.StrToMap: _ANYTHING,
    exp.Initcap: _WORDS,
    exp.Soundex: _LETTERS,
    exp.ParseUrl: _ADDRESS,
}


def number(node: exp.Expr | None) -> int | None:
    """A whole number that is written out; None: it is something else."""
    if isinstance(node, exp.Neg) and (negated := number(node.this)) is not None:
        return -negated
    if isinstance(node, exp.Paren):
        return number(node.this)
    if isinstance(node, exp.Cast) and node.this.is_string:  # `'-1'::integer` of PostgreSQL
        is_whole = node.to.is_type(*exp.DataType.INTEGER_TYPES) and _WHOLE.fullmatch(node.this.name)
        return int(node.this.name) if is_whole else None
    if isinstance(node, exp.Literal) and not node.is_string and node.name.isdecimal():
        return int(node.name)
    return None


def is_plainly_written(node: exp.Expr) -> bool:
    """Whether a function is of operands that are written out and have one value to all engines."""
    match node:
        case exp.AddMonths(this=value):
            return _ends_no_month(value)
        case exp.Ln() | exp.Log():
            return all(map(_is_positive, node.iter_expressions()))
    pattern = _PLAIN.get(type(node))
    return pattern is not None and node.this.is_string and bool(pattern.fullmatch(node.this.name))


def _ends_no_month(node: exp.Expr) -> bool:
    """Whether it is a day that Hive moves as others do: not the last of a month, or the 31st.

    Hive takes the last day of a month to the last of another, which from the 31st all do.
    """
    value = node.this if isinstance(node, exp.Cast) else node
    if not value.is_string or not _DAY.fullmatch(value.name):
        return False
    try:
        day = date.fromisoformat(value.name)
    except ValueError:
        return False
    return day.day in {*range(calendar.monthrange(day.year, day.month)[1]), _LONGEST_MONTH}


def _is_positive(node: exp.Expr) -> bool:
    return isinstance(node, exp.Literal) and not node.is_string and bool(node.name.strip("0."))


def digits_written(node: exp.Expr) -> int | None:
    """How many digits a text has that is a whole number; None: it is no such text."""
    match = _WHOLE.fullmatch(node.name) if node.is_string else None
    return len(match[1]) if match else None


def is_number_written(node: exp.Expr) -> bool:
    """Whether it is a text that is a number without blanks, of which Hive and Spark cut the same.

    `12.7` is 12 to both as a whole number; Trino takes `12` and `+12` alone.
    """
    return node.is_string and _NUMBER.fullmatch(node.name) is not None


def is_no_time(node: exp.StrToUnix) -> bool:
    """Whether it is of a text that is written out and no time in the format without a name."""
    value, form = node.this, node.args.get("format")
    is_read = isinstance(value, exp.Literal) and value.is_string
    is_usual = form is not None and form.is_string and form.name == _SECONDS
    return is_read and is_usual and _MAY_BE_TIME.match(value.name) is None


def is_true_to_all(node: exp.Expr) -> bool:
    """Whether it is a text that is true as a boolean: to Hive each is but the empty one."""
    return node.is_string and node.name.casefold() in _TRUE
