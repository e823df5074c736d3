"""What Java says on stderr, without what it says at each start."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Thread
from typing import Final

_STDERR: Final = 2
_ALWAYS: Final = b"WARNING: Using incubator modules:"
"""Spark asks for the module of vectors; Java says so, and no option keeps it from that."""


@contextmanager
def filter_stderr() -> Iterator[Thread]:
    """What is started within writes to our stderr through a filter, as long as it lives.

    Within, our own lines take the same way. Yields what passes lines on: it ends with the last
    process that was started within.
    """
    kept = os.dup(_STDERR)
    source, into = os.pipe()
    os.dup2(into, _STDERR)
    os.close(into)
    passing = Thread(target=_pass_on, args=(source, kept), daemon=True)
    passing.start()
    try:
        yield passing
    finally:
        os.dup2(kept, _STDERR)


def _pass_on(source: int, kept: int) -> None:
    """Copy all lines but the one, until nobody writes any more."""
    with os.fdopen(source, "rb") as lines, os.fdopen(kept, "wb", buffering=0) as out:
        for line in lines:
            if not line.startswith(_ALWAYS):
                with suppress(OSError):  # nobody reads it any more
                    out.write(line)
