"""The Java that PySpark starts, known from the moment at which it is there."""

from collections.abc import Iterator
from contextlib import contextmanager
from subprocess import Popen
from typing import Any, Final

from pyspark import java_gateway

_ENDED: Final = 256  # what no process ends with
_STARTED: Final[list[Popen[bytes]]] = []


class KnownPopen(Popen[bytes]):
    """A process that is known before it has begun, whatever interrupts whoever waits for it."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 - as Python has them
        _STARTED[:] = [self]
        super().__init__(*args, **kwargs)

    def poll(self) -> int | None:
        """See `Popen.poll`; a Java that has ended well has ended, too.

        PySpark (4.1, `launch_gateway`) waits for one that ends with 0 and has not answered: for
        ever.
        """
        return _ENDED if (code := super().poll()) == 0 else code


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


def started_java() -> Popen[bytes] | None:
    """The Java that was started last; None: there is none."""
    return next((java for java in _STARTED if java.pid), None)
