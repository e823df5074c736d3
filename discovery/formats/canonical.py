"""Views and namespaces as `discovery.wire` writes them: what the target `archive` keeps.

A raw object of the kind `view` or `namespace`. Its payload is the canonical JSON, with `namespace`,
a list of levels, and `formatVersion`, 1, beside its members. It is read back exactly: what would
not be written so again is refused, such as a member that nobody knows.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from discovery import wire
from discovery.errors import BelvedereError, DecodeError
from discovery.model import Schema, View
from discovery.outcomes import Decoded, RawObject

FORMAT_VERSION: Final = 1

Json = Mapping[str, Any]
Found = TypeVar("Found", View, Schema)

_REFUSED: Final = (
    AttributeError,
    BelvedereError,
    KeyError,
    RecursionError,
    TypeError,
    ValueError,
)


@dataclass(frozen=True, slots=True)
class _Form(Generic[Found]):
    """How views, or namespaces, are read and written, and one with the members that must be."""

    read: Callable[[Json, tuple[str, ...]], Found]
    write: Callable[[Found], tuple[str, str]]
    least: Json

    def again(self, data: Json, levels: tuple[str, ...]) -> tuple[Found, Json]:
        """What the JSON says, and the JSON of that."""
        view = self.read(data, levels)
        return view, json.loads(self.write(view)[0])

    def refuses(self, member: str, data: Json, levels: tuple[str, ...]) -> bool:
        """Whether a member cannot be read, whatever the others are."""
        try:
            self.again({**self.least, member: data[member]}, levels)
        except _REFUSED:
            return True
        return False


_TEXT: Final = {"type": "sql", "dialect": "d", "sql": "s"}
_VIEW: Final = _Form(
    wire.view_from_json,
    wire.view_text,
    {"name": "v", "columns": [], "representations": [_TEXT], "properties": {}},
)
_SCHEMA: Final = _Form(wire.schema_from_json, wire.schema_text, {"name": "s", "properties": {}})


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
    return Decoded(_read_exactly(raw, _VIEW))


def decode_schema(raw: RawObject) -> Decoded:
    """A namespace, audit data included.

    Raises:
        DecodeError: It is not as we write it; the member is named.
    """
    return Decoded(_read_exactly(raw, _SCHEMA))


def _read_exactly(raw: RawObject, form: _Form[Found]) -> Found:
    """What the payload says, if it is the payload of just that.

    Raises:
        DecodeError: It is not; the member is named.
    """
    levels, data = _levels_and_json(raw)
    for member in form.least:
        if member not in data:
            raise DecodeError("is missing", field=member)
    try:
        view, written = form.again(data, levels)
    except _REFUSED as error:
        member = next((name for name in data if form.refuses(name, data, levels)), "")
        said = error.message if isinstance(error, BelvedereError) else repr(error)
        raise DecodeError(f"cannot be read: {said:.200}", field=member) from error
    for key in {**data, **written}:
        if data.get(key) != written.get(key):
            raise DecodeError(f"is not as belvedere writes it: {data.get(key)!r:.80}", field=key)
    return view


def _levels_and_json(raw: RawObject) -> tuple[tuple[str, ...], dict[str, Any]]:
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
