"""Thrift over HTTP, as a metastore since Hive 4 serves it: each question is a POST.

Not Thrift's own `THttpClient`, which connects for every call, does not look at the status, and goes
where `http_proxy` says without a word.
"""

import contextlib
import http.client
import io
import select
import socket
import ssl
from collections.abc import Callable, Mapping
from typing import Final

from connectors.clients.bounds import MAX_ANSWER, Deadline, TooLargeError
from connectors.clients.thrift import causes
from connectors.clients.thrift.bounded import NotThriftError, refused_by_alert
from connectors.clients.thrift.questions import QuestionTransport

Headers = Callable[[], Mapping[str, str]]
"""What says who we are: asked again once, where the server refuses it, as tokens expire."""

_AT_ONCE: Final = 1 << 16
_UNAUTHORIZED: Final = 401
_OURS: Final = {"Content-Type": "application/x-thrift", "User-Agent": "belvedere"}


class HttpTransport(QuestionTransport):
    """A connection that is asked by HTTP, and kept; opened again where the server has closed it.

    Args:
        connect: Opens a socket, with TLS if the URI says so, within some seconds.
        timeout: Seconds for each answer; one of many bytes may take longer.
        place: The header `Host`, and the path of the metastore.
        headers: Of each request beside the usual ones.
        limit: Bytes of an answer.

    Raises:
        UnreachableError: What answers there is no such server.
        OSError: It cannot be connected to.
    """

    def __init__(
        self,
        connect: Callable[[float], socket.socket],
        timeout: float,
        place: tuple[str, str],
        headers: Headers,
        *,
        limit: int = MAX_ANSWER,
    ) -> None:
        super().__init__(timeout)
        self._connect, self._host, self._path, self._limit = connect, *place, limit
        self._sayings, self._headers = headers, dict(headers())
        self._deadline, self._received = Deadline(timeout), 0
        self._response: http.client.HTTPResponse | None = None
        by = "a token" if "Authorization" in self._headers else "a header"
        self.login = f"HTTP, {by}"
        self._open()

    def _open(self) -> None:
        self._handle = self._connect(self._seconds())
        self._connection = http.client.HTTPConnection(self._host)
        self._connection.auto_open = 0
        self._connection.sock = _Timed(self._handle, self._seconds)

    def isOpen(self) -> bool:  # noqa: N802 - Thrift's name
        """Whether it was not closed."""
        return self._handle.fileno() >= 0

    def close(self) -> None:
        """Close the socket."""
        self._connection.close()
        with contextlib.suppress(OSError):
            self._handle.close()

    def _ask(self, question: bytes) -> None:
        """Send a question, and look at the status of its answer.

        Raises:
            LoginError: The server does not let us in.
            UnreachableError: It failed, or is no metastore.
            OSError: The connection broke.
        """
        self._deadline, self._received = Deadline(self.timeout), 0
        self._make_ready()
        answer = self._post(question)
        if answer.status == _UNAUTHORIZED and (renewed := dict(self._sayings())) != self._headers:
            self._response, self._headers = answer, renewed
            self._make_ready()
            answer = self._post(question)
        if (cause := causes.of_status(answer.status, answer.reason)) is not None:
            raise cause.error()
        self._response = answer

    def _make_ready(self) -> None:
        """Read what is left of the last answer; connect anew if that was the last on its socket."""
        last, self._response = self._response, None
        while last is not None and last.read1(_AT_ONCE):
            self._seconds()
        if last is not None:
            last.close()
        if (last is not None and last.will_close) or _has_more(self._handle):
            self.close()
            self._open()

    def _post(self, question: bytes) -> http.client.HTTPResponse:
        try:
            headers = {**_OURS, **self._headers}
            self._connection.request("POST", self._path, question, headers)
            return self._connection.getresponse()
        except ConnectionError as error:
            why = "the server closed the connection before it answered anything"
            hint = "does it speak TLS there, or Thrift without HTTP? Then uri begins otherwise"
            raise NotThriftError(why, hint=hint) from error
        except http.client.HTTPException as error:
            hint = "thrift:// in uri stands for the binary port, https:// for HTTP within TLS"
            raise NotThriftError("what answers there speaks no HTTP", hint=hint) from error

    def _receive(self) -> bytes:
        """The next bytes of the body.

        Raises:
            BelvedereError: The answer is too large, or has ended.
            OSError: No more came in time.
        """
        data = self._response.read1(_AT_ONCE) if self._response else b""
        if not data:
            raise ConnectionError("the answer ends in the middle, or is none of a metastore")
        self._received += len(data)
        if self._received > self._limit:
            raise TooLargeError(f"the answer is larger than {self._limit >> 20} MiB")
        return data

    def _seconds(self) -> float:
        return self._deadline.seconds_left(self._received)


def _has_more(handle: socket.socket) -> bool:
    """Whether there is something to read where nothing was asked: that the server has closed it."""
    poll = select.poll()
    poll.register(handle, select.POLLIN)
    return bool(poll.poll(0))


class _Timed:
    """As much of a socket as `http.client` uses, each of whose reads ends by a deadline."""

    def __init__(self, handle: socket.socket, seconds: Callable[[], float]) -> None:
        self._handle, self._seconds = handle, seconds

    def sendall(self, data: bytes) -> None:
        """Send all."""
        self._handle.settimeout(self._seconds())
        try:
            self._handle.sendall(data)
        except OSError as error:
            raise _our_error(error) or error from error

    def makefile(self, mode: str) -> io.BufferedReader:  # noqa: ARG002 - always to read bytes
        """What reads."""
        return io.BufferedReader(_TimedBytes(self._handle, self._seconds))

    def close(self) -> None:
        """The transport closes it."""


class _TimedBytes(io.RawIOBase):
    def __init__(self, handle: socket.socket, seconds: Callable[[], float]) -> None:
        self._handle, self._seconds = handle, seconds

    def readable(self) -> bool:
        return True

    def readinto(self, into: memoryview) -> int:  # type: ignore[override] # what BufferedReader gives
        self._handle.settimeout(self._seconds())
        try:
            return self._handle.recv_into(into)
        except OSError as error:
            raise _our_error(error) or error from error


def _our_error(error: OSError) -> Exception | None:
    """Our error for one of TLS that is about certificates; None for every other."""
    return refused_by_alert(error) if isinstance(error, ssl.SSLError) else None
