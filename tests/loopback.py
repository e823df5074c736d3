"""Local servers: what is asked goes through the real client and a real socket."""

import contextlib
import http.server
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from email.message import Message
from typing import NamedTuple


class Request(NamedTuple):
    """What a client asked: path with query, head, body and method."""

    path: str
    headers: Message
    body: bytes
    method: str = "GET"


Answer = tuple[int, bytes] | tuple[int, bytes, Mapping[str, str]]
"""Status, body and what else its head has."""


class HungUpError(Exception):
    """What an answer raises to close the connection without one."""


def _send(to: http.server.BaseHTTPRequestHandler, answer: Answer, kind: str) -> None:
    status, content, *headers = answer
    to.send_response(status)
    usual = {"Content-Type": kind, "Content-Length": str(len(content))}
    for name, value in (usual | dict(*headers)).items():
        to.send_header(name, value)
    to.end_headers()
    to.wfile.write(content)


@contextmanager
def serving(answer: Callable[[Request], Answer], kind: str) -> Iterator[str]:
    """Serve as long as the context lasts; yields the server's URI.

    Args:
        answer: What becomes of a request; may raise `HungUpError`.
        kind: The content type of every answer.
    """

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1  # head and body in one packet: else each answer waits for the other side

        def do_GET(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            try:
                asked = Request(self.path, self.headers, body, self.command)
                response = answer(asked)
            except HungUpError:
                self.close_connection = True
                return
            _send(self, response, kind)

        def do_POST(self) -> None:
            self.do_GET()

        def do_PUT(self) -> None:
            self.do_GET()

        def do_PATCH(self) -> None:
            self.do_GET()

        def do_DELETE(self) -> None:
            self.do_GET()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base's name
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@contextmanager
def listening(talk: Callable[[socket.socket], None]) -> Iterator[int]:
    """Hold conversations as long as the context lasts; yields the port.

    Args:
        talk: With one client, in a thread of its own; the connection ends when it returns.
    """
    talks: list[socket.socket] = []

    def hold(client: socket.socket) -> None:
        with client, contextlib.suppress(OSError):
            talk(client)

    def accept(server: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = server.accept()
                talks.append(client)
                threading.Thread(target=hold, args=(client,), daemon=True).start()

    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=accept, args=(server,), daemon=True)
        thread.start()
        try:
            yield server.getsockname()[1]
        finally:
            with contextlib.suppress(OSError):
                server.shutdown(socket.SHUT_RDWR)
            for client in talks:
                with contextlib.suppress(OSError):
                    client.shutdown(socket.SHUT_RDWR)
    thread.join()
