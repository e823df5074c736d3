"""What Flink's two texts of a view say together: where the short names of the first lead.

Flink keeps the statement as it was given, and as its validator expanded it, every table with
catalog and database (`SqlCreateViewConverter`; Flink's Hive dialect does the same). It records the
current catalog and database nowhere else. The catalog is called as the session called it, which is
how Trino's and Spark's contexts name catalogs, too.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from discovery.formats import qualified

Name = tuple[str, ...]

_TOKEN: Final = re.compile(
    r"""
      (?P<skipped> --[^\n]* | /\*.*?\*/ | '(?:[^']|'')*' )
    | (?P<sign> [()] )
    | (?P<chain> (?:`(?:[^`]|``)*`|[^\W\d]\w*) (?:\s*\.\s*(?:`(?:[^`]|``)*`|[^\W\d]\w*))* )
    """,
    re.VERBOSE | re.DOTALL,
)
_PART: Final = re.compile(r"`((?:[^`]|``)*)`|(\w+)")
_BEFORE_TABLES: Final = frozenset({"from", "join", "table"})
_WITH_FROM: Final = frozenset({"extract", "overlay", "substring", "trim"})  # FROM and a value
_WORDS: Final = frozenset({"lateral", "unnest", "table", "select", "values"})
_CALLED: Final = re.compile(r"\s*\(")


@dataclass(frozen=True, slots=True)
class Context:
    """Where short names lead, as far as the two texts say.

    Attributes:
        catalog: Of names without one; None: there are no such names.
        database: Of names of one part; None: there are no such names.
        fits: Whether the texts fit together; where they do not, only the expanded one is sure.
    """

    catalog: str | None = None
    database: str | None = None
    fits: bool = True


_UNKNOWN: Final = Context(fits=False)


def derive(original: str, expanded: str) -> Context:
    """The context by which the first text's names become those of the second.

    The tables of both are compared in order. Each name of one part has to become one of three with
    the same first two, each of two parts one with the same first; the names of common table
    expressions stay as they are.
    """
    context = _between(tuple(_tables(original)), tuple(_tables(expanded)))
    if context == Context() and "," in original:  # a table after a comma may be the only short one
        short, full = qualified.tables(original), qualified.tables(expanded)
        return context if short is None or full is None else _between(short, full)
    return context


def is_hives(original: str, expanded: str) -> bool:
    """Whether a session in Hive's dialect has made the view.

    Flink's own dialect quotes every name in both texts. In Hive's the given one has no backticks,
    as of Hive itself, whatever the statement had (372 views that Flink 1.20.5 made). What
    `flink.encode` puts before a name leaves the name as it is.
    """
    return _quotes_names(expanded) and not _quotes_names(original)


def catalogs(expanded: str) -> frozenset[str]:
    """The catalogs that tables in the text are named with."""
    names = qualified.tables(expanded)
    all_names = _tables(expanded) if names is None else names
    return frozenset(name[0] for name in all_names if len(name) > 2)


def _quotes_names(text: str) -> bool:
    return any(token["chain"].endswith("`") for token in _tokens(text) if token["chain"])


def _tokens(text: str) -> Iterator[re.Match[str]]:
    """The tokens of a text, each where it stands.

    Behind the last end of a comment none begins. It would be looked for from each `/*` to the end
    of the text: a text of a megabyte took most of an hour.
    """
    end = text.rfind("*/") + 1
    return _TOKEN.finditer(text[:end] + text[end:].replace("/*", "//"))


def _between(short: Sequence[Name], full: Sequence[Name]) -> Context:
    """The context by which the first names become the second."""
    if len(short) != len(full):
        return _UNKNOWN
    catalogs: set[str] = set()
    databases: set[str] = set()
    for name, becomes in zip(short, full, strict=True):
        added = len(becomes) - len(name)
        if _folded(becomes[added:]) != _folded(name):
            return _UNKNOWN
        if len(becomes) == 3 and added:
            catalogs.add(becomes[0])
            databases.update(becomes[1:added])
    if len(catalogs) > 1 or len(databases) > 1:
        return _UNKNOWN
    return Context(next(iter(catalogs), None), next(iter(databases), None))


def _folded(name: Name) -> Name:
    return tuple(map(str.lower, name))  # the Hive dialect writes names in lower case


def _tables(text: str) -> Iterator[Name]:
    """The chains of names that follow FROM, JOIN or TABLE, in order, without calls.

    The second of `FROM a, b` is missing. What follows the FROM of `EXTRACT(DAY FROM x)` and the
    like, or of `IS DISTINCT FROM x`, is a value: a field of a row has three parts, too, once it is
    expanded.
    """
    calls = [False]  # by parenthesis: whether it is that of such a call
    before, follows, apart, end = "", False, False, 0
    for token in _tokens(text):
        apart |= bool(text[end : token.start()].strip())
        end = token.end()
        if token["skipped"]:
            continue
        word = (token["chain"] or "").lower()
        if token["sign"]:
            _pass(calls, token["sign"], is_call=before in _WITH_FROM and not apart)
        elif follows and not apart and word not in _WORDS and not _CALLED.match(text, end):
            yield _parts(text[token.start() : end])
        of_value = word == "from" and (calls[-1] or before == "distinct")
        before, follows, apart = word, word in _BEFORE_TABLES and not of_value, False


def _pass(calls: list[bool], sign: str, *, is_call: bool) -> None:
    """Enter a parenthesis, or leave one."""
    if sign == "(":
        calls.append(is_call)
    elif len(calls) > 1:
        calls.pop()


def _parts(chain: str) -> Name:
    return tuple(
        part[1].replace("``", "`") if part[1] is not None else part[2]
        for part in _PART.finditer(chain)
    )
