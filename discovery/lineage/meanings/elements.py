"""Elements: of arrays by their places, of maps by their keys, and rows that are made of them.

Spark and Hive count places from 0, Trino and PostgreSQL from 1, and keys of a map nobody counts.
sqlglot moves each number that is written out, a key, too, and no place that is a column. Trino
fails where the others give NULL. And sqlglot leaves out the OUTER of a LATERAL VIEW, and the LEFT
of a join with UNNEST. Trino 476 and Spark 4.1.4 were asked on 2026-11-26.
"""

from typing import Final

from sqlglot import exp

from discovery.lineage.meanings.clauses import join_by_columns
from discovery.lineage.meanings.expressions import any_is_null, number, sorts
from discovery.lineage.meanings.pair import DialectPair, Rules
from discovery.lineage.meanings.sorts import Sort
from discovery.model import HIVE, MYSQL, POSTGRESQL, SPARK

_FROM_ONE: Final = 1


def _element(node: exp.Bracket, pair: DialectPair) -> exp.Expr:
    if pair.dialect == HIVE and pair.share_functions:  # no such element is NULL, also in ANSI mode
        is_list = Sort.LIST in sorts(pair.kinds.of(node.this)) and len(node.expressions) == 1
        return exp.func("GET", node.this, node.expressions[0]) if is_list else node
    if pair.dialect == MYSQL or (pair.share_functions and pair.dialect != POSTGRESQL):
        return node
    key = _key(node, pair)
    called = "ELEMENT_AT" if pair.to_trino else "TRY_ELEMENT_AT"
    return exp.Anonymous(this=called, expressions=[node.this, key])


def _key(node: exp.Bracket, pair: DialectPair) -> exp.Expr:
    """A key, or a place that is counted from 1."""
    if len(node.expressions) != 1:
        return pair.lost(node)
    key: exp.Expr = node.expressions[0]
    written, kind = number(key), pair.kinds.of(node.this)
    if node.args.get("offset") == _FROM_ONE or key.is_string:
        return key
    if not pair.source.hive_functions:  # sqlglot has taken 1 from what is written out
        if written is None:
            of_column = pair.of_trino and isinstance(key, exp.Column)
            return key if of_column else pair.lost(node)
        if pair.dialect == POSTGRESQL and written < 0:  # before the first, or of bounds of its own
            return pair.lost(node)
        return _number(written + 1)
    if kind is None:
        return pair.unknown(node)
    if kind.sort is Sort.MAP:
        return key
    return pair.lost(node) if written is None or written < 0 else _number(written + 1)


def _number(value: int) -> exp.Expr:
    return exp.Literal.number(value)


def _size(node: exp.ArraySize, pair: DialectPair) -> exp.Expr:
    """Of NULL it is -1 to Hive, and to Spark out of ANSI mode; `array_length` of none is NULL."""
    if pair.dialect == HIVE:
        return exp.Coalesce(this=node.copy(), expressions=[_number(-1)])
    if pair.dialect == SPARK and pair.to_trino:
        return pair.lost(node)
    counted: exp.Expr = node
    if pair.dialect == POSTGRESQL and node.expression is not None:
        counted = exp.Nullif(this=exp.ArraySize(this=node.this.copy()), expression=_number(0))
    if pair.source.hive_functions or not pair.target.hive_functions:
        return counted
    return exp.Case().when(any_is_null(node.this), exp.Null()).else_(counted.copy())


def _contained(node: exp.ArrayContains, pair: DialectPair) -> exp.Expr:
    """Of no array it is false to Hive (2.3.10), and NULL elsewhere."""
    return pair.lost(node) if pair.dialect == HIVE else node


def _view(node: exp.Lateral, pair: DialectPair) -> exp.Expr:
    return pair.lost(node) if node.args.get("outer") and pair.to_trino else node


def _numbered(node: exp.Posexplode, pair: DialectPair) -> exp.Expr:
    """Without a LATERAL VIEW sqlglot numbers rows from 1."""
    within = isinstance(node.parent, exp.Lateral)
    return node if within or not pair.to_trino else pair.lost(node)


def _join(node: exp.Join, pair: DialectPair) -> exp.Expr:
    outer = node.side and isinstance(node.this, exp.Unnest)
    if outer and pair.target.hive_functions:
        return pair.lost(node)
    return join_by_columns(node, pair)


def _unnested(node: exp.Unnest, pair: DialectPair) -> exp.Expr:
    """WITH ORDINALITY counts from 1, the POSEXPLODE that sqlglot makes of it from 0."""
    counted = node.args.get("offset") and pair.target.hive_functions
    return pair.lost(node) if counted else node


RULES: Final[Rules] = {
    exp.Bracket: _element,
    exp.ArraySize: _size,
    exp.ArrayContains: _contained,
    exp.Lateral: _view,
    exp.Posexplode: _numbered,
    exp.Join: _join,
    exp.Unnest: _unnested,
}
