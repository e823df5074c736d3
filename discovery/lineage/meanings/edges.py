"""What Hive and Spark have otherwise of each other's texts at the edges of functions.

HiveServer2 2.3.10 and Spark 4.3.0 were asked for 481 expressions over the same rows on 2026-11-30:
each function that both have, with what lies at its ends.
"""

import re
from typing import Final

from sqlglot import exp

from discovery.lineage.meanings.beside import values_beside_text
from discovery.lineage.meanings.expressions import sorts
from discovery.lineage.meanings.hives_own import BLANKS
from discovery.lineage.meanings.kinds import ValueKinds
from discovery.lineage.meanings.operands_read import is_value
from discovery.lineage.meanings.sorts import NUMBERS, Sort

_CLOCK: Final = re.compile(r"\d{1,2}:\d")
_LINE: Final = 57  # bytes of which base64 makes a line
_CHOSEN: Final = (exp.Coalesce, exp.Case, exp.If)
_SECONDS_OF_TEXT: Final = "to_unix_timestamp"
_CODE: Final = re.compile(r"%[a-zA-Z](strict)?|'[^']*'")
_FRACTION: Final = re.compile("S+")
_THOUSANDTHS: Final = "SSS"
_FORMAT: Final = (
    "in a format `S` is the number of thousandths to Hive, and their digits; `F` counts otherwise"
)
_MORE_BEHIND: Final = "of a text with more behind its time it is that time to Hive, NULL"
_DAY_OF_FORMAT: Final = "%Y-%mstrict-%dstrict"


def at_edges(node: exp.Expr, kinds: ValueKinds) -> str:
    """What the one has otherwise than the other; empty: nothing is known.

    Args:
        node: An expression of a text of Hive or Spark.
        kinds: What is known of values.
    """
    match node:
        case exp.Hour(this=value) | exp.Minute(this=value) | exp.Second(this=value):
            is_day = not (value.is_string and _CLOCK.search(value.name))
            is_text = is_day and kinds.is_of(value, Sort.TEXT)
            return "of a text that is a day alone it is NULL to Hive, 0" if is_text else ""
        case exp.ToBase64(this=value) if not _is_short(value):
            return "of more than 57 bytes it is one line to Hive, and has line ends"
        case exp.TimeToStr() if _counts_otherwise(node.args["format"]):
            return _FORMAT
        case exp.Anonymous(expressions=[value, _]) if node.name.casefold() == _SECONDS_OF_TEXT:
            return _MORE_BEHIND if kinds.is_of(value, Sort.TEXT) else ""
        case exp.StrToUnix() if _is_no_day(node):
            return "of 2024-13-01 it is what it is of 2025-01-01 to Hive, NULL or an error"
    return ""


def otherwise_in_ansi(node: exp.Expr, kinds: ValueKinds) -> str:
    """What Hive has otherwise of a text of Spark in ANSI mode: texts beside numbers are numbers.

    Args:
        node: An expression.
        kinds: What is known of values.
    """
    if isinstance(node, exp.EQ | exp.NullSafeEQ):
        for text, beside in ((node.left, node.right), (node.right, node.left)):
            has_blanks = text.is_string and text.name.strip() != text.name
            if has_blanks and kinds.is_of(beside, Sort.WHOLE):
                return BLANKS
    if not isinstance(node, _CHOSEN) or isinstance(node.parent, exp.Case):
        return ""
    numbers = NUMBERS & sorts(*map(kinds.of, values_beside_text(node, kinds)))
    return "beside a number a text is a text to Hive, and a number" if numbers else ""


def _is_short(node: exp.Expr) -> bool:
    """Whether it is bytes of a text that is written out, and not long."""
    value = node.this if isinstance(node, exp.Cast) else node
    return value.is_string and len(value.name.encode()) <= _LINE


def _counts_otherwise(form: exp.Expr) -> bool:
    plain = _CODE.sub("", form.name) if form.is_string else ""
    return (
        "F" in plain
        or any(run != _THOUSANDTHS for run in _FRACTION.findall(plain))
        or (form.is_string and "%f" in form.name)
    )


def _is_no_day(node: exp.StrToUnix) -> bool:
    """Whether it is of a text that is written out as a day that no calendar has."""
    value, form = node.this, node.args.get("format")
    is_of_day = value.is_string and form is not None and form.name == _DAY_OF_FORMAT
    return is_of_day and not is_value(value, exp.DataType.build("DATE"))
