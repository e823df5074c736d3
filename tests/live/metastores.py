"""Metastores of Hive 3 and 4, from Maven's central repository, on Derby in memory."""

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

import pytest

from jobs.embedded.metastore import OPENED

UNFETCHED = ("jdk.tools:jdk.tools", "org.glassfish:javax.el", "org.pentaho:*")
JARS = {  # release: its artifact and others beside it; what of its dependencies to leave out
    "3.1.3": (("org.apache.hive:hive-standalone-metastore:3.1.3",), UNFETCHED),
    "4.0.1": (
        (
            "org.apache.hive:hive-standalone-metastore-server:4.0.1",
            "org.apache.hadoop:hadoop-client-runtime:3.3.5",
            "org.apache.hadoop:hadoop-hdfs:3.3.5",  # without it, some calls end at a missing class
            "commons-cli:commons-cli:1.5.0",
        ),
        (  # Hadoop 2.6 comes along and hides parts of 3.3
            *UNFETCHED,
            "org.apache.hadoop:hadoop-annotations",
            "org.apache.hadoop:hadoop-auth",
            "org.apache.hadoop:hadoop-common",
        ),
    ),
}
SETTINGS = {
    "javax.jdo.option.ConnectionURL": "jdbc:derby:memory:metastore;create=true",
    "javax.jdo.option.ConnectionDriverName": "org.apache.derby.jdbc.EmbeddedDriver",
    "datanucleus.schema.autoCreateAll": "true",
    "metastore.schema.verification": "false",
    "metastore.thrift.bind.host": "127.0.0.1",
    "metastore.task.threads.always": "org.apache.hadoop.hive.metastore.RuntimeStatsCleanerTask",
    "hive.async.log.enabled": "false",  # which wants a package that is not among the jars
    "metastore.compactor.initiator.on": "false",
    "metastore.expression.proxy": (
        "org.apache.hadoop.hive.metastore.DefaultPartitionExpressionProxy"
    ),
}


LISTENER = "org.apache.hive.hcatalog:hive-hcatalog-server-extensions:3.1.3"
"""What a metastore of Hive 3 records its events with."""
RECORDING = {
    "hive.metastore.transactional.event.listeners": (
        "org.apache.hive.hcatalog.listener.DbNotificationListener"
    ),
    "hive.metastore.event.db.notification.api.auth": "false",
}
"""With which it does, and tells them to whoever asks."""


def fetched(
    release: str, folder: Path, missing: Callable[[str], NoReturn], more: Sequence[str] = ()
) -> Path:
    """The jars of a release, and more beside them, in a folder."""
    if shutil.which("mvn") is None:
        missing("Maven is not installed: on Debian, apt-get install maven")
    (first, *others), left_out = JARS[release]
    wanted = _dependency(first, left_out) + "".join(
        _dependency(one, ("*:*",)) for one in (*others, *more)
    )
    project = (
        "<project><modelVersion>4.0.0</modelVersion><groupId>b</groupId><artifactId>b</artifactId>"
        "<version>1</version><packaging>pom</packaging>"
        f"<dependencies>{wanted}</dependencies></project>"
    )
    (folder / "pom.xml").write_text(project, encoding="utf-8")
    copy = ("dependency:copy-dependencies", f"-DoutputDirectory={folder / 'jars'}")
    done = subprocess.run(
        ["mvn", "-q", "-B", "-f", str(folder / "pom.xml"), *copy],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        missing(f"Maven did not get the jars: {done.stdout[-500:]}")
    return folder / "jars"


def _dependency(coordinate: str, left_out: tuple[str, ...]) -> str:
    group, artifact, version = coordinate.split(":")
    exclusions = "".join(
        "<exclusion><groupId>{}</groupId><artifactId>{}</artifactId></exclusion>".format(
            *one.split(":")
        )
        for one in left_out
    )
    return (
        f"<dependency><groupId>{group}</groupId><artifactId>{artifact}</artifactId>"
        f"<version>{version}</version><exclusions>{exclusions}</exclusions></dependency>"
    )


@contextmanager
def running(
    jars: Path, folder: Path, settings: Mapping[str, str] | None = None, java: Sequence[str] = ()
) -> Iterator[int]:
    """Run a metastore as long as the context lasts; yields its port.

    Args:
        jars: Of its release.
        folder: For its configuration, its log and its warehouse.
        settings: Beyond those of all.
        java: More options of its JVM.
    """
    all_of_them = {**SETTINGS, "metastore.warehouse.dir": folder.as_uri(), **(settings or {})}
    told = "".join(
        f"<property><name>{name}</name><value>{value}</value></property>"
        for name, value in all_of_them.items()
    )
    for name in ("metastore", "hive", "core"):  # logins are read from the last
        site = folder / f"{name}-site.xml"
        site.write_text(f"<configuration>{told}</configuration>", encoding="utf-8")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port: int = free.getsockname()[1]
    command = [
        "java",
        "-Xmx512m",
        *(f"--add-opens=java.base/{package}=ALL-UNNAMED" for package in OPENED),
        *java,
        f"-Dderby.stream.error.file={folder / 'derby.log'}",
        "-cp",
        os.pathsep.join((str(folder), f"{jars}/*")),
        "org.apache.hadoop.hive.metastore.HiveMetaStore",
        "-p",
        str(port),
    ]
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, cwd=folder)
    try:
        _wait_for(port, process)
        yield port
    finally:
        process.kill()
        process.wait()


def _wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    for _ in range(1_200):
        assert process.poll() is None, "the metastore died: see its log"
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    pytest.fail("the metastore did not answer")
