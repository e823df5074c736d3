"""Regular expressions of PostgreSQL and MySQL as Java reads them, and Trino like it."""

import re
import warnings
from re import _parser  # type: ignore[attr-defined]  # no other door tells a width
from typing import Final

from sqlglot import exp

from discovery.lineage.meanings.pair import DialectPair
from discovery.model import POSTGRESQL

_WILDCARD: Final = re.compile(r"(?<!\\)[%_]")
ODD_SIGNS: Final = re.compile(r"[^\w\s,;:/=#&@%<>~`'\"!-]")
"""What may mean something else in a pattern than in a text."""
_SIMILAR: Final = "similar_to_escape"
_OF_LIKE: Final = re.compile(r"[^|*+?{}()\[\]\\]*")
_DIGITS: Final = "[:digit:]"
_POSIX: Final = re.compile(r"\[[.:=]")
_OWN: Final = re.compile(r"\\[mMyYbB]")
r"""Borders of words, and `\b`, which is none, of PostgreSQL alone."""
_PARTS: Final = re.compile(r"\\.|\[\^?\]?|\]|.", re.DOTALL)
_ENDS: Final = {".": "(?s:.)", "$": r"\z"}
r"""PostgreSQL's point is an end of a line, too, and its `$` stands before none."""
_BY_LENGTH: Final = re.compile(r"\||[*+?}]\?|\(\?")
"""What has PostgreSQL take another match, or other groups, than Java does."""
OTHER_LETTERS: Final = (
    r"`[[:alpha:]]`, `\h` and `\R`, and beyond ASCII `(?i)` and `\p{{Alpha}}`, take other letters"
)
"""What patterns have otherwise in Trino than in Java, to be told with a name in it."""
_NO_JAVA: Final = re.compile(r"\[\^?\[:|(?<!\\)(\\\\)*\\[hHR]")
_NO_CASE: Final = re.compile(r"\(\?[a-z]*i")
_OF_ASCII: Final = re.compile(
    r"\\[pP]\{(Lower|Upper|Alpha|Digit|Alnum|Punct|Graph|Print|Blank|Cntrl|Space)\}"
)
_WITH_PATTERNS: Final = (
    exp.RegexpExtract,
    exp.RegexpExtractAll,
    exp.RegexpLike,
    exp.RegexpReplace,
    exp.RegexpSplit,
)
_LAZY: Final = re.compile(r"[*+?}]\?")
_NO_GROUPS: Final = re.compile(r"\\.|\[\^?\]?[^\]]*\]", re.DOTALL)
_NOT_ALWAYS: Final = re.compile(r"\)[?*{]")
_ONE_SIGN: Final = re.compile(
    r"(\\[^pP])|\\[pP](?:\{\w+\}|\w)|\[\^?\]?(?:\\.|[^\]\\])*\]", re.DOTALL
)
_WORD: Final = r"\p{L}\p{N}_"
r"""Letters of all languages, where Java's `\w` has those from a to z."""


def in_java(node: exp.Expr, pattern: str, pair: DialectPair) -> str:
    """A pattern as Java reads it.

    Args:
        node: What it stands in.
        pattern: As it is written out.
        pair: Whose it is, and for whom.

    Raises:
        OtherMeaningError: It has a part that Java has not.
    """
    pattern = pattern.replace(_DIGITS, "0-9")
    if _POSIX.search(pattern) or (pair.dialect == POSTGRESQL and _OWN.search(pattern)):
        pair.lost(node)
    parts, within = [], False
    for part in _PARTS.findall(pattern):
        if part[0] == "[" and not within:
            within = True
        elif part == "]":
            within = False
        if part == r"\W" and within:
            pair.lost(node)
        parts.append(_worded(part, within=within))
        if pair.dialect == POSTGRESQL and not within:
            parts[-1] = _ENDS.get(part, parts[-1])
    return "".join(parts)


def keep_patterns(node: exp.Expr, pair: DialectPair) -> None:
    """Refuse patterns that Trino (476) reads as others than Java does.

    Raises:
        OtherMeaningError: It is one.
    """
    if pair.beside_trino and pair.source.java_regexes and is_no_java(node):
        pair.lost(node)


def is_no_java(node: exp.Expr) -> bool:
    r"""Whether a pattern has a part that Java reads as another one than Trino (476).

    `[[:alpha:]]` is a class of `:`, `a`, `l`, `p` and `h` to Java, `\h` any blank, and a digit of
    16 to Trino, `\R` any end of a line to Java alone.
    """
    return _NO_JAVA.search(_pattern(node)) is not None


def is_beyond_ascii(node: exp.Expr) -> bool:
    r"""Whether a pattern takes of letters beyond ASCII other ones to Java than to Trino (476).

    By `\p{Alpha}` Java takes none of them, by `(?i)` each as it is written.
    """
    pattern = _pattern(node)
    others = (sign for sign in pattern if not sign.isascii())
    is_cased = _NO_CASE.search(pattern) and any(sign.lower() != sign.upper() for sign in others)
    return bool(is_cased) or _OF_ASCII.search(pattern) is not None


def _pattern(node: exp.Expr) -> str:
    """The regular expression of a function, as it is written out; empty: there is none."""
    pattern = node.expression if isinstance(node, _WITH_PATTERNS) else None
    return pattern.name if isinstance(pattern, exp.Literal) else ""


def may_match_nothing(pattern: exp.Expr) -> bool:
    """Whether a pattern that is written out may be found between two letters, as `|` and `x*` are.

    Nothing is matched, as that may take for ever: it is the fewest letters that it takes. What
    Python does not read may be.
    """
    if not pattern.is_string:
        return False
    text = _ONE_SIGN.sub(lambda part: part[1] or ".", pattern.name)
    try:
        with warnings.catch_warnings(action="ignore"):  # of sets within sets
            fewest, _ = _parser.parse(text).getwidth()
    except (re.error, OverflowError, RecursionError):
        return True
    return bool(fewest == 0)


def takes_longest(pattern: str) -> bool:
    """Whether PostgreSQL may replace more of a text than Java by a pattern.

    Of alternatives it takes the longest, Java the first; and beside a `*?` its `*` is short, too.
    """
    bare = _NO_GROUPS.sub("", pattern)
    lazy = _LAZY.search(bare)
    if lazy and re.search(r"[*+}]", _LAZY.sub("", bare)):
        return True
    alternatives = pattern.split("|")
    plain = all(re.fullmatch(r"\w+", alternative) for alternative in alternatives)
    begins = any(
        first is not second and second.startswith(first)
        for first in alternatives
        for second in alternatives
    )
    return "|" in bare and (begins or not plain)


def groups_all_match(pattern: str) -> bool:
    """Whether each group of a pattern is part of what the pattern matches."""
    return re.search(r"\)[?*{]|\|", pattern) is None


def insensitive(pattern: str, pair: DialectPair) -> exp.Literal:
    """A pattern that takes letters of any case, to Java all those beyond ASCII's only by `u`."""
    flags = "(?iu)" if pair.target.hive_functions and not pattern.isascii() else "(?i)"
    return exp.Literal.string(f"{flags}{pattern}")


def first_match(
    node: exp.Expr, value: exp.Expr, pattern: exp.Expr, pair: DialectPair, place: int
) -> exp.Expr:
    """A group of what matches first in PostgreSQL, all of it if there are none; else NULL.

    Args:
        node: What it is written as.
        value: In which it is looked for.
        pattern: What is looked for.
        pair: Whose it is, and for whom.
        place: The number of the group, from 1.

    Raises:
        OtherMeaningError: Java may find another one.
    """
    literal = pattern.this if isinstance(pattern, exp.Cast) else pattern
    bare = _NO_GROUPS.sub("", literal.name)
    groups = bare.count("(")
    odd = _BY_LENGTH.search(bare) or _NOT_ALWAYS.search(bare) or place > max(groups, 1)
    if not literal.is_string or odd or not pair.target.java_regexes:
        return pair.lost(node)
    java = exp.Literal.string(in_java(node, literal.name, pair))
    group = exp.Literal.number(place if groups else 0)
    extract = exp.RegexpExtract(this=value.copy(), expression=java, group=group)
    if pair.to_trino:
        return extract
    return exp.Case().when(exp.RegexpLike(this=value.copy(), expression=java.copy()), extract)


def _worded(part: str, *, within: bool) -> str:
    """A part of a pattern, with all letters where it stands for those of words."""
    if part == r"\w":
        return _WORD if within else f"[{_WORD}]"
    return f"[^{_WORD}]" if part == r"\W" else part


def spans_lines(pattern: exp.Expr, wildcards: str = "%_") -> bool:
    """Whether a pattern of LIKE has a wildcard that is neither all before nor all behind it.

    Hive (2.3.10) finds `a%`, `%a` and `%a%` letter by letter, and makes of any other a pattern of
    Java's, whose `.` is no line's end: then `a%b` is not found across one, as it is by Spark 4.3.0
    and Trino 476 (asked on 2026-11-28). To Flink 1.20.5 `%` stands for one, and `_` does not.

    Args:
        pattern: What stands behind LIKE.
        wildcards: Which of both count.
    """
    within = pattern.name.strip("%") if pattern.is_string else ""
    return not {*wildcards}.isdisjoint(_WILDCARD.findall(within))


def without_similar(node: exp.RegexpLike) -> exp.Expr:
    """`s SIMILAR TO 'a%'`, as PostgreSQL (18.6) keeps it, is LIKE if it has no signs of its own."""
    made = node.expression
    if not isinstance(made, exp.Anonymous) or made.name.casefold() != _SIMILAR:
        return node
    pattern = made.expressions[0]
    pattern = pattern.this if isinstance(pattern, exp.Cast) else pattern
    if len(made.expressions) > 1 or not pattern.is_string or not _OF_LIKE.fullmatch(pattern.name):
        return node
    return exp.Like(this=node.this, expression=pattern)
