"""A server that has been there and does not answer: it may be started again."""

import time
from collections.abc import Callable
from typing import TypeVar

from connectors.clients.bounds import RESTART
from discovery.errors import BelvedereError

_Answered = TypeVar("_Answered")


class RestartPatience:
    """Asks again what has been there, for about the time of a restart.

    One that stays away longer is asked once each time, until it answers.

    Args:
        times: How often it waits in vain, at most: what fails like a restart may be the object that
            is asked for.
    """

    def __init__(self, times: int = 3) -> None:
        self._left = times
        self._has_been_there = self._is_away = False

    def expect(self) -> None:
        """Wait from the first question on: what the server holds was listed."""
        self._has_been_there = True

    def ask(self, question: Callable[[], _Answered]) -> _Answered:
        """The answer to a question that may be asked twice.

        Raises:
            BelvedereError: The server refuses, or stays away.
        """
        is_waited_for = self._has_been_there and not self._is_away and self._left > 0
        pauses = iter(RESTART if is_waited_for else ())
        end = time.monotonic() + sum(RESTART)  # one that hangs has had its time behind one answer
        while True:
            try:
                answer = question()
            except BelvedereError as why:
                if not why.transient:
                    raise
                pause = next(pauses, None)
                if pause is None or time.monotonic() > end:
                    self._is_away = True
                    self._left -= is_waited_for
                    raise
                time.sleep(pause)
            else:
                self._has_been_there, self._is_away = True, False
                return answer
