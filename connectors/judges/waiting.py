"""Waiting for a child process to say something."""

import select


def speaks(pipe: int, seconds: float) -> bool:
    """Whether there is something to read within some seconds, if only that it has ended.

    By `poll`: `select` takes no number above 1,023, which a process with many files open has.

    Args:
        pipe: The number of the file.
        seconds: How long to wait.
    """
    waiting = select.poll()
    waiting.register(pipe, select.POLLIN)
    return bool(waiting.poll(max(0.0, seconds) * 1000))
