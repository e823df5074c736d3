"""What a statement reads, as sqlglot's scopes see it: where the engine's own parser cannot say."""

from importlib.metadata import version
from typing import Final

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError
from sqlglot.optimizer.scope import traverse_scope

from discovery.ports import Name

VERSION: Final = f"sqlglot {version('sqlglot')}"
_DIALECTS: Final = {
    "bigquery": "bigquery",
    "clickhouse": "clickhouse",
    "doris": "doris",
    "hive": "hive",
    "mysql": "mysql",
    "postgresql": "postgres",
    "presto": "presto",
    "snowflake": "snowflake",
    "spark": "spark",
    "starrocks": "starrocks",
    "trino": "trino",
}
_LONGEST: Final = 1_000_000  # characters that sqlglot is given: it is not made for more


def names(sql: str, dialect: str) -> tuple[tuple[Name, ...], tuple[Name, ...]] | None:
    """Tables and functions that a statement reads, as sqlglot's scopes see it; None: it cannot.

    sqlglot reads generously and is no judge; this is for texts whose own engine's parser is not
    there, or refuses them.
    """
    spelled = _DIALECTS.get(dialect.casefold())
    if spelled is None or len(sql) > _LONGEST:
        return None
    try:
        tree = parse_one(sql, read=spelled)
        tables = {
            tuple(part.name for part in found.parts): None
            for scope in traverse_scope(tree)
            for found in scope.sources.values()
            if isinstance(found, exp.Table) and found.name
        }
        calls = (call.name for call in tree.find_all(exp.Anonymous))
        functions = dict.fromkeys((name,) for name in calls)
    except (SqlglotError, RecursionError):
        return None
    return (tuple(tables), tuple(functions)) if isinstance(tree, exp.Query) else None
