"""Progress of a Spark job on a terminal: one line that is written over."""

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from pyspark.sql import SparkSession

from discovery.display import visible
from jobs.console.gate import Gate

_EVERY = 0.5  # seconds


@contextmanager
def progress(spark: SparkSession, what: str) -> Iterator[None]:
    """Show what the jobs inside are at, if stderr is a terminal."""
    if not sys.stderr.isatty():
        yield
        return
    done = threading.Event()
    line = threading.Thread(target=_show, args=(spark, what, done), daemon=True)
    line.start()
    try:
        yield
    finally:
        done.set()
        line.join()
        _over("")


def _show(spark: SparkSession, what: str, done: threading.Event) -> None:
    tracker = spark.sparkContext.statusTracker()
    begun = time.monotonic()
    while not done.wait(_EVERY):
        stages = [tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds()]
        parts = [f"{one.numCompletedTasks}/{one.numTasks} parts" for one in stages if one]
        seconds = f"{time.monotonic() - begun:.0f} s"
        _over(f"{visible(what)}: {', '.join([*parts, seconds])}")


def _over(text: str) -> None:
    """Write over the line."""
    steering = f"\r\x1b[K{text}"
    if isinstance(sys.stderr, Gate):
        sys.stderr.raw(steering)
    else:
        print(steering, end="", file=sys.stderr, flush=True)
