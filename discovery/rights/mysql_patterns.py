"""Patterns of names in the grant tables of MySQL's family, and which of those that fit decides.

`_` and `%` stand for a character and for any, a backslash takes that away (manual of MySQL, "GRANT
Statement"). Both servers sort the rows by a number of their pattern, and the first that fits
decides alone: `get_sort` of MySQL 5.7 to 9 looks at the place of the first wildcard,
`get_magic_sort` of MariaDB at all of them (10.5 and later; asked of 10.11.19).
"""

import re
from functools import lru_cache
from ipaddress import IPv4Network
from typing import Final

LONGEST_HOST: Final = 255
LONGEST_DATABASE: Final = 64
"""Characters of the columns `host` and `db`, by which MariaDB's numbers are made."""
_SPECIAL: Final = re.compile(r"\\.|[_%]", re.DOTALL)
_TOKEN: Final = re.compile(r"\\.|%+|.", re.DOTALL)
_MOST: Final = 31
"""Wildcards of a kind beyond which MariaDB counts no more."""
_LITERAL: Final = 128
"""MySQL's number of a pattern without wildcards; of others it is at most one less."""


def compiled(text: str, *, literal: bool) -> re.Pattern[str]:
    """A pattern as a regular expression.

    Args:
        text: As the grant table has it.
        literal: Whether it is no pattern, but a name.
    """
    if literal:
        return re.compile(re.escape(text))
    parts, at = [], 0
    for match in _SPECIAL.finditer(text):
        parts += [re.escape(text[at : match.start()]), _part(match[0])]
        at = match.end()
    return re.compile("".join([*parts, re.escape(text[at:])]), re.DOTALL)


def _part(special: str) -> str:
    """The regular expression for what is special in a pattern."""
    return {"_": ".", "%": ".*"}.get(special) or re.escape(special[-1])


def first_wildcard(pattern: str) -> int | None:
    """Where the first wildcard of a pattern is; None: it has none.

    Args:
        pattern: As the grant table has it.
    """
    wildcards = (match.start() for match in _SPECIAL.finditer(pattern) if match[0] in "_%")
    return next(wildcards, None)


@lru_cache(10_000)
def exactness(pattern: str, longest: int, *, of_mariadb: bool) -> int:
    """How exact a pattern is: the greatest of those that fit decides; equal ones are in no order.

    Args:
        pattern: As the grant table has it.
        longest: How many characters the column may have.
        of_mariadb: Whether the server is MariaDB.
    """
    return _of_mariadb(pattern, longest) if of_mariadb else _of_mysql(pattern)


def _of_mysql(pattern: str) -> int:
    """By what precedes the first wildcard; a backslash counts."""
    wildcard = first_wildcard(pattern)
    if wildcard is None:
        return _LITERAL if pattern else 0
    return min(wildcard + 1, _LITERAL - 1)


def _of_mariadb(pattern: str, longest: int) -> int:
    """By how many names fit it: the more, the less exact."""
    tokens = _TOKEN.findall(pattern)
    wild = [at for at, token in enumerate(tokens) if token[0] in "_%"]
    single = tokens.count("_")
    several, literals = len(wild) - single, len(tokens) - len(wild)
    prefix = wild[0] if wild else 0
    rest = longest - literals - single if several else 0
    single, several, base = min(single, _MOST), min(several, _MOST), longest + 1
    if rest > single:
        number = ((rest * 2 + 1) * base + several) * 32 + single
    else:
        number = (single * 2 * base + rest) * 32 + several
    return -(number * base + prefix)


def holds(outer: str, inner: str) -> bool:
    """Whether every client of a host is one of another host, too; names and patterns of both.

    Args:
        outer: The host that is to hold the other: a pattern, or a network as `10.0.0.0/255.0.0.0`.
        inner: The one that is to lie within it.
    """
    around, within = _network(outer), _network(inner)
    if around is not None and within is not None:
        return within.subnet_of(around)
    return _hosts(outer.casefold()).fullmatch(inner.casefold()) is not None


@lru_cache(1000)
def _hosts(pattern: str) -> re.Pattern[str]:
    """What lies within a pattern: a `_` holds a `_`, and only `%` holds a `%`."""
    parts = (
        "[^%]" if piece == "_" else compiled(piece, literal=False).pattern
        for piece in _TOKEN.findall(pattern)
    )
    return re.compile("".join(parts), re.DOTALL)


@lru_cache(1000)
def _network(host: str) -> IPv4Network | None:
    """An address, or several by a mask; None: it is a name or a pattern."""
    try:
        return IPv4Network(host)
    except ValueError:
        return None
