"""sqlglot in a process of its own, with a time limit and a memory limit.

It is Python and looks ahead without a bound: `STRUCT(STRUCT(…`, not closed, takes it a second at 15
levels and nearly twice as long with each more (30.30, measured). A process can be killed.
"""

import logging
import os
import pickle
import struct
import subprocess
import sys
from contextlib import suppress
from typing import Any, BinaryIO, Final, Self

from connectors.judges.children import python
from connectors.judges.waiting import speaks
from discovery.lineage import outputs, respelling, scopes, translation
from discovery.lineage.meanings import native

log = logging.getLogger(__name__)

WITHIN: Final = 10.0  # seconds for a text
_STARTS_WITHIN: Final = 60.0  # seconds, on a busy machine
_MEMORY: Final = 1 << 30
_LEVELS: Final = 10_000
"""Calls within each other; of Python's 1,000, 50 functions around a column are too many."""
_SIZE: Final = struct.Struct(">Q")
_ASKED: Final = (scopes, outputs, respelling, translation, native)


class Bounded:
    """Asks functions that call sqlglot in a process; it starts with the first question."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._starts = True  # one start that fails is enough

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def is_running(self) -> bool:
        """Whether there is a process, and it has not ended."""
        return self._process is not None and self._process.poll() is None

    def close(self) -> None:
        """Stop the process."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
        self._process = None

    def ask(self, function: str, *arguments: object) -> Any:  # noqa: ANN401 - whatever it returns
        """What a function of `_ASKED` returns; None: not in its time or memory."""
        if not self.is_running:
            self.close()  # it may have ended while nobody asked it
        process = self._process or self._start()
        if process is None:
            return None
        try:
            assert process.stdin is not None  # noqa: S101 - a pipe
            question = pickle.dumps((function, arguments))
            process.stdin.write(_SIZE.pack(len(question)) + question)
            process.stdin.flush()
            return pickle.loads(self._receive(WITHIN))  # noqa: S301 - of our own process
        except (OSError, EOFError, TimeoutError):
            self.close()
            return None

    def _start(self) -> "subprocess.Popen[bytes] | None":
        if not self._starts:
            return None
        try:
            self._process = python(__name__)
            self._receive(_STARTS_WITHIN)
        except (OSError, EOFError, TimeoutError) as error:
            log.warning("sqlglot cannot be asked: its process did not start: %r", error)
            self.close()
            self._starts = False
        return self._process

    def _receive(self, seconds: float) -> bytes:
        """The next answer.

        Raises:
            EOFError: The process has ended.
            TimeoutError: It has said nothing for that long.
        """
        size: int = _SIZE.unpack(self._read(_SIZE.size, seconds))[0]
        return self._read(size, seconds)

    def _read(self, size: int, seconds: float) -> bytes:
        assert self._process is not None  # noqa: S101 - it has been started
        assert self._process.stdout is not None  # noqa: S101 - a pipe
        pipe, received = self._process.stdout.fileno(), bytearray()
        while len(received) < size:
            if not speaks(pipe, seconds):
                raise TimeoutError
            chunk = os.read(pipe, size - len(received))
            if not chunk:
                raise EOFError
            received += chunk
        return bytes(received)


def serve(questions: BinaryIO, answers: BinaryIO) -> None:
    """Answer until there are no more questions: a hello first, then one answer to each."""
    _say(answers, None)
    while head := questions.read(_SIZE.size):
        function, arguments = pickle.loads(questions.read(_SIZE.unpack(head)[0]))  # noqa: S301 - ours
        with suppress(MemoryError):
            room = next(module for module in _ASKED if hasattr(module, function))
            _say(answers, getattr(room, function)(*arguments))
            continue
        _say(answers, None)


def _say(answers: BinaryIO, answer: object) -> None:
    data = pickle.dumps(answer)
    answers.write(_SIZE.pack(len(data)) + data)
    answers.flush()


def _limit() -> None:
    """Bound the memory, where the system can."""
    with suppress(ImportError, ValueError, OSError):
        import resource  # noqa: PLC0415 - Windows has none

        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))


if __name__ == "__main__":
    _limit()
    sys.setrecursionlimit(_LEVELS)
    serve(sys.stdin.buffer, sys.stdout.buffer)
