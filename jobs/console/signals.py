"""Signals that ask a command to end: it ends as with Ctrl-C, and lets go of what it holds."""

import logging
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Final, NoReturn

_ASKED: Final = (signal.SIGTERM, signal.SIGHUP)
_HELD: Final = (*_ASKED, signal.SIGINT)
_SOON: Final = 0.05  # seconds
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
def end_in_order() -> Iterator[None]:
    """Raise `AskedToEnd` where the block is asked to end.

    Else its locks stay, and one that was taken on another machine, as in a container, is never
    taken for a dead one's.
    """
    before = {}
    for signals in _ASKED:
        with suppress(ValueError):  # only the main thread has signals
            if signal.getsignal(signals) is signal.SIG_DFL:  # under nohup it is ignored
                before[signals] = signal.signal(signals, _ask_once)
    try:
        with _raise_swallowed_again():
            yield
    finally:
        for signals, handler in before.items():
            signal.signal(signals, handler)


@contextmanager
def _raise_swallowed_again() -> Iterator[None]:
    """Ask again where what a signal raised led nowhere.

    Its handler may run in the midst of a finalizer, as Py4J and imports have many, and Python only
    prints what is raised in one (`sys.unraisablehook`): the command would go on to its end.
    """
    tell, asking = sys.unraisablehook, list[threading.Timer]()

    def ask_again(swallowed: "sys.UnraisableHookArgs") -> None:
        why = swallowed.exc_value
        if not isinstance(why, KeyboardInterrupt):
            tell(swallowed)
            return
        number = signal.SIGINT
        if isinstance(why, AskedToEnd):
            number = why.signal
            signal.signal(number, _ask_once)
        # from a thread, and later: here it would be swallowed, too
        asking.append(threading.Timer(_SOON, os.kill, (os.getpid(), number)))
        asking[-1].daemon = True
        asking[-1].start()

    sys.unraisablehook = ask_again
    try:
        yield
    finally:
        sys.unraisablehook = tell
        for timer in asking:
            timer.cancel()


def _ask_once(number: int, _: object) -> NoReturn:
    """Ask once: whoever asks again would end what lets go of things."""
    signal.signal(number, signal.SIG_IGN)
    logging.disable()  # what talks to Java would tell that it is gone
    raise AskedToEnd(number)


@contextmanager
def hold_back_signals() -> Iterator[Callable[[], None]]:
    """Let the first signal that asks for the end act once the block has ended; a second acts.

    Around what starts a process, and knows only then how to end it. Yields what holds them back
    again after a library has put a handler of its own into that place.
    """
    before, held = _handlers(), list[int]()

    def hold(number: int, frame: FrameType | None) -> None:
        if held:
            logging.disable()  # what talks to Java would tell that it was interrupted
            before[signal.Signals(number)](number, frame)
        held.append(number)

    def hold_again() -> None:
        for caught in before:
            signal.signal(caught, hold)

    hold_again()
    try:
        yield hold_again
    finally:
        for caught, handler in before.items():
            signal.signal(caught, handler)
        if held:
            signal.raise_signal(held[0])


def _handlers() -> dict[signal.Signals, _Handler]:
    """What is called for signals that can be held back: by the system's own one ends at once."""
    if threading.current_thread() is not threading.main_thread():  # no other one has signals
        return {}
    return {caught: handler for caught in _HELD if callable(handler := signal.getsignal(caught))}
