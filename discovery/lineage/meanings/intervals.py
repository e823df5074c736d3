"""Intervals of several units, which PostgreSQL and Spark write as one, as others write them."""

import re
from decimal import Decimal
from functools import reduce
from itertools import zip_longest
from typing import Final

import sqlglot
from sqlglot import TokenType, exp

from discovery.engines import engine
from discovery.lineage.meanings.pair import OtherMeaningError
from discovery.model import POSTGRESQL

_INTERVAL: Final = re.compile(
    r"(?:(?P<years>[+-]?\d+) years? ?)?(?:(?P<months>[+-]?\d+) mons? ?)?"
    r"(?:(?P<days>[+-]?\d+) days? ?)?"
    r"(?:(?P<sign>[+-]?)(?P<hours>\d+):(?P<minutes>\d\d):(?P<seconds>\d\d(?:\.\d+)?))?"
)
"""As PostgreSQL shows one, whatever it was written like (`IntervalStyle` postgres)."""
_UNITS: Final = ((3600, "HOUR"), (60, "MINUTE"))
_COUNTED: Final = re.compile(r"\s*-?\d+(?:\.\d+)?\s*[a-zA-Z]+\s*")
"""A number and its unit, of which sqlglot takes the only one of a text for all of it."""
_FIELDS: Final = frozenset({"year", "month", "day", "hour", "minute", "second"})
_MONTHS: Final = frozenset({"YEAR", "YEARS", "QUARTER", "QUARTERS", "MONTH", "MONTHS"})
"""Units of which the others are no parts."""


def with_casts(sql: str) -> str:
    """A text of PostgreSQL with its `INTERVAL '1 day 02:00:00'` as the server shows it, a cast.

    sqlglot (30) makes INTERVAL '1' DAY of it, without the hours. Where a field stands behind the
    text, that is the unit.

    Raises:
        OtherMeaningError: sqlglot would leave out a part of another one, as of `'1 day 02:00'`.
    """
    if "interval" not in sql.casefold():
        return sql
    tokens = sqlglot.tokenize(sql, read=engine(POSTGRESQL).sqlglot)
    triples = [*zip_longest(tokens, tokens[1:], tokens[2:])]
    for kind, text, behind in reversed(triples[:-1]):
        types = kind.token_type, text.token_type
        has_field = behind is not None and behind.text.casefold() in _FIELDS
        if types != (TokenType.INTERVAL, TokenType.STRING) or has_field:
            continue
        if _INTERVAL.fullmatch(text.text):
            cast = f"CAST({sql[text.start : text.end + 1]} AS INTERVAL)"
            sql = f"{sql[: kind.start]}{cast}{sql[text.end + 1 :]}"
        elif len(_COUNTED.findall(text.text)) == 1 and not _COUNTED.fullmatch(text.text):
            raise OtherMeaningError(f"INTERVAL {text.text!r:.60} would lose a part")
    return sql


def interval(text: str) -> exp.Expr | None:
    """An interval of months, or of days and seconds; None: of both, or it is no such text."""
    match = _INTERVAL.fullmatch(text)
    if match is None or not text:
        return None
    years, months, days = (int(match[name] or 0) for name in ("years", "months", "days"))
    within_hour = Decimal(match["seconds"] or 0) + 60 * int(match["minutes"] or 0)
    seconds = (within_hour + 3600 * int(match["hours"] or 0)) * (-1 if match["sign"] == "-" else 1)
    if (months := 12 * years + months) and (days or seconds):
        return None
    size, unit = next((pair for pair in _UNITS if seconds % pair[0] == 0), (1, "SECOND"))
    parts = ((Decimal(months), "MONTH"), (Decimal(days), "DAY"), (seconds / size, unit))
    kept = [_of_unit(number, unit) for number, unit in parts if number]
    if not kept:
        return exp.Interval(this=exp.Literal.string("0"), unit=exp.var("SECOND"))
    return kept[0] if len(kept) == 1 else exp.paren(exp.Add(this=kept[0], expression=kept[1]))


def _of_unit(number: Decimal, unit: str) -> exp.Expr:
    amount = exp.Literal.string(f"{abs(number).normalize():f}")
    interval = exp.Interval(this=amount, unit=exp.var(unit))
    return interval if number > 0 else exp.paren(exp.Neg(this=interval))


def units_of(node: exp.Expr) -> list[exp.Interval]:
    """The units of an interval that has several, as sqlglot reads it: a sum without parentheses."""
    if isinstance(node, exp.Interval):
        return [node]
    if not isinstance(node, exp.Add):
        return []
    parts = units_of(node.this), units_of(node.expression)
    return [*parts[0], *parts[1]] if all(parts) else []


def by_sort(node: exp.Add | exp.Sub, units: list[exp.Interval]) -> exp.Expr:
    """A sum or difference with the months of an interval at once, and with its times at once."""
    months: list[exp.Expr] = [
        unit for unit in units if str(unit.args.get("unit")).upper() in _MONTHS
    ]
    times: list[exp.Expr] = [unit for unit in units if unit not in months]
    reckoned: exp.Expr = node.this
    for sort in filter(None, (months, times)):
        together = reduce(lambda total, unit: exp.Add(this=total, expression=unit), sort)
        operand = exp.paren(together) if len(sort) > 1 else together
        reckoned = type(node)(this=reckoned, expression=operand)
    return reckoned
