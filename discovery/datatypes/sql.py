"""Type names of standard SQL, as SQLAlchemy compiles what it reflects in any dialect.

What is no standard name, or means something else in some database, is `External` with the text: a
`NUMBER` of Oracle is no Gravitino type without knowing Oracle.
"""

from typing import Final

from discovery.datatypes import mysql

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
    "timestamp without time zone": "timestamp",
    "timestamp with time zone": "timestamp_tz",
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

parse: Final = mysql.language(_PLAIN, _SIZED)
