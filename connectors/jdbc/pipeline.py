"""Many statements to PostgreSQL in one round trip, through libpq's pipeline mode."""

import select
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Final

import psycopg
from psycopg.pq import ConnStatus, DiagnosticField, ExecStatus
from psycopg.pq.abc import PGconn, PGresult

from connectors.clients import sql
from discovery.errors import BelvedereError, UnreachableError

Send = Callable[[PGconn], None]
_REFUSED: Final = (ExecStatus.FATAL_ERROR, ExecStatus.PIPELINE_ABORTED)


def exchange(connection: PGconn, sends: Sequence[Send], timeout: float) -> Iterator[list[PGresult]]:
    """What the server answered to each group of statements, while it works on the next.

    A group ends with a sync of its own, so an error costs the rest of its group and no other, locks
    are given back at once, and the server's statement timeout runs anew for each.

    It must be read to its end; a connection on which it was not is to be closed.

    Args:
        connection: Not in pipeline mode.
        sends: Each queues the statements of a group.
        timeout: Seconds without a byte after which the connection counts as lost.

    Raises:
        UnreachableError: It is lost, and of no use any more.
    """
    # libpq's blocking mode was seen to wait for ever where both sides had filled their buffers
    groups: list[list[PGresult]] = [[]]  # the last one is not complete
    left = len(sends)
    try:
        connection.nonblocking = 1
        connection.enter_pipeline_mode()
        for send in sends:
            send(connection)
            connection.pipeline_sync()
        while left:
            _wait(connection, timeout)
            _take(connection, groups)
            complete, groups = groups[:-1], groups[-1:]
            left -= len(complete)
            yield from complete
        connection.exit_pipeline_mode()
        connection.nonblocking = 0
    except psycopg.Error as error:
        last = next((error_of(one).message for one in groups[-1] if failed(one)), str(error))
        raise UnreachableError(last.partition("\n")[0]) from None


def failed(result: PGresult) -> bool:
    """Whether the server refused a statement, or one before it in its group."""
    return result.status in _REFUSED


def error_of(result: PGresult) -> BelvedereError:
    """Our error for a refused statement."""
    message = result.error_field(DiagnosticField.MESSAGE_PRIMARY) or result.error_message
    return sql.refused(_ServerError(message, result.error_field(DiagnosticField.SQLSTATE)))


class _ServerError(Exception):
    """An error as the drivers raise it: a message and an SQLSTATE."""

    def __init__(self, message: bytes, state: bytes | None) -> None:
        super().__init__(message.decode(errors="replace"))
        self.sqlstate = (state or b"").decode()


def _wait(connection: PGconn, timeout: float) -> None:
    """Send what is left and wait until something has come."""
    end = time.monotonic() + timeout
    while True:
        unsent = connection.flush()
        ready, writable, _ = select.select(
            [connection.socket], [connection.socket] if unsent else [], [], timeout
        )
        if ready:
            connection.consume_input()
            return
        if not writable and time.monotonic() >= end:
            raise UnreachableError(f"no answer within {timeout:g} seconds")


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
