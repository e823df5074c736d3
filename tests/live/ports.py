"""Servers that are started as processes of their own."""

import socket
import subprocess
import time
from pathlib import Path


def await_port(process: "subprocess.Popen[bytes]", port: int, log: Path) -> None:
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
