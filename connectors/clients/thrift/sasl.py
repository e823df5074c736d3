"""SASL as Thrift frames it: a login by messages of status and length, then frames of answers.

The framing is that of `TSaslTransport` in Thrift's Java library, which metastores serve: a byte of
status and four of length before each message of the login; four of length before each frame
afterwards, whose content a mechanism may sign and encrypt.
"""

import socket
import struct
from collections.abc import Sequence
from enum import IntEnum
from typing import Final, Literal, Protocol

from connectors.clients.bounds import MAX_ANSWER, Deadline, TooLargeError
from connectors.clients.thrift import causes
from connectors.clients.thrift.bounded import (
    BoundedTransport,
    NotThriftError,
    check_protocol,
    is_sasl,
)
from discovery.errors import UnreachableError

Qop = Literal["auth-conf", "auth-int", "auth"]
QOPS: Final[tuple[Qop, ...]] = ("auth-conf", "auth-int", "auth")
"""Qualities of protection, the strongest first: encrypted, signed, neither."""
BITS: Final = {"auth": 1, "auth-int": 2, "auth-conf": 4}
"""Their bits, as GSSAPI offers them (RFC 4752, section 3.3)."""

_LOGINS: Final = {"GSSAPI": "Kerberos", "DIGEST-MD5": "a delegation token", "PLAIN": "a password"}
_LONGEST_MESSAGE: Final = 1 << 20  # bytes
_HEAD: Final = struct.Struct(">BI")
_LENGTH: Final = struct.Struct(">I")


class SaslStatus(IntEnum):
    """Of a message of the login (`TSaslTransport.NegotiationStatus`)."""

    START = 1
    OK = 2
    BAD = 3
    ERROR = 4
    COMPLETE = 5


class Mechanism(Protocol):
    """The client's side of a login.

    Attributes:
        name: As SASL registers it.
        principal: Who we are; empty: it does not say.
        done: Whether the login has ended well, as far as we are concerned.
        qop: What was agreed on.
    """

    name: str
    principal: str
    done: bool
    qop: Qop

    def first(self) -> bytes:
        """What is sent with the name of the mechanism."""

    def step(self, challenge: bytes) -> bytes:
        """The answer to a challenge.

        Raises:
            BelvedereError: The server is not who it should be, or offers what we do not want.
        """

    def wrap(self, data: bytes) -> bytes:
        """A frame's content as it is sent."""

    def unwrap(self, data: bytes) -> bytes:
        """What a frame's content says.

        Raises:
            BelvedereError: It was changed on its way.
        """

    def close(self) -> None:
        """Give back what the login holds."""


class Plain:
    """A user and a password (RFC 4616): what `LDAP`, `CONFIG` and `CUSTOM` of Hive 4 speak.

    Args:
        user: Who.
        password: Theirs.
    """

    name = "PLAIN"
    done = True
    qop: Qop = "auth"

    def __init__(self, user: str, password: str) -> None:
        self.principal = user
        self._first = f"\0{user}\0{password}".encode()

    def first(self) -> bytes:
        """Both, after an identity to act for that is left empty."""
        return self._first

    def step(self, challenge: bytes) -> bytes:  # noqa: ARG002 - there is nothing to challenge
        """Nothing more."""
        return b""

    def wrap(self, data: bytes) -> bytes:
        """As it is."""
        return data

    def unwrap(self, data: bytes) -> bytes:
        """As it is."""
        return data

    def close(self) -> None:
        """It holds nothing."""


def strongest(offered: int, wanted: Sequence[Qop]) -> Qop:
    """The strongest quality of protection that both sides have.

    Args:
        offered: The server's, as bits.
        wanted: Ours.

    Raises:
        LoginError: There is none.
    """
    for qop in QOPS:
        if qop in wanted and offered & BITS[qop]:
            return qop
    names = " or ".join(name for name, bit in BITS.items() if offered & bit) or "none"
    why = f"the metastore offers the quality of protection {names}, and qop has {', '.join(wanted)}"
    raise causes.LoginError(why, hint=f"add {names} to qop, or leave out qop")


class SaslTransport(BoundedTransport):
    """A connected socket on which a login goes before the questions.

    Args:
        handle: Connected.
        timeout: Seconds for the login, and for each answer.
        mechanism: Fresh: it logs in once.
        limit: Bytes of an answer.

    Raises:
        LoginError: The server does not let us in.
        UnreachableError: What answers there speaks no SASL, or nothing does.
        OSError: The connection broke.
    """

    def __init__(
        self,
        handle: socket.socket,
        timeout: float,
        mechanism: Mechanism,
        *,
        limit: int = MAX_ANSWER,
    ) -> None:
        super().__init__(handle, timeout, limit=limit)
        self._mechanism = mechanism
        self._raw = bytearray()  # received, and not yet taken apart
        self._largest = limit
        try:
            self._log_in()
        except BaseException:
            self.close()
            raise
        self.principal = mechanism.principal
        by = _LOGINS.get(mechanism.name, mechanism.name)
        who = f" as {self.principal}" if self.principal else ""
        self.login = f"{by}{who} ({mechanism.qop})"

    def close(self) -> None:
        """Close the socket."""
        super().close()
        self._mechanism.close()

    def _log_in(self) -> None:
        mechanism = self._mechanism
        first = mechanism.first()  # before a byte is sent: without a ticket, no connection
        self._deadline = Deadline(self.timeout)
        self._send(SaslStatus.START, mechanism.name.encode())
        self._send(SaslStatus.OK, first)
        while True:
            status, payload = self._receive_message()
            if status in {SaslStatus.BAD, SaslStatus.ERROR}:
                reason = payload.decode("utf-8", "replace")
                raise causes.of_refusal(mechanism.name, reason).error()
            if status is SaslStatus.COMPLETE:
                if payload and not mechanism.done:
                    mechanism.step(payload)
                if not mechanism.done:
                    raise causes.LoginError("the server ended the login before it was over")
                return
            answer = mechanism.step(payload)
            self._send(SaslStatus.COMPLETE if mechanism.done else SaslStatus.OK, answer)

    def _send(self, status: SaslStatus, payload: bytes) -> None:
        self._handle.settimeout(self._deadline.seconds_left())
        self._handle.sendall(_HEAD.pack(status, len(payload)) + payload)

    def _receive_message(self) -> tuple[SaslStatus, bytes]:
        try:
            status, length = _HEAD.unpack(self._read_exactly(_HEAD.size))
            payload = self._read_exactly(length) if length <= _LONGEST_MESSAGE else b""
        except TimeoutError as error:
            raise causes.of_silence(self._mechanism.name).error() from error
        if length > _LONGEST_MESSAGE:
            raise NotThriftError("the server answers the login by something else than SASL")
        return SaslStatus(status), payload

    def _check(self, first: bytes) -> None:
        if not first:
            raise causes.of_silence(self._mechanism.name).error()
        check_protocol(first)
        if not is_sasl(first.ljust(5, b"\0")):
            hint = "is it a metastore's port, and has it a login? If not, leave out authentication"
            raise NotThriftError("what answers there speaks no SASL", hint=hint)

    def _read_exactly(self, size: int) -> bytes:
        """So many bytes as they came."""
        while len(self._raw) < size:
            self._raw += super()._receive()
        data = bytes(memoryview(self._raw)[:size])
        del self._raw[:size]
        return data

    def _ask(self, question: bytes) -> None:
        data = self._mechanism.wrap(question)
        super()._ask(_LENGTH.pack(len(data)) + data)

    def _receive(self) -> bytes:
        """The next frame that says anything."""
        while True:
            (length,) = _LENGTH.unpack(self._read_exactly(_LENGTH.size))
            if length > self._largest:
                raise TooLargeError(f"the answer is larger than {self._largest >> 20} MiB")
            if data := self._mechanism.unwrap(self._read_exactly(length)):
                return data


class ChangedFrameError(UnreachableError):
    """A frame is not as the server signed it."""
