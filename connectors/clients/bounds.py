"""Where an answer ends: by a deadline that only bytes in quantity move, and by a size."""

import time
from collections.abc import Iterator
from typing import Any, Final

import requests

from discovery.errors import ReadError, UnreachableError

MAX_ANSWER: Final = 256 * 1024 * 1024
_SLOWEST: Final = 128 * 1024  # bytes a second: an answer that is slower than this is a drip
_PATIENCE: Final = 60.0  # seconds, for a request that says nothing of them


class TooLargeError(ReadError):
    """An answer is larger than is held."""


class Deadline:
    """The end of some waiting.

    Args:
        seconds: From now.
    """

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    def left(self, received: int = 0) -> float:
        """Seconds that are left.

        Args:
            received: Bytes that came since: they earn time, a second for 128 KiB.

        Raises:
            TimeoutError: None.
        """
        seconds = self._end + received / _SLOWEST - time.monotonic()
        if seconds <= 0:
            raise TimeoutError("timed out")
        return seconds


def bound_answers(session: requests.Session, limit: int = MAX_ANSWER) -> None:
    """Let every body that a session reads end.

    Args:
        session: Of any server.
        limit: Bytes of a body, unpacked.
    """

    def bounded(response: requests.Response, **stated: Any) -> None:  # noqa: ANN401 - requests
        seconds = stated.get("timeout")
        deadline = Deadline(seconds if isinstance(seconds, int | float) else _PATIENCE)
        response.raw = _Body(response.raw, deadline, limit)

    session.hooks["response"].append(bounded)


class _Body:
    """A body of urllib3's, read as it comes in.

    Args:
        raw: The body.
        deadline: Of the whole.
        limit: Bytes, unpacked.
    """

    def __init__(self, raw: Any, deadline: Deadline, limit: int) -> None:  # noqa: ANN401 - urllib3
        self._raw, self._deadline, self._limit = raw, deadline, limit

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - all else is urllib3's
        return getattr(self._raw, name)

    def stream(self, amt: int, *, decode_content: bool) -> Iterator[bytes]:
        """The parts of the body: what is there, not what would fill a part.

        Raises:
            BelvedereError: It is too large, or does not end in time.
        """
        received = 0
        while part := self._raw.read1(amt, decode_content=decode_content):
            received += len(part)
            if received > self._limit:
                self._raw.close()
                raise TooLargeError(f"the answer is larger than {self._limit >> 20} MiB")
            try:
                self._deadline.left(received)
            except TimeoutError as error:
                self._raw.close()
                raise UnreachableError("the answer did not end in time") from error
            yield part
