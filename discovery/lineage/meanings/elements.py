"""Elements: of arrays by their places, of maps by their keys, and rows that are made of them.

Spark and Hive count places from 0, Trino and PostgreSQL from 1, and keys of a map nobody counts.
sqlglot moves each number that is written out, a key, too, and no place that is a column. Trino
fails where the others give NULL. And sqlglot leaves out the OUTER of a LATERAL VIEW, and the LEFT
of a join with UNNEST. Trino 476 and Spark 4.1.4 were asked on 2026-11-26.
"""

from typing import Final

from sqlglot import exp

from discovery.lineage.meanings.clauses import join_by_columns
from discovery.lineage.meanings.expressions import any_is_null, sorts
from discovery.lineage.meanings.pair import DialectPair, Rules
from discovery.lineage.meanings.patterns import first_match
from discovery.lineage.meanings.sorts import Sort
from discovery.lineage.meanings.written_out import number
from discovery.model import HIVE, MYSQL, POSTGRESQL

_FROM_ONE: Final = 1
_ELEMENT: Final = "v"
_MATCH: Final = "regexp_match"
_OPERANDS: Final = 2


def _element(node: exp.Bracket, pair: DialectPair) -> exp.Expr:
    made = node.this.unnest()
    if pair.dialect == POSTGRESQL and made.name.casefold() == _MATCH:
        return _of_match(node, made, pair)
    if pair.dialect == HIVE and pair.share_functions:  # no such element is NULL, also in ANSI mode
        is_list = Sort.LIST in sorts(pair.kinds.of(node.this)) and len(node.expressions) == 1
        return exp.func("GET", node.this, node.expressions[0]) if is_list else node
    if pair.dialect == MYSQL or (pair.share_functions and pair.dialect != POSTGRESQL):
        return node
    key = _key(node, pair)
    called = "ELEMENT_AT" if pair.to_trino else "TRY_ELEMENT_AT"
    return exp.Anonymous(this=called, expressions=[node.this, key])


def _of_match(node: exp.Bracket, match: exp.Expr, pair: DialectPair) -> exp.Expr:
    """A group of the first match, or all of it: `(regexp_match(s, 'a(b)'))[1]`."""
    place = number(node.expressions[0])
    if place is None or len(match.expressions) != _OPERANDS:
        return pair.lost(node)
    value, pattern = match.expressions
    return first_match(node, value, pattern, pair, place + 1)


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


def put_together(node: exp.DPipe | exp.ArrayConcat, pair: DialectPair) -> exp.Expr:
    """Two arrays as one: to PostgreSQL (18.6) a NULL is an empty one, unless both are."""
    if pair.of_trino and pair.target.hive_functions:
        return _with_elements(node, pair)
    if pair.dialect != POSTGRESQL:
        return node
    arrays = [*node.iter_expressions()]
    alike = all(Sort.LIST in sorts(pair.kinds.of(array)) for array in arrays)
    if not alike or not any(isinstance(array, exp.Array) for array in arrays):
        return pair.lost(node)
    known = [
        array if isinstance(array, exp.Array) else exp.func("COALESCE", array, exp.Array())
        for array in arrays
    ]
    return exp.ArrayConcat(this=known[0], expressions=known[1:])


def _with_elements(node: exp.DPipe | exp.ArrayConcat, pair: DialectPair) -> exp.Expr:
    """`tags || 'z'` of Trino (476) is the array with an element more."""
    values = [*node.iter_expressions()]
    if not all(pair.kinds.of(value) for value in values):
        return pair.lost(node)
    are_lists = [pair.kinds.is_of(value, Sort.LIST) for value in values]
    if all(are_lists):
        return node
    known = [
        value.copy() if is_list else exp.Array(expressions=[value.copy()])
        for value, is_list in zip(values, are_lists, strict=True)
    ]
    return exp.ArrayConcat(this=known[0], expressions=known[1:])


def _size(node: exp.ArraySize, pair: DialectPair) -> exp.Expr:
    """Of NULL it is -1 to Hive, and to Spark out of ANSI mode; `array_length` of none is NULL."""
    if pair.dialect == HIVE:
        return exp.Coalesce(this=node.copy(), expressions=[_number(-1)])
    counted: exp.Expr = node
    if pair.dialect == POSTGRESQL and node.expression is not None:
        counted = exp.Nullif(this=exp.ArraySize(this=node.this.copy()), expression=_number(0))
    if pair.source.hive_functions or not pair.target.hive_functions:
        return counted
    return exp.Case().when(any_is_null(node.this), exp.Null()).else_(counted.copy())


def _contained(node: exp.ArrayContains, pair: DialectPair) -> exp.Expr:
    """Of no array, and where only a NULL may be it, it is false to Hive (2.3.10), else NULL."""
    return (
        exp.Coalesce(this=node.copy(), expressions=[exp.false()]) if pair.dialect == HIVE else node
    )


def _view(node: exp.Lateral, pair: DialectPair) -> exp.Expr:
    """LATERAL VIEW OUTER as a LEFT JOIN, where no view before it is one that is left out."""
    if not node.args.get("outer") or not pair.to_trino:
        return node
    select, alias = node.parent, node.args.get("alias")
    views = select.args.get("laterals") or [] if select else []
    plain = isinstance(node.this, exp.Explode) and not node.this.expressions
    first = not views or views[0] is node
    if not isinstance(select, exp.Select) or not plain or not first or not alias or len(views) > 1:
        return pair.lost(node)
    rows = exp.Unnest(expressions=[node.this.this.copy()], alias=alias.copy())
    node.pop()
    select.append("joins", exp.Join(this=rows, side="LEFT", on=exp.true()))
    return node


def _largest(node: exp.ArrayMax | exp.ArrayMin, pair: DialectPair) -> exp.Expr:
    """The largest element: of an array with a NULL that is NULL to Trino."""
    return type(node)(this=_without_nulls(node.this)) if pair.to_trino else node


def _sorted(node: exp.ArraySort, pair: DialectPair) -> exp.Expr:
    """Spark and Hive have NULLs first, Trino last; arrays of a group have none."""
    nulls_first = (
        isinstance(node.args.get("nulls_first"), exp.Boolean) and node.args["nulls_first"].this
    )
    if not pair.to_trino or not nulls_first or node.args.get("asc") or node.expression:
        return node
    if is_collected(node.this):
        return exp.ArraySort(this=node.this)
    null = exp.Is(this=exp.column(_ELEMENT), expression=exp.Null())
    nulls = exp.ArrayFilter(this=node.this.copy(), expression=_lambda(null))
    return exp.Anonymous(
        this="CONCAT", expressions=[nulls, exp.ArraySort(this=_without_nulls(node.this))]
    )


def _without_nulls(array: exp.Expr) -> exp.Expr:
    null = exp.Is(this=exp.column(_ELEMENT), expression=exp.Null())
    return exp.ArrayFilter(this=array.copy(), expression=_lambda(exp.not_(null)))


def _lambda(body: exp.Expr) -> exp.Lambda:
    return exp.Lambda(this=body, expressions=[exp.to_identifier(_ELEMENT)])


def _collected(node: exp.ArrayAgg | exp.ArrayUniqueAgg, pair: DialectPair) -> exp.Expr:
    """Spark's and Hive's arrays of a group have no NULLs, and are empty of none."""
    over = isinstance(node.parent, exp.Window | exp.Filter)
    if over or isinstance(node.this, exp.Order | exp.Distinct):
        return pair.lost(node)
    if pair.target.hive_functions and isinstance(node, exp.ArrayAgg):
        return _with_nulls(node)
    if not pair.to_trino:
        return pair.lost(node)
    value = node.this.copy()
    if isinstance(node, exp.ArrayUniqueAgg):
        value = exp.Distinct(expressions=[value])
    known = exp.Where(this=exp.not_(exp.Is(this=node.this.copy(), expression=exp.Null())))
    collected = exp.Filter(this=exp.ArrayAgg(this=value), expression=known)
    return exp.Coalesce(this=collected, expressions=[exp.Array(expressions=[])])


def _with_nulls(node: exp.ArrayAgg) -> exp.Expr:
    """An array of a group as Trino and PostgreSQL have it: with NULLs, and NULL of no rows."""
    field = exp.PropertyEQ(this=exp.to_identifier("v"), expression=node.this.copy())
    rows = exp.Anonymous(this="COLLECT_LIST", expressions=[exp.Struct(expressions=[field])])
    value = exp.Dot(this=exp.column(_ELEMENT), expression=exp.to_identifier("v"))
    values = exp.Transform(this=rows, expression=_lambda(value))
    return exp.Nullif(this=values, expression=exp.Array(expressions=[]))


def _array(node: exp.ArrayAgg | exp.ArrayUniqueAgg, pair: DialectPair) -> exp.Expr:
    """Spark's arrays of a group have no NULLs, and no order; Hive's sets that of the rows."""
    if pair.dialect == HIVE and isinstance(node.parent, exp.Bracket):
        return pair.lost(node)
    return node if pair.share_functions else _collected(node, pair)


def is_collected(node: exp.Expr) -> bool:
    """Whether it is an array of a group as `_collected` writes one, sorted or not."""
    array = node.this if isinstance(node, exp.ArraySort) else node
    return isinstance(array, exp.Coalesce) and isinstance(array.this, exp.Filter)


def _one_of(node: exp.Exists, pair: DialectPair) -> exp.Expr:
    """Whether an element of an array is so: Spark's function, not the predicate of a query."""
    if not pair.to_trino or not isinstance(node.expression, exp.Lambda):
        return node
    return exp.Anonymous(this="ANY_MATCH", expressions=[node.this, node.expression])


def _reduced(node: exp.Reduce, pair: DialectPair) -> exp.Expr:
    if pair.to_trino and not node.args.get("finish"):
        node.set("finish", _lambda(exp.column(_ELEMENT)))
    return node


def _numbered(node: exp.Posexplode, pair: DialectPair) -> exp.Expr:
    """Without a LATERAL VIEW sqlglot numbers rows from 1."""
    within = isinstance(node.parent, exp.Lateral)
    return node if within or not pair.to_trino else pair.lost(node)


def _join(node: exp.Join, pair: DialectPair) -> exp.Expr:
    rows = node.this
    if not isinstance(rows, exp.Unnest) or not pair.target.hive_functions:
        return join_by_columns(node, pair)
    within = isinstance(node.parent, exp.Table | exp.Subquery)  # a join in brackets
    if node.side or within or rows.args.get("offset"):
        node.set("this", _lateral(node, rows, pair))
    return node


def _lateral(join: exp.Join, rows: exp.Unnest, pair: DialectPair) -> exp.Expr:
    """The rows of an array as Spark has them beside each row of what stands before it.

    WITH ORDINALITY counts from 1; the POSEXPLODE that sqlglot makes of it counts from 0.
    """
    alias, offset, on = rows.args.get("alias"), rows.args.get("offset"), join.args.get("on")
    always = on is None or (isinstance(on.unnest(), exp.Boolean) and on.unnest().this)
    plain = len(rows.expressions) == 1 and alias is not None and len(alias.columns) == 1
    named = not offset or isinstance(offset, exp.Identifier)
    if join.side not in {"", "LEFT"} or not (always and named and plain and alias is not None):
        return pair.lost(join)
    array = rows.expressions[0].copy()
    made = exp.Anonymous(this="EXPLODE", expressions=[array])
    names = [name.copy() for name in alias.columns]
    if offset:
        place = exp.cast(exp.Add(this=exp.column("i"), expression=_number(1)), exp.DType.BIGINT)
        pairs = exp.Anonymous(this="STRUCT", expressions=[exp.column(_ELEMENT), place])
        each = [exp.to_identifier(_ELEMENT), exp.to_identifier("i")]
        numbered = exp.Transform(this=array, expression=exp.Lambda(this=pairs, expressions=each))
        made = exp.Anonymous(this="INLINE", expressions=[numbered])
        names.append(offset.copy())
    query = exp.Subquery(this=exp.Select(expressions=[made]))
    return exp.Lateral(this=query, alias=exp.TableAlias(this=alias.this.copy(), columns=names))


def _paired(node: exp.StrToMap, pair: DialectPair) -> exp.Expr:
    """A map of a text: of `a` and of nothing it has a key without a value, to Trino (476) not."""
    if not pair.to_trino:
        return node
    texts = [node.this, node.args.get("pair_delim"), node.args.get("key_value_delim")]
    if not all(text is not None and text.is_string for text in texts):
        return pair.lost(node)
    written, between, within = (str(text.name) for text in texts if text is not None)
    is_paired = all(entry.count(within) == 1 for entry in written.split(between))
    return node if is_paired else pair.lost(node)


def _unnested(node: exp.Unnest, pair: DialectPair) -> exp.Expr:
    """WITH ORDINALITY outside of a join has no like in Spark."""
    counted = node.args.get("offset") and pair.target.hive_functions
    return pair.lost(node) if counted and not isinstance(node.parent, exp.Join) else node


RULES: Final[Rules] = {
    exp.ArrayAgg: _array,
    exp.ArrayUniqueAgg: _array,
    exp.Bracket: _element,
    exp.ArrayConcat: put_together,
    exp.ArraySize: _size,
    exp.ArrayContains: _contained,
    exp.Lateral: _view,
    exp.Posexplode: _numbered,
    exp.Join: _join,
    exp.StrToMap: _paired,
    exp.Unnest: _unnested,
    exp.ArrayMax: _largest,
    exp.ArrayMin: _largest,
    exp.ArraySort: _sorted,
    exp.Exists: _one_of,
    exp.Reduce: _reduced,
}
