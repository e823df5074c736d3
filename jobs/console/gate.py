"""The gate through which all output of a command goes: no secret passes, and no control character.

Names and messages are a stranger's; a terminal obeys what is in them. What the command itself
styles (see `jobs/console/terminal.py`) passes on a terminal only.
"""

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, TextIO

from connectors.clients.credentials import Secret, redacted
from discovery.display import visible

_STYLES: Final = re.compile("(\x1b\\[(?:0|1|2|31|32|33)m)")


class Gate:
    """A text stream that shows what is written to it, and does not obey it.

    Args:
        stream: Where the text goes.

    Attributes:
        secrets: Values that no output may show; known from the configuration on.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self.secrets: tuple[Secret, ...] = ()

    def write(self, text: str) -> int:
        """Write, with `***` for secrets and escapes for what is not seen."""
        plain = redacted(text, self.secrets)
        if self._stream.isatty():
            parts = _STYLES.split(plain)
            shown = "".join(one if n % 2 else visible(one) for n, one in enumerate(parts))
        else:
            shown = visible(plain)
        self._stream.write(shown)
        return len(text)

    def raw(self, text: str) -> None:
        """Write what steers a terminal: the command's own text only."""
        self._stream.write(text)
        self._stream.flush()

    def __getattr__(self, name: str) -> object:
        return getattr(self._stream, name)


class Gates:
    """The gates of the two streams of a process."""

    def __init__(self, *gates: Gate) -> None:
        self._gates = gates

    def keep(self, secrets: tuple[Secret, ...]) -> None:
        """Let these values pass no more."""
        for one in self._gates:
            one.secrets = secrets


@contextmanager
def gated() -> Iterator[Gates]:
    """Put gates before stdout and stderr; one that is there already stays and is used."""
    before = sys.stdout, sys.stderr
    made = [one if isinstance(one, Gate) else Gate(one) for one in before]
    sys.stdout, sys.stderr = made
    try:
        yield Gates(*made)
    finally:
        sys.stdout, sys.stderr = before
