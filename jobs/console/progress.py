"""Progress of a Spark job on a terminal: one line that is written over."""

import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Final

from pyspark.sql import SparkSession

from discovery.display import visible
from discovery.pacing.estimate import duration_text
from jobs.console.gate import Gate
from jobs.warehouse.counting import CountedRows, count
from jobs.warehouse.rows import ArrowFunction

_EVERY: Final = 0.5  # seconds
_STDERR: Final = 2
_USUAL_WIDTH: Final = 80
RowCounter = Callable[[ArrowFunction], ArrowFunction]
"""Makes of a function of executors one whose rows are counted."""


@dataclass(frozen=True, slots=True)
class Amount:
    """Of how much it is told how much is done.

    Attributes:
        done: How much is; also what was before it began.
        total: Of how much; 0: nobody knows.
        unit: Of what, for people.
    """

    done: Callable[[], int]
    total: int
    unit: str


@contextmanager
def progress(
    spark: SparkSession | None, activity: str, amount: Amount | None = None
) -> Iterator[None]:
    """Show what the jobs inside are at, if stderr is a terminal.

    Args:
        spark: The session; None: it is done without.
        activity: What is done.
        amount: How much of it there is; None: Spark's own parts are told, if it is Spark.
    """
    if not sys.stderr.isatty():
        yield
        return
    done = threading.Event()
    line = threading.Thread(target=_show, args=(spark, activity, done, amount), daemon=True)
    line.start()
    try:
        yield
    finally:
        done.set()
        line.join()
        _write_over("")


@contextmanager
def counting(
    spark: SparkSession, activity: str, total: Callable[[], int] | int = 0, unit: str = "views"
) -> Iterator[RowCounter]:
    """As `progress`, by the rows that executors are done with.

    Nothing is counted where nobody looks, or where executors are on other machines.

    Args:
        spark: The session.
        activity: What is done.
        total: How many rows there are, or what looks for it; 0: nobody knows.
        unit: What a row is, for people.
    """
    if not sys.stderr.isatty() or not _is_here(spark):
        with progress(spark, activity):
            yield _as_it_is
        return
    with tempfile.TemporaryDirectory(prefix="belvedere-") as folder:
        number = total() if callable(total) else total
        amount = Amount(partial(count, folder), number, unit)
        with progress(spark, activity, amount):
            yield partial(CountedRows, folder=folder)


def _is_here(spark: SparkSession) -> bool:
    """Whether executors are on this machine."""
    return (spark.sparkContext.master or "").startswith("local")


def _as_it_is(function: ArrowFunction) -> ArrowFunction:
    return function


def _show(
    spark: SparkSession | None, activity: str, done: threading.Event, amount: Amount | None
) -> None:
    tracker = spark.sparkContext.statusTracker() if spark else None
    begun, first = time.monotonic(), amount.done() if amount else 0
    while not done.wait(_EVERY):
        seconds = time.monotonic() - begun
        parts: list[str] = []
        if amount:
            parts = [share(first, amount.done(), amount.total, seconds, amount.unit)]
        elif tracker:
            stages = [tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds()]
            parts = [
                f"{stage.numCompletedTasks}/{stage.numTasks} parts" for stage in stages if stage
            ]
        _write_over(f"{visible(activity)}: {', '.join([*parts, f'{seconds:.0f} s'])}")


def share(before: int, finished: int, total: int, seconds: float, unit: str) -> str:
    """How much is done, how fast, and how long the rest takes at that pace.

    Args:
        before: What was done when it began.
        finished: What is done.
        total: All of it; 0: nobody knows.
        seconds: Since it began.
        unit: Of what.
    """
    number = f"{min(finished, total):,} of {total:,}" if total else f"{finished:,}"
    sentence = f"{number} {unit}"
    if finished <= before or seconds <= 0:
        return sentence
    pace = (finished - before) / seconds
    sentence += f", {pace:,.0f}/s" if pace >= 1 else f", {pace * 60:,.0f} a minute"
    return (
        f"{sentence}, about {duration_text((total - finished) / pace)} left"
        if finished < total
        else sentence
    )


def _terminal_width() -> int:
    """How many characters a line of stderr has."""
    try:
        return os.get_terminal_size(_STDERR).columns or _USUAL_WIDTH
    except OSError:  # it is none
        return _USUAL_WIDTH


def _write_over(text: str) -> None:
    """Write over the line, no wider than the terminal: a second line would stay."""
    steering = f"\r\x1b[K{text[: _terminal_width() - 1]}"
    if isinstance(sys.stderr, Gate):
        sys.stderr.raw(steering)
    else:
        print(steering, end="", file=sys.stderr, flush=True)
