"""How a command ends that did not end well: one sentence, what to do, and where the trace is."""

import errno
import logging
import os
import re
import signal
import sys
import tempfile
import threading
import traceback
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from subprocess import Popen
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from connectors.clients.credentials import Secret, redacted
from jobs.warehouse.placing import noted_place

if TYPE_CHECKING:
    from pyspark import SparkContext

_AGAIN: Final = "what is committed is whole"
_FORESEEN: Final = {
    errno.ENOSPC: f"free some space there, and run it again: {_AGAIN}",
    errno.EDQUOT: f"free some of your quota there, and run it again: {_AGAIN}",
    errno.EROFS: "it is mounted to be read only: name another place",
    errno.EACCES: "let the user who runs this write and read there, or name another place",
    errno.EPERM: "let the user who runs this write and read there, or name another place",
    errno.ENAMETOOLONG: "name a shorter path",
    errno.EMFILE: "allow more open files: ulimit -n",
    errno.ENOENT: "look whether it is there",
    errno.ENOTDIR: "name a folder whose path has no file in it",
    errno.EISDIR: "name a file, or move the folder that is there",
    errno.EEXIST: "name another place, or remove what is there",
    errno.EPIPE: "what it was talking to has ended: look why, and run it again",
    errno.EFBIG: "allow larger files: ulimit -f, or a file system that takes them",
    errno.EIO: "its disk, or what it is mounted from, has failed: the log of the system says more",
    errno.ESTALE: "mount it again, and run it again",
    errno.ENOTCONN: "mount it again, and run it again",
    errno.ELOOP: "name a path whose links end somewhere",
}
"""What a file system may answer, and what to do."""

_JAVA: Final = ("pyspark.", "py4j.")
_SAID_BY_JAVA: Final = {
    "No space left on device": errno.ENOSPC,
    "Disk quota exceeded": errno.EDQUOT,
    "Read-only file system": errno.EROFS,
    "Permission denied": errno.EACCES,
    "Mkdirs failed to create": errno.EACCES,
    "Too many open files": errno.EMFILE,
    "File too large": errno.EFBIG,
    "Input/output error": errno.EIO,
    "Stale file handle": errno.ESTALE,
}
_PROVE: Final = "look whether it is there: `belvedere check` says whether it is as it was written"
_HOME: Final = "go to one that is there, as with `cd`, and run it again"
_PATIENCE: Final = 2  # seconds for the last word to Java
_MORE: Final = "give the driver more: BELVEDERE_SPARK_CONF=spark.driver.memory=4g"
_GONE: Final = "Py4JNetworkError"
_START: Final = (
    "what Java says stands above; it needs a Java 17 or later that can be run, more open files "
    "than some hundred (ulimit -n), and in BELVEDERE_SPARK_CONF what Spark knows and has memory for"
)
_KILLED: Final = (
    "something has killed it, as Linux does where memory ends: look at the log of the system, and "
    f"run it again: {_AGAIN}"
)
_PACKAGE: Final = (
    "give Spark the one that has it, as BELVEDERE_SPARK_CONF=spark.jars.packages=…; of S3 it is "
    "s3a:// of hadoop-aws"
)
_ADDRESS: Final = "look at the address of the warehouse, and whether this machine reaches it"
_LOCAL: Final = "the folder of Spark's working files (spark.local.dir)"
_WORKER: Final = (
    r"Python worker exited unexpectedly|EOFException occurred while reading the port number|"
    r"EOFException(?:\n\s*at \S+)*?\n\s*at org\.apache\.spark\.api\.python\."
)
_TOLD: Final = tuple(
    (re.compile(pattern), sentence, hint)
    for pattern, sentence, hint in (
        ("JAVA_GATEWAY_EXITED", "Spark's Java did not start", _START),
        ("OutOfMemoryError", "Java has not enough memory", _MORE),
        (r"\[INVALID_DRIVER_MEMORY\b", "Spark's Java has not enough memory to begin with", _MORE),
        (
            r"\[INVALID_CONF_VALUE\b[^\]]*\] (.+?\.)(?: SQLSTATE|\n|$)",
            "Spark refuses a setting: {0}",
            "mend it in BELVEDERE_SPARK_CONF, or where spark-submit has it",
        ),
        (
            r"No FileSystem for scheme \"?([^\"\s]+)",
            "Spark has no file system for {0}://",
            _PACKAGE,
        ),
        (
            r"ClassNotFoundException: Class (org\.apache\.hadoop\.fs\.\S+) not found",
            "Spark has no {0}",
            _PACKAGE,
        ),
        (r"(?m)^discovery\.errors\.\w+: (.+)$", "{0}", ""),
        (
            _WORKER,
            "a Python of Spark's executors has ended unexpectedly",
            _KILLED,
        ),
        (
            r"Encountered error while reading file (?:file:(?://)?)?(\S+?)\. ",
            "{0}: cannot be read",
            _PROVE,
        ),
        (
            r"Failed to get a temp directory under \[([^\]\n]*)\]",
            "{0}: Spark cannot make its working files there",
            "name one with room that it may write: BELVEDERE_SPARK_CONF=spark.local.dir=…",
        ),
        (r"UnknownHostException: ([^\s:]+)", "{0}: there is no such host", _ADDRESS),
        (
            r"ConnectException: Call From \S+ to (\S+) failed",
            "{0}: nobody answers there",
            _ADDRESS,
        ),
    )
)
"""What else Java may say, the first that is there: how it is told, and what to do."""
_WORKING: Final = re.compile(
    r"\n\s*at org\.apache\.spark\.(?:storage\.DiskBlockObjectWriter|shuffle\.|"
    r"util\.collection\.(?:unsafe\.sort|ExternalSorter))"
)
"""Where Spark writes what it shuffles and sorts; its trace is all that says so."""
_PLACE: Final = re.compile(
    r"(?:create|open|file|path)[ :]+(?:file:)?(/[^\s:()]+)|\[Errno \d+\] [^\n]*: '(/[^'\n]+)'"
)


class Ending(NamedTuple):
    """What is told of an error that no command foresaw.

    Attributes:
        sentence: What happened.
        hint: What to do.
        foreseen: Whether it is the world's doing, not a bug of ours.
    """

    sentence: str
    hint: str
    foreseen: bool = True


def ending(error: BaseException) -> Ending:
    """What is told of an error that is not one of ours; of those of tasks, of the first."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    if isinstance(error, OSError) and error.errno in _FORESEEN:
        if _is_homeless(error):
            return Ending("the current folder is not there any more", _HOME)
        name = error.filename2 or error.filename  # of a file that gets its name, the name
        place = f"{name}: " if name else ""
        return Ending(f"{place}{os.strerror(error.errno)}", _FORESEEN[error.errno])
    if isinstance(error, MemoryError):
        return Ending("there is not enough memory", "run it where there is more")
    if any(map(_is_of_gone_java, _chain(error))):
        return Ending("Spark's Java has ended unexpectedly", _KILLED)
    if any(type(cause).__module__.startswith(_JAVA) for cause in _chain(error)):
        written = next(filter(None, map(noted_place, _chain(error))), "")
        return _of_java("\n".join(map(str, _chain(error))), written)
    first = next(iter(str(error).splitlines()), "")
    hint = "a bug in belvedere: please report it with the trace, which may name what you have"
    return Ending(f"{type(error).__name__}: {first}", hint, foreseen=False)


def _is_of_gone_java(error: BaseException) -> bool:
    """Whether Spark's Java has not answered any more: Py4J says so, or that nobody listens."""
    if type(error).__name__ == _GONE:
        return True
    frames = traceback.walk_tb(error.__traceback__)
    asked = any(frame.f_globals.get("__name__", "").startswith(_JAVA[1]) for frame, _ in frames)
    return asked and isinstance(error, ConnectionError)


def _is_homeless(error: OSError) -> bool:
    """Whether a path was looked for from the current folder, and that has been removed."""
    if error.errno != errno.ENOENT or str(error.filename or "").startswith("/"):
        return False
    try:
        Path.cwd()
    except FileNotFoundError:
        return True
    return False


def trace_of(
    error: BaseException, program: str, secrets: Sequence[Secret], *, shown: bool = False
) -> str:
    """Where the trace has been written, for people; the trace itself, where it could not be.

    Args:
        error: The error.
        program: Whose it is.
        secrets: Values that it may not show.
        shown: Whether the trace itself is wanted, and no file.
    """
    text = redacted("".join(traceback.format_exception(error)), secrets)
    if shown:
        return text
    prefix = f"{program.replace(' ', '-')}-"
    try:
        descriptor, name = tempfile.mkstemp(".txt", prefix, text=True)
        with os.fdopen(descriptor, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(text)
    except OSError:
        return f"the trace could not be written to a file:\n{text}"
    return f"trace: {name}"


def end_children() -> None:
    """End Spark's Java, if this process has started one; with it go its workers and their judges.

    Ctrl-C does not reach it: PySpark starts it so that it ignores the signal.
    """
    logging.disable()  # what talks to Java would tell that it is gone
    with suppress(ValueError):  # only the main thread has signals
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    context = getattr(sys.modules.get("pyspark.core.context"), "SparkContext", None)
    java = _java_of(context)
    if java is None:
        return
    if (spark := getattr(context, "_active_spark_context", None)) is not None:
        _hush(spark)
    with suppress(OSError):
        java.terminate()
    try:
        java.wait(10)
    except Exception:  # noqa: BLE001 - whatever it is, it has to end
        java.kill()


def _java_of(context: object) -> Popen[bytes] | None:
    """The process of Spark's Java; None: this process has started none."""
    java: Popen[bytes] | None = getattr(getattr(context, "_gateway", None), "proc", None)
    starting = sys.modules.get("jobs.console.java_process")  # imported, it would import PySpark
    if java is None and starting is not None:
        java = starting.started_java()
    return java


def hush_loss_of_java(spark: "SparkContext") -> None:
    """Have no traceback printed where Java is gone: how the command ends says that.

    What PySpark (4.1) sums up in has a thread that reads from Java, and Py4J one that tells Java of
    objects that are not needed any more. Each prints one then, whenever that is.
    """
    logging.getLogger().addFilter(_is_not_of_java)
    summing: Any = getattr(spark, "_accumulatorServer", None)
    if summing is not None:
        summing.handle_error = lambda *_: None


def _is_not_of_java(record: logging.LogRecord) -> bool:
    """Py4J logs a call without an answer as the root logger; who waits for one gets an error."""
    return record.module != "java_gateway"


def _hush(spark: "SparkContext") -> None:
    """Have Java say no more: that its workers are gone is what was asked for, and no error.

    It is asked from a thread, as it may be the one that gives no answer.
    """
    hush_loss_of_java(spark)

    def ask() -> None:
        with suppress(Exception):
            spark.setLogLevel("OFF")

    asking = threading.Thread(target=ask, daemon=True)
    asking.start()
    asking.join(_PATIENCE)


def _chain(error: BaseException) -> list[BaseException]:
    """An error and what it came of."""
    errors: list[BaseException] = []
    left: BaseException | None = error
    while left is not None and left not in errors:
        errors.append(left)
        left = left.__cause__ or left.__context__
    return errors


def _of_java(message: str, written: str) -> Ending:
    """What Spark or its Java says, in a sentence.

    Args:
        message: What it says.
        written: What it was writing; empty: nothing. It may have failed elsewhere, as where it
            keeps what it sorts.
    """
    meanwhile = f", while {written} was written" if written else ""
    for phrase, number in _SAID_BY_JAVA.items():
        if phrase in message:
            place = _PLACE.search(message)
            if place is None:
                at_work = f"{_LOCAL}: " if _WORKING.search(message) else ""
                return Ending(f"{at_work}{os.strerror(number)}{meanwhile}", _FORESEEN[number])
            where = Path((place[1] or place[2]).rstrip(".,"))
            return Ending(f"{where}: {os.strerror(number)}", _FORESEEN[number])
    for pattern, sentence, hint in _TOLD:
        if match := pattern.search(message):
            return Ending(sentence.format(*match.groups()), hint)
    lines = [line.strip(" :") for line in message.splitlines() if line.strip()]
    first = next((line for line in lines if not line.startswith("An error occurred")), "no word")
    hint = "Spark or its Java failed; if that is not its cluster's doing, report it with the trace"
    return Ending(f"Spark failed: {first[:300]}", hint)
