"""A server that was listed and does not answer: it may be started again."""

import time
from collections.abc import Callable
from typing import TypeVar

from connectors.clients.bounds import RESTART
from discovery.errors import UnreachableError

_Answered = TypeVar("_Answered")


class RestartPatience:
    """Asks again what has been there, for about the time of a restart.

    One that stays away longer is asked once each time, until it answers.
    """

    def __init__(self) -> None:
        self._is_over = False

    def ask(self, question: Callable[[], _Answered]) -> _Answered:
        """The answer to a question that may be asked twice.

        Raises:
            BelvedereError: The server refuses, or stays away.
        """
        pauses = iter(() if self._is_over else RESTART)
        end = time.monotonic() + sum(RESTART)  # one that hangs has had its time behind one answer
        while True:
            try:
                answer = question()
            except UnreachableError:
                pause = next(pauses, None)
                if pause is None or time.monotonic() > end:
                    self._is_over = True
                    raise
                time.sleep(pause)
            else:
                self._is_over = False
                return answer
