"""The kinds of what is taken out of a list, a map or a row: an element, a field, or all of them."""

from collections.abc import Callable, Sequence
from typing import Final

from sqlglot import exp

from discovery.lineage.meanings.sorts import INTEGER, LONG, Sort, ValueKind
from discovery.model import HIVE, SPARK

_CARDINALITY: Final = "cardinality"
_OF_A_LIST: Final = ["col"]
_OF_A_MAP: Final = ["key", "value"]


def of_element(node: exp.Bracket | exp.Explode, kind: ValueKind | None) -> ValueKind | None:
    """The kind of an element of a list, or of a value of a map; None: it is not known.

    Args:
        node: `a[1]`, `m['k']`, `element_at`, or `explode` outside of a LATERAL VIEW, which makes
            two columns of a map.
        kind: Of the list or the map.
    """
    if kind is None or any(isinstance(place, exp.Slice) for place in node.expressions):
        return kind
    several = isinstance(node, exp.Posexplode) or kind.sort is Sort.MAP
    if not kind.parts or (several and isinstance(node, exp.Explode)):
        return None
    return kind.parts[-1]


def of_field(kind: ValueKind | None, names: Sequence[str]) -> ValueKind | None:
    """The kind of a field of a row, or of one within it; None: it is not known."""
    for name in map(str.casefold, names):
        if kind is None or name not in kind.names:
            return None
        kind = kind.parts[kind.names.index(name)]
    return kind


def of_rows(
    source: exp.Lateral | exp.Unnest,
    column: str,
    dialect: str,
    kind_of: Callable[[exp.Expr | None], ValueKind | None],
) -> ValueKind | None:
    """The kind of a column that a LATERAL VIEW or an UNNEST makes; None: it is not known.

    Args:
        source: What makes it.
        column: Its name, casefolded.
        dialect: Of the statement. Without names, Spark and Hive give some of their own.
        kind_of: The kind of an expression.
    """
    names = [name.casefold() for name in source.alias_column_names]
    if isinstance(source, exp.Unnest):
        offset = source.args.get("offset")
        if isinstance(offset, exp.Identifier) and offset.name.casefold() == column:
            return LONG
        made = [part for value in source.expressions for part in _columns_of(kind_of(value))]
        return _named(column, names or [source.alias.casefold()], made)
    if not isinstance(source.this, exp.Explode | exp.Inline):
        return None
    kind = kind_of(source.this.this)
    if isinstance(source.this, exp.Inline):
        row = _row_of(kind)
        return _named(column, names or row.names, row.parts) if row is not None else None
    parts = kind.parts if kind is not None else ()
    if isinstance(source.this, exp.Posexplode):
        element = "val" if dialect == HIVE else "col"
        return _named(column, names or ["pos", element], [INTEGER, *parts])
    return _named(column, names or (_OF_A_LIST if len(parts) == 1 else _OF_A_MAP), parts)


def _columns_of(kind: ValueKind | None) -> tuple[ValueKind | None, ...]:
    """What UNNEST makes of a list or a map: of a list of rows, their fields."""
    made_of = _row_of(kind) or kind
    return made_of.parts if made_of is not None else ()


def _row_of(kind: ValueKind | None) -> ValueKind | None:
    """The kind of the elements of a list of rows."""
    elements = kind.parts if kind is not None and kind.sort is Sort.LIST else ()
    return next((it for it in elements if it is not None and it.sort is Sort.ROW), None)


def _named(
    column: str, names: Sequence[str], kinds: Sequence[ValueKind | None]
) -> ValueKind | None:
    """The kind by the name; None: there is none, or not as many are known."""
    if column not in names or len(names) != len(kinds):
        return None
    return kinds[names.index(column)]


def put_sizes(tree: exp.Expr, dialect: str) -> None:
    """Put `size(x)` for `cardinality(x)` of Spark (4.3.0), to which both are the same."""
    if dialect != SPARK:
        return
    for node in [*tree.find_all(exp.Anonymous)]:
        if node.name.casefold() == _CARDINALITY and len(node.expressions) == 1:
            node.replace(exp.ArraySize(this=node.expressions[0].copy()))
