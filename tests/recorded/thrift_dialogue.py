"""A dialogue with a Hive Metastore over a real socket: recorded from one, or answered from a file.

Messages are kept as they travel; only their sequence number, which a client counts, is taken out.
"""

import base64
import json
import socket
import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from thrift.protocol.TBinaryProtocol import TBinaryProtocol
from thrift.Thrift import TType
from thrift.transport.TTransport import TTransportBase

from tests.metastore_side import taken

_NUMBER: Final = 4  # bytes of a sequence number, which stands behind version, length and name


@dataclass
class ThriftDialogue:
    """What a metastore answers.

    Attributes:
        said: Answers by questions.
        calls: Their names, in the order in which they were asked for.
        upstream: The port of the metastore that is recorded; None: nothing is.
    """

    said: dict[bytes, bytes] = field(default_factory=dict)
    calls: list[str] = field(default_factory=list)
    upstream: int | None = None

    @classmethod
    def of(cls, path: Path) -> "ThriftDialogue":
        """That of a file."""
        told = json.loads(path.read_text(encoding="utf-8"))["dialogue"]
        return cls({_bytes(one["asked"]): _bytes(one["answered"]) for one in told})

    def told(self) -> list[dict[str, str]]:
        """What was recorded, as data."""
        return [
            {"call": _name(asked), "asked": _text(asked), "answered": _text(answered)}
            for asked, answered in sorted(self.said.items())
        ]

    def converse(self, client: socket.socket) -> None:
        """Answer one connection until it ends, which it does at what was not recorded."""
        with socket.socket() as server:
            if self.upstream is not None:
                server.connect(("127.0.0.1", self.upstream))
            while (asked := _message(client)) is not None:
                number, question = _without_number(asked)
                self.calls.append(_name(question))
                if self.upstream is not None:
                    server.sendall(asked)
                    self.said[question] = _without_number(_message(server) or b"")[1]
                if question not in self.said:
                    return
                answer = self.said[question]
                place = _place(answer)
                client.sendall(answer[:place] + number + answer[place + _NUMBER :])


@contextmanager
def talking(dialogue: ThriftDialogue) -> Iterator[int]:
    """Serve a dialogue on loopback as long as the context lasts; yields the port."""

    class Talk(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            dialogue.converse(self.request)

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Talk) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        try:
            yield server.server_address[1]
        finally:
            server.shutdown()


class _Heard(TTransportBase):  # type: ignore[misc]  # Thrift has no types
    """A socket from which a message is read, and what was read."""

    def __init__(self, source: socket.socket) -> None:
        self._source, self.seen = source, b""

    def read(self, size: int) -> bytes:
        found = taken(self._source, size)
        self.seen += found
        return found


def _message(source: socket.socket) -> bytes | None:
    """The next message, whole; None where the connection ends."""
    heard = _Heard(source)
    protocol: Any = TBinaryProtocol(heard)
    try:
        protocol.readMessageBegin()
        protocol.skip(TType.STRUCT)
    except ConnectionError:
        return None
    return heard.seen


def _place(message: bytes) -> int:
    """Where the sequence number stands."""
    return 8 + int.from_bytes(message[4:8], "big")


def _name(message: bytes) -> str:
    return message[8 : _place(message)].decode()


def _without_number(message: bytes) -> tuple[bytes, bytes]:
    """The number, and the message with none."""
    place = _place(message)
    end = place + _NUMBER
    return message[place:end], message[:place] + bytes(_NUMBER) + message[end:]


def _text(content: bytes) -> str:
    return base64.b64encode(content).decode()


def _bytes(text: str) -> bytes:
    return base64.b64decode(text)
