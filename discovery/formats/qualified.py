"""A query with its short names written out: what an engine reads that keeps no context.

Flink and Hive resolve the names of a stored view by no context of its own: what is short in it
leads to the database of whoever asks (`discovery.engines.Completion.OWN_PLACE`). The text stays
byte for byte but for what is put before a name. One walk over the tokens, which knows clauses,
subqueries, common table expressions and calls; a text that it does not follow to the end is not
qualified at all.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

_NAME: Final = r"(?:`(?:[^`]|``)+`|[^\W\d]\w*)"
_TOKEN: Final = re.compile(  # no backslash in a text: it ends otherwise in Hive than in Flink
    rf"""
      (?P<blank> \s+ | --[^\n]* | /\*.*?\*/ )
    | (?P<text> '(?:[^'\\]|'')*' | "[^"\\]*" )
    | (?P<chain> {_NAME} (?:\s*\.\s*{_NAME})* )
    | (?P<number> \d[\w.]* )
    | (?P<sign> (?!/\*) [^'"`\\] )
    """,
    re.VERBOSE | re.DOTALL,
)
_TABLE: Final = "table"
_PART: Final = re.compile(r"`((?:[^`]|``)+)`|(\w+)")
_QUOTE: Final = "`"

Parts = tuple[str, ...]


class _Token(NamedTuple):
    """A name, a sign, a number or a text; blanks and comments are none."""

    kind: str
    text: str
    start: int

    @property
    def word(self) -> str:
        """In lower case, where it is one bare word; else nothing."""
        bare = self.kind == "chain" and _QUOTE not in self.text and "." not in self.text
        return self.text.lower() if bare else ""


@dataclass(slots=True)
class _Frame:
    """What stands between two parentheses, or the whole text.

    Attributes:
        made: Names of common table expressions that are in scope.
        wants: Whether a table is to follow, or a query in parentheses.
        is_query: Whether FROM is followed by tables: not so within `EXTRACT(DAY FROM x)`.
        in_from: Whether a comma is followed by a table.
        in_view: Whether a comma may be followed by a column: after LATERAL VIEW.
        in_with: Whether common table expressions are being made.
        names: Whether the name of one follows.
        making: The name whose query follows.
        is_body: Whether it is such a query.
        before: The token before, if it is a word.
        started: Whether there was one.
    """

    made: frozenset[str]
    wants: bool = False
    is_query: bool = False
    in_from: bool = False
    in_view: bool = False
    in_with: bool = False
    names: bool = False
    making: str = ""
    is_body: bool = False
    before: str = ""
    started: bool = False


class _LostError(Exception):
    """The text is not followed any further."""


def qualify(sql: str, within: Sequence[str]) -> str | None:
    """The query with each short name of a table written out; None where that is not sure.

    Args:
        sql: A query of Flink or Hive: backticks quote names.
        within: All levels that a whole name has before the name itself.
    """
    places = _find_tables(sql)
    if places is None or any(len(parts) > len(within) + 1 for _, parts in places):
        return None
    return _prefixed(sql, [(at, within[: len(within) + 1 - len(parts)]) for at, parts in places])


def lengthened(sql: str, spelled: Mapping[Parts, Parts]) -> str | None:
    """The query with more levels before some names; None where that is not sure.

    Args:
        sql: A query of Flink or Hive.
        spelled: Name of a table, as the query spells it, to a longer one that ends with it.
    """
    places = _find_tables(sql)
    if places is None or not spelled.keys() <= {parts for _, parts in places}:
        return None
    if any(new[-len(old) :] != old for old, new in spelled.items()):
        return None
    return _prefixed(sql, [(at, spelled.get(parts, parts)[: -len(parts)]) for at, parts in places])


def _prefixed(sql: str, levels: Sequence[tuple[int, Sequence[str]]]) -> str:
    """The query with levels put before the names that begin at these places."""
    for at, added in reversed(levels):
        quoted = [f"{_QUOTE}{level.replace(_QUOTE, _QUOTE * 2)}{_QUOTE}." for level in added]
        sql = sql[:at] + "".join(quoted) + sql[at:]
    return sql


def tables(sql: str) -> tuple[Parts, ...] | None:
    """The names of tables and views that a query reads, in parts; None where that is not sure."""
    places = _find_tables(sql)
    return None if places is None else tuple(parts for _, parts in places)


def _find_tables(sql: str) -> list[tuple[int, Parts]] | None:
    """Where each name of a table begins, and its parts."""
    try:
        return list(_Walk().tables([*_tokens(sql)]))
    except _LostError:
        return None


def _tokens(sql: str) -> Iterator[_Token]:
    at = 0
    while at < len(sql):
        match = _TOKEN.match(sql, at)
        if match is None or match.lastgroup is None:
            raise _LostError
        if match.lastgroup != "blank":
            yield _Token(match.lastgroup, match[0], at)
        at = match.end()


class _Walk:
    """A place in a query, and the parentheses around it."""

    def __init__(self) -> None:
        self._frames = [_Frame(frozenset(), wants=True)]

    def tables(self, tokens: Sequence[_Token]) -> Iterator[tuple[int, Parts]]:
        """Where each name of a table begins, and its parts.

        Raises:
            _LostError: There is something that is not known here.
        """
        last = _Token("sign", "", 0)
        for token, following in zip(tokens, [*tokens, last][1:], strict=True):
            frame = self._frames[-1]
            if token.kind == "chain" and self._is_table(frame, token, following):
                parts = _parts(token.text)
                if not _is_made(frame, parts):
                    yield token.start, parts
            elif token.kind != "chain":
                self._pass(frame, token)
            frame.before, frame.started = token.word, True
        if len(self._frames) > 1 or self._frames[0].wants:
            raise _LostError

    def _pass(self, frame: _Frame, token: _Token) -> None:
        """A sign, a number or a text."""
        match token.text:
            case "(":
                body = bool(frame.making) and frame.before == "as"
                wants = frame.wants or body
                inner = _Frame(frame.made, wants, in_from=frame.wants, is_body=body)
                self._frames.append(inner)
                frame.wants = False
            case ")":
                self._leave(frame)
            case ",":
                _pass_comma(frame)
            case _ if frame.wants:
                raise _LostError

    def _leave(self, frame: _Frame) -> None:
        if frame.wants or len(self._frames) == 1:
            raise _LostError
        self._frames.pop()
        around = self._frames[-1]
        if frame.is_body:
            around.made |= {around.making}
            around.making = ""

    def _is_table(self, frame: _Frame, token: _Token, following: _Token) -> bool:
        """Whether a name, or a word, is that of a table; what it changes is noted."""
        if frame.names:
            _note_name(frame, token)
            return False
        handled = _WORDS.get(token.word)
        if handled is not None and handled(frame, following):
            return False
        if not frame.wants:
            return False
        if following.text in {"(", "."} or not (frame.in_from or frame.before == _TABLE):
            raise _LostError  # a call, a name that goes on, or no query at all
        frame.wants = False
        return True


def _parts(chain: str) -> Parts:
    return tuple(
        match[2] if match[1] is None else match[1].replace(_QUOTE * 2, _QUOTE)
        for match in _PART.finditer(chain)
    )


def _is_made(frame: _Frame, parts: Parts) -> bool:
    """Whether it is the name of a common table expression.

    Raises:
        _LostError: It differs from one by case only, which engines see differently.
    """
    if len(parts) > 1 or parts[0].casefold() not in {name.casefold() for name in frame.made}:
        return False
    if parts[0] not in frame.made:
        raise _LostError
    return True


def _pass_comma(frame: _Frame) -> None:
    if frame.wants or (frame.in_from and frame.in_view):
        raise _LostError
    if frame.in_from:
        frame.wants = True
    elif frame.in_with and not frame.making:
        frame.names = True


def _note_name(frame: _Frame, token: _Token) -> None:
    parts = _parts(token.text)
    if len(parts) > 1 or token.word == "recursive":
        raise _LostError
    frame.making, frame.names = parts[0], False


def _pass_select(frame: _Frame, following: _Token) -> bool:  # noqa: ARG001 - as all of `_WORDS`
    if frame.wants and frame.in_from and frame.started:
        raise _LostError
    frame.wants = frame.in_from = frame.in_view = frame.in_with = False
    frame.is_query = True
    return True


def _pass_with(frame: _Frame, following: _Token) -> bool:  # noqa: ARG001 - as all of `_WORDS`
    if not frame.started:  # elsewhere it is part of a type, or of GROUP BY
        frame.names = frame.in_with = True
        frame.wants = False
    return True


def _pass_from(frame: _Frame, following: _Token) -> bool:  # noqa: ARG001 - as all of `_WORDS`
    if frame.before == "distinct":  # IS DISTINCT FROM
        return True
    if frame.is_query or frame.in_with or not frame.started:
        frame.wants = frame.in_from = frame.is_query = True
        frame.in_with = False
    return True


def _pass_join(frame: _Frame, following: _Token) -> bool:  # noqa: ARG001 - as all of `_WORDS`
    _check_nothing_wanted(frame)
    if frame.in_from:
        frame.wants, frame.in_view = True, False
    return True


def _pass_table(frame: _Frame, following: _Token) -> bool:
    if following.text == "(":
        frame.wants = False
    elif following.kind == "chain":
        frame.wants = True
    return True


def _pass_lateral(frame: _Frame, following: _Token) -> bool:  # noqa: ARG001 - as all of `_WORDS`
    frame.in_view = frame.in_view or not frame.wants
    return True


def _pass_transform(frame: _Frame, following: _Token) -> bool:  # noqa: ARG001 - as all of `_WORDS`
    """Hive's MAP and REDUCE are queries of their own; elsewhere they are functions."""
    _check_nothing_wanted(frame)
    return False


def _pass_call(frame: _Frame, following: _Token) -> bool:
    if frame.wants and following.text == "(":
        frame.wants = False
        return True
    return False


def _end_from(frame: _Frame, following: _Token) -> bool:  # noqa: ARG001 - as all of `_WORDS`
    _check_nothing_wanted(frame)
    frame.in_from = False
    return True


def _check_nothing_wanted(frame: _Frame) -> None:
    """A table is not followed by such a word where one is still to come."""
    if frame.wants:
        raise _LostError


_WORDS: Final[Mapping[str, Callable[[_Frame, _Token], bool]]] = {
    "select": _pass_select,
    "with": _pass_with,
    "from": _pass_from,
    "join": _pass_join,
    _TABLE: _pass_table,
    "lateral": _pass_lateral,
    "unnest": _pass_call,
    "values": _pass_call,
    "map": _pass_transform,
    "reduce": _pass_transform,
    **dict.fromkeys(
        (
            *("where", "group", "having", "window", "order", "limit", "offset", "fetch"),
            *("union", "intersect", "except", "minus", "cluster", "distribute", "sort"),
        ),
        _end_from,
    ),
}
"""Words that say where tables stand; each tells whether it was more than a name."""
