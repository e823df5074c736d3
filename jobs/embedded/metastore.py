"""A real Hive Metastore 2.3.10 on Derby, made of the jars in the PySpark wheel; loopback only.

Started through py4j in a JVM of its own, which ends with this process. The metastore's own tables
can be asked and changed by SQL, which only the JVM that holds an embedded Derby can do.
"""

import logging
import os
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pyspark
from py4j.java_gateway import GatewayParameters, JavaGateway, JavaObject, JVMView, launch_gateway
from py4j.protocol import Py4JError, Py4JJavaError

from jobs.console.session import java_in_use

OPENED: Final = (
    "java.io",
    "java.lang",
    "java.lang.invoke",
    "java.lang.reflect",
    "java.net",
    "java.nio",
    "java.util",
    "java.util.concurrent",
    "java.util.concurrent.atomic",
    "sun.nio.ch",
)
_DERBY: Final = "org.apache.derby.iapi.jdbc.AutoloadedDriver"
_LOG4J: Final = Path(__file__).parent.parent / "console" / "log4j2.properties"
_JVM: Final = ("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:ReservedCodeCacheSize=240m")
"""Java's second compiler costs half of the CPU of a metastore that starts and gets 400 views, and
a third of it at 5,000, which are written no sooner with it. With the first one alone Java has room
for 48 MB of compiled code."""


@dataclass(frozen=True, slots=True)
class EmbeddedMetastore:
    """A running metastore.

    Attributes:
        uri: For Thrift.
        warehouse: Folder of the databases.
    """

    uri: str
    warehouse: Path
    _connection: Any

    def query(self, sql: str) -> list[tuple[str | None, ...]]:
        """Rows of a query on the metastore's own tables, every value as text."""
        statement = self._connection.createStatement()
        result_set = statement.executeQuery(sql)
        width = result_set.getMetaData().getColumnCount()
        rows = []
        while result_set.next():
            rows.append(tuple(result_set.getString(index + 1) for index in range(width)))
        statement.close()
        return rows

    def update(self, sql: str) -> int:
        """Change the metastore's own tables; the number of rows that were changed."""
        statement = self._connection.createStatement()
        changed: int = statement.executeUpdate(sql)
        statement.close()
        return changed


@dataclass(frozen=True, slots=True)
class BackingServer:
    """A database server in which a metastore keeps its tables.

    Attributes:
        url: For JDBC.
        driver: Class of the driver.
        jar: In which the driver is; None: it is one of PySpark's.
        user: Who connects, without a password; Derby lets everybody in.
    """

    url: str
    driver: str
    jar: Path | None = None
    user: str = "APP"


@contextmanager
def embedded_metastore(
    folder: Path,
    *,
    in_memory: bool = True,
    heap: str = "700m",
    backing: BackingServer | None = None,
    port: int = 0,
) -> Iterator[EmbeddedMetastore]:
    """Run a metastore as long as the context lasts.

    Args:
        folder: For its logs, its warehouse and, unless it is in memory, its database.
        in_memory: Whether the database is gone at the end.
        heap: Of its JVM.
        backing: What keeps its tables instead of Derby.
        port: Where it listens; 0: where there is room.
    """
    java_in_use()
    warehouse = folder / "warehouse"
    warehouse.mkdir(parents=True, exist_ok=True)
    place = "memory:metastore" if in_memory else str(folder / "metastore")
    database = backing or BackingServer(f"jdbc:derby:{place};create=true", _DERBY)
    with (
        jvm_with_hive(folder, heap, jar=database.jar) as jvm,
        _serve(jvm, database, warehouse, port) as listening,
    ):
        connection = jvm.java.sql.DriverManager.getConnection(database.url, database.user, "")
        yield EmbeddedMetastore(f"thrift://127.0.0.1:{listening}", warehouse, connection)


@contextmanager
def jvm_with_hive(
    folder: Path, heap: str, options: Sequence[str] = (), *, jar: Path | None = None
) -> Iterator[JVMView]:
    """A JVM with the jars of the PySpark wheel, as long as the context lasts.

    Args:
        folder: For its logs.
        heap: Of the JVM.
        options: More options of it.
        jar: One more beside those of the wheel.
    """
    jars = Path(pyspark.__file__).parent / "jars"
    java_options = [
        f"-Xmx{heap}",
        f"-Dderby.system.home={folder}",
        f"-Dderby.stream.error.file={folder / 'derby.log'}",
        f"-Djava.io.tmpdir={folder}",
        f"-Dlog4j2.configurationFile={_LOG4J}",
        *(f"--add-opens=java.base/{package}=ALL-UNNAMED" for package in OPENED),
        *options,
    ]
    logging.getLogger("py4j").setLevel(logging.CRITICAL)
    with (folder / "metastore.log").open("w") as log:
        port, token, process = launch_gateway(
            classpath=os.pathsep.join(map(str, filter(None, (jars / "*", jar)))),
            javaopts=[*_JVM, *java_options],
            die_on_exit=True,
            enable_auth=True,
            redirect_stdout=log,
            redirect_stderr=log,
            return_proc=True,
        )
        gateway = JavaGateway(gateway_parameters=GatewayParameters(port=port, auth_token=token))
        try:
            yield gateway.jvm
        finally:
            gateway.close()
            process.kill()
            process.wait()
            process.stdin.close()


@contextmanager
def _serve(jvm: JVMView, database: BackingServer, warehouse: Path, port: int) -> Iterator[int]:
    """What `HiveMetaStore.main` does, but on loopback: that one binds every interface."""
    loopback = jvm.java.net.InetAddress.getByName("127.0.0.1")
    listening = jvm.java.net.ServerSocket(port, 200, loopback)
    server = _make_server(jvm, database, warehouse, listening)
    serving = threading.Thread(target=serve_while_there, args=(server,), daemon=True)
    serving.start()
    try:
        yield listening.getLocalPort()
    finally:
        server.stop()
        serving.join(timeout=30)


def serve_while_there(server: JavaObject) -> None:
    """Serve until the server is stopped, or its Java is gone: a Ctrl-C may end that one first."""
    try:
        server.serve()
    except Py4JJavaError:
        raise
    except Py4JError:  # no answer: who asks the metastore for something is told so
        return


def _make_server(
    jvm: JVMView, database: BackingServer, warehouse: Path, listening: JavaObject
) -> JavaObject:
    conf = jvm.org.apache.hadoop.hive.conf.HiveConf()
    for key, value in {
        "javax.jdo.option.ConnectionURL": database.url,
        "javax.jdo.option.ConnectionDriverName": database.driver,
        "javax.jdo.option.ConnectionUserName": database.user,
        "javax.jdo.option.ConnectionPassword": "",
        "datanucleus.schema.autoCreateAll": "true",
        "datanucleus.connectionPoolingType": "NONE",
        "hive.metastore.schema.verification": "false",
        "hive.metastore.warehouse.dir": warehouse.as_uri(),
        "hive.metastore.disallow.incompatible.col.type.changes": "false",
    }.items():
        conf.set(key, value)
    hive, thrift = jvm.org.apache.hadoop.hive.metastore, jvm.org.apache.thrift
    handler = hive.HiveMetaStore.newRetryingHMSHandler(
        hive.HiveMetaStore.HMSHandler("embedded", conf, False), conf, True
    )
    arguments = (
        thrift.server.TThreadPoolServer.Args(thrift.transport.TServerSocket(listening))
        .minWorkerThreads(2)
        .maxWorkerThreads(200)
        .stopTimeoutVal(1)
        .processor(hive.TSetIpAddressProcessor(handler))
        .transportFactory(thrift.transport.TTransportFactory())
        .protocolFactory(thrift.protocol.TBinaryProtocol.Factory())
    )
    return thrift.server.TThreadPoolServer(arguments)
