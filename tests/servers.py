"""Servers that tests and benches start, and what stands between them and their clients."""

import os
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pymysql

PATH = f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin"


@dataclass
class MariaDB:
    """A real MariaDB of the system's package, on a socket in its own folder.

    Attributes:
        folder: Its data, socket and log.
        more: Options of the server beyond the usual ones.
    """

    folder: Path
    more: Mapping[str, object] = field(default_factory=dict)
    _process: "subprocess.Popen[bytes] | None" = field(default=None, repr=False)

    @property
    def socket(self) -> Path:
        return self.folder / "s"

    @property
    def log(self) -> Path:
        """The general log: every statement as it came, where it is switched on."""
        return self.folder / "general.log"

    def url(self) -> str:
        return f"mysql:///?unix_socket={self.socket}"

    def start(self) -> None:
        server = shutil.which("mariadbd", path=PATH)
        assert server is not None
        user = ["--user=root"] if os.geteuid() == 0 else []
        options = {
            "datadir": self.folder / "data",
            "socket": self.socket,
            "pid-file": self.folder / "pid",
            "general-log-file": self.log,
            "innodb-flush-log-at-trx-commit": 0,
            "innodb-fast-shutdown": 2,
            "sync-frm": 0,
            **self.more,
        }
        arguments = [f"--{key}={value}" for key, value in options.items()]
        with (self.folder / "err").open("ab") as log:
            self._process = subprocess.Popen(
                [server, "--no-defaults", "--skip-networking", *user, *arguments],
                stdout=log,
                stderr=log,
            )
        end = time.monotonic() + 60
        while not self._listens():
            assert time.monotonic() < end, (self.folder / "err").read_text(errors="replace")
            time.sleep(0.1)

    def _listens(self) -> bool:
        """Asked without PyMySQL, which leaves a socket open where it cannot connect."""
        with socket.socket(socket.AF_UNIX) as probe:
            return probe.connect_ex(str(self.socket)) == 0

    def stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait(timeout=60)

    def kill(self) -> None:
        """As a machine that loses its power."""
        assert self._process is not None
        self._process.kill()
        self._process.wait(timeout=60)

    def connect(self, **options: Any) -> Any:
        return pymysql.connect(
            unix_socket=str(self.socket), **{"user": "root", "autocommit": True, **options}
        )

    def connections(self) -> set[int]:
        """The numbers of the connections that there are; the metastore of another test has some."""
        query = "SELECT id FROM information_schema.processlist WHERE id <> connection_id()"
        return {number for (number,) in self.execute(query)}

    def kill_connections(self, but: Container[int]) -> None:
        """End all connections but some, and this one."""
        for number in self.connections():
            if number not in but:
                self.execute(f"KILL {number}")

    def execute(self, *statements: str, user: str = "root") -> list[tuple[Any, ...]]:
        """Run statements, each on its own; the rows of the last."""
        connection = self.connect(user=user)
        try:
            with connection.cursor() as cursor:
                for statement in statements:
                    cursor.execute(statement)
                return list(cursor.fetchall())
        finally:
            connection.close()


@contextmanager
def mariadb(folder: Path, options: Mapping[str, object] | None = None) -> Iterator[MariaDB]:
    """Run a server as long as the context lasts, with options beyond the usual ones.

    Raises:
        FileNotFoundError: The system has no MariaDB.
    """
    maker = shutil.which("mariadb-install-db", path=PATH)
    if maker is None or shutil.which("mariadbd", path=PATH) is None:
        raise FileNotFoundError("no MariaDB: apt-get install mariadb-server")
    server = MariaDB(folder, options or {})
    if not (folder / "data").exists():
        user = ["--user=root"] if os.geteuid() == 0 else []
        root = "--auth-root-authentication-method=normal"
        command = [maker, "--no-defaults", f"--datadir={folder / 'data'}", root, "--skip-test-db"]
        subprocess.run([*command, *user], check=True, capture_output=True)
    server.start()
    try:
        yield server
    finally:
        server.stop()


class Gate:
    """A port before a server's socket, which can be shut: connections break, new ones are refused.

    Args:
        there: The server's socket, or its port on this machine.

    Attributes:
        passed: How many packets have come to it, of either side.
        cuts: The number of the packet that does not pass: its connection breaks.
    """

    def __init__(self, address: Path | int) -> None:
        self._there = address
        self._listening: socket.socket | None = None
        self._pairs: list[socket.socket] = []
        self._lock = threading.Lock()
        self.port = 0
        self.accepted = self.passed = self.cuts = 0

    def open(self) -> None:
        listening = socket.socket()
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(("127.0.0.1", self.port))
        listening.listen()
        self.port = listening.getsockname()[1]
        self._listening = listening
        threading.Thread(target=self._accept, args=(listening,), daemon=True).start()

    def shut(self) -> None:
        with self._lock:
            closing: Sequence[socket.socket | None] = [self._listening, *self._pairs]
            self._listening, self._pairs = None, []
        for connection in closing:
            if connection is not None:
                with suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)
                connection.close()

    def _accept(self, listening: socket.socket) -> None:
        while True:
            try:
                client, _ = listening.accept()
            except OSError:
                return
            server = self._server()
            for connection in (client, server):
                _send_at_once(connection)
            self.accepted += 1
            with self._lock:
                self._pairs += [client, server]
            threading.Thread(target=self._relay, args=(client, server), daemon=True).start()

    def _server(self) -> socket.socket:
        if isinstance(self._there, int):
            return socket.create_connection(("127.0.0.1", self._there))
        server = socket.socket(socket.AF_UNIX)
        server.connect(str(self._there))
        return server

    def _relay(self, client: socket.socket, server: socket.socket) -> None:
        """Pass on what both sides say, until one of them has ended."""
        back = threading.Thread(target=self._pump, args=(server, client), daemon=True)
        back.start()
        self._pump(client, server)
        back.join()
        with self._lock:
            for connection in (client, server):
                if connection in self._pairs:
                    self._pairs.remove(connection)
                connection.close()

    def _pump(self, source: socket.socket, sink: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(1 << 16):
                self.passed += 1
                if self.passed == self.cuts:
                    break
                sink.sendall(data)
        for connection in (source, sink):
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)


def _send_at_once(connection: socket.socket) -> None:
    """Do not let a packet wait for the answer to the one before: that costs 40 ms a question."""
    if connection.family != socket.AF_UNIX:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


@contextmanager
def gate(address: Path | int) -> Iterator[Gate]:
    """An open gate, shut at the end."""
    opened = Gate(address)
    opened.open()
    try:
        yield opened
    finally:
        opened.shut()
