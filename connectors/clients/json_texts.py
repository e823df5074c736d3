"""JSON as people and servers write it, halves of surrogate pairs included.

JSON can carry half of a surrogate pair, as an escape (U+D800), which is no Unicode. orjson neither
reads nor writes one, so all of an answer would be lost for one name in it; the rest is left to it.
"""

import json
from collections.abc import Callable
from typing import Any

import orjson


def dumped(value: object, default: Callable[[object], object] | None = None) -> str:
    """A value as JSON on one line, a half of a surrogate pair as its escape.

    Args:
        value: Of maps, lists, texts and numbers.
        default: Makes one of those of what else is in it, times included; None: there is no other.
    """
    passed = 0 if default is None else orjson.OPT_PASSTHROUGH_DATETIME
    try:
        return orjson.dumps(value, default, passed).decode()
    except orjson.JSONEncodeError:  # also of a number of more than 64 bits
        return json.dumps(value, separators=(",", ":"), default=default)


def loaded(text: str | bytes) -> Any:  # noqa: ANN401 - any JSON
    """The value of a text.

    Raises:
        ValueError: It is no JSON.
    """
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return json.loads(text)
