"""Places in texts, counted from 1: what stands at place 0, as where nothing was found.

To Hive 2.3.10 and Spark 4.3.0 `substr(s, 0)` is all of it, to Trino 476 and MariaDB 10.11 nothing,
and to PostgreSQL 18.4 what it would be with a letter more before the first (asked on 2026-11-29).
"""

from sqlglot import exp

from discovery.lineage.meanings.expressions import text
from discovery.lineage.meanings.pair import DialectPair
from discovery.lineage.meanings.written_out import number
from discovery.model import POSTGRESQL


def may_be_place_0(start: exp.Expr) -> bool:
    """Whether a part of a text may begin at place 0: it does not behind what is sought."""
    start = start.unnest()
    written = number(start)
    if written is not None:
        return written == 0
    if not isinstance(start, exp.Add):
        return True
    sides = (start.left.unnest(), start.right.unnest())
    is_behind = any(isinstance(side, exp.StrPosition | exp.Length) for side in sides)
    return not (is_behind and any((number(side) or 0) > 0 for side in sides))


def may_come_to_0(start: exp.Expr) -> bool:
    """Whether a place that is computed may be 0; of one that is written, Coral makes the first."""
    return number(start.unnest()) is None and may_be_place_0(start)


def may_count_from_end(start: exp.Expr | None) -> bool:
    """Whether a place may be below 0, as that of a column may."""
    return start is not None and not _is_at_least_0(start.unnest())


def _is_at_least_0(place: exp.Expr) -> bool:
    if (written := number(place)) is not None:
        return written >= 0
    if isinstance(place, exp.Add):
        return all(_is_at_least_0(side.unnest()) for side in (place.left, place.right))
    return isinstance(place, exp.StrPosition | exp.Length | exp.Abs)


def from_place(node: exp.Substring, start: exp.Expr, pair: DialectPair) -> exp.Expr:
    """A part of a text that may begin at place 0, in a draft.

    Raises:
        OtherMeaningError: A length is said as PostgreSQL alone counts it.
    """
    is_first, first = pair.source.hive_functions, exp.Literal.number(1)
    is_written = number(start) == 0
    is_none: exp.Expr = exp.EQ(this=start.copy(), expression=exp.Literal.number(0))
    if pair.dialect == POSTGRESQL and not node.args.get("length"):
        is_first, is_none = True, exp.LT(this=start.copy(), expression=first.copy())
    if is_first:
        computed = exp.Case().when(is_none, first).else_(start.copy())
        return exp.Substring(**{**node.args, "start": first if is_written else computed})
    if is_written or pair.dialect == POSTGRESQL:
        return pair.lost(node)
    return exp.Case().when(is_none, text("")).else_(node.copy())
