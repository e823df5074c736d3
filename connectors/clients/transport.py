"""A transport for Thrift whose every answer ends: by a deadline, by a size, with a cause in words.

Thrift's own sockets wait per packet, so a server that drips bytes is waited for without end; they
hold whatever is sent; and they say the same of a server that speaks TLS, HTTP or SASL: `Length
exceeded max allowed`. Here a call has a deadline that only bytes in quantity move, an answer has
a size that ends it, and the first bytes of a connection tell what it is that answers.
"""

import contextlib
import socket
import ssl
from io import BytesIO
from typing import Final

from thrift.transport.TTransport import CReadableTransport, TTransportBase

from connectors.clients.bounds import MAX_ANSWER, Deadline, TooLargeError
from discovery.errors import UnreachableError

_AT_ONCE: Final = 1 << 16
_STRICT: Final = b"\x80\x01"  # version 1 of the binary protocol
_SASL_STATUS: Final = range(1, 6)  # of Thrift's SASL negotiation, before four bytes of length
_TLS_RECORDS: Final = (b"\x15\x03", b"\x16\x03")  # alert, handshake


class NotThriftError(UnreachableError):
    """Something else answers than a plain metastore."""


class BoundedTransport(TTransportBase, CReadableTransport):  # type: ignore[misc]  # Thrift is untyped
    """A connected socket for one Thrift client.

    Args:
        handle: Connected.
        timeout: Seconds for each answer; one of many bytes may take longer, a second for 128 KiB.
        limit: Bytes of an answer.

    Attributes:
        timeout: As above; what is set holds from the next question on.
    """

    def __init__(self, handle: socket.socket, timeout: float, *, limit: int = MAX_ANSWER) -> None:
        self._handle, self.timeout, self._limit = handle, timeout, limit
        self._asked, self._buffer = BytesIO(), BytesIO(b"")
        self._deadline, self._received = Deadline(timeout), 0
        self._knows_thrift = False

    def isOpen(self) -> bool:  # noqa: N802 - Thrift's name
        """Whether it was not closed."""
        return self._handle.fileno() >= 0

    def open(self) -> None:
        """It is connected already."""

    def close(self) -> None:
        """Close the socket."""
        with contextlib.suppress(OSError):
            self._handle.close()

    def write(self, buf: bytes) -> None:
        """Gather a question."""
        self._asked.write(buf)

    def flush(self) -> None:
        """Send the question; from here on its answer is waited for.

        Raises:
            OSError: It cannot be sent.
        """
        asked, self._asked = self._asked.getvalue(), BytesIO()
        self._deadline, self._received = Deadline(self.timeout), 0
        self._handle.settimeout(self.timeout)
        self._handle.sendall(asked)

    def read(self, sz: int) -> bytes:
        """Some bytes of the answer, at most as many as are asked for."""
        found = self._buffer.read(sz)
        if not found:
            self._buffer = BytesIO(self._more())
            found = self._buffer.read(sz)
        return found

    @property
    def cstringio_buf(self) -> BytesIO:
        """What was received and not read."""
        return self._buffer

    def cstringio_refill(self, partialread: bytes, reqlen: int) -> BytesIO:
        """What was left of the last buffer, with as many bytes more as are asked for."""
        parts, size = [partialread], len(partialread)
        while size < reqlen or size == 0:
            parts.append(self._more())
            size += len(parts[-1])
        self._buffer = BytesIO(b"".join(parts))
        return self._buffer

    def _more(self) -> bytes:
        """The next bytes.

        Raises:
            BelvedereError: The answer is too large, or none of a metastore.
            OSError: No more came in time.
        """
        self._handle.settimeout(self._deadline.left(self._received))
        try:
            found = self._handle.recv(_AT_ONCE)
        except ConnectionResetError:
            if self._knows_thrift:
                raise
            found = b""
        self._received += len(found)
        if not self._knows_thrift:
            check_answer(found)
            self._knows_thrift = True
        if not found:
            raise ConnectionError("the server closed the connection in the middle of an answer")
        if self._received > self._limit:
            raise TooLargeError(f"the answer is larger than {self._limit >> 20} MiB")
        return found


def check_answer(first: bytes) -> None:
    """Look at the first bytes that a server sends at all.

    Raises:
        NotThriftError: They are none of Thrift's binary protocol; says of what they are.
    """
    if first.startswith(_STRICT) or (first and _STRICT.startswith(first)):
        return
    if not first:
        why = "the server closed the connection before it answered anything"
        hint = "it may want TLS (tls: true) or Kerberos, or fail at this call: see its log"
        raise NotThriftError(why, hint=hint)
    if first.startswith(b"HTTP/"):
        hint = "name the metastore's binary port; its HTTP mode is not supported"
        raise NotThriftError("an HTTP server answers there", hint=hint)
    if first.startswith(_TLS_RECORDS):
        raise NotThriftError("the server speaks TLS there", hint="set tls: true")
    if len(first) > 4 and first[0] in _SASL_STATUS and not first[1]:
        hint = "logins by Kerberos (SASL) are not supported: name a port without"
        raise NotThriftError("the server wants a login by SASL", hint=hint)
    hint = "is it the port of a metastore?"
    raise NotThriftError("what answers there speaks another protocol", hint=hint)


def connected(
    place: tuple[str, int], timeout: float, context: ssl.SSLContext | None
) -> socket.socket:
    """A socket, with TLS if there is a context; the handshake is within the time, too.

    Raises:
        UnreachableError: What answers does not speak TLS, or shows another certificate.
        OSError: It cannot be connected to.
    """
    deadline = Deadline(timeout)
    handle = socket.create_connection(place, timeout)
    handle.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    if context is None:
        return handle
    try:
        handle.settimeout(deadline.left())
        return context.wrap_socket(handle, server_hostname=place[0])
    except ssl.SSLCertVerificationError as error:
        handle.close()
        why = f"the server's certificate is not trusted: {error.verify_message}"
        raise NotThriftError(why, hint="set ca_file to the authority that signed it") from error
    except (ssl.SSLEOFError, ConnectionResetError, TimeoutError) as error:
        handle.close()
        why = "the server did not answer the TLS handshake"
        raise NotThriftError(why, hint="if it speaks no TLS there, leave out tls") from error
    except ssl.SSLError as error:
        handle.close()
        if error.reason in {"WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE", "HTTP_REQUEST"}:
            hint = "leave out tls, or name the port that has it"
            raise NotThriftError("the server speaks no TLS there", hint=hint) from error
        raise
