"""Where an answer ends: by a deadline that only bytes in quantity move, and by a size.

Sockets wait for each packet, and so do `http.client`, requests and botocore: a server that sends a
byte at a time, be it of the head or of the body, would be waited for without end.
"""

import http.client
import io
import socket
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from functools import cache
from typing import Any, Final, TypeVar

import requests
from urllib3.exceptions import ReadTimeoutError

from discovery.errors import ReadError, UnreachableError

MAX_ANSWER: Final = 256 * 1024 * 1024
RESTART: Final = (0.5, 1.0, 2.0, 4.0, 8.0, 15.0, 30.0)
"""Seconds before each further attempt to reach a server that has been there: it may be started
again. It has been there if it has answered, or what it holds was listed.
"""
_SLOWEST: Final = 128 * 1024  # bytes a second: an answer that is slower than this is a drip
_Answered = TypeVar("_Answered")


class TooLargeError(ReadError):
    """An answer is larger than is held."""


class Deadline:
    """The end of some waiting.

    Args:
        seconds: From now.
    """

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    def seconds_left(self, received: int = 0) -> float:
        """Seconds that are left.

        Args:
            received: Bytes that came since: they earn time, a second for 128 KiB.

        Raises:
            TimeoutError: None.
        """
        seconds = self._end + received / _SLOWEST - time.monotonic()
        if seconds <= 0:
            raise TimeoutError("timed out")
        return seconds


def answer_within(seconds: float, ask: Callable[[], _Answered]) -> _Answered:
    """What is asked of somebody whose waiting is not ours, as a driver that we do not know.

    It is asked in a thread of its own, which is left behind if it is late, with what it asks.

    Args:
        seconds: How long it may take.
        ask: What asks; of what it raises nothing is a `TimeoutError`.

    Raises:
        TimeoutError: There is no answer by then.
    """
    answer: Future[_Answered] = Future()

    def wait() -> None:
        try:
            answer.set_result(ask())
        except BaseException as error:  # noqa: BLE001 - it is raised where it is waited for
            answer.set_exception(error)

    threading.Thread(target=wait, daemon=True).start()
    return answer.result(seconds)


class _BytesInTime(io.RawIOBase):
    """What comes from a socket, until a deadline of all that comes: its own timeout, from now.

    Args:
        raw: Reads from the socket.
        handle: The socket.
    """

    def __init__(self, raw: io.RawIOBase, handle: socket.socket) -> None:
        self._raw, self._handle = raw, handle
        seconds = handle.gettimeout()
        self._deadline = None if seconds is None else Deadline(seconds)
        self._received = 0

    def readable(self) -> bool:
        return True

    def readinto(self, into: memoryview) -> int | None:  # type: ignore[override] # BufferedReader's
        if self._deadline is not None:
            self._handle.settimeout(self._deadline.seconds_left(self._received))
        count = self._raw.readinto(into)
        self._received += count or 0
        return count

    def close(self) -> None:
        self._raw.close()
        super().close()


class _AnswerInTime(http.client.HTTPResponse):
    """An answer whose head and body are read by one deadline."""

    # what http.client hands over
    def __init__(self, sock: socket.socket, *others: Any, **keywords: Any) -> None:  # noqa: ANN401
        super().__init__(sock, *others, **keywords)
        self.fp: Any
        self.fp = io.BufferedReader(_BytesInTime(self.fp.detach(), sock))


@cache
def answering_in_time(connection: type) -> type:
    """The class of a connection of `http.client`'s kind, whose answers end in time.

    Args:
        connection: Of urllib3, also to a proxy, or of botocore.
    """
    return type(connection.__name__, (connection,), {"response_class": _AnswerInTime})


def bound_times(session: requests.Session) -> None:
    """Let every answer to a session end by its request's timeout, the head as the body.

    Args:
        session: Of any server; its adapters are those that it has now.
    """
    adapter: Any
    for adapter in session.adapters.values():
        adapter.get_connection_with_tls_context = _in_time(adapter)


def _in_time(adapter: Any) -> Any:  # noqa: ANN401 - a method of requests, whose pools are urllib3's
    pool_of = adapter.get_connection_with_tls_context

    def get_pool(*arguments: Any, **keywords: Any) -> Any:  # noqa: ANN401 - the same
        pool = pool_of(*arguments, **keywords)
        if "ConnectionCls" not in vars(pool):
            pool.ConnectionCls = answering_in_time(pool.ConnectionCls)
        return pool

    return get_pool


def bound_answers(session: requests.Session, limit: int = MAX_ANSWER) -> None:
    """Let every answer that a session reads end, by time and by size.

    Args:
        session: Of any server.
        limit: Bytes of a body, unpacked.
    """

    def bound_body(response: requests.Response, **_: object) -> None:
        response.raw = _Body(response.raw, limit)

    bound_times(session)
    session.hooks["response"].append(bound_body)


class _Body:
    """A body of urllib3's, read as it comes in.

    Args:
        raw: The body.
        limit: Bytes, unpacked.
    """

    def __init__(self, raw: Any, limit: int) -> None:  # noqa: ANN401 - urllib3
        self._raw, self._limit = raw, limit

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - all else is urllib3's
        return getattr(self._raw, name)

    def stream(self, amt: int, *, decode_content: bool) -> Iterator[bytes]:
        """The parts of the body: what is there, not what would fill a part.

        Raises:
            BelvedereError: It is too large, or does not end in time.
        """
        received = 0
        while part := self._read_part(amt, decode_content):
            received += len(part)
            if received > self._limit:
                self._raw.close()
                raise TooLargeError(f"the answer is larger than {self._limit >> 20} MiB")
            yield part

    def _read_part(self, amt: int, decode_content: bool) -> bytes:
        try:
            part: bytes = self._raw.read1(amt, decode_content=decode_content)
        except ReadTimeoutError as error:
            raise UnreachableError("the answer did not end in time") from error
        return part
