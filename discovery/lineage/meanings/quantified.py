"""Comparisons with ANY or ALL of a list, an array or a query, as more engines write them."""

from collections.abc import Sequence
from typing import Final

from sqlglot import exp

_TEXTS: Final = (exp.DType.TEXT, exp.DType.VARCHAR)


def listed(node: exp.Binary) -> exp.Expr:
    """A comparison with each element of an array that is written out, as a list of them."""
    every, members = _members(node.expression)
    negated = isinstance(node, exp.NEQ) or bool(node.args.get("negate"))
    if isinstance(node, exp.Like | exp.ILike) and not members:
        return _patterns(node, negated=negated)
    if not members:
        return _in_array(node)
    if every is not negated:  # `= ALL`, `<> ANY`: nobody writes them
        return node
    if isinstance(node, exp.EQ | exp.NEQ):
        condition: exp.Expr = exp.In(this=node.this, expressions=members)
    else:
        likes = [type(node)(this=node.this.copy(), expression=member) for member in members]
        condition = exp.paren(exp.or_(*likes), copy=False)
    return exp.not_(condition, copy=False) if negated else condition


def _patterns(node: exp.Like | exp.ILike, *, negated: bool) -> exp.Expr:
    """`s LIKE ANY ('a%', 'b%')`, as Spark (4.3.0) has it, with each pattern by itself."""
    quantifier = node.expression
    if not isinstance(quantifier, exp.Any | exp.All):
        return node
    operand = quantifier.this
    patterns = operand.expressions if isinstance(operand, exp.Tuple) else [operand.unnest()]
    each: list[exp.Expr] = [
        type(node)(this=node.this.copy(), expression=pattern) for pattern in patterns
    ]
    if negated:
        each = [exp.not_(like, copy=False) for like in each]
    connect = exp.and_ if isinstance(quantifier, exp.All) else exp.or_
    return exp.paren(connect(*each), copy=False)


def _in_array(node: exp.Binary) -> exp.Expr:
    """`x = ANY (tags)`, of an array that is no list of elements and no query."""
    if not isinstance(node, exp.EQ) or not isinstance(node.expression, exp.Any):
        return node
    array = node.expression.this.unnest()
    if isinstance(array, exp.Query):
        return exp.In(this=node.this, query=exp.Subquery(this=array))
    if isinstance(array, exp.Array):
        return node
    return exp.ArrayContains(this=array, expression=node.this)


def _members(node: exp.Expr) -> tuple[bool, Sequence[exp.Expr]]:
    """Whether a quantifier is ALL, and the elements of its array; none: it has another operand."""
    match node:
        case exp.Any(this=operand) | exp.All(this=operand):
            every = isinstance(node, exp.All)
        case exp.Anonymous(this=str(name), expressions=[operand]) if name.casefold() == "all":
            every = True
        case _:
            return False, ()
    kind = None
    operand = operand.unnest()
    if isinstance(operand, exp.Cast) and operand.to.is_type(exp.DType.ARRAY):
        kind, operand = operand.to.expressions[0], operand.this.unnest()
    if not isinstance(operand, exp.Array):
        return every, ()
    if kind is None:
        return every, operand.expressions
    return every, [
        exp.cast(plain_text(expression), kind.copy()) for expression in operand.expressions
    ]


def plain_text(node: exp.Expr) -> exp.Expr:
    """A literal without a cast that changes nothing of it."""
    inner = node.unnest()
    if isinstance(inner, exp.Cast) and inner.this.is_string and not inner.to.expressions:
        return inner.this if inner.to.is_type(*_TEXTS) else node
    return node
