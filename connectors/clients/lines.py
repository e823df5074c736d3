"""A raw object as one line of JSON: the form in which it is kept, archived and replayed.

`{"kind": "hive_table", "payload": {…}, "files": {"<uri>": "<base64 of the bytes>"}}`; `files` is
left out where there are none.
"""

import base64
import json
from collections.abc import Mapping

import orjson

from discovery.errors import BelvedereError, DecodeError, UnknownKindError
from discovery.formats import iceberg_metadata
from discovery.outcomes import Listed, RawObject


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
        data["files"] = {uri: base64.b64encode(one).decode() for uri, one in files.items()}
    text = orjson.dumps(data).decode()
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


def parsed(text: bytes) -> tuple[str, dict[str, object], dict[str, str]]:
    """Kind, payload and files (in base64) of an archived object.

    A bare dump of a metastore's table, or one under `hms_table`, is taken for what it is.

    Raises:
        UnknownKindError: It is no object.
    """
    try:
        try:
            data = orjson.loads(text)
        except orjson.JSONDecodeError:  # it refuses what Python's takes: half of a surrogate pair
            data = json.loads(text)
    except ValueError as error:
        raise UnknownKindError(f"no JSON: {error}") from error
    if isinstance(data, dict) and "kind" not in data:
        table = data.get("hms_table", data)
        data = {"kind": "hive_table", "payload": table} if "tableName" in table else data
    match data:
        case {"kind": str(kind), "payload": dict(payload)}:
            return kind, payload, data.get("files") or {}
        case _:
            raise UnknownKindError("an archived object has a 'kind', a 'payload' and maybe 'files'")
