"""What Java says on stderr, without what it says at each start."""

import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from threading import Thread
from typing import Final

_STDERR: Final = 2
_ALWAYS: Final = b"WARNING: Using incubator modules:"
"""Spark asks for the module of vectors; Java says so, and no option keeps it from that."""
_FRAME: Final = re.compile(rb"\s+(?:at [\w.$/<>]+\(|\.\.\. \d+ more)")
"""A line of a trace of Java's, behind the lines that say what happened."""

_TRACE: Final = b"Traceback (most recent call last):"
_CHAINED: Final = (
    b"During handling of the above exception, another exception occurred:",
    b"The above exception was the direct cause of the following exception:",
)
"""What Python says between the traces of an error and of what came of it."""


@contextmanager
def filter_stderr(shows_traces: bool = False) -> Iterator[Thread]:
    """What is started within writes to our stderr through a filter, as long as it lives.

    Within, our own lines take the same way. Yields what passes lines on: it ends with the last
    process that was started within.

    Args:
        shows_traces: Whether traces are passed on, too: Java's, and those of Spark's Pythons, which
            write where Java does.
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
        for line in lines if shows_traces else _without_traces(lines):
            if not line.startswith(_ALWAYS):
                with suppress(OSError):  # nobody reads it any more
                    out.write(line)


def _without_traces(lines: Iterable[bytes]) -> Iterator[bytes]:
    """The lines without those of traces; what is the matter stands before or behind them."""
    in_python = False
    for line in lines:
        text, is_indented = line.rstrip(), line.startswith(b" ")
        in_python = text.endswith(_TRACE) or (in_python and is_indented)
        is_of_trace = text in {_TRACE, *_CHAINED} or (in_python and is_indented)
        if not is_of_trace and not _FRAME.match(line):
            yield line
