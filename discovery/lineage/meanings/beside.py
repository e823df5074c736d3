"""What a `char`, a `decimal` or a `float` is beside values of other types, by who reads a text.

HiveServer2 2.3.10, Spark 4.1.4 and Trino 476 (by Coral) were asked over the same rows on
2026-11-27; of chars with Spark 4.3.0 and Flink 1.20.5 again on 2026-11-29, of columns, elements and
fields, of tables of text and of Parquet.
"""

from collections.abc import Iterator
from enum import Enum
from typing import Final, NamedTuple

from sqlglot import exp

from discovery.lineage.meanings.expressions import paired_columns, parent_beyond, sorts
from discovery.lineage.meanings.kinds import ValueKinds, branches
from discovery.lineage.meanings.sorts import SINGLE, Sort
from discovery.model import HIVE, SPARK, TRINO

_BLANKS: Final = "blanks at the end of a char do not count to {home}, and do"
FILLED: Final = "a char has no blanks at its end to {home}, and has them"
_SHORTER: Final = "a decimal has no zeros at its end to {home}, and has them"
_COUNTED: Final = "blanks at the end of a char count to {home}, and do not"
_DIGITS: Final = "a float beside a decimal has the digits that are shown to {home}, and more"
_DOUBLE: Final = "a float beside a decimal is a double to {home}, a float"
PATTERNS: Final = (exp.Like, exp.RegexpLike)
_COMPARISONS: Final = (exp.Binary, exp.In, exp.Between)
_OF_TEXTS: Final = (
    exp.Anonymous,
    exp.Ascii,
    exp.BitLength,
    exp.ConcatWs,
    exp.Encode,
    exp.Hex,
    exp.Initcap,
    exp.Left,
    exp.Length,
    exp.Levenshtein,
    exp.MD5,
    exp.Pad,
    exp.RegexpExtract,
    exp.RegexpReplace,
    exp.RegexpSplit,
    exp.Repeat,
    exp.Replace,
    exp.Reverse,
    exp.Right,
    exp.SHA,
    exp.SHA2,
    exp.Soundex,
    exp.Split,
    exp.StrPosition,
    exp.Substring,
    exp.SubstringIndex,
    exp.ToBase64,
    exp.Translate,
    exp.Trim,
)
_KEEPING_END: Final = (exp.RegexpReplace, exp.Replace, exp.Translate, exp.Trim)
"""Functions whose text ends with the blanks of the char that they take, and is else the same."""
_PRINTED: Final = "printf"
_OF_SHOWN: Final = tuple({*_OF_TEXTS, exp.Elt, exp.Like, exp.Lower, exp.Upper} - {exp.Anonymous})
_NAMED_OF_SHOWN: Final = frozenset({"find_in_set", _PRINTED, "sentences"})
"""Functions that make texts of numbers by themselves."""


class Blanks(Enum):
    """What an engine makes of blanks at the ends of a char and of the texts beside it."""

    CUT = "of the char"
    IGNORED = "of both"
    COUNTED = "as the char is filled up with them"


class CharBesideText(NamedTuple):
    """A char and other texts of which one kind is made, where blanks at its end may matter.

    Attributes:
        node: Where they are.
        values: All of them.
        is_written: Whether it is compared, not by a pattern, with what is written out alone.
        is_part: Whether it is of a list, a map or a row, or made of a char.
        ends_blank: Whether a text that is written out ends with a blank.
    """

    node: exp.Expr
    values: list[exp.Expr]
    is_written: bool
    is_part: bool
    ends_blank: bool

    def blanks(self, name: str) -> Blanks:
        """What an engine makes of them: Hive, Spark, Trino as it reads their views, or Flink."""
        is_range = isinstance(self.node, exp.Between)
        sought = is_range or isinstance(self.node, exp.In)
        if name == HIVE:
            is_plain = self.is_written and not (self.ends_blank and (sought or self.is_part))
            return Blanks.IGNORED if is_plain else Blanks.CUT
        ignores = name == SPARK and self.is_written and not (is_range or self.is_part)
        ignores = ignores or (name == TRINO and sought)
        return Blanks.IGNORED if ignores else Blanks.COUNTED


def meaning_beside(node: exp.Expr, kinds: ValueKinds, home: str, other: str) -> str:
    """What is otherwise to another engine, with a place for the name of the text's; else empty.

    Args:
        node: An expression.
        kinds: What is known of values.
        home: Hive or Spark.
        other: Spark, Trino or Flink.
    """
    if takes_char(node, kinds):
        return FILLED if home == HIVE else ""
    if home == HIVE and shows_decimal(node, kinds):
        return _SHORTER
    for beside in chars_beside_texts(node, kinds):
        at_home, elsewhere = beside.blanks(home), beside.blanks(other)
        if at_home is not elsewhere:
            return _BLANKS if elsewhere is Blanks.COUNTED else _COUNTED
    if not is_beside_decimal(node, kinds):
        return ""
    is_compared = isinstance(node, exp.Predicate)
    return _DIGITS if home == HIVE else "" if is_compared else _DOUBLE


def takes_char(node: exp.Expr, kinds: ValueKinds) -> bool:
    """Whether it is a function that sees the blanks at the end of a char, if there are any."""
    if not isinstance(node, _OF_TEXTS) or _sees_no_end(node):
        return False
    return any(kinds.is_of(value, Sort.CHAR) for value in node.iter_expressions())


def shows_decimal(node: exp.Expr, kinds: ValueKinds) -> bool:
    """Whether a function takes a decimal as a text: to Hive (2.3.10) `10.00` is `10` there."""
    return any(ends_in_zeros(value, kinds) for value in taken_as_texts(node))


def taken_as_texts(node: exp.Expr) -> list[exp.Expr]:
    """What a function makes texts of by itself, and what it takes beside them; none elsewhere."""
    if isinstance(node, exp.Anonymous):
        is_of_texts = node.name.casefold() in _NAMED_OF_SHOWN
    else:
        is_of_texts = isinstance(node, _OF_SHOWN)
    return [*node.iter_expressions()] if is_of_texts else []


def ends_in_zeros(node: exp.Expr, kinds: ValueKinds) -> bool:
    """Whether it is a decimal that may end in zeros behind its point."""
    kind = kinds.of(node)
    return kind is not None and kind.sort is Sort.EXACT and not _is_same_text(node, kinds)


def _is_same_text(node: exp.Expr, kinds: ValueKinds) -> bool:
    """Whether a number is the same text to all: without digits behind its point, or so written."""
    if isinstance(node, exp.Literal):
        return not node.is_string and not node.name.endswith("0")
    kind = kinds.of(node)
    return kind is not None and kind.sort is Sort.EXACT and not kind.scale


def _sees_no_end(node: exp.Expr) -> bool:
    """Whether blanks at the end are of no matter: cut, not sought, or there for Hive, too."""
    match node:
        case exp.Anonymous():
            return node.name.casefold() == _PRINTED
        case exp.StrPosition():
            sought = node.args["substr"]
            return bool(sought.is_string) and " " not in sought.name
    around = parent_beyond(node, exp.Paren) if isinstance(node, _KEEPING_END) else None
    return any(isinstance(it, exp.Trim) and _cuts_end(it) for it in (node, around))


def _cuts_end(node: exp.Trim) -> bool:
    return str(node.args.get("position")).upper() != "LEADING"


def chars_beside_texts(node: exp.Expr, kinds: ValueKinds) -> Iterator[CharBesideText]:
    """What is in an expression, or beside each other in the parts of a UNION."""
    for values, is_compared in _taken_as_one(node):
        known = [*map(kinds.of, values)]
        if not {Sort.CHAR, Sort.TEXT} <= sorts(*known) or _ends_anyhow(node):
            continue
        texts = [it for it, kind in zip(values, known, strict=True) if Sort.TEXT in sorts(kind)]
        yield CharBesideText(
            node,
            values,
            is_compared and all(text.is_string for text in texts),
            any(kind is not None and kind.is_part for kind in known),
            any(text.is_string and text.name.endswith(" ") for text in texts),
        )


def _ends_anyhow(node: exp.Expr) -> bool:
    """Whether a pattern has nothing to do with blanks at the end, as `ab%`."""
    pattern = node.expression if isinstance(node, exp.Like) else None
    if pattern is None or not pattern.is_string:
        return False
    return pattern.name.endswith("%") and not {" ", "\\"} & {*pattern.name}


def _taken_as_one(node: exp.Expr) -> Iterator[tuple[list[exp.Expr], bool]]:
    """Values of which one kind is made, and whether they are compared, not by a pattern."""
    match node:
        case exp.Case(this=exp.Expr() as sought):
            yield [sought, *(choice.this for choice in node.args["ifs"])], True
            yield branches(node), False
        case exp.Greatest() | exp.Least():
            yield [node.this, *node.expressions], False
        case exp.Coalesce() | exp.Case() | exp.If():
            yield _chosen_from(node), False
        case exp.Predicate():
            yield [*node.iter_expressions()], not isinstance(node, PATTERNS)
        case exp.SetOperation(left=exp.Expr(), right=exp.Expr()):
            yield from ((list(pair), False) for pair in paired_columns(node))


def _chosen_from(node: exp.Expr) -> list[exp.Expr]:
    """Values of which one is taken."""
    if isinstance(node, exp.Coalesce):
        return [node.this, *node.expressions]
    return branches(node) if isinstance(node, exp.Case | exp.If) else []


def beside_text(node: exp.Expr, kinds: ValueKinds) -> set[Sort]:
    """What becomes another text, as it is a branch or an element beside one; empty: nothing."""
    made = values_beside_text(node, kinds)
    return sorts(*(kinds.of(value) for value in made if not _is_same_text(value, kinds)))


def values_beside_text(node: exp.Expr, kinds: ValueKinds) -> list[exp.Expr]:
    """Branches or elements that become texts, as others are."""
    values = node.expressions if isinstance(node, exp.Array) else _chosen_from(node)
    others = [value for value in values if not kinds.is_of(value, Sort.TEXT)]
    return others if len(others) < len(values) else []


def is_beside_decimal(node: exp.Expr, kinds: ValueKinds) -> bool:
    """Whether a float is compared, or calculated, with a decimal."""
    if not isinstance(node, _COMPARISONS):
        return False
    known = [*map(kinds.of, node.iter_expressions())]
    return SINGLE in known and any(kind is not None and kind.sort is Sort.EXACT for kind in known)
