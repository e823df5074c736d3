"""The views as requests of OpenMetadata: a line of JSON is the body of a `PUT /api/v1/tables`.

Names are those of OpenMetadata's own connectors: service, database, schema, table, where a source
without databases has one called `default` (docs.open-metadata.org, "Tables"; `get_database_names`
of openmetadata-ingestion 2.0). The service is called as the source is. What OpenMetadata cannot
have in a name stands as its own client encodes it. The request is 2.0's `CreateTableRequest`.
"""

import json
import re
from collections.abc import Iterator
from typing import Any, Final

from discovery import wire
from discovery.addresses import SourceAddress
from discovery.model import (
    Column,
    DataType,
    External,
    Field,
    ListOf,
    MapOf,
    Primitive,
    Struct,
    UnionOf,
)
from reports.dataset_names import path_above
from reports.lines import Row

_LONGEST: Final = 256  # characters of a name: `EntityName`
_DATABASE: Final = "default"
_RESERVED: Final = {
    "::": "colon",
    ">": "arrow",
    '"': "quote",
    "\n": "newline",
    "\r": "carriage_return",
    "\t": "tab",
}
_TYPES: Final = {
    "boolean": "BOOLEAN",
    "byte": "TINYINT",
    "short": "SMALLINT",
    "integer": "INT",
    "long": "BIGINT",
    "float": "FLOAT",
    "double": "DOUBLE",
    "decimal": "DECIMAL",
    "date": "DATE",
    "time": "TIME",
    "timestamp": "TIMESTAMP",
    "timestamp_tz": "TIMESTAMPZ",
    "string": "STRING",
    "varchar": "VARCHAR",
    "char": "CHAR",
    "fixedchar": "CHAR",
    "binary": "BYTES",
    "fixed": "FIXED",
    "uuid": "UUID",
    "interval_year": "INTERVAL",
    "interval_day": "INTERVAL",
}
_SIZED: Final = re.compile(r"(\w+)(?:\((\d+)(?:,\s*(\d+))?\))?")


def texts(row: Row) -> Iterator[str]:
    """The request of a view; nothing for what could not be read, or has too long a name."""
    name = _name(row["name"])
    if row["outcome"] != "view" or len(name) > _LONGEST:
        return
    view = json.loads(row["model"])
    request: dict[str, Any] = {
        "name": name,
        "tableType": "View",
        "databaseSchema": _schema(row["addresses"].get(row["source"]), row),
        "columns": [
            _column(column, at)
            for at, column in enumerate(wire.columns_from_json(view["columns"]), 1)
        ],
    }
    if name != row["name"]:
        request["displayName"] = row["name"]
    if view.get("comment"):
        request["description"] = view["comment"]
    if view["representations"]:
        request["schemaDefinition"] = view["representations"][0]["sql"]
    yield json.dumps(request) + "\n"


def _schema(place: SourceAddress | None, row: Row) -> str:
    """The schema's fully qualified name."""
    levels = list(row["namespace"])
    above = path_above(place) if place is not None else ""
    database = above or (levels.pop(0) if len(levels) > 1 else _DATABASE)
    return ".".join(map(_part, (row["source"], database, ".".join(levels) or _DATABASE)))


def _part(name: str) -> str:
    """A part of a fully qualified name: quoted, if it has what parts them."""
    text = _name(name)
    return f'"{text}"' if "." in text else text


def _name(name: str) -> str:
    """A name as OpenMetadata's client encodes it."""
    for text, word in _RESERVED.items():
        name = name.replace(text, f"__reserved__{word}__")
    return name


def _column(column: Column | Field, at: int) -> dict[str, Any]:
    entry = {"name": _name(column.name), "ordinalPosition": at, **_type(column.type)}
    if column.comment:
        entry["description"] = column.comment
    return entry


def _type(kind: DataType) -> dict[str, Any]:
    """The members of a column that say its type."""
    display = {"dataTypeDisplay": _display(kind)}
    match kind:
        case Primitive(text):
            return {**display, **_plain(text)}
        case ListOf(element, _):
            inner = _type(element)
            children = {"children": inner["children"]} if "children" in inner else {}
            return {"dataType": "ARRAY", "arrayDataType": inner["dataType"], **display, **children}
        case MapOf():
            return {"dataType": "MAP", **display}
        case Struct(fields):
            children = {"children": [_column(field, at) for at, field in enumerate(fields, 1)]}
            return {"dataType": "STRUCT", **display, **children}
        case UnionOf():
            return {"dataType": "UNION", **display}
        case _:
            return {"dataType": "UNKNOWN", **display}


def _plain(text: str) -> dict[str, Any]:
    match = _SIZED.fullmatch(text)
    word = _TYPES.get(match[1], "UNKNOWN") if match else "UNKNOWN"
    data_type: dict[str, Any] = {"dataType": word}
    if match and match[2] and word == "DECIMAL":
        data_type |= {"precision": int(match[2]), "scale": int(match[3] or 0)}
    elif match and match[2] and word in {"VARCHAR", "CHAR", "FIXED"}:
        data_type["dataLength"] = int(match[2])
    return data_type


def _display(kind: DataType) -> str:
    """A type as OpenMetadata shows it, and looks at nested ones: `array<struct<a:int>>`."""
    match kind:
        case Primitive(text) | External(text):
            return text
        case ListOf(element, _):
            return f"array<{_display(element)}>"
        case MapOf(key, value, _):
            return f"map<{_display(key)},{_display(value)}>"
        case Struct(fields):
            return f"struct<{','.join(f'{field.name}:{_display(field.type)}' for field in fields)}>"
        case UnionOf(types):
            return f"uniontype<{','.join(map(_display, types))}>"
