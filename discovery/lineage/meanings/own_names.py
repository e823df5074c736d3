"""Names that a SELECT gives to its values, where it uses them itself.

Spark (4.3.0) takes such a name in GROUP BY, in HAVING and in the values behind it, unless what it
reads has a column of that name; Hive (2.3.10) and MySQL in HAVING. Trino (476) takes none but in
ORDER BY.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from sqlglot import exp

from discovery.lineage.meanings.pair import DialectPair, OtherMeaningError
from discovery.lineage.meanings.visible import lacks
from discovery.model import MYSQL, SPARK

_CLAUSES: Final = ("group", "having", "qualify")
_GROUPS: Final = (exp.Group, exp.Rollup, exp.Cube)
_ONCE: Final = (exp.Rand, exp.Randn, exp.Uuid)
"""What is another value each time that it is asked."""
_MOST: Final = 10_000  # expressions that a statement may grow by


class _NamedValue(NamedTuple):
    """A value that has a name.

    Attributes:
        value: Without the name.
        place: Of the value, counted from 1.
    """

    value: exp.Expr
    place: int

    def inside(self) -> exp.Expr:
        """What stands for the name within another expression."""
        return exp.paren(self.value.copy())

    def in_group(self) -> exp.Expr:
        """What stands for it in GROUP BY, where a number is a place."""
        is_number = isinstance(self.value, exp.Literal) and not self.value.is_string
        return exp.Literal.number(self.place) if is_number else self.value.copy()


def put_own_names(tree: exp.Expr, pair: DialectPair) -> None:
    """Put values in the places of their names in a draft for Trino.

    Args:
        tree: The statement; it is changed.
        pair: Its dialect, and the draft's.

    Raises:
        OtherMeaningError: A value would be calculated twice that is another one each time, or the
            statement would be too long.
    """
    if not pair.to_trino:
        return
    left = _MOST
    for select in [*tree.find_all(exp.Select)]:
        values: dict[str, _NamedValue] = {}
        for place, value in enumerate(select.selects, 1):
            left = _put(value, values, pair, left)
            if isinstance(value, exp.Alias):
                values.setdefault(value.alias.casefold(), _NamedValue(value.this, place))
        for clause in filter(None, map(select.args.get, _CLAUSES)):
            left = _put(clause, values, pair, left)


def _put(node: exp.Expr, values: Mapping[str, _NamedValue], pair: DialectPair, left: int) -> int:
    """Put values in; says by how much the statement may still grow."""
    for column in [*node.find_all(exp.Column)] if values else ():
        named = None if column.table else values.get(column.name.casefold())
        if named is None or not _is_own(column, node, pair):
            continue
        if named.value.find(*_ONCE):
            pair.lost(column)
        left -= sum(1 for _ in named.value.walk())
        if left < 0:
            raise OtherMeaningError("its names stand for too long a text")
        is_grouped = isinstance(column.parent, _GROUPS)
        put = named.in_group() if is_grouped else named.inside()
        column.replace(exp.alias_(put, column.this.copy()) if column is node else put)
    return left


def _is_own(column: exp.Column, node: exp.Expr, pair: DialectPair) -> bool:
    """Whether a name in a clause, or in a value, is that of a value.

    MySQL keeps a view's columns with their tables, so that a name alone in HAVING is none of one.
    """
    select = node.find_ancestor(exp.Select)
    if select is None or column.find_ancestor(exp.Select) is not select:
        return False
    if isinstance(node, exp.Having) and pair.dialect == MYSQL:
        return True
    if node.arg_key == "expressions" and pair.dialect != SPARK:
        return False
    return lacks(select, column.name.casefold(), pair.kinds.listed)
