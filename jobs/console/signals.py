"""Signals that ask a command to end: it ends as with Ctrl-C, and lets go of what it holds."""

import logging
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Final

_HELD: Final = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)
_SOON: Final = 0.1  # seconds
_Handler = Callable[[int, FrameType | None], object]


class AskedToEnd(KeyboardInterrupt):
    """A scheduler, a shutdown or a terminal that is closed has asked the command to end.

    Args:
        number: Of the signal.
    """

    def __init__(self, number: int) -> None:
        super().__init__()
        self.signal = signal.Signals(number)


@contextmanager
def end_in_order() -> Iterator["SignalHandler"]:
    """Raise `AskedToEnd` where the block is asked to end, `KeyboardInterrupt` at Ctrl-C.

    Else its locks stay, and one that was taken on another machine, as in a container, is never
    taken for a dead one's. Yields what is told where that is heard.
    """
    before, handler = {}, SignalHandler()
    for caught in _HELD:
        with suppress(ValueError):  # only the main thread has signals
            # under nohup one is ignored, and stays so
            if signal.getsignal(caught) in {signal.SIG_DFL, signal.default_int_handler}:
                before[caught] = signal.signal(caught, handler)
    tell, sys.unraisablehook = sys.unraisablehook, handler.hear_unraisable
    try:
        yield handler
    finally:
        sys.unraisablehook = tell
        handler.stop()
        for caught, default in before.items():
            signal.signal(caught, default)


class SignalHandler:
    """Raises what a signal asks for, again and again until somebody hears it.

    What is raised in the midst of a finalizer, as Py4J and imports have many, Python only prints
    (`sys.unraisablehook`), and some libraries swallow all: PySpark's `ml` (4.3), which Great
    Expectations imports, has `except BaseException` around the import of SciPy. The command would
    go on to its end, deaf to a second SIGTERM.
    """

    def __init__(self) -> None:
        self._tell = sys.unraisablehook
        self._timer: threading.Timer | None = None  # the last one
        self._reminding = threading.Lock()
        self._has_asked = self._is_reminder = self._is_heard = False

    def __call__(self, number: int, _: FrameType | None) -> None:
        """Raise; not a second time what is on its way up, nor another SIGTERM or SIGHUP."""
        is_reminder, self._is_reminder = self._is_reminder, False
        if is_reminder:
            if self._is_heard:
                return
            if _is_on_its_way():
                self._remind(number)
                return
        elif self._has_asked and number != signal.SIGINT:
            return  # whoever asks again would end what lets go of things
        logging.disable()  # what talks to Java would tell that it is gone
        self._has_asked = True
        self._remind(number)
        raise KeyboardInterrupt if number == signal.SIGINT else AskedToEnd(number)

    def hear_unraisable(self, swallowed: "sys.UnraisableHookArgs") -> None:
        """Do not print what is asked again."""
        if not isinstance(swallowed.exc_value, KeyboardInterrupt):
            self._tell(swallowed)

    def stop(self) -> None:
        """Ask no more: it is heard."""
        with self._reminding:  # else a signal could come when others handle it
            self._is_heard = True

    def _remind(self, number: int) -> None:
        """Ask again, soon and from a thread: here it would lead nowhere, too."""

        def ask() -> None:
            with self._reminding:
                if self._timer is timer and not self._is_heard:
                    self._is_reminder = True
                    os.kill(os.getpid(), number)

        timer = self._timer = threading.Timer(_SOON, ask)
        timer.daemon = True
        timer.start()


def _is_on_its_way() -> bool:
    """Whether an interruption is being handled, or something that was raised meanwhile."""
    error, seen = sys.exception(), set[int]()
    while error is not None and id(error) not in seen:
        if isinstance(error, KeyboardInterrupt):
            return True
        seen.add(id(error))
        error = error.__context__
    return False


@contextmanager
def hold_back_signals() -> Iterator[Callable[[], None]]:
    """Let the first signal that asks for the end act once the block has ended; a second acts.

    Around what starts a process, and knows only then how to end it. Yields what holds them back
    again after a library has put a handler of its own into that place.
    """
    before, held = _handlers(), list[int]()
    acting = {caught: handler for caught, handler in before.items() if callable(handler)}

    def hold(number: int, frame: FrameType | None) -> None:
        if held:
            logging.disable()  # what talks to Java would tell that it was interrupted
            acting[signal.Signals(number)](number, frame)
        held.append(number)

    def hold_again() -> None:
        for caught in acting:
            signal.signal(caught, hold)

    hold_again()
    try:
        yield hold_again
    finally:
        for caught, handler in before.items():
            signal.signal(caught, handler)  # in the place of a library's, too
        if held:
            signal.raise_signal(held[0])


def _handlers() -> dict[signal.Signals, _Handler | signal.Handlers]:
    """What signals do, but those that the system's own handler ends at once: they are not held."""
    if threading.current_thread() is not threading.main_thread():  # no other one has signals
        return {}
    return {
        caught: handler
        for caught in _HELD
        if callable(handler := signal.getsignal(caught)) or handler is signal.SIG_IGN
    }
