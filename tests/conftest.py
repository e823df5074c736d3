"""What tests share: Spark, an embedded metastore and PostgreSQL, started when first asked."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import boto3
import pytest
from moto.server import ThreadedMotoServer
from pyspark.sql import SparkSession

from jobs.embedded.metastore import EmbeddedMetastore, embedded_metastore
from jobs.embedded.postgres import EmbeddedPostgreSQL, embedded_postgresql
from jobs.embedded.thrift_writer import Writer, writer
from jobs.runtime import config
from jobs.runtime.config import RunConfig
from jobs.runtime.session import spark_session
from tests.recorded.answers import Answers, served

REPOSITORY = Path(__file__).parent.parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that start Spark or a server are marked by what they ask for."""
    for item in items:
        if {"spark", "metastore", "postgresql"} & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.spark)


@pytest.fixture(scope="session")
def metastore(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedMetastore]:
    """A real metastore."""
    with embedded_metastore(tmp_path_factory.mktemp("hms")) as running:
        yield running


@pytest.fixture(scope="session")
def spark(metastore: EmbeddedMetastore) -> Iterator[SparkSession]:
    """Executors in processes of their own: they show mistakes of pickling and of paths.

    The session's own catalog is the embedded metastore, so that Spark can make views in it.
    """
    settings = {
        "spark.master": "local-cluster[2,1,1024]",
        "spark.driver.memory": "1g",
        "spark.hadoop.hive.metastore.uris": metastore.uri,
        "spark.sql.catalogImplementation": "hive",
        "spark.sql.shuffle.partitions": "2",
        "spark.sql.warehouse.dir": metastore.warehouse.as_uri(),
    }
    session = spark_session("tests", settings)
    yield session
    session.stop()


@pytest.fixture(scope="session")
def hms(metastore: EmbeddedMetastore) -> Iterator[Writer]:
    """A connection that may write to the metastore."""
    with writer(metastore.uri) as connection:
        yield connection


@pytest.fixture(scope="session")
def postgresql(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedPostgreSQL]:
    """A real PostgreSQL."""
    with embedded_postgresql(tmp_path_factory.mktemp("pg")) as running:
        yield running


@pytest.fixture(scope="session")
def glue() -> Iterator[Any]:
    """A client of moto's Glue, which may write; its endpoint is `glue.meta.endpoint_url`."""
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    keys = {"aws_access_key_id": "x", "aws_secret_access_key": "x", "region_name": "us-east-1"}
    yield boto3.Session().client("glue", endpoint_url=f"http://{host}:{port}", **keys)
    server.stop()


@pytest.fixture
def paimon_rest() -> Iterator[Answers]:
    """Recorded answers of Paimon's REST test server, over a real socket."""
    with served(Answers.of(Path(__file__).parent / "recorded" / "paimon_rest.json")) as answers:
        yield answers


@pytest.fixture
def estate(tmp_path: Path) -> Callable[..., RunConfig]:
    """Makes a checked configuration of sources, targets and other keys, in a folder of its own."""

    def make(sources: dict[str, Any], **more: Any) -> RunConfig:
        path = tmp_path / "estate.yaml"
        lines = ["warehouse: warehouse", "sources:"]
        lines += [f"  {name}: {_flow(options)}" for name, options in sources.items()]
        lines += [f"{key}: {_flow(value)}" for key, value in more.items()]
        path.write_text("\n".join(lines), encoding="utf-8")
        return config.load(path)

    return make


def _flow(value: Any) -> str:
    return json.dumps(value)  # JSON is YAML
