"""What functions of texts take that is none: `substr(day, 1, 7)`, `number LIKE '2%'`.

Hive (2.3.10), Spark (4.3.0) and MySQL (MariaDB 10.11) make texts of it; to Trino (476) that has to
be said.
"""

from typing import Final

from sqlglot import exp

from discovery.lineage.meanings.pair import DialectPair
from discovery.lineage.meanings.sorts import NUMBERS, TIMES, Sort
from discovery.lineage.meanings.written_out import number
from discovery.model import POSTGRESQL

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
_UP_TO_SECONDS: Final = 19  # letters of a time, which are the same to all
_NO_TEXTS: Final = (*NUMBERS, *TIMES, Sort.DATE, Sort.TRUTH)


def keep_texts(node: exp.Expr, pair: DialectPair) -> None:
    """Put a cast to a text around what a function of texts takes, in a draft for Trino."""
    if not pair.to_trino or pair.dialect == POSTGRESQL or not isinstance(node, _OF_TEXT):
        return
    if not pair.kinds.is_of(node.this, *_NO_TEXTS):
        return
    is_cut = pair.kinds.is_of(node.this, *TIMES) and _ends_by_seconds(node)
    seconds = exp.TimeToStr(this=node.this.copy(), format=exp.Literal.string(_TO_SECONDS))
    node.this.replace(seconds if is_cut else exp.cast(node.this.copy(), exp.DType.TEXT))


def _ends_by_seconds(node: exp.Expr) -> bool:
    """Whether it is the first letters of a text, in which there are no fractions of seconds."""
    if isinstance(node, exp.Left):
        length = number(node.expression)
        return length is not None and 0 <= length <= _UP_TO_SECONDS
    start, length = (number(node.args.get(name)) for name in ("start", "length"))
    if not isinstance(node, exp.Substring) or start is None or length is None:
        return False
    return start >= 0 <= length and start + length <= _UP_TO_SECONDS + 1
