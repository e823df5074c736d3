"""A statement with other names for tables, byte for byte as it was elsewhere: by sqlglot's scopes.

On hostile texts it can take for ever: call it where it can be stopped.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

import sqlglot
from sqlglot import TokenType, exp, parse_one
from sqlglot.optimizer.scope import Scope, traverse_scope

from discovery.engines import engine
from discovery.formats import qualified
from discovery.lineage.scopes import GIVES_UP, names, readable, with_folded_ctes
from discovery.ports import Name

_MARKS: Final = frozenset('"`[')
_PLAIN: Final = re.compile(r"[a-z_][a-z_0-9]*")  # no engine folds it to another name


def respelled(sql: str, dialect: str, spelled: Mapping[Name, Name]) -> str | None:
    """A statement with other names for tables, byte for byte as it was elsewhere.

    What qualifies a column by the name of such a table follows it, as far as it has to, so that
    name must be no other's in the statement. The new text is read again: it must read the tables
    that are wanted, and no others.

    Args:
        sql: The statement.
        dialect: Its dialect, whose engine says how names are quoted.
        spelled: Name of a table, as the statement spells it but for case, to its new one.

    Returns:
        The text. Of a dialect that sqlglot does not know, names only get more levels.
        None: sqlglot cannot read the statement, not find the names in it, or a column would be that
            of another table, as where `x.a` of an outer query meets a table that is now `x`.
    """
    before = names(sql, dialect)
    if engine(dialect).sqlglot is None and (spelled or before is not None):
        return qualified.lengthened(sql, spelled) if spelled else sql
    if before is None:
        return None
    wanted = {casefolded(old): new for old, new in spelled.items()}
    if _differ_by_case(before[0], spelled, wanted):
        return None
    reads = {casefolded(wanted.get(casefolded(name), name)) for name in before[0]}
    if not wanted.keys() <= {casefolded(name) for name in before[0]}:
        return None
    try:
        text = _edited(sql, dialect, wanted)
    except GIVES_UP:
        return None
    after = names(text, dialect)
    return text if after is not None and {casefolded(name) for name in after[0]} == reads else None


def _edited(sql: str, dialect: str, wanted: Mapping[Name, Name]) -> str:
    """A statement with the new names.

    Raises:
        LookupError: A column would be that of another table; and all that is in `GIVES_UP`.
    """
    tree = parse_one(readable(sql, dialect), read=engine(dialect).sqlglot)
    scopes = traverse_scope(with_folded_ctes(tree, dialect))
    if _clashes(scopes, wanted):
        raise LookupError(sql)
    edits, known = _Edits(sql, dialect), dict[int, _Qualifiers]()
    for scope in scopes:
        _respell_scope(scope, wanted, edits, known)
    return edits.applied()


def _differ_by_case(
    read: Sequence[Name], spelled: Mapping[Name, Name], wanted: Mapping[Name, Name]
) -> bool:
    """Whether names that differ by case alone are of two tables, which are not told apart here.

    They get names that differ by more, or one of them is moved and another stays.
    """
    if any(casefolded(wanted[casefolded(old)]) != casefolded(new) for old, new in spelled.items()):
        return True
    cases = Counter(casefolded(name) for name in read)
    return any(
        cases[folded] > 1 and folded in wanted and name not in spelled
        for name, folded in ((name, casefolded(name)) for name in read)
    )


def _clashes(scopes: Sequence[Scope], wanted: Mapping[Name, Name]) -> bool:
    """Whether a new name by which columns are qualified is that of another source, too."""
    fresh: dict[str, set[Name]] = {}
    taken: dict[str, set[Name | None]] = {}
    for scope in scopes:
        for key, source in scope.sources.items():
            called, place = key.casefold(), None
            if isinstance(source, exp.Table) and not source.alias:
                place = _name_of(source)
                new = wanted.get(place, place)[-1].casefold()
                if new != place[-1]:
                    fresh.setdefault(new, set()).add(place)
                called = new
            taken.setdefault(called, set()).add(place)
    return any(taken[name] != places for name, places in fresh.items())


class _Edits:
    """Spans of a text, and what goes there instead."""

    def __init__(self, sql: str, dialect: str) -> None:
        self._sql, self._dialect = sql, dialect
        self._spans: dict[tuple[int, int], str] = {}

    def replace(self, parts: Sequence[Any], new: Name) -> None:
        """Give a chain of identifiers other names; what it ends with already stays as it is.

        Raises:
            LookupError: An identifier has no position.
        """
        old = [part.name.casefold() for part in parts]
        kept = 0
        while kept < min(len(old), len(new)) and old[-1 - kept] == new[-1 - kept].casefold():
            kept += 1
        gone = [(part.meta["start"], part.meta["end"] + 1) for part in parts[: len(old) - kept]]
        fresh = new[: len(new) - kept]
        first = parts[0].meta["start"]
        marked = self._sql[first] in _MARKS
        if len(gone) == len(fresh):
            for span, name, was in zip(gone, fresh, old, strict=False):
                if name.casefold() != was:
                    self._spans[span] = self._spelled(name, self._sql[span[0]] in _MARKS)
            return
        chain = ".".join(self._spelled(name, marked) for name in fresh)
        span = (gone[0][0], gone[-1][1]) if gone else (first, first)
        self._spans[span] = chain if gone else f"{chain}."

    def applied(self) -> str:
        """The text with the edits made."""
        sql = self._sql
        for (start, end), new in sorted(self._spans.items(), reverse=True):
            sql = sql[:start] + new + sql[end:]
        return sql

    def _spelled(self, name: str, marked: bool) -> str:
        """A name as an identifier: quoted where the old one was, or where it must be."""
        facts = engine(self._dialect)
        if not marked and _PLAIN.fullmatch(name):
            tokens = sqlglot.tokenize(name, read=facts.sqlglot)
            if len(tokens) == 1 and tokens[0].token_type is TokenType.VAR:
                return name
        return facts.quoted(name)


class _Qualifiers:
    """What the columns of a scope may be qualified by, and which table that is."""

    def __init__(self, scope: Scope) -> None:
        self.tables: set[Name] = set()
        self.keys: set[str] = set()
        self._found: dict[str, list[tuple[exp.Table, Name] | None]] = {}
        for key, source in scope.sources.items():
            self.keys.add(key.casefold())
            if not isinstance(source, exp.Table) or source.alias:
                self._found.setdefault(key.casefold(), []).append(None)
                continue
            own = _name_of(source)
            self.tables.add(own)
            for length in range(len(own), 0, -1):
                self._found.setdefault(own[-length], []).append((source, own[-length:]))

    def find(self, chain: Name) -> tuple[exp.Table, int] | None:
        """The table without alias that a chain begins with, and how many of its names.

        Raises:
            KeyError: There is none; a source with an alias of this name is None.
        """
        for candidate in self._found.get(chain[0], ()):
            if candidate is None:
                return None
            table, own = candidate
            if chain[: len(own)] == own:
                return table, len(own)
        raise KeyError(chain)


def _respell_scope(
    scope: Scope, wanted: Mapping[Name, Name], edits: _Edits, known: dict[int, _Qualifiers]
) -> None:
    """Note the new names of a scope's tables, and of what they qualify."""
    for source in scope.sources.values():
        if isinstance(source, exp.Table) and (new := wanted.get(_name_of(source))) is not None:
            edits.replace(source.parts, new)
    for column in (*scope.columns, *scope.stars):
        if not isinstance(column, exp.Column):
            continue
        chain = column.parts[:-1]
        called = casefolded(tuple(part.name for part in chain))
        match = _qualified(called, scope, known) if chain else None
        if match is None and _says_more(called, _of_scope(scope, known), wanted):
            raise LookupError(called)
        if match is None or (new := wanted.get(_name_of(match[0]))) is None:
            continue
        length = match[1]
        if length == len(match[0].parts):
            edits.replace(chain[:length], new if length > 1 else new[-1:])
        else:
            edits.replace(chain[:length], new[-length:])


def _says_more(chain: Name, own: _Qualifiers, wanted: Mapping[Name, Name]) -> bool:
    """Whether a chain may be a table with a schema before it that FROM does not spell: `s.t.a`."""
    return (
        bool(chain)
        and chain[0] not in own.keys
        and any(
            chain[-length:] in wanted and chain[-length:] in own.tables
            for length in range(1, len(chain))
        )
    )


def _of_scope(scope: Scope, known: dict[int, _Qualifiers]) -> _Qualifiers:
    if (own := known.get(id(scope))) is None:
        own = known[id(scope)] = _Qualifiers(scope)
    return own


def _qualified(
    chain: Name, scope: Scope | None, known: dict[int, _Qualifiers]
) -> tuple[exp.Table, int] | None:
    """The table without alias that a chain begins with, and how many of its names; else None."""
    while scope is not None:
        try:
            return _of_scope(scope, known).find(chain)
        except KeyError:
            scope = scope.parent
    return None


def _name_of(table: exp.Table) -> Name:
    return casefolded(tuple(part.name for part in table.parts))


def casefolded(name: Name) -> Name:
    """A name by which one is found however its parts are spelled."""
    return tuple(part.casefold() for part in name)
