"""Files that people write: how they are read, and what is told of one that cannot be."""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from connectors.clients.bounded_files import read_bounded
from discovery.errors import ConfigurationError


def read_user_text(path: Path, most: int) -> str:
    """The text of a file, with the line ends that Python knows, without the mark of an editor.

    Args:
        path: Of the file.
        most: How many bytes it may have.

    Raises:
        OSError: The system gives none of it, or it is longer.
        UnicodeDecodeError: It is no text in UTF-8.
    """
    text = read_bounded(path, most).decode("utf-8-sig")
    return io.StringIO(text, newline=None).read()


@contextmanager
def readable(path: Path, hint: str = "") -> Iterator[None]:
    """Tell of a file that is read as a whole in the block, and cannot be.

    Args:
        path: Of the file.
        hint: What to do.

    Raises:
        ConfigurationError: The system gives none of it, or a line of it is no text.
    """
    try:
        yield
    except OSError as error:
        raise ConfigurationError(f"{path}: {error.strerror}", hint=hint) from error
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise ConfigurationError(f"{path}:{line}: is no text in UTF-8", hint=hint) from error
