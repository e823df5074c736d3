"""Writing into folders of this machine: where a disk was full, and one at a time.

Imports nothing, as every command needs it.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def placed(path: str | Path) -> Iterator[None]:
    """Have an error that came while bytes were written say where, as one of opening does."""
    try:
        yield
    except OSError as error:
        if error.errno is not None and error.filename is None:
            error.filename = str(path)
        raise


@contextmanager
def guarded(folder: str | Path) -> Iterator[None]:
    """One process of this machine at a time: its kernel lets go of a folder, come what may."""
    guard = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(guard, fcntl.LOCK_EX)
        yield
    finally:
        os.close(guard)
