"""Paimon's types in the JSON of its REST catalog (Paimon 1.4, `DataTypeJsonParser`).

A type without parts is a text in Flink's language, `DECIMAL(10, 2) NOT NULL`; one with parts is an
object, `{"type": "ARRAY NOT NULL", "element": …}`.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Final

from discovery import wire
from discovery.datatypes import flink
from discovery.datatypes.scan import check_depth
from discovery.errors import InvalidTypeError
from discovery.model import Column, DataType, External, Field, ListOf, MapOf, Primitive, Struct

_PLAIN: Final = frozenset({"BLOB", "VARIANT"})
_WITH_PARTS: Final = re.compile(r"(MULTISET|ROW|VECTOR)( NOT NULL)?")
_DECIMAL: Final = re.compile(r"DECIMAL\((\d+)")
_WIDEST: Final = 38


def parse(kind: object, depth: int = 0) -> tuple[DataType, bool]:
    """A column type of Paimon, and whether it allows null.

    Args:
        kind: The type in JSON.
        depth: How many types it is within.

    Raises:
        InvalidTypeError: It is malformed.
    """
    if isinstance(kind, str):
        return flink.parse(kind)
    name = kind.get("type") if isinstance(kind, dict) else None
    if not isinstance(kind, dict) or not isinstance(name, str):
        raise InvalidTypeError(f"{kind!r:.80} is neither a text nor an object with a type")
    word, _, nullness = name.partition(" ")
    return _nested(word, kind, check_depth(depth, word)), nullness != "NOT NULL"


def narrowed(kind: object) -> tuple[str, ...]:
    """What a type that `parse` reads says and Gravitino's type does not, in words."""
    match kind:
        case str():
            return flink.narrowed(kind)
        case {"type": str(word), "fields": list(fields)} if word.startswith("ROW"):
            return tuple(lost for field in fields for lost in narrowed(field["type"]))
        case {"type": str(word), "key": key, "value": value} if word.startswith("MAP"):
            not_null = ("the key of a MAP is NOT NULL, which only its value can be",)
            return narrowed(key) + narrowed(value) + (() if parse(key)[1] else not_null)
        case {"type": str(word), "element": element} if word.startswith("ARRAY"):
            return narrowed(element)
    return ()


def spell(kind: DataType, ids: Iterator[int], *, nullable: bool = True) -> str | dict[str, object]:
    """A type in the JSON of the catalog.

    Args:
        kind: The type.
        ids: Of the fields of structs: Paimon wants one of each or of none.
        nullable: Whether it allows null.

    Raises:
        InvalidTypeError: Paimon has no such type.
    """
    suffix = "" if nullable else " NOT NULL"
    match kind:
        case ListOf(element, null):
            return {"type": f"ARRAY{suffix}", "element": spell(element, ids, nullable=null)}
        case MapOf(key, value, null):
            parts = {"key": spell(key, ids), "value": spell(value, ids, nullable=null)}
            return {"type": f"MAP{suffix}", **parts}
        case Struct(fields):
            return {"type": f"ROW{suffix}", "fields": [spell_field(field, ids) for field in fields]}
        case External(text):
            return _own(text, suffix)
        case Primitive(text) if text != "null" and not text.startswith("interval"):  # Flink's
            return _check_limits(flink.spell(kind, nullable=nullable))
    raise InvalidTypeError(f"Paimon has no type for {wire.type_text(kind):.200}")


def spell_field(field: Field | Column, ids: Iterator[int]) -> dict[str, object]:
    """A column, or a field of a struct, in the JSON of the catalog.

    Raises:
        InvalidTypeError: Paimon has no such type.
    """
    number = next(ids)
    kind = spell(field.type, ids, nullable=field.nullable)
    description = {} if field.comment is None else {"description": field.comment}
    return {"id": number, "name": field.name, "type": kind, **description}


def _check_limits(text: str) -> str:
    """A type of Flink's that Paimon has, too; its `DecimalType` ends at 38 digits."""
    match = _DECIMAL.match(text)
    if match is not None and not 1 <= int(match[1]) <= _WIDEST:
        raise InvalidTypeError(f"Paimon has no type for {text}")
    return text


def _own(text: str, suffix: str) -> str | dict[str, object]:
    """A type that only Paimon has: its own text, as `parse` has kept it."""
    if text in _PLAIN:
        return f"{text}{suffix}"
    try:
        parsed = json.loads(text)
    except (ValueError, RecursionError):
        parsed = None
    if not isinstance(parsed, dict) or not _WITH_PARTS.fullmatch(str(parsed.get("type"))):
        raise InvalidTypeError(f"Paimon has no type for {text:.200}")
    word = str(parsed["type"]).partition(" ")[0]
    return {**parsed, "type": f"{word}{suffix}"}


def _nested(word: str, kind: Mapping[str, object], depth: int) -> DataType:
    match word:
        case "ARRAY":
            return ListOf(*parse(kind.get("element"), depth))
        case "MAP":
            return MapOf(parse(kind.get("key"), depth)[0], *parse(kind.get("value"), depth))
        case "ROW":
            fields = kind.get("fields")
            if not isinstance(fields, list):
                raise InvalidTypeError("a ROW without a list of fields")
            if fields:
                return Struct(tuple(_field(field, depth) for field in fields))
        case "MULTISET" | "VECTOR":
            parse(kind.get("element"), depth)  # which is kept as it is, if it is a type
    # and a ROW without fields: Gravitino's structs have fields
    plain = {**kind, "type": word}  # whether it allows null is told beside it
    return External(json.dumps(plain, separators=(",", ":"), sort_keys=True))


def _field(field: object, depth: int) -> Field:
    name = field.get("name") if isinstance(field, dict) else None
    if not isinstance(field, dict) or not isinstance(name, str):
        raise InvalidTypeError("a field of a ROW without a name")
    kind, nullable = parse(field.get("type"), depth)
    comment = field.get("description")
    return Field(name, kind, nullable, comment if isinstance(comment, str) else None)
