"""The kinds of what is taken out of a list or a map: one element of it, or a row for each."""

from collections.abc import Callable, Sequence
from typing import Final

from sqlglot import exp

from discovery.lineage.meanings.sorts import INTEGER, LONG, Sort, ValueKind
from discovery.model import HIVE

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
    if isinstance(node, exp.Explode) and (
        kind.sort is Sort.MAP or isinstance(node, exp.Posexplode)
    ):
        return None
    return kind.parts[-1] if kind.parts else None


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
        parts = _parts_of(source.expressions, kind_of)
        return _named(column, names or [source.alias.casefold()], parts)
    if not isinstance(source.this, exp.Explode):
        return None
    parts = _parts_of([source.this.this], kind_of)
    if isinstance(source.this, exp.Posexplode):
        element = "val" if dialect == HIVE else "col"
        return _named(column, names or ["pos", element], [INTEGER, *parts])
    return _named(column, names or (_OF_A_LIST if len(parts) == 1 else _OF_A_MAP), parts)


def _parts_of(
    nodes: Sequence[exp.Expr], kind_of: Callable[[exp.Expr | None], ValueKind | None]
) -> list[ValueKind | None]:
    """The kinds of elements, or of keys and values, of all side by side; none of an unknown."""
    return [part for kind in map(kind_of, nodes) if kind is not None for part in kind.parts]


def _named(
    column: str, names: Sequence[str], kinds: Sequence[ValueKind | None]
) -> ValueKind | None:
    """The kind by the name; a list of rows, for one, becomes more columns than are known."""
    if column not in names or len(names) != len(kinds):
        return None
    return kinds[names.index(column)]
