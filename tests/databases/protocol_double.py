"""A server of MySQL's protocol whose catalog is what the documentation of Doris and StarRocks says.

It stands for servers that could not be met: PyMySQL talks to it as to a real one. Statements are
run by SQLite over tables that have the documented names and columns.
"""

import socket
import socketserver
import sqlite3
import struct
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

Row = Sequence[Any]
TABLES: Final = {
    "schemata": "catalog_name schema_name default_character_set_name default_collation_name",
    "tables": "table_schema table_name table_type engine table_comment",
    "views": "table_schema table_name view_definition check_option is_updatable definer"
    " security_type character_set_client collation_connection",
    "columns": "table_schema table_name column_name ordinal_position data_type column_type"
    " column_comment",
    "materialized_views": "table_schema table_name is_active",
}
_CAPABILITIES: Final = 0x000FF7FF & ~0x0800 & ~0x00000020  # no TLS, no compression
_TEXT: Final = 253


@dataclass
class Double:
    """What the server holds.

    Attributes:
        version: What it says it is.
        catalog: Rows of `information_schema`, by table.
        views: Columns of each view that can be queried, by `schema.name`; others are errors.
        statements: What it was asked.
    """

    version: str
    catalog: Mapping[str, Sequence[Row]]
    views: Mapping[str, Sequence[str]]
    errors: Mapping[str, tuple[int, str]] = field(default_factory=dict)
    statements: list[str] = field(default_factory=list)

    def database(self) -> sqlite3.Connection:
        made = sqlite3.connect(":memory:")
        made.execute("ATTACH ':memory:' AS information_schema")
        for table, columns in TABLES.items():
            made.execute(f"CREATE TABLE information_schema.{table} ({','.join(columns.split())})")
            marks = ",".join("?" * len(columns.split()))
            made.executemany(
                f"INSERT INTO information_schema.{table} VALUES ({marks})",
                self.catalog.get(table, ()),
            )
        for place, columns_ in self.views.items():
            schema, _, name = place.partition(".")
            if schema not in {row[1] for row in made.execute("PRAGMA database_list")}:
                made.execute(f"ATTACH ':memory:' AS \"{schema}\"")
            made.execute(f'CREATE TABLE "{schema}"."{name}" ({",".join(columns_)})')
        made.create_function("version", 0, lambda: self.version)
        made.create_function("database", 0, lambda: None)
        return made


@contextmanager
def serving(double: Double) -> Iterator[int]:
    """The port of a running server."""

    class Handler(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            _Session(self.request, double).run()

    class Server(socketserver.ThreadingTCPServer):
        daemon_threads = True

    with Server(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        yield server.server_address[1]
        server.shutdown()
        thread.join()


class _Session:
    """One client."""

    def __init__(self, connection: socket.socket, double: Double) -> None:
        self._file = connection.makefile("rwb")
        self._double = double
        self._number = 0

    def run(self) -> None:
        salt = b"12345678", b"123456789012"
        low, high = (
            struct.pack("<H", _CAPABILITIES & 0xFFFF),
            struct.pack("<H", _CAPABILITIES >> 16),
        )
        self._send(
            b"\x0a" + self._double.version.encode() + b"\0" + struct.pack("<I", 1) + salt[0] + b"\0"
            + low + b"\x21" + struct.pack("<H", 2) + high + b"\x15" + b"\0" * 10
            + salt[1] + b"\0mysql_native_password\0"
        )  # fmt: skip
        self._receive()
        self._ok()
        while (packet := self._receive()) and packet[0] != 1:  # COM_QUIT
            if packet[0] == 3:  # COM_QUERY
                self._query(packet[1:].decode())
            else:
                self._ok()
        self._file.close()

    def _query(self, statement: str) -> None:
        self._double.statements.append(statement)
        for part, error in self._double.errors.items():
            if part in statement:
                self._error(*error)
                return
        if statement.startswith(("SET ", "COMMIT", "ROLLBACK")):
            self._ok()
        elif "@@" in statement:
            self._rows(["value"], [(0,)])
        else:
            try:
                with closing(self._double.database()) as database:  # anew: it may have changed
                    found = database.execute(statement)
                    self._rows([one[0] for one in found.description], found.fetchall())
            except sqlite3.Error as error:
                self._error(1105, f"HY000, errCode = 2, detailMessage = {error}")

    def _rows(self, names: Sequence[str], rows: Sequence[Row]) -> None:
        self._send(_length(len(names)))
        for name in names:
            texts = b"".join(map(_text, ("def", "", "", "", name, name)))
            self._send(texts + b"\x0c" + struct.pack("<HIBHB", 45, 1020, _TEXT, 0, 0) + b"\0\0")
        self._end()
        for row in rows:
            self._send(b"".join(b"\xfb" if cell is None else _text(str(cell)) for cell in row))
        self._end()

    def _ok(self) -> None:
        self._send(b"\0\0\0\x02\0\0\0")

    def _end(self) -> None:
        self._send(b"\xfe\0\0\x02\0")

    def _error(self, number: int, message: str) -> None:
        self._send(b"\xff" + struct.pack("<H", number) + b"#HY000" + message.encode())

    def _send(self, payload: bytes) -> None:
        self._file.write(struct.pack("<I", len(payload))[:3] + bytes([self._number]) + payload)
        self._number = (self._number + 1) % 256
        self._file.flush()

    def _receive(self) -> bytes:
        head = self._file.read(4)
        if len(head) < 4:
            return b""
        self._number = (head[3] + 1) % 256
        return self._file.read(int.from_bytes(head[:3], "little"))


def _length(number: int) -> bytes:
    if number < 251:
        return bytes([number])
    return b"\xfc" + struct.pack("<H", number)


def _text(value: str) -> bytes:
    data = value.encode()
    return _length(len(data)) + data
