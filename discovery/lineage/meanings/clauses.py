"""What a clause says that an engine has no such clause for, said otherwise.

Trino (476) takes no FILTER in a window, and no name of a table before a column of USING, which
PostgreSQL writes before each.
"""

from typing import Final

from sqlglot import exp

from discovery.lineage.meanings.pair import DialectPair, Rules
from discovery.model import POSTGRESQL

_SKIP_NULLS: Final = (exp.Sum, exp.Avg, exp.Min, exp.Max, exp.Count)


def _window(node: exp.Window, pair: DialectPair) -> exp.Expr:
    """An aggregate of the rows that a FILTER lets through is one of NULLs for the others."""
    filtered = node.this
    if not pair.to_trino or not isinstance(filtered, exp.Filter):
        return node
    aggregate, where = filtered.this, filtered.expression
    value = aggregate.this
    if not isinstance(aggregate, _SKIP_NULLS) or isinstance(value, exp.Distinct):
        return node
    counted = exp.Literal.number(1) if isinstance(value, exp.Star) else value.copy()
    only = exp.Case().when(where.this.copy(), counted)
    filtered.replace(type(aggregate)(**{**aggregate.args, "this": only}))
    return node


def join_by_columns(node: exp.Join, pair: DialectPair) -> exp.Expr:
    """A join by columns that are named with their tables alone is one by their being equal."""
    left, select = _left_of(node), node.find_ancestor(exp.Select)
    names = [name.name for name in node.args.get("using") or ()]
    if not pair.to_trino or not names or left is None or select is None:
        return node
    folded = {name.casefold() for name in names}
    alone = any(
        not column.table and column.name.casefold() in folded
        for column in select.find_all(exp.Column)
    )
    if alone or any(value.is_star for value in select.selects):
        return node
    tables = left, node.this.alias_or_name
    pairs = [[exp.column(name, table, quoted=True) for table in tables] for name in names]
    node.set("on", exp.and_(*(exp.EQ(this=first, expression=second) for first, second in pairs)))
    node.set("using", None)
    return node


def _left_of(join: exp.Join) -> str | None:
    """The name of the one table to the left of a join; None: there are more."""
    parent = join.parent
    if parent is None or parent.args.get("joins", [None])[0] is not join:
        return None
    first = parent.args["from_"].this if isinstance(parent, exp.Select) else parent
    if isinstance(first, exp.Subquery) and not first.alias:
        first = first.this
    nested = first is not parent and first.args.get("joins") and first.args["joins"][0] is not join
    return None if nested or not first.alias_or_name else first.alias_or_name


def _percentile(node: exp.PercentileCont, pair: DialectPair) -> exp.Expr:
    """An approximation to sqlglot, but for what `_within` writes for Spark."""
    return node if _is_exact(node.parent, pair) else pair.lost(node)


def _within(node: exp.WithinGroup, pair: DialectPair) -> exp.Expr:
    """Spark's PERCENTILE lies between two values as PostgreSQL's does."""
    if not _is_exact(node, pair):
        return node
    value = node.expression.expressions[0].this
    return exp.Anonymous(this="PERCENTILE", expressions=[value, node.this.this])


def _is_exact(node: exp.Expr | None, pair: DialectPair) -> bool:
    """Whether it is a percentile between values in ascending order, of PostgreSQL for Spark."""
    if pair.dialect != POSTGRESQL or not pair.target.hive_functions:
        return False
    if not isinstance(node, exp.WithinGroup) or not isinstance(node.this, exp.PercentileCont):
        return False
    orders = node.expression.expressions
    return len(orders) == 1 and not orders[0].args.get("desc")


def _limited(node: exp.Fetch, pair: DialectPair) -> exp.Expr:
    """WITH TIES and PERCENT, which Spark's LIMIT does not have: sqlglot leaves the words out."""
    options = node.args.get("limit_options")
    says_more = options is not None and (options.args["with_ties"] or options.args["percent"])
    return pair.lost(node) if says_more and pair.target.hive_functions else node


RULES: Final[Rules] = {
    exp.Fetch: _limited,
    exp.PercentileCont: _percentile,
    exp.WithinGroup: _within,
    exp.Window: _window,
}
