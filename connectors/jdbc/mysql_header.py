"""Statements that MySQL prepares, and as type texts what it tells of their columns' types.

PyMySQL has no prepared statements, and builds an object with ten attributes for each column of an
answer, which took more time than the server did. Read as here, a column takes 4 microseconds with
the waiting for the server, a third of it. Preparing and executing state columns in one layout.

Lengths of texts are bytes in the connection's character set, a decimal's length counts sign and
point (MariaDB 10.11, MySQL 5.5 and 8; seen with PyMySQL 1.2).
"""

import struct
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import pymysql
from pymysql.connections import MySQLResult
from pymysql.constants import COMMAND, FIELD_TYPE, FLAG
from pymysql.err import raise_mysql_exception

BYTES_A_CHARACTER: Final = 4  # of utf8mb4, which the connector asks for
_BINARY: Final = 63  # the character set of what is no text
_NO_SCALE: Final = 31
_WHOLE: Final = {
    FIELD_TYPE.SHORT: "smallint",
    FIELD_TYPE.INT24: "mediumint",
    FIELD_TYPE.LONG: "int",
    FIELD_TYPE.LONGLONG: "bigint",
}
_FLOATING: Final = {FIELD_TYPE.FLOAT: "float", FIELD_TYPE.DOUBLE: "double"}
_TIMES: Final = {
    FIELD_TYPE.TIME: "time",
    FIELD_TYPE.DATETIME: "datetime",
    FIELD_TYPE.TIMESTAMP: "timestamp",
}
_PLAIN: Final = {
    FIELD_TYPE.DATE: "date",
    FIELD_TYPE.NEWDATE: "date",
    FIELD_TYPE.YEAR: "year",
    FIELD_TYPE.NULL: "null",
    FIELD_TYPE.JSON: "json",
    FIELD_TYPE.GEOMETRY: "geometry",
    FIELD_TYPE.ENUM: "enum",
    FIELD_TYPE.SET: "set",
}
_BLOBS: Final = {
    FIELD_TYPE.TINY_BLOB,
    FIELD_TYPE.BLOB,
    FIELD_TYPE.MEDIUM_BLOB,
    FIELD_TYPE.LONG_BLOB,
}
_SIZES: Final = ((0xFF, "tiny"), (0xFFFF, ""), (0xFFFFFF, "medium"))


_ERROR: Final = 0xFF  # the first byte of an error's packet
_LONG: Final = {0xFC: 2, 0xFD: 3, 0xFE: 8}  # a first byte of a length: how many bytes hold it
_BEFORE_NAME: Final = 4  # catalog, schema, table, original table
_PREPARED: Final = struct.Struct("<x4sHH")  # number of the statement, columns, parameters
_NUMBERS: Final = struct.Struct("<xHIBHB")  # behind the names


class HeaderField(NamedTuple):
    """A column of an answer's header: name, and the numbers that the protocol has for its type."""

    name: str
    charsetnr: int
    length: int
    type_code: int
    flags: int
    scale: int


def prepare_statements(
    driver: Any,  # noqa: ANN401 - PyMySQL has no types
    statements: Sequence[str],
) -> list[list[HeaderField] | pymysql.MySQLError]:
    """What the server says of the columns of each statement when it prepares it. Does I/O.

    None is executed. All are sent before the first answer is read, and all are given up at the end:
    a server holds 16,382 prepared statements by default, over all its clients.

    Args:
        driver: A connection of PyMySQL, whose way to read keeps timeouts and names errors.
        statements: Together shorter than what a socket's buffers hold, else both sides could wait
            for each other to read.

    Returns:
        The columns, or the server's error, of each.

    Raises:
        pymysql.MySQLError: The connection is lost.
    """
    _send(driver, COMMAND.COM_STMT_PREPARE, statements)
    read, encoding = driver._read_bytes, driver.encoding  # noqa: SLF001 - as `_send` says
    driver._sock.settimeout(driver._read_timeout)  # noqa: SLF001 - the same
    answers: list[list[HeaderField] | pymysql.MySQLError] = []
    held = b""
    for _ in statements:
        first = _receive_packet(read)
        if first[0] == _ERROR:
            answers.append(_error(first))
            continue
        number, columns, parameters = _PREPARED.unpack_from(first)
        fields = _receive_fields(read, encoding, columns, parameters)
        answers.append(fields or pymysql.NotSupportedError("a prepared statement has no columns"))
        held += _command(COMMAND.COM_STMT_CLOSE, number)
    driver._write_bytes(held)  # noqa: SLF001 - the same; this is not answered
    return answers


def ask_statements(
    driver: Any,  # noqa: ANN401 - PyMySQL has no types
    statements: Sequence[str],
) -> list[tuple[tuple[bytes, ...], ...] | pymysql.MySQLError]:
    """The rows of each statement, as bytes, or the server's error. Does I/O.

    All are sent before the first answer is read, as `prepare_statements` has it.

    Args:
        driver: A connection of PyMySQL.
        statements: Together shorter than what a socket's buffers hold.

    Raises:
        pymysql.MySQLError: The connection is lost.
    """
    _send(driver, COMMAND.COM_QUERY, statements)
    answers: list[tuple[tuple[bytes, ...], ...] | pymysql.MySQLError] = []
    decodes, driver.use_unicode = driver.use_unicode, False
    try:
        for _ in statements:
            driver._next_seq_id = 1  # noqa: SLF001 - each exchange counts anew
            result = MySQLResult(driver)
            try:
                result.read()
            except pymysql.MySQLError as error:
                if driver._sock is None:  # noqa: SLF001 - the same
                    raise
                answers.append(error)
            else:
                answers.append(result.rows or ())
    finally:
        driver.use_unicode = decodes
    return answers


def _send(driver: Any, command: int, statements: Sequence[str]) -> None:  # noqa: ANN401 - no types
    """Send a command for each statement, all at once.

    Raises:
        pymysql.MySQLError: The connection is lost.
    """
    if driver._sock is None:  # noqa: SLF001 - PyMySQL has no other door to its packets
        raise pymysql.InterfaceError(0, "the connection is closed")
    packets = (_command(command, statement.encode(driver.encoding)) for statement in statements)
    driver._write_bytes(b"".join(packets))  # noqa: SLF001 - the same


def _receive_fields(read: Any, encoding: str, columns: int, parameters: int) -> list[HeaderField]:  # noqa: ANN401 - no types
    """The columns behind the answer to a statement that was prepared."""
    for _ in range(parameters + (parameters > 0)):  # and the end of them
        _receive_packet(read)
    fields = [_field(_receive_packet(read), encoding) for _ in range(columns)]
    if columns:
        _receive_packet(read)  # the end of them
    return fields


def _command(command: int, argument: bytes) -> bytes:
    """A packet that begins an exchange."""
    return (len(argument) + 1).to_bytes(3, "little") + bytes([0, command]) + argument


def _error(data: bytes) -> pymysql.MySQLError:
    """The error that a packet is."""
    try:
        raise_mysql_exception(data)
    except pymysql.MySQLError as error:
        return error
    return pymysql.InternalError("an error without a number")


def _receive_packet(read: Any) -> bytes:  # noqa: ANN401 - no types
    data: bytes = read(int.from_bytes(read(4)[:3], "little"))
    return data


def _length(data: bytes, at: int) -> tuple[int, int]:
    """A length and where it ends; one byte if it is small."""
    size = _LONG.get(data[at])
    if size is None:
        return data[at], at + 1
    return int.from_bytes(data[at + 1 : at + 1 + size], "little"), at + 1 + size


def _field(data: bytes, encoding: str) -> HeaderField:
    at = 0
    for _ in range(_BEFORE_NAME):
        size, at = _length(data, at)
        at += size
    size, at = _length(data, at)
    name = data[at : at + size].decode(encoding)
    size, at = _length(data, at + size)  # the original name
    return HeaderField(name, *_NUMBERS.unpack_from(data, at + size))


def spelled(field: HeaderField) -> str:
    """The type as MySQL would spell it."""
    code = field.type_code
    unsigned = " unsigned" if field.flags & FLAG.UNSIGNED else ""
    if code in _WHOLE:
        return _WHOLE[code] + unsigned
    if code == FIELD_TYPE.TINY:
        return ("tinyint(1)" if field.length == 1 else "tinyint") + unsigned
    if code in {FIELD_TYPE.DECIMAL, FIELD_TYPE.NEWDECIMAL}:
        digits = field.length - (not unsigned) - (field.scale > 0)
        return f"decimal({digits},{field.scale}){unsigned}"
    if code in _FLOATING:
        size = f"({field.length},{field.scale})" if field.scale < _NO_SCALE else ""
        return f"{_FLOATING[code]}{size}{unsigned}"
    if code in _TIMES:
        return f"{_TIMES[code]}({field.scale})" if field.scale else _TIMES[code]
    if code == FIELD_TYPE.BIT:
        return f"bit({field.length})"
    return _PLAIN.get(code) or _text_type(field)


def _text_type(field: HeaderField) -> str:
    """A type of characters or bytes."""
    code, binary = field.type_code, field.charsetnr == _BINARY
    if field.flags & FLAG.ENUM:
        return "enum"
    if field.flags & FLAG.SET:
        return "set"
    if code in _BLOBS:
        size = field.length if binary else field.length // BYTES_A_CHARACTER
        prefix = next((name for most, name in _SIZES if size <= most), "long")
        return prefix + ("blob" if binary else "text")
    if binary:
        return ("binary" if code == FIELD_TYPE.STRING else "varbinary") + f"({field.length})"
    size = field.length // BYTES_A_CHARACTER
    return ("char" if code == FIELD_TYPE.STRING else "varchar") + f"({size})"
