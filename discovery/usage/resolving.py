"""From what a query names to views of a run.

A whole name leads where the engine's rules lead it (`discovery.lineage.references`). A short name
is completed by the current catalog and schema if the log has them, else by those that a session
begins with. It may have had others: so every other view of that name is *mentioned*, as are those
of a name that leads to no source, those whose names stand in a text that cannot be read, and what
all of these read. What is mentioned counts as no use, and is never proposed to be left behind.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from discovery.engines import USER, engine
from discovery.lineage.kinds import BaseKind
from discovery.lineage.references import Catalogs, place
from discovery.model import Identifier, Representation, encoded
from discovery.ports import Name
from discovery.usage.model import Query
from discovery.usage.statements import names_within, queries_within, without_values

Key = tuple[str, str]
"""Source and key of a view."""
Names = Callable[[str, str], tuple[Name, ...] | None]
"""The tables that a text of a dialect names; None: nobody can tell."""

_NO_VIEWS: Final = frozenset({BaseKind.METADATA, BaseKind.SYSTEM, BaseKind.FILE})
_WORD: Final = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class KnownViews:
    """The views of a run.

    Attributes:
        catalogs: What engines call the sources.
        views: All of them.
        below: What each reads through others, where that is known.
        words: First word of a name, in lower case, to the names and their views.
    """

    catalogs: Catalogs
    views: frozenset[Key]
    below: Mapping[Key, frozenset[Key]] = field(default_factory=dict)
    words: Mapping[str, tuple[tuple[str, Key], ...]] = field(default_factory=dict)

    def find_mentioned(self, text: str) -> set[Key]:
        """The views whose names stand in a text, wherever that is."""
        lower = text.lower()
        single = lower.replace('""', '"').replace("``", "`")  # a quote in a name is doubled
        keys = set()
        for word in self.words.keys() & {*_WORD.findall(lower), ""}:
            named = self.words[word]
            keys |= {key for name, key in named if name == word or name in lower or name in single}
        return keys

    def find_called(self, name: Name) -> set[Key]:
        """The views that have a name, and schema if it has one, wherever they are."""
        return {key for key in self.find_mentioned(name[-1]) if _is_called_at(key[1], name)}


def _is_called_at(key: str, name: Name) -> bool:
    return len(name) == 1 or f".{key}".lower().endswith(f".{encoded(name[-2:])}".lower())


def by_words(names: Iterable[tuple[Key, str]]) -> dict[str, tuple[tuple[str, Key], ...]]:
    """Names of views as `KnownViews.words` has them."""
    by_word: dict[str, list[tuple[str, Key]]] = {}
    for key, name in names:
        lower = name.lower()
        word = _WORD.search(lower)
        by_word.setdefault(word[0] if word else "", []).append((lower, key))
    return {word: tuple(pairs) for word, pairs in by_word.items()}


def closure(reads: Mapping[Key, Iterable[Key]]) -> dict[Key, frozenset[Key]]:
    """What each view reads at any depth, itself left out, of what each reads."""
    below = {}
    for start in reads:
        seen: set[Key] = set()
        left = [start]
        while left:
            for key in reads.get(left.pop(), ()):
                if key not in seen and key in reads:
                    seen.add(key)
                    left.append(key)
        if seen - {start}:
            below[start] = frozenset(seen - {start})
    return below


@dataclass(frozen=True, slots=True)
class Log:
    """A log as the configuration states it, for what its queries mean.

    Attributes:
        engine: Whose log it is.
        home: The source that names without a catalog are of; None: nothing says which.
        databases: Database to source, of an engine that has one of both.
        has_only_home: Whether each catalog is `home` that is not said to be another source.
    """

    engine: str
    home: str | None = None
    databases: Mapping[str, str] = field(default_factory=dict)
    has_only_home: bool = False

    def source(self, query: Query) -> str | None:
        """The source that the names of a query are of, where they do not say it themselves."""
        if self.databases and query.catalog is not None:
            return self.databases.get(query.catalog)
        return self.home


class Uses(NamedTuple):
    """What a query uses.

    Attributes:
        direct: The views that it names.
        below: Those that it reads through these.
        mentioned: Those that it may mean, and those that it may read through these.
        is_told: Whether the log says what it reads.
        outside: The catalogs that it names and that are no source.
    """

    direct: frozenset[Key] = frozenset()
    below: frozenset[Key] = frozenset()
    mentioned: frozenset[Key] = frozenset()
    is_told: bool = True
    outside: frozenset[str] = frozenset()


def uses(query: Query, log: Log, known: KnownViews, names: Names) -> Uses:
    """What a query uses.

    Args:
        query: The query.
        log: Of what it is.
        known: The views.
        names: Reads a text.
    """
    named, below = query.named, query.below
    possible: set[Key] = set()
    if named is None:
        if not query.sql:
            return Uses(is_told=False)
        possible = _of_database(known.find_mentioned(query.sql), query, log)
        if not possible:
            return Uses(is_told=query.tells_all)
        named = names(without_values(query.sql), log.engine)
        if named is None:
            return Uses(mentioned=_with_below(possible, known), is_told=query.tells_all)
    direct, outside, lost = _led(named, query, log, known)
    read, _, lost_below = _led(below, query, log, known)
    read = _with_below(direct | read, known)
    short = {name for name in named if len(name) == 1 and query.named is None}
    doubtful = {key for name in short for key in known.find_called(name)} & possible
    doubtful |= {key for name in lost | lost_below for key in known.find_called(name)}
    doubtful |= possible & {
        key for sql in queries_within(query.sql) for key in known.find_mentioned(sql)
    }
    doubtful |= possible & {
        key for name in names_within(query.sql) if name for key in known.find_called(name)
    }
    mentioned = _with_below(doubtful, known) - direct - read
    return Uses(direct, read - direct, mentioned, query.tells_all, outside)


def _with_below(keys: Iterable[Key], known: KnownViews) -> frozenset[Key]:
    """Views, and what they read at any depth."""
    start = frozenset(keys)
    return start.union(*(known.below.get(key, ()) for key in start))


def _of_database(keys: set[Key], query: Query, log: Log) -> set[Key]:
    """Those that the database of a query can have."""
    if not log.databases or query.catalog is None:
        return keys
    home = log.source(query)
    return {key for key in keys if key[0] == home}


def _led(
    named: Iterable[Name], query: Query, log: Log, known: KnownViews
) -> tuple[frozenset[Key], frozenset[str], set[Name]]:
    """The views that names lead to, the catalogs that are no source, and names without one."""
    views, outside = set[Key](), set[str]()
    lost = set[Name]()
    for name in named:
        for view, catalog in _places(name, query, log, known.catalogs):
            if view in known.views:
                views.add(view)
                break
            if view is None:
                lost.add(name)
                outside.update([catalog] if catalog else ())
    return frozenset(views), frozenset(outside), lost


def _places(
    name: Name, query: Query, log: Log, catalogs: Catalogs
) -> Iterator[tuple[Key | None, str | None]]:
    """Where a name may lead, the first one first: the view, or the catalog that is no source."""
    home = log.source(query)
    stated = (query.schema,) if query.schema else ()
    begins = engine(log.engine).begins_in if len(name) == 1 else ()
    for schema in stated or begins or ("",):
        levels = (query.user or "",) if schema == USER else (schema,) if schema else ()
        catalog = None if log.databases else query.catalog
        if log.has_only_home and len(name) > 2:
            catalog = name[0]
        text = Representation(dialect=log.engine, sql="", default_catalog=catalog).within(levels)
        view = Identifier(levels or name[-2:-1], name[-1])
        led = place(name, home or "", view, text, catalogs)
        if led.kind in _NO_VIEWS:
            continue
        yield (led.source, led.key) if led.source and led.key else None, led.catalog
