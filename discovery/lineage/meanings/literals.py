"""What literals mean in an engine that reads a text of Hive or Spark as it is.

Only the text as it is written tells: once it is read, a tab is a tab. HiveServer2 2.3.10, Spark
4.1.4, Trino 476 and Flink 1.20.5 were asked over the same rows on 2026-11-27.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

import sqlglot
from sqlglot import Token, TokenType

from discovery.checks.subject import OtherMeaning
from discovery.display import EXPRESSION, abridged
from discovery.engines import engine
from discovery.model import FLINK, HIVE, SPARK, TRINO

_ESCAPED: Final = re.compile(r"\\(.)", re.DOTALL)
_ALIKE: Final = frozenset("'\"%_")
"""Behind a backslash: Coral reads quotes so, too, and wildcards keep theirs until LIKE sees it."""
_ESCAPES: Final = "a backslash makes another sign of what is behind it to {home}, and is itself"
_NO_QUOTE: Final = "two quotes within a text are none to {home}, one"
_TWO_QUOTES: Final = "two quotes within a text are {number} to {home}, two"
_CUT_BY: Final = (
    "a text is cut to its length, or filled up as a char, by {home}, and stays as it is"
)
_CUT: Final = _CUT_BY.format(home=engine(HIVE).title)
_ITSELF: Final = "a backslash is itself to {home}, and makes another sign of what is behind it"
_CUT_THERE: Final = (
    "a text stays as it is to Spark, and is cut to its length, or filled up as a char"
)
_UNCUT: Final = "a text is cut to its length by Hive, and stays as it is"
_FILLED_FAR: Final = "it has many more blanks at its end"
_FILLED: Final = "beside another text it has no blanks at its end to Hive, and has them"
_CHAR: Final = "CHAR"
_LENGTHS: Final = frozenset({_CHAR, "VARCHAR"})


def literals_meant_otherwise(
    sql: str, dialect: str, with_flink: bool = True, joins_quotes: bool = False
) -> Iterator[OtherMeaning]:
    """The literals, and casts to texts of a length, that other engines read otherwise.

    Args:
        sql: The text of a view in a metastore.
        dialect: Hive, Spark or Trino.
        with_flink: Whether Flink is one of them.
        joins_quotes: Whether a Spark wrote it to which two quotes within a text are none.
    """
    for meaning in _of_tokens(sql, dialect, joins_quotes):
        if with_flink or meaning.engine != FLINK:
            yield meaning


def _of_tokens(sql: str, dialect: str, joins_quotes: bool) -> Iterator[OtherMeaning]:
    tokens = sqlglot.tokenize(sql, read=engine(dialect).sqlglot)
    if dialect == TRINO:
        yield from _of_backslashes(sql, tokens)
    else:
        yield from _of_signs(sql, tokens, dialect, joins_quotes or dialect == HIVE)
    for number, token in enumerate(tokens):
        if token.text.upper() == "AS" and _has_length(tokens[number + 1 : number + 3]):
            yield from _of_length(tokens[number + 1].text.upper(), dialect)


def _of_backslashes(sql: str, tokens: Sequence[Token]) -> Iterator[OtherMeaning]:
    """Those in texts of Trino, which Spark reads."""
    for token in tokens:
        if _is_text(token) and "\\" in token.text:
            shown = abridged(sql[token.start : token.end + 1], EXPRESSION)
            yield OtherMeaning(SPARK, shown, _ITSELF.format(home=engine(TRINO).title))


def _of_signs(
    sql: str, tokens: Sequence[Token], dialect: str, joins_quotes: bool
) -> Iterator[OtherMeaning]:
    home = engine(dialect).title
    texts = {token.start: sql[token.start : token.end + 1] for token in tokens if _is_text(token)}
    for token in tokens:
        written, behind = texts.get(token.start, ""), texts.get(token.end + 1, "")
        if any(sign not in _ALIKE for sign in _ESCAPED.findall(written)):
            yield OtherMeaning(TRINO, abridged(written, EXPRESSION), _ESCAPES.format(home=home))
            yield OtherMeaning(FLINK, abridged(written, EXPRESSION), _ESCAPES.format(home=home))
        if written.startswith("'") and behind.startswith("'"):
            both = abridged(written + behind, EXPRESSION)
            number = "none" if joins_quotes else "one"
            yield OtherMeaning(TRINO, both, _TWO_QUOTES.format(number=number, home=home))
            yield from _of_two_quotes(both, dialect, joins_quotes)


def _of_two_quotes(shown: str, dialect: str, joins_quotes: bool) -> Iterator[OtherMeaning]:
    """Two quotes are none to Hive and Spark 3.5.6, one to Spark 4.3.0 and Flink."""
    if not joins_quotes:
        yield OtherMeaning(HIVE, shown, _NO_QUOTE.format(home=engine(HIVE).title))
        return
    home = engine(dialect).title + (" before 4.0" if dialect == SPARK else "")
    yield OtherMeaning(SPARK, shown, _NO_QUOTE.format(home=home))
    yield OtherMeaning(FLINK, shown, _NO_QUOTE.format(home=home))


def _of_length(kind: str, dialect: str) -> Iterator[OtherMeaning]:
    """Spark (4.1.4) casts to such a type as to a text without a length, and so does Coral.

    Of `char` Trino (476) makes one of 65,536 letters there.
    """
    shown = f"AS {kind}(n)"
    if dialect == TRINO:
        yield OtherMeaning(SPARK, shown, _CUT_BY.format(home=engine(TRINO).title))
        return
    yield OtherMeaning(SPARK if dialect == HIVE else HIVE, shown, _CUT)
    if kind == _CHAR:
        yield OtherMeaning(TRINO, shown, _FILLED_FAR)
    elif dialect == HIVE:
        yield OtherMeaning(TRINO, shown, _UNCUT)
    if dialect == SPARK:
        yield OtherMeaning(FLINK, shown, _CUT_THERE)
    elif kind == _CHAR:
        yield OtherMeaning(FLINK, shown, _FILLED)


def _is_text(token: Token) -> bool:
    return token.token_type is TokenType.STRING


def _has_length(behind: Sequence[Token]) -> bool:
    match [part.text.upper() for part in behind]:
        case [kind, "("]:
            return kind in _LENGTHS
    return False
