"""Servers that are started as processes of their own, on loopback."""

import os
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path


def free_port() -> int:
    """A port on which nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port: int = free.getsockname()[1]
    return port


@contextmanager
def listening_at(
    port: int, command: Sequence[str], log: Path, **environment: str
) -> Iterator[None]:
    """Run a server as long as the context lasts, which begins when it listens.

    Args:
        port: Where it will.
        command: That starts it.
        log: Gets what it prints.
        environment: What it finds there beside our own.
    """
    with (
        log.open("w") as out,
        subprocess.Popen(
            command, stdout=out, stderr=out, env={**os.environ, **environment}
        ) as process,
    ):
        try:
            _await(process, port, log)
            yield
        finally:
            process.kill()


def _await(process: "subprocess.Popen[bytes]", port: int, log: Path) -> None:
    """Wait until a server listens on a port of loopback; it must not end before."""
    end = time.monotonic() + 300
    while True:
        assert process.poll() is None, log.read_text(errors="replace")[-4000:]
        assert time.monotonic() < end, log.read_text(errors="replace")[-4000:]
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.5)
        else:
            return
