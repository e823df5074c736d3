"""A transport for Thrift whose every answer ends: by a deadline, by a size, with a cause in words.

Thrift's own sockets wait per packet, so a server that drips bytes is waited for without end; they
hold whatever is sent; and they say the same of a server that speaks TLS, HTTP or SASL: `Length
exceeded max allowed`. Here a call has a deadline that only bytes in quantity move, an answer has
a size that ends it, and the first bytes of a connection tell what it is that answers.
"""

import contextlib
import socket
import ssl
from typing import Final

from connectors.clients.bounds import MAX_ANSWER, Deadline, TooLargeError
from connectors.clients.thrift.questions import QuestionTransport
from discovery.errors import UnreachableError

_AT_ONCE: Final = 1 << 16
_STRICT: Final = b"\x80\x01"  # version 1 of the binary protocol
_SASL_STATUS: Final = range(1, 6)  # of Thrift's SASL negotiation, before four bytes of length
_TLS_RECORDS: Final = (b"\x15\x03", b"\x16\x03")  # alert, handshake


class NotThriftError(UnreachableError):
    """Something else answers than a plain metastore."""


class BoundedTransport(QuestionTransport):
    """A connected socket for one Thrift client.

    Args:
        handle: Connected.
        timeout: Seconds for each answer; one of many bytes may take longer, a second for 128 KiB.
        limit: Bytes of an answer.
    """

    def __init__(self, handle: socket.socket, timeout: float, *, limit: int = MAX_ANSWER) -> None:
        super().__init__(timeout)
        self._handle, self._limit = handle, limit
        self._deadline, self._received = Deadline(timeout), 0
        self._is_known = False

    def isOpen(self) -> bool:  # noqa: N802 - Thrift's name
        """Whether it was not closed."""
        return self._handle.fileno() >= 0

    def close(self) -> None:
        """Close the socket."""
        with contextlib.suppress(OSError):
            self._handle.close()

    def _ask(self, question: bytes) -> None:
        self._deadline, self._received = Deadline(self.timeout), 0
        self._handle.settimeout(self.timeout)
        try:
            self._handle.sendall(question)
        except ssl.SSLError as error:
            raise refused_by_alert(error, first=not self._is_known) or error from error
        except ConnectionError:
            if not self._is_known:
                self._check(b"")
            raise

    def _check(self, first: bytes) -> None:
        """Look at the first bytes that the server sends at all; none: it has ended before."""
        if not first:
            raise ended_before_an_answer(in_tls=isinstance(self._handle, ssl.SSLSocket))
        check_answer(first)

    def _receive(self) -> bytes:
        """The next bytes.

        Raises:
            BelvedereError: The answer is too large, or none of a metastore.
            OSError: No more came in time.
        """
        self._handle.settimeout(self._deadline.seconds_left(self._received))
        try:
            data = self._handle.recv(_AT_ONCE)
        except ssl.SSLError as error:
            raise refused_by_alert(error, first=not self._is_known) or error from error
        except ConnectionResetError:
            if self._is_known:
                raise
            data = b""
        self._received += len(data)
        if not self._is_known:
            self._check(data)
            self._is_known = True
        if not data:
            raise ConnectionError("the server closed the connection in the middle of an answer")
        if self._received > self._limit:
            raise TooLargeError(f"the answer is larger than {self._limit >> 20} MiB")
        return data


def ended_before_an_answer(*, in_tls: bool) -> NotThriftError:
    """That a connection has ended before the server sent anything; whether it had TLS says why.

    A server that wants a client certificate says so in the handshake (TLS 1.2), or only in place of
    the first answer (TLS 1.3); then its alert may be lost, as it does not read the question.
    """
    if in_tls:
        why = "the server ended TLS before it answered anything"
        wants = "a certificate of its client (certificate_file and key_file)"
    else:
        why = "the server closed the connection before it answered anything"
        wants = "TLS (tls: true)"
    login = "a login (authentication: kerberos, or plain)"
    return NotThriftError(why, hint=f"it may want {wants} or {login}, or fail: see its log")


def check_answer(first: bytes) -> None:
    """Look at the first bytes that a server sends.

    Raises:
        NotThriftError: They are none of Thrift's binary protocol; says of what they are.
    """
    if first.startswith(_STRICT) or (first and _STRICT.startswith(first)):
        return
    check_protocol(first)
    if is_sasl(first):
        hint = "set authentication: kerberos, or plain for a user and a password"
        raise NotThriftError("the server wants a login by SASL", hint=hint)
    hint = "is it the port of a metastore?"
    raise NotThriftError("what answers there speaks another protocol", hint=hint)


def check_protocol(first: bytes) -> None:
    """Look whether the first bytes of a server are those of HTTP or of TLS.

    Raises:
        NotThriftError: They are.
    """
    if first.startswith(b"HTTP/"):
        hint = "write uri: http://host:port/metastore for its HTTP mode, or name its binary port"
        raise NotThriftError("an HTTP server answers there", hint=hint)
    if first.startswith(_TLS_RECORDS):
        raise NotThriftError("the server speaks TLS there", hint="set tls: true")


def is_sasl(first: bytes) -> bool:
    """Whether the first bytes of a server are a message of Thrift's SASL negotiation."""
    return len(first) > 4 and first[0] in _SASL_STATUS and not first[1]


_NEEDS_CERTIFICATE: Final = ("CERTIFICATE_REQUIRED", "HANDSHAKE_FAILURE", "BAD_CERTIFICATE")
_UNTRUSTED: Final = ("UNKNOWN_CA", "CERTIFICATE_UNKNOWN", "CERTIFICATE_EXPIRED", "ACCESS_DENIED")


def refused_by_alert(error: ssl.SSLError, *, first: bool = False) -> NotThriftError | None:
    """What a server means that ends TLS by an alert; None: it is none that is about certificates.

    Args:
        error: Of TLS.
        first: Whether nothing was answered before.
    """
    if first and isinstance(error, ssl.SSLEOFError):
        return ended_before_an_answer(in_tls=True)
    reason = error.reason or ""
    if reason.endswith(_NEEDS_CERTIFICATE):
        hint = "set certificate_file and key_file; if they are set, the server takes others"
        return NotThriftError("the server wants a certificate of its client", hint=hint)
    if reason.endswith(_UNTRUSTED):
        hint = "set certificate_file to one that an authority has signed which the server trusts"
        return NotThriftError("the server does not trust the client's certificate", hint=hint)
    return None


def open_socket(
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
        handle.settimeout(deadline.seconds_left())
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
        if (refused := refused_by_alert(error)) is not None:
            raise refused from error
        if error.reason in {"WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE", "HTTP_REQUEST"}:
            hint = "leave out tls, or name the port that has it"
            raise NotThriftError("the server speaks no TLS there", hint=hint) from error
        raise
