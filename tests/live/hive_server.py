"""A real HiveServer2 2.3.10 on this machine, with a metastore of its own in memory, or another.

Of the jars in the PySpark wheel, and of those beside them that a server wants.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyspark

from jobs.embedded.metastore import OPENED
from tests.live.ports import free_port, listening_at

_LOG = Path(__file__).parents[2] / "jobs" / "console" / "log4j2.properties"
_SETTINGS = """\
<configuration>
{}
</configuration>
"""


@contextmanager
def hive_server(java: str, jars: Path, folder: Path, metastore: str | None = None) -> Iterator[str]:
    """Run one as long as the context lasts; its address.

    Args:
        java: The program.
        jars: The folder of what it wants beside PySpark's jars; goes before them.
        folder: For its configuration, files and log.
        metastore: The address of its metastore; None: it has one of its own.
    """
    port = free_port()
    (folder / "conf").mkdir(parents=True)
    other = {} if metastore is None else {"hive.metastore.uris": metastore}
    rows = (
        f"<property><name>{name}</name><value>{value}</value></property>"
        for name, value in (_settings(folder, port) | other).items()
    )
    told = _SETTINGS.format("\n".join(rows))
    (folder / "conf" / "hive-site.xml").write_text(told, encoding="utf-8")
    spark = Path(pyspark.__file__).parent / "jars"
    theirs = [str(path) for path in sorted(spark.glob("*.jar")) if "hive-exec" not in path.name]
    opened = [f"--add-opens=java.base/{name}=ALL-UNNAMED" for name in OPENED]
    places = [f"-Djava.io.tmpdir={folder}", f"-Dderby.stream.error.file={folder / 'derby.log'}"]
    classes = ":".join([str(folder / "conf"), f"{jars}/*", *theirs])
    run = [java, "-Xmx700m", *opened, *places, f"-Dlog4j2.configurationFile={_LOG}", "-cp", classes]
    command = [*run, "org.apache.hive.service.server.HiveServer2"]
    with listening_at(port, command, folder / "log", HIVE_SERVER2_THRIFT_BIND_HOST="127.0.0.1"):
        yield f"thrift://127.0.0.1:{port}"


def _settings(folder: Path, port: int) -> dict[str, object]:
    return {
        "fs.defaultFS": "file:///",
        "javax.jdo.option.ConnectionURL": "jdbc:derby:memory:hive;create=true",
        "datanucleus.schema.autoCreateAll": "true",
        "hive.metastore.schema.verification": "false",
        "hive.metastore.warehouse.dir": folder / "warehouse",
        "hive.exec.scratchdir": folder / "scratch",
        "hive.exec.local.scratchdir": folder / "local",
        "hive.downloaded.resources.dir": folder / "resources",
        "hive.server2.logging.operation.enabled": "false",
        "hive.server2.thrift.port": port,
        "hive.server2.thrift.bind.host": "127.0.0.1",
        "hive.server2.webui.port": 0,
        "hive.server2.enable.doAs": "false",
        "hive.async.log.enabled": "false",
        "hive.support.concurrency": "false",
    }
