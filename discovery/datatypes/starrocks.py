"""StarRocks' types as its documentation spells them in `information_schema.columns.column_type`.

The table is that of Gravitino 1.3's `StarRocksTypeConverter`: a varchar of 65533 bytes, what
StarRocks makes of `STRING`, is a string; a datetime has no precision.
"""

from functools import lru_cache
from typing import Final

from discovery.datatypes import mysql
from discovery.model import DataType

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


@lru_cache(maxsize=16_384)
def parse(text: str) -> DataType:
    """A column type of StarRocks; what Gravitino has no word for is `External`."""
    return mysql.by_tables(text, _PLAIN, _SIZED)
