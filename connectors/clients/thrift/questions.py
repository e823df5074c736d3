"""What all of our transports for Thrift have in common: a question is gathered, then answered."""

from abc import ABC, abstractmethod
from io import BytesIO

from thrift.transport.TTransport import CReadableTransport, TTransportBase


class QuestionTransport(TTransportBase, CReadableTransport, ABC):  # type: ignore[misc]  # Thrift is untyped
    """A transport that sends whole questions and reads answers as they come in.

    Args:
        timeout: Seconds for each answer.

    Attributes:
        timeout: As above; what is set holds from the next question on.
        login: How we have logged in, for people; empty: there was no login.
        principal: Who we are to the server, as far as the login says.
    """

    login = ""
    principal = ""

    def __init__(self, timeout: float) -> None:
        self.timeout = timeout
        self._asked, self._buffer = BytesIO(), BytesIO(b"")

    @abstractmethod
    def _ask(self, question: bytes) -> None:
        """Send a question; from here on its answer is waited for."""

    @abstractmethod
    def _receive(self) -> bytes:
        """The next bytes of the answer, never none."""

    def open(self) -> None:
        """It is connected already."""

    def write(self, buf: bytes) -> None:
        """Gather a question."""
        self._asked.write(buf)

    def flush(self) -> None:
        """Send the question.

        Raises:
            BelvedereError: It was refused.
            OSError: It cannot be sent.
        """
        question, self._asked = self._asked.getvalue(), BytesIO()
        self._ask(question)

    def read(self, sz: int) -> bytes:
        """Some bytes of the answer, at most as many as are asked for."""
        data = self._buffer.read(sz)
        if not data:
            self._buffer = BytesIO(self._receive())
            data = self._buffer.read(sz)
        return data

    @property
    def cstringio_buf(self) -> BytesIO:
        """What was received and not read."""
        return self._buffer

    def cstringio_refill(self, partialread: bytes, reqlen: int) -> BytesIO:
        """What was left of the last buffer, with as many bytes more as are asked for."""
        parts, size = [partialread], len(partialread)
        while size < reqlen or size == 0:
            parts.append(self._receive())
            size += len(parts[-1])
        self._buffer = BytesIO(b"".join(parts))
        return self._buffer
