"""The columns of tables that go into each column of a query, by sqlglot's scopes.

What decides which rows there are (WHERE, ON, EXISTS) goes into none, in a subquery as outside.
"""

from collections.abc import Iterator
from typing import Final

from sqlglot import exp
from sqlglot.optimizer.scope import Scope, traverse_scope

from discovery.checks.subject import Origin

Columns = list[tuple[str, set[Origin]]]
"""What a scope returns: names, each with the columns of tables that go into it."""

ANY: Final = "*"
"""In the place of a column: all of them."""
_GENERATORS: Final = (
    exp.Explode,
    exp.ExplodingGenerateSeries,
    exp.Inline,
    exp.Posexplode,
    exp.Stack,
)
_OTHER_GENERATORS: Final = frozenset({"inline_outer", "json_tuple", "parse_url_tuple"})
"""Those that are no class of sqlglot's."""


def makes_several(tree: exp.Expr) -> bool:
    """Whether an item of a SELECT list may be several columns, whose number the text leaves open.

    Of Hive's and Spark's generators `explode` of a map is two, `inline` as many as a struct has
    fields; `row.*` of PostgreSQL and Trino likewise. An alias for one says that it is one.
    """
    return any(
        _is_several(item) for select in tree.find_all(exp.Select) for item in select.expressions
    )


def _is_several(item: exp.Expr) -> bool:
    if isinstance(item, exp.Anonymous):
        return item.name.casefold() in _OTHER_GENERATORS
    return isinstance(item, _GENERATORS) or (isinstance(item, exp.Dot) and item.is_star)


def columns_of(tree: exp.Query) -> Columns:
    """What a qualified query returns: scope by scope, the innermost first."""
    known: dict[int, Columns] = {}
    columns: Columns = []
    for scope in traverse_scope(tree):
        columns = known[id(scope)] = _returned(scope, known)
    return columns


def _returned(scope: Scope, known: dict[int, Columns]) -> Columns:
    if scope.set_operation_scopes:
        first, second = (known[id(branch)] for branch in scope.set_operation_scopes)
        if scope.expression.args.get("by_name"):
            return _join_by_name(first, second)
        return [
            (name, left | right) for (name, left), (_, right) in zip(first, second, strict=False)
        ]
    if isinstance(scope.expression, exp.Select):
        return [
            (name, _origins(item, scope, known))
            for item in scope.expression.selects
            for name in _names_of(item)
        ]
    inner = [*scope.subquery_scopes, *scope.derived_table_scopes]
    if isinstance(scope.expression, exp.Lateral | exp.Subquery) and len(inner) == 1:
        columns = known[id(inner[0])]
        names = scope.outer_columns or [name for name, _ in columns]
        return [(name, origins) for name, (_, origins) in zip(names, columns, strict=False)]
    return [(ANY, _origins(scope.expression, scope, known))]  # a table function


def _names_of(item: exp.Expr) -> list[str]:
    """Of an item of a SELECT list: several, where a generator has `AS (a, b)`."""
    if isinstance(item, exp.Aliases):
        return [name.name for name in item.expressions]
    return [item.alias_or_name]


def _join_by_name(first: Columns, second: Columns) -> Columns:
    joined = {name: set(origins) for name, origins in first}
    for name, origins in second:
        joined.setdefault(name, set()).update(origins)
    return list(joined.items())


def _origins(expression: exp.Expr, scope: Scope, known: dict[int, Columns]) -> set[Origin]:
    inner = {id(query.expression): known[id(query)] for query in scope.subquery_scopes}
    collected: set[Origin] = set()
    for node in expression.walk(prune=_is_apart):
        if isinstance(node, exp.Query):
            for _, origins in inner.get(id(node.unnest()), ()):
                collected |= origins
        elif isinstance(node, exp.Column | exp.Star):
            collected |= _origins_of(node, scope, known)
        elif isinstance(node, exp.Window) and node.alias:
            for window in _windows_called(node.alias, scope):
                collected |= _origins(window, scope, known)
    return collected


def _is_apart(node: exp.Expr) -> bool:
    """Whether what is below a node has a scope of its own; EXISTS of a lambda has none."""
    return isinstance(node, exp.Query) or (
        isinstance(node, exp.Exists) and isinstance(node.this, exp.Query)
    )


def _windows_called(name: str, scope: Scope) -> Iterator[exp.Expr]:
    """Those of a WINDOW clause that are called so, ignoring case."""
    for window in scope.expression.args.get("windows") or ():
        if window.name.casefold() == name.casefold():
            yield window


def _origins_of(
    node: exp.Column | exp.Star, scope: Scope, known: dict[int, Columns]
) -> set[Origin]:
    """What goes into a column, or into a star that a function is given, but into `count(*)`."""
    if isinstance(node, exp.Column):
        return _origins_in(_source(node.table, scope), node.name, scope, known)
    if isinstance(node.parent, exp.Column | exp.Count):
        return set()
    sources = (source for _, source in scope.selected_sources.values())
    return set().union(*(_origins_in(source, ANY, scope, known) for source in sources))


def _origins_in(
    source: exp.Table | Scope | None, name: str, scope: Scope, known: dict[int, Columns]
) -> set[Origin]:
    """What goes into a column of a source, or into `ANY` of it: `hash(*)`, `row_to_json(t.*)`."""
    if isinstance(source, exp.Table) and isinstance(source.this, exp.Identifier):
        return {(tuple(part.name for part in source.parts), name)}
    if isinstance(source, exp.Table):
        return _origins(source.this, scope, known)  # a function, such as JSON_TABLE
    columns = () if source is None else known.get(id(source), ())
    return set().union(
        *(origins for called, origins in columns if called == name or ANY in {called, name})
    )


def _source(name: str, scope: Scope | None) -> exp.Table | Scope | None:
    """What a name stands for where it is written: in the scope, or in those around it."""
    while scope is not None:
        source = scope.sources.get(name)
        is_seen = source is not scope.cte_sources.get(name) or name in scope.selected_sources
        if source is not None and is_seen:
            return source
        scope = scope.parent
    return None
