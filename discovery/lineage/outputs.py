"""What a statement returns, as sqlglot sees it, where the columns of all that it reads are known.

On hostile texts it can take for ever: call it where it can be stopped.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, Final

from sqlglot import exp, parse_one
from sqlglot.errors import OptimizeError
from sqlglot.optimizer.qualify import qualify
from sqlglot.optimizer.scope import traverse_scope
from sqlglot.schema import MappingSchema

from discovery.checks.subject import Origin, Output
from discovery.engines import engine
from discovery.lineage.origins import ANY, columns_of, makes_several
from discovery.lineage.scopes import GIVES_UP, LONGEST, readable, spelling, with_folded_ctes
from discovery.model import MYSQL
from discovery.ports import Name

_UNKNOWABLE: Final = (exp.MatchRecognize, exp.Pivot)
"""Where names come from that are no base's: sqlglot does not follow all of them."""

_MADE_UP: Final = re.compile(r"_col_\d+")  # by sqlglot, which names what a text does not
_NAMED: Final = (exp.Alias, exp.Aliases, exp.Column, exp.Dot, exp.Star)
_LOST: Final = re.compile(
    r"Column '(?P<bare>.*?)' could not be resolved(?: for table: '(?P<table>.*?)')?"
    r"|Unknown column: (?P<whole>.*)"
)
_LEVELS: Final = ("db", "catalog")  # as sqlglot calls them, from the table outwards
_NO_LEVEL: Final = "no level"
_NO_REGEX: Final = re.compile(r"\w*")
"""What Hive takes for a name whatever its settings are (`SemanticAnalyzer.isRegex`)."""


def output(sql: str, dialect: str, columns_by_table: Mapping[Name, Sequence[str]]) -> Output | None:
    """What a statement returns, if its tables have these columns; None: sqlglot cannot tell.

    Args:
        sql: The statement.
        dialect: Its dialect.
        columns_by_table: Columns of every table that it reads, by the name as it spells it.
    """
    spelled = spelling(sql, dialect)
    if spelled is None or len(sql) > LONGEST or not columns_by_table:
        return None
    padded = _pad(columns_by_table)
    schema = _schema({padded[name]: columns_by_table[name] for name in padded}, spelled, dialect)
    certain = False
    try:
        tree = with_folded_ctes(parse_one(readable(sql, dialect), read=spelled), dialect)
        if not isinstance(tree, exp.Query) or tree.find(*_UNKNOWABLE) or makes_several(tree):
            return None
        is_own = spelled == engine(dialect).sqlglot  # another's grammar has other words
        star, certain = tree.is_star, is_own and _names_all(tree, columns_by_table)
        _make_names_certain(tree)
        if padded.keys() != set(padded.values()):
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
    if not returned:
        return None
    names = tuple("" if _MADE_UP.fullmatch(name) else name for name, _ in returned)
    spelled_as = _spelled_as(columns_by_table)
    origins = tuple(spelled_as(origins) for _, origins in returned)
    return Output(names, star, origins=origins)


def _spelled_as(
    columns_by_table: Mapping[Name, Sequence[str]],
) -> Callable[[Iterable[Origin]], tuple[Origin, ...]]:
    """What gives origins back as text and table spell them: sqlglot folds them where engines do."""
    exact = {(name, column) for name, columns in columns_by_table.items() for column in columns}
    folded = {_folded(origin): origin for origin in exact}
    tables = {_folded((name, ANY))[0]: name for name in columns_by_table}

    def spelled(origin: Origin) -> Sequence[Origin]:
        written = (_without_padding(origin[0]), origin[1])
        if written[1] == ANY:
            is_known = written[0] in columns_by_table
            table = written[0] if is_known else tables.get(_folded(written)[0], ())
            return [(table, column) for column in columns_by_table.get(table, ())]
        return [written if written in exact else folded.get(_folded(written), written)]

    return lambda origins: tuple(sorted(set(chain.from_iterable(map(spelled, origins)))))


def _folded(origin: Origin) -> Origin:
    name, column = origin
    return tuple(map(str.casefold, name)), column.casefold()


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
                written = tuple(part.meta.get("spelled", part.name) for part in table.parts)
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
    and `json` of `RETURNING json`, as PostgreSQL has it behind each JSON_OBJECT, is a column, like
    the name of a partition of MySQL. What `FOR UPDATE OF a` names again is no table more.
    """
    for place, item in enumerate(tree.selects):
        if not isinstance(item, _NAMED):
            item.replace(exp.alias_(item.copy(), f"_col_{place}"))
    for table in tree.find_all(exp.Table):
        table.set("partition", None)
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
    bare = match["bare"] if dialect.casefold() != MYSQL else None  # which writes `t`.`a`
    column = bare or match["whole"]
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
