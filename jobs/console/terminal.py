"""Colours: only on a terminal, and never where NO_COLOR is set (https://no-color.org)."""

import os
import sys
from typing import TextIO

from discovery.display import visible


def bold(text: str, stream: TextIO | None = None) -> str:
    """Bold."""
    return _styled("1", text, stream)


def dim(text: str, stream: TextIO | None = None) -> str:
    """Less prominent."""
    return _styled("2", text, stream)


def green(text: str, stream: TextIO | None = None) -> str:
    """Good."""
    return _styled("32", text, stream)


def yellow(text: str, stream: TextIO | None = None) -> str:
    """To be looked at."""
    return _styled("33", text, stream)


def red(text: str, stream: TextIO | None = None) -> str:
    """Bad."""
    return _styled("31", text, stream)


def _styled(code: str, text: str, stream: TextIO | None) -> str:
    """The text, styled if the stream (stdout if none is given) is a terminal that wants it."""
    to = sys.stdout if stream is None else stream
    wanted = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return f"\x1b[{code}m{visible(text)}\x1b[0m" if wanted and to.isatty() else text
