"""Secrets: values that no output may show."""

import base64
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Final
from urllib.parse import quote, quote_plus, urlsplit

from discovery.errors import ConfigurationError
from discovery.secrets_in_texts import find, is_sensitive

_SHORTEST_PART: Final = 8  # of the path or the query of a URL
_SHORTEST: Final = 4  # a shorter secret would blank out half of any message


class Secret:
    """A value that came by reference. It shows as `***` everywhere but in `reveal`."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def reveal(self) -> str:
        """The value itself: for the client that needs it, never for an output."""
        return self._value

    def __repr__(self) -> str:
        return "***"

    __str__ = __repr__

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and other.reveal() == self._value

    def __hash__(self) -> int:
        return hash(self._value)


def revealed(properties: Mapping[str, str | Secret]) -> dict[str, str]:
    """Properties as a client wants them."""
    return {
        key: value.reveal() if isinstance(value, Secret) else value
        for key, value in properties.items()
    }


def insist_on_references(properties: Mapping[str, object]) -> None:
    """Refuse properties that hold a secret as it is: by their names, or in a URL.

    Raises:
        ConfigurationError: It names the first.
    """
    for _, why in literal_secrets(properties):
        raise why


def literal_secrets(
    properties: Mapping[str, object],
) -> Iterator[tuple[tuple[str, ...], ConfigurationError]]:
    """Where secrets stand in properties as they are, and what to write instead.

    Keys may be anything that YAML has: nothing has checked them yet.
    """
    for key, value in properties.items():
        if isinstance(value, Mapping):
            for place, why in literal_secrets(value):
                yield (key, *place), why
        elif isinstance(value, str) and is_sensitive(str(key)):
            hint = f"write {key}: ${{env:NAME}}"
            yield (key,), ConfigurationError(f"{key} stands in the configuration", hint=hint)
        elif isinstance(value, str) and any(find(value)):
            hint = f"take it out of {key}: it is an option of its own, ${{env:NAME}}"
            yield (key,), ConfigurationError(f"a secret stands in {key}", hint=hint)


def redacted(text: str, secrets: Iterable[Secret]) -> str:
    """The text with every secret in it replaced by `***`.

    A server may send a secret back as it stood in a URL, in JSON or in a header of Basic
    authentication: percent-encoded, escaped and Base64 forms are replaced, too.
    """
    for secret in secrets:
        if (pattern := _forms(secret.reveal())) is not None:
            text = pattern.sub("***", text)
    return text


@lru_cache(maxsize=65_536)  # more than an estate has: one that is pushed out is made for each line
def _forms(value: str) -> re.Pattern[str] | None:
    """What finds a value in its forms; None for one that is too short to be looked for."""
    if len(value) < _SHORTEST:
        return None
    patterns = [form for text in (value, *_parts_of_url(value)) for form in _forms_of(text)]
    return re.compile("|".join(sorted(patterns, key=len, reverse=True)))


def _forms_of(value: str) -> Iterator[str]:
    """Patterns of a text as it is, escaped, percent-encoded and in Base64."""
    plain = {value, json.dumps(value)[1:-1], json.dumps(value, ensure_ascii=False)[1:-1]}
    data = value.encode("utf-8", "surrogatepass")
    encoded = {quote(data), quote(data, safe=""), quote_plus(data)} - plain
    yield from (re.escape(form) for form in (*plain, *_base64_forms(data)))
    yield from (f"(?i:{re.escape(form)})" for form in encoded)  # %2f is %2F


def _parts_of_url(value: str) -> Iterator[str]:
    """What of a URL a client says apart from the rest: its password, or the token in its place.

    Of HTTP its path and query, too, which may have a key; those of few characters have none, and
    stand in many a message.
    """
    if "://" not in value:
        return
    try:
        url = urlsplit(value)
        login = url.password or url.username or ""
        is_http = url.scheme.lower() in {"http", "https"}
        parts = {url.path.rstrip("/"), url.query} if is_http else set()
    except ValueError:  # it is none
        return
    yield from (part for part in parts if len(part) >= _SHORTEST_PART)
    if len(login) >= _SHORTEST:
        yield login


def _base64_forms(data: bytes) -> Iterator[str]:
    """The digits that Base64 has for some bytes, wherever in a longer text they begin.

    Those at the two ends depend on the bytes beside them, too, and are left standing.
    """
    for before in range(3):
        digits = base64.b64encode(bytes(before) + data).decode().rstrip("=")
        first = -(-before * 8 // 6)
        inner = digits[first : (before + len(data)) * 8 // 6]
        if len(inner) >= _SHORTEST:
            yield inner
            yield inner.translate(_URL_SAFE)


_URL_SAFE: Final = str.maketrans("+/", "-_")
