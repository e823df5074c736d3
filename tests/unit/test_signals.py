"""Signals that ask a command to end."""

import logging
import signal
from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from jobs.console import session
from jobs.console.signals import AskedToEnd, end_in_order, hold_back_signals


@pytest.fixture(autouse=True)
def _log_again() -> Iterator[None]:
    """What is interrupted logs nothing any more: the tests behind it do."""
    yield
    logging.disable(logging.NOTSET)


@pytest.fixture(autouse=True)
def as_in_a_terminal() -> Iterator[None]:
    """Signals as a terminal has them: who runs the tests may ignore some, as `nohup` does."""
    before = {
        signal.SIGINT: signal.signal(signal.SIGINT, signal.default_int_handler),
        signal.SIGTERM: signal.signal(signal.SIGTERM, signal.SIG_DFL),
        signal.SIGHUP: signal.signal(signal.SIGHUP, signal.SIG_DFL),
    }
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


def asked(*sent: signal.Signals, fails: bool = False) -> list[str]:
    """What is reached of a block that starts something while it is asked to end."""
    reached = []
    try:
        with end_in_order(), hold_back_signals():
            for one in sent:
                signal.raise_signal(one)
                reached.append(one.name)
            if fails:
                raise RuntimeError("Java gateway process exited")
    except KeyboardInterrupt as error:
        reached.append(type(error).__name__)
    return reached


@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
@pytest.mark.parametrize("fails", [False, True], ids=["it starts", "the signal has ended it, too"])
def test_a_signal_waits_for_what_is_being_started(sent: signal.Signals, fails: bool) -> None:
    raised = KeyboardInterrupt if sent is signal.SIGINT else AskedToEnd
    assert asked(sent, fails=fails) == [sent.name, raised.__name__]


def test_java_is_started_before_a_command_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    started = []

    class Builder:
        def appName(self, _: str) -> "Builder":  # noqa: N802 - PySpark's
            return self

        def config(self, *_: str) -> "Builder":
            return self

        def getOrCreate(self) -> None:  # noqa: N802 - PySpark's
            signal.raise_signal(signal.SIGTERM)
            started.append("Java")

    monkeypatch.setattr(session, "java_in_use", lambda: None)
    monkeypatch.setattr(session, "SparkSession", SimpleNamespace(builder=Builder()))
    with pytest.raises(AskedToEnd), end_in_order():
        session.spark_session("test")
    assert started == ["Java"]


def test_a_second_signal_does_not_wait() -> None:
    assert asked(signal.SIGTERM, signal.SIGTERM) == ["SIGTERM", "AskedToEnd"]


def test_a_signal_that_is_ignored_stays_ignored() -> None:
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    with end_in_order(), hold_back_signals():
        signal.raise_signal(signal.SIGHUP)
    assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
