"""What a column in a statement may be of: the tables and queries that stand beside it, or around.

A tree says in which query a column stands; which others that one sees is a rule of SQL.
"""

from collections.abc import Callable, Iterable, Iterator

from sqlglot import exp


def _query_around(select: exp.Select) -> exp.Select | None:
    """The query whose columns one may use that stands in it; None: there is none.

    What a FROM or a WITH has in the place of a table sees nothing of what is around it, but for
    LATERAL.
    """
    node: exp.Expr = select
    while (parent := node.parent) is not None:
        if isinstance(parent, exp.Lateral):
            return parent.find_ancestor(exp.Select)
        if isinstance(parent, exp.CTE | exp.From):
            return None
        if isinstance(parent, exp.Join) and node.arg_key == "this":
            return None
        if isinstance(parent, exp.Select):
            return parent
        node = parent
    return None


def queries_seen(select: exp.Select | None) -> Iterator[exp.Select]:
    """A query and those around it, from the inside: what stands in it may use columns of all."""
    while select is not None:
        yield select
        select = _query_around(select)


def named_source(select: exp.Select, name: str) -> exp.Expr | None:
    """What a SELECT reads by a name; None: nothing."""
    sources = (it for it in sources_of(select) if it.alias_or_name.casefold() == name.casefold())
    return next(sources, None)


def sources_of(select: exp.Select) -> Iterator[exp.Expr]:
    """What a SELECT reads, by its FROM, its joins and lateral views."""
    first = select.args.get("from_")
    if first is not None:
        yield from _joined(first.this)
    for join in select.args.get("joins") or ():
        yield from _joined(join.this)
    yield from select.args.get("laterals") or ()


def _joined(source: exp.Expr) -> Iterator[exp.Expr]:
    """What a join in parentheses reads, as PostgreSQL and MariaDB write each; else the source."""
    inner = source.this if isinstance(source, exp.Subquery) and not source.alias else None
    if isinstance(inner, exp.Table | exp.Subquery):
        yield from _joined(inner)
    else:
        yield source
    for join in source.args.get("joins") or ():
        yield from _joined(join.this)


def query_of(source: exp.Expr) -> exp.Expr | None:
    """The query in the place of a table, by a WITH or in brackets; None: there is none."""
    if isinstance(source, exp.Table):
        return _named_query(source)
    return source.unnest() if isinstance(source, exp.Subquery) else None


def _named_query(table: exp.Table) -> exp.Expr | None:
    """The query of a WITH that a table's name is of; None: of none."""
    outer = None if table.db else table.parent
    while outer is not None:
        for expression in outer.args["with_"].expressions if outer.args.get("with_") else ():
            if (
                expression.alias.casefold() == table.name.casefold()
                and not expression.alias_column_names
            ):
                query: exp.Expr = expression.this
                return query
        outer = outer.parent
    return None


def lacks(
    select: exp.Select, name: str, listed: Callable[[exp.Expr], Iterable[str] | None]
) -> bool:
    """Whether nothing that a SELECT reads has a column of a name; of what is not known it may.

    Args:
        select: The SELECT.
        name: In small letters.
        listed: The columns of a table, in small letters; None: they are not known.
    """
    return not any(_may_have(source, name, listed) for source in sources_of(select))


def _may_have(
    source: exp.Expr, name: str, listed: Callable[[exp.Expr], Iterable[str] | None]
) -> bool:
    if source.alias_column_names:
        return _is_among(name, source.alias_column_names)
    columns = listed(source)
    if columns is not None:
        return name in columns
    query = query_of(source)
    while isinstance(query, exp.SetOperation):
        query = query.left.unnest()
    if not isinstance(query, exp.Select):
        return True
    named = (value.alias_or_name for value in query.selects if not value.is_star)
    return _is_among(name, named) or (query.is_star and not lacks(query, name, listed))


def _is_among(name: str, names: Iterable[str]) -> bool:
    return any(it.casefold() == name for it in names)
