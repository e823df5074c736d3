"""What a `char`, or a `float`, is beside values of other types, in each engine that reads a text.

HiveServer2 2.3.10, Spark 4.1.4 and Trino 476 (by Coral) were asked over the same rows on
2026-11-27.
"""

from collections.abc import Iterator
from typing import Final

from sqlglot import exp

from discovery.lineage.meanings.expressions import paired_columns, sorts
from discovery.lineage.meanings.kinds import ValueKinds, branches
from discovery.lineage.meanings.sorts import SINGLE, Sort
from discovery.model import HIVE, SPARK

_BLANKS: Final = "blanks at the end of a char do not count to {home}, and do"
_DIGITS: Final = "a float beside a decimal has the digits that are shown to {home}, and more"
_DOUBLE: Final = "a float beside a decimal is a double to {home}, a float"
_PATTERNS: Final = (exp.Like, exp.RegexpLike)
_COMPARISONS: Final = (exp.Binary, exp.In, exp.Between)


def meaning_beside(node: exp.Expr, kinds: ValueKinds, home: str, other: str) -> str:
    """What is otherwise to another engine, with a place for the name of the text's; else empty.

    Args:
        node: An expression.
        kinds: What is known of values.
        home: Hive or Spark: the one that counts no blanks.
        other: Spark, Trino or Flink.
    """
    if _counts_blanks(node, kinds, other) > _counts_blanks(node, kinds, home):
        return _BLANKS
    if not is_beside_decimal(node, kinds):
        return ""
    is_compared = isinstance(node, exp.Predicate)
    return _DIGITS if home == HIVE else "" if is_compared else _DOUBLE


def _counts_blanks(node: exp.Expr, kinds: ValueKinds, name: str) -> bool:
    """Whether a char keeps its blanks there: to Hive never, to Spark not beside a literal."""
    if name == HIVE:
        return False
    if isinstance(node, exp.Length):
        return kinds.is_of(node.this, Sort.CHAR)
    for values in _taken_as_one(node):
        chars = [value for value in values if kinds.is_of(value, Sort.CHAR)]
        texts = [value for value in values if kinds.is_of(value, Sort.TEXT)]
        if chars and texts and not _ends_anyhow(node):
            fills_up = name == SPARK and isinstance(node, _COMPARISONS)
            written = all(text.is_string for text in texts) and not isinstance(node, _PATTERNS)
            return not (fills_up and written)
    return False


def _ends_anyhow(node: exp.Expr) -> bool:
    """Whether a pattern has nothing to do with blanks at the end, as `ab%`."""
    pattern = node.expression if isinstance(node, exp.Like) else None
    if pattern is None or not pattern.is_string:
        return False
    return pattern.name.endswith("%") and not {" ", "\\"} & {*pattern.name}


def _taken_as_one(node: exp.Expr) -> Iterator[list[exp.Expr]]:
    """Values of which one kind is made."""
    match node:
        case exp.Coalesce() | exp.Case() | exp.If():
            yield _chosen_from(node)
        case exp.Predicate():
            yield [*node.iter_expressions()]
        case exp.SetOperation(left=exp.Expr(), right=exp.Expr()):
            yield from map(list, paired_columns(node))


def _chosen_from(node: exp.Expr) -> list[exp.Expr]:
    """Values of which one is taken."""
    if isinstance(node, exp.Coalesce):
        return [node.this, *node.expressions]
    return branches(node) if isinstance(node, exp.Case | exp.If) else []


def beside_text(node: exp.Expr, kinds: ValueKinds) -> set[Sort]:
    """What becomes a text, as it is a branch or an element beside one; empty: there is no text.

    A number that is written out without a zero at its end is the same text to all.
    """
    values = node.expressions if isinstance(node, exp.Array) else _chosen_from(node)
    one_of = sorts(*(kinds.of(value) for value in values if not _is_plain_number(value)))
    return one_of - {Sort.TEXT} if Sort.TEXT in one_of else set()


def _is_plain_number(node: exp.Expr) -> bool:
    return isinstance(node, exp.Literal) and not node.is_string and not node.name.endswith("0")


def is_beside_decimal(node: exp.Expr, kinds: ValueKinds) -> bool:
    """Whether a float is compared, or calculated, with a decimal."""
    if not isinstance(node, _COMPARISONS):
        return False
    known = [*map(kinds.of, node.iter_expressions())]
    return SINGLE in known and any(kind is not None and kind.sort is Sort.EXACT for kind in known)
