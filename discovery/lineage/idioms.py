"""What servers write into the texts of views in a way that sqlglot leaves as it is, put plainly.

PostgreSQL and MySQL keep no text as a person wrote it: `pg_get_viewdef` (18.6) writes `IN` as
`= ANY (ARRAY[...])` and an interval as `'1 day 02:00:00'::interval`, MySQL and MariaDB set the
character set before each text (`_utf8mb4'a'`). No other engine reads that. And a type's name alone
means another type elsewhere: `numeric` keeps what is behind the point in PostgreSQL, `DECIMAL` does
not in Spark and Trino (`Engine.bare_types`). What is rewritten means the same in the dialect that
it comes from; all else stays as it is.
"""

import re
from collections.abc import Sequence
from decimal import Decimal
from itertools import pairwise
from typing import Final

import sqlglot
from sqlglot import Token, TokenType, exp
from sqlglot.dialects.dialect import Dialect

from discovery.engines import engine
from discovery.lineage.meanings.days import cast_days
from discovery.lineage.meanings.documents import read_at_path
from discovery.lineage.meanings.elements_read import put_sizes
from discovery.lineage.meanings.intervals import by_sort, interval, units_of, with_casts
from discovery.lineage.meanings.patterns import without_similar
from discovery.lineage.meanings.quantified import listed, plain_text
from discovery.lineage.meanings.relations import read_plainly
from discovery.lineage.meanings.sorts import BARE
from discovery.model import HIVE, MYSQL, POSTGRESQL, SPARK, TRINO

_DECIMAL: Final = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)")
_IN_BYTES: Final = "_binary"
_TAKE_TEXTS: Final = (
    exp.GroupConcat,
    exp.RegexpReplace,
    exp.RegexpLike,
    exp.RegexpILike,
    exp.Pad,
    exp.TimeToStr,
)
_EPOCH: Final = "epoch"
_PARTS: Final = frozenset({"date_part", "datepart"})
_CASTS: Final = {
    "bigint": "BIGINT",
    "decimal": "DECIMAL(10, 0)",
    "smallint": "SMALLINT",
    "tinyint": "TINYINT",
}
_DAY_ONE: Final = "0000-01-01"
_SIZED_CAST: Final = (
    TokenType.ALIAS,
    TokenType.VARCHAR,
    TokenType.L_PAREN,
    TokenType.NUMBER,
    TokenType.R_PAREN,
    TokenType.R_PAREN,
)
_AROUND: Final = {TokenType.L_PAREN, TokenType.COMMA, TokenType.R_PAREN}
_SHORT_UNITS: Final = frozenset(exp.TimeUnit.UNABBREVIATED_UNIT_NAME)


def written_plainly(sql: str, dialect: str) -> str:
    """A statement that sqlglot reads as its engine does.

    sqlglot takes Hive's casts to `VARCHAR(2)` for casts to `STRING`, as Spark's are; Hive's cut
    (2.3.10).

    `DECIMAL '1.50'` of Trino and its kin has the digits that are written, `CAST('1.50' AS DECIMAL)`
    none behind the point (476), and sqlglot makes one thing of both. PostgreSQL keeps them in both.

    Raises:
        OtherMeaningError: It is a constant that sqlglot would cut.
    """
    if dialect == HIVE and "varchar" in sql.casefold():
        sql = _with_cuts(sql)
    if dialect == POSTGRESQL:
        return with_casts(sql)
    if "decimal" not in sql.casefold():
        return sql
    tokens = sqlglot.tokenize(sql, read=engine(dialect).sqlglot)
    for kind, text in reversed([*pairwise(tokens)]):
        types = kind.token_type, text.token_type
        if types == (TokenType.DECIMAL, TokenType.STRING) and _DECIMAL.fullmatch(text.text):
            cast = f"CAST('{text.text}' AS {_digits(text.text)})"
            sql = f"{sql[: kind.start]}{cast}{sql[text.end + 1 :]}"
    return sql


def _with_cuts(sql: str) -> str:
    """A text of Hive whose casts to `VARCHAR(n)` are the first n letters of a STRING."""
    tokens = sqlglot.tokenize(sql, read=engine(HIVE).sqlglot)
    edits = []  # begin, end, and what is there instead
    for at in range(1, len(tokens) - 4):
        kinds = tuple(token.token_type for token in tokens[at - 1 : at + 5])
        if kinds == _SIZED_CAST and (begin := _begin_of(tokens, at - 1)) is not None:
            start = tokens[begin].start
            edits.append((start, start, "SUBSTR("))
            cut = f"STRING), 1, {tokens[at + 2].text})"
            edits.append((tokens[at].start, tokens[at + 4].end + 1, cut))
    for start, end, text in sorted(edits, reverse=True):
        sql = f"{sql[:start]}{text}{sql[end:]}"
    return sql


def _begin_of(tokens: Sequence[Token], end: int) -> int | None:
    """The word CAST in whose parenthesis a token stands; None: it is another function's."""
    depth = 0
    for at in range(end, 0, -1):
        depth += tokens[at].token_type == TokenType.R_PAREN
        depth -= tokens[at].token_type == TokenType.L_PAREN
        if depth < 0:
            return at - 1 if tokens[at - 1].text.casefold() == "cast" else None
    return None


def has_cast_to_char(sql: str, dialect: str) -> bool:
    """Whether a text of Hive fills up with blanks, which sqlglot leaves out."""
    if dialect != HIVE or "char" not in sql.casefold():
        return False
    tokens = sqlglot.tokenize(sql, read=engine(HIVE).sqlglot)
    return any(
        (before.token_type, kind.token_type) == (TokenType.ALIAS, TokenType.CHAR)
        for before, kind in pairwise(tokens)
    )


def of_two_texts(sql: str, dialect: str) -> str:
    """A literal of Spark with a quote doubled in it, which 3.5 leaves out and 4 keeps; else empty.

    `'It''s'` is Its, or It's (`spark.sql.legacy.consecutiveStringLiterals.enabled`; 4.1.4 was
    asked). sqlglot reads it as 3.5 does.
    """
    if dialect != SPARK:
        return ""
    for first, second in pairwise(sqlglot.tokenize(sql, read=engine(dialect).sqlglot)):
        types = first.token_type, second.token_type
        if types == (TokenType.STRING, TokenType.STRING) and first.end + 1 == second.start:
            return sql[first.start : second.end + 1]
    return ""


def year_of_week(sql: str, dialect: str, *, of_cuts: bool = True) -> str:
    """A format of Hive with the year of the week, which sqlglot takes for the year; else empty.

    2023-12-31 is in 2024 by `YYYY` (2.3.10), and Spark 4 refuses it.

    Args:
        sql: A statement.
        dialect: Of it.
        of_cuts: Whether `trunc(d, 'YYYY')` counts, which is the year's begin to Hive and Spark
            (4.3.0, asked on 2026-11-28), but not to sqlglot.
    """
    if dialect != HIVE or "YYYY" not in sql:
        return ""
    tokens = sqlglot.tokenize(sql, read=engine(dialect).sqlglot)
    for place, (comma, literal) in enumerate(pairwise(tokens)):
        types = comma.token_type, literal.token_type
        if types != (TokenType.COMMA, TokenType.STRING) or "YYYY" not in literal.text:
            continue
        if of_cuts or _called_at(tokens[:place]) != "trunc":
            return literal.text
    return ""


def _called_at(before: Sequence[Token]) -> str:
    """The function whose arguments some tokens end within, in small letters; else empty."""
    depth = 0
    for place in range(len(before) - 1, 0, -1):
        depth += before[place].token_type == TokenType.R_PAREN
        if before[place].token_type == TokenType.L_PAREN:
            if not depth:
                return before[place - 1].text.casefold()
            depth -= 1
    return ""


def cut_to_nothing(sql: str, dialect: str) -> str:
    """A unit of Spark's TRUNC and DATE_TRUNC that it does not have; sqlglot knows it; else empty.

    `trunc(d, 'Q')` is NULL (4.1.4), and would be the begin of the quarter.
    """
    if dialect != SPARK or "trunc" not in sql.casefold():
        return ""
    tokens = sqlglot.tokenize(sql, read=engine(dialect).sqlglot)
    for before, unit, behind in zip(tokens, tokens[1:], tokens[2:], strict=False):
        beside = {before.token_type, behind.token_type}
        stands = beside <= _AROUND and unit.token_type == TokenType.STRING
        if stands and unit.text.upper() in _SHORT_UNITS:
            return unit.text
    return ""


def put_plainly(tree: exp.Expr, dialect: str, into: str) -> exp.Expr:
    """A statement without what only the engine that it comes from writes so.

    Args:
        tree: The statement; it is changed.
        dialect: That it was read in.
        into: That it is for.
    """
    cast_days(tree, dialect)
    put_sizes(tree, dialect)
    bare = engine(dialect).bare_types
    has_no_zone = dialect == MYSQL and not engine(into).hive_functions
    for node in reversed(list(tree.dfs())):  # what is inside comes first
        if (plain := _plain(read_at_path(node, dialect), dialect, into)) is not node:
            node.replace(plain)
    for kind in list(tree.find_all(exp.DataType)):
        if kind.is_type(exp.DType.CHARACTER_SET):  # `CHAR(2) CHARSET utf8mb4`, as MySQL stores it
            kind.set("this", exp.DType.CHAR if kind.expressions else exp.DType.TEXT)
            kind.set("kind", None)
        if has_no_zone and kind.is_type(exp.DType.TIMESTAMPTZ):
            kind.set("this", exp.DType.TIMESTAMPNTZ)  # `TIMESTAMP '…'` is written so, and no zone
        meant = bare.get(kind.this.value) if isinstance(kind.this, exp.DType) else None
        if meant and not kind.expressions:
            full = exp.DataType.build(meant)
            full.meta[BARE] = dialect == POSTGRESQL
            kind.replace(full)
        elif meant and kind.is_type(exp.DType.TIMESTAMP):
            kind.set("this", exp.DType[meant])
    return tree


def _plain(node: exp.Expr, dialect: str, into: str) -> exp.Expr:
    match node:
        case exp.Add() | exp.Sub() | exp.TimestampAdd():
            return _reckoned(node, dialect)
        case exp.EQ() | exp.NEQ() | exp.Like() | exp.ILike():
            return listed(node)
        case exp.Lateral() | exp.Table() | exp.Group() | exp.Exists() | exp.Join():
            return read_plainly(node, dialect, into)
        case exp.RegexpLike():
            return without_similar(node)
        case exp.Introducer(this=charset, expression=exp.Literal() as text):
            return text if _is_text(str(charset).casefold(), str(text.this)) else node
        case exp.Cast():
            return _cast(node, dialect)
        case exp.Anonymous() | exp.Extract() | exp.Try() | exp.Dayname() | exp.SafeDivide():
            return _called(node, dialect, into)
    return node


def _called(node: exp.Expr, dialect: str, into: str) -> exp.Expr:
    """A function as others call it, or a part of a time, as of `date_part('day'::text, x)`."""
    match node:
        case exp.Anonymous():
            return _plain_function(node) if dialect == SPARK else node
        case exp.Try(this=exp.Cast() as cast) if dialect == TRINO and type(cast) is exp.Cast:
            return exp.TryCast(this=cast.this, to=cast.to, safe=True)
        case exp.SafeDivide(this=left, expression=right) if dialect == SPARK:
            divisor = exp.Nullif(this=right, expression=exp.Literal.number(0))
            return exp.paren(exp.Div(this=exp.paren(left), expression=divisor))
        case exp.Dayname() if dialect == MYSQL:
            return exp.TimeToStr(this=node.this, format=exp.Literal.string("%A"))
        case exp.Extract(this=exp.Cast(this=exp.Literal() as unit)):
            named = exp.Extract(this=exp.var(unit.name.upper()), expression=node.expression)
            part = _called(named, dialect, into)
            is_double = part is named and unit.name.casefold() == _EPOCH and into == SPARK
            return exp.cast(part, exp.DType.DOUBLE) if is_double else part
        case exp.Extract(this=exp.Var() as unit) if unit.name.casefold() == _EPOCH:
            return _seconds(node.expression, into) or node
    return node


def _plain_function(node: exp.Anonymous) -> exp.Expr:
    """What sqlglot does not read of Spark (4.3.0), though it has it by another name."""
    name, arguments = node.name.casefold(), node.expressions
    match arguments:
        case [exp.Literal() as unit, value] if name in _PARTS:
            return exp.Extract(this=exp.var(unit.name.upper()), expression=value)
        case [value, pattern] if name == "regexp":
            return exp.RegexpLike(this=value, expression=pattern)
        case [value] if name in _CASTS:
            return exp.cast(value, _CASTS[name])
        case [value] if name == "btrim":
            return exp.Trim(this=value)
    return node


def _reckoned(node: exp.Expr, dialect: str) -> exp.Expr:
    """Days between two dates as a number, what MySQL adds to one, and units added at once.

    `INTERVAL 1 YEAR 2 MONTHS` is one interval to Spark (4.3.0), which sqlglot writes as a sum of
    two without parentheses: taken away, the second is added. Those of months, and those of times,
    are added at once; no engine adds the two sorts, which older Sparks take in one interval.

    `timestampadd(MONTH, 1, d)` is `d + interval 1 month` to MySQL (MariaDB 10.11 writes it so): of
    a date it is a date, where days or months are added; Spark's is a time.
    """
    if isinstance(node, exp.Add | exp.Sub):
        units = units_of(node.expression)
        if len(units) > 1 and not units_of(node.this):  # else it is a part of one itself
            return by_sort(node, units)
        return (isinstance(node, exp.Sub) and _difference(node, dialect)) or node
    if dialect != MYSQL:
        return node
    return exp.DateAdd(this=node.this, expression=node.expression, unit=node.args["unit"])


def _is_text(charset: str, text: str) -> bool:
    """Whether a literal says the same without its character set."""
    return charset.startswith("_utf8") or (charset != _IN_BYTES and text.isascii())


def _cast(node: exp.Cast, dialect: str) -> exp.Expr:
    """A constant of a type that nobody else has, as others write it."""
    value: exp.Expr = node.this.unnest()
    kind = node.to
    if isinstance(kind.this, exp.Interval) or kind.is_type(exp.DType.INTERVAL):
        return (value.is_string and interval(str(value.this))) or node
    if kind.is_type(exp.DType.UNKNOWN):  # `NULL::unknown`, as PostgreSQL writes a NULL
        return value
    if dialect == POSTGRESQL and _is_argument(node) and (text := plain_text(node)) is not node:
        return _as_format(text) if isinstance(node.parent, exp.TimeToStr) else text
    if kind.is_type(exp.DType.BPCHAR) and isinstance(value, exp.Literal | exp.Null):
        # blanks at the end count for nothing beside a column of CHAR, as with a literal elsewhere
        return exp.cast(value, exp.DType.TEXT) if isinstance(value, exp.Null) else value
    if dialect == POSTGRESQL and kind.is_type(exp.DType.DECIMAL) and not kind.expressions:
        is_written = value.is_number and _DECIMAL.fullmatch(value.name)
        return exp.cast(value, _digits(value.name)) if is_written else node
    return node


def _is_argument(node: exp.Cast) -> bool:
    """Whether what it is cast to is no matter: a function takes it that asks for a text."""
    return isinstance(node.parent, _TAKE_TEXTS)


def _as_format(text: exp.Expr) -> exp.Expr:
    """A format of a time as sqlglot has those that are written without their type."""
    reader = Dialect.get_or_raise(engine(POSTGRESQL).sqlglot)
    return reader.format_time(text) or text


def _digits(number: str) -> str:
    """The type of a number that is written out, without an exponent."""
    digits = Decimal(number).as_tuple()
    scale = -int(digits.exponent)
    return f"DECIMAL({max(len(digits.digits), scale)}, {scale})"


def _difference(node: exp.Sub, dialect: str) -> exp.Expr | None:
    """A difference that is a number of days; None: it is another one."""
    if dialect == POSTGRESQL:
        return _days(node.this, node.expression)
    return _days_of_mariadb(node.this, node.expression) if dialect == MYSQL else None


def _days(later: exp.Expr, earlier: exp.Expr) -> exp.Expr | None:
    """The days between two dates; None: one may be something else.

    PostgreSQL gives a number for them, others an interval.
    """
    for expression in (later, earlier):
        if not isinstance(expression.unnest(), exp.Cast) or not expression.unnest().is_type(
            exp.DType.DATE
        ):
            return None
    days = exp.DateDiff(this=later, expression=earlier, unit=exp.var("DAY"))
    return exp.cast(days, exp.DType.INT)


def _days_of_mariadb(later: exp.Expr, earlier: exp.Expr) -> exp.Expr | None:
    """The days between two dates; None: it is something else.

    MariaDB (10.11) writes `datediff(a, b)` as `to_days(a) - to_days(b)`.
    """
    end, begin = (_since_day_one(expression) for expression in (later, earlier))
    return exp.DateDiff(this=end, expression=begin) if end and begin else None


def _since_day_one(node: exp.Expr) -> exp.Expr | None:
    """The date of which `to_days` is asked; None: it is not."""
    match node.unnest():
        case exp.Add(this=exp.DateDiff(this=day, expression=exp.TsOrDsToDate(this=first))):
            is_first = first.is_string and first.name == _DAY_ONE
            return exp.cast(day.this, exp.DType.DATE) if is_first else None
    return None


def _seconds(span: exp.Expr, into: str) -> exp.Expr | None:
    """The seconds between two instants; None: it may be an instant.

    Of an instant, as a difference with an interval is one, the analyzers refuse what is made here.
    Trino's intervals have milliseconds, so what is less is cut off there.
    """
    if not isinstance(span.unnest(), exp.Sub):
        return None
    if into == SPARK:
        within = exp.DataType(this=exp.Interval(unit=exp.var("SECOND")))
        return exp.cast(exp.Cast(this=span, to=within), "DECIMAL(20, 6)")
    if into == TRINO:
        millis = exp.cast(exp.func("to_milliseconds", span), "DECIMAL(20, 0)")
        return exp.paren(exp.Mul(this=millis, expression=exp.Literal.number("0.001")))
    return None
