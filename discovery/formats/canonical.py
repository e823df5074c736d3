"""Views and namespaces as `discovery.wire` writes them: what the target `archive` keeps.

A raw object of the kind `view` or `namespace`. Its payload is the canonical JSON, with `namespace`,
a list of levels, and `formatVersion`, 1, beside its members. It is read back exactly: what would
not be written so again is refused, such as a member that nobody knows.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

from discovery import wire
from discovery.errors import BelvedereError, DecodeError
from discovery.model import Schema, View
from discovery.outcomes import Decoded, RawObject

FORMAT_VERSION: Final = 1

Json = Mapping[str, Any]
Found = TypeVar("Found", View, Schema)
Again = Callable[[Json], tuple[Found, str]]

_VIEW: Final[Json] = {
    "name": "v",
    "columns": [],
    "representations": [{"type": "sql", "dialect": "d", "sql": "s"}],
    "properties": {},
}
_SCHEMA: Final[Json] = {"name": "s", "properties": {}}
_REFUSED: Final = (
    AttributeError,
    BelvedereError,
    KeyError,
    RecursionError,
    TypeError,
    ValueError,
)


def payload(levels: tuple[str, ...], text: str) -> dict[str, Any]:
    """The payload of a view or namespace.

    Args:
        levels: Of the namespace.
        text: What `wire.view_text` or `wire.schema_text` made of it.
    """
    return {"formatVersion": FORMAT_VERSION, "namespace": list(levels), **json.loads(text)}


def decode_view(raw: RawObject) -> Decoded:
    """A view, audit data included.

    Raises:
        DecodeError: It is not as we write it; the member is named.
    """

    def again(data: Json) -> tuple[View, str]:
        view = wire.view_from_json(data, levels)
        return view, wire.view_text(view)[0]

    levels, data = _stated(raw)
    return Decoded(_exactly(data, again, _VIEW))


def decode_schema(raw: RawObject) -> Decoded:
    """A namespace, audit data included.

    Raises:
        DecodeError: It is not as we write it; the member is named.
    """

    def again(data: Json) -> tuple[Schema, str]:
        schema = wire.schema_from_json(data, levels)
        return schema, wire.schema_text(schema)[0]

    levels, data = _stated(raw)
    return Decoded(_exactly(data, again, {**_SCHEMA, "name": levels[-1]}))


def _stated(raw: RawObject) -> tuple[tuple[str, ...], dict[str, Any]]:
    """The levels, and the canonical JSON."""
    data = dict(raw.payload)
    version, levels = data.pop("formatVersion", None), data.pop("namespace", None)
    if version != FORMAT_VERSION:
        why = f"must be {FORMAT_VERSION} and is {version!r:.80}"
        hint = "a newer belvedere may have written it"
        raise DecodeError(why, hint=hint, field="formatVersion")
    if not isinstance(levels, list) or not levels:
        raise DecodeError("must be a list of levels", field="namespace")
    if not all(isinstance(level, str) and level for level in levels):
        raise DecodeError("must be a list of strings that are not empty", field="namespace")
    return tuple(levels), data


def _exactly(data: Json, again: Again[Found], least: Json) -> Found:
    """What the JSON says, if it is the JSON of just that.

    Args:
        data: The canonical JSON.
        again: Reads it, and writes it again.
        least: One with the members that there must be, to try the others with.

    Raises:
        DecodeError: It is not; the member is named.
    """
    for member in least:
        if member not in data:
            raise DecodeError("is missing", field=member)
    try:
        found, text = again(data)
    except _REFUSED as error:
        member = next((one for one in data if _is_refused(one, data, again, least)), "")
        raise DecodeError(f"cannot be read: {error!r:.200}", field=member) from error
    written: Json = json.loads(text)
    for member in (*data, *written):
        if data.get(member) != written.get(member):
            why = f"is not as belvedere writes it: {data.get(member)!r:.80}"
            raise DecodeError(why, field=member)
    return found


def _is_refused(member: str, data: Json, again: Again[Found], least: Json) -> bool:
    """Whether a member cannot be read, whatever the others are."""
    try:
        again({**least, member: data[member]})
    except _REFUSED:
        return True
    return False
