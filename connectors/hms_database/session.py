"""Reads in a metastore's own database: each in one snapshot, which cannot write, and bounded."""

import os
import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Final, TypeVar

from sqlalchemy import Connection, Engine, Table, literal_column, make_url, select
from sqlalchemy.exc import DBAPIError

from connectors.clients import sql
from connectors.clients.bounds import RESTART, Deadline
from connectors.clients.thrift.causes import LoginError
from connectors.hms_database.options import Options
from connectors.hms_database.tables import OF_VIEWS
from discovery.errors import (
    BelvedereError,
    DeniedError,
    ReadError,
    UnreachableError,
    UnsupportedVersionError,
)

_PATIENCE: Final = (0.0, 0.3, 1.0)  # seconds before each attempt to connect
_RESTART: Final = (0.0, *RESTART)  # the same, where a server has been there
_TASK: Final = 10  # timeouts that a task, and a read, may take
_SNAPSHOT: Final = "REPEATABLE READ"
_NO_TABLE: Final = frozenset({"42P01", "3F000", 1146})  # SQLSTATE, or MySQL's number
Read = TypeVar("Read")


class NoTableError(UnsupportedVersionError):
    """There is no such table."""


class BackingSession:
    """A connection, opened by the first read and again after it broke.

    Args:
        options: Where it is, and who we are there.
    """

    def __init__(self, options: Options) -> None:
        self._options, self._engine = options, _engine(options)
        self._connection: Connection | None = None
        self._task: Deadline | None = None
        self._has_answered = False

    @property
    def database(self) -> str:
        """SQLAlchemy's name of the kind of database."""
        return self._engine.name

    def close(self) -> None:
        """Drop the connection, which may be lost, without waiting for the server."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.invalidate()
            connection.close()

    def open(self) -> Connection:
        """The connection; a server that has been there is given the time of a restart.

        Raises:
            BelvedereError: It does not answer, or does not let us in.
        """
        pauses = _RESTART if self._task or self._has_answered else _PATIENCE
        for number, pause in enumerate(pauses, 1):
            if self._connection is not None:
                break
            time.sleep(min(pause, self._seconds()))
            try:
                self._connection = self._connect()
            except BelvedereError as error:
                if not error.transient or number == len(pauses):
                    raise
        assert self._connection is not None  # noqa: S101 - the last attempt raises
        return self._connection

    @contextmanager
    def task(self) -> Iterator[None]:
        """Bound all reads within: ten timeouts."""
        self._task = Deadline(self._options.timeout * _TASK)
        try:
            yield
        finally:
            self._task = None

    def read(self, ask: Callable[[Connection], Read]) -> Read:
        """What is asked in one snapshot; once more on a new connection where the old one is lost.

        Raises:
            LoginError: A right is missing; the hint is the statement that grants it.
            NoTableError: A table is not there.
            BelvedereError: The database's own, in our words.
        """
        self.open()
        try:
            return self._ask(ask)
        except UnreachableError:
            return self._ask(ask)

    def find_denied(self, tables: Sequence[Table]) -> tuple[Table, ...]:
        """Those of the tables that we may not read."""

        def may_not(table: Table) -> bool:
            try:
                self._ask(
                    lambda connection: connection.execute(_empty_select(table)), explains=False
                )
            except DeniedError:
                return True
            except NoTableError:
                return False
            return False

        return tuple(filter(may_not, tables))

    def grant(self, tables: Sequence[Table]) -> str:
        """The statements that let us read tables."""
        preparer = self._engine.dialect.identifier_preparer
        schema, user = self._options.schema_name, self._options.user or "this user"
        place = f"{preparer.quote_identifier(schema)}." if schema else ""
        return "; ".join(
            f"GRANT SELECT ON {place}{preparer.quote(table.name)} TO {user}" for table in tables
        )

    def _ask(self, ask: Callable[[Connection], Read], *, explains: bool = True) -> Read:
        connection = self.open()
        try:
            with _cut_after(connection, self._seconds()), connection.begin():
                answer = ask(connection)
        except DBAPIError as error:
            raise self._our_error(error, explains=explains) from None
        except ValueError as error:
            self.close()
            raise ReadError(f"what the database says is no text: {error}") from None
        self._has_answered = True
        return answer

    def _our_error(self, error: DBAPIError, *, explains: bool) -> BelvedereError:
        refusal = sql.our_error(error, connected=True)
        if isinstance(refusal, UnreachableError):
            self.close()
        cause = error.orig or error
        if _NO_TABLE & {getattr(cause, "sqlstate", None), sql.number(cause)}:
            return NoTableError(refusal.message, hint="is that the database of a Hive Metastore?")
        if explains and isinstance(refusal, DeniedError):
            lacking = self.find_denied(OF_VIEWS)
            return LoginError(refusal.message, hint=self.grant(lacking) if lacking else "")
        return refusal

    def _connect(self) -> Connection:
        try:
            return self._engine.connect().execution_options(
                schema_translate_map={None: self._options.schema_name}
            )
        except DBAPIError as error:
            refusal = sql.our_error(error)
        if isinstance(refusal, DeniedError):
            raise LoginError(refusal.message)
        raise refusal

    def _seconds(self) -> float:
        """How long a read may take now."""
        try:
            return self._task.seconds_left() if self._task else self._options.timeout * _TASK
        except TimeoutError:
            why = "the time for a task is over: ten times the timeout"
            raise UnreachableError(why, hint="a smaller batch, or a longer timeout") from None


def _empty_select(table: Table) -> Any:  # noqa: ANN401 - SQLAlchemy
    """What a table would answer, without a row."""
    return select(literal_column("*")).select_from(table).where(literal_column("1=0"))


def columns_of(connection: Connection, table: Table) -> frozenset[str]:
    """The columns that a table has here, as `table.column`."""
    names = connection.execute(_empty_select(table)).keys()
    return frozenset(f"{table.name}.{name.upper()}" for name in names)


@contextmanager
def _cut_after(connection: Connection, seconds: float) -> Iterator[None]:
    """Cut off a connection on which somebody waits for longer."""
    watch = threading.Timer(seconds, _cut, [connection.connection.driver_connection])
    watch.daemon = True
    watch.start()
    try:
        yield
    finally:
        watch.cancel()


def _cut(driver: Any) -> None:  # noqa: ANN401 - psycopg's or PyMySQL's
    with suppress(Exception):  # it may be gone already
        number = driver.fileno() if hasattr(driver, "fileno") else driver._sock.fileno()  # noqa: SLF001 - PyMySQL has no door to it
        with socket.socket(fileno=os.dup(number)) as duplicate:
            duplicate.shutdown(socket.SHUT_RDWR)


def _engine(options: Options) -> Engine:
    """What opens connections that only read: a server is told so, and how long a statement is."""
    limit, timeout = round(options.timeout * 1000), options.timeout
    if make_url(options.url).get_backend_name() == "postgresql":
        settings = f"-c default_transaction_read_only=on -c statement_timeout={limit}"
        return sql.postgresql(options, options=settings, timeout=timeout, isolation=_SNAPSHOT)
    settings = "SET SESSION TRANSACTION READ ONLY"
    return sql.mysql(options, timeout=timeout, isolation=_SNAPSHOT, init_command=settings)
