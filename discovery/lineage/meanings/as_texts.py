"""What functions of texts take that is none: `substr(day, 1, 7)`, `number LIKE '2%'`.

Hive (2.3.10), Spark (4.3.0) and MySQL (MariaDB 10.11) make texts of it; to Trino (476) that has to
be said.
"""

from typing import Final

from sqlglot import exp

from discovery.lineage.meanings.expressions import text
from discovery.lineage.meanings.pair import DialectPair
from discovery.lineage.meanings.sorts import FINEST, NUMBERS, TIMES, Sort
from discovery.lineage.meanings.written_out import number
from discovery.model import MYSQL, POSTGRESQL

_OF_TEXT: Final = (
    exp.Ascii,
    exp.ILike,
    exp.Left,
    exp.Length,
    exp.Like,
    exp.Lower,
    exp.RegexpExtract,
    exp.RegexpLike,
    exp.RegexpReplace,
    exp.RegexpSplit,
    exp.Replace,
    exp.Reverse,
    exp.Right,
    exp.Split,
    exp.StrPosition,
    exp.Substring,
    exp.SubstringIndex,
    exp.Translate,
    exp.Trim,
    exp.Upper,
)
_TO_SECONDS: Final = "%Y-%m-%d %H:%M:%S"
_SECONDS_END: Final = len("2024-01-01 00:00:00") + 1
_SIGNS_OF_TIMES: Final = frozenset(" -:")
_ZEROS_BEHIND: Final = ((r"(\.[0-9]*?)0+$", "$1"), (r"\.$", ""))
"""Patterns of what is no digit of a time's text, and what stays of it."""
_NO_TEXTS: Final = (*NUMBERS, *TIMES, Sort.DATE, Sort.TRUTH)


def keep_texts(node: exp.Expr, pair: DialectPair) -> None:
    """Put a cast to a text around what a function of texts takes, in a draft for Trino."""
    if not pair.to_trino or pair.dialect == POSTGRESQL or not isinstance(node, _OF_TEXT):
        return
    if not pair.kinds.is_of(node.this, *_NO_TEXTS):
        return
    is_cut = pair.kinds.is_of(node.this, Sort.WALL_CLOCK) and takes_begin(node)
    seconds = exp.TimeToStr(this=node.this.copy(), format=text(_TO_SECONDS))
    node.this.replace(seconds if is_cut else exp.cast(node.this.copy(), exp.DType.TEXT))


def takes_begin(node: exp.Expr) -> bool:
    """Whether it looks at the begin of a text, where a time has its seconds at the most."""
    match node:
        case exp.Left(expression=length):
            letters = number(length)
            return letters is not None and 0 <= letters < _SECONDS_END
        case exp.Substring(args={"start": start, "length": length}):
            first, letters = number(start) or 0, number(length)
            return first > 0 and letters is not None and first + letters <= _SECONDS_END
        case exp.Like(expression=pattern):
            begin = pattern.name.removesuffix("%")
            return begin != pattern.name and "%" not in begin and len(begin) < _SECONDS_END
        case (
            exp.Split(parent=exp.Bracket() as part) | exp.RegexpSplit(parent=exp.Bracket() as part)
        ):
            is_first = [*map(number, part.expressions)] == [0]
            return is_first and node.expression.name in _SIGNS_OF_TIMES
    return False


def time_shown(value: exp.Expr, pair: DialectPair) -> exp.Expr | None:
    """The text of a time, in a draft for Trino (476), which shows all digits of its type.

    MySQL shows as many as a column has, others no zeros at the end. None: it is no time, or one
    that is shown with its zone.
    """
    kind = pair.kinds.of(value)
    if not pair.to_trino or kind is None or kind.sort not in TIMES:
        return None
    if pair.dialect == POSTGRESQL and kind.sort is Sort.INSTANT:
        return None
    digits = kind.digits if pair.dialect == MYSQL else FINEST
    clock, moment = exp.DataType.build(f"TIMESTAMP({digits})"), value.copy()
    if kind.sort is Sort.INSTANT:  # as it is in the zone of the session
        moment = exp.func("AT_TIMEZONE", moment, exp.func("CURRENT_TIMEZONE"))
    shown: exp.Expr = exp.cast(exp.Cast(this=moment, to=clock), exp.DType.TEXT)
    if pair.dialect == MYSQL:
        return shown
    for pattern, rest in _ZEROS_BEHIND:
        texts = (text(pattern), text(rest))
        shown = exp.Anonymous(this="REGEXP_REPLACE", expressions=[shown, *texts])
    return shown
