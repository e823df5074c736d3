"""A KDC of the system's package, and a real metastore 2.3.10 that lets in only whom it knows.

The KDC is MIT's, on loopback, with all that it needs in a folder: nothing of the machine's own
configuration is read or written. Its programs may be those of an unpacked package, too: what they
need is looked for beside them.
"""

import os
import secrets
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from jobs.embedded.metastore import jvm_with_hive
from tests.servers import PATH

REALM: Final = "BELVEDERE.TEST"
SERVICE: Final = f"hive/localhost@{REALM}"
PRINCIPALS: Final = ("hive/localhost", "crawler", "other/localhost")

_KRB5: Final = """\
[libdefaults]
  default_realm = {realm}
  dns_lookup_kdc = false
  dns_lookup_realm = false
  dns_canonicalize_hostname = false
  rdns = false
  udp_preference_limit = 1
  ticket_lifetime = {lifetime}
[realms]
  {realm} = {{
    kdc = 127.0.0.1:{port}
  }}
"""
_KDC: Final = """\
[kdcdefaults]
  kdc_listen = 127.0.0.1:{port}
  kdc_tcp_listen = 127.0.0.1:{port}
[realms]
  {realm} = {{
    database_name = {folder}/principal
    key_stash_file = {folder}/stash
    acl_file = {folder}/acl
    supported_enctypes = aes256-cts:normal
  }}
[dbmodules]
  {modules}
  {realm} = {{
    db_library = db2
  }}
[logging]
  kdc = FILE:{folder}/kdc.log
"""


@dataclass(frozen=True)
class Kdc:
    """A running KDC.

    Attributes:
        folder: With a keytab for each principal, called as it is up to its first `/`.
        port: On loopback.
    """

    folder: Path
    port: int

    @property
    def configuration(self) -> Path:
        return self.folder / "krb5.conf"

    def keytab(self, principal: str) -> str:
        return str(self.folder / f"{principal.partition('/')[0]}.keytab")

    def other_configuration(self, name: str, **values: object) -> Path:
        """A `krb5.conf` that is otherwise: port, realm, or lifetime of tickets."""
        path = self.folder / f"{name}.conf"
        path.write_text(_krb5(**{"port": self.port, **values}), encoding="utf-8")
        return path


def _krb5(**values: object) -> str:
    return _KRB5.format(**{"realm": REALM, "lifetime": "1h", **values})


@contextmanager
def kdc(folder: Path) -> Iterator[Kdc]:
    """Run a KDC as long as the context lasts.

    Raises:
        FileNotFoundError: The system has none.
    """
    server = shutil.which("krb5kdc", path=PATH)
    if server is None:
        raise FileNotFoundError("no KDC: apt-get install krb5-kdc krb5-admin-server")
    with socket.create_server(("127.0.0.1", 0)) as free:
        running = Kdc(folder, free.getsockname()[1])
    tools = Path(server).resolve().parent
    environment = _written(running, tools.parents[1])

    def run(*command: str) -> None:
        done = subprocess.run(
            [tools / command[0], *command[1:]], env=environment, capture_output=True, check=False
        )
        assert done.returncode == 0, done.stderr.decode()

    run("kdb5_util", "create", "-s", "-r", REALM, "-P", secrets.token_hex(12))
    for principal in PRINCIPALS:
        run("kadmin.local", "-r", REALM, "-q", f"addprinc -randkey {principal}")
        run("kadmin.local", "-r", REALM, "-q", f"ktadd -k {running.keytab(principal)} {principal}")
    process = subprocess.Popen([server, "-n", "-r", REALM], env=environment)
    try:
        _wait(running.port, process)
        yield running
    finally:
        process.terminate()
        process.wait(timeout=60)


def _written(running: Kdc, root: Path) -> dict[str, str]:
    """Write the KDC's configuration; the environment of its programs."""
    unpacked = root != Path("/")  # where it is installed, it knows its own places
    libraries = sorted(root.glob("usr/lib*/**/krb5/plugins/kdb")) if unpacked else []
    folder = running.folder
    modules = f"db_module_dir = {libraries[0]}" if libraries else ""
    values = {"realm": REALM, "port": running.port, "folder": folder, "modules": modules}
    (folder / "kdc.conf").write_text(_KDC.format(**values), encoding="utf-8")
    (folder / "acl").touch()
    running.configuration.write_text(_krb5(port=running.port), encoding="utf-8")
    own = {
        "KRB5_CONFIG": str(running.configuration),
        "KRB5_KDC_PROFILE": str(folder / "kdc.conf"),
    }
    if libraries:
        own["LD_LIBRARY_PATH"] = str(libraries[0].parents[2])
    return {**os.environ, **own}


def _wait(port: int, process: "subprocess.Popen[bytes]") -> None:
    end = time.monotonic() + 60
    while True:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        assert process.poll() is None, "the KDC has ended"
        assert time.monotonic() < end, "the KDC does not listen"
        time.sleep(0.05)


@dataclass(frozen=True)
class SecuredMetastore:
    """A running metastore that wants Kerberos.

    Attributes:
        uri: For Thrift.
        kdc: That it trusts.
        handler: Of its calls, to fill it without a login.
        jvm: That it runs in.
    """

    uri: str
    kdc: Kdc
    handler: Any
    jvm: Any

    def options(self, **others: object) -> dict[str, Any]:
        """Options of a source or target that logs in."""
        return {
            "uri": self.uri,
            "authentication": "kerberos",
            "service_principal": f"hive/_HOST@{REALM}",
            "keytab": self.kdc.keytab("crawler"),
            "principal": f"crawler@{REALM}",
            "timeout": 20,
            **others,
        }

    def tokens(self) -> int:
        """How many delegation tokens it keeps."""
        kind = "org.apache.hadoop.hive.metastore.HiveMetaStore"
        manager = _static(self.jvm, kind, "delegationTokenManager").get(None)
        field = self.jvm.java.lang.Class.forName(
            "org.apache.hadoop.hive.thrift.HiveDelegationTokenManager"
        ).getDeclaredField("secretManager")
        field.setAccessible(True)
        secret_manager = field.get(manager)
        store = secret_manager.getClass().getDeclaredField("tokenStore")
        store.setAccessible(True)
        return int(store.get(secret_manager).getAllDelegationTokenIdentifiers().size())

    def add_views(self, names: Sequence[str]) -> None:
        """Views of Hive in the database `default`."""
        api, java = self.jvm.org.apache.hadoop.hive.metastore.api, self.jvm.java.util
        columns = java.ArrayList()
        columns.add(api.FieldSchema("id", "int", ""))
        for name in names:
            serde = api.SerDeInfo("", "", java.HashMap())
            storage = api.StorageDescriptor(
                *(columns, None, None, None, False, 0, serde, None, None, java.HashMap())
            )
            sql = "SELECT 1 AS id"
            view = api.Table(
                *(name, "default", "crawler", 0, 0, 0, storage, java.ArrayList()),
                *(java.HashMap(), sql, sql, "VIRTUAL_VIEW"),
            )
            self.handler.create_table(view)


@contextmanager
def secured_metastore(folder: Path, trusted: Kdc) -> Iterator[SecuredMetastore]:
    """Run a metastore that wants Kerberos, with every quality of protection.

    As `HiveMetaStore.main` puts it together, which binds every interface. What answers for tokens
    are private statics of that class.
    """
    krb5 = f"-Djava.security.krb5.conf={trusted.configuration}"
    with jvm_with_hive(folder, "400m", [krb5]) as jvm:
        conf = _configured(jvm, folder, trusted.keytab("hive"))
        loopback = jvm.java.net.InetAddress.getByName("127.0.0.1")
        listening = jvm.java.net.ServerSocket(0, 200, loopback)
        handler, server = _server(jvm, conf, trusted, listening)
        serving = threading.Thread(target=server.serve, daemon=True)
        serving.start()
        try:
            uri = f"thrift://localhost:{listening.getLocalPort()}"
            yield SecuredMetastore(uri, trusted, handler, jvm)
        finally:
            server.stop()
            serving.join(timeout=60)


def _configured(jvm: Any, folder: Path, keytab: str) -> Any:
    settings = {
        "hadoop.security.authentication": "kerberos",
        "hadoop.rpc.protection": "authentication,integrity,privacy",
    }
    hadoop = jvm.org.apache.hadoop.conf.Configuration()
    for key, value in settings.items():
        hadoop.set(key, value)
    jvm.org.apache.hadoop.security.UserGroupInformation.setConfiguration(hadoop)
    conf = jvm.org.apache.hadoop.hive.conf.HiveConf()
    for key, value in {
        **settings,
        "javax.jdo.option.ConnectionURL": "jdbc:derby:memory:secured;create=true",
        "javax.jdo.option.ConnectionDriverName": "org.apache.derby.iapi.jdbc.AutoloadedDriver",
        "datanucleus.schema.autoCreateAll": "true",
        "datanucleus.connectionPoolingType": "NONE",
        "hive.metastore.schema.verification": "false",
        "hive.metastore.warehouse.dir": (folder / "warehouse").as_uri(),
        "hive.metastore.sasl.enabled": "true",
        "hive.metastore.kerberos.principal": SERVICE,
        "hive.metastore.kerberos.keytab.file": keytab,
        "hive.cluster.delegation.token.store.class": (
            "org.apache.hadoop.hive.thrift.MemoryTokenStore"
        ),
    }.items():
        conf.set(key, value)
    return conf


def _server(jvm: Any, conf: Any, trusted: Kdc, listening: Any) -> tuple[Any, Any]:
    hive, thrift = jvm.org.apache.hadoop.hive, jvm.org.apache.thrift
    sasl = hive.shims.ShimLoader.getHadoopThriftAuthBridge().createServer(
        trusted.keytab("hive"), SERVICE
    )
    handler = hive.metastore.HiveMetaStore.newRetryingHMSHandler(
        hive.metastore.HiveMetaStore.HMSHandler("secured", conf, False), conf, True
    )
    manager = hive.thrift.HiveDelegationTokenManager()
    mode = jvm.java.lang.Class.forName(
        "org.apache.hadoop.hive.thrift.HadoopThriftAuthBridge$Server$ServerMode"
    )
    manager.startDelegationTokenSecretManager(conf, handler, mode.getEnumConstants()[1])
    sasl.setSecretManager(manager.getSecretManager())
    kind = "org.apache.hadoop.hive.metastore.HiveMetaStore"
    for name, value in {
        "saslServer": sasl,
        "delegationTokenManager": manager,
        "useSasl": True,
    }.items():
        _static(jvm, kind, name).set(None, value)
    properties = hive.metastore.MetaStoreUtils.getMetaStoreSaslProperties(conf)
    processor = hive.metastore.api.ThriftHiveMetastore.Processor(handler)
    arguments = (
        thrift.server.TThreadPoolServer.Args(thrift.transport.TServerSocket(listening))
        .minWorkerThreads(2)
        .maxWorkerThreads(50)
        .stopTimeoutVal(1)
        .processor(sasl.wrapProcessor(processor))
        .transportFactory(sasl.createTransportFactory(properties))
        .protocolFactory(thrift.protocol.TBinaryProtocol.Factory())
    )
    return handler, thrift.server.TThreadPoolServer(arguments)


def _static(jvm: Any, kind: str, name: str) -> Any:
    field = jvm.java.lang.Class.forName(kind).getDeclaredField(name)
    field.setAccessible(True)
    return field
