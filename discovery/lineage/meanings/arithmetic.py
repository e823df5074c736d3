"""Numbers: averages, rounding, the largest of several, and truth."""

from collections.abc import Callable
from typing import Final

from sqlglot import exp

from discovery.lineage.meanings.expressions import (
    any_is_null,
    decimal,
    decimal_type,
    operand,
    parent_beyond,
    sorts,
    text,
    to_even,
)
from discovery.lineage.meanings.kinds import of_rounded
from discovery.lineage.meanings.pair import DialectPair, Rules
from discovery.lineage.meanings.quotients import is_shown, precise
from discovery.lineage.meanings.results import of_sign
from discovery.lineage.meanings.rows import each_is
from discovery.lineage.meanings.singles import with_doubles
from discovery.lineage.meanings.sorts import (
    DOUBLES,
    INTEGER,
    LONG,
    NUMBERS,
    SINGLE,
    WIDEST,
    Sort,
)
from discovery.lineage.meanings.written_out import number
from discovery.model import HIVE, MYSQL, POSTGRESQL, TRINO

_ALL_WHOLE: Final = "9E18"
"""From here on floating numbers have nothing behind the point; the largest BIGINT is beyond."""
_TO_BASE_10: Final = "LOG10"
_OVER: Final = (exp.Window, exp.Filter)


def _whole(node: exp.Ceil | exp.Floor, pair: DialectPair) -> exp.Expr:
    """The next whole number, which of a floating one is itself such, but to Spark and Hive.

    Hive (2.3.10) makes 9223372036854775807 of `ceil(1e300)`, Spark out of ANSI mode, too. Of
    a whole number PostgreSQL (18.6) makes a double.
    """
    if pair.dialect == POSTGRESQL and Sort.WHOLE in sorts(pair.kinds.of(node.this)):
        return exp.cast(node.this.copy(), exp.DType.DOUBLE)
    is_float = Sort.FLOAT in sorts(pair.kinds.of(node.this))
    if pair.share_functions or not is_float or node.args.get("decimals") is not None:
        return node
    if pair.source.hive_functions:
        return exp.cast(node.copy(), exp.DType.BIGINT)
    size = exp.func("ABS", node.this.copy())
    fits = exp.LT(this=size, expression=exp.Literal.number(_ALL_WHOLE))
    return exp.Case().when(fits, exp.cast(node.copy(), exp.DType.DOUBLE)).else_(node.this.copy())


def _cut(node: exp.Trunc, pair: DialectPair) -> exp.Expr:
    """A number without its last digits, which Spark takes from one side alone."""
    kind, places = pair.kinds.of(node.this), number(node.args.get("decimals"))
    is_cut = pair.target.hive_functions and not pair.source.hive_functions
    if not is_cut or kind is None or kind.sort is not Sort.EXACT or places is None or places < 0:
        return node
    below = exp.LT(this=operand(node.this), expression=exp.Literal.number(0))
    ends = [node.this.copy(), exp.Literal.number(places)]
    up, down = (exp.Anonymous(this=name, expressions=ends) for name in ("CEIL", "FLOOR"))
    cut = exp.Case().when(below, up).else_(down.copy())
    return decimal(cut, kind.digits, kind.scale) if pair.of_trino else cut


def _any(node: exp.AnyValue, pair: DialectPair) -> exp.Expr:
    """One of a group: to Spark that may be a NULL, to Trino and PostgreSQL only if all are."""
    if not pair.target.hive_functions or pair.source.hive_functions:
        return node
    return exp.Anonymous(this="ANY_VALUE", expressions=[node.this, exp.true()])


def _of_frame(node: exp.First | exp.Last, pair: DialectPair) -> exp.Expr:
    """The first of the rows that a window shows; sqlglot makes any of them in Trino."""
    if not pair.to_trino:
        return node
    above = parent_beyond(node, exp.IgnoreNulls, exp.RespectNulls, exp.Filter)
    if not isinstance(above, exp.Window):
        return pair.lost(node) if isinstance(node, exp.Last) else node
    kind = exp.FirstValue if isinstance(node, exp.First) else exp.LastValue
    return kind(this=node.this)


def _sum(node: exp.Sum, pair: DialectPair) -> exp.Expr:
    """Of truths, which are 1 and 0 to MySQL alone, and of numbers of four bytes.

    Their sum is one itself to Trino (476) and PostgreSQL alone.
    """
    if pair.kinds.of(node.this) == SINGLE and pair.beside_trino and pair.dialect != POSTGRESQL:
        if pair.of_trino:
            return _cast_around(node, node.copy(), exp.DataType.build("FLOAT"))
        return exp.Sum(this=exp.cast(node.this, exp.DType.DOUBLE))
    if pair.dialect == MYSQL and Sort.TRUTH in sorts(pair.kinds.of(node.this)):
        node.set("this", exp.cast(node.this, exp.DType.INT))
    return node


def _average(node: exp.Avg, pair: DialectPair) -> exp.Expr:
    kind = pair.kinds.of(node.this)
    if pair.dialect == MYSQL and Sort.TRUTH in sorts(kind):
        node.set("this", exp.cast(node.this, exp.DType.INT))
        kind = INTEGER
    if pair.beside_trino and kind == SINGLE:
        return _of_single(node, pair)
    if kind is None or kind.sort is Sort.FLOAT or isinstance(node.this, exp.Distinct):
        return node if kind else pair.unknown(node)
    if kind.sort not in NUMBERS:
        return node
    if pair.dialect == POSTGRESQL:
        return exp.Avg(this=precise(node.this))
    if pair.dialect != MYSQL and kind.sort is Sort.WHOLE:
        return node
    if pair.dialect == MYSQL and not is_shown(node):
        return exp.Avg(this=precise(node.this))
    extra = 0 if pair.of_trino else 4
    average = exp.Avg(this=decimal(node.this, WIDEST, kind.scale + extra))
    to = decimal_type(min(WIDEST, kind.digits + extra), kind.scale + extra)
    return _cast_around(node, average, to)


def _of_single(node: exp.Avg, pair: DialectPair) -> exp.Expr:
    """Of floating numbers of four bytes it is one to Trino, and longer elsewhere."""
    if pair.of_trino:
        return pair.lost(node)
    return exp.Avg(this=exp.cast(node.this, exp.DType.DOUBLE))


def _cast_around(node: exp.Expr, replacement: exp.Expr, to: exp.DataType) -> exp.Expr:
    """What stands for an aggregate, cast; the cast goes around what says over which rows it is."""
    outer = node
    while outer.parent is not None and isinstance(outer.parent, _OVER) and outer.arg_key == "this":
        outer = outer.parent
    if outer is node:
        return exp.Cast(this=replacement, to=to)
    cast = exp.Cast(this=exp.Null(), to=to)
    outer.replace(cast)
    cast.set("this", outer)
    return replacement


def _rounded(node: exp.Round, pair: DialectPair) -> exp.Expr:
    """An exact number has as many digits as in its own dialect, which a text shows."""
    kind = pair.kinds.of(node.this)
    if kind is None or kind.sort is not Sort.EXACT or not pair.beside_trino:
        return _halves_rounded(node, pair)
    decimals = node.args.get("decimals")
    at_home, elsewhere = (of_rounded(kind, decimals, it) for it in (pair.dialect, pair.into))
    if at_home is None or elsewhere is None or at_home.scale == elsewhere.scale:
        return node
    return decimal(node, at_home.digits, at_home.scale)


def _sign(node: exp.Sign, pair: DialectPair) -> exp.Expr:
    """A sign of the type that it has in its own dialect: half of it is 0.5 or 0."""
    kind = pair.kinds.of(node.this)
    at_home, elsewhere = (of_sign(kind, it) for it in (pair.dialect, pair.into))
    if at_home is None or elsewhere is None or at_home.sort is elsewhere.sort:
        return node
    if at_home.sort is Sort.FLOAT:
        return exp.Sign(this=exp.cast(node.this, exp.DType.DOUBLE))
    if at_home.sort is Sort.EXACT:
        return decimal(node, at_home.digits, at_home.scale)
    return exp.cast(node.copy(), exp.DType.BIGINT if at_home == LONG else exp.DType.INT)


def _halves_rounded(node: exp.Round, pair: DialectPair) -> exp.Expr:
    """Halves of floating numbers; MariaDB writes `round(x)` as `round(x, 0)`, and has places, too.

    It takes a number times ten for each place, rounds that and divides it (`my_double_round`).
    """
    decimals = node.args.get("decimals")
    places = number(decimals) if decimals else 0
    if not pair.source.halves_to_even or (places != 0 and pair.dialect == POSTGRESQL):
        return node
    kind = pair.kinds.of(node.this)
    if kind is None:
        return pair.unknown(node)
    if kind.sort is not Sort.FLOAT:
        return node
    if places is None:
        return pair.lost(node)
    if places == 0:
        return to_even(node.this, in_trino=pair.to_trino)
    tens = exp.Literal.number(f"1E{abs(places)}")
    back, forth = (exp.Div, exp.Mul) if places > 0 else (exp.Mul, exp.Div)
    larger = forth(this=operand(node.this), expression=tens)
    even = exp.paren(to_even(larger, in_trino=pair.to_trino))
    return exp.paren(back(this=even, expression=tens.copy()))


def _extreme(node: exp.Greatest | exp.Least, pair: DialectPair) -> exp.Expr:
    values = [node.this, *node.expressions]
    if pair.source.skips_nulls and not pair.target.skips_nulls:
        not_null = exp.not_(exp.Is(this=exp.column("v"), expression=exp.Null()))
        only = exp.Lambda(this=not_null, expressions=[exp.to_identifier("v")])
        array = exp.Array(expressions=values)
        called = "ARRAY_MAX" if isinstance(node, exp.Greatest) else "ARRAY_MIN"
        return exp.func(called, exp.ArrayFilter(this=array, expression=only), dialect=TRINO)
    if pair.target.skips_nulls and not pair.source.skips_nulls:
        if pair.dialect == HIVE:
            return pair.lost(node)
        return exp.Case().when(any_is_null(*values), exp.Null()).else_(node.copy())
    return node


def _deviation(node: exp.Stddev, pair: DialectPair) -> exp.Expr:
    """Of all that there are to Hive (2.3.10), of a sample elsewhere."""
    if pair.dialect != HIVE:
        return node
    return pair.lost(node) if pair.share_functions else exp.StddevPop(this=node.this)


def _root(node: exp.Sqrt, pair: DialectPair) -> exp.Expr:
    """Of a negative number: NULL to Hive and MySQL, NaN to Spark and Trino."""
    if pair.dialect == HIVE:
        return _of_none_below(node)
    return _of_none_below(node) if pair.dialect == MYSQL else node


def _of_none_below(node: exp.Sqrt) -> exp.Expr:
    if (number(node.this) or 0) > 0:
        return node
    zero = exp.Literal.number(0)
    only = exp.Case().when(exp.GTE(this=operand(node.this), expression=zero), node.this.copy())
    return exp.Sqrt(this=only)


def _largest(node: exp.Max | exp.Min, pair: DialectPair) -> exp.Expr:
    return pair.lost(node) if node.expressions else node  # Trino's `max(x, n)`


def _logarithm(node: exp.Ln | exp.Log, pair: DialectPair) -> exp.Expr:
    """Of no positive number it is NULL to Spark, Hive and MySQL; NaN or an infinite one to Trino.

    And of one operand `log` is to base 10 in PostgreSQL.
    """
    value, called = node.expression or node.this, _called(node, pair)
    if (number(value) or 0) > 0 or pair.dialect == POSTGRESQL or not pair.beside_trino:
        return called(value)
    zero = exp.Literal.number(0)
    if pair.to_trino:
        positive = exp.GT(this=operand(value), expression=zero)
        return called(exp.Case().when(positive, value.copy()))
    none, below = (kind(this=operand(value), expression=zero) for kind in (exp.EQ, exp.LT))
    cases = exp.Case().when(none, exp.cast(text("-Infinity"), exp.DType.DOUBLE))
    return cases.when(below, exp.cast(text("NaN"), exp.DType.DOUBLE)).else_(called(value.copy()))


def _called(node: exp.Ln | exp.Log, pair: DialectPair) -> Callable[[exp.Expr], exp.Expr]:
    """The logarithm of a value, by the function that it was written with.

    `log10(1000)` is 3 to all, `log(10, 1000)` 2.9999999999999996 to Hive, Spark and Trino, and
    sqlglot takes one for the other: only how long the name was tells.
    """
    is_common = pair.dialect == POSTGRESQL and isinstance(node, exp.Log) and not node.expression
    length = node.meta.get("end", 0) - node.meta.get("start", 0) + 1
    if is_common or (isinstance(node, exp.Log) and length == len(_TO_BASE_10)):
        return lambda value: exp.Anonymous(this=_TO_BASE_10, expressions=[value])
    of = "expression" if node.expression else "this"
    return lambda value: type(node)(**{**node.args, of: value})


def _is(node: exp.Is, pair: DialectPair) -> exp.Expr:
    if not isinstance(node.expression, exp.Boolean):
        return (each_is(node) or node) if pair.dialect == POSTGRESQL else node
    kind = pair.kinds.of(node.this)
    if pair.dialect == MYSQL and (kind is None or kind.sort is not Sort.TRUTH):
        return pair.lost(node)
    # Trino has no IS TRUE, and of what sqlglot writes for it a NULL is no truth
    return exp.NullSafeEQ(**node.args) if pair.to_trino else node


def _row(node: exp.Tuple, pair: DialectPair) -> exp.Expr:
    """Rows with NULLs compare otherwise by `<` and `>`."""
    ordered = isinstance(node.parent, exp.LT | exp.GT | exp.LTE | exp.GTE)
    return pair.lost(node.parent or node) if ordered else node


def _moments(node: exp.Binary, pair: DialectPair) -> exp.Expr:
    """Of two columns: of whole numbers Trino makes floating ones of four bytes, others of eight."""
    for value in (node.this, node.expression):
        if pair.beside_trino and pair.kinds.of(value) not in DOUBLES:
            if pair.of_trino:
                return pair.lost(node)
            value.replace(exp.cast(value.copy(), exp.DType.DOUBLE))
    return node


def _grouping(node: exp.Grouping | exp.GroupingId, pair: DialectPair) -> exp.Expr:
    """Which columns a group is not of: of several, one function has the name of both in Trino."""
    many = len(node.expressions) > 1
    if pair.target.hive_functions and not pair.source.hive_functions and many:
        return exp.cast(exp.GroupingId(expressions=node.expressions), exp.DType.INT)
    if pair.to_trino and pair.source.hive_functions and node.expressions:
        kind = exp.DType.BIGINT if isinstance(node, exp.GroupingId) else exp.DType.TINYINT
        return exp.cast(exp.Grouping(expressions=node.expressions), kind)
    return node


def _choice(node: exp.If, pair: DialectPair) -> exp.Expr:
    """Without a word for else it is NULL; Spark's function asks for one."""
    bare = not isinstance(node.parent, exp.Case) and node.args.get("false") is None
    if pair.target.hive_functions and bare:
        node.set("false", exp.Null())
    return node


def _drawn(node: exp.Rand, pair: DialectPair) -> exp.Expr:
    """A number by chance: `random(6)` is one of 0 to 5 to Trino, to others a fraction by a seed.

    Of one seed MySQL (MariaDB 10.11) draws others than Spark (4.3.0).
    """
    is_other = pair.beside_trino or pair.dialect == MYSQL
    return pair.lost(node) if is_other and node.this is not None else node


RULES: Final[Rules] = {
    exp.Mul: with_doubles,
    exp.AnyValue: _any,
    exp.Trunc: _cut,
    exp.Ceil: _whole,
    exp.Floor: _whole,
    exp.Sum: _sum,
    exp.First: _of_frame,
    exp.Last: _of_frame,
    exp.Avg: _average,
    exp.Round: _rounded,
    exp.Sign: _sign,
    exp.Rand: _drawn,
    exp.Greatest: _extreme,
    exp.Least: _extreme,
    exp.Stddev: _deviation,
    exp.Sqrt: _root,
    exp.Max: _largest,
    exp.Min: _largest,
    exp.Ln: _logarithm,
    exp.Log: _logarithm,
    **dict.fromkeys((exp.Corr, exp.CovarPop, exp.CovarSamp), _moments),
    **dict.fromkeys((exp.RegrIntercept, exp.RegrSlope), _moments),
    exp.Grouping: _grouping,
    exp.GroupingId: _grouping,
    exp.If: _choice,
    exp.Is: _is,
    exp.Tuple: _row,
}
