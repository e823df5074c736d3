"""StarRocks' types as its documentation spells them in `information_schema.columns.column_type`.

The table is that of Gravitino 1.3's `StarRocksTypeConverter`: a varchar of 65533 bytes, what
StarRocks makes of `STRING`, is a string; a datetime has no precision.
"""

from typing import Final

from discovery.datatypes import mysql

_PLAIN: Final = {
    "boolean": "boolean",
    "bit(1)": "boolean",
    "tinyint(1)": "boolean",  # as which the protocol shows a boolean
    "tinyint": "byte",
    "smallint": "short",
    "int": "integer",
    "bigint": "long",
    "float": "float",
    "double": "double",
    "date": "date",
    "datetime": "timestamp",
    "string": "string",
    "varchar(65533)": "string",
    "binary": "binary",
    "varbinary": "binary",
}
_SIZED: Final = {
    "decimal": "decimal",
    "decimal32": "decimal",
    "decimal64": "decimal",
    "decimal128": "decimal",
    "char": "char",
    "varchar": "varchar",
}

parse: Final = mysql.language(_PLAIN, _SIZED)
