"""A real SQL gateway of Flink on this machine; loopback only."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.live.flink_session import OPENED
from tests.live.ports import free_port, listening_at

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
    port = free_port()
    folder.mkdir(exist_ok=True)
    (folder / "config.yaml").write_text(_CONFIG.format(port=port), encoding="utf-8")
    opened = [f"--add-opens=java.base/java.{name}=ALL-UNNAMED" for name in OPENED]
    run = [java, "-Xmx700m", *opened, "-cp", f"{jars}/*:{more}"]
    command = [*run, "org.apache.flink.table.gateway.SqlGateway"]
    with listening_at(port, command, folder / "log", FLINK_CONF_DIR=str(folder)):
        yield f"http://127.0.0.1:{port}"
