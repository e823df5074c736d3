"""The Java that PySpark starts, known from the moment at which it is there."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from subprocess import Popen
from typing import Any, Final

from pyspark import java_gateway

from discovery.errors import ConfigurationError
from jobs.console.voice import voice

_ENDED: Final = 256  # what no process ends with
_TOLD_AFTER: Final = 60.0  # seconds; it begins in three
_WAITED_FOR: Final = 30 * 60.0  # seconds: it may fetch spark.jars.packages from far away
_STARTED: Final[list["KnownPopen"]] = []


class KnownPopen(Popen[bytes]):
    """A process that is known before it has begun, whatever interrupts whoever waits for it."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 - as Python has them
        _STARTED[:] = [self]
        self._began, self._is_told, self.answers = time.monotonic(), False, False
        super().__init__(*args, **kwargs)

    def poll(self) -> int | None:
        """See `Popen.poll`; a Java that has ended well has ended, too.

        PySpark (4.1, `launch_gateway`) waits for one that ends with 0 and has not answered, and for
        one that neither answers nor ends: for ever.

        Raises:
            ConfigurationError: It has not answered for too long, and is ended.
        """
        if not self.answers:
            self._look_at_the_clock()
        return _ENDED if (code := super().poll()) == 0 else code

    def _look_at_the_clock(self) -> None:
        waited = time.monotonic() - self._began
        if waited > _WAITED_FOR:
            self.answers = True  # nobody asks again
            self.kill()
            self.wait()
            why = f"Spark's Java has not answered within {_WAITED_FOR / 60:g} min"
            hint = "look whether this `java` runs, and whether what it is to fetch can be reached"
            raise ConfigurationError(why, hint=hint)
        if waited > _TOLD_AFTER and not self._is_told:
            self._is_told = True
            voice().say(
                f"Spark's Java, process {self.pid}, has not answered for {waited:.0f} s; waiting"
            )


@contextmanager
def know_java() -> Iterator[None]:
    """Know the Java that PySpark starts in the block.

    PySpark (4.1, `launch_gateway`) tells of it once it answers. Where it is interrupted before
    that, it removes the folder in which Java would say where it listens, and Java stays for ever.
    """
    before = vars(java_gateway)["Popen"]
    vars(java_gateway)["Popen"] = KnownPopen
    try:
        yield
    finally:
        vars(java_gateway)["Popen"] = before
        for java in _STARTED:
            java.answers = True


def started_java() -> Popen[bytes] | None:
    """The Java that was started last; None: there is none."""
    return next((java for java in _STARTED if java.pid), None)
