"""Expressions that several rules of meaning write or read."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from sqlglot import exp

from discovery.lineage.meanings.kinds import ValueKinds
from discovery.lineage.meanings.pair import DialectPair
from discovery.lineage.meanings.sorts import TIMES, Sort, ValueKind
from discovery.lineage.meanings.written_out import number
from discovery.model import HIVE, MYSQL

MODULUS: Final = "pmod"
_OF_SEVERAL: Final = re.compile("SS|FF|FI|FL|ST")
_OF_ANOTHER: Final = re.compile("i")
_PART_OF_SEVERAL: Final = re.compile("[AFHIJLNSTWY]")
_COUNTS_LETTERS: Final = frozenset("_\\")
_ZONE: Final = re.compile(r"UTC|[A-Z][A-Za-z]+(/[A-Za-z_+0-9-]+)+")
_MONTHS: Final = frozenset({"month", "quarter", "year"})


def operand(node: exp.Expr) -> exp.Expr:
    """A copy that stands beside an operator."""
    return exp.paren(node.copy()) if isinstance(node, exp.Binary) else node.copy()


def is_zone(node: exp.Expr) -> bool:
    """Whether it is the name of a time zone, by its place: what `CET` is depends on the engine."""
    return node.is_string and bool(_ZONE.fullmatch(node.name))


def parent_beyond(node: exp.Expr, *kinds: type[exp.Expr]) -> exp.Expr | None:
    """The nearest thing around an expression that is none of some kinds; None: there is none."""
    above = node.parent
    while isinstance(above, kinds):
        above = above.parent
    return above


def is_membership_seen(node: exp.In) -> bool:
    """Whether it is of a query and is told from false where it is NULL: Spark has false instead.

    It is so as a value (also under NOT, which is false, too). Where rows or a branch of a CASE are
    chosen by it, Spark 4.3.0 gives what Trino 476 does; both were asked on 2026-11-28.
    """
    if node.args.get("query") is None:
        return False
    return not is_chosen_by(node, exp.And, exp.Or, exp.Not, exp.Paren)


def is_row_seen(node: exp.In) -> bool:
    """Whether rows are sought among others and a NULL in one is told from false.

    `(3, NULL) IN ((7, 2))` is NULL to Trino (476), false to PostgreSQL, MariaDB and Spark, as 3 is
    not 7; also under NOT, where the others keep the row.
    """
    is_row = isinstance(node.this.unnest(), exp.Tuple)
    return is_row and not is_chosen_by(node, exp.And, exp.Or, exp.Paren)


def is_chosen_by(node: exp.Expr, *within: type[exp.Expr]) -> bool:
    """Whether rows, or a branch of a CASE, are chosen by what has a condition in it.

    Args:
        node: The condition.
        within: What may stand around it: where NULL is as good as false.
    """
    part = node
    while isinstance(part.parent, within):
        part = part.parent
    above = part.parent
    is_branch = isinstance(above, exp.If) and above.this is part
    return is_branch or isinstance(above, exp.Where | exp.Having | exp.Join)


def decimal_type(digits: int, scale: int) -> exp.DataType:
    """The type of exact numbers with so many digits, some of them behind the point."""
    return exp.DataType.build(f"DECIMAL({digits}, {scale})")


def decimal(node: exp.Expr, digits: int, scale: int) -> exp.Expr:
    """A cast; `exp.cast` leaves out one beside a cast to any other size."""
    return exp.Cast(this=node.copy(), to=decimal_type(digits, scale))


def truncated(value: exp.Expr) -> exp.Expr:
    """A number without what is behind its point, in Trino."""
    return exp.Anonymous(this="TRUNCATE", expressions=[value.copy()])


def text(value: str) -> exp.Literal:
    """A text that is written out."""
    return exp.Literal.string(value)


def make_texts(values: Iterable[exp.Expr]) -> None:
    """Put casts to text in the place of some values."""
    for value in [*values]:
        value.replace(exp.cast(value.copy(), exp.DType.TEXT))


def is_empty(node: exp.Expr) -> bool:
    """Whether it is an empty text that is written out, with its type or without."""
    if isinstance(node, exp.Cast | exp.Paren):
        return is_empty(node.this)
    return node.is_string and not node.name


def is_called_with_both(node: exp.Trim) -> bool:
    """Whether it is `ltrim(s, 'a')`, of which Spark (4.3.0) takes `s` from `'a'`.

    `TRIM(LEADING 'a' FROM s)` is the same to sqlglot, which reads its words in another order.
    """
    parts = [part for part in node.args if part in {"expression", "position"}]
    return parts == ["expression", "position"] and node.expression is not None


def is_negative(node: exp.Expr | None) -> bool:
    """Whether it is a whole number below 0 that is written out."""
    return (number(node) or 0) < 0


def is_signed_modulus(node: exp.Expr) -> bool:
    """Whether it is `pmod` by what is not written out as a number above 0.

    By a negative one Hive (2.3.10) makes another number of it than Spark (4.3.0).
    """
    if not isinstance(node, exp.Anonymous) or node.name.casefold() != MODULUS:
        return False
    divisor = node.expressions[-1] if node.expressions else None
    return (number(divisor) or 0) <= 0


def rounds_near_halves(node: exp.Expr, kinds: ValueKinds) -> bool:
    """Whether digits behind the point of a floating number are rounded, as by `round(x, 2)`.

    Of 1.005 it is 1.01 to Hive and Spark (4.3.0), which take the digits that are shown, 1.0 to
    Trino (476), to which it is a little less.
    """
    decimals = node.args.get("decimals") if isinstance(node, exp.Round) else None
    is_rounded = decimals is not None and number(decimals) != 0
    return is_rounded and kinds.may_be(node.this, Sort.FLOAT)


def counts_months(node: exp.DateDiff | exp.TimestampDiff) -> bool:
    """Whether a span is told in a unit that is made of months."""
    unit = node.args.get("unit")
    return unit is not None and unit.name.casefold() in _MONTHS


def paired_columns(node: exp.SetOperation) -> Iterator[tuple[exp.Expr, exp.Expr]]:
    """The values of which each column is made, one of either part."""
    left, right = node.left.unnest(), node.right.unnest()
    if isinstance(left, exp.Query) and isinstance(right, exp.Query):
        yield from zip(left.selects, right.selects, strict=False)


def any_is_null(*nodes: exp.Expr) -> exp.Expr:
    """Whether one of some expressions is NULL; what is written out is none."""
    computed = [node for node in nodes if not isinstance(node, exp.Literal)]
    nulls = [exp.Is(this=expression.copy(), expression=exp.Null()) for expression in computed]
    return exp.or_(*nulls) if nulls else exp.false()


def has_odd_letters(node: exp.Expr) -> bool:
    """Whether letters are changed of which engines make others in capitals, as of ß, or may be."""
    if not isinstance(node, exp.Upper | exp.Lower):
        return False
    is_written = node.this.is_string and node.this.name.isascii()
    return not (is_written or _is_one_of_plain(node))


def _is_one_of_plain(node: exp.Upper | exp.Lower) -> bool:
    """Whether it is only compared with texts that no odd letter makes, as in `upper(s) = 'PAID'`.

    To Java `ß` is `SS` in capitals, `ﬀ` `FF`, `ﬁ` `FI`, `ﬂ` `FL` and `ﬅ` `ST`; `İ` in small letters
    is `i` to Trino, with a point above it to Java. No other such letter makes letters of ASCII.
    """
    around = parent_beyond(node, exp.Paren)
    if isinstance(around, exp.Like):
        return _is_sought_in_plain(node, around)
    made = _OF_SEVERAL if isinstance(node, exp.Upper) else _OF_ANOTHER
    if not isinstance(around, exp.EQ | exp.NEQ | exp.In | exp.NullSafeEQ):
        return False
    others = [value for value in around.iter_expressions() if value.unnest() is not node]
    return bool(others) and all(
        value.is_string and value.name.isascii() and not made.search(value.name) for value in others
    )


def _is_sought_in_plain(node: exp.Upper | exp.Lower, like: exp.Like) -> bool:
    """Whether a pattern has no letter of ASCII that is a part of what an odd letter becomes.

    As by `S%` of `ß`, which is `SS` to Java; `ẚ`, `ẖ`, `ǰ`, `ŉ`, `ẗ`, `ẘ` and `ẙ` are two letters
    there, too. A `_` counts letters.
    """
    pattern = like.expression
    if like.this.unnest() is not node or not pattern.is_string or not pattern.name.isascii():
        return False
    made = _PART_OF_SEVERAL if isinstance(node, exp.Upper) else _OF_ANOTHER
    return not made.search(pattern.name) and not _COUNTS_LETTERS & {*pattern.name}


WRITTEN_OTHERWISE: Final = TIMES | {Sort.FLOAT}
"""Values that are other texts in Trino than elsewhere: `2.5E0`, and all digits of a second."""


def other_texts(pair: DialectPair) -> frozenset[Sort]:
    """What sorts of values are other texts to one of both.

    1e10 is `1.0E10` to Hive and Spark, and what is true is `1` to MySQL.
    """
    of_numbers = frozenset() if pair.share_functions else frozenset({Sort.FLOAT})
    otherwise = WRITTEN_OTHERWISE if pair.beside_trino else of_numbers
    return otherwise | {Sort.TRUTH} if pair.dialect == MYSQL else otherwise


def has_other_digits(kind: ValueKind | None, pair: DialectPair) -> bool:
    """Whether other engines show more digits of a value, or less."""
    if kind is None:
        return False
    of_hive = pair.dialect == HIVE and kind.scale > 0  # without the zeros at its end (2.3.10)
    return of_hive or kind.has_own_scale or (pair.dialect == MYSQL and _has_fraction(kind))


def _has_fraction(kind: ValueKind | None) -> bool:
    """Whether it is a time with digits behind its second: MySQL shows all, others no zeros."""
    return kind is not None and kind.sort in TIMES and kind.digits > 0


def sorts(*kinds: ValueKind | None) -> set[Sort]:
    """What some values are, of those of which it is known."""
    return {kind.sort for kind in kinds if kind is not None}


def to_even(value: exp.Expr, *, in_trino: bool) -> exp.Expr:
    """A floating number, rounded; of two that are as near, the even one."""
    if not in_trino:
        return exp.func("RINT", value)
    cut = exp.func("ABS", exp.Sub(this=value.copy(), expression=truncated(value)))
    half = exp.EQ(this=cut, expression=exp.Literal.number("0.5"))
    halved = exp.Div(this=operand(value), expression=exp.Literal.number("2E0"), typed=True)
    even = exp.Mul(this=exp.Literal.number(2), expression=exp.Round(this=halved))
    return exp.If(this=half, true=even, false=exp.Round(this=value.copy()))
