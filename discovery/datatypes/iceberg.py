"""Iceberg's types as JSON (table spec, appendix C), as in the schemas of a view's metadata.

Without a precision of its own, Iceberg's time and timestamps hold microseconds: precision 6. Names
of primitive types are compared ignoring case, as Iceberg's own reader does; ids are demanded where
the appendix demands them.
"""

import json
import re
from collections.abc import Mapping
from typing import Final

from discovery.datatypes.scan import sized
from discovery.errors import InvalidTypeError
from discovery.model import DataType, External, Field, ListOf, MapOf, Primitive, Struct

_PRIMITIVES: Final = {
    "boolean": Primitive("boolean"),
    "int": Primitive("integer"),
    "long": Primitive("long"),
    "float": Primitive("float"),
    "double": Primitive("double"),
    "date": Primitive("date"),
    "time": Primitive("time(6)"),
    "timestamp": Primitive("timestamp(6)"),
    "timestamptz": Primitive("timestamp_tz(6)"),
    "timestamp_ns": Primitive("timestamp(9)"),
    "timestamptz_ns": Primitive("timestamp_tz(9)"),
    "string": Primitive("string"),
    "uuid": Primitive("uuid"),
    "binary": Primitive("binary"),
    "unknown": Primitive("null"),
}
_DECIMAL: Final = re.compile(r"decimal\(\s*(\d+)\s*,\s*(\d+)\s*\)")
_FIXED: Final = re.compile(r"fixed\[\s*(\d+)\s*\]")


def fields(struct: object) -> tuple[Field, ...]:
    """The fields of a struct in JSON; `doc` is the comment, `required` means not null.

    Raises:
        InvalidTypeError: It is no such struct; the message says where.
    """
    listed = struct.get("fields") if isinstance(struct, dict) else None
    if not isinstance(listed, list):
        raise InvalidTypeError("a struct without a list of fields")
    return tuple(_field(field) for field in listed)


def _field(field: object) -> Field:
    name = field.get("name") if isinstance(field, dict) else None
    if not isinstance(field, dict) or not isinstance(name, str):
        raise InvalidTypeError("a field without a name")
    _id(field, "id", name)
    doc = field.get("doc")
    if doc is not None and not isinstance(doc, str):
        raise InvalidTypeError(f"{name}: 'doc' must be a string, and is {doc!r:.80}")
    return Field(name, _type(field.get("type"), name), not _flag(field, "required", name), doc)


def _type(kind: object, path: str) -> DataType:
    if isinstance(kind, str):
        return _PRIMITIVES.get(kind.lower()) or _sized(kind)
    if not isinstance(kind, dict):
        raise InvalidTypeError(f"{path}: a type is missing")
    match kind.get("type"):
        case "struct":
            return Struct(fields(kind))
        case "list":
            _id(kind, "element-id", path)
            element = _type(kind.get("element"), f"{path}.element")
            return ListOf(element, not _flag(kind, "element-required", path))
        case "map":
            _id(kind, "key-id", path)
            _id(kind, "value-id", path)
            key = _type(kind.get("key"), f"{path}.key")
            value = _type(kind.get("value"), f"{path}.value")
            return MapOf(key, value, not _flag(kind, "value-required", path))
        case _:
            return External(json.dumps(kind, separators=(",", ":"), sort_keys=True))


def _sized(kind: str) -> DataType:
    if found := _DECIMAL.fullmatch(kind.lower()):
        return sized("decimal", (int(found[1]), int(found[2])), kind)
    if found := _FIXED.fullmatch(kind.lower()):
        return sized("fixed", (int(found[1]),), kind)
    return External(kind)


def _flag(kind: Mapping[str, object], key: str, path: str) -> bool:
    value = kind.get(key)
    if not isinstance(value, bool):
        raise InvalidTypeError(f"{path}: {key!r} must be true or false, and is {value!r}")
    return value


def _id(kind: Mapping[str, object], key: str, path: str) -> None:
    if type(kind.get(key)) is not int:
        raise InvalidTypeError(f"{path}: {key!r} must be a whole number, and is {kind.get(key)!r}")
