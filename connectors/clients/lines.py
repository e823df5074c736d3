"""A raw object as one line of JSON: the form in which it is kept, archived and replayed.

`{"kind": "hive_table", "payload": {…}, "files": {"<uri>": "<base64 of the bytes>"}}`; `files` is
left out where there are none.
"""

import base64
import json
from collections.abc import Mapping

import orjson

from discovery.errors import UnknownKindError
from discovery.outcomes import Listed, RawObject


def raw_object(
    listed: Listed,
    kind: str,
    payload: Mapping[str, object],
    files: Mapping[str, bytes] | None = None,
    unread: Mapping[str, str] | None = None,
) -> RawObject:
    """What a source said of an object, with its line."""
    data: dict[str, object] = {"kind": kind, "payload": payload}
    if files:
        data["files"] = {uri: base64.b64encode(one).decode() for uri, one in files.items()}
    text = orjson.dumps(data).decode()
    return RawObject(listed, kind, payload, files or {}, unread or {}, text)


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
