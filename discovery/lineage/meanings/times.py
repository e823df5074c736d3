"""Dates and times: days of the week, formats, zones, and what is added."""

from typing import Final

from sqlglot import exp

from discovery.lineage.meanings import formats
from discovery.lineage.meanings.expressions import is_zone, operand, sorts, text
from discovery.lineage.meanings.pair import DialectPair, Rules
from discovery.lineage.meanings.singles import with_doubles
from discovery.lineage.meanings.sorts import NUMBERS, THOUSANDTHS, TIMES, Sort
from discovery.lineage.meanings.written_out import number
from discovery.model import HIVE, MYSQL, POSTGRESQL, SPARK

_ISO_DAYS: Final = frozenset({"isodow", "dow_iso", "dayofweek_iso", "day_of_week"})
_WEEK_DAYS: Final = _ISO_DAYS | {"dow", "dayofweek"}
_UNITS: Final = frozenset({"day", "hour", "minute", "second", "month", "year"})
_OF_MONTHS: Final = frozenset({"year", "quarter", "month", "years", "quarters", "months"})
_HOURS: Final = frozenset({"hour", "minute", "second"})
_CUT_TO: Final = _UNITS | {"millisecond", "week", "quarter"}
_SHORT_UNITS: Final = {"dd": "day", "mon": "month", "mm": "month", "yy": "year", "yyyy": "year"}
"""Of Spark and Hive (`DateTimeUtils.parseTruncLevel`)."""
_WEEK: Final = "week"
_HALF_A_THOUSANDTH: Final = "0.0005"
_BEGIN: Final = "1970-01-01 00:00:00"
_A_MILLIONTH: Final = exp.Literal.number("0.000001")
"""By which a time is later than the thousandth to which Trino (476) rounds before it formats."""
"""Names of regions: to PostgreSQL alone `+02:00` lies west of UTC, and CET has no summer."""
_TAKE_DAYS: Final = (exp.LastDay, exp.TsOrDsToDate, exp.TsOrDsAdd, exp.Year, exp.Month, exp.Day)
"""What makes a day of a text by itself."""
_WRAPPERS: Final = (exp.TsOrDsToTimestamp, exp.TimeStrToTime, exp.TsOrDsToDate)
"""Casts to a time by which sqlglot reads what a function takes."""
_OF_SPARK: Final = {
    "day": ("DATE_ADD", 1),
    "week": ("DATE_ADD", 7),
    "month": ("ADD_MONTHS", 1),
    "quarter": ("ADD_MONTHS", 3),
    "year": ("ADD_MONTHS", 12),
}
"""By unit, how Spark adds it to a day, and of how many of its own units."""


def _cut(node: exp.DateTrunc | exp.TimestampTrunc, pair: DialectPair) -> exp.Expr:
    """A time that is cut: of what is no unit Trino's analyzer says nothing, and Spark NULL."""
    written = node.args["unit"].name.casefold()
    unit = _SHORT_UNITS.get(written, written) if pair.source.hive_functions else written
    if unit not in _CUT_TO:
        return pair.lost(node)
    if pair.dialect == HIVE:  # its TRUNC gives a text, and NULL of a week (2.3.10)
        if unit == _WEEK:
            return pair.lost(node)
        cut = exp.TimestampTrunc(this=node.this, unit=exp.var(unit.upper()))
        return exp.cast(exp.cast(cut, exp.DType.DATE), exp.DType.TEXT)
    is_date = Sort.DATE in sorts(pair.kinds.of(node.this))
    is_day = pair.dialect == SPARK and isinstance(node, exp.DateTrunc)  # its TRUNC, also of a time
    if is_day and not is_date:
        cut = exp.TimestampTrunc(this=node.this, unit=exp.var(unit.upper()))
        return exp.cast(cut, exp.DType.DATE)
    if pair.of_trino and is_date:
        return exp.cast(node.copy(), exp.DType.DATE)  # a date that is cut is one there
    if pair.to_trino and is_date and isinstance(node, exp.TimestampTrunc):  # and a time to others
        _make_time(node.this)
    return node if unit == written else type(node)(this=node.this, unit=exp.var(unit.upper()))


def _part(node: exp.Extract, pair: DialectPair) -> exp.Expr:
    unit = node.this.name.casefold()
    if unit == "epoch" and pair.target.hive_functions:
        return _since_1970(node, node.expression, pair)
    if unit == "week" and pair.dialect == MYSQL:
        return pair.lost(node)  # begins with Sunday, by a setting
    if unit in _WEEK_DAYS:
        iso = _iso_day(node.expression, pair)
        if unit in _ISO_DAYS or pair.of_trino:
            return iso
        sunday = _since_sunday(iso)
        return exp.paren(sunday if pair.dialect == POSTGRESQL else _plus_one(sunday))
    if unit == "second" and pair.dialect == HIVE:
        return exp.Second(this=node.expression)  # without a fraction (2.3.10)
    if unit != "second" or not pair.beside_trino:
        return node
    return exp.Second(this=node.expression) if pair.of_trino else pair.lost(node)


def _fractions_since_1970(node: exp.TimeToUnix, pair: DialectPair) -> exp.Expr:
    """`to_unixtime` of Trino (476) is a double."""
    if not pair.of_trino or not pair.target.hive_functions:
        return node
    return exp.cast(_since_1970(node, node.this, pair), exp.DType.DOUBLE)


def _since_1970(node: exp.Expr, value: exp.Expr, pair: DialectPair) -> exp.Expr:
    """Seconds, of a time without a zone as if that were UTC."""
    value = value.unnest()
    if pair.kinds.is_of(value, Sort.INSTANT):
        micros = exp.Anonymous(this="UNIX_MICROS", expressions=[value.copy()])
    elif pair.kinds.is_of(value, Sort.WALL_CLOCK):
        since, until = (exp.cast(it, exp.DType.TIMESTAMPNTZ) for it in (text(_BEGIN), value.copy()))
        unit = exp.var("MICROSECOND")
        micros = exp.Anonymous(this="TIMESTAMPDIFF", expressions=[unit, since, until])
    else:
        return pair.lost(node)
    seconds = exp.Mul(this=exp.cast(micros, "DECIMAL(20, 0)"), expression=_A_MILLIONTH.copy())
    return exp.cast(seconds, "DECIMAL(26, 6)")


def _week_day(node: exp.DayOfWeek | exp.DayOfWeekIso, pair: DialectPair) -> exp.Expr:
    iso = _iso_day(node.this, pair)
    if isinstance(node, exp.DayOfWeekIso):
        return iso
    return exp.paren(_plus_one(_since_sunday(iso)))


def _since_sunday(iso: exp.Expr) -> exp.Expr:
    """The days since the last Sunday."""
    return exp.Mod(this=iso, expression=exp.Literal.number(7))


def _plus_one(node: exp.Expr) -> exp.Expr:
    return exp.Add(this=node, expression=exp.Literal.number(1))


def _iso_day(day: exp.Expr, pair: DialectPair) -> exp.Expr:
    """The number of a day in its week, which begins with Monday, 1."""
    if pair.to_trino:
        return exp.Anonymous(this="DAY_OF_WEEK", expressions=[day])
    return exp.paren(_plus_one(exp.Anonymous(this="WEEKDAY", expressions=[day])))


def _time(node: exp.Expr, pair: DialectPair) -> exp.Expr:
    value = node.this.this if isinstance(node.this, _WRAPPERS) else node.this
    is_number = isinstance(node, exp.TimeToStr) and pair.kinds.is_of(value, *NUMBERS)
    if is_number or not formats.is_kept(node, pair):  # `to_char` of PostgreSQL takes numbers, too
        return pair.lost(node)
    kind = pair.kinds.of(value)
    if not isinstance(node, exp.TimeToStr) or kind is None or kind.sort not in TIMES:
        return node
    if pair.of_trino and kind.digits > THOUSANDTHS:
        half = exp.Interval(this=text(_HALF_A_THOUSANDTH), unit=exp.var("SECOND"))
        rounded = exp.Add(this=operand(value), expression=half)
        return exp.TimeToStr(this=rounded, format=node.args["format"])
    if not pair.to_trino:
        return node
    second = exp.Anonymous(this="DATE_TRUNC", expressions=[text("second"), value])
    return exp.TimeToStr(this=second, format=node.args["format"])  # it rounds to thousandths first


def _zone(node: exp.AtTimeZone, pair: DialectPair) -> exp.Expr:
    kind, zone = pair.kinds.of(node.this), node.args["zone"]
    literal = zone.this if isinstance(zone, exp.Cast) else zone
    if pair.dialect != POSTGRESQL or kind is None or not is_zone(literal):
        return pair.lost(node)
    if pair.target.hive_functions and kind.sort is Sort.INSTANT:
        return _wall_clock(node.this, zone)
    if pair.to_trino and kind.sort is Sort.WALL_CLOCK:
        zoned = exp.func("WITH_TIMEZONE", node.this, zone)
        return exp.func("AT_TIMEZONE", zoned, exp.func("CURRENT_TIMEZONE"))
    if pair.to_trino and kind.sort is Sort.INSTANT:
        zoned = exp.func("AT_TIMEZONE", node.this, zone)
        return exp.cast(zoned, "TIMESTAMPNTZ")
    return pair.lost(node)


def _wall_clock(instant: exp.Expr, zone: exp.Expr) -> exp.Expr:
    """What a clock shows in a zone, whatever the zone of Spark's session is."""
    micros = exp.Anonymous(this="UNIX_MICROS", expressions=[instant.copy()])
    since = exp.cast(text(_BEGIN), exp.DType.TIMESTAMPNTZ)
    utc = exp.Anonymous(this="TIMESTAMPADD", expressions=[exp.var("MICROSECOND"), micros, since])
    return exp.Anonymous(this="CONVERT_TIMEZONE", expressions=[text("UTC"), zone.copy(), utc])


def _date_add(node: exp.DateAdd | exp.DateSub, pair: DialectPair) -> exp.Expr:
    """What is added to a time of day, which Spark's DATE_ADD and ADD_MONTHS leave out."""
    kind, unit = pair.kinds.of(node.this), str(node.args.get("unit") or "day").casefold()
    is_date = kind is not None and kind.sort is Sort.DATE
    if is_date and unit in _HOURS:
        _make_time(node.this)
    elif not pair.target.hive_functions or is_date:
        return node
    if not pair.target.hive_functions:
        return node
    if kind is None:
        return pair.unknown(node)
    count = _count(node.expression)
    is_whole = pair.kinds.is_of(node.expression, Sort.WHOLE)
    if count is None and is_whole and isinstance(node, exp.DateAdd) and unit in _UNITS:
        return exp.TimestampAdd(this=node.this, expression=node.expression, unit=node.args["unit"])
    if count is None or unit not in _UNITS:
        return pair.lost(node)
    count = count if isinstance(node, exp.DateAdd) else -count
    size = exp.Interval(this=text(str(count)), unit=exp.var(unit.upper()))
    return exp.paren(exp.Add(this=operand(node.this), expression=size))


def _time_later(node: exp.TimestampAdd, pair: DialectPair) -> exp.Expr:
    """Spark's `dateadd(MONTH, 1, d)` of a date is a time."""
    is_date = Sort.DATE in sorts(pair.kinds.of(node.this))
    if pair.to_trino and pair.source.hive_functions and is_date:
        _make_time(node.this)
    return node


def _make_time(date: exp.Expr) -> None:
    """Let a date be a time, its midnight."""
    date.replace(exp.cast(date.copy(), exp.DType.TIMESTAMPNTZ))


def _count(node: exp.Expr) -> int | None:
    """A number, also between quotes, as sqlglot reads that of an interval."""
    if node.is_string and node.name.removeprefix("-").isdecimal():
        return int(node.name)
    return number(node)


def _of_seconds(node: exp.UnixToTime, pair: DialectPair) -> exp.Expr:
    """A time by its seconds since 1970, of which Spark's FROM_UNIXTIME leaves out a fraction."""
    kind = pair.kinds.of(node.this)
    if node.args.get("format") is not None or node.args.get("zone") is not None:
        return pair.lost(node)
    if not pair.target.hive_functions or (kind is not None and kind.sort is Sort.WHOLE):
        return node
    if pair.of_trino:
        return pair.lost(node)  # thousandths
    return exp.Anonymous(this="TIMESTAMP_SECONDS", expressions=[node.this])


def _months_later(node: exp.AddMonths, pair: DialectPair) -> exp.Expr:
    """A day of a later month: a text to Hive, and of the last day of a month always the last."""
    if pair.dialect != HIVE:
        return _month_added(node) if pair.to_trino else node
    is_written = pair.to_trino or _count(node.expression) is not None
    if not is_written or not pair.kinds.is_of(node.this, Sort.DATE):
        return pair.lost(node)
    later = _month_added(node) if pair.to_trino else _month_behind(node)
    is_last = exp.EQ(this=node.this.copy(), expression=exp.LastDay(this=node.this.copy()))
    last = exp.LastDay(this=later.copy())
    month = exp.Case().when(is_last, last).else_(later.copy())
    return month if isinstance(node.parent, _TAKE_DAYS) else exp.cast(month, exp.DType.TEXT)


def _month_added(node: exp.AddMonths) -> exp.Expr:
    day = exp.cast(node.this.copy(), exp.DType.DATE)
    return exp.DateAdd(this=day, expression=node.expression.copy(), unit=exp.var("MONTH"))


def _month_behind(node: exp.AddMonths) -> exp.Expr:
    """The same for Spark, whose ADD_MONTHS in a text of Hive is told to be another day."""
    span = exp.Interval(this=text(str(_count(node.expression))), unit=exp.var("MONTH"))
    return exp.paren(exp.Add(this=operand(node.this), expression=span))


def _seconds_since_1970(node: exp.StrToUnix, pair: DialectPair) -> exp.Expr:
    """The seconds of an instant, of which Trino has a fraction, too.

    What has no zone is of that of the session.
    """
    if not pair.to_trino:
        return node
    instant, kind = node.this.copy(), pair.kinds.of(node.this)
    if kind is None or (kind.sort is Sort.TEXT and not formats.is_kept(node, pair)):
        return pair.lost(node)
    if kind.sort is Sort.TEXT:
        instant = exp.Try(this=exp.StrToTime(this=instant, format=node.args["format"].copy()))
    elif kind.sort is Sort.DATE:
        instant = exp.cast(instant, exp.DType.TIMESTAMPNTZ)
    elif kind.sort not in TIMES:
        return pair.lost(node)
    if kind.sort is not Sort.INSTANT and not isinstance(node.this, exp.CurrentTimestamp):
        zone = exp.func("CURRENT_TIMEZONE")
        instant = exp.Anonymous(this="WITH_TIMEZONE", expressions=[instant, zone])
    seconds = exp.Floor(this=exp.func("TO_UNIXTIME", instant))
    return exp.cast(seconds, exp.DType.BIGINT)


def _days(node: exp.DateDiff, pair: DialectPair) -> exp.Expr:
    """Days between two dates, which Spark's function makes of times only if no unit is named."""
    ends = node.this, node.expression
    if pair.source.hive_functions and node.args.get("unit"):
        later, earlier = (
            value.this if isinstance(value, exp.TsOrDsToDate) else value for value in ends
        )
        return exp.TimestampDiff(this=later, expression=earlier, unit=node.args["unit"])
    since = node.expression.find(exp.Literal)
    return pair.lost(node) if since is not None and since.name == "0000-01-01" else node


def _added(node: exp.Add | exp.Sub, pair: DialectPair) -> exp.Expr:
    """What is added; a date of MySQL to which hours are, is a time."""
    span = node.right.unnest()
    if pair.dialect != MYSQL or not isinstance(span, exp.Interval):
        return _later(node, pair)
    unit = str(span.args.get("unit") or "").casefold()
    if unit in _HOURS and pair.kinds.is_of(node.left, Sort.DATE):
        _make_time(node.left)
    amount = span.this
    is_written = amount is None or amount.is_number or _count(amount) is not None
    return _later(node, pair) if is_written else _computed_later(node, amount, unit, pair)


def _computed_later(
    node: exp.Add | exp.Sub, amount: exp.Expr, unit: str, pair: DialectPair
) -> exp.Expr:
    """What MySQL adds a computed interval to, as others write it.

    Raises:
        OtherMeaningError: It is of other units, or not known to be of whole ones.
    """
    is_known = pair.kinds.is_of(node.left, Sort.DATE, *TIMES)
    is_whole = pair.kinds.is_of(amount, Sort.WHOLE)
    if not is_known or not is_whole or unit not in {*_OF_SPARK, *_HOURS}:
        return pair.lost(node)
    size: exp.Expr = operand(amount)
    size = exp.Neg(this=size) if isinstance(node, exp.Sub) else size
    if pair.target.hive_functions and pair.kinds.is_of(node.left, Sort.DATE):
        return _days_later(node.left, size, unit)
    added = exp.DateAdd if pair.to_trino else exp.TimestampAdd
    return added(this=node.left, expression=size, unit=exp.var(unit.upper()))


def _days_later(day: exp.Expr, amount: exp.Expr, unit: str) -> exp.Expr:
    """A day so many days or months later, in Spark, whose `dateadd` makes a time of it."""
    function, factor = _OF_SPARK[unit]
    product = exp.Mul(this=amount, expression=exp.Literal.number(factor))
    return exp.Anonymous(this=function, expressions=[day, product if factor > 1 else amount])


def _later(node: exp.Add | exp.Sub, pair: DialectPair) -> exp.Expr:
    """A date with an interval, a time of day to PostgreSQL and Hive; and days between dates."""
    if Sort.DATE not in sorts(pair.kinds.of(node.left)):
        return with_doubles(node, pair)
    if pair.dialect == MYSQL and NUMBERS & sorts(pair.kinds.of(node.right)):
        return pair.lost(node)  # a number of digits
    if pair.dialect == HIVE and is_of_seconds(node.right.unnest()):
        return type(node)(this=exp.cast(node.left, exp.DType.TIMESTAMP), expression=node.right)
    if pair.to_trino and Sort.WHOLE in sorts(pair.kinds.of(node.right)):
        added = exp.DateAdd if isinstance(node, exp.Add) else exp.DateSub
        return added(this=node.left, expression=node.right, unit=exp.var("DAY"))
    if pair.dialect != POSTGRESQL:
        return node
    if isinstance(node, exp.Sub) and Sort.DATE in sorts(pair.kinds.of(node.right)):
        days = exp.DateDiff(this=node.left, expression=node.right, unit=exp.var("DAY"))
        return exp.cast(days, exp.DType.INT)
    if not isinstance(node.right.unnest(), exp.Interval):
        return node
    return type(node)(this=exp.cast(node.left, "TIMESTAMPNTZ"), expression=node.right)


def is_of_seconds(node: exp.Expr) -> bool:
    """Whether it is an interval that Hive (2.3.10) makes a time of a date with: of no months."""
    unit = node.args.get("unit") if isinstance(node, exp.Interval) else None
    return unit is not None and unit.name.casefold() not in _OF_MONTHS


RULES: Final[Rules] = {
    exp.Extract: _part,
    exp.DayOfWeek: _week_day,
    exp.DayOfWeekIso: _week_day,
    exp.TimeToStr: _time,
    exp.StrToTime: _time,
    exp.StrToDate: _time,
    exp.AtTimeZone: _zone,
    exp.DateAdd: _date_add,
    exp.DateSub: _date_add,
    exp.TimestampAdd: _time_later,
    exp.DateDiff: _days,
    exp.AddMonths: _months_later,
    exp.StrToUnix: _seconds_since_1970,
    exp.TimeToUnix: _fractions_since_1970,
    exp.UnixToTime: _of_seconds,
    exp.DateTrunc: _cut,
    exp.TimestampTrunc: _cut,
    exp.Add: _added,
    exp.Sub: _added,
}
