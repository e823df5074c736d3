"""What is wanted of a view's columns, held against what Spark 4.3.0 says of them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from tests.golden.recipes.rebuilt import Rebuilt

_WORDS: Final = {
    "byte": "tinyint",
    "short": "smallint",
    "integer": "int",
    "long": "bigint",
    "timestamp": "timestamp_ntz",
    "timestamp_tz": "timestamp",
    "null": "void",
}
_WORDS_WITH_DIGITS: Final = {"timestamp": "timestamp_ntz", "timestamp_tz": "timestamp_ltz"}


def in_words(wanted: str | Mapping[str, Any]) -> str:
    """A type of Gravitino's as DESCRIBE of Spark 4.3.0 writes what it stands for."""
    if isinstance(wanted, str):
        name, bracket, digits = wanted.partition("(")
        words = _WORDS_WITH_DIGITS if bracket else _WORDS
        return words.get(name, name) + bracket + digits
    match wanted["type"]:
        case "list":
            return f"array<{in_words(wanted['elementType'])}>"
        case "map":
            return f"map<{in_words(wanted['keyType'])},{in_words(wanted['valueType'])}>"
        case "struct":
            parts = (f"{field['name']}:{in_words(field['type'])}" for field in wanted["fields"])
            return f"struct<{','.join(parts)}>"
    text: str = wanted["catalogString"]
    return text


def undescribed(wanted: Sequence[Mapping[str, Any]], rebuilt: Rebuilt) -> Iterator[str]:
    """JSON paths of wanted columns of which Spark says otherwise."""
    if len(wanted) != len(rebuilt.columns):
        yield "$.columns"
        return
    for number, (column, said) in enumerate(zip(wanted, rebuilt.columns, strict=True)):
        stated = {
            "name": column["name"] == said.name,
            "type": in_words(column["type"]) == said.type,
            "comment": (column.get("comment") or None) == (said.comment or None),
            "nullable": said.nullable in (None, column["nullable"]),
        }
        yield from (f"$.columns[{number}].{key}" for key, equal in stated.items() if not equal)
