"""The view metadata file of the Iceberg view spec (format version 1): fields and rules checked.

What the spec requires must be there in every version that the file knows, not only in the current
one. Where `default-catalog` is absent or null, the spec's rule is that the catalog which stores the
view is meant; the model says the same by naming none, so the rule holds wherever the view goes.
Files may be gzip-compressed whatever their name says.

JSON and gzip are taken as Iceberg's own reader takes them: Jackson's ObjectMapper as it comes (seen
with 2.21.2) on Java's GZIPInputStream. So several members of gzip are one text and what follows
them is passed over; of a key that is there twice the last counts; a byte order mark and UTF-16 are
read; whatever follows the document is not looked at. `NaN` and `Infinity`, which Python's reader
takes, are refused.
"""

import json
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple
from uuid import UUID

from discovery.datatypes import iceberg
from discovery.errors import DecodeError, InvalidTypeError
from discovery.model import Column, Representation, dotted

MAX_BYTES: Final = (
    64 * 1024 * 1024
)  # a metadata file with 10 versions of 1,000 columns has some 2 MB
FORMAT_VERSION: Final = 1
_GZIP: Final = b"\x1f\x8b"
_SQL: Final = "sql"
_FILE: Final = "metadata file"

Object = Mapping[str, object]
Place = tuple[str | int, ...]  # keys and indexes; put into words only where something is wrong


class LogEntry(NamedTuple):
    """When `current-version-id` was set, in milliseconds since the epoch, and to what."""

    timestamp_ms: int
    version_id: int


_MARKS: Final = ("format-version", "view-uuid", "versions")


@dataclass(frozen=True, slots=True)
class Version:
    """A version of a view.

    Attributes:
        id: Its `version-id`.
        timestamp_ms: When it was made, in milliseconds since the epoch.
        schema_id: Which of the schemas its columns are.
        summary: Metadata about it.
        representations: Its SQL, one text per dialect, with default catalog and namespace.
        others: Types of its representations that are no SQL.
    """

    id: int
    timestamp_ms: int
    schema_id: int
    summary: Mapping[str, str]
    representations: tuple[Representation, ...]
    others: tuple[str, ...]

    @property
    def engine(self) -> str:
        """Name and version of the engine that made it; empty if the summary has none.

        The spec's table spells the keys with a hyphen, its example in camel case.
        """
        keys = ("engine-name", "engineName"), ("engine-version", "engineVersion")
        parts = (next(filter(None, map(self.summary.get, pair)), "") for pair in keys)
        return " ".join(filter(None, parts))


@dataclass(frozen=True, slots=True)
class ViewMetadata:
    """The metadata of a view.

    Attributes:
        uuid: Identifies the view, whatever its name.
        location: Where its metadata files go.
        properties: Of the view.
        versions: All that are kept, in the file's order; older ones may have expired.
        current: The one that `current-version-id` names.
        columns: Of the current version.
        log: Every change of `current-version-id` that is kept; may name expired versions.
        document: All of this as it was read, with the fields that the spec does not know.
    """

    uuid: UUID
    location: str
    properties: Mapping[str, str]
    versions: tuple[Version, ...]
    current: Version
    columns: tuple[Column, ...]
    log: tuple[LogEntry, ...]
    document: Object


def read(content: bytes) -> ViewMetadata:
    """Read a metadata file.

    Raises:
        DecodeError: It is no valid view metadata; names the field and the rule.
    """
    return parsed(opened(content))


@lru_cache(maxsize=1)  # a file is looked at when it is read, and again when it is decoded
def opened(content: bytes) -> Object:
    """The document in a metadata file, whichever it is of; not to be changed.

    Raises:
        DecodeError: It holds no JSON object, or too large a one; says nothing of what it holds.
    """
    try:
        plain = _unzip(content) if content.startswith(_GZIP) else content
        if len(plain) > MAX_BYTES:
            raise DecodeError(f"is larger than {MAX_BYTES >> 20} MiB", field=_FILE)
        text = plain.decode(json.detect_encoding(plain), "surrogatepass")
        document, _ = _JSON.raw_decode(text, _BLANK.match(text).end())  # type: ignore[union-attr]  # it matches nothing, too
    except json.JSONDecodeError as error:
        why = f"holds no JSON: {error.msg} at character {error.pos}"
        raise DecodeError(why, field=_FILE) from None  # the error has the whole text
    except (ValueError, zlib.error, RecursionError) as error:
        raise DecodeError(f"holds no JSON: {type(error).__name__}", field=_FILE) from None
    if not isinstance(document, dict):
        raise DecodeError("holds no JSON object", field=_FILE)
    return document


def check_kind(content: bytes) -> None:
    """Refuse a file that is something else than metadata of views, of whatever version.

    Raises:
        DecodeError: It is; says nothing of what it holds.
    """
    if not all(mark in opened(content) for mark in _MARKS):
        raise DecodeError("is no metadata of a view", field=_FILE)


def parsed(document: Object) -> ViewMetadata:
    """Check a metadata document, field by field.

    Raises:
        DecodeError: It is no valid view metadata; names the field and the rule.
    """
    number = document.get("format-version")
    if type(number) is not int or number != FORMAT_VERSION:
        raise DecodeError(f"must be {FORMAT_VERSION} and is {number!r:.80}", field="format-version")
    versions = tuple(_version(version, place) for place, version in _objects(document, "versions"))
    current = _current(versions, _integer(document, "current-version-id"))
    return ViewMetadata(
        _uuid(document),
        _text(document, "location"),
        _strings(document, "properties"),
        versions,
        current,
        _columns(document, current.schema_id),
        tuple(
            LogEntry(_integer(entry, "timestamp-ms", where), _integer(entry, "version-id", where))
            for where, entry in _objects(document, "version-log")
        ),
        document,
    )


def _unzip(content: bytes) -> bytes:
    """The text of all members, up to one byte more than is allowed: a bomb stays small."""
    parts, left, rest = [], MAX_BYTES + 1, content
    while rest.startswith(_GZIP) and left > 0:
        member = zlib.decompressobj(wbits=31)
        parts.append(member.decompress(rest, left))
        left -= len(parts[-1])
        if not member.eof and left > 0:
            raise DecodeError("is a gzip file that is cut off", field=_FILE)
        rest = member.unused_data
    return b"".join(parts)


def _refuse_number(name: str) -> float:
    raise ValueError(f"{name} is no JSON")


_JSON: Final = json.JSONDecoder(parse_constant=_refuse_number)
_BLANK: Final = re.compile(r"[ \t\r\n]*")


def _version(data: Object, place: Place) -> Version:
    namespace = _list(data, "default-namespace", place)
    for level in namespace:
        if type(level) is not str:
            raise _refused("must be a list of strings", "default-namespace", place)
    catalog = data.get("default-catalog")
    if catalog is not None and not isinstance(catalog, str):
        raise _refused("must be a string", "default-catalog", place)
    levels: tuple[str, ...] = tuple(namespace)  # type: ignore[arg-type]  # strings, as was looked
    schema = dotted(levels) or None
    representations: dict[str, Representation] = {}
    others = []
    for where, representation in _objects(data, "representations", place):
        kind = _text(representation, "type", where)
        if kind.lower() != _SQL:  # Iceberg's own reader compares so, and passes over other types
            others.append(kind)
            continue
        dialect = _text(representation, "dialect", where)
        if dialect.casefold() in representations:
            why = f"{dialect!r} is there twice: one SQL per dialect"
            raise _refused(why, "dialect", where)
        representations[dialect.casefold()] = Representation(
            dialect=dialect,
            sql=_text(representation, "sql", where),
            default_catalog=catalog or None,
            default_schema=schema,
            default_levels=levels,
        )
    return Version(
        _integer(data, "version-id", place),
        _integer(data, "timestamp-ms", place),
        _integer(data, "schema-id", place),
        _strings(data, "summary", place, required=True),
        tuple(representations.values()),
        tuple(others),
    )


def _current(versions: Sequence[Version], wanted: int) -> Version:
    matches = [index for index, version in enumerate(versions) if version.id == wanted]
    if len(matches) != 1:
        raise DecodeError(
            f"{wanted} names {len(matches)} of the versions", field="current-version-id"
        )
    current = versions[matches[0]]
    if not current.representations:
        field = f"versions[{matches[0]}].representations"
        raise DecodeError("has none of the type 'sql', the only one that the spec has", field=field)
    return current


def _columns(document: Object, wanted: int) -> tuple[Column, ...]:
    """The columns of the schema of that id; only this one schema is read."""
    matches = [
        (place, candidate)
        for place, candidate in _objects(document, "schemas")
        if _integer(candidate, "schema-id", place) == wanted
    ]
    if len(matches) != 1:
        why = f"{wanted} names {len(matches)} of them: it must name one"
        raise DecodeError(f"the current version's schema-id {why}", field="schemas")
    place, schema = matches[0]
    try:
        return iceberg.columns(schema)
    except (InvalidTypeError, RecursionError) as error:
        raise DecodeError(str(error), field=_words(place)) from error


def _uuid(document: Object) -> UUID:
    text = _text(document, "view-uuid")
    try:
        return UUID(text)
    except ValueError as error:
        raise DecodeError(f"{text!r:.80} is no UUID", field="view-uuid") from error


def _objects(data: Object, key: str, place: Place = ()) -> Iterator[tuple[Place, Object]]:
    """The objects of a list, each with its place."""
    for index, entry in enumerate(_list(data, key, place)):
        if type(entry) is not dict:
            raise DecodeError("must be an object", field=_words((*place, key, index)))
        yield (*place, key, index), entry


def _list(data: Object, key: str, place: Place = ()) -> list[object]:
    value = data.get(key)
    if not isinstance(value, list):
        raise _refused("is required and must be a list", key, place)
    return value


def _text(data: Object, key: str, place: Place = ()) -> str:
    value = data.get(key)
    if not isinstance(value, str) or not value:
        raise _refused("is required and must be a string", key, place)
    return value


def _integer(data: Object, key: str, place: Place = ()) -> int:
    value = data.get(key)
    if type(value) is not int:  # a bool is an int, too
        raise _refused("is required and must be a whole number", key, place)
    return value


def _strings(
    data: Object, key: str, place: Place = (), *, required: bool = False
) -> Mapping[str, str]:
    value = data.get(key)
    if value is None and not required:
        return {}
    if not isinstance(value, dict) or not all(isinstance(text, str) for text in value.values()):
        must = "is required and must be" if required else "must be"
        raise _refused(f"{must} a map of strings", key, place)
    return value


def _refused(why: str, key: str, place: Place) -> DecodeError:
    return DecodeError(why, field=_words((*place, key)))


def _words(place: Place) -> str:
    """A place as people write it: `versions[0].summary`."""
    words = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in place)
    return words.removeprefix(".")
