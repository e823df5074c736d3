"""Signals that ask a command to end."""

import importlib
import logging
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
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

    def start_context(_: object) -> None:
        signal.raise_signal(signal.SIGTERM)
        started.append("Java")

    starting_as(monkeypatch, start_context, lambda: started.append("session"))
    with pytest.raises(AskedToEnd), end_in_order():
        session.spark_session("test")
    assert started == ["Java", "session"]


def test_the_handler_that_pyspark_brings_does_not_meet_a_signal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    started = []

    def start_session() -> None:
        signal.raise_signal(signal.SIGINT)
        started.append("session")

    bring = partial(signal.signal, signal.SIGINT, lambda *_: started.append("PySpark's"))
    starting_as(monkeypatch, lambda _: bring(), start_session)
    with pytest.raises(KeyboardInterrupt), end_in_order():
        session.spark_session("test")
    assert started == ["session"]


def starting_as(
    monkeypatch: pytest.MonkeyPatch,
    start_context: Callable[[object], object],
    start_session: Callable[[], object],
) -> None:
    """Have Spark start as these do."""
    context = SimpleNamespace(getOrCreate=start_context, _gateway=None)
    built = SimpleNamespace(getOrCreate=start_session)
    builder = SimpleNamespace(config=lambda **_: built)
    monkeypatch.setattr(session, "java_in_use", lambda: None)
    monkeypatch.setattr(session, "SparkContext", context)
    monkeypatch.setattr(session, "SparkSession", SimpleNamespace(builder=builder))


@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_that_meets_a_finalizer_ends_the_command_all_the_same(
    sent: signal.Signals, capsys: pytest.CaptureFixture[str]
) -> None:
    class Finalized:
        def __del__(self) -> None:
            signal.raise_signal(sent)

    raised = KeyboardInterrupt if sent is signal.SIGINT else AskedToEnd
    hook = sys.unraisablehook

    def go_on() -> None:
        with end_in_order():
            Finalized()
            time.sleep(10)

    with pytest.raises(raised):
        go_on()
    assert sys.unraisablehook is hook
    assert not capsys.readouterr().err


SWALLOWING = """
import os
try:
    os.kill(os.getpid(), {number})
    for _ in range(1000):
        pass  # a handler would raise by now
except BaseException:
    pass
"""


@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_that_an_import_swallows_ends_the_command_all_the_same(
    sent: signal.Signals, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "swallowing.py").write_text(SWALLOWING.format(number=sent.value), encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "swallowing", raising=False)
    imported = []

    def go_on() -> None:
        with end_in_order():
            imported.append(importlib.import_module("swallowing"))
            time.sleep(10)

    with pytest.raises(KeyboardInterrupt if sent is signal.SIGINT else AskedToEnd):
        go_on()
    assert imported, "the import went on"


@pytest.mark.slow
@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGINT])
def test_what_lets_go_of_things_is_not_interrupted_by_what_is_on_its_way(
    sent: signal.Signals,
) -> None:
    ended = []

    @contextmanager
    def letting_go(name: str) -> Iterator[None]:
        try:
            yield
        finally:
            time.sleep(0.3)  # longer than it takes to ask again
            ended.append(name)

    def fail_in_its_place() -> None:
        with letting_go("inner"):
            try:
                signal.raise_signal(sent)
            finally:
                raise RuntimeError("Java is gone")

    with end_in_order() as handler:
        try:
            with letting_go("outer"):
                fail_in_its_place()
        except RuntimeError:
            handler.stop()
        time.sleep(0.3)
    assert ended == ["inner", "outer"]


def test_a_second_signal_does_not_wait() -> None:
    assert asked(signal.SIGTERM, signal.SIGTERM) == ["SIGTERM", "AskedToEnd"]


def test_what_a_second_signal_interrupts_logs_nothing(caplog: pytest.LogCaptureFixture) -> None:
    assert asked(signal.SIGINT, signal.SIGINT)[-1] == "KeyboardInterrupt"
    logging.getLogger().error("KeyboardInterrupt while sending command.")
    assert not caplog.records


@pytest.mark.parametrize("sent", [signal.SIGHUP, signal.SIGINT])
def test_a_signal_that_is_ignored_stays_ignored(
    sent: signal.Signals, monkeypatch: pytest.MonkeyPatch
) -> None:
    def start_context(_: object) -> None:
        signal.raise_signal(sent)
        signal.signal(signal.SIGINT, signal.default_int_handler)  # as PySpark does with its own

    signal.signal(sent, signal.SIG_IGN)
    starting_as(monkeypatch, start_context, lambda: SimpleNamespace(sparkContext=None))
    monkeypatch.setattr(session, "hush_loss_of_java", lambda _: None)
    with end_in_order():
        session.spark_session("test")
    assert signal.getsignal(sent) is signal.SIG_IGN


IMPATIENT = """
import os, signal, sys, threading, time
from pathlib import Path
from jobs.console import command
from jobs.console.session import spark_session

def ask_twice():
    while not Path(MARK).exists():
        time.sleep(0.02)
    for number in (signal.SIGINT, signal.SIGINT):
        os.kill(os.getpid(), number)
        time.sleep(0.3)

def run(args):
    threading.Thread(target=ask_twice, daemon=True).start()
    spark_session("impatient")

sys.exit(command.execute("belvedere test: starts.", lambda parser: None, run, []))
"""


@pytest.mark.slow
def test_who_asks_twice_while_java_starts_leaves_no_java(tmp_path: Path) -> None:
    """The pipe of its output ends with the last process that holds it."""
    mark = tmp_path / "java"
    java = tmp_path / "bin" / "spark-submit"
    java.parent.mkdir()
    java.write_text(f"#!/bin/sh\ntouch {mark}\nexec sleep 60\n", encoding="utf-8")
    java.chmod(0o755)
    completed = subprocess.run(
        [sys.executable, "-c", IMPATIENT.replace("MARK", repr(str(mark)))],
        env={**os.environ, "SPARK_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert completed.stderr == "belvedere test: interrupted\n"
    assert completed.returncode == 130
