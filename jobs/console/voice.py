"""What a command says to people on stderr, and how loudly: as text, or as JSON lines."""

import json
import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from typing import Final

from discovery.display import unbroken


class LogFormat(StrEnum):
    """As what it is said."""

    TEXT = "text"
    JSON = "json"


@dataclass(frozen=True, slots=True)
class Voice:
    """How a command speaks.

    Attributes:
        program: Who speaks.
        quiet: No milestones.
        verbose: The time of each line, what libraries log, and traces.
        form: As text, or as JSON lines: `time`, `level`, `command`, `message` and more.
    """

    program: str = "belvedere"
    quiet: bool = False
    verbose: bool = False
    form: LogFormat = LogFormat.TEXT

    def say(self, *lines: str) -> None:
        """A milestone: one line, or several. A name in a line begins no other one."""
        message = "\n".join(lines if self.form is LogFormat.JSON else map(unbroken, lines))
        if not self.quiet:
            self._print_line("info", message)

    def tell(self, message: str, hint: str = "") -> None:
        """Why the command ends; this is said however quiet it is."""
        if self.form is LogFormat.JSON:
            self._print_line("error", message, **({"hint": hint} if hint else {}))
        else:
            suffix = f"\nhint: {hint}" if hint else ""
            print(f"{self.program}: {message}{suffix}", file=sys.stderr, flush=True)

    def _print_line(self, level: str, message: str, **members: str) -> None:
        now = datetime.now(UTC)
        line = message
        if self.form is LogFormat.JSON:
            head = {"time": now.isoformat(timespec="milliseconds"), "level": level}
            line = json.dumps({**head, "command": self.program, "message": message, **members})
        elif self.verbose:
            line = f"{now:%H:%M:%S} {message}"
        print(line, file=sys.stderr, flush=True)


_OF_ITSELF: Final = (
    "py4j",  # every call
    "great_expectations._docs_decorators",  # two hundred lines of its documentation, when imported
)
"""Loggers from which nobody learns anything of a run: warnings only."""
_VOICE: Final = ContextVar("voice", default=Voice())  # noqa: B039 - it is frozen


def voice() -> Voice:
    """The voice of the command that runs."""
    return _VOICE.get()


@contextmanager
def speaking(chosen: Voice) -> Iterator[Voice]:
    """Speak so while the block runs; what libraries log is told by a verbose voice."""
    before, root, handler = _VOICE.set(chosen), logging.getLogger(), _LogTeller()
    level = root.level
    if chosen.verbose:
        root.addHandler(handler)
        root.setLevel(logging.INFO)
        for name in _OF_ITSELF:
            logging.getLogger(name).setLevel(logging.WARNING)
    try:
        yield chosen
    finally:
        _VOICE.reset(before)
        root.removeHandler(handler)
        root.setLevel(level)


@contextmanager
def quietly() -> Iterator[None]:
    """No milestones while the block runs."""
    with speaking(replace(voice(), quiet=True)):
        yield


class _LogTeller(logging.Handler):
    """What libraries log, as milestones."""

    def emit(self, record: logging.LogRecord) -> None:
        """Say it."""
        voice().say(f"{record.name}: {record.getMessage()}")
