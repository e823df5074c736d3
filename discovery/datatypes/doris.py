"""Doris's types as its documentation spells them in `information_schema.columns.column_type`.

The table is that of Gravitino's `DorisTypeConverter` (main); the names with `v2` and `v3` are those
of the same types in newer tables.
"""

from functools import lru_cache
from typing import Final

from discovery.datatypes import mysql
from discovery.model import DataType

_PLAIN: Final = {
    "boolean": "boolean",
    "tinyint(1)": "boolean",  # as which the protocol shows a boolean
    "tinyint": "byte",
    "smallint": "short",
    "int": "integer",
    "bigint": "long",
    "float": "float",
    "double": "double",
    "date": "date",
    "datev2": "date",
    "datetime": "timestamp(0)",
    "datetimev2": "timestamp(0)",
    "string": "string",
    "text": "string",
    "binary": "binary",
    "varbinary": "binary",
}
_SIZED: Final = {
    "decimal": "decimal",
    "decimalv2": "decimal",
    "decimalv3": "decimal",
    "datetime": "timestamp",
    "datetimev2": "timestamp",
    "char": "char",
    "varchar": "varchar",
}


@lru_cache(maxsize=16_384)
def parse(text: str) -> DataType:
    """A column type of Doris; what Gravitino has no word for is `External`."""
    return mysql.by_tables(text, _PLAIN, _SIZED)
