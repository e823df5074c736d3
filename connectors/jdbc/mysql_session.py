"""Sessions at servers of MySQL's family: read-only, bounded, and made anew behind each batch."""

import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Final

import pymysql
from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError

from connectors.clients import sql
from connectors.jdbc import alchemy, base
from discovery.engines import engine
from discovery.errors import ReadError
from discovery.model import MYSQL
from discovery.mysql_family import is_mariadb

_LONGEST_LOCK: Final = 5  # seconds to wait for a table that somebody alters
_RESET: Final = 31  # COM_RESET_CONNECTION, which PyMySQL does not know


class SessionOfMySQL(alchemy.AlchemyDatabase):
    """A server of MySQL's family, and how a session at it is bounded."""

    def engine(self, options: base.Options) -> Engine:
        """Sessions with a name, one statement to a packet, and TLS where it is asked for."""
        return sql.mysql(options, timeout=options.timeout, isolation="AUTOCOMMIT")

    def set_up_session(self, connection: Connection) -> None:
        """Make the session read-only and bounded."""
        version = driver_of(connection).get_server_info()
        for statement in self.session(version, self._options.timeout):
            connection.exec_driver_sql(statement)

    def session(self, version: str, timeout: float) -> Sequence[str]:
        """What a new session is told; the SQL mode is the one in which texts have backticks.

        `group_concat_max_len` is left as it is: the types of views' columns depend on it.
        """
        limit = f"max_execution_time = {round(timeout * 1000)}"
        if is_mariadb(version):
            limit = f"max_statement_time = {timeout:g}"
        wait = f"lock_wait_timeout = {max(1, min(_LONGEST_LOCK, round(timeout / 2)))}"
        return (
            "SET NAMES utf8mb4",
            f"SET SESSION {limit}, SESSION {wait}",
            "SET SESSION sql_mode = '', SESSION autocommit = 1",
            "SET SESSION TRANSACTION READ ONLY",
            sql.ALL_ROWS,  # made anew, a session has the server's own limit again
        )

    def quoted(self, *names: str) -> str:
        """In backticks: SQLAlchemy quotes as the server's own mode has it, which is no session's.

        That of MariaDB 10.11 with `ANSI_QUOTES` or `ORACLE` has it write `"name"` (1064).
        """
        return ".".join(map(engine(MYSQL).quoted, names))

    @contextmanager
    def boundary(self) -> Iterator[None]:
        """A read-only transaction, which no function can leave, and a new session behind it."""
        with self.watch_connection():
            try:
                self.open_session().exec_driver_sql("START TRANSACTION READ ONLY")
                yield
            except DBAPIError as error:
                raise sql.our_error(error, connected=True) from None
            except ValueError as error:  # texts in another character set: a function changed it
                self.close()
                raise ReadError(f"what the server says is no UTF-8: {error}") from None
            finally:
                self._renew()

    @contextmanager
    def watch_connection(self) -> Iterator[None]:
        """A connection that outlives the time of its task is cut off."""
        left = min(self._seconds_left(), threading.TIMEOUT_MAX)
        watch = threading.Timer(left, _cut, [driver_of(self.open_session())])
        watch.daemon = True
        watch.start()
        try:
            yield
        finally:
            watch.cancel()

    def _renew(self) -> None:
        """Make the session anew; where the server cannot, the next batch has a new connection."""
        connection = self._connection
        if connection is None or connection.invalidated:
            return
        driver = driver_of(connection)
        try:
            driver._execute_command(_RESET, b"")  # noqa: SLF001 - PyMySQL has no word for it
            driver._read_packet()  # noqa: SLF001 - the same
            self.set_up_session(connection)
        except (pymysql.MySQLError, DBAPIError):
            self.close()


def driver_of(connection: Connection) -> Any:  # noqa: ANN401 - PyMySQL has no types
    """PyMySQL's connection below SQLAlchemy's."""
    return connection.connection.driver_connection


def _cut(driver: Any) -> None:  # noqa: ANN401 - PyMySQL has no types
    """End a connection on which somebody waits."""
    with suppress(OSError, AttributeError):  # it may be gone already
        driver._sock.shutdown(socket.SHUT_RDWR)  # noqa: SLF001 - PyMySQL has no door to it
