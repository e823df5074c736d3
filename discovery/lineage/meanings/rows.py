"""Rows that are made of values, as `named_struct('a', x)`: in Trino (476) a cast names fields.

HiveServer2 2.3.10 calls the fields of `struct(a, b)` `col1` and `col2`, Spark 4.3.0 `a` and `b`.
"""

from typing import Final

from sqlglot import exp

from discovery.lineage.meanings.expressions import operand
from discovery.lineage.meanings.pair import DialectPair, Rules
from discovery.lineage.meanings.sorts import FINEST, SINGLE, Sort, ValueKind
from discovery.model import HIVE

_CALLED: Final = "row"
_WHOLE: Final = {3: "TINYINT", 5: "SMALLINT", 19: "BIGINT"}
"""Whole types by the digits of their largest number; all others are `INT`."""
_TYPES: Final = {
    Sort.DATE: "DATE",
    Sort.FLOAT: "DOUBLE",
    Sort.TEXT: "TEXT",
    Sort.TRUTH: "BOOLEAN",
    Sort.WALL_CLOCK: f"TIMESTAMP({FINEST})",
}


def _row(node: exp.Struct, pair: DialectPair) -> exp.Expr:
    """A row with the names of its fields, each with the type of its value."""
    if not pair.to_trino or not pair.source.hive_functions:
        return node
    fields = []
    for field in node.expressions:
        named = isinstance(field, exp.PropertyEQ) and isinstance(field.this, exp.Identifier)
        kind = pair.kinds.of(field.expression) if named else None
        of_value = None if kind is None else _type(kind)
        if of_value is None or (pair.dialect == HIVE and _may_have_no_name(field)):
            return pair.lost(node)
        fields.append(exp.ColumnDef(this=field.this.copy(), kind=of_value))
    values = [field.expression.copy() for field in node.expressions]
    to = exp.DataType(this=exp.DType.STRUCT, expressions=fields, nested=True)
    return exp.Cast(this=exp.Anonymous(this="ROW", expressions=values), to=to)


def _may_have_no_name(field: exp.PropertyEQ) -> bool:
    """Whether a name may be one that sqlglot has given: it gives a column its own."""
    value, name = field.expression, str(field.this.name).casefold()
    is_same = isinstance(value, exp.Column) and value.name.casefold() == name
    return is_same or name.startswith("col")


def _type(kind: ValueKind) -> exp.DataType | None:
    if kind.sort is Sort.WHOLE:
        return exp.DataType.build(_WHOLE.get(kind.digits, "INT"))
    if kind.sort is Sort.EXACT:
        return exp.DataType.build(f"DECIMAL({kind.digits}, {kind.scale})")
    if kind == SINGLE:
        return exp.DataType.build("FLOAT")
    return exp.DataType.build(_TYPES[kind.sort]) if kind.sort in _TYPES else None


def each_is(node: exp.Is) -> exp.Expr | None:
    """`(a, b) IS NULL` of PostgreSQL (18.4), field by field; None: it is of no row.

    It is true if each field is NULL, and IS NOT NULL if none is: elsewhere a row is never NULL.
    """
    row = node.this.unnest()
    is_called = isinstance(row, exp.Anonymous) and row.name.casefold() == _CALLED
    if not isinstance(node.expression, exp.Null) or not (is_called or isinstance(row, exp.Tuple)):
        return None
    each = [exp.Is(**{**node.args, "this": operand(field)}) for field in row.expressions]
    return exp.paren(exp.and_(*each))


RULES: Final[Rules] = {exp.Struct: _row}
