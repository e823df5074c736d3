"""The view metadata file of the Iceberg view spec (format version 1): fields and rules checked.

Files may be gzip-compressed whatever their name says. Where `default-catalog` is absent, the spec's
rule is that the catalog which stores the view is meant; the model keeps it absent.
"""

import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from discovery.datatypes import iceberg
from discovery.errors import DecodeError, InvalidTypeError
from discovery.model import Field, Representation, dotted

MAX_BYTES: Final = (
    64 * 1024 * 1024
)  # a metadata file with 10 versions of 1,000 columns has some 2 MB
_GZIP: Final = b"\x1f\x8b"


@dataclass(frozen=True, slots=True)
class Version:
    """A version of a view."""

    id: int
    timestamp_ms: int
    schema_id: int
    summary: Mapping[str, str]
    representations: tuple[Representation, ...]


@dataclass(frozen=True, slots=True)
class ViewMetadata:
    """The metadata of a view: its current version, that version's columns, and the rest as read."""

    uuid: UUID
    location: str
    properties: Mapping[str, str]
    current: Version
    columns: tuple[Field, ...]
    last_logged_version: int | None


def read(content: bytes) -> ViewMetadata:
    """Read a metadata file.

    Raises:
        DecodeError: It is no valid view metadata; names the field and the rule.
    """
    data = _json(content)
    if data.get("format-version") != 1:
        raise DecodeError(
            f"must be 1 and is {data.get('format-version')!r}", field="format-version"
        )
    versions = _list(data, "versions")
    current_id = _integer(data, "current-version-id")
    current = [
        one for one in versions if isinstance(one, dict) and one.get("version-id") == current_id
    ]
    if len(current) != 1:
        raise DecodeError(
            f"{current_id} names {len(current)} of the versions", field="current-version-id"
        )
    version = _version(current[0], f"versions[{versions.index(current[0])}]")
    return ViewMetadata(
        _uuid(data),
        _text(data, "location"),
        _strings(data, "properties"),
        version,
        _columns(data, version.schema_id),
        _last_logged(data),
    )


def _json(content: bytes) -> Mapping[str, object]:
    try:
        plain = _unzip(content) if content.startswith(_GZIP) else content
        if len(plain) > MAX_BYTES:
            raise DecodeError(f"is larger than {MAX_BYTES >> 20} MiB", field="metadata file")
        data = json.loads(plain)
    except (ValueError, zlib.error) as error:
        raise DecodeError(f"holds no JSON: {error}", field="metadata file") from error
    if not isinstance(data, dict):
        raise DecodeError("holds no JSON object", field="metadata file")
    return data


def _unzip(content: bytes) -> bytes:
    unzip = zlib.decompressobj(wbits=31)
    plain = unzip.decompress(content, MAX_BYTES + 1)
    if not unzip.eof and len(plain) <= MAX_BYTES:
        raise DecodeError("is a gzip file that is cut off", field="metadata file")
    return plain


def _version(data: Mapping[str, object], place: str) -> Version:
    namespace = _list(data, "default-namespace", place)
    if not all(isinstance(level, str) for level in namespace):
        raise DecodeError("must be a list of strings", field=f"{place}.default-namespace")
    catalog = data.get("default-catalog")
    if catalog is not None and not isinstance(catalog, str):
        raise DecodeError("must be a string", field=f"{place}.default-catalog")
    found = []
    for index, one in enumerate(_list(data, "representations", place)):
        here = f"{place}.representations[{index}]"
        if not isinstance(one, dict) or one.get("type") != "sql":
            raise DecodeError("must be an object of the type 'sql'", field=here)
        found.append(
            Representation(
                dialect=_text(one, "dialect", here),
                sql=_text(one, "sql", here),
                default_catalog=catalog,
                default_schema=dotted([str(level) for level in namespace]) or None,
            )
        )
    return Version(
        _integer(data, "version-id", place),
        _integer(data, "timestamp-ms", place),
        _integer(data, "schema-id", place),
        _strings(data, "summary", place),
        tuple(found),
    )


def _columns(data: Mapping[str, object], schema_id: int) -> tuple[Field, ...]:
    for index, schema in enumerate(_list(data, "schemas")):
        if isinstance(schema, dict) and schema.get("schema-id") == schema_id:
            try:
                return iceberg.fields(schema)
            except InvalidTypeError as error:
                raise DecodeError(str(error), field=f"schemas[{index}]") from error
    raise DecodeError(f"has no schema of the id {schema_id}", field="schemas")


def _last_logged(data: Mapping[str, object]) -> int | None:
    log = _list(data, "version-log")
    last = log[-1] if log else None
    return _integer(last, "version-id", "version-log[-1]") if isinstance(last, dict) else None


def _uuid(data: Mapping[str, object]) -> UUID:
    text = _text(data, "view-uuid")
    try:
        return UUID(text)
    except ValueError as error:
        raise DecodeError(f"{text!r} is no UUID", field="view-uuid") from error


def _text(data: Mapping[str, object], key: str, place: str = "") -> str:
    value = data.get(key)
    if not isinstance(value, str) or not value:
        raise DecodeError("is required and must be a string", field=_path(place, key))
    return value


def _integer(data: Mapping[str, object], key: str, place: str = "") -> int:
    value = data.get(key)
    if not isinstance(value, int) or isinstance(value, bool):
        raise DecodeError("is required and must be a whole number", field=_path(place, key))
    return value


def _list(data: Mapping[str, object], key: str, place: str = "") -> list[object]:
    value = data.get(key)
    if not isinstance(value, list):
        raise DecodeError("is required and must be a list", field=_path(place, key))
    return value


def _strings(data: Mapping[str, object], key: str, place: str = "") -> dict[str, str]:
    value = data.get(key, {})
    if not isinstance(value, dict) or not all(isinstance(text, str) for text in value.values()):
        raise DecodeError("must be a map of strings", field=_path(place, key))
    return dict(value)


def _path(place: str, key: str) -> str:
    return f"{place}.{key}" if place else key
