"""The kinds of what functions give, by their dialect.

Those of Hive and Spark are what HiveServer2 2.3.10 and Spark 4.3.0 say of columns that are made by
them (`DESCRIBE`, asked of 220 expressions on 2026-11-29).
"""

from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Final

from sqlglot import exp

from discovery.engines import engine
from discovery.lineage.meanings.sorts import (
    CLOSE,
    DOUBLES,
    FINEST,
    FLOAT,
    INTEGER,
    LONG,
    NUMBERS,
    Sort,
    ValueKind,
)
from discovery.model import HIVE, MYSQL, POSTGRESQL, SPARK, TRINO

KindOf = Callable[[exp.Expr | None], ValueKind | None]
_DATE: Final = ValueKind(Sort.DATE)
_TEXT: Final = ValueKind(Sort.TEXT)
_TRUTH: Final = ValueKind(Sort.TRUTH)
_COUNTS: Final = (
    exp.Count,
    exp.CountIf,
    exp.Length,
    exp.RowNumber,
    exp.Year,
    exp.Month,
    exp.Day,
    exp.Quarter,
    exp.DateDiff,
    exp.StrPosition,
    exp.IntDiv,
)
_POSITIONS: Final = (exp.Length, exp.StrPosition)
_INTEGERS: Final = (*_POSITIONS, exp.Year, exp.Month, exp.Day, exp.Quarter, exp.DateDiff)
_TEXTS: Final = (
    exp.Lower,
    exp.Upper,
    exp.Trim,
    exp.Substring,
    exp.Concat,
    exp.DPipe,
    exp.TimeToStr,
    exp.Pad,
    exp.Repeat,
    exp.Space,
    exp.Replace,
    exp.RegexpReplace,
    exp.SubstringIndex,
    exp.Translate,
)
_LISTS: Final = (exp.Array, exp.ArrayFilter)
_LISTS_OF_TEXTS: Final = (exp.Split, exp.RegexpSplit)
_MEASURES: Final = (exp.Stddev, exp.StddevPop, exp.Variance, exp.VariancePop, exp.Sqrt, exp.Ln)
_COLLECTIONS: Final = (exp.ArrayAgg, exp.ArrayUniqueAgg)
ON_BITS: Final = (exp.BitwiseAnd, exp.BitwiseOr, exp.BitwiseXor)
_SIZE: Final = "octet_length"
_SIZES: Final = (exp.Ascii, exp.BitLength, exp.RegexpCount, exp.WidthBucket)
SHIFTS: Final = (exp.BitwiseLeftShift, exp.BitwiseRightShift)
DAYS_AS_TEXTS: Final = (exp.LastDay, exp.AddMonths, exp.NextDay, exp.TimestampTrunc, exp.DateTrunc)
"""Texts to Hive, days to Spark; the last two are `trunc`."""
_MOMENTS: Final = (exp.CurrentTimestamp, exp.AtTimeZone, exp.FromTimeZone)
_NAMED_MOMENTS: Final = frozenset({"from_utc_timestamp", "to_utc_timestamp"})
_GIVEN: Final[Mapping[type[exp.Expr], ValueKind]] = {
    **dict.fromkeys(
        (
            exp.Chr,
            exp.ConcatWs,
            exp.CurrentUser,
            exp.Decode,
            exp.Elt,
            exp.Format,
            exp.Hex,
            exp.Initcap,
            exp.JSONExtractScalar,
            exp.Left,
            exp.MD5,
            exp.NumberToStr,
            exp.ParseUrl,
            exp.RegexpExtract,
            exp.Right,
            exp.SHA,
            exp.SHA2,
            exp.Soundex,
            exp.SplitPart,
            exp.ToBase64,
            exp.UnixToStr,
            exp.UnixToTimeStr,
            exp.Uuid,
        ),
        _TEXT,
    ),
    **dict.fromkeys(
        (
            exp.ArraySize,
            exp.Ascii,
            exp.DayOfMonth,
            exp.DayOfWeek,
            exp.DayOfYear,
            exp.DenseRank,
            exp.Hour,
            exp.Levenshtein,
            exp.Minute,
            exp.Ntile,
            exp.Rank,
            exp.Second,
            exp.WeekOfYear,
        ),
        INTEGER,
    ),
    **dict.fromkeys((exp.Factorial, exp.StrToUnix), LONG),
    **dict.fromkeys(
        (
            exp.Acos,
            exp.Asin,
            exp.Atan,
            exp.Cbrt,
            exp.Corr,
            exp.Cos,
            exp.CumeDist,
            exp.Degrees,
            exp.MonthsBetween,
            exp.PercentRank,
            exp.Pi,
            exp.Radians,
            exp.Rand,
            exp.Rint,
            exp.Sin,
            exp.Tan,
        ),
        FLOAT,
    ),
    **dict.fromkeys((exp.Exp, exp.Ln, exp.Log, exp.Pow), CLOSE),
    exp.TsOrDsAdd: _DATE,
    exp.StrToMap: ValueKind(Sort.MAP, parts=(_TEXT, _TEXT)),
}
"""What functions give to Hive and Spark; databases have some of the same names for others."""
_NAMED: Final = {
    **dict.fromkeys(("bin", "conv", "format_number", "mask", "printf"), _TEXT),
    **dict.fromkeys(("cardinality", "field", "find_in_set", "hash", "weekday"), INTEGER),
    **dict.fromkeys(("crc32", "xxhash64"), LONG),
    **dict.fromkeys(("e", "hypot"), FLOAT),
    **dict.fromkeys(("isnotnull", "isnull"), _TRUTH),
}
"""The same by the name of what sqlglot does not know."""


def of_function(node: exp.Expr, dialect: str, kind_of: KindOf) -> ValueKind | None:
    """The kind of what a function gives; None: it is not known.

    Args:
        node: An expression.
        dialect: Of the statement.
        kind_of: The kind of an expression.
    """
    if isinstance(node, exp.Sign):
        return of_sign(kind_of(node.this), dialect)
    hives = engine(dialect).hive_functions
    of_dialect = _of_hive_and_spark if hives else _of_databases
    if (kind := of_dialect(node, dialect, kind_of)) is not None:
        return kind
    if isinstance(node, _COUNTS):
        narrow = _INTEGERS if hives else _POSITIONS if dialect == POSTGRESQL else ()
        return INTEGER if isinstance(node, narrow) else LONG
    if isinstance(node, _TEXTS):
        return _TEXT
    if isinstance(node, _LISTS_OF_TEXTS):
        return ValueKind(Sort.LIST, parts=(_TEXT,))
    if isinstance(node, _LISTS):
        return ValueKind(Sort.LIST)
    return FLOAT if isinstance(node, _MEASURES) and dialect != MYSQL else None


def of_sign(kind: ValueKind | None, dialect: str) -> ValueKind | None:
    """The kind of a number's sign; None: it is not known.

    `sign(1.5)` is a whole number to Hive and MySQL, a decimal to Trino and PostgreSQL, and a double
    to Spark; of a whole number it is one to Trino and MySQL alone.

    Args:
        kind: Of the number.
        dialect: Of the statement.
    """
    if kind is None or kind.sort not in NUMBERS:
        return None
    if dialect == MYSQL:
        return LONG
    if kind.sort is Sort.EXACT and dialect != SPARK:
        return INTEGER if dialect == HIVE else ValueKind(Sort.EXACT, 1)
    return kind if dialect == TRINO else FLOAT


def _of_hive_and_spark(node: exp.Expr, dialect: str, kind_of: KindOf) -> ValueKind | None:
    name = node.name.casefold() if isinstance(node, exp.Anonymous) else ""
    if name in _NAMED:
        return _NAMED[name]
    if isinstance(node, exp.Lower | exp.Upper):
        return _in_other_letters(kind_of(node.this))
    if isinstance(node, DAYS_AS_TEXTS):
        return _day(node, dialect, kind_of)
    if name in _NAMED_MOMENTS or isinstance(node, _MOMENTS):
        return ValueKind(Sort.WALL_CLOCK if dialect == HIVE else Sort.INSTANT, FINEST)
    return _GIVEN.get(type(node)) or _of_numbers(node, kind_of) or _of_lists(node, kind_of)


def _of_databases(node: exp.Expr, dialect: str, kind_of: KindOf) -> ValueKind | None:
    """What is a whole number to PostgreSQL (18.4), a longer one to MariaDB (10.11) and Trino (476).

    Floating numbers Trino has as Hive.
    """
    given = _GIVEN.get(type(node)) if dialect == TRINO else None
    if given in DOUBLES:
        return given
    if isinstance(node, exp.Floor | exp.Ceil):
        return _whole_of_databases(kind_of(node.this), dialect)
    is_size = isinstance(node, exp.Anonymous) and node.name.casefold() == _SIZE
    kind = INTEGER if is_size or isinstance(node, _SIZES) else _of_bits(node, kind_of)
    return kind if kind is None or dialect == POSTGRESQL else LONG


def _in_other_letters(kind: ValueKind | None) -> ValueKind | None:
    """To Hive and Spark, a char in other letters is one itself."""
    return kind._replace(is_part=True) if kind is not None and kind.sort is Sort.CHAR else None


def _day(node: exp.Expr, dialect: str, kind_of: KindOf) -> ValueKind | None:
    if dialect == HIVE:
        return _TEXT
    return kind_of(node.this) if isinstance(node, exp.TimestampTrunc) else _DATE


def _of_numbers(node: exp.Expr, kind_of: KindOf) -> ValueKind | None:
    """The kind of the next whole number, or of one of bits."""
    if isinstance(node, exp.Floor | exp.Ceil):
        return _whole(kind_of(node.this))
    return _of_bits(node, kind_of)


def _of_bits(node: exp.Expr, kind_of: KindOf) -> ValueKind | None:
    """The kind of a number of bits: the wider one of two."""
    if isinstance(node, exp.BitwiseNot):
        return kind_of(node.this)
    if not isinstance(node, (*ON_BITS, *SHIFTS)):
        return None
    left, right = kind_of(node.left), kind_of(node.right)
    widest = INTEGER if isinstance(node, SHIFTS) else right
    is_whole = _sort(left) is _sort(widest) is Sort.WHOLE
    return max(left, widest, key=attrgetter("digits")) if left and widest and is_whole else None


def _whole(kind: ValueKind | None) -> ValueKind | None:
    """The kind of the next whole number."""
    if kind is not None and kind.sort is Sort.EXACT:
        return kind._replace(digits=kind.digits - kind.scale + 1, scale=0)
    return LONG if _sort(kind) in {Sort.FLOAT, Sort.WHOLE} else None


def _whole_of_databases(kind: ValueKind | None, dialect: str) -> ValueKind | None:
    """The same to PostgreSQL (18.6), MariaDB (10.11) and Trino (476): of a double it is one."""
    if kind is None or kind.sort not in NUMBERS:
        return None
    if kind.sort is Sort.FLOAT or (dialect == POSTGRESQL and kind.sort is Sort.WHOLE):
        return FLOAT if dialect == POSTGRESQL else kind
    if kind.sort is Sort.WHOLE or dialect == MYSQL:
        return LONG if dialect == MYSQL else kind
    return ValueKind(Sort.EXACT, kind.digits - kind.scale + 1)


def _of_lists(node: exp.Expr, kind_of: KindOf) -> ValueKind | None:
    """The kind of a list that is collected, sorted, or of the keys of a map, or of a text."""
    if isinstance(node, exp.Reverse):
        kind = kind_of(node.this)
        return kind if _sort(kind) is Sort.LIST else _TEXT
    if isinstance(node, exp.ArraySort):
        return kind_of(node.this)
    if isinstance(node, exp.Array):
        kinds = {kind_of(value) for value in node.expressions}
        return ValueKind(Sort.LIST, parts=(kinds.pop(),) if len(kinds) == 1 else ())
    if isinstance(node, exp.MapKeys):
        kind = kind_of(node.this)
        return ValueKind(Sort.LIST, parts=kind.parts[:1] if kind else ())
    if isinstance(node, _COLLECTIONS):
        kind = kind_of(node.this)
        parts = (kind._replace(is_part=kind.sort is Sort.CHAR),) if kind else ()
        return ValueKind(Sort.LIST, parts=parts)
    return None


def _sort(kind: ValueKind | None) -> Sort | None:
    return kind.sort if kind is not None else None
