"""Metastores of Hive 3 and 4, from Maven's central repository: their calls, and their catalogs."""

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest
from hive_metastore import ThriftHiveMetastore, ttypes
from thrift.protocol import TBinaryProtocol
from thrift.transport import TSocket, TTransport

from connectors.hms import HiveMetastore, Options
from discovery.crawl import normalize
from discovery.model import Schema, View
from discovery.outcomes import Kind, Listed, RawObject
from discovery.ports import CrawlTask
from jobs.embedded.metastore import _OPENED

pytestmark = [pytest.mark.live, pytest.mark.slow, pytest.mark.timeout(900)]

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
    "metastore.compactor.initiator.on": "false",
    "metastore.expression.proxy": (
        "org.apache.hadoop.hive.metastore.DefaultPartitionExpressionProxy"
    ),
}


def fetched(release: str, folder: Path, missing: Callable[[str], NoReturn]) -> Path:
    """The jars of a release, in a folder."""
    if shutil.which("mvn") is None:
        missing("Maven is not installed: on Debian, apt-get install maven")
    (first, *others), left_out = JARS[release]
    wanted = _dependency(first, left_out) + "".join(_dependency(one, ("*:*",)) for one in others)
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


@pytest.fixture(params=sorted(JARS))
def uri(
    request: pytest.FixtureRequest, tmp_path: Path, missing: Callable[[str], NoReturn]
) -> Iterator[str]:
    """A running metastore on Derby."""
    jars = fetched(request.param, tmp_path, missing)
    settings = {**SETTINGS, "metastore.warehouse.dir": tmp_path.as_uri()}
    told = "".join(
        f"<property><name>{name}</name><value>{value}</value></property>"
        for name, value in settings.items()
    )
    site = f"<configuration>{told}</configuration>"
    (tmp_path / "metastore-site.xml").write_text(site, encoding="utf-8")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [
        "java",
        "-Xmx512m",
        *(f"--add-opens=java.base/{package}=ALL-UNNAMED" for package in _OPENED),
        f"-Dderby.stream.error.file={tmp_path / 'derby.log'}",
        "-cp",
        os.pathsep.join((str(tmp_path), f"{jars}/*")),
        "org.apache.hadoop.hive.metastore.HiveMetaStore",
        "-p",
        str(port),
    ]
    with (tmp_path / "log").open("w") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, cwd=tmp_path)
    try:
        _wait_for(port, process)
        yield f"thrift://127.0.0.1:{port}"
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


def fill(uri: str, place: Path) -> None:
    """The database `sales` in two catalogs, each with a view `v` and one of the catalog's name."""
    transport = TTransport.TBufferedTransport(TSocket.TSocket(*uri[len("thrift://") :].split(":")))
    transport.open()
    client = ThriftHiveMetastore.Client(TBinaryProtocol.TBinaryProtocol(transport))
    lake = ttypes.Catalog(name="lake", locationUri=f"{place.as_uri()}/lake")
    client.create_catalog(ttypes.CreateCatalogRequest(lake))
    for catalog in ("hive", "lake"):
        location = f"{place.as_uri()}/{catalog}/sales.db"
        client.create_database(
            ttypes.Database(name="sales", catalogName=catalog, locationUri=location)
        )
        for name in ("v", f"v_{catalog}"):
            client.create_table(_entry(catalog, name))
    transport.close()


def _entry(catalog: str, name: str) -> Any:
    columns = [ttypes.FieldSchema("x", "int", f"in {catalog}")]
    serde = ttypes.SerDeInfo(name=name, parameters={})
    return ttypes.Table(
        catName=catalog,
        dbName="sales",
        tableName=name,
        tableType="VIRTUAL_VIEW",
        owner="o",
        parameters={},
        partitionKeys=[],
        viewOriginalText="select 1 as x",
        viewExpandedText="select 1 as `x`",
        sd=ttypes.StorageDescriptor(
            cols=columns, serdeInfo=serde, parameters={}, bucketCols=[], sortCols=[]
        ),
    )


def test_views_of_each_catalog_are_crawled(uri: str, tmp_path: Path) -> None:
    fill(uri, tmp_path)
    for catalog, within in ((None, "hive"), ("hive", "hive"), ("lake", "lake")):
        with HiveMetastore(Options(uri=uri, catalog=catalog, include=("sales",))) as source:
            assert source.probe().version
            listed = [one for one in source.listing() if isinstance(one, Listed)]
            assert [(one.name, one.kind) for one in listed] == [
                ("", Kind.NAMESPACE),
                ("v", Kind.VIEW),
                (f"v_{within}", Kind.VIEW),
            ]
            gone = Listed(("sales",), "gone")
            answers = list(source.load(CrawlTask("s", (*listed, gone))))
            assert source._client._unknown == set(), "the calls with a request object served"
        results = [normalize(one).result for one in answers if isinstance(one, RawObject)]
        assert sum(isinstance(one, Schema) for one in results) == 1
        views = {str(one.identifier): one for one in results if isinstance(one, View)}
        assert sorted(views) == ["sales.v", f"sales.v_{within}"]
        assert [one.comment for one in views["sales.v"].columns] == [f"in {within}"]
