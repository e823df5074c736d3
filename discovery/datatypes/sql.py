"""Type names of standard SQL, as SQLAlchemy compiles what it reflects in any dialect.

What is no standard name, or means something else in the database at hand, is `External` with the
text: a `NUMBER` of Oracle is no Gravitino type without knowing Oracle.

A collation is no part of a type here: SQL Server names one for every text (SQLAlchemy 2.1, its
dialects' `get_columns`), the sources for a database of its own and Gravitino name none.
"""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final

from discovery.datatypes import mysql
from discovery.datatypes.scan import sized, whole_numbers
from discovery.engines import ENGINES
from discovery.model import MYSQL, DataType, External, Primitive

_PLAIN: Final = {
    "boolean": "boolean",
    "smallint": "short",
    "integer": "integer",
    "int": "integer",
    "bigint": "long",
    "real": "float",
    "double": "double",
    "double precision": "double",
    "double_precision": "double",
    "date": "date",
    "time": "time",
    "timestamp": "timestamp",
    "datetime": "timestamp",
    "text": "string",
    "clob": "string",
    "varchar": "string",
    "blob": "binary",
    "uuid": "uuid",
}
_SIZED: Final = {
    "decimal": "decimal",
    "numeric": "decimal",
    "char": "char",
    "varchar": "varchar",
    "time": "time",
    "timestamp": "timestamp",
}
_TIMES: Final = {
    "time without time zone": "time",
    "timestamp without time zone": "timestamp",
    "timestamp with time zone": "timestamp_tz",
}
_OTHERWISE: Final[Mapping[str, Mapping[str, DataType | None]]] = {
    "mssql": {"timestamp": None},  # the version of a row: eight bytes, no time
    # a date with the time of day; numbers of 38 digits, and of 63 and 126 bits in decimal
    "oracle": dict.fromkeys(("date", "integer", "real", "double precision")),
    # what SQLAlchemy's dialect (2.0.4) says of whole numbers of any size; they have eight bytes
    "cockroachdb": {"integer": Primitive("long")},
    # of eight bytes, whatever their names (datatype3.html)
    "sqlite": {
        **dict.fromkeys(("integer", "int", "smallint"), Primitive("long")),
        "real": Primitive("double"),
    },
}
"""Standard names by which a database calls something else, by SQLAlchemy's name for it; None: what
Gravitino has no word for.
"""
_INSTANTS: Final = frozenset(ENGINES[MYSQL].schemes)
"""Whose `timestamp` is one with a zone, as in `datatypes.mysql`."""
_ZONED: Final = re.compile(r"(time|timestamp)(?:\((\d+)\))?( with(?:out)? time zone)")
_BESIDE: Final = re.compile(  # a length of Oracle's is in characters; a collation
    r"""(?<=\d)\ char(?=\)) | \ collate\ (?:"[^"]*"|\S+)$""", re.IGNORECASE | re.VERBOSE
)

_simple: Final = mysql.language(_PLAIN, _SIZED)


def reader(dialect: str) -> Callable[[str], DataType]:
    """What parses the types of a database.

    Args:
        dialect: SQLAlchemy's name for it; empty where it is not known.
    """
    others = _OTHERWISE.get(dialect, {})

    def parse(text: str) -> DataType:
        """A column type; what Gravitino has no word for is `External`."""
        name = text.lower().partition("(")[0]
        if name in others:
            return others[name] or External(text)
        is_instant = name == "timestamp" and dialect in _INSTANTS
        return _standard(f"{text} with time zone" if is_instant else text)

    return parse


@lru_cache(maxsize=16_384)
def _standard(text: str) -> DataType:
    plain = _BESIDE.sub("", text)
    match = _ZONED.fullmatch(plain.lower())
    if match is None:
        kind = _simple(plain)
        return External(text) if isinstance(kind, External) else kind
    name = _TIMES.get(f"{match[1]}{match[3]}")
    return External(text) if name is None else sized(name, whole_numbers([match[2]]), text)
