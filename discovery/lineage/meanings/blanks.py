"""What is cut off the ends of texts: blanks alone, or all white space to Trino (476).

HiveServer2 2.3.10, Spark 4.3.0, PostgreSQL 18.4 and MariaDB 10.11 leave a tab, the end of a line or
U+3000 where they are; asked on 2026-11-30.
"""

from typing import Final

from sqlglot import exp

from discovery.lineage.meanings.expressions import text
from discovery.lineage.meanings.kinds import ValueKinds
from discovery.lineage.meanings.pair import DialectPair, Rules
from discovery.lineage.meanings.sorts import Sort
from discovery.lineage.meanings.written_out import number

_BLANK: Final = " "


def without_end(value: exp.Expr, pair: DialectPair) -> exp.Expr:
    """A text without the blanks at its end."""
    if pair.to_trino:
        return exp.Trim(this=value, expression=text(_BLANK), position="TRAILING")
    return exp.func("RTRIM", value)


def without_blanks(node: exp.Expr, pair: DialectPair) -> exp.Expr:
    """A char without the blanks at its end."""
    return without_end(exp.cast(node.copy(), exp.DType.TEXT), pair)


def without_all_blanks(value: exp.Expr) -> exp.Expr:
    """A text without the blanks at both of its ends, in Trino."""
    return exp.Trim(this=value, expression=text(_BLANK), position="BOTH")


def cuts_white_space(node: exp.Expr, kinds: ValueKinds) -> bool:
    """Whether a text, which may have other white space, is cut of that or of blanks, by engine."""
    if not isinstance(node, exp.Trim) or node.expression is not None:
        return False
    return not node.this.is_string and kinds.may_be(node.this, Sort.TEXT)


def _trimmed(node: exp.Trim, pair: DialectPair) -> exp.Expr:
    if not pair.to_trino or node.expression is not None:
        return node
    if pair.source.trims_chars and pair.kinds.is_of(node.this, Sort.CHAR):
        node.set("this", without_blanks(node.this, pair))
    position = node.args.get("position") or "BOTH"
    return exp.Trim(this=node.this, expression=text(_BLANK), position=position)


def _blanks(node: exp.Space, pair: DialectPair) -> exp.Expr:
    if not pair.to_trino:
        return node
    if (number(node.this) or -1) < 1:
        return pair.lost(node)
    return exp.func("RPAD", text(""), node.this, text(_BLANK))


RULES: Final[Rules] = {exp.Space: _blanks, exp.Trim: _trimmed}
