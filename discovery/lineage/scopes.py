"""What a statement reads, as sqlglot's scopes see it: where the engine's own parser cannot say.

On hostile texts it can take for ever: call it where it can be stopped.
"""

import re
from collections.abc import Container, Sequence
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from typing import Final

import sqlglot
from sqlglot import Token, TokenType, exp
from sqlglot.errors import ParseError, SqlglotError, TokenError
from sqlglot.parser import Parser

from discovery.engines import engine
from discovery.lineage.shorn import shorn
from discovery.model import MYSQL
from discovery.ports import Name, Verdict

VERSION: Final = f"sqlglot {sqlglot.__version__}"  # type: ignore[attr-defined]  # unlisted

GIVES_UP: Final = (
    SqlglotError,
    RecursionError,
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    TypeError,
    ValueError,
)
"""What sqlglot raises on texts that it does not foresee: far from always an error of its own."""

_SEEN: Final = re.compile(r"\S")

_IDENTIFIER: Final = "IDENTIFIER"
_TABLE: Final = "TABLE"
_SYNTAX: Final = frozenset({_IDENTIFIER, _TABLE, "EXTRACT", "OVERLAY", "POSITION", "ROW"})
"""What sqlglot takes for calls of unknown functions, and is syntax."""

_RUN: Final = (exp.Query, exp.Values, exp.DML, exp.Create, exp.Commit, exp.Rollback)
LONGEST: Final = 250_000  # characters that sqlglot is given: a million can take it 600 MB
_DEEPEST: Final = 12
"""Calls of what may be a type within each other, as `STRUCT(STRUCT(…`.

sqlglot reads each twice: 14 take it half a second, and each more twice as long (30.30).
"""
_OPENING: Final = frozenset({TokenType.L_PAREN, TokenType.L_BRACKET})
_CLOSING: Final = frozenset({TokenType.R_PAREN, TokenType.R_BRACKET})


def readable(sql: str, dialect: str) -> str:
    """A statement as sqlglot can read it: blanks stand for hints, so all else is where it was.

    `JOIN [broadcast] t` of Doris and StarRocks says how tables are joined, not which.
    """
    facts = engine(dialect)
    if not facts.bracket_hints or "[" not in sql:
        return sql
    try:
        tokens = sqlglot.tokenize(sql, read=facts.sqlglot)
    except GIVES_UP:
        return sql
    start, depth = 0, 0
    for before, token in pairwise(tokens):
        if token.token_type is TokenType.L_BRACKET and (
            depth or before.token_type is TokenType.JOIN
        ):
            start, depth = start if depth else token.start, depth + 1
        elif token.token_type is TokenType.R_BRACKET and depth:
            depth -= 1
            if not depth:
                hint = sql[start : token.end + 1]
                sql = f"{sql[:start]}{_SEEN.sub(' ', hint)}{sql[token.end + 1 :]}"
    return sql


def names(sql: str, dialect: str) -> tuple[tuple[Name, ...], tuple[Name, ...]] | None:
    """Tables and functions that a statement reads, as sqlglot's scopes see it; None: it cannot.

    sqlglot reads generously and is no judge; this is for texts whose own engine's parser is not
    there, or refuses them.
    """
    return _named(sql, dialect, (exp.Query, exp.Values))


def touched(sql: str, dialect: str) -> tuple[Name, ...] | None:
    """Tables that statements as they were run read or write; None: sqlglot cannot tell."""
    return (_named(sql, dialect, _RUN) or (None,))[0]


def _named(
    sql: str, dialect: str, kinds: tuple[type[exp.Expr], ...]
) -> tuple[tuple[Name, ...], tuple[Name, ...]] | None:
    spelled = spelling(sql, dialect)
    if spelled is None or len(sql) > LONGEST:
        return None
    try:
        if _is_too_deep(sql, spelled) or (kinds is not _RUN and _is_left_open(sql, spelled)):
            return None
        trees = _trees(readable(sql, dialect), dialect, spelled)
        name_walk = _NameWalk(dialect)
        for tree in filter(None, trees) if kinds is _RUN else trees[:1]:
            if not isinstance(tree, kinds):
                return None
            name_walk.read(tree, frozenset())
    except GIVES_UP:
        return None
    return tuple(name_walk.tables), tuple(name_walk.functions)


def _trees(sql: str, dialect: str, spelled: str) -> list[exp.Expr | None]:
    """The trees of statements, of which names alone are asked.

    Raises:
        Any of `GIVES_UP`: sqlglot does not read them.
    """
    try:
        return list(sqlglot.parse(sql, read=spelled))
    except ParseError:
        if dialect.casefold() != MYSQL:
            raise
        return list(sqlglot.parse(shorn(sql), read=spelled))


def _is_too_deep(sql: str, spelled: str) -> bool:
    """Whether sqlglot may take for ever.

    Raises:
        Any of `GIVES_UP`: Not even its tokens are read.
    """
    if sql.count("(") + sql.count("[") <= _DEEPEST:
        return False
    opened: list[bool] = []
    depth, before = 0, None
    for token in sqlglot.tokenize(sql, read=spelled):
        if token.token_type in _OPENING:
            opened.append(before is not None and _may_be_type(before))
            depth += opened[-1]
        elif token.token_type in _CLOSING and opened:
            depth -= opened.pop()
        if depth > _DEEPEST:
            return True
        before = token
    return False


def _is_left_open(sql: str, spelled: str) -> bool:
    """Whether a session has to fill in what stands for more than a text: `SELECT ${x} FROM t`."""
    if "${" not in sql:
        return False
    pairs = pairwise(sqlglot.tokenize(sql, read=spelled))
    return any(
        token.token_type is TokenType.PARAMETER and after.token_type is TokenType.L_BRACE
        for token, after in pairs
    )


def _may_be_type(token: Token) -> bool:
    return token.token_type in Parser.TYPE_TOKENS or token.text.upper() == "ROW"


def spelling(sql: str, dialect: str) -> str | None:
    """The dialect, as sqlglot calls it, that reads a text of an engine; None: there is none.

    It has none of Flink; but what Flink's own parser refuses, a session in Hive's dialect may have
    made, and what it takes has the same quotes (1.20.5). A backslash ends texts otherwise in one
    than in the other: nobody can tell then.
    """
    facts = engine(dialect)
    if facts.sqlglot is not None or "\\" in sql:
        return facts.sqlglot
    return engine(facts.also_writes).sqlglot


def with_folded_ctes(tree: exp.Expr, dialect: str) -> exp.Expr:
    """A tree whose WITH clauses and what reads them have one spelling, as their engine finds them.

    sqlglot's scopes compare names to the letter: `orders` would not be the `Orders` of a WITH. What
    an identifier was called is in its `meta`, as `spelled`.
    """
    walk = _NameWalk(dialect)
    made: set[str] = set()
    for clause in tree.find_all(exp.CTE):
        made.add(walk.fold(clause.args["alias"].this))
    for table in tree.find_all(exp.Table) if made else ():
        parts = table.parts
        if len(parts) == 1 and isinstance(parts[0], exp.Identifier):
            walk.fold(parts[0], only=made)
    for ctes in tree.find_all(exp.With) if engine(dialect).mutual_ctes else ():
        ctes.set("expressions", _after_what_they_read(ctes.expressions))
    return tree


def _after_what_they_read(ctes: Sequence[exp.CTE]) -> list[exp.CTE]:
    """Queries of a WITH clause, each behind those that it names: sqlglot sees no later ones."""
    by_name = {cte.alias: cte for cte in ctes}
    reads = {
        name: dict.fromkeys(
            table.name
            for table in cte.find_all(exp.Table)
            if table.name in by_name and table.name != name
        )
        for name, cte in by_name.items()
    }
    try:
        return [by_name[name] for name in TopologicalSorter(reads).static_order()]
    except CycleError:  # Hive takes none
        return list(by_name.values())


class _NameWalk:
    """Tables and functions of a tree, without the names that its WITH clauses make."""

    def __init__(self, dialect: str) -> None:
        self.tables: dict[Name, None] = {}
        self.functions: dict[Name, None] = {}
        self._engine = engine(dialect)

    def read(self, node: exp.Expr, inside: frozenset[str]) -> None:
        """What a node and all below it name.

        Args:
            node: Of the tree.
            inside: Names of WITH clauses that are in scope.
        """
        if isinstance(node, exp.Lock | exp.Hint):
            return  # FOR UPDATE OF and hints name what FROM has named
        if isinstance(node, exp.Table):
            self._read_table(node, inside)
        elif isinstance(node, exp.Anonymous):
            self._read_call(node, inside)
        clause = node.args.get("with_")
        if isinstance(clause, exp.With):
            inside = self._read_with(clause, inside)
        for child in node.iter_expressions():
            if child is not clause:
                self.read(child, inside)

    def _read_with(self, clause: exp.With, inside: frozenset[str]) -> frozenset[str]:
        """What the clause's queries name; the names in scope after it."""
        names = [self._folded(table.args["alias"].this) for table in clause.expressions]
        every = frozenset(names)
        if clause.recursive and self._engine.forward_ctes:
            inside |= every
        for name, expression in zip(names, clause.expressions, strict=True):
            seen = every - {name} if self._engine.mutual_ctes else frozenset[str]()
            if clause.recursive:
                seen |= {name}
            self.read(expression.this, inside | seen)
            inside |= {name}
        return inside

    def _read_table(self, node: exp.Table, inside: frozenset[str]) -> None:
        call = node.this
        if isinstance(call, exp.DynamicIdentifier) or (
            isinstance(call, exp.Anonymous) and call.name.upper() == _IDENTIFIER
        ):
            node = _constant(call, self._engine.sqlglot)
        parts = node.parts  # none of ROWS FROM (…), which holds functions
        if not parts or isinstance(parts[-1], exp.Func):  # of `a.b.c.f(1)`, too
            return
        if not all(isinstance(part, exp.Identifier) for part in parts):
            raise ValueError(node)  # a parameter: the session says which
        name = self._engine.parted(tuple(map(self._spelled, node.parts)))
        is_local = len(name) == 1 and (
            name[0].casefold() in self._engine.provides.no_tables
            or self._folded(node.parts[0]) in inside
        )
        if not is_local:
            self.tables[name] = None

    def _read_call(self, call: exp.Anonymous, inside: frozenset[str]) -> None:
        word = call.name.upper()
        if word == _TABLE:  # TABLE(t) in an argument, or TABLE(f(x)) in a FROM clause
            for expression in call.expressions:
                if isinstance(expression, exp.Column):
                    table, *levels = reversed(expression.parts)
                    qualifiers = dict(zip(("db", "catalog"), levels, strict=False))
                    self._read_table(exp.Table(this=table, **qualifiers), inside)
        elif word not in _SYNTAX:
            self.functions[_called(call)] = None

    def _spelled(self, part: exp.Expr) -> str:
        folds = self._engine.folds_unquoted and not part.args.get("quoted")
        return part.name.lower() if folds else part.name

    def fold(self, part: exp.Expr, only: Container[str] | None = None) -> str:
        """Call an identifier as it is found; of those of tables, `only` what a WITH makes."""
        name = self._folded(part)
        if part.name != name and (only is None or name in only):
            part.meta["spelled"] = part.name
            part.set("this", name)
        return name

    def _folded(self, part: exp.Expr) -> str:
        name = self._spelled(part)
        return name if self._engine.exact_ctes else name.lower()


def _constant(call: exp.Func, dialect: str | None) -> exp.Table:
    """The table that IDENTIFIER has as a text.

    Raises:
        ValueError: It is to be computed.
    """
    written = call.expressions[0] if len(call.expressions) == 1 else call.this
    if not isinstance(written, exp.Literal) or not written.is_string:
        raise ValueError(call)
    return exp.to_table(written.this, dialect=dialect)


def opinion(sql: str, dialect: str) -> Verdict:
    """What sqlglot thinks of a statement. It reads generously: a nod proves little."""
    if len(sql) > LONGEST:
        return Verdict(None, f"longer than the {LONGEST} characters that sqlglot is given")
    try:
        trees = sqlglot.parse(readable(sql, dialect), read=engine(dialect).sqlglot)
    except ParseError as error:
        first = error.errors[0] if error.errors else {}
        message = str(first.get("description") or error).partition("\n")[0]
        return Verdict(False, message, first.get("line"), first.get("col"))
    except TokenError as error:
        return Verdict(False, str(error).partition("\n")[0])
    except GIVES_UP as error:
        return Verdict(None, f"sqlglot gave up: {type(error).__name__}")
    if len(trees) != 1 or trees[0] is None:
        return Verdict(False, f"{len(trees)} statements instead of one")
    if isinstance(trees[0], exp.Command):
        return Verdict(None, "sqlglot has passed over it")
    return Verdict(True)


def _called(call: exp.Anonymous) -> Name:
    """The name of a function with what stands before it: `a.b.f(x)` is a Dot of a Dot.

    In FROM it is a table's, whose schema and catalog stand before it.
    """
    dot = call.parent
    if isinstance(dot, exp.Table) and dot.this is call:
        return tuple(name for name in (dot.catalog, dot.db, call.name) if name)
    if not isinstance(dot, exp.Dot) or dot.expression is not call:
        return (call.name,)
    before = dot.this.flatten() if isinstance(dot.this, exp.Dot) else [dot.this]
    return (*(part.name for part in before), call.name)
