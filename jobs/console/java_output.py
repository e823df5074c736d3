"""What Java says on stderr, without what it says at each start."""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Thread
from typing import Final

_STDERR: Final = 2
_ALWAYS: Final = b"WARNING: Using incubator modules:"
"""Spark asks for the module of vectors; Java says so, and no option keeps it from that."""
_FRAME: Final = re.compile(rb"\s+(?:at [\w.$/<>]+\(|\.\.\. \d+ more)")
"""A line of a trace of Java's, behind the lines that say what happened."""


@contextmanager
def filter_stderr(shows_traces: bool = False) -> Iterator[Thread]:
    """What is started within writes to our stderr through a filter, as long as it lives.

    Within, our own lines take the same way. Yields what passes lines on: it ends with the last
    process that was started within.

    Args:
        shows_traces: Whether the traces of Java are passed on, too.
    """
    kept = os.dup(_STDERR)
    source, into = os.pipe()
    os.dup2(into, _STDERR)
    os.close(into)
    passing = Thread(target=_pass_on, args=(source, kept, shows_traces), daemon=True)
    passing.start()
    try:
        yield passing
    finally:
        os.dup2(kept, _STDERR)


def _pass_on(source: int, kept: int, shows_traces: bool) -> None:
    """Copy all lines but those, until nobody writes any more."""
    with os.fdopen(source, "rb") as lines, os.fdopen(kept, "wb", buffering=0) as out:
        for line in lines:
            if not (line.startswith(_ALWAYS) or (_FRAME.match(line) and not shows_traces)):
                with suppress(OSError):  # nobody reads it any more
                    out.write(line)
