"""Doris's types as its documentation spells them in `information_schema.columns.column_type`.

The table is that of Gravitino's `DorisTypeConverter` (main); the names with `v2` and `v3` are those
of the same types in newer tables.
"""

from typing import Final

from discovery.datatypes import mysql

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

parse: Final = mysql.language(_PLAIN, _SIZED)
