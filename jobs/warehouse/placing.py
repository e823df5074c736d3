"""Where a file was written that a disk did not take; imports nothing, as every command needs it."""

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
