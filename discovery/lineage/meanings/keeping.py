"""A statement that means in another dialect what it means in its own.

sqlglot translates words. `GREATEST(a, b)` of NULL and 1 is 1 to PostgreSQL and Spark and NULL to
Trino and MySQL; `7 / 2`, a cast of 2.5 to a whole number, the number of Sunday and a backslash in
LIKE differ likewise. Each rule was asked of PostgreSQL 18.6, MariaDB 10.11, Trino 476 and Spark
4.1.4 over the same rows on 2026-11-26. A rule writes what means the same in the other dialect, or
refuses the text. Where that depends on a kind of value that is not known, the text stays as it is
if both engines run here, as their rows are compared then, and is refused elsewhere.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from sqlglot import exp

from discovery.lineage.meanings import (
    arithmetic,
    bits,
    blanks,
    casts,
    clauses,
    digests,
    documents,
    elements,
    joined,
    likes,
    quotients,
    rows,
    singles,
    texts,
    times,
)
from discovery.lineage.meanings.as_texts import keep_texts
from discovery.lineage.meanings.chars import keep_ends
from discovery.lineage.meanings.doubts import doubts_of
from discovery.lineage.meanings.formats import put_format
from discovery.lineage.meanings.kinds import ValueKinds
from discovery.lineage.meanings.own_names import put_own_names
from discovery.lineage.meanings.pair import DialectPair, Rules
from discovery.lineage.meanings.patterns import keep_patterns
from discovery.lineage.meanings.precedence import keep_order
from discovery.lineage.meanings.truths import keep_truths
from discovery.lineage.meanings.widths import put_width
from discovery.lineage.meanings.zones import put_zone
from discovery.model import HIVE, MYSQL, POSTGRESQL, Column
from discovery.ports import Name

_RULES: Final[Rules] = {
    **arithmetic.RULES,
    **bits.RULES,
    **blanks.RULES,
    **casts.RULES,
    **clauses.RULES,
    **digests.RULES,
    **documents.RULES,
    **elements.RULES,
    **joined.RULES,
    **likes.RULES,
    **quotients.RULES,
    **rows.RULES,
    **singles.RULES,
    **texts.RULES,
    **times.RULES,
}
_ALWAYS_LOST: Final = (
    exp.PercentileDisc,
    exp.Typeof,
    exp.ConvertTimezone,
)
"""Approximations are made of the first two; types have each engine's own words, and a time that is
put into another zone has that, or none."""
_LOST_BESIDE_TRINO: Final = (
    exp.ApproxQuantile,  # 5 to Trino, 4 to Spark, of eight numbers
    exp.Kurtosis,
    exp.Skewness,  # of two rows it is NULL to Trino, 0 to Spark
    exp.IsNan,  # of NULL
    exp.Flatten,  # of NULLs
    exp.Soundex,  # of what is no letter
)
_LOST_INTO_TRINO: Final = (
    exp.ExplodeOuter,
    exp.PosexplodeOuter,
    exp.JSONFormat,  # leaves out NULLs
)
_LOST_OF_TRINO: Final = (
    exp.ArrayMax,  # of NULLs
    exp.ArrayMin,
    exp.JSONExtract,  # of a path that begins with lax
    exp.ParseJSON,  # sqlglot leaves the text as it is
)
_LOST_OF_POSTGRESQL: Final = (
    exp.Format,  # of NULL
    exp.Hex,  # of whole numbers
    exp.LowerHex,
    exp.ArrayPosition,  # of what is not there
    exp.JSONBExtract,  # a number in a path is a place or a name
    exp.JSONBExtractScalar,
)
_LOST_OF_HIVE: Final = (
    exp.StddevSamp,  # of one row it is 0, and NULL elsewhere
    exp.Variance,
    exp.Soundex,  # of other letters
    exp.Ascii,  # of the first byte
    exp.ApproxQuantile,  # between two values
    exp.MapKeys,  # of NULL it is an empty array
)
_LOST_OF_MYSQL: Final = (
    exp.Week,  # begins with Sunday
    exp.RegexpSubstr,  # of nothing it is empty to MariaDB, NULL to MySQL
    exp.Ascii,  # of the first byte
    exp.Soundex,  # of what is no letter
    exp.NumberToStr,
    exp.JSONObject,  # has blanks
    exp.BitwiseOr,  # unsigned
    exp.BitwiseXor,
    exp.BitwiseNot,
    exp.BitwiseLeftShift,
    exp.BitwiseRightShift,
    exp.BitwiseOrAgg,
    exp.BitwiseXorAgg,
)


def keep_meaning(
    tree: exp.Expr, dialect: str, into: str, columns: Mapping[Name, Sequence[Column]]
) -> tuple[exp.Expr, tuple[str, ...]]:
    """The statement, with what means the same in the other dialect, and what is in doubt of it.

    Args:
        tree: The statement; it is changed.
        dialect: That it was read in.
        into: That it is for.
        columns: Each table that it reads, as it names it, to its columns.

    Raises:
        OtherMeaningError: How to say something there is not known here; tells what.
    """
    pair = DialectPair(dialect, into, ValueKinds(dialect, columns))
    doubts = doubts_of(tree, pair)
    put_own_names(tree, pair)
    for product in tree.find_all(exp.Mul):
        if quotients.rounds_more(product, pair):
            pair.lost(product)
    for inner in reversed([*tree.dfs()]):
        put_width(inner, pair)
        put_zone(inner, pair)
        keep_patterns(inner, pair)
        keep_order(inner, pair)
        keep_ends(inner, pair)
        keep_truths(inner, pair)
        keep_texts(inner, pair)
        put_format(inner, pair)
        casts.put_days(inner, pair)
    lost = _lost_classes(pair)
    for node in reversed(list(tree.dfs())):  # what is inside comes first
        if isinstance(node, lost):
            pair.lost(node)
        _apply_rule(node, pair)
    return tree, doubts


def _apply_rule(node: exp.Expr, pair: DialectPair) -> None:
    """Put what means the same in the place of a node."""
    rule = _RULES.get(type(node))
    if rule is None:
        return
    kind = pair.kinds.of_any(node)
    if (replacement := rule(node, pair)) is not node:
        node.replace(replacement)
        if isinstance(node, quotients.WIDENED) or pair.kinds.of_any(replacement) is None:
            pair.kinds.remember(replacement, kind)


def _lost_classes(pair: DialectPair) -> tuple[type[exp.Expr], ...]:
    """Classes of expressions that have no rule."""
    classes: list[type[exp.Expr]] = [*_ALWAYS_LOST]
    if pair.beside_trino:
        classes += [*_LOST_BESIDE_TRINO, *(_LOST_OF_TRINO if pair.of_trino else _LOST_INTO_TRINO)]
    if pair.dialect == POSTGRESQL:
        classes += _LOST_OF_POSTGRESQL
    elif pair.dialect == MYSQL:
        classes += _LOST_OF_MYSQL
    elif pair.dialect == HIVE:
        classes += _LOST_OF_HIVE
    return tuple(classes)
