"""Texts that are put together, of values that become texts by that."""

from collections.abc import Sequence
from typing import Final

from sqlglot import exp

from discovery.lineage.meanings.as_texts import time_shown
from discovery.lineage.meanings.blanks import without_blanks
from discovery.lineage.meanings.elements import is_collected, put_together
from discovery.lineage.meanings.expressions import (
    any_is_null,
    has_other_digits,
    make_texts,
    other_texts,
    sorts,
)
from discovery.lineage.meanings.pair import DialectPair, Rules
from discovery.lineage.meanings.sorts import Sort, ValueKind
from discovery.model import HIVE, POSTGRESQL


def _joined(node: exp.DPipe | exp.Concat | exp.ConcatWs, pair: DialectPair) -> exp.Expr:
    """What is put together becomes text by itself."""
    _show_times(node, pair)
    kinds = [*map(pair.kinds.of, node.iter_expressions())]
    if isinstance(node, exp.DPipe) and Sort.LIST in sorts(*kinds):
        return put_together(node, pair)
    if pair.to_trino and isinstance(node, exp.ConcatWs) and is_collected(node.expressions[-1]):
        return exp.func("ARRAY_JOIN", *reversed(node.expressions))
    if isinstance(node, exp.ConcatWs) and Sort.LIST in sorts(*kinds) and pair.dialect != HIVE:
        return _of_array(node, pair)
    if _are_shown_otherwise(node, kinds, pair):
        return pair.lost(node)
    if _cuts_chars(node, pair):
        cut_chars(node, pair)
    if pair.dialect == POSTGRESQL and isinstance(node, exp.Concat):
        # beside an empty text, which comes where one is NULL, Spark makes numbers of both
        values = [*node.iter_expressions()]
        make_texts(value for value in values if not pair.kinds.is_of(value, Sort.TEXT))
    return node


def _show_times(node: exp.Expr, pair: DialectPair) -> None:
    for value in [*node.iter_expressions()]:
        if (shown := time_shown(value, pair)) is not None:
            value.replace(shown)


def _has_list(node: exp.Expr, pair: DialectPair) -> bool:
    """Whether a list is put together that may have NULLs: one of a group has none."""
    return any(
        pair.kinds.is_of(value, Sort.LIST)
        for value in node.iter_expressions()
        if not isinstance(value, exp.ArrayAgg | exp.ArrayUniqueAgg)
    )


def _are_shown_otherwise(
    node: exp.Expr, kinds: Sequence[ValueKind | None], pair: DialectPair
) -> bool:
    """Whether a value is another text in one of both: a NULL in a list is `null` to Hive."""
    if pair.dialect == HIVE and _has_list(node, pair):
        return True
    if other_texts(pair) & sorts(*kinds) or any(has_other_digits(kind, pair) for kind in kinds):
        return True
    is_function = pair.dialect == POSTGRESQL and not isinstance(node, exp.DPipe)
    return is_function and Sort.TRUTH in sorts(*kinds)  # `concat('a', true)` is `at`


def _of_array(node: exp.ConcatWs, pair: DialectPair) -> exp.Expr:
    """The texts of an array that is NULL: NULL to Trino (476), an empty text to Spark (4.3.0)."""
    if not pair.beside_trino:
        return node
    arrays = node.expressions[1:]
    if len(arrays) != 1 or not pair.of_trino:
        return pair.lost(node)
    return exp.Case().when(any_is_null(*arrays), exp.Null()).else_(node.copy())


def _cuts_chars(node: exp.Expr, pair: DialectPair) -> bool:
    """Whether a char loses the blanks at its end: in MySQL, Hive, and by PostgreSQL's `||`."""
    return pair.source.trims_chars and (pair.dialect != POSTGRESQL or isinstance(node, exp.DPipe))


def cut_chars(node: exp.Expr, pair: DialectPair) -> None:
    """Leave out the blanks at the end of what an expression takes."""
    for value in [*node.iter_expressions()]:
        if Sort.CHAR in sorts(pair.kinds.of(value)):
            value.replace(without_blanks(value, pair))


RULES: Final[Rules] = dict.fromkeys((exp.DPipe, exp.Concat, exp.ConcatWs), _joined)
