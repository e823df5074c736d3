"""A real Trino on this machine, with catalogs as given; loopback only."""

import os
import re
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import requests

JAVA = 24  # the oldest that Trino 476 takes
_NODE = """\
node.environment=tests
node.id=one
node.bind-ip=127.0.0.1
node.internal-address=127.0.0.1
"""
_CONFIG = """\
coordinator=true
node-scheduler.include-coordinator=true
http-server.http.port={port}
discovery.uri=http://127.0.0.1:{port}
query.max-memory-per-node=256MB
memory.heap-headroom-per-node=256MB
catalog.management=static
"""
_JVM = "-server\n-Xmx1536M\n-XX:+ExitOnOutOfMemoryError\n-Djdk.attach.allowAttachSelf=true\n"


def java_home() -> Path | None:
    """A Java that is new enough: that of JAVA_HOME, else one of the system's."""
    places = [Path(os.environ["JAVA_HOME"])] if os.environ.get("JAVA_HOME") else []
    for home in (*places, *sorted(Path("/usr/lib/jvm").glob("*"))):
        if (java := home / "bin" / "java").exists():
            told = subprocess.run([java, "-version"], capture_output=True, text=True, check=False)
            version = re.search(r'version "(\d+)', told.stderr)
            if version and int(version[1]) >= JAVA:
                return home
    return None


@dataclass(frozen=True)
class Trino:
    """A running Trino."""

    uri: str

    def rows(self, sql: str) -> list[list[Any]]:
        """The rows of a statement."""
        rows, refusal = self.asked(sql)
        assert not refusal, f"{sql}: {refusal}"
        return rows

    def refusal(self, sql: str) -> str:
        """Why a statement is refused."""
        rows, refusal = self.asked(sql)
        assert refusal, f"{sql}: {rows}"
        return refusal

    def asked(self, sql: str, more: Mapping[str, str] | None = None) -> tuple[list[list[Any]], str]:
        """Rows and error of a statement, by Trino's protocol: answers until there is no next."""
        head = {"X-Trino-User": "alice", **(more or {})}
        answer = requests.post(f"{self.uri}/v1/statement", sql, headers=head, timeout=120).json()
        rows = list(answer.get("data", ()))
        while following := answer.get("nextUri"):
            answer = requests.get(following, headers=head, timeout=120).json()
            rows += answer.get("data", ())
        return rows, answer["error"]["message"] if "error" in answer else ""


@contextmanager
def trino(home: Path, java: Path, folder: Path, catalogs: Mapping[str, str]) -> Iterator[Trino]:
    """Run one node as long as the context lasts.

    Args:
        home: Where Trino is unpacked.
        java: The home of a Java that it takes.
        folder: For its configuration, log and data.
        catalogs: Name to the file of properties.
    """
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    files = {"node.properties": _NODE, "config.properties": _CONFIG.format(port=port)}
    files |= {f"catalog/{name}.properties": text for name, text in catalogs.items()}
    for name, text in (files | {"jvm.config": _JVM}).items():
        path = folder / "etc" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    log, places = folder / "log", [f"--etc-dir={folder / 'etc'}", f"--data-dir={folder / 'data'}"]
    programs = f"{java / 'bin'}:{os.environ['PATH']}"
    with (
        log.open("w") as out,
        subprocess.Popen(
            [home / "bin" / "launcher", "run", *places],
            stdout=out,
            stderr=out,
            env={**os.environ, "JAVA_HOME": str(java), "PATH": programs},
        ) as process,
    ):
        try:
            _wait(process, log)
            yield Trino(f"http://127.0.0.1:{port}")
        finally:
            process.terminate()


def _wait(process: "subprocess.Popen[bytes]", log: Path) -> None:
    end = time.monotonic() + 400
    while "SERVER STARTED" not in (told := log.read_text(encoding="utf-8", errors="replace")):
        assert process.poll() is None, told[-4000:]
        assert time.monotonic() < end, told[-4000:]
        time.sleep(0.5)
