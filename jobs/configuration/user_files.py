"""Files that people write: what is told of one that cannot be read."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from discovery.errors import ConfigurationError


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
