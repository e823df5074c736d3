"""Judge `postgresql`: PostgreSQL's own parser, in the package pglast.

The package is under GPL-3.0-or-later, so nothing needs it: it comes with the extra
`postgresql-judge`. The parser bounds its own stack, so it runs in the worker itself.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar

from pglast.parser import ParseError, get_postgresql_version, parse_sql_json

from connectors.judges.jars import Jar
from discovery.ports import Name, SqlJudge, Statement, Verdict


class PostgreSQLParser(SqlJudge):
    """Accepts what PostgreSQL's parser accepts; names and types are not looked at."""

    engine = "postgresql"
    jars: ClassVar[tuple[Jar, ...]] = ()
    others: ClassVar[Mapping[str, Any]] = MappingProxyType({})

    def __init__(self, *_: object) -> None:
        """Needs no jars."""

    @property
    def version(self) -> str:
        """The version of PostgreSQL that the parser is of."""
        return ".".join(map(str, get_postgresql_version()[:2]))

    def close(self) -> None:
        """Nothing was opened."""

    def judge(self, statements: Sequence[Statement]) -> Iterator[Verdict]:
        """One verdict per statement, in order."""
        return map(_judged, statements)


def _judged(statement: Statement) -> Verdict:
    sql = statement.sql
    if "\0" in sql:
        return Verdict(
            False, "a zero byte, which PostgreSQL cannot hold", *_position(sql, sql.index("\0"))
        )
    names = _Names()
    try:
        tree = parse_sql_json(sql)
        if statement.reads:
            names.read(json.loads(tree))
    except ParseError as error:
        message, offset = (*error.args, None)[:2]
        return Verdict(False, str(message), *_position(sql, offset))
    except UnicodeEncodeError:
        return Verdict(False, "half of a surrogate pair, which is no text")
    except RecursionError:
        return Verdict(None, "the tree is too deep to be read")
    return Verdict(True, tables=tuple(names.tables), functions=tuple(names.functions))


def _position(sql: str, offset: int | None) -> tuple[int | None, int | None]:
    if offset is None:
        return None, None
    before = sql[:offset]
    return before.count("\n") + 1, offset - before.rfind("\n")


class _Names:
    """Tables and functions of a tree, without the names that its WITH clauses make."""

    def __init__(self) -> None:
        self.tables: dict[Name, None] = {}
        self.functions: dict[Name, None] = {}
        self._inside: frozenset[str] = frozenset()

    def read(self, node: Any) -> None:  # noqa: ANN401 - JSON
        if isinstance(node, list):
            for child in node:
                self.read(child)
        elif isinstance(node, dict):
            for kind, member in node.items():
                self._read_member(kind, member)

    def _read_member(self, kind: str, node: Any) -> None:  # noqa: ANN401 - JSON
        if kind == "RangeVar":
            name = tuple(
                node[key] for key in ("catalogname", "schemaname", "relname") if key in node
            )
            if len(name) > 1 or name[0] not in self._inside:
                self.tables[name] = None
        elif kind == "FuncCall":
            if node.get("funcformat") != "COERCE_SQL_SYNTAX":  # EXTRACT, POSITION, TRIM ...
                self.functions[tuple(part["String"]["sval"] for part in node["funcname"])] = None
            self.read(node)
        elif kind == "LockingClause":
            return  # FOR UPDATE OF names what FROM has named
        elif isinstance(node, dict) and "withClause" in node:
            self._read_with(node)
        else:
            self.read(node)

    def _read_with(self, node: Mapping[str, Any]) -> None:
        outside, clause = self._inside, node["withClause"]
        queries = [cte["CommonTableExpr"] for cte in clause["ctes"]]
        if clause.get("recursive"):  # all of them see all (parse_cte.c, transformWithClause)
            self._inside |= {query["ctename"] for query in queries}
        for query in queries:
            self.read(query["ctequery"])
            self._inside |= {query["ctename"]}
        self.read({key: value for key, value in node.items() if key != "withClause"})
        self._inside = outside
