"""What compares texts, or puts them into an order, as their collation has it in a database."""

from collections.abc import Iterator
from typing import Final

from sqlglot import exp

from discovery.lineage.meanings.expressions import sorts
from discovery.lineage.meanings.pair import DialectPair
from discovery.lineage.meanings.sorts import Sort
from discovery.lineage.meanings.spark_reads import is_order_seen
from discovery.model import MYSQL, POSTGRESQL

_TEXTS: Final = frozenset({Sort.TEXT, Sort.CHAR})
_INEQUALITIES: Final = (exp.LT, exp.LTE, exp.GT, exp.GTE, exp.Between)
COMPARED: Final = (*_INEQUALITIES, exp.EQ, exp.NEQ, exp.In, exp.Nullif, exp.NullSafeEQ)
_PATTERNS: Final = (exp.Like, exp.RegexpLike)
ORDERS: Final = (exp.Max, exp.Min, exp.Ordered, exp.Greatest, exp.Least)
_SETS: Final = (exp.Group, exp.Distinct)


def by_collation(node: exp.Expr, pair: DialectPair) -> bool:
    """MariaDB 10.11: `'a' = 'A'`, `'a' = 'a '` and `'e' = 'é'` are true by `utf8mb4_general_ci`."""
    if pair.dialect != MYSQL:
        return False
    if isinstance(node, exp.SetOperation):
        first = node.left.unnest()
        values = first.selects if isinstance(first, exp.Select) else ()
        is_set = bool(node.args.get("distinct"))
        return is_set and any(_TEXTS & sorts(pair.kinds.of(value)) for value in values)
    if isinstance(node, (*ORDERS, *_SETS)):
        return any(_TEXTS & sorts(pair.kinds.of(value)) for value in compared(node))
    simple_case = isinstance(node, exp.Case) and node.this is not None
    if not simple_case and not isinstance(node, (*COMPARED, *_PATTERNS)):
        return False
    return _are_texts(node, pair)


def _are_texts(node: exp.Expr, pair: DialectPair) -> bool:
    """Whether texts are compared: one beside a date or a number becomes such."""
    all_sorts = sorts(*map(pair.kinds.of, compared(node)))
    return bool(all_sorts) and all_sorts <= _TEXTS


def by_locale(node: exp.Expr, pair: DialectPair) -> bool:
    """PostgreSQL 18.4: `'a' < 'B'` is true by `en_US.UTF-8`, but equal texts are the same.

    Where rows only come in an order, nothing else is by it.
    """
    if pair.dialect != POSTGRESQL or not isinstance(node, (*_INEQUALITIES, *ORDERS)):
        return False
    is_seen = not isinstance(node, exp.Ordered) or is_order_seen(node)
    return is_seen and _are_texts(node, pair)


def compared(node: exp.Expr) -> Iterator[exp.Expr]:
    """The values that an expression compares."""
    if isinstance(node, exp.Case):
        yield node.this
        return
    for value in node.iter_expressions():
        yield value.this if isinstance(value, exp.Ordered) else value
