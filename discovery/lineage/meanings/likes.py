"""Functions that Trino does not have, or no other engine has, and their likes.

HiveServer2 2.3.10, Spark 4.3.0, MariaDB 10.11, PostgreSQL 18.6 and Trino 476 were asked over the
same rows on 2026-11-30. What is not here stays as it is, and is refused there.
"""

from collections.abc import Callable, Mapping
from typing import Final

from sqlglot import exp

from discovery.lineage.meanings.expressions import is_zone, operand, text
from discovery.lineage.meanings.pair import DialectPair, Rules
from discovery.lineage.meanings.sorts import FINEST, NUMBERS, TIMES, Sort
from discovery.lineage.meanings.written_out import number
from discovery.model import HIVE, MYSQL, POSTGRESQL

_Like = Callable[[list[exp.Expr], DialectPair], exp.Expr | None]
"""What is the same as a function of some arguments; None: nothing is known."""
_Likes = Mapping[str | type[exp.Expr], _Like]
"""By the class that sqlglot has for a function, or the name of one for which it has none."""
_DAYS: Final = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_NAMES: Final = (
    *("MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY", "SUNDAY"),
    *("MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"),
    *_DAYS,
)
_WEEK: Final = 7
_ZEROS_BEFORE: Final = "^0+(?=.)"


def _called(name: str) -> _Like:
    """The same function by another name."""
    return lambda arguments, _: _call(name, *arguments)


def _call(name: str, *arguments: exp.Expr) -> exp.Expr:
    return exp.Anonymous(this=name, expressions=[argument.copy() for argument in arguments])


def _array(element: exp.Expr) -> exp.Expr:
    return exp.Array(expressions=[element.copy()])


def _as_text(value: exp.Expr) -> exp.Expr:
    return exp.cast(value.copy(), exp.DType.TEXT)


def _given(make: _Like, *sorts: Sort) -> _Like:
    """The same where all arguments are known to be of some sorts."""
    return lambda arguments, pair: make(arguments, pair) if _are(arguments, pair, *sorts) else None


def _are(arguments: list[exp.Expr], pair: DialectPair, *sorts: Sort) -> bool:
    """Whether all are known to be of some sorts."""
    return all(pair.kinds.is_of(argument, *sorts) for argument in arguments)


def _some(arguments: list[exp.Expr], _: DialectPair) -> exp.Expr:
    return _call("BOOL_OR", arguments[0].unnest())


def _is_null(arguments: list[exp.Expr], _: DialectPair) -> exp.Expr:
    return exp.paren(exp.Is(this=operand(arguments[0]), expression=exp.Null()))


def _is_not_null(arguments: list[exp.Expr], pair: DialectPair) -> exp.Expr:
    return exp.paren(exp.Not(this=_is_null(arguments, pair)))


def _negative(arguments: list[exp.Expr], _: DialectPair) -> exp.Expr:
    return exp.paren(exp.Neg(this=exp.paren(arguments[0].copy())))


def _printed(arguments: list[exp.Expr], pair: DialectPair) -> exp.Expr | None:
    """A decimal has no zeros at its end to Hive, and a day is a number to Spark."""
    alike = (Sort.TEXT, Sort.WHOLE, Sort.FLOAT) if pair.dialect == HIVE else (Sort.TEXT, *NUMBERS)
    return _call("FORMAT", *arguments) if _are(arguments, pair, *alike) else None


def _in_hex(arguments: list[exp.Expr], pair: DialectPair) -> exp.Expr | None:
    if _are(arguments, pair, Sort.TEXT):
        return _call("TO_HEX", _call("TO_UTF8", *arguments))
    if not _are(arguments, pair, Sort.WHOLE):
        return None
    digits = _call("TO_HEX", _call("TO_BIG_ENDIAN_64", *arguments))
    empty, zeros = text(""), text(_ZEROS_BEFORE)
    return _call("REGEXP_REPLACE", digits, zeros, empty)


def _nth(arguments: list[exp.Expr], pair: DialectPair) -> exp.Expr | None:
    """`elt`: of several texts one by its place."""
    place, *values = arguments
    if not _are(values, pair, Sort.TEXT):
        return None
    choice = exp.Case(this=place.copy())
    for n, value in enumerate(values, 1):
        choice = choice.when(exp.Literal.number(n), value.copy())
    return choice


def _place(arguments: list[exp.Expr], _: DialectPair) -> exp.Expr:
    """`field`: the place of one value among others; NULL has none."""
    value, *others = arguments
    choice = exp.Case(this=value.copy())
    for n, other in enumerate(others, 1):
        choice = choice.when(other.copy(), exp.Literal.number(n))
    return choice.else_(exp.Literal.number(0))


def _place_in_set(arguments: list[exp.Expr], _: DialectPair) -> exp.Expr:
    sought, within = arguments
    place = _call("ARRAY_POSITION", _call("SPLIT", within, text(",")), sought)
    return exp.cast(place, exp.DType.INT)


def _day_made(arguments: list[exp.Expr], _: DialectPair) -> exp.Expr:
    year, month, day = map(_as_text, arguments)
    dash = text("-")
    return exp.cast(_call("CONCAT", year, dash, month, dash, day), exp.DType.DATE)


def _next_day(arguments: list[exp.Expr], pair: DialectPair) -> exp.Expr | None:
    """The first day of a name behind one; to Hive it is a text."""
    day, named = arguments
    if pair.dialect == HIVE or not named.is_string or named.name.upper() not in _NAMES:
        return None
    place = _DAYS.index(named.name.upper()[:2]) + 1
    if not _are([day], pair, Sort.DATE):
        return None
    most, first = exp.Literal.number(place + _WEEK - 1), exp.Literal.number(1)
    before = exp.Sub(this=most, expression=_call("DAY_OF_WEEK", day))
    rest = _call("MOD", before, exp.Literal.number(_WEEK))
    days = exp.Add(this=rest, expression=first)
    return _call("DATE_ADD", text("day"), days, day)


def _not_null(arguments: list[exp.Expr], _: DialectPair) -> exp.Expr:
    element = exp.to_identifier("x")
    is_there = exp.Not(this=exp.Is(this=exp.column("x"), expression=exp.Null()))
    return _call("FILTER", arguments[0], exp.Lambda(this=is_there, expressions=[element]))


def _bits(arguments: list[exp.Expr], _: DialectPair) -> exp.Expr:
    size = _call("LENGTH", _call("TO_UTF8", *arguments))
    return exp.paren(exp.Mul(this=exp.Literal.number(8), expression=size))


def _ones(arguments: list[exp.Expr], _: DialectPair) -> exp.Expr:
    width = exp.Literal.number(64)
    return _call("BIT_COUNT", exp.cast(arguments[0].copy(), exp.DType.BIGINT), width)


def _checksum(arguments: list[exp.Expr], _: DialectPair) -> exp.Expr:
    return _call("CRC32", _call("TO_UTF8", *arguments))


def _same(arguments: list[exp.Expr], _: DialectPair) -> exp.Expr:
    left, right = map(operand, arguments)
    return exp.paren(exp.NullSafeEQ(this=left, expression=right))


def _code(arguments: list[exp.Expr], _: DialectPair) -> exp.Expr:
    """The number of the first letter; of none it is 0."""
    first, value = exp.Literal.number(1), arguments[0]
    letter = exp.Cast(
        this=_call("SUBSTR", value, first, first), to=exp.DataType.build("VARCHAR(1)")
    )
    is_empty = exp.EQ(this=operand(value), expression=text(""))
    return exp.Case().when(is_empty, exp.Literal.number(0)).else_(_call("CODEPOINT", letter))


def _element(arguments: list[exp.Expr], _: DialectPair) -> exp.Expr | None:
    place = number(arguments[1])
    if place is None or place < 0:
        return None
    return _call("ELEMENT_AT", arguments[0], exp.Literal.number(place + 1))


def _tried(made: type[exp.Binary]) -> _Like:
    """What is NULL where a whole number has no room."""

    def make(arguments: list[exp.Expr], _: DialectPair) -> exp.Expr:
        left, right = map(operand, arguments)
        return _call("TRY", made(this=left, expression=right))

    return _given(make, Sort.WHOLE)


def _within(arguments: list[exp.Expr], _: DialectPair) -> exp.Expr:
    place = _call("STRPOS", *arguments)
    return exp.paren(exp.GT(this=place, expression=exp.Literal.number(0)))


def _at_end(arguments: list[exp.Expr], _: DialectPair) -> exp.Expr:
    value, end = arguments
    last = _call("SUBSTR", value, exp.Neg(this=_call("LENGTH", end)))
    return exp.paren(exp.EQ(this=last, expression=operand(end)))


def _in_words(pattern: str) -> _Like:
    """Of a day, what its format has for it."""
    return _given(lambda it, _: _call("DATE_FORMAT", *it, text(pattern)), Sort.DATE)


def _from_utc(arguments: list[exp.Expr], pair: DialectPair) -> exp.Expr | None:
    """What a clock shows in a zone when it shows a time in UTC."""
    time, zone = arguments
    if pair.dialect != HIVE or not is_zone(zone) or not _are([time], pair, Sort.WALL_CLOCK):
        return None
    clock = exp.DataType.build(f"TIMESTAMP({FINEST})")
    in_utc = _call("WITH_TIMEZONE", exp.Cast(this=time.copy(), to=clock), text("UTC"))
    return exp.Cast(this=_call("AT_TIMEZONE", in_utc, zone), to=clock.copy())


def _unless_nan(arguments: list[exp.Expr], _: DialectPair) -> exp.Expr:
    value, other = arguments
    is_none = _call("IS_NAN", value)
    return exp.Case().when(is_none, other.copy()).else_(value.copy())


def _printed_days(arguments: list[exp.Expr], pair: DialectPair) -> exp.Expr:
    """A day is a number to FORMAT_STRING; a time has a `T` in it to Trino."""
    made = exp.Format(this=arguments[0].copy(), expressions=[])
    for argument in arguments[1:]:
        if pair.kinds.may_be(argument, *TIMES):
            pair.lost(argument)
        is_day = pair.kinds.is_of(argument, Sort.DATE)
        made.append("expressions", _as_text(argument) if is_day else argument.copy())
    return made


def _year_of_week(arguments: list[exp.Expr], _: DialectPair) -> exp.Expr:
    return exp.Extract(this=exp.var("YEAROFWEEK"), expression=arguments[0].copy())


_LIKES: Final[_Likes] = {
    exp.Any: _some,
    exp.ArrayAppend: lambda it, _: _call("CONCAT", it[0], _array(it[1])),
    exp.ArrayCompact: _not_null,
    exp.ArrayPrepend: lambda it, _: _call("CONCAT", _array(it[1]), it[0]),
    exp.Ascii: _given(_code, Sort.TEXT),
    exp.BitLength: _given(_bits, Sort.TEXT),
    exp.BitwiseCount: _given(_ones, Sort.WHOLE),
    exp.Contains: _given(_within, Sort.TEXT),
    exp.Dayname: _in_words("%a"),
    exp.Elt: _nth,
    exp.EndsWith: _given(_at_end, Sort.TEXT),
    exp.EqualNull: _same,
    exp.Format: _printed,
    exp.Hex: _in_hex,
    exp.MapContainsKey: lambda it, _: _call("CONTAINS", _call("MAP_KEYS", it[0]), it[1]),
    exp.Monthname: _in_words("%b"),
    exp.Nanvl: _unless_nan,
    exp.Negative: _negative,
    exp.NextDay: _next_day,
    exp.SafeAdd: _tried(exp.Add),
    exp.SafeMultiply: _tried(exp.Mul),
    exp.SafeSubtract: _tried(exp.Sub),
    "array_repeat": _called("REPEAT"),
    "crc32": _given(_checksum, Sort.TEXT),
    "field": _given(_place, Sort.TEXT),
    "find_in_set": _given(_place_in_set, Sort.TEXT),
    "forall": _called("ALL_MATCH"),
    "from_utc_timestamp": _from_utc,
    "get": _element,
    "isnotnull": _is_not_null,
    "isnull": _is_null,
    "make_date": _given(_day_made, Sort.WHOLE),
    "nullifzero": lambda it, _: _call("NULLIF", it[0], exp.Literal.number(0)),
    "positive": lambda it, _: exp.paren(it[0].copy()),
    "printf": _printed,
    "some": _some,
    "zeroifnull": lambda it, _: _call("COALESCE", it[0], exp.Literal.number(0)),
}
_LIKES_OF_MYSQL: Final[_Likes] = {
    exp.BitwiseCount: _given(_ones, Sort.WHOLE),
    exp.Elt: _nth,
    exp.Hex: _in_hex,
    "crc32": _given(_checksum, Sort.TEXT),
}
_LIKES_OF_POSTGRESQL: Final[_Likes] = {
    exp.Ascii: _given(_code, Sort.TEXT),
    exp.BitLength: _given(_bits, Sort.TEXT),
    "make_date": _given(_day_made, Sort.WHOLE),
}
_LIKES_OF_TRINO: Final[_Likes] = {
    exp.Format: _printed_days,
    exp.YearOfWeek: _year_of_week,
    "codepoint": _called("ASCII"),
    "none_match": lambda it, _: exp.paren(exp.Not(this=_call("EXISTS", *it))),
    "to_iso8601": _given(lambda it, _: _as_text(it[0]), Sort.DATE),
}


def like(node: exp.Expr, pair: DialectPair) -> exp.Expr:
    """What is the same to Trino as a function of Hive or Spark, or the other way round.

    Returns:
        The node itself where nothing is known.
    """
    likes = _likes(pair)
    is_named = isinstance(node, exp.Anonymous)
    arguments = node.expressions if is_named else [*node.iter_expressions()]
    make = likes.get(node.name.casefold() if is_named else type(node))
    made = make(arguments, pair) if make is not None and arguments else None
    return node if made is None else made


def _likes(pair: DialectPair) -> _Likes:
    if pair.of_trino:
        return _LIKES_OF_TRINO if pair.target.hive_functions else {}
    if not pair.to_trino:
        return {}
    if pair.dialect == MYSQL:
        return _LIKES_OF_MYSQL
    return _LIKES_OF_POSTGRESQL if pair.dialect == POSTGRESQL else _LIKES


RULES: Final[Rules] = {
    kind: like for kind in (*_LIKES, *_LIKES_OF_TRINO) if not isinstance(kind, str)
}
