"""MySQL's and MariaDB's types as `information_schema.columns.column_type` spells them.

The table is that of Gravitino 1.3's `MysqlTypeConverter`, with the unsigned types that its own
grammar holds. Display widths and MariaDB's comments (`datetime /* mariadb-5.3 */`) are left out.
"""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final

from discovery.datatypes.scan import sized, whole_numbers
from discovery.model import DataType, External, Primitive

_PLAIN: Final = {
    "bit(1)": "boolean",
    "bit": "binary",
    "tinyint": "byte",
    "smallint": "short",
    "int": "integer",
    "bigint": "long",
    "tinyint unsigned": "byte unsigned",
    "smallint unsigned": "short unsigned",
    "int unsigned": "integer unsigned",
    "bigint unsigned": "long unsigned",
    "float": "float",
    "double": "double",
    "float unsigned": "float",
    "double unsigned": "double",
    "date": "date",
    "time": "time(0)",  # MySQL's default precision
    "datetime": "timestamp(0)",
    "timestamp": "timestamp_tz(0)",
    "text": "string",
    "binary": "binary",
}
_SIZED: Final = {
    "decimal": "decimal",
    "decimal unsigned": "decimal",
    "time": "time",
    "datetime": "timestamp",
    "timestamp": "timestamp_tz",
    "char": "char",
    "varchar": "varchar",
}
_ONLY_DISPLAYED: Final = frozenset({"mediumint", "year"})  # their number is a display width
_COMMENT: Final = re.compile(r"\s*/\*.*?\*/\s*")
_PARTS: Final = re.compile(
    r"(\w+)\s*(\(\s*(\d+)\s*(?:,\s*(\d+)\s*)?\))?( unsigned)?( zerofill)?", re.I
)


def language(plain: Mapping[str, str], with_size: Mapping[str, str]) -> Callable[[str], DataType]:
    """What parses the types of a database of MySQL's family.

    Args:
        plain: Gravitino's name for a whole text, or for a name whose numbers say nothing.
        with_size: Gravitino's name for a name whose numbers count.
    """

    @lru_cache(maxsize=16_384)
    def parse(text: str) -> DataType:
        """A column type; what Gravitino has no word for is `External`."""
        clean = _COMMENT.sub("", text)
        if (lower := clean.lower()) in plain:
            return Primitive(plain[lower])
        match = _PARTS.fullmatch(clean)
        if match is None:
            return External(clean)
        name = match[1].lower() + (match[5] or "").lower()
        numbers = whole_numbers(match.group(3, 4))
        if numbers and name in with_size:
            return sized(with_size[name], numbers, clean)
        if name in plain:
            return Primitive(plain[name])
        return External(name if match[1].lower() in _ONLY_DISPLAYED else clean)

    return parse


parse: Final = language(_PLAIN, _SIZED)
