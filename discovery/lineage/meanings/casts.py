"""Casts: to whole numbers, which round or cut, and to texts, which an engine writes its way."""

from typing import Final

from sqlglot import exp

from discovery.lineage.meanings.expressions import (
    WRITTEN_OTHERWISE,
    sorts,
    text,
    to_even,
    truncated,
)
from discovery.lineage.meanings.kinds import Sort, ValueKind
from discovery.lineage.meanings.pair import DialectPair, Rules
from discovery.model import HIVE, MYSQL, POSTGRESQL

_BYTES: Final = (exp.DType.BINARY, exp.DType.VARBINARY)
_WHOLE_PART: Final = r"^([+-]?[0-9]+)([.][0-9]*)?$"
_TEXTS: Final = (exp.DType.TEXT, exp.DType.VARCHAR, exp.DType.CHAR)


def _cast(node: exp.Cast, pair: DialectPair) -> exp.Expr:
    kind = pair.kinds.of(node.this)
    if pair.dialect == HIVE and Sort.TEXT in sorts(kind):
        node = _of_hives_text(node, pair)
    if node.to.is_type(*exp.DataType.INTEGER_TYPES):
        return _whole(node, kind, pair)
    if node.to.is_type(exp.DType.BOOLEAN) and pair.beside_trino:
        return node if kind is not None and kind.sort is not Sort.TEXT else _as_truth(node, pair)
    if node.to.is_type(*_BYTES) and pair.dialect == POSTGRESQL:
        return pair.lost(node)  # it reads a text as escaped bytes
    if node.to.is_type(*_TEXTS):
        return _as_text(node, kind, pair)
    return node


def _of_hives_text(node: exp.Cast, pair: DialectPair) -> exp.Cast:
    """A cast of a text in Hive (2.3.10): NULL where it is none, `12.7` is 12, and each text true.

    Spark's casts fail in ANSI mode.
    """
    value = node.this
    if node.to.is_type(exp.DType.BOOLEAN):
        pair.lost(node)
    if node.to.is_type(*exp.DataType.INTEGER_TYPES):
        group = exp.Literal.number(1)
        value = exp.RegexpExtract(this=value, expression=text(_WHOLE_PART), group=group)
    return exp.TryCast(**{**node.args, "this": value, "safe": True})


def _as_truth(node: exp.Cast, pair: DialectPair) -> exp.Expr:
    """A cast of a text: `yes` is true to Spark and PostgreSQL, and none of Trino's words."""
    same = isinstance(node.this, exp.Null) or node.this.name.casefold() in {"true", "false"}
    return node if same else pair.lost(node)


def _whole(node: exp.Cast, kind: ValueKind | None, pair: DialectPair) -> exp.Expr:
    """A cast to a whole number."""
    cuts, cuts_there = pair.source.hive_functions, pair.target.hive_functions
    if isinstance(node.this, exp.Null):
        return node
    if kind is None:
        same = cuts == cuts_there and not pair.source.halves_to_even
        return node if same else pair.unknown(node)
    if kind.sort not in {Sort.EXACT, Sort.FLOAT}:
        return node
    value = node.this
    if pair.source.halves_to_even and kind.sort is Sort.FLOAT:
        value = to_even(value, in_trino=pair.to_trino)
    elif cuts and not cuts_there:
        value = truncated(value)
    elif cuts_there and not cuts:
        value = exp.Round(this=value)
    return type(node)(**{**node.args, "this": value})


def _as_text(node: exp.Cast, kind: ValueKind | None, pair: DialectPair) -> exp.Expr:
    """A cast to text: of numbers as engines write them, and of texts that it cuts."""
    if WRITTEN_OTHERWISE & sorts(kind) and pair.beside_trino:
        return pair.lost(node)
    if pair.dialect == HIVE and kind is not None and kind.scale:
        return pair.lost(node)  # without the zeros at its end (2.3.10)
    if pair.dialect == HIVE and Sort.TRUTH in sorts(kind):
        return pair.lost(node) if pair.share_functions else exp.Upper(this=node.copy())
    if pair.dialect == POSTGRESQL and Sort.CHAR in sorts(kind):
        return exp.func("RTRIM", node.copy())  # which no other engine does by itself
    size = next((expression.name for expression in node.to.expressions), "")
    if not size.isdecimal() or isinstance(node.this, exp.Null):
        return node
    if node.this.is_string:
        fits = len(node.this.name) <= int(size)
        return node if fits and not node.to.is_type(exp.DType.CHAR) else _cut(node, size, pair)
    if node.to.is_type(exp.DType.CHAR) and pair.dialect != MYSQL:
        return pair.lost(node)  # who fills it up with blanks, and when, differs
    return node if pair.source.hive_functions else _cut(node, size, pair)


def _cut(node: exp.Cast, size: str, pair: DialectPair) -> exp.Expr:
    """A text that a cast cuts, where Spark's casts cut none."""
    if not pair.target.hive_functions and not node.to.is_type(exp.DType.CHAR):
        return node
    whole = exp.cast(node.this, exp.DType.TEXT)
    one, many = exp.Literal.number(1), exp.Literal.number(int(size))
    return exp.Substring(this=whole, start=one, length=many)


RULES: Final[Rules] = {
    exp.Cast: _cast,
    exp.TryCast: _cast,
}
