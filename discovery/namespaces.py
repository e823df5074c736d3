"""Nested namespaces: levels, their logical, physical and engine-facing names, and the guard.

After Gravitino's design of nested namespaces: a logical name joins levels by a separator that is
configured per server (`gravitino.schema.separator`, `:` by default), a physical one is what the
store holds. The design percent-encodes each level and joins by dots; Gravitino 1.3 joins the raw
levels by U+0001. Levels are tuples, outermost first.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final
from urllib.parse import unquote

from discovery import engines
from discovery.errors import NamespaceConflictError, NamespaceError, SeparatorError
from discovery.model import dotted, encoded

Levels = tuple[str, ...]

ALLOWED: Final = (":", ";", "$", "|", "~", "@")
"""The restricted choice of separators: in no route, in no quoting, not usual in names."""

_ROUTES: Final = frozenset("/\\?#%&=+*'\"`<>()[]{}^,!")
_JOINED_BY: Final = "\x01"
_PLAIN: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_PART: Final = re.compile(r"`(?:[^`]|``)+`|[^`.]+")  # quoted, or as it is
_BAD_ESCAPE: Final = re.compile(r"%(?![0-9A-Fa-f]{2})")


class Encoding(StrEnum):
    """How levels become a physical name."""

    PERCENT = "percent"  # the design's
    RAW = "raw"  # that of Gravitino 1.3


class Spelling(StrEnum):
    """How a namespace is spelled in one text."""

    LOGICAL = "logical"  # levels joined by a separator
    PERCENT = "percent"  # the design's physical name
    SPARK = "spark"
    FLINK = "flink"
    TRINO = "trino"


@dataclass(frozen=True, slots=True)
class Separator:
    """What joins levels in logical names.

    Attributes:
        char: One character.
        free: Whether any character that breaks nothing will do, and plain names may contain it
            (the design's option 2); else it is one of `ALLOWED`, reserved for nesting (option 1).
    """

    char: str = ":"
    free: bool = False

    def __post_init__(self) -> None:
        if why := self._refusal():
            others = ", ".join(repr(separator) for separator in ALLOWED)
            raise SeparatorError(f"the separator {self.char!r} {why}", hint=f"try one of {others}")

    def logical(self, levels: Sequence[str]) -> str:
        """The logical name of levels.

        Raises:
            NamespaceError: There is none, one is empty, or one contains the separator.
        """
        for level in _check_levels(levels):
            if self.char in level:
                raise NamespaceError(
                    f"the level contains {self.char!r}, which separates levels",
                    hint=f"rename it, or take another separator: {_joined(free_for([levels]))}",
                    level=repr(level),
                )
        return self.char.join(levels)

    def levels(self, logical: str) -> Levels:
        """The levels of a logical name.

        Raises:
            NamespaceError: A level is empty.
        """
        return _check_levels(logical.split(self.char))

    def check_new(self, levels: Sequence[str]) -> None:
        """Refuse a new schema that would be taken for another.

        Raises:
            NamespaceError: A level contains the separator; with a free choice, a plain name may.
        """
        if not self.free or len(levels) > 1:
            self.logical(levels)

    def _refusal(self) -> str:
        """Why the character will not do; empty if it will."""
        char = self.char
        if len(char) != 1:
            return "is not one character"
        if char == ".":
            return "joins the levels in storage and in engines"
        if not char.isprintable() or char.isspace():
            return "cannot be seen in a name"
        if char in _ROUTES:
            return "conflicts with the parsing of paths or quotes"
        if char.isalnum() or char in "_-":
            return "is part of ordinary names"
        if not self.free and char not in ALLOWED:
            return "is not among the allowed ones"
        return ""


def physical(levels: Sequence[str], encoding: Encoding) -> str:
    """The name that a store keeps.

    Raises:
        NamespaceError: There is no level, one is empty, or one contains U+0001 and is kept raw.
    """
    checked = _check_levels(levels)
    if encoding is Encoding.PERCENT:
        return encoded(checked)
    if any(_JOINED_BY in level for level in checked):
        raise NamespaceError("a level contains U+0001, which joins levels", levels=repr(checked))
    return _JOINED_BY.join(checked)


def levels_of(name: str, encoding: Encoding) -> Levels:
    """The levels of a physical name: the inverse of `physical`.

    Raises:
        NamespaceError: A level is empty, or a percent sign begins no escape.
    """
    if encoding is Encoding.RAW:
        return _check_levels(name.split(_JOINED_BY))
    if _BAD_ESCAPE.search(name):
        raise NamespaceError("a '%' begins no escape", name=repr(name))
    try:
        return _check_levels([unquote(part, errors="strict") for part in name.split(".")])
    except UnicodeDecodeError as error:
        raise NamespaceError("an escape is no UTF-8", name=repr(name)) from error


def parents(levels: Levels) -> tuple[Levels, ...]:
    """The namespaces above, outermost first; none of a top-level one."""
    return tuple(levels[:depth] for depth in range(1, len(levels)))


def with_parents(namespaces: Iterable[Levels]) -> tuple[Levels, ...]:
    """The namespaces and all above them, each once, parents before children."""
    scopes = {scope for levels in namespaces for scope in (*parents(levels), levels)}
    return tuple(sorted(scopes))


def engine_name(levels: Sequence[str], engine: str) -> str:
    """How an engine names a namespace: Spark and Flink `a.b.c`, Trino `"a.b.c"`.

    Spark and Flink quote a level by backticks where it is no plain word. Trino parts what stands in
    the quotes at each dot, so a level that contains one has no name there.

    Raises:
        NamespaceError: There is no level, one is empty, or one has no name in the engine.
    """
    checked = _check_levels(levels)
    facts = _nesting(engine)
    if facts.nesting is engines.Nesting.LEVELS:
        return dotted(
            [level if _PLAIN.fullmatch(level) else facts.quoted(level) for level in checked]
        )
    if any("." in level for level in checked):
        why = f"a level contains a dot, and {facts.title} takes every dot for the end of a level"
        raise NamespaceError(why, levels=repr(checked))
    return facts.quoted(dotted(checked))


def engine_levels(name: str, engine: str) -> Levels:
    """The levels of an engine-facing name: the inverse of `engine_name`.

    Raises:
        NamespaceError: It is no name of that engine.
    """
    if _nesting(engine).nesting is engines.Nesting.ONE_NAME:
        inner = name[1:-1] if len(name) > 1 and name[0] == name[-1] == '"' else ""
        return _check_levels(inner.replace('""', '"').split("."))
    parts = _PART.findall(name)
    if dotted(parts) != name:
        raise NamespaceError("is no dotted name", name=repr(name))
    quoted = [part[1:-1].replace("``", "`") if part.startswith("`") else part for part in parts]
    return _check_levels(quoted)


def spelled(levels: Sequence[str], spelling: Spelling, separator: Separator) -> str:
    """A namespace in one text.

    Args:
        levels: Of the namespace.
        spelling: How it is spelled.
        separator: Of logical names.

    Raises:
        NamespaceError: It has no such name.
    """
    match spelling:
        case Spelling.LOGICAL:
            return separator.logical(levels)
        case Spelling.PERCENT:
            return physical(levels, Encoding.PERCENT)
        case _:
            return engine_name(levels, spelling)


def levels_spelled(name: str, spelling: Spelling, separator: Separator) -> Levels:
    """The levels of such a text: the inverse of `spelled`.

    Raises:
        NamespaceError: It is no such name.
    """
    match spelling:
        case Spelling.LOGICAL:
            return separator.levels(name)
        case Spelling.PERCENT:
            return levels_of(name, Encoding.PERCENT)
        case _:
            return engine_levels(name, spelling)


def guard(existing: Iterable[Levels], separator: Separator) -> None:
    """Scan the schemas of a catalog before nesting is used in it.

    Raises:
        NamespaceConflictError: A name contains the separator; names it, and separators that would
            do.
    """
    schemas = list(existing)
    clashing = sorted({level for levels in schemas for level in levels if separator.char in level})
    if clashing:
        rest = f" and {len(clashing) - 1} more" if len(clashing) > 1 else ""
        would_do = _joined(free_for(schemas))
        raise NamespaceConflictError(
            f"{clashing[0]!r}{rest} contains the separator {separator.char!r}: with nesting it "
            "would be taken for levels",
            hint=f"rename the schema, or take another separator: {would_do}",
            schema=repr(clashing[0]),
        )


def free_for(namespaces: Iterable[Sequence[str]]) -> tuple[str, ...]:
    """The allowed separators that occur in none of the names."""
    used = {char for levels in namespaces for level in levels for char in level}
    return tuple(separator for separator in ALLOWED if separator not in used)


def _check_levels(levels: Sequence[str]) -> Levels:
    if not levels or not all(levels):
        raise NamespaceError("has no level, or an empty one", levels=repr(tuple(levels)))
    return tuple(levels)


def _joined(separators: Sequence[str]) -> str:
    return ", ".join(map(repr, separators)) or "none of the allowed ones would do"


def _nesting(engine: str) -> engines.Engine:
    facts = engines.ENGINES.get(engine)
    if facts is None or facts.nesting is None:
        names = ", ".join(other.name for other in engines.ENGINES.values() if other.nesting)
        raise NamespaceError(f"the engine is none of {names}", engine=engine)
    return facts
