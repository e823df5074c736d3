"""What a draft may mean otherwise where that depends on values or settings that nobody knows here.

Such a text is shown, as mostly it is the same; what it depends on is told beside it.
"""

from collections.abc import Callable, Mapping
from typing import Final

from sqlglot import exp

from discovery.lineage.meanings.begins import takes_begin_of_text
from discovery.lineage.meanings.blanks import cuts_white_space
from discovery.lineage.meanings.collations import (
    COMPARED,
    ORDERS,
    by_collation,
    by_locale,
    compared,
)
from discovery.lineage.meanings.documents import shows_otherwise
from discovery.lineage.meanings.expressions import (
    counts_months,
    has_odd_letters,
    is_chosen_by,
    is_membership_seen,
    is_row_seen,
    parent_beyond,
    rounds_near_halves,
    sorts,
)
from discovery.lineage.meanings.formats import STRICT
from discovery.lineage.meanings.hives_own import (
    is_row,
    may_be_odd_day,
    otherwise_to_hive,
    otherwise_to_hive_than_spark,
    without_room,
)
from discovery.lineage.meanings.operands_read import is_beside_no_day, is_counted_on, may_be_zero
from discovery.lineage.meanings.pair import DialectPair
from discovery.lineage.meanings.patterns import is_beyond_ascii, spans_lines, takes_longest
from discovery.lineage.meanings.places import may_count_from_end
from discovery.lineage.meanings.shown import CLOSE_DIGITS, shows_close
from discovery.lineage.meanings.sorts import THOUSANDTHS, TIMES, Sort, of_type
from discovery.lineage.meanings.spark_reads import is_tried
from discovery.lineage.meanings.taken_texts import (
    is_day_of_spark,
    is_float_of_spark,
    seeks_any_text,
)
from discovery.lineage.meanings.written_out import number
from discovery.lineage.meanings.zones import adds_days, instants_on_clocks
from discovery.model import HIVE, MYSQL, POSTGRESQL, SPARK

_MEASURES: Final = (
    exp.Stddev,
    exp.StddevPop,
    exp.StddevSamp,
    exp.Variance,
    exp.VariancePop,
    exp.PercentRank,
    exp.CumeDist,
    exp.Pi,
)
_READ: Final = (exp.StrToTime, exp.StrToDate, exp.StrToUnix, exp.TsOrDsToDate)
_NO_DAY: Final = "a date beside a text that is no whole day is NULL to Hive, and compared"
_NO_SUCH_DAY: Final = "2024-02-30 is 2024-03-01 to Hive, NULL"
_ODD_DAY: Final = (
    "of a text that is no plain day or time, as 2024-02-30 or 2024-03-03T10:00, "
    "it may be another one, or NULL"
)
_OF_MAPS: Final = "map_concat"
_SPANS: Final = (exp.Sub, exp.DateDiff, exp.TimestampDiff)


def doubts_of(tree: exp.Expr, pair: DialectPair) -> tuple[str, ...]:
    """What a statement may mean otherwise, in words; each reason once, with its first place.

    Args:
        tree: The statement as it was read.
        pair: Its dialect, and that of the draft.
    """
    first_nodes: dict[str, exp.Expr] = {}
    for node in tree.walk():
        for reason, is_so in _REASONS.items():
            if reason not in first_nodes and is_so(node, pair):
                first_nodes[reason] = node
        if (what := _of_hive_alone(node, pair)) and what not in first_nodes:
            first_nodes[what] = node
    return tuple(f"{pair.shown(node)}: {reason}" for reason, node in first_nodes.items())


def _of_hive_alone(node: exp.Expr, pair: DialectPair) -> str:
    """What Hive (2.3.10) has otherwise than the engine of a draft of its text; empty: nothing."""
    if pair.dialect != HIVE:
        return ""
    if isinstance(node, exp.Binary) and is_beside_no_day(node, pair.kinds):
        return _NO_DAY
    if pair.to_trino and isinstance(node, exp.Cast) and is_counted_on(node, pair.kinds):
        return _NO_SUCH_DAY
    if may_be_odd_day(node, pair.kinds):
        return _ODD_DAY
    if pair.into == SPARK and shows_close(node, pair.kinds):
        return CLOSE_DIGITS
    what = otherwise_to_hive(node, pair.kinds)
    to_reader = otherwise_to_hive_than_spark if pair.into == SPARK else without_room
    return what or to_reader(node, pair.kinds)


def _of_lines(node: exp.Expr, pair: DialectPair) -> bool:
    """Hive's (2.3.10) `a%b` and `a_b` are found across no line's end; of Spark it is told."""
    is_hives = pair.dialect == HIVE and pair.to_trino and isinstance(node, exp.Like)
    return is_hives and spans_lines(node.expression)


def _of_exact_nan(node: exp.Expr, pair: DialectPair) -> bool:
    """PostgreSQL's `numeric` has NaN and infinities, Spark's (4.3.0) is NULL of them."""
    if pair.dialect != POSTGRESQL or not isinstance(node, exp.Cast):
        return False
    return (
        pair.into == SPARK
        and node.to.is_type(exp.DType.DECIMAL)
        and pair.kinds.is_of(node.this, Sort.FLOAT)
    )


def _of_nan(node: exp.Expr, pair: DialectPair) -> bool:
    """To Spark and PostgreSQL it equals itself and is the largest; Trino 476 compares it not."""
    if not pair.beside_trino or pair.dialect == MYSQL:
        return False
    is_compared = isinstance(node, (*COMPARED, *ORDERS))
    return is_compared and any(pair.kinds.is_of(value, Sort.FLOAT) for value in compared(node))


def _of_range(node: exp.Expr, pair: DialectPair) -> bool:
    """Hive (2.3.10), and Spark out of ANSI mode, take what is left of it; TRY_CAST gives NULL."""
    if not (isinstance(node, exp.Cast) and pair.to_trino and pair.source.hive_functions):
        return False
    to, kind = of_type(node.to), pair.kinds.of(node.this)
    if to is None or to.sort is not Sort.WHOLE or number(node.this) is not None:
        return False
    return kind is None or kind.sort is Sort.FLOAT or kind.digits - kind.scale > to.digits


def _of_letters(node: exp.Expr, pair: DialectPair) -> bool:
    """PostgreSQL 18.6, MariaDB 10.11 and Trino 476 put each letter for one other, Java does not."""
    is_odd = has_odd_letters(node) or isinstance(node, exp.Initcap)
    return is_odd and not pair.share_functions


def _of_microseconds(node: exp.Expr, pair: DialectPair) -> bool:
    """The time between two times, of which Trino (476) keeps thousandths of seconds."""
    if not pair.beside_trino or not isinstance(node, _SPANS):
        return False
    ends = [pair.kinds.of(node.this), pair.kinds.of(node.expression)]
    known = [kind for kind in ends if kind is not None and kind.sort in TIMES]
    return len(known) == len(ends) and max(kind.digits for kind in known) > THOUSANDTHS


def _of_shown_digits(node: exp.Expr, pair: DialectPair) -> bool:
    """MariaDB (10.11) shows 10 digits of a share of rows, 4 of a deviation of whole numbers.

    And of pi seven.
    """
    return pair.dialect == MYSQL and isinstance(node, _MEASURES)


def _of_no_length(node: exp.Expr, pair: DialectPair) -> bool:
    """MariaDB (10.11) and Spark (4.3.0), asked on 2026-11-30; Trino (476) fails."""
    return pair.dialect == MYSQL and isinstance(node, exp.Pad) and not number(node.expression)


def _of_last_digits(node: exp.Expr, pair: DialectPair) -> bool:
    """How many digits PostgreSQL (18.6) gives a quotient depends on how large it is."""
    if pair.dialect != POSTGRESQL or not isinstance(node, exp.Div):
        return False
    if isinstance(parent_beyond(node, exp.Paren), exp.Round | exp.Cast):
        return False
    both = sorts(pair.kinds.of(node.left), pair.kinds.of(node.right))
    return Sort.EXACT in both and Sort.FLOAT not in both


def _of_stored_quotients(node: exp.Expr, pair: DialectPair) -> bool:
    """Of groups in a temporary table MariaDB (10.11) keeps a quotient with the digits it shows."""
    of_group = isinstance(node, exp.Sum | exp.Avg)
    return pair.dialect == MYSQL and of_group and node.find(exp.Div) is not None


def _of_order(node: exp.Expr, pair: DialectPair) -> bool:
    """Hive's set (2.3.10) has the order in which its rows came, and so have lists of a group."""
    if isinstance(node.parent, exp.ArraySort | exp.ArraySize):
        return False
    if pair.dialect == HIVE and isinstance(node, exp.ArrayUniqueAgg):
        return True
    if isinstance(node, exp.GroupConcat) and isinstance(node.this, exp.Distinct):
        return True  # which PostgreSQL (18.4) sorts to find what is twice
    is_array = isinstance(node, exp.ArrayAgg | exp.ArrayUniqueAgg)
    return is_array and not pair.share_functions


def _of_format(node: exp.Expr, pair: DialectPair) -> bool:
    """Hive reads more than its format says, Trino (476) one digit in the place of two."""
    if not pair.to_trino or not pair.source.hive_functions:
        return False
    pattern = node.args.get("format") if isinstance(node, _READ) else None
    if pattern is None or STRICT not in pattern.name:
        return False
    return Sort.TEXT in sorts(pair.kinds.of(node.this))


def _of_no_array(node: exp.Expr, pair: DialectPair) -> bool:
    """`size(NULL)` is NULL to Spark in ANSI mode, as it is from 4.0 on."""
    return pair.dialect == SPARK and pair.to_trino and isinstance(node, exp.ArraySize)


def _of_hives_times(node: exp.Expr, pair: DialectPair) -> bool:
    """Trino (476) rounds times of Hive's tables as it reads them: `hive.timestamp-precision`."""
    if pair.dialect != HIVE or not pair.to_trino or isinstance(node.parent, exp.Count):
        return False
    if isinstance(node, exp.Star):
        return bool(TIMES & sorts(*pair.kinds.of_all_columns()))
    return isinstance(node, exp.Column) and bool(TIMES & sorts(pair.kinds.of(node)))


def _of_any_row(node: exp.Expr, pair: DialectPair) -> bool:
    """Spark's and Hive's `first` takes a NULL, too; what sqlglot makes of it in Trino does not."""
    above = parent_beyond(node, exp.IgnoreNulls, exp.RespectNulls, exp.Filter)
    is_first = isinstance(node, exp.First) and not isinstance(above, exp.Window)
    return is_first and pair.to_trino


def _of_json(node: exp.Expr, pair: DialectPair) -> bool:
    """How an engine writes 1.50, an object or a null of JSON: also Trino 476."""
    return shows_otherwise(pair) and isinstance(node, exp.JSONExtractScalar)


def _of_hours_twice(node: exp.Expr, pair: DialectPair) -> bool:
    """PostgreSQL (18.6) takes the later of two such hours, Trino (476) does so in some zones."""
    kind = pair.kinds.of(node.this) if isinstance(node, exp.AtTimeZone) else None
    return kind is not None and kind.sort is Sort.WALL_CLOCK and pair.to_trino


def _of_longest(node: exp.Expr, pair: DialectPair) -> bool:
    """PostgreSQL 18.6 makes `Xc` of `regexp_replace('abc', 'a|ab', 'X', 'g')`, Java `Xbc`."""
    if pair.dialect != POSTGRESQL or not isinstance(node, exp.RegexpReplace):
        return False
    return node.expression.is_string and takes_longest(node.expression.name)


def _of_months(node: exp.Expr, pair: DialectPair) -> bool:
    """Trino (476) adds months to the earlier end, Spark (4.1.4) and MariaDB compare days."""
    if not isinstance(node, exp.DateDiff | exp.TimestampDiff):
        return False
    return pair.beside_trino and counts_months(node)


def _of_zero(node: exp.Expr, pair: DialectPair) -> bool:
    """Trino (476) divides floating numbers by 0; Spark (4.3.0) does so in no mode."""
    if not (pair.of_trino and pair.target.hive_functions and isinstance(node, exp.Div)):
        return False
    both = sorts(pair.kinds.of(node.left), pair.kinds.of(node.right))
    return Sort.FLOAT in both and may_be_zero(node.right)


def _of_keys(node: exp.Expr, pair: DialectPair) -> bool:
    """Trino (476) takes the last map's value; `spark.sql.mapKeyDedupPolicy` is EXCEPTION."""
    is_concat = isinstance(node, exp.Anonymous) and node.name.casefold() == _OF_MAPS
    return is_concat and pair.of_trino and pair.target.hive_functions


def _of_membership(node: exp.Expr, pair: DialectPair) -> bool:
    """Whether a value is among the rows of a query, which is never NULL to Spark (4.3.0)."""
    is_sparks = SPARK in {pair.dialect, pair.into} and not pair.share_functions
    return is_sparks and isinstance(node, exp.In) and is_membership_seen(node)


def _of_rows(node: exp.Expr, pair: DialectPair) -> bool:
    """Whether a row with a NULL, sought among others or compared, is NULL in one of them alone.

    `ROW(a, s) = ROW(7, 'abc')` of a NULL is NULL to Trino (476), false to Spark (4.3.0).
    """
    if not pair.beside_trino:
        return False
    if isinstance(node, exp.EQ | exp.NEQ):
        are_rows = all(isinstance(side.unnest(), exp.Struct) for side in (node.left, node.right))
        return are_rows and not is_chosen_by(node, exp.And, exp.Or, exp.Paren)
    return isinstance(node, exp.In) and is_row_seen(node)


def _of_largest_rows(node: exp.Expr, pair: DialectPair) -> bool:
    """To Spark (4.3.0) NULL is the smallest field, Trino (476) compares none with it."""
    is_told = pair.dialect == HIVE  # of Hive, which orders them in a third way
    return (
        pair.beside_trino
        and not is_told
        and isinstance(node, ORDERS)
        and is_row(node.this, pair.kinds)
    )


def _of_shorter(node: exp.Expr, pair: DialectPair) -> bool:
    """Spark (4.3.0) takes all of a text that has fewer letters than are counted from its end."""
    if pair.dialect == HIVE or SPARK not in {pair.dialect, pair.into}:
        return False  # what Spark reads otherwise in a text of Hive is told without this
    if pair.dialect == POSTGRESQL:
        return False  # it counts none from the end
    start = node.args.get("start") if isinstance(node, exp.Substring) else None
    return number(start) is None and may_count_from_end(start)


def _of_tried(node: exp.Expr, pair: DialectPair) -> bool:
    return pair.of_trino and pair.target.hive_functions and is_tried(node, pair.kinds)


def _of_white_space(node: exp.Expr, pair: DialectPair) -> bool:
    return pair.of_trino and cuts_white_space(node, pair.kinds)


def _of_halves(node: exp.Expr, pair: DialectPair) -> bool:
    is_pair = pair.beside_trino and not pair.share_functions
    return is_pair and rounds_near_halves(node, pair.kinds)


def _of_zones(node: exp.Expr, pair: DialectPair) -> bool:
    return pair.of_trino and any(instants_on_clocks(node, pair.kinds))


def _of_added_days(node: exp.Expr, pair: DialectPair) -> bool:
    return pair.beside_trino and adds_days(node, pair.kinds)


def _of_other_letters(node: exp.Expr, pair: DialectPair) -> bool:
    return pair.beside_trino and pair.source.java_regexes and is_beyond_ascii(node)


def _of_time_before(node: exp.Expr, pair: DialectPair) -> bool:
    """MariaDB (10.11), Spark (4.3.0) and Trino (476), asked on 2026-11-30."""
    return pair.dialect == MYSQL and isinstance(node, exp.UnixToTime) and number(node.this) is None


_REASONS: Final[Mapping[str, Callable[[exp.Expr, DialectPair], bool]]] = {
    "MySQL compares texts by their collation, often of any case, accent and blanks at the end; "
    "here they are compared letter by letter": by_collation,
    "PostgreSQL orders texts by the collation of the database or column, often with a before B; "
    "here they are ordered letter by letter": by_locale,
    "of NaN it may be another value": _of_nan,
    "of NaN and of what is infinite it is NULL in the draft": _of_exact_nan,
    "of a text that is a part of a day, as 2024-03, or that has a zone, it may be another time, "
    "or NULL": is_day_of_spark,
    "`nan` and `inf`, but for `NaN` and `Infinity`, are numbers to Spark alone": is_float_of_spark,
    "where an empty text is sought it may be another text": seeks_any_text,
    "a wildcard in it stands for no line's end to Hive, and does": _of_lines,
    "of a number that is out of range it is another one, and NULL in the draft": _of_range,
    "its elements may stand in another order": _of_order,
    "of a text that is not as its format says, by its digits or with more behind it, it may be a "
    "time, NULL or an error": _of_format,
    "of NULL it is -1 to Spark out of ANSI mode, NULL in the draft": _of_no_array,
    "a few letters change otherwise: to Spark and Hive ß in capitals is SS, "
    "and Σ at the end of a word ς": _of_letters,
    "PostgreSQL has 16 digits or more of a quotient, the draft 18 at most": _of_last_digits,
    "MySQL may round the quotients first, by how it groups": _of_stored_quotients,
    "Trino has thousandths of seconds of it": _of_microseconds,
    "Trino reads times of Hive's tables rounded to thousandths of seconds, "
    "unless hive.timestamp-precision is finer": _of_hives_times,
    "what is no text in JSON, as 1.50, an object or a null, may be another text or NULL, "
    "and another of two members of one name": _of_json,
    "PostgreSQL takes the longest of what alternatives match, and beside `*?` the shortest of all; "
    "the draft takes the first, and each by its own": _of_longest,
    "from 01-31 to 02-29 it is a month to Trino and none elsewhere, so with years": _of_months,
    "by 0 it is infinite or NaN to Trino; in Spark it fails, or is NULL out of ANSI mode": _of_zero,
    "of a key that several maps have it fails in Spark, "
    "unless spark.sql.mapKeyDedupPolicy is LAST_WIN": _of_keys,
    "where a NULL leaves it open it is false to Spark, NULL to others": _of_membership,
    "of a row with a NULL that is none of those it is NULL to Trino, false to others": _of_rows,
    "of rows with a NULL another one may be the largest, or it fails": _of_largest_rows,
    "in an hour that the zone has twice it may be the other one": _of_hours_twice,
    "it is of any row, of which the draft leaves out those without a value": _of_any_row,
    "counted from the end of a text that is too short it may be another part": _of_shorter,
    "of a time behind a day, and of blanks around a decimal, it is NULL to Trino alone": _of_tried,
    "filled up to less than nothing a text is NULL to MySQL, empty or an error": _of_no_length,
    "MariaDB shows fewer digits than there are, MySQL and the draft all": _of_shown_digits,
    "Trino cuts off all white space, as tabs and ends of lines, the draft blanks alone": (
        _of_white_space
    ),
    "of a floating number in the middle between two, as 1.005, it may be the other one": _of_halves,
    "it is by the zone of each value to Trino, by that of the session in the draft": _of_zones,
    "where clocks are changed a day has 23 or 25 hours, and to Trino 24": _of_added_days,
    "of letters beyond ASCII Trino takes others by `(?i)` and `\\p{Alpha}` than Java": (
        _of_other_letters
    ),
    "MySQL takes a text for the number or day that it begins with, others for 0 or NULL; "
    "here that fails or is NULL": takes_begin_of_text,
    "of a number below 0 it is NULL to MySQL, a time before 1970 in the draft": _of_time_before,
}
