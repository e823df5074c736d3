"""What a clock shows of an instant: to most engines that of the session, to Trino its own zone's.

Trino (476) keeps a zone with each value, and that of a column is the connector's, mostly UTC; Spark
(4.3.0), PostgreSQL (18.4) and MariaDB (10.11) have the zone of the session. Asked on 2026-11-30.
"""

from collections.abc import Iterator
from typing import Final

from sqlglot import exp

from discovery.lineage.meanings.kinds import ValueKinds
from discovery.lineage.meanings.pair import DialectPair
from discovery.lineage.meanings.sorts import Sort
from discovery.lineage.meanings.times import is_of_seconds

_EPOCH: Final = "epoch"
_BY_CLOCK: Final = (
    exp.AddMonths,
    exp.Date,
    exp.DateDiff,
    exp.DateTrunc,
    exp.Day,
    exp.DayOfMonth,
    exp.DayOfWeek,
    exp.DayOfWeekIso,
    exp.DayOfYear,
    exp.Dayname,
    exp.Hour,
    exp.LastDay,
    exp.Minute,
    exp.Month,
    exp.Monthname,
    exp.NextDay,
    exp.Quarter,
    exp.Second,
    exp.TimeStrToTime,
    exp.TimeToStr,
    exp.TimestampTrunc,
    exp.ToChar,
    exp.TsOrDsAdd,
    exp.TsOrDsToDate,
    exp.TsOrDsToTimestamp,
    exp.Week,
    exp.WeekOfYear,
    exp.Year,
    exp.YearOfWeek,
)
_ON_CLOCKS: Final = (
    exp.DType.DATE,
    exp.DType.DATETIME,
    exp.DType.TIME,
    exp.DType.TIMESTAMP,
    exp.DType.TIMESTAMPNTZ,
)
_DAYS: Final = frozenset({"day", "days", "week", "weeks"})


def put_zone(node: exp.Expr, pair: DialectPair) -> None:
    """Put instants of columns into the session's zone, where a draft for Trino has a clock."""
    if not pair.to_trino:
        return
    for instant in [*instants_on_clocks(node, pair.kinds)]:
        session = exp.func("CURRENT_TIMEZONE")
        zoned = exp.Anonymous(this="AT_TIMEZONE", expressions=[instant.copy(), session])
        pair.kinds.remember(zoned, pair.kinds.of(instant))
        instant.replace(zoned)


def instants_on_clocks(node: exp.Expr, kinds: ValueKinds) -> Iterator[exp.Expr]:
    """The instants of columns of which an expression takes what a clock shows."""
    for value in _on_clocks(node):
        if kinds.is_of(value, Sort.INSTANT) and _is_of_column(value, kinds):
            yield value


def adds_days(node: exp.Expr, kinds: ValueKinds) -> bool:
    """Whether days are added to an instant: 24 hours each to Trino, 23 or 25 in some zones."""
    if not isinstance(node, exp.Add | exp.Sub) or not kinds.is_of(node.left, Sort.INSTANT):
        return False
    return _unit(node.right.unnest()) in _DAYS


def _unit(span: exp.Expr) -> str:
    unit = span.args.get("unit") if isinstance(span, exp.Interval) else None
    return unit.name.casefold() if unit is not None else ""


def _on_clocks(node: exp.Expr) -> tuple[exp.Expr, ...]:
    """What an expression reads from a clock."""
    match node:
        case exp.Extract(this=unit, expression=value):
            return () if unit.name.casefold() == _EPOCH else (value,)
        case exp.DateDiff():
            return node.this, node.expression
        case exp.Cast(to=to, this=value):
            return (value,) if to.is_type(*_ON_CLOCKS) else ()
        case exp.Add(left=value, right=span) | exp.Sub(left=value, right=span):
            inner = span.unnest()
            is_of_months = isinstance(inner, exp.Interval) and not is_of_seconds(inner)
            return (value,) if is_of_months else ()
    return (node.this,) if isinstance(node, _BY_CLOCK) else ()


def _is_of_column(value: exp.Expr, kinds: ValueKinds) -> bool:
    """Whether it comes of a column: what else is an instant has the zone of the session."""
    return any(kinds.is_of(column, Sort.INSTANT) for column in value.find_all(exp.Column))
