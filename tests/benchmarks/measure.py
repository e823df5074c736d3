"""How the benches measure: the median of three, CPU seconds of Python, one JSON line each."""

import gc
import json
import multiprocessing
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

import psutil
from pyspark.sql import SparkSession

RUNS = 3
_COLLECTIONS = 10  # at most
_SETTLED = 0.98  # of what was held before: no less than this is as much
Answer = TypeVar("Answer")


def say(
    bench: str, n: int, value: float, unit: str, against: float, aim: str, **more: object
) -> None:
    """One result as a JSON line; the ratio is value / against. What is `more` stands behind it."""
    line = {
        "bench": bench,
        "n": n,
        "value": round(value, 4),
        "unit": unit,
        "against": round(against, 4),
        "ratio": round(value / against, 3),
        "aim": aim,
        **more,
    }
    print(json.dumps(line), flush=True)


def note(text: str) -> None:
    """What is going on, for people."""
    print(text, file=sys.stderr, flush=True)


def medians_of(one: Callable[[], float], other: Callable[[], float]) -> tuple[float, float]:
    """The medians of two pieces of work done in turn, so that a machine's drift meets both."""
    pairs = [(one(), other()) for _ in range(RUNS)]
    return statistics.median(a for a, _ in pairs), statistics.median(b for _, b in pairs)


def median_of(work: Callable[[], float]) -> float:
    """The median of three runs."""
    return statistics.median(work() for _ in range(RUNS))


def seconds(work: Callable[[], object]) -> float:
    """Wall time of one run."""
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def cpu() -> float:
    """CPU seconds up to now of this process and of all below it, Java among them."""
    times = time.process_time()
    for child in psutil.Process().children(recursive=True):
        try:
            used = child.cpu_times()
        except psutil.Error:
            continue
        times += used.user + used.system + used.children_user + used.children_system
    return times


@dataclass
class Stopwatch:
    """Seconds that some calls took: by the clock, and of this process's CPU."""

    wall: float = 0.0
    cpu: float = 0.0

    def around(self, work: Callable[..., Answer]) -> Callable[..., Answer]:
        """The same work, timed."""

        def timed(*args: object, **named: object) -> Answer:
            wall, cpu = time.perf_counter(), time.process_time()
            try:
                return work(*args, **named)
            finally:
                self.wall += time.perf_counter() - wall
                self.cpu += time.process_time() - cpu

        return timed


def python_cpu() -> Mapping[str, float]:
    """CPU seconds up to now of this process and of the Python workers below it."""
    workers = 0.0
    for child in psutil.Process().children(recursive=True):
        try:
            if "python" in child.name() and "connectors.judges" not in " ".join(child.cmdline()):
                times = child.cpu_times()
                workers += times.user + times.system + times.children_user + times.children_system
        except psutil.Error:
            continue
    return {"driver": time.process_time(), "workers": workers}


def alone(module: str, call: str) -> str:
    """What a call says last in a process of its own.

    Args:
        module: Of the benches.
        call: Of one of its functions; it prints.
    """
    code = f"from tests.benchmarks import {module}; {module}.{call}"
    done = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, check=True)
    return done.stdout.decode().splitlines()[-1]


def heap(spark: SparkSession) -> float:
    """Megabytes that Java holds once it has collected what nobody needs.

    Frames that Python has not collected hold plans of Spark's, and Spark frees what it has
    broadcast behind a collection, on a thread of its own: so it is collected until that is done.
    """
    java: Any = spark._jvm
    runtime = java.java.lang.Runtime.getRuntime()
    gc.collect()
    held, before = 0.0, float("inf")
    for _ in range(_COLLECTIONS):
        java.java.lang.System.gc()
        held = (runtime.totalMemory() - runtime.freeMemory()) / 1e6
        if held > before * _SETTLED:
            break
        before = held
        time.sleep(1)
    return held


def python_peak() -> float:
    """Megabytes that this process has held at its peak."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3


@contextmanager
def beside(work: Callable[..., None], *given: object) -> Iterator[Any]:
    """Work in a process of its own, as long as the context lasts; the first thing that it tells.

    Args:
        work: Gets what is given, and the end of a pipe.
        given: Its arguments.
    """
    here, there = multiprocessing.Pipe()
    process = multiprocessing.Process(target=work, args=(*given, there), daemon=True)
    process.start()
    try:
        yield here.recv()
    finally:
        process.terminate()
        process.join()
