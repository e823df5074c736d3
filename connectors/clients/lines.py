"""A raw object as one line of JSON: the form in which it is kept, archived and replayed.

`{"kind": "hive_table", "payload": {…}, "files": {"<uri>": "<base64 of the bytes>"}}`; `files` is
left out where there are none, and so is `unread`: what the object points to and could not be had.
In an archive each line begins with its origin: `{"v": 2, "source": "lake", "source_kind": "hms",
"fold": "lower", "region": null, "kind": …}`.
"""

import base64
import binascii
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import orjson

from connectors.clients.json_texts import dumped, loaded
from discovery import folds
from discovery.errors import (
    BelvedereError,
    DecodeError,
    FileOutsideError,
    FileUnreadableError,
    UnknownKindError,
)
from discovery.formats import KINDS, iceberg_metadata
from discovery.outcomes import Kind, Listed, RawObject

VERSION: Final = 2
_TEXT: Final = rb'"(?:[^"\\]|\\.)*"'
_HEAD: Final = re.compile(
    rb'\{"v":2,"source":%b,"source_kind":%b,"fold":%b,"region":(?:null|%b),' % ((_TEXT,) * 4)
)
_STATED: Final = b'"source_kind"'
_UNREAD: Final = {kind.code: kind for kind in (DecodeError, FileOutsideError, FileUnreadableError)}


@dataclass(frozen=True, slots=True)
class CrawlOrigin:
    """Where an archived object was crawled.

    Attributes:
        source: Name of the source in the configuration.
        kind: Of the source.
        fold: How the source compares names, by its name in `discovery.folds`.
        region: Its AWS region, if it is in one.
    """

    source: str
    kind: str
    fold: str
    region: str | None = None

    def head(self) -> str:
        """The beginning of a line, before the members of the raw object."""
        stated = (self.source, self.kind, self.fold, self.region)
        names = ("source", "source_kind", "fold", "region")
        data = {"v": VERSION, **dict(zip(names, stated, strict=True))}
        return f"{orjson.dumps(data).decode()[:-1]},"


@dataclass(frozen=True, slots=True)
class ArchivedLine:
    """An archived object.

    Attributes:
        kind: How to read the payload.
        payload: The source's own fields.
        files: What it points to, in base64.
        unread: What it points to and could not be had: URI to code and message.
        origin: Where it was crawled; None: the archive does not say so.
        text: The object without its origin, to the letter; empty if it is written otherwise.
    """

    kind: str
    payload: dict[str, object]
    files: Mapping[str, str] = field(default_factory=dict)
    unread: Mapping[str, Any] = field(default_factory=dict)
    origin: CrawlOrigin | None = None
    text: str = ""

    def place(self) -> tuple[tuple[str, ...], str | None]:
        """Namespace and name, as the object itself says them; None: its kind has no names."""
        kind = KINDS.get(self.kind)
        return (
            kind.stated_place(self.payload) if kind else ((), str(self.payload.get("name") or ""))
        )

    def alone(self) -> RawObject:
        """The object by its own place, of no source.

        Raises:
            UnknownKindError: A file of it is no base64, or a text in it no Unicode.
        """
        namespace, name = self.place()
        kind = Kind.NAMESPACE if name is None else Kind.UNDECIDED
        return self.raw_object(Listed(namespace, name or "", kind))

    def raw_object(self, listed: Listed) -> RawObject:
        """The object, with what it points to.

        Raises:
            UnknownKindError: A file of it is no base64, or a text in it no Unicode.
        """
        unread = {uri: _error(recorded) for uri, recorded in self.unread.items()}
        try:
            files = {uri: base64.b64decode(file, validate=True) for uri, file in self.files.items()}
            if self.text:
                return RawObject(listed, self.kind, self.payload, files, unread, self.text)
            return raw_object(listed, self.kind, self.payload, files, unread)
        except (binascii.Error, TypeError, ValueError) as error:
            raise UnknownKindError(f"no archived object: {error}", field="files") from None


def raw_object(
    listed: Listed,
    kind: str,
    payload: Mapping[str, object],
    files: Mapping[str, bytes] | None = None,
    unread: Mapping[str, BelvedereError] | None = None,
) -> RawObject:
    """What a source said of an object, with its line."""
    data: dict[str, object] = {"kind": kind, "payload": payload}
    if files:
        data["files"] = {uri: base64.b64encode(file).decode() for uri, file in files.items()}
    if unread:
        data["unread"] = {
            uri: {"code": error.code, "message": str(error)} for uri, error in unread.items()
        }
    text = dumped(data)
    return RawObject(listed, kind, payload, files or {}, unread or {}, text)


def with_view_metadata(
    listed: Listed,
    kind: str,
    payload: Mapping[str, object],
    uri: str | None,
    content: bytes | BelvedereError | None,
) -> RawObject:
    """An object that points to the metadata of an Iceberg view, with that file.

    The bytes are kept only if they are such metadata: a pointer may lead anywhere.

    Args:
        listed: The object.
        kind: Of its payload.
        payload: The source's own fields.
        uri: What it points to; None: nothing.
        content: Of that file, or why it could not be read.
    """
    if not uri or content is None:
        return raw_object(listed, kind, payload)
    if isinstance(content, bytes):
        try:
            iceberg_metadata.check_kind(content)
        except DecodeError as error:
            content = error
    if isinstance(content, bytes):
        return raw_object(listed, kind, payload, {uri: content})
    return raw_object(listed, kind, payload, unread={uri: content})


def origin(text: bytes) -> CrawlOrigin | None:
    """Where the object of a line was crawled; None: nobody says.

    A line as a crawl writes it is not read as a whole: its object is behind all of that.

    Raises:
        UnknownKindError: It was folded as this version does not know, or is no object.
    """
    match = _HEAD.match(text)
    if match:
        return _origin(orjson.loads(match[0][:-1] + b"}"))
    return _origin(_json(text)) if _STATED in text else None


def parse(text: bytes) -> tuple[str, dict[str, object], Mapping[str, str]]:
    """Kind, payload and files (in base64) of an archived object, as `read`."""
    line = read(text)
    return line.kind, line.payload, line.files


def read(text: bytes) -> ArchivedLine:
    """An archived object.

    A bare dump of a metastore's table, or one under `hms_table`, is taken for what it is.

    Raises:
        UnknownKindError: It is no object.
    """
    data = _json(text)
    if "kind" not in data:
        table = data.get("hms_table", data)
        if isinstance(table, dict) and "tableName" in table:
            return ArchivedLine("hive_table", table)
    match data:
        case {"kind": str(kind), "payload": dict(payload)}:
            files, unread = _map(data, "files"), _map(data, "unread")
            if not all(isinstance(file, str) for file in files.values()):
                raise UnknownKindError("must be a map of texts in base64", field="files")
            head = _HEAD.match(text)
            kept = _verbatim(text, head.end() if head else 0) if head or "v" not in data else ""
            return ArchivedLine(kind, payload, files, unread, _origin(data), kept)
        case _:
            raise UnknownKindError("an archived object has a 'kind', a 'payload' and maybe 'files'")


def _json(text: bytes) -> dict[str, Any]:
    try:
        data = loaded(text)
    except json.JSONDecodeError as error:
        raise UnknownKindError(f"no JSON: {error.msg} at character {error.pos}") from None
    except UnicodeDecodeError as error:
        raise UnknownKindError(f"no JSON: no {error.encoding} at byte {error.start}") from None
    except RecursionError:
        raise UnknownKindError("no JSON that can be read: too much of it is nested") from None
    except ValueError as error:
        raise UnknownKindError(f"no JSON: {type(error).__name__}") from None
    if not isinstance(data, dict):
        raise UnknownKindError("no JSON object")
    return data


def _map(data: Mapping[str, Any], key: str) -> dict[str, Any]:
    value = data.get(key)
    if value is not None and not isinstance(value, dict):
        raise UnknownKindError("must be a map", field=key)
    return value or {}


def _origin(data: Mapping[str, Any]) -> CrawlOrigin | None:
    """What a line says of its origin; nothing before version 2."""
    version = data.get("v")
    if version is None:
        return None
    stated = tuple(data.get(key) for key in ("source", "source_kind", "fold"))
    region = data.get("region")
    if version != VERSION or not all(isinstance(text, str) for text in (*stated, region or "")):
        raise UnknownKindError(f"a line of version {version!r} is not known, or says no origin")
    source, kind, fold = map(str, stated)
    if fold not in folds.FOLDS:
        choices = ", ".join(folds.FOLDS)
        raise UnknownKindError(f"fold {fold!r} is none of {choices}", field="fold")
    return CrawlOrigin(source, kind, fold, region or None)


def _verbatim(text: bytes, begin: int) -> str:
    """The object of a line to the letter, without its origin; empty if it cannot be kept so."""
    try:
        kept = (b"{" + text[begin:] if begin else text).strip().decode()
    except UnicodeDecodeError:
        return ""
    is_line = kept.startswith("{") and "\n" not in kept and "\r" not in kept
    return kept if is_line else ""


def _error(recorded: object) -> BelvedereError:
    """Why a file could not be had, as the recording has it."""
    stated = recorded if isinstance(recorded, dict) else {}
    message = str(stated.get("message") or "it could not be read")
    return _UNREAD.get(str(stated.get("code")), FileUnreadableError)(message)
