"""What a statement reads, as sqlglot's scopes see it: where the engine's own parser cannot say.

On hostile texts it can take for ever: call it where it can be stopped.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

import sqlglot
from sqlglot import TokenType, exp, parse_one
from sqlglot.errors import OptimizeError, ParseError, SqlglotError, TokenError
from sqlglot.optimizer.qualify import qualify
from sqlglot.optimizer.scope import traverse_scope
from sqlglot.schema import MappingSchema

from discovery.checks.subject import Output
from discovery.engines import engine
from discovery.lineage.origins import Columns, columns_of, makes_several
from discovery.ports import Name, Verdict

VERSION: Final = f"sqlglot {sqlglot.__version__}"  # type: ignore[attr-defined]  # unlisted
_UNKNOWABLE: Final = (exp.MatchRecognize, exp.Pivot)
"""Where names come from that are no base's: sqlglot does not follow all of them."""

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

_MADE_UP: Final = re.compile(r"_col_\d+")  # by sqlglot, which names what a text does not
_NAMED: Final = (exp.Alias, exp.Aliases, exp.Column, exp.Dot, exp.Star)
_LOST: Final = re.compile(
    r"Column '(?P<bare>.*?)' could not be resolved(?: for table: '(?P<table>.*?)')?"
    r"|Unknown column: (?P<whole>.*)"
)
_LEVELS: Final = ("db", "catalog")  # as sqlglot calls them, from the table outwards
_NO_LEVEL: Final = "no level"
_SEEN: Final = re.compile(r"\S")
_NO_REGEX: Final = re.compile(r"\w*")
"""What Hive takes for a name whatever its settings are (`SemanticAnalyzer.isRegex`)."""

_IDENTIFIER: Final = "IDENTIFIER"
_TABLE: Final = "TABLE"
_SYNTAX: Final = frozenset({_IDENTIFIER, _TABLE, "EXTRACT", "OVERLAY", "POSITION", "ROW"})
"""What sqlglot takes for calls of unknown functions, and is syntax."""

_RUN: Final = (exp.Query, exp.Values, exp.DML, exp.Create, exp.Commit, exp.Rollback)
_ANY: Final = "*"
LONGEST: Final = 250_000  # characters that sqlglot is given: a million can take it 600 MB


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
    spelled = _spelling(sql, dialect)
    if spelled is None or len(sql) > LONGEST:
        return None
    try:
        trees = sqlglot.parse(readable(sql, dialect), read=spelled)
        name_walk = _NameWalk(dialect)
        for tree in filter(None, trees) if kinds is _RUN else trees[:1]:
            if not isinstance(tree, kinds):
                return None
            name_walk.read(tree, frozenset())
    except GIVES_UP:
        return None
    return tuple(name_walk.tables), tuple(name_walk.functions)


def _spelling(sql: str, dialect: str) -> str | None:
    """The dialect, as sqlglot calls it, that reads a text of an engine; None: there is none.

    It has none of Flink; but what Flink's own parser refuses, a session in Hive's dialect may have
    made, and what it takes has the same quotes (1.20.5). A backslash ends texts otherwise in one
    than in the other: nobody can tell then.
    """
    facts = engine(dialect)
    if facts.sqlglot is not None or "\\" in sql:
        return facts.sqlglot
    return engine(facts.also_writes).sqlglot


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
        if clause.recursive and self._engine.forward_ctes:
            inside |= frozenset(names)
        for name, expression in zip(names, clause.expressions, strict=True):
            itself = frozenset({name}) if clause.recursive else frozenset[str]()
            self.read(expression.this, inside | itself)
            inside |= {name}
        return inside

    def _read_table(self, node: exp.Table, inside: frozenset[str]) -> None:
        call = node.this
        if isinstance(call, exp.Anonymous) and call.name.upper() == _IDENTIFIER:
            node = _constant(call, self._engine.sqlglot)
        parts = node.parts  # none of ROWS FROM (…), which holds functions
        if not parts or not all(isinstance(part, exp.Identifier) for part in parts):
            return
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

    def _folded(self, part: exp.Expr) -> str:
        name = self._spelled(part)
        return name if self._engine.exact_ctes else name.lower()


def _constant(call: exp.Anonymous, dialect: str | None) -> exp.Table:
    """The table that IDENTIFIER has as a text.

    Raises:
        ValueError: It is to be computed.
    """
    written = call.expressions[0] if len(call.expressions) == 1 else None
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


def output(sql: str, dialect: str, columns_by_table: Mapping[Name, Sequence[str]]) -> Output | None:
    """What a statement returns, if its tables have these columns; None: sqlglot cannot tell.

    Args:
        sql: The statement.
        dialect: Its dialect.
        columns_by_table: Columns of every table that it reads, by the name as it spells it.
    """
    spelled = _spelling(sql, dialect)
    if spelled is None or len(sql) > LONGEST or not columns_by_table:
        return None
    padded = _pad(columns_by_table)
    schema = _schema({padded[name]: columns_by_table[name] for name in padded}, spelled, dialect)
    certain = False
    try:
        tree = parse_one(readable(sql, dialect), read=spelled)
        if not isinstance(tree, exp.Query) or tree.find(*_UNKNOWABLE) or makes_several(tree):
            return None
        is_own = spelled == engine(dialect).sqlglot  # another's grammar has other words
        star, certain = tree.is_star, is_own and _names_all(tree, columns_by_table)
        _make_names_certain(tree)
        _pad_tables(tree, padded)
        qualified = qualify(tree, schema=schema, dialect=spelled, quote_identifiers=False)
        returned = [] if qualified.is_star else columns_of(qualified)
    except OptimizeError as error:
        message = str(error).partition(" Line:")[0]
        return (
            Output((), lost=message)
            if certain and _is_lost(message, columns_by_table, dialect)
            else None
        )
    except GIVES_UP:
        return None
    return _known_output(returned, star=star) if returned else None


def _known_output(columns: Columns, *, star: bool) -> Output:
    names = tuple("" if _MADE_UP.fullmatch(name) else name for name, _ in columns)
    origins = tuple(
        tuple(sorted((_without_padding(table), column) for table, column in of_column))
        for _, of_column in columns
    )
    return Output(names, star, origins=origins)


def _pad(tables: Iterable[Name]) -> dict[Name, Name]:
    """Names of as many levels as the longest has: sqlglot's schema has as many everywhere."""
    most = max(map(len, tables))
    return {name: (*[_NO_LEVEL] * (most - len(name)), *name) for name in tables}


def _without_padding(name: Name) -> Name:
    return tuple(part for part in name if part != _NO_LEVEL)


def _pad_tables(tree: exp.Query, padded: Mapping[Name, Name]) -> None:
    """Give tables their longer names, and nothing that only has the name of one, as a WITH has."""
    for scope in traverse_scope(tree):
        for table in scope.sources.values():
            if isinstance(table, exp.Table):
                written = tuple(part.name for part in table.parts)
                around = padded.get(written, written)[:-1]
                for level, part in zip(_LEVELS, reversed(around), strict=False):
                    if part == _NO_LEVEL:
                        table.set(level, exp.to_identifier(part, quoted=True))


def _schema(
    columns_by_table: Mapping[Name, Sequence[str]], spelled: str, dialect: str
) -> MappingSchema:
    """Tables and columns as they are called where quotes keep the case, else in any case."""
    schema: dict[str, Any] = {}
    for name, columns in columns_by_table.items():
        level = schema
        for part in name:
            level = level.setdefault(part, {})
        level.update(dict.fromkeys(columns, "unknown"))
    return MappingSchema(schema, dialect=spelled, normalize=not engine(dialect).folds_unquoted)


def _make_names_certain(tree: exp.Query) -> None:
    """Say what sqlglot would take for another name, or for a name that is none.

    To it `CAST(x AS int)` is called `x`, which is `_c0` to Hive; a table "A" without an alias `a`;
    and `json` of `RETURNING json`, as PostgreSQL has it behind each JSON_OBJECT, is a column. What
    `FOR UPDATE OF a` names again is no table more.
    """
    for place, item in enumerate(tree.selects):
        if not isinstance(item, _NAMED):
            item.replace(exp.alias_(item.copy(), f"_col_{place}"))
    for table in tree.find_all(exp.Table):
        name = table.this
        if not table.alias and isinstance(name, exp.Identifier) and name.quoted:
            table.set("alias", exp.TableAlias(this=name.copy()))
    for node in tree.find_all(exp.JSONObject, exp.JSONObjectAgg, exp.JSONArray, exp.JSONArrayAgg):
        node.set("return_type", None)
    for query in tree.find_all(exp.Query):
        query.set("locks", None)


def _is_lost(message: str, columns_by_table: Mapping[Name, Sequence[str]], dialect: str) -> bool:
    """Whether what sqlglot cannot find is a column that tables have lost.

    Engines have columns besides those of a table and compare names ignoring case: sqlglot does not
    always, and then its word proves nothing.
    """
    match, facts = _LOST.match(message), engine(dialect)
    if match is None or any(facts.provides.has_column(group) for group in match.groups(default="")):
        return False
    column = match["bare"] or match["whole"]
    if not column:  # of `f.(x)`, which is a column without a name to sqlglot
        return False
    if facts.regex_columns and not _NO_REGEX.fullmatch(column):
        return False
    every = {name for columns in columns_by_table.values() for name in columns}
    alike = {name for name in every if name.casefold() == column.casefold()}
    return not alike or column in alike or facts.folds_unquoted


def _names_all(tree: exp.Query, columns_by_table: Mapping[Name, Sequence[str]]) -> bool:
    """Whether a text itself names all that a column of it can be, so that others are not there.

    What is called as a column is may be a table or its field: `t.f`.
    """
    columns = {
        name.casefold() for column_names in columns_by_table.values() for name in column_names
    }
    tables = {table.alias_or_name.casefold() for table in tree.find_all(exp.Table)}
    made_up = any(_is_named_by_engine(node) and node is not tree for node in tree.walk())
    return not made_up and columns.isdisjoint(tables)


def _is_named_by_engine(node: exp.Expr) -> bool:
    """Whether the engine gives a column of a subquery, or of a table's function, its name."""
    if isinstance(node, exp.Select):
        return not isinstance(node.parent, exp.Exists | exp.In) and not all(
            isinstance(expression, _NAMED) for expression in node.expressions
        )
    makes = isinstance(node, exp.UDTF) or (
        isinstance(node, exp.Table) and isinstance(node.this, exp.Func)
    )
    alias = node.args.get("alias") if makes else None
    return makes and not (isinstance(alias, exp.TableAlias) and alias.columns)
