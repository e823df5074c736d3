"""Signals that ask a command to end: it ends as with Ctrl-C, and lets go of what it holds."""

import logging
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Final, NoReturn

_ASKED: Final = (signal.SIGTERM, signal.SIGHUP)
_HELD: Final = (*_ASKED, signal.SIGINT)


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
        yield
    finally:
        for signals, handler in before.items():
            signal.signal(signals, handler)


def _ask_once(number: int, _: object) -> NoReturn:
    """Ask once: whoever asks again would end what lets go of things."""
    signal.signal(number, signal.SIG_IGN)
    logging.disable()  # what talks to Java would tell that it is gone
    raise AskedToEnd(number)


@contextmanager
def hold_back_signals() -> Iterator[None]:
    """Let the first signal that asks for the end act once the block has ended; a second acts.

    Around what starts a process, and knows only then how to end it.
    """
    before = dict[signal.Signals, Callable[[int, FrameType | None], object]]()
    held = list[int]()

    def hold(number: int, frame: FrameType | None) -> None:
        if held:
            before[signal.Signals(number)](number, frame)
        held.append(number)

    with suppress(ValueError):  # only the main thread has signals
        for caught in _HELD:
            if callable(handler := signal.getsignal(caught)):  # by the system's own it ends at once
                before[caught] = handler
                signal.signal(caught, hold)
    try:
        yield
    finally:
        for caught, handler in before.items():
            signal.signal(caught, handler)
        if held:
            signal.raise_signal(held[0])
