"""The gate through which all output of a command goes: no secret passes, and no control character.

Names and messages are a stranger's; a terminal obeys what is in them. What the command itself
styles (see `jobs/console/terminal.py`) passes on a terminal only.
"""

import json
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final, TextIO

from connectors.clients.credentials import Secret, redacted
from discovery.display import visible

_STYLES: Final = re.compile("(\x1b\\[(?:0|1|2|31|32|33)m)")


class ReaderGoneError(BrokenPipeError):
    """Whoever read the output has seen enough; no other pipe than that of the output is meant."""


class Gate:
    """A text stream that shows what is written to it, and does not obey it.

    What its encoding has not is shown as an escape, too.

    Args:
        stream: Where the text goes.
        is_needed: Whether it is an error that it does not go there; else nobody is told, and what
            comes after goes nowhere: a command does not end in the midst of its work because
            nobody hears how far it is.

    Attributes:
        secrets: Values that no output may show; known from the configuration on.
    """

    def __init__(self, stream: TextIO, *, is_needed: bool = True) -> None:
        self._stream = stream
        self._is_needed = is_needed
        self.secrets: tuple[Secret, ...] = ()

    def write(self, text: str) -> int:
        """Write, with `***` for secrets and escapes for what is not seen."""
        plain = redacted(text, self.secrets)
        if self._stream.isatty():
            parts = _STYLES.split(plain)
            shown = "".join(part if n % 2 else visible(part) for n, part in enumerate(parts))
        else:
            shown = visible(plain)
        self._write_out(encodable(shown, self._stream.encoding))
        return len(text)

    def raw(self, text: str) -> None:
        """Write what steers a terminal: the command's own text only."""
        self._write_out(text)
        self.flush()

    def flush(self) -> None:
        """Write what waits to be written.

        Raises:
            ReaderGoneError: It is needed, and nobody reads it any more.
            OSError: It is needed, and could not be.
        """
        if self._stream.closed:  # by a library that took it over
            return
        try:
            self._stream.flush()
        except OSError as error:
            self._give_up(error)

    def _write_out(self, text: str) -> None:
        try:
            self._stream.write(text)
        except OSError as error:
            self._give_up(error)

    def _give_up(self, error: OSError) -> None:
        """Have what waits, and what comes, go nowhere: Python would try again at its end."""
        with suppress(OSError, ValueError):
            nobody = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nobody, self._stream.fileno())
            os.close(nobody)
        if self._is_needed and isinstance(error, BrokenPipeError):
            raise ReaderGoneError from error
        if self._is_needed:
            error.filename = self._stream.name
            raise error

    def __getattr__(self, name: str) -> object:
        return getattr(self._stream, name)


class Gates:
    """The gates of the two streams of a process."""

    def __init__(self, *gates: Gate) -> None:
        self._gates = gates

    def keep(self, secrets: tuple[Secret, ...]) -> None:
        """Let these values pass no more."""
        for gate in self._gates:
            gate.secrets = secrets


def encodable(text: str, encoding: str | None) -> str:
    r"""The text with what an encoding does not have as JSON's escapes, `\\uXXXX`."""
    if encoding is None or text.isascii():
        return text
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return "".join(
            letter if _can_encode(encoding, letter) else json.dumps(letter)[1:-1] for letter in text
        )
    return text


def _can_encode(encoding: str, character: str) -> bool:
    try:
        character.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


def stand_in() -> None:
    """Open nobody's device in place of each standard stream that the process was not given.

    Else the next file that is opened gets its number, and what Java says is written into that.
    """
    for number, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        if getattr(sys, name) is None:
            stream = open(os.devnull, mode, encoding="utf-8")  # noqa: SIM115, PTH123 - it stays
            os.set_inheritable(stream.fileno(), stream.fileno() == number)
            setattr(sys, name, stream)


@contextmanager
def gate_output() -> Iterator[Gates]:
    """Put gates before stdout and stderr; one that is there already stays and is used."""
    stand_in()
    before = sys.stdout, sys.stderr
    out, err = before
    gates = [
        out if isinstance(out, Gate) else Gate(out),
        err if isinstance(err, Gate) else Gate(err, is_needed=False),
    ]
    sys.stdout, sys.stderr = gates
    try:
        yield Gates(*gates)
    finally:
        for gate in gates:
            with suppress(OSError):  # a command that it matters to has looked before
                gate.flush()
        sys.stdout, sys.stderr = before
