"""The other side of a metastore's connection: Thrift's own code, with next to nothing behind it."""

import socket
from collections.abc import Callable

from hmsclient.genthrift.hive_metastore import ThriftHiveMetastore as Hive2
from thrift.protocol.TBinaryProtocol import TBinaryProtocol
from thrift.transport.TTransport import TMemoryBuffer

Talk = Callable[[socket.socket], None]


class Served:
    def getVersion(self) -> str:  # noqa: N802 - Thrift's name
        return "3.0"

    def get_all_databases(self) -> list[str]:
        return ["b", "a"]


def answered(question: bytes) -> bytes:
    """What Thrift's own server side answers."""
    asked, reply = TMemoryBuffer(question), TMemoryBuffer()
    Hive2.Processor(Served()).process(TBinaryProtocol(asked), TBinaryProtocol(reply))
    answer: bytes = reply.getvalue()
    return answer


def taken(client: socket.socket, size: int) -> bytes:
    """So many bytes as they come.

    Raises:
        ConnectionError: No more come.
    """
    received = b""
    while len(received) < size:
        chunk = client.recv(size - len(received))
        if not chunk:
            raise ConnectionError
        received += chunk
    return received


def raw(answer: bytes) -> Talk:
    """What sends some bytes, whatever it is told."""

    def talk(client: socket.socket) -> None:
        client.recv(4096)
        client.sendall(answer)
        client.shutdown(socket.SHUT_WR)
        silent(client)

    return talk


def silent(client: socket.socket) -> None:
    """What says nothing."""
    while client.recv(4096):
        pass
