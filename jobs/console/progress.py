"""Progress of a Spark job on a terminal: one line that is written over."""

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from pyspark.sql import SparkSession

from discovery.display import visible
from discovery.pacing.estimate import spoken
from jobs.console.gate import Gate

_EVERY = 0.5  # seconds


@contextmanager
def progress(
    spark: SparkSession, what: str, finished: Callable[[], int] | None = None, total: int = 0
) -> Iterator[None]:
    """Show what the jobs inside are at, if stderr is a terminal.

    Args:
        spark: The session.
        what: What is done.
        finished: How many batches are done; None: Spark's own parts are told.
        total: How many there are.
    """
    if not sys.stderr.isatty():
        yield
        return
    done = threading.Event()
    line = threading.Thread(target=_show, args=(spark, what, done, finished, total), daemon=True)
    line.start()
    try:
        yield
    finally:
        done.set()
        line.join()
        _over("")


def _show(
    spark: SparkSession,
    what: str,
    done: threading.Event,
    finished: Callable[[], int] | None,
    total: int,
) -> None:
    tracker = spark.sparkContext.statusTracker()
    begun, first = time.monotonic(), finished() if finished else 0
    while not done.wait(_EVERY):
        seconds = time.monotonic() - begun
        if finished and total:
            parts = [share(first, finished(), total, seconds)]
        else:
            stages = [tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds()]
            parts = [f"{one.numCompletedTasks}/{one.numTasks} parts" for one in stages if one]
        _over(f"{visible(what)}: {', '.join([*parts, f'{seconds:.0f} s'])}")


def share(before: int, finished: int, total: int, seconds: float) -> str:
    """How much is done, and how long the rest takes at that pace.

    Args:
        before: Batches that were done when it began.
        finished: Batches that are done.
        total: All batches.
        seconds: Since it began.
    """
    told = f"{min(finished, total):,} of {total:,} batches"
    if finished <= before or finished >= total:
        return told
    left = seconds * (total - finished) / (finished - before)
    return f"{told}, about {spoken(left)} left"


def _over(text: str) -> None:
    """Write over the line."""
    steering = f"\r\x1b[K{text}"
    if isinstance(sys.stderr, Gate):
        sys.stderr.raw(steering)
    else:
        print(steering, end="", file=sys.stderr, flush=True)
