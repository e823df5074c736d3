"""The header of a MySQL answer as type texts: what the protocol can tell of a column's type.

Lengths of texts are bytes in the connection's character set, a decimal's length counts sign and
point (MariaDB 10.11, MySQL 5.5 and 8; seen with PyMySQL 1.2).
"""

from typing import Final, Protocol

from pymysql.constants import FIELD_TYPE, FLAG

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


class Field(Protocol):
    """A column of an answer's header, as PyMySQL reads it."""

    name: str
    type_code: int
    length: int
    scale: int
    flags: int
    charsetnr: int


def spelled(field: Field) -> str:
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
    return _PLAIN.get(code) or _texts(field)


def _texts(field: Field) -> str:
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
