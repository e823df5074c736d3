"""Secrets: values that no output may show."""

import re
from collections.abc import Iterable, Mapping
from typing import Final

from discovery.errors import ConfigurationError

_SENSITIVE: Final = re.compile(r"(?i)(token|credential|secret|password|access-key|authorization)$")
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


def insist_on_references(properties: Mapping[str, str | Secret]) -> None:
    """Refuse properties that hold a secret as it is.

    Raises:
        ConfigurationError: It names the first.
    """
    for key, value in properties.items():
        if isinstance(value, str) and _SENSITIVE.search(key):
            hint = f"write {key}: ${{env:NAME}}"
            raise ConfigurationError(f"{key} stands in the configuration", hint=hint)


def redacted(text: str, secrets: Iterable[Secret]) -> str:
    """The text with every secret in it replaced by `***`."""
    for secret in secrets:
        if len(value := secret.reveal()) >= _SHORTEST:
            text = text.replace(value, "***")
    return text
