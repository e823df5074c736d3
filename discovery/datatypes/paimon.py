"""Paimon's types in the JSON of its REST catalog (Paimon 1.4, `DataTypeJsonParser`).

A type without parts is a text in Flink's language, `DECIMAL(10, 2) NOT NULL`; one with parts is an
object, `{"type": "ARRAY NOT NULL", "element": …}`.
"""

import json
from collections.abc import Mapping

from discovery.datatypes import flink
from discovery.errors import InvalidTypeError
from discovery.model import DataType, External, Field, ListOf, MapOf, Struct


def parse(kind: object) -> tuple[DataType, bool]:
    """A column type of Paimon, and whether it allows null.

    Raises:
        InvalidTypeError: It is malformed.
    """
    if isinstance(kind, str):
        return flink.parse(kind)
    name = kind.get("type") if isinstance(kind, dict) else None
    if not isinstance(kind, dict) or not isinstance(name, str):
        raise InvalidTypeError(f"{kind!r:.80} is neither a text nor an object with a type")
    word, _, nullness = name.partition(" ")
    return _nested(word, kind), nullness != "NOT NULL"


def narrowed(kind: object) -> tuple[str, ...]:
    """What a type that `parse` reads says and Gravitino's type does not, in words."""
    match kind:
        case str():
            return flink.narrowed(kind)
        case {"type": str(word), "fields": list(fields)} if word.startswith("ROW"):
            return tuple(lost for one in fields for lost in narrowed(one["type"]))
        case {"type": str(word), "key": key, "value": value} if word.startswith("MAP"):
            not_null = ("the key of a MAP is NOT NULL, which only its value can be",)
            return narrowed(key) + narrowed(value) + (() if parse(key)[1] else not_null)
        case {"type": str(word), "element": element} if word.startswith("ARRAY"):
            return narrowed(element)
    return ()


def _nested(word: str, kind: Mapping[str, object]) -> DataType:
    match word:
        case "ARRAY":
            return ListOf(*parse(kind.get("element")))
        case "MAP":
            return MapOf(parse(kind.get("key"))[0], *parse(kind.get("value")))
        case "ROW":
            fields = kind.get("fields")
            if not isinstance(fields, list):
                raise InvalidTypeError("a ROW without a list of fields")
            return Struct(tuple(_field(one) for one in fields))
        case _:  # MULTISET, VECTOR
            return External(json.dumps(kind, separators=(",", ":"), sort_keys=True))


def _field(one: object) -> Field:
    name = one.get("name") if isinstance(one, dict) else None
    if not isinstance(one, dict) or not isinstance(name, str):
        raise InvalidTypeError("a field of a ROW without a name")
    kind, nullable = parse(one.get("type"))
    comment = one.get("description")
    return Field(name, kind, nullable, comment if isinstance(comment, str) else None)
