"""A real SQL gateway of Flink on this machine; loopback only."""

import os
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.live.flink_session import OPENED
from tests.live.ports import await_port

_CONFIG = """\
sql-gateway.endpoint.rest.address: 127.0.0.1
sql-gateway.endpoint.rest.port: {port}
rest.address: 127.0.0.1
"""


@contextmanager
def gateway(java: str, jars: Path, more: Path, folder: Path) -> Iterator[str]:
    """Run one as long as the context lasts; its address.

    Args:
        java: The program.
        jars: The folder of Flink's jars.
        more: The gateway's own.
        folder: For its configuration and log.
    """
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    folder.mkdir(exist_ok=True)
    (folder / "config.yaml").write_text(_CONFIG.format(port=port), encoding="utf-8")
    opened = [f"--add-opens=java.base/java.{name}=ALL-UNNAMED" for name in OPENED]
    run = [java, "-Xmx700m", *opened, "-cp", f"{jars}/*:{more}"]
    log = folder / "log"
    with (
        log.open("w") as out,
        subprocess.Popen(
            [*run, "org.apache.flink.table.gateway.SqlGateway"],
            stdout=out,
            stderr=out,
            env={**os.environ, "FLINK_CONF_DIR": str(folder)},
        ) as process,
    ):
        try:
            await_port(process, port, log)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
