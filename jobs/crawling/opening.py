"""The part of the day in which a crawl may run: it begins in it, and stops when it is over."""

import argparse
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from typing import Final

from pyspark.sql import SparkSession

from discovery.errors import ConfigurationError, WindowClosedError
from discovery.pacing.windows import Window
from jobs.configuration.loader import RunConfig

_EVERY: Final = 1.0  # seconds between two looks at the clock


def local_time() -> datetime:
    """What the clock of this machine says: the days of `between` are its days."""
    return datetime.now()  # noqa: DTZ005 - a window is by the clock on the wall


def with_now(parser: argparse.ArgumentParser) -> None:
    """The argument that crawls at any time."""
    parser.add_argument("--now", action="store_true", help="at once, whatever `between` says")


def chosen_config(args: argparse.Namespace) -> RunConfig:
    """The configuration of a command, without its window where any time was asked for."""
    config: RunConfig = args.config
    return replace(config, window=None) if args.now else config


def insist_on_open(window: Window | None) -> None:
    """Refuse to begin outside of the window.

    Raises:
        ConfigurationError: It is closed.
    """
    if window is not None and not window.is_open(now := local_time()):
        message = f"it is {now:%H:%M}, and sources are crawled between {window} only"
        raise ConfigurationError(message, hint="wait until then; --now crawls nevertheless")


@contextmanager
def stop_in_time(spark: SparkSession, window: Window | None, hint: str = "") -> Iterator[None]:
    """Cancel what runs inside when the window closes.

    Args:
        spark: The session.
        window: In which it may run; None: at any time.
        hint: How to go on; empty: as the error advises.

    Raises:
        WindowClosedError: It has closed.
    """
    if window is None:
        yield
        return
    over, done = threading.Event(), threading.Event()
    watch = threading.Thread(target=_watch, args=(spark, window, over, done), daemon=True)
    watch.start()
    try:
        yield
    except Exception as error:
        if over.is_set():
            raise WindowClosedError(f"the window {window} has closed", hint=hint) from error
        raise
    finally:
        done.set()
        watch.join()


def _watch(
    spark: SparkSession, window: Window, over: threading.Event, done: threading.Event
) -> None:
    """Cancel all jobs when the window closes, and those that begin afterwards."""
    while not done.wait(_EVERY):
        if not window.is_open(local_time()):
            over.set()
            spark.sparkContext.cancelAllJobs()
