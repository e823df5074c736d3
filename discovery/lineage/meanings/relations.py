"""What a query reads and groups by in a way that only some engines write, put as others do.

PostgreSQL calls functions in FROM, MySQL, Spark and Hive have `WITH ROLLUP` behind a GROUP BY,
Spark (4.3.0) `GROUP BY ALL`.
"""

from typing import Final

from sqlglot import exp

from discovery.lineage.meanings.pair import OtherMeaningError, written
from discovery.model import POSTGRESQL, TRINO

_WHOLE: Final = "ARRAY<INT>"


def read_plainly(node: exp.Expr, dialect: str, into: str) -> exp.Expr:
    """A relation, or a GROUP BY, as more engines write it; else the node itself.

    Args:
        node: Of a statement; it may be changed.
        dialect: That it was read in.
        into: That it is for.
    """
    if isinstance(node, exp.Exists):
        return _unlimited(node)
    if isinstance(node, exp.Join):
        return _crossed(node)
    if isinstance(node, exp.Group):
        return _grouped(node) if into == TRINO else node
    if dialect != POSTGRESQL:
        return node
    match node:
        case exp.Lateral(this=exp.Unnest() as unnest):  # it sees what stands before it anyway
            unnest.set("alias", node.args.get("alias"))
            return unnest
        case exp.Table(this=exp.ExplodingGenerateSeries() as series):
            return _series(series, node) or node
    return node


def _series(series: exp.ExplodingGenerateSeries, table: exp.Table) -> exp.Expr | None:
    """The rows of a series; None: they have no name.

    Raises:
        OtherMeaningError: Others may count down where PostgreSQL gives none.
    """
    start, end, step = (series.args.get(name) for name in ("start", "end", "step"))
    alias = table.args.get("alias")
    if start is None or end is None or alias is None or not alias.columns:
        return None
    both_whole = start.is_int and end.is_int
    if step is None and not (both_whole and int(start.name) <= int(end.name)):
        raise OtherMeaningError(f"{written(series, POSTGRESQL)} may count down elsewhere")
    array: exp.Expr = exp.GenerateSeries(start=start, end=end, step=step)
    if both_whole:  # Trino's is one of long numbers
        array = exp.cast(array, _WHOLE)
    unnest = exp.Unnest(expressions=[array], alias=alias)
    if not table.args.get("joins"):
        return unnest
    rows = exp.select("*").from_(unnest)  # an UNNEST before a join in brackets has no place for it
    named = exp.TableAlias(this=alias.this.copy())
    return exp.Subquery(this=rows, alias=named, joins=table.args["joins"])


def _unlimited(exists: exp.Exists) -> exp.Expr:
    """EXISTS without the `LIMIT 1` that MariaDB (10.11) writes into it.

    Spark (4.1.4) takes the first row of all, and not that of each row outside.
    """
    query = exists.this.unnest()
    limit = query.args.get("limit")
    if isinstance(limit, exp.Limit) and not query.args.get("offset"):
        rows = limit.expression
        if isinstance(rows, exp.Literal) and rows.is_int and int(rows.name) > 0:
            query.set("limit", None)
    return exists


def _crossed(join: exp.Join) -> exp.Expr:
    """A join in brackets without a condition, as MySQL writes `FROM a, b`: sqlglot has a comma."""
    conditions = ("on", "using", "kind", "side", "method")
    is_within = isinstance(join.parent, exp.Table | exp.Subquery)
    if is_within and not any(map(join.args.get, conditions)):
        join.set("kind", "CROSS")
    return join


def _by_places(group: exp.Group, select: exp.Select) -> exp.Expr:
    """`GROUP BY ALL` of Spark: by each value in which nothing is summed up."""
    alone = [
        place
        for place, value in enumerate(select.selects, 1)
        if value.find(exp.AggFunc, exp.Anonymous, exp.AnonymousAggFunc) is None
    ]
    called = any(value.find(exp.Anonymous) for value in select.selects)
    places: list[exp.Expr] = [*map(exp.Literal.number, alone)]
    return group if called else exp.Group(expressions=places or [exp.Tuple()])


def _grouped(group: exp.Group) -> exp.Expr:
    """`GROUP BY a, b WITH ROLLUP` as `GROUP BY ROLLUP (a, b)`, WITH CUBE alike; ALL by places."""
    select = group.parent
    if group.args.get("all") and isinstance(select, exp.Select) and not select.is_star:
        return _by_places(group, select)
    if group.args.get("grouping_sets"):  # `GROUP BY a, b GROUPING SETS ((a), ())`: by these alone
        group.set("expressions", [])
    for name in ("rollup", "cube"):
        for node in group.args.get(name) or ():
            if not node.expressions and group.expressions:
                node.set("expressions", group.expressions)
                group.set("expressions", [])
    return group
