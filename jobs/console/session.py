"""The Spark session: the one that spark-submit made, or a local one."""

import logging
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final, NoReturn

from pyspark import SparkConf, SparkContext, StorageLevel
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f

from connectors.clients.java import LATE_OPTIMIZER
from discovery.errors import ConfigurationError
from jobs.console.ending import hush_loss_of_java
from jobs.console.java_output import filter_stderr
from jobs.console.java_process import know_java
from jobs.console.signals import hold_back_signals
from jobs.console.voice import voice
from jobs.warehouse.warehouse import Warehouse

_LOCAL: Final = {
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.memory": "2g",
    # G1 finds no room for Spark's pages in a heap of this size, and then only collects garbage
    "spark.driver.extraJavaOptions": " ".join(("-XX:+UseParallelGC", *LATE_OPTIMIZER)),
    # each table that is broadcast takes a page, of 32 MB by default, until Java collects garbage
    "spark.buffer.pageSize": "4m",
    # what a page that is off would show of jobs that have ended
    "spark.sql.ui.retainedExecutions": "50",
    "spark.ui.retainedJobs": "100",
    "spark.ui.retainedStages": "200",
    "spark.ui.retainedTasks": "2000",
    "spark.sql.shuffle.partitions": "8",
    "spark.ui.enabled": "false",
    # by default ten times a second apart, and that several times, where nobody answers
    "spark.hadoop.ipc.client.connect.max.retries": "2",
}
_ALWAYS: Final = {
    "spark.speculation": "false",  # a second copy of a task is a second connection
    "spark.sql.session.timeZone": "UTC",
    "spark.ui.showConsoleProgress": "false",
    # where each column was made, for messages that nobody sees: seven answers of Java for each
    "spark.python.sql.dataFrameDebugging.enabled": "false",
}
_CORES: Final = re.compile(r"local(?:\[(\d+|\*)(?:,\d+)?\])?")
_VARIABLE: Final = "BELVEDERE_SPARK_CONF"
_QUIET: Final = Path(__file__).parent / "log4j2.properties"
_ANSWERS_WITHIN: Final = 120  # seconds; a tenth of one where nothing else runs
JAVA_HINT: Final = (
    "install Java 17 or later: the package openjdk-17-jre-headless on Debian and Ubuntu"
)


def one_partition_each(spark: SparkSession, names: Iterable[str]) -> DataFrame:
    """A frame with the column `source`: each name in a partition of its own."""
    every = list(names)
    name = f.element_at(f.array(*map(f.lit, every)), (f.col("id") + 1).cast("int"))
    return spark.range(len(every), numPartitions=len(every)).select(name.alias("source"))


def spark_session(name: str, more: Mapping[str, str] | None = None) -> SparkSession:
    """The session to run in. Outside spark-submit, a local one on all cores.

    `BELVEDERE_SPARK_CONF` may hold settings of a local session: `key=value`, separated by blanks.

    Args:
        name: Of the application.
        more: Settings beyond the usual ones.

    Raises:
        ConfigurationError: There is no Java, a word of the variable is no setting, or no task could
            run with them.
    """
    settings = dict(_ALWAYS)
    submitted = "PYSPARK_GATEWAY_PORT" in os.environ
    if not submitted:
        java_in_use()
        os.environ.update(java_locale(os.environ))
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
        os.environ.setdefault("SPARK_SUBMIT_OPTS", f"-Dlog4j2.configurationFile={_QUIET}")
        settings.update(_LOCAL)
        settings["spark.master"] = "local[*]"
        settings.update(parse_settings(os.environ.get(_VARIABLE, "")))
        check_cores(settings)
    settings.update(more or {})
    settings.setdefault("spark.app.name", f"belvedere {name}")
    builder = SparkSession.builder.config(map={**settings})
    if submitted:
        return builder.getOrCreate()
    forget_dead_java()
    with filter_stderr(voice().verbose), hold_back_signals() as hold_again, know_java():
        SparkContext.getOrCreate(SparkConf().setAll(list(settings.items())))
        hold_again()  # PySpark's own handler asks Java, in the midst of an answer, to cancel jobs
        session = builder.getOrCreate()
    hush_loss_of_java(session.sparkContext)
    with suppress(ValueError):  # only the main thread has signals
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, _interrupt)
    return session


def forget_dead_java() -> None:
    """Let go of a Java of an earlier command of this process that has ended since.

    PySpark (4.1) holds on to it, and would ask it for ever.
    """
    gateway: Any = SparkContext._gateway  # noqa: SLF001 - nothing public tells of the process
    java: Any = getattr(gateway, "proc", None)
    if java is None or java.poll() is None:
        return
    if (context := SparkContext._active_spark_context) is not None:  # noqa: SLF001 - as above
        context._jsc = None  # noqa: SLF001 - it would be asked to stop
        context.stop()
    with suppress(Exception):  # its sockets lead nowhere
        gateway.shutdown()
    SparkContext._gateway = SparkContext._jvm = None  # noqa: SLF001 - so the next one starts anew


def java_locale(environment: Mapping[str, str]) -> dict[str, str]:
    """What an environment lacks so that a Java reads names of files as this Python does.

    For the locale `C` Python takes UTF-8 (PEP 538, PEP 540), and tells its children so, but where
    `LC_ALL` demands it. Java takes ASCII then, and finds no file whose name has anything else.
    """
    return {"LC_ALL": "C.UTF-8"} if environment.get("LC_ALL") in {"C", "POSIX"} else {}


def parse_settings(text: str) -> dict[str, str]:
    """The settings that a text has, as `BELVEDERE_SPARK_CONF` writes them.

    Raises:
        ConfigurationError: A word is none: Spark would go on without it, and hardly say so.
    """
    settings = {}
    for word in text.split():
        key, equals, value = word.partition("=")
        if not equals or not key.startswith("spark."):
            message = f"{_VARIABLE}: {word!r} is no setting of Spark"
            hint = "write spark.driver.memory=4g, settings apart by blanks; a value has none"
            raise ConfigurationError(message, hint=hint)
        settings[key] = value
    return settings


def check_cores(settings: Mapping[str, str]) -> None:
    """Look whether a task finds its cores; Spark says that late, and not in a sentence.

    Raises:
        ConfigurationError: A local session has fewer.
    """
    cpus, master = settings.get("spark.task.cpus", "1"), settings["spark.master"]
    if not cpus.isdecimal() or not (local := _CORES.fullmatch(master)):
        return
    cores = (os.cpu_count() or 1) if local[1] == "*" else int(local[1] or 1)
    if int(cpus) > cores:
        message = f"{_VARIABLE}: spark.task.cpus={cpus} is more than spark.master={master} has"
        hint = f"leave spark.task.cpus out, or write at most {cores}: no task could run"
        raise ConfigurationError(message, hint=hint)


def _interrupt(*_: object) -> NoReturn:
    """End as Python does, without Py4J's trace of the command that it was about to send."""
    logging.disable()
    raise KeyboardInterrupt


@contextmanager
def measure_joins(spark: SparkSession) -> Iterator[None]:
    """Broadcast only what is measured to be small while a query runs.

    Spark's estimate is the size of the Parquet files, and SQL texts in them are a hundredth of
    what they are in memory: a driver that broadcasts them ends without memory.
    """
    name = "spark.sql.autoBroadcastJoinThreshold"
    adaptive = "spark.sql.adaptive.autoBroadcastJoinThreshold"
    before = {key: spark.conf.get(key, None) for key in (name, adaptive)}
    spark.conf.set(name, "-1")
    spark.conf.set(adaptive, "10MB")
    try:
        yield
    finally:
        for key, value in before.items():
            if value is None:
                spark.conf.unset(key)
            else:
                spark.conf.set(key, value)


@contextmanager
def persist_frame(frame: DataFrame) -> Iterator[DataFrame]:
    """A frame that is made once, on disk, while the block runs.

    Its size is known then, and Spark broadcasts it where it is small.
    """
    kept = frame.persist(StorageLevel.DISK_ONLY)
    try:
        kept.count()
        yield kept
    finally:
        kept.unpersist()


def warehouse_of(place: str) -> Warehouse:
    """A warehouse to read from: with Spark where it is not on this machine."""
    resolved = place_of(place)
    return Warehouse(resolved, reader_of(resolved))


def reader_of(place: str) -> SparkSession | None:
    """What reads a place, as `place_of` has it; None: it is on this machine."""
    return spark_session("read") if "://" in place else None


def place_of(place: str) -> str:
    """A place on this machine as an absolute path; any other as it is."""
    if "://" in place and not place.startswith("file://"):
        return place
    return os.path.realpath(place.removeprefix("file://"))


def java_in_use() -> str:
    """The first line of `java -version`, of the Java that Spark will start.

    Raises:
        ConfigurationError: There is none, or it cannot be run.
    """
    home = os.environ.get("JAVA_HOME")
    java = str(Path(home) / "bin" / "java") if home else shutil.which("java")
    if java is None or not Path(java).exists():
        where = f"JAVA_HOME={home} has no bin/java" if home else "there is no java on PATH"
        raise ConfigurationError(where, hint=JAVA_HINT)
    try:
        completed = subprocess.run(  # noqa: S603 - what the user has named
            [java, "-version"], capture_output=True, check=False, timeout=_ANSWERS_WITHIN
        )
    except OSError as error:
        raise ConfigurationError(f"{java}: {error.strerror}", hint=JAVA_HINT) from error
    except subprocess.TimeoutExpired as error:
        why = f"{java} -version has not ended within {_ANSWERS_WITHIN} s"
        raise ConfigurationError(why, hint=JAVA_HINT) from error
    return completed.stderr.decode(errors="replace").partition("\n")[0]
