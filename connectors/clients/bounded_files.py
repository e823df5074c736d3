"""Files that people name, read whole: never without an end, and never for ever."""

import errno
import os
import select
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Final

PATIENCE: Final = 10.0  # seconds of silence of a pipe: what decrypts a file into one takes two
_PIECE: Final = 1 << 20


def read_bounded(path: str | Path, most: int, patience: float = PATIENCE) -> bytes:
    """The bytes of a file, a device or a pipe, as `--config <(sops -d estate.yaml)` makes one.

    Args:
        path: Of the file.
        most: How many bytes it may have.
        patience: Seconds for which a pipe may say nothing.

    Raises:
        OSError: It is missing, refused or a folder; it is longer; or nobody writes into the pipe.
    """
    number = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        content = bytearray()
        for piece in _pieces(number, most, patience):
            content += piece
            if len(content) > most:
                raise OSError(errno.EFBIG, f"is longer than {most:,} bytes")
        return bytes(content)
    finally:
        os.close(number)


def _pieces(number: int, most: int, patience: float) -> Iterator[bytes]:
    """What a file has, until it ends."""
    waits = not stat.S_ISREG(os.fstat(number).st_mode)
    poll = select.poll()  # `select` itself knows no number from 1,024 on
    poll.register(number, select.POLLIN)
    while True:
        if waits and not poll.poll(patience * 1000):
            raise TimeoutError(errno.ETIMEDOUT, f"nobody has written into it for {patience:g} s")
        piece = os.read(number, min(_PIECE, most + 1))
        if not piece:
            return
        yield piece
