"""Many statements to PostgreSQL in one round trip, through libpq's pipeline mode."""

import select
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import psycopg
from psycopg.pq import ConnStatus, DiagnosticField, ExecStatus
from psycopg.pq.abc import PGconn, PGresult

from connectors.clients import sql
from connectors.jdbc import base
from discovery.errors import BelvedereError, UnreachableError

Send = Callable[[PGconn], None]
_BEGIN: Final = b"BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY"
_AGAIN: Final = b"ROLLBACK AND CHAIN"  # a new one of the same sort; PostgreSQL 12 and later
_END: Final = b"ROLLBACK"
_AWAITED: Final = (b"55P03", b"57014")  # lock_not_available, query_canceled
_REFUSED: Final = (ExecStatus.FATAL_ERROR, ExecStatus.PIPELINE_ABORTED)


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a server is waited for, by our own clock: one that stands still keeps no limit.

    Attributes:
        silence: Seconds without a byte after which the connection counts as lost.
        end: When it does, whatever comes; of `time.monotonic()`.
    """

    silence: float
    end: float

    def seconds_left(self) -> float:
        """Seconds to wait for the next byte."""
        return min(self.silence, self.end - time.monotonic())

    def over(self) -> UnreachableError:
        """What is raised when it has run out."""
        if time.monotonic() >= self.end:
            return base.overdue()
        return UnreachableError(f"no answer within {self.silence:g} seconds")


def exchange(
    connection: PGconn, sends: Sequence[Send], patience: Patience, before: Sequence[bytes] = ()
) -> Iterator[list[PGresult]]:
    """What the server answered to each group of statements, while it works on the next.

    Each group is a read-only transaction of its own, which is rolled back: an error costs the rest
    of its group and no other, locks are given back at once, the server's statement timeout runs
    anew, and nothing that a group did to the session outlives it.

    Args:
        connection: Not in pipeline mode; to be closed where this is not read to its end.
        sends: Each queues the statements of a group.
        patience: How long to wait.
        before: What each transaction begins with, without a word of its answers.

    Raises:
        UnreachableError: The connection is lost, or knows no such transaction: of no use any more.
    """
    # libpq's blocking mode was seen to wait for ever where both sides had filled their buffers
    groups: list[list[PGresult]] = [[]]  # the last one is not complete
    left, opening = len(sends) + 1, 1 + len(before)
    try:
        connection.nonblocking = 1
        connection.enter_pipeline_mode()
        _queue(connection, sends, before)
        while left:
            _wait(connection, patience)
            _take(connection, groups)
            complete, groups = groups[:-1], groups[-1:]
            left -= len(complete)
            for group in complete[: len(complete) - (not left)]:
                if refused := next(filter(is_refused, group[:opening]), None):
                    raise UnreachableError(error_of(refused).message)
                yield group[opening:]
        connection.exit_pipeline_mode()
        connection.nonblocking = 0
    except psycopg.Error as error:
        why = next((error_of(item).message for item in groups[-1] if is_refused(item)), str(error))
        raise UnreachableError(why.partition("\n")[0]) from None


def _queue(connection: PGconn, sends: Sequence[Send], before: Sequence[bytes]) -> None:
    """All groups, each behind what ends the transaction of the one before, and the end."""
    for number, send in enumerate(sends):
        for opening in (_AGAIN if number else _BEGIN, *before):
            connection.send_query_params(opening, [])
        send(connection)
        connection.pipeline_sync()
    connection.send_query_params(_END, [])
    connection.pipeline_sync()


def is_refused(result: PGresult) -> bool:
    """Whether the server refused a statement, or one before it in its group."""
    return result.status in _REFUSED


def was_awaited(result: PGresult) -> bool:
    """Whether a statement was refused for what it had waited for in vain."""
    return result.error_field(DiagnosticField.SQLSTATE) in _AWAITED


def error_of(result: PGresult) -> BelvedereError:
    """Our error for a refused statement."""
    message = result.error_field(DiagnosticField.MESSAGE_PRIMARY) or result.error_message
    return sql.driver_error(_ServerError(message, result.error_field(DiagnosticField.SQLSTATE)))


class _ServerError(Exception):
    """An error as the drivers raise it: a message and an SQLSTATE."""

    def __init__(self, message: bytes, state: bytes | None) -> None:
        super().__init__(message.decode(errors="replace"))
        self.sqlstate = (state or b"").decode()


def _wait(connection: PGconn, patience: Patience) -> None:
    """Send what is left and wait until something has come."""
    silence = time.monotonic() + patience.silence
    waiting = select.poll()
    while True:
        unsent = connection.flush()
        left = min(silence - time.monotonic(), patience.seconds_left())
        if left <= 0:
            raise patience.over()
        waiting.register(connection.socket, select.POLLIN | (select.POLLOUT if unsent else 0))
        for _, event in waiting.poll(left * 1000):
            if event & ~select.POLLOUT:  # something to read, or the end
                connection.consume_input()
                return


def _take(connection: PGconn, groups: list[list[PGresult]]) -> None:
    """Move what has come to its group; the last group is the one that is not complete."""
    idle = False
    while not connection.is_busy():
        if connection.status != ConnStatus.OK:
            raise psycopg.OperationalError(connection.get_error_message())
        result = connection.get_result()
        if result is None:
            if idle:  # between two statements there is one None
                return
            idle = True
            continue
        idle = False
        if result.status == ExecStatus.PIPELINE_SYNC:
            groups.append([])
        else:
            groups[-1].append(result)
