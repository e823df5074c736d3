"""Benches of the crawl: against bare fetching, per CPU second, and of the driver's memory."""

import gzip
import json
import multiprocessing
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import psutil
import pytest
from pyspark.sql import SparkSession

from connectors.archive import Options as ArchiveOptions
from connectors.clients.metastore import Metastore
from connectors.clients.thrift.login import MetastoreLogin
from connectors.hms import Options as HmsOptions
from connectors.registry import Connector
from discovery.chunks import chunks
from discovery.pacing.care import Care
from jobs.configuration.loader import RunConfig
from jobs.console.session import spark_session
from jobs.crawl import crawl_estate
from jobs.embedded.metastore import EmbeddedMetastore, embedded_metastore
from jobs.warehouse.warehouse import Warehouse
from tests.benchmarks import estate
from tests.benchmarks.measure import (
    Stopwatch,
    alone,
    beside,
    cpu,
    heap,
    median_of,
    medians_of,
    note,
    python_cpu,
    python_peak,
    say,
    seconds,
)

VIEWS = 10_000
CONNECTIONS = 2  # as many as this machine has cores
BATCH = 250
_IDLE = 15.0  # seconds in which nothing is crawled
_BETWEEN = 0.05  # seconds between two calls of the other client
_MANY = 50_000  # views of the crawl of which the manifest is a part


def hms_crawl() -> None:
    """10,000 views end to end, committed, against bare fetching with the same connections."""
    with _metastore() as metastore, session() as spark:
        config = run_config(_hms(metastore))
        crawled(spark, config)
        _bare(metastore.uri)
        bare, ours = medians_of(
            lambda: seconds(lambda: _bare(metastore.uri)),
            lambda: seconds(lambda: crawled(spark, config)),
        )
        say("hms-crawl", VIEWS, VIEWS / ours, "views/s", VIEWS / bare, ">= 0.85")


def hms_latency() -> None:
    """What another client waits for an entry: during a crawl, spared as by default, and without."""
    calls = Path(tempfile.mkdtemp(prefix="belvedere-bench-")) / "calls"
    with _metastore() as metastore, session() as spark:
        config = replace(run_config(_hms(metastore)), care={"s": Care()})
        crawled(spark, config)
        with beside(_another_client, metastore.uri, str(calls)):
            idle, ours = medians_of(
                lambda: _p95(calls, lambda: time.sleep(_IDLE)),
                lambda: _p95(calls, lambda: crawled(spark, config)),
            )
        say("hms-latency", VIEWS, ours * 1000, "ms", idle * 1000, "<= 2")


def _another_client(uri: str, file: str, told: Connection) -> None:
    """The process of a client that asks for one entry after the other, and notes how long it took.

    One of its own, as it would take turns with the crawl's driver.
    """
    metastore = Metastore(MetastoreLogin(uri=uri, timeout=120))
    (database, name, _), *_ = metastore.table_types([*filter(None, metastore.databases())])
    with Path(file).open("w", encoding="utf-8", buffering=1) as calls:
        told.send(None)
        while True:
            begun = time.monotonic()
            assert len(metastore._fetch_tables(database, [name])) == 1
            calls.write(f"{begun} {time.monotonic() - begun}\n")
            time.sleep(_BETWEEN)


def _p95(calls: Path, work: Callable[[], object]) -> float:
    """What 95 of 100 calls that were begun during some work took at most, in seconds."""
    begun = time.monotonic()
    work()
    end = time.monotonic()
    time.sleep(10 * _BETWEEN)  # the last of them may still wait
    whole = calls.read_text(encoding="utf-8").rpartition("\n")[0]
    noted = (map(float, line.split()) for line in whole.splitlines())
    took = sorted(seconds for at, seconds in noted if begun <= at <= end)
    note(f"hms-latency: {len(took)} calls in {end - begun:.1f} s, {took[-1] * 1000:.1f} ms at most")
    return took[int(len(took) * 0.95)]


def hms_cpu() -> None:
    """CPU of our Python, driver and workers, per view of a crawl."""
    with _metastore() as metastore, session() as spark:
        config = run_config(_hms(metastore))
        crawled(spark, config)

        def milliseconds() -> float:
            before = sum(python_cpu().values())
            crawled(spark, config)
            return (sum(python_cpu().values()) - before) / VIEWS * 1000

        say("hms-cpu", VIEWS, median_of(milliseconds), "ms/view", 0.3, "<= 0.3 ms")


def replay() -> None:
    """Archive read, decoded and written: views per CPU second of the Python workers.

    The line says, too, what part of a crawl of 50,000 views the manifest takes: to begin it, to
    read and digest all files, and to write it, in the midst of that crawl.
    """
    path = archive(VIEWS)
    with session() as spark:
        config = run_config(
            Connector("archive", ArchiveOptions(path=str(path), connections=CONNECTIONS))
        )
        crawled(spark, config)

        def rate() -> float:
            before = python_cpu()["workers"]
            crawled(spark, config)
            return VIEWS / (python_cpu()["workers"] - before)

        value, (of_wall, of_cpu) = median_of(rate), _manifest(spark)
        say(
            "replay",
            VIEWS,
            value,
            "views/CPU-s",
            4_000,
            ">= 4000",
            manifest_of=_MANY,
            manifest_share_of_time=round(of_wall, 4),
            manifest_share_of_cpu=round(of_cpu, 4),
            manifest_aim="<= 0.03",
        )


def _manifest(spark: SparkSession) -> tuple[float, float]:
    """Which shares of the time and of all CPU of a crawl its manifest takes."""
    source = Connector("archive", ArchiveOptions(path=str(archive(_MANY)), connections=CONNECTIONS))
    config, watch = run_config(source), Stopwatch()
    with pytest.MonkeyPatch.context() as patched:
        for name in ("begin", "seal"):
            patched.setattr(Warehouse, name, watch.around(getattr(Warehouse, name)))
        used = cpu()
        took = seconds(lambda: crawled(spark, config))
        return watch.wall / took, watch.cpu / (cpu() - used)


def driver_memory() -> None:
    """Python RSS (at its peak) and JVM heap (after GC) of a crawl of 50,000 views and of 10,000."""
    few, many = (median_of(lambda n=n: _memory_of(n)) for n in (10_000, 50_000))  # type: ignore[misc]
    say("driver-memory", 50_000, many, "MB", few, "<= 1.15")


def memory_of_a_crawl(count: int) -> None:
    """What a process of its own does for `driver_memory`; prints megabytes."""
    path = archive(count)
    with session() as spark:
        config = run_config(
            Connector("archive", ArchiveOptions(path=str(path), connections=CONNECTIONS))
        )
        crawled(spark, config)
        print(python_peak() + heap(spark))


def _memory_of(count: int) -> float:
    found = float(alone("crawling", f"memory_of_a_crawl({count})"))
    note(f"driver-memory: {count} views {found:.0f} MB")
    return found


@contextmanager
def _metastore() -> Iterator[EmbeddedMetastore]:
    """The estate in a metastore on disk; filled once, then found again."""
    folder = estate.cache(f"hms-{VIEWS}")
    filled = folder / "filled"
    if not filled.exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
    with embedded_metastore(folder, in_memory=False, heap="1g") as metastore:
        if not filled.exists():
            note(f"filling a metastore with {VIEWS} views")
            estate.fill(metastore, VIEWS, folder)
            filled.touch()
        yield metastore


def archive(
    count: int, entry: Callable[[int], dict[str, Any]] = estate.view, name: str = "archive"
) -> Path:
    """An archive of so many entries of a metastore; written once, then found again.

    Args:
        count: How many.
        entry: What the entry of a number is.
        name: Of the folder.
    """
    folder = estate.cache(f"{name}-{count}")
    if not (folder / "filled").exists():
        note(f"writing an archive of {count} entries")
        for part in range(4):
            with gzip.open(
                folder / f"part-{part}.jsonl.gz", "wt", encoding="utf-8", compresslevel=4
            ) as file:
                for number in range(part, count, 4):
                    raw = {"kind": "hive_table", "payload": entry(number)}
                    file.write(json.dumps(raw, separators=(",", ":")) + "\n")
        (folder / "filled").touch()
    return folder


@contextmanager
def session() -> Iterator[SparkSession]:
    """Spark with as many cores as this machine has."""
    spark = spark_session("bench", {"spark.master": f"local[{CONNECTIONS}]"})
    try:
        yield spark
    finally:
        spark.stop()


def _hms(metastore: EmbeddedMetastore) -> Connector:
    return Connector("hms", HmsOptions(uri=metastore.uri, connections=CONNECTIONS, batch=BATCH))


def run_config(source: Connector) -> RunConfig:
    """A configuration of one source, with a warehouse of its own."""
    warehouse = tempfile.mkdtemp(prefix="belvedere-bench-")
    return RunConfig(warehouse, False, {"s": source})


def crawled(spark: SparkSession, config: RunConfig) -> None:
    """A crawl that is committed and lost nothing; its warehouse is removed."""
    done = crawl_estate(spark, config)
    counted: dict[str, Any] = done.counts["sources"]["s"]
    assert done.exit_code == 0, counted
    shutil.rmtree(config.warehouse)


def _bare(uri: str) -> None:
    """Names, then entries by batches, nothing else: as many processes as connections."""
    metastore = Metastore(MetastoreLogin(uri=uri, timeout=120))
    names: dict[str, list[str]] = {}
    for database, name, _ in metastore.table_types([*filter(None, metastore.databases())]):
        names.setdefault(database, []).append(name)
    metastore.close()
    tasks = [(database, part) for database, some in names.items() for part in chunks(some, BATCH)]
    with multiprocessing.Pool(CONNECTIONS) as pool:
        shares = [(uri, tasks[start::CONNECTIONS]) for start in range(CONNECTIONS)]
        fetched = pool.starmap(_fetch, shares)
    assert sum(fetched) == VIEWS, fetched
    assert psutil.Process().is_running()


def _fetch(uri: str, tasks: list[tuple[str, tuple[str, ...]]]) -> int:
    metastore = Metastore(MetastoreLogin(uri=uri, timeout=120))
    count = sum(len(metastore._fetch_tables(database, list(names))) for database, names in tasks)
    metastore.close()
    return count
