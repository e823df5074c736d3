"""Connections to SQL databases, through SQLAlchemy."""

import math
import re
import socket
import sqlite3
import ssl
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final, TypeVar
from urllib.parse import parse_qsl, urlsplit

import psycopg
import requests
from sqlalchemy import URL, Engine, create_engine, event, make_url
from sqlalchemy.engine.interfaces import IsolationLevel
from sqlalchemy.exc import ArgumentError, DBAPIError, OperationalError
from sqlalchemy.pool import NullPool

from connectors.clients.bounds import RESTART, Deadline
from connectors.clients.credentials import Secret
from connectors.clients.url_parameters import check_parameters
from discovery.addresses import SourceAddress, address
from discovery.engines import ENGINES
from discovery.engines import engine as engine_row
from discovery.errors import (
    BelvedereError,
    ConfigurationError,
    DeniedError,
    ReadError,
    UnreachableError,
)
from discovery.model import MYSQL, POSTGRESQL

APPLICATION: Final = "belvedere"
_DENIED: Final = ("28", "42501")  # SQLSTATE: invalid authorization, insufficient privilege
_GONE: Final = ("08", "57P", "53300")  # connection exception, shutdown, too many connections
_MYSQL_LOGIN: Final = frozenset({1045, 1698, 1820, 1862, 3118, 4151})  # expired, locked: the last
_MYSQL_DENIED: Final = _MYSQL_LOGIN | {1044, 1095, 1141, 1142, 1143, 1227, 1370}
_OF_A_LOGIN: Final = "are user and password right, and may the user log in there, from here?"
_NOT_LET_IN: Final = re.compile(
    r"authentication failed|no password supplied|no pg_hba\.conf entry|pg_hba\.conf rejects"
    r'|role ".*" does not exist|is not permitted to log in|permission denied for database'
)
"""What PostgreSQL says of a login that it refuses, with libpq 18 (18.4, 2026-11-28): psycopg has no
SQLSTATE of an attempt to connect. In another language of the server's it is not told apart.
"""
_MYSQL_GONE: Final = frozenset(  # too many connections, shutdown, killed, lost; 4031: idle too long
    {1040, 1053, 1129, 1130, 1152, 1158, 1159, 1160, 1161, 1203, 1226, 1927, 4031}
)
ALL_ROWS: Final = "SET SESSION sql_select_limit = 9223372036854775807"  # Doris' own default, too
"""Else a server with a lower global limit ends each answer there, and says nothing."""
WAITS: Final = RESTART[:4]
"""Seconds before a server that is full, starting or away is tried again."""
_QUIET: Final = 2
"""Timeouts that nothing may come in, as for MySQL: by then the server has ended the statement."""
WHOLE: Final = 10
"""Timeouts that an answer may take in all, as several statements may be asked at once."""
Opened = TypeVar("Opened")
_OF_A_FILE: Final = (
    "SQLite is a file: look whether it is there, may be read by this user, and its disk is not full"
)
_CLIENT: Final = range(2000, 2100)  # errors of MySQL's clients: no server spoke
_NETWORK: Final = (
    ConnectionError,
    TimeoutError,
    socket.gaierror,
    requests.ConnectionError,
    requests.Timeout,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DatabaseLogin:
    """How to reach a database.

    Attributes:
        url: `postgresql://host:port/database`, without user and password.
        user: Who connects.
        password: By reference.
        tls: Whether to insist on TLS and check the server's certificate and name.
        ca_file: PEM file of the authority that signed the certificate; without it, the system's.
    """

    schemes: ClassVar[tuple[str, ...]] = ENGINES[POSTGRESQL].schemes  # of the URL; empty: any

    url: str
    user: str | None = None
    password: Secret | None = None
    tls: bool = False
    ca_file: str | None = field(default=None, metadata={"path": True})

    def __post_init__(self) -> None:
        form = f"write {(*self.schemes, 'dialect+driver')[0]}://host:port/database"
        try:
            parts = urlsplit(self.url)
            url = make_url(self.url)  # to which a password may have a slash
            scheme = url.get_backend_name()
        except (ArgumentError, ValueError) as error:
            raise ConfigurationError(f"{self.url!r} is no URL of a database", hint=form) from error
        stated = parts.password or url.password
        if stated or any("passw" in key.lower() for key, _ in parse_qsl(parts.query)):
            hint = "take it out of the URL; write password: ${env:NAME}"
            raise ConfigurationError("a password in the URL", hint=hint)
        if self.schemes and scheme not in self.schemes:
            raise ConfigurationError(f"the URL is one of {scheme}", hint=form)
        if self.schemes:
            check_parameters(url)

    def address(self) -> SourceAddress | None:
        """Server and database; None: it is no server's, as of a file.

        SQLAlchemy's own reading of the URL: a password with a slash is no path to it.
        """
        url = make_url(self.url)
        system = url.get_backend_name()
        row = engine_row(system)
        path = "" if row.database_is_schema else (url.database or "").partition("/")[0]
        return address(row.called or system, url.host, url.port or row.port, path)

    def complete_url(self, driver: str = "") -> URL:
        """The URL for SQLAlchemy, with user and password.

        Args:
            driver: SQLAlchemy's name of dialect and driver; empty leaves that of the URL.
        """
        url = make_url(self.url)
        if driver:
            url = url.set(drivername=driver)
        if self.user is not None:
            url = url.set(username=self.user)
        return url.set(password=self.password.reveal()) if self.password else url


def engine(
    url: URL, arguments: dict[str, object], *, isolation: IsolationLevel | None = None
) -> Engine:
    """An engine that opens a connection when asked and keeps none.

    Args:
        url: With user and password.
        arguments: For the driver.
        isolation: Of the transactions of each connection, as long as it lives: one that is told for
            a time is asked for another behind it, and what the driver raises then is in no words of
            SQLAlchemy's (2.0). None: the database's own.
    """
    new_engine = create_engine(
        url,
        poolclass=NullPool,
        isolation_level=isolation,
        pool_reset_on_return=None,  # a lost connection would log a traceback when given back
        connect_args=arguments,
        hide_parameters=True,
    )
    if url.get_backend_name() in ENGINES[MYSQL].schemes:
        event.listen(new_engine, "connect", _lift_limit)
    return new_engine


def _lift_limit(driver: Any, _: object) -> None:  # noqa: ANN401 - any driver's connection
    """Have a server of MySQL's family return all rows, whatever limit all its sessions have."""
    with closing(driver.cursor()) as cursor:
        cursor.execute(ALL_ROWS)


def open_connection(
    connect: Callable[[], Opened], waits: Sequence[float], end: float = math.inf
) -> Opened:
    """A connection; where a server may come back it is tried again, behind each wait.

    Args:
        connect: Opens one, or raises a `BelvedereError`.
        waits: Seconds.
        end: When no wait may last longer; of time.monotonic().

    Raises:
        BelvedereError: The server refuses us, or stays away.
    """
    for wait in waits:
        try:
            return connect()
        except BelvedereError as why:
            if not why.transient or time.monotonic() + wait > end:
                raise
            time.sleep(wait)
    return connect()


def postgresql(
    login: DatabaseLogin,
    *,
    options: str = "",
    timeout: float = 10.0,
    isolation: IsolationLevel | None = None,
) -> Engine:
    """An engine for PostgreSQL.

    Args:
        login: Where and who.
        options: For the server, such as `-c statement_timeout=30000`.
        timeout: Seconds for connecting, and until a silent network counts as lost.
        isolation: Of its transactions; None: the server's own.
    """
    url = login.complete_url(ENGINES[POSTGRESQL].python_driver)
    new_engine = engine(url, _libpq_parameters(login, options, timeout), isolation=isolation)

    def connect(_: object, __: object, places: Any, stated: Any) -> Any:  # noqa: ANN401 - SQLAlchemy
        connection = _PatientConnection.connect(*places, **stated)
        connection.timeout = timeout
        return connection

    event.listen(new_engine, "do_connect", connect)
    return new_engine


class _PatientConnection(psycopg.Connection[tuple[Any, ...]]):
    """A connection whose answers end by our own clock: a server that stands still keeps no limit.

    libpq has no limit for what comes once it is connected; `tcp_user_timeout` is for a network that
    is gone, and does not end while the server's kernel answers.

    Attributes:
        timeout: Seconds in which the server itself ends each statement.
    """

    timeout = 60.0

    def wait(self, gen: Any, *others: Any, **keywords: Any) -> Any:  # noqa: ANN401 - psycopg's own
        """The answer, for whatever this asks.

        Raises:
            psycopg.OperationalError: It did not come, or did not end; the connection is closed.
        """
        try:
            return super().wait(_bound_wait(gen, self.timeout), *others, **keywords)
        except TimeoutError as error:
            self.close()
            raise psycopg.OperationalError("no whole answer in time") from error


def _bound_wait(asking: Any, timeout: float) -> Any:  # noqa: ANN401 - generators of psycopg's
    """What is asked for, as long as something comes in two timeouts, and all of it in ten.

    Raises:
        TimeoutError: That was not so.
    """
    total, quiet = Deadline(timeout * WHOLE), Deadline(timeout * _QUIET)
    ready: object = None
    while True:
        try:
            wanted = asking.send(ready)
        except StopIteration as done:
            return done.value
        ready = yield wanted
        if ready:  # psycopg comes back every 0.1 s, with 0 where nothing came
            quiet = Deadline(timeout * _QUIET)
        quiet.seconds_left()
        total.seconds_left()


class LibpqConnection(psycopg.Connection[tuple[Any, ...]]):
    """A connection below SQLAlchemy, which would ask a new one things without a limit in time."""

    def __del__(self, *_: object) -> None:
        """Close where nobody did, as SQLAlchemy's connections do, without a warning."""
        self.close()


def libpq_connection(login: DatabaseLogin, *, options: str, timeout: float) -> LibpqConnection:
    """A connection to PostgreSQL for those who speak to libpq.

    Args:
        login: Where and who.
        options: For the server.
        timeout: Seconds for connecting, and until a silent network counts as lost.

    Raises:
        psycopg.Error: There is none to be had.
    """
    url = login.complete_url(ENGINES[POSTGRESQL].python_driver)
    _, stated = url.get_dialect()().create_connect_args(url)
    arguments: Any = {**stated, **_libpq_parameters(login, options, timeout)}
    return LibpqConnection.connect(**arguments, autocommit=True)


def _libpq_parameters(login: DatabaseLogin, options: str, timeout: float) -> dict[str, object]:
    """Parameters of libpq."""
    arguments: dict[str, object] = {
        "application_name": APPLICATION,
        "client_encoding": "utf8",
        "connect_timeout": max(2, round(timeout)),
        "keepalives_idle": max(1, round(timeout / 3)),
        "tcp_user_timeout": round(timeout * 1000),
        "options": options,
        "prepare_threshold": None,  # what is prepared is not there in a pool's next transaction
    }
    if login.tls:
        arguments |= {"sslmode": "verify-full", "sslrootcert": login.ca_file or "system"}
    return arguments


def mysql(
    login: DatabaseLogin,
    *,
    timeout: float = 10.0,
    isolation: IsolationLevel | None = None,
    **options: object,
) -> Engine:
    """An engine for MySQL and MariaDB.

    Args:
        login: Where and who.
        timeout: Seconds for connecting, and until a silent server counts as lost.
        isolation: Of its transactions; None: the server's own.
        **options: For the driver.
    """
    arguments: dict[str, object] = {
        "program_name": APPLICATION,
        "connect_timeout": max(2, round(timeout)),
        "read_timeout": max(1, round(timeout * 2)),
        "write_timeout": max(1, round(timeout * 2)),
        "charset": "utf8mb4",  # as sessions are told, not as the URL has it
        **options,
    }
    if login.tls:
        arguments["ssl"] = ssl.create_default_context(cafile=login.ca_file)
    return engine(login.complete_url(ENGINES[MYSQL].python_driver), arguments, isolation=isolation)


def our_error(error: DBAPIError, *, connected: bool = False) -> BelvedereError:
    """Our error for one of the database: its own message, without statement and parameters.

    Args:
        error: Of the driver, as SQLAlchemy raises it.
        connected: Whether the connection stood: then an error without a state is the statement's.
    """
    cause = error.orig or error
    if error.connection_invalidated or is_unanswered(cause):
        return UnreachableError(_message(cause))
    if not connected and isinstance(error, OperationalError):
        return connecting(cause)
    return driver_error(cause)


def is_unanswered(error: BaseException) -> bool:
    """Whether a driver's error stands on one of the network: no server spoke.

    A driver that connects with the first statement, as Trino's, raises it where a statement's error
    is expected, without a state.
    """
    return any(isinstance(ground, _NETWORK) for ground in _grounds(error))


def _grounds(error: BaseException | None) -> Iterator[BaseException]:
    """An error and those that it stands on; ours begin what we do about an earlier one."""
    while error is not None and not isinstance(error, BelvedereError):
        yield error
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)


def connecting(cause: BaseException) -> BelvedereError:
    """Our error for one of a driver that could not connect: without a state nobody spoke.

    But for PostgreSQL's refusals of a login, which are told by their words.
    """
    refusal = driver_error(cause)
    is_told = isinstance(cause, psycopg.OperationalError) and _NOT_LET_IN.search(str(cause))
    if is_told or number(cause) in _MYSQL_LOGIN:
        return DeniedError(refusal.message, hint=_OF_A_LOGIN)
    if isinstance(cause, sqlite3.Error):
        return UnreachableError(refusal.message, hint=_OF_A_FILE)
    spoken = getattr(cause, "sqlstate", None) or number(cause)
    return refusal if spoken else UnreachableError(refusal.message)


def driver_error(cause: BaseException) -> BelvedereError:
    """Our error for one of a driver: told apart by SQLSTATE, or by the number of MySQL's family."""
    code, message = number(cause), _message(cause)
    state = str(getattr(cause, "sqlstate", None) or "")
    if state.startswith(_DENIED) or code in _MYSQL_DENIED:
        return DeniedError(message)
    if state.startswith(_GONE) or code in _MYSQL_GONE or code in _CLIENT:
        return UnreachableError(message)
    return ReadError(message)


def number(cause: BaseException) -> int:
    """The error's number, which the drivers of MySQL put first; 0 for others."""
    first = cause.args[0] if cause.args else 0
    return first if isinstance(first, int) else 0


def _message(cause: BaseException) -> str:
    """The first line of what the database said, with the number where it has one."""
    code = number(cause)
    message = f"{code}: {cause.args[1]}" if code and len(cause.args) > 1 else str(cause)
    return message.strip().partition("\n")[0] or type(cause).__name__
